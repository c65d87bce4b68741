# SPDX-License-Identifier: Apache-2.0
"""The published schema of body maps and the reader agree: the documented example and what `ulna info
--map-out` writes validate and are read, and what the schema refuses the tool refuses too."""
import json
import os
import subprocess
import tempfile

import jsonschema

from agreement import check_refused, example_of

SCHEMA = json.load(open("docs/map.schema.json"))
CHARACTER = "assets/ulna-character.bvh"


def of(roles):
    return {"ulna_map": 1, "roles": roles}


TAKEN = [
    of({}),
    {**of({"hips": "Hips"}), "kind": "human"},
    of({"head": None, "spine": ["Spine", "Spine1"], "left": {"knee": ["LeftLeg"], "fingers": {"thumb": None}}}),
    of({"right": {"hand": "RightHand", "foot": ["RightFoot"]}}),
]
REFUSED = [
    3,
    {},
    {"roles": {}},
    {"ulna_map": 1},
    {"ulna_map": 2, "roles": {}},
    {**of({}), "kind": "bird"},
    {**of({}), "more": 1},
    of([]),
    of({"hip": "Hips"}),
    of({"hips": 3}),
    of({"hips": ["Hips", "Spine"]}),
    of({"spine": []}),
    of({"spine": [3]}),
    of({"chest": None}),
    of({"left": None}),
    of({"left": {"spine": "Spine"}}),
    of({"left": {"hand": None}}),
    of({"left": {"foot": ["LeftFoot", "LeftToeBase"]}}),
    of({"left": {"fingers": {"pinky": "LeftHandPinky1"}}}),
    of({"left": {"fingers": "LeftHandIndex1"}}),
]


def main():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    with tempfile.TemporaryDirectory() as work:
        def info(*options):
            return subprocess.run([os.environ["ULNA"], "info", CHARACTER, "--json", *options],
                                  capture_output=True, text=True)

        path, written = work + "/body.map.json", work + "/written.map.json"
        plain = json.loads(info("--map-out", written).stdout)["body"]
        for taken in (example_of("docs/roles.md"), json.load(open(written)), *TAKEN):
            jsonschema.validate(taken, SCHEMA)
            json.dump(taken, open(path, "w"))
            result = info("--map", path)
            assert result.returncode == 0, result.stderr
        # What was found is found again, for sure.
        again = json.loads(info("--map", written).stdout)["body"]
        assert [(r["role"], r["joints"]) for r in again["roles"]] == [(r["role"], r["joints"]) for r in plain["roles"]]
        assert all(r["confidence"] == 1 and r["reason"] == "by the map" for r in again["roles"]), again
        check_refused(SCHEMA, REFUSED, path, lambda each: info("--map", each).returncode)


main()
