# SPDX-License-Identifier: Apache-2.0
"""The published schema of goals files and the reader agree: the documented example and what
`ulna ik` prints validate and are read, and what the schema refuses the tool refuses too."""
import json
import os
import subprocess
import tempfile

import jsonschema

from agreement import check_refused, example_of

SCHEMA = json.load(open("docs/goals.schema.json"))
CHARACTER = "assets/ulna-character.bvh"
POSITION = {"kind": "position", "joint": "LeftHand", "target": [0.3, 1.2, 0.4]}
REFUSED = [
    3,
    {},
    {"ulna": 2, "goals": []},
    {"golas": [POSITION]},
    [{}],
    [{"kind": "spring"}],
    [{**POSITION, "wieght": 1}],
    [{**POSITION, "weight": -1}],
    [{**POSITION, "level": 3}],
    [{**POSITION, "targets": [[1, 2, 3]]}],
    [{"kind": "position", "joint": "LeftHand"}],
    [{"kind": "position", "joint": "LeftHand", "targets": []}],
    [{"kind": "orientation", "joint": "LeftHand", "target": [0, 0, 1]}],
    [{"kind": "pole", "joints": ["LeftArm", "LeftHand"], "target": [1, 2, 3]}],
    [{"kind": "plane", "joint": "LeftHand", "side": "under"}],
    [{"kind": "distance", "joints": ["LeftArm", "Head"], "distance": -1}],
    [{"kind": "posture", "near": "far"}],
    [{"kind": "keep_apart", "joints": ["LeftHand"], "radii": [0.1, 0.1]}],
    [{"kind": "keep_apart", "joints": ["LeftHand", "Head"], "radii": [0.1, -0.1]}],
    [{"kind": "keep_apart", "joints": ["LeftHand", "Head"], "ends": [[0, 1, 0]]}],
    [{"kind": "balance"}],
    [{"kind": "balance", "contacts": []}],
    [{"kind": "balance", "contacts": [{"joint": "LeftFoot", "mass": 1}]}],
    [{"kind": "balance", "contacts": [{"joint": "LeftFoot"}], "masses": [{"joint": "Hips"}]}],
    [{"kind": "balance", "contacts": [{"joint": "LeftFoot"}], "margin": -1}],
    [{"kind": "custom", "joint": "LeftHand"}],
    [{**POSITION, "span": [0, 1]}],
    [{**POSITION, "span": {}}],
    [{**POSITION, "span": {"seconds": [0]}}],
    [{**POSITION, "span": {"seconds": [0, 1], "frames": [0, 1]}}],
    [{**POSITION, "span": {"seconds": [0, 1], "ease": -1}}],
    [{**POSITION, "span": {"seconds": [0, 1], "fade": 1}}],
]


PLANAR = {"ulna": 1, "planar": True, "joints": [
    {"name": "root", "kind": "fixed"},
    {"name": "arm", "parent": "root", "kind": "hinge", "offset": [0, 0, 0]},
    {"name": "hand", "parent": "arm", "kind": "hinge", "offset": [1, 0, 0]}]}


def ik(*options, model=CHARACTER):
    return subprocess.run([os.environ["ULNA"], "ik", model, "--quiet", *options], capture_output=True, text=True)


def main():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    with tempfile.TemporaryDirectory() as work:
        path = work + "/goals.json"
        example = example_of("docs/ik/goals-file.md")
        for taken in (example, [POSITION], {"goals": [{**POSITION, "pin": False}]}):
            jsonschema.validate(taken, SCHEMA)
            json.dump(taken, open(path, "w"))
            result = ik("--goals", path, "--json")
            assert result.returncode == 0, result.stderr
            jsonschema.validate(json.loads(result.stdout), SCHEMA)
        # Two numbers are a point of a planar skeleton, and of no other.
        flat = [{"kind": "position", "joint": "hand", "target": [0.6, 0.8]}]
        jsonschema.validate(flat, SCHEMA)
        json.dump(flat, open(path, "w"))
        json.dump(PLANAR, open(work + "/arm.rig.json", "w"))
        result = ik("--goals", path, "--json", model=work + "/arm.rig.json")
        assert result.returncode == 0, result.stderr
        flat[0]["joint"] = "LeftHand"
        json.dump(flat, open(path, "w"))
        assert ik("--goals", path).returncode != 0
        check_refused(SCHEMA, REFUSED, path, lambda each: ik("--goals", each).returncode)


main()
