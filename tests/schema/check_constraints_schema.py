# SPDX-License-Identifier: Apache-2.0
"""The published schema of constraints files and the reader agree: the documented example validates and
is read, and what the schema refuses the tool refuses too."""
import json
import os
import subprocess
import tempfile

import jsonschema

from agreement import check_refused, example_of

SCHEMA = json.load(open("docs/constraints.schema.json"))
CHARACTER = "assets/ulna-character.glb"
PIN = {"kind": "pin", "joint": "LeftFoot"}
TAKEN = [
    [],
    {"constraints": [{**PIN, "position": [0, 0, 1]}]},
    [{"kind": "drive", "joint": "Head", "positions": [[0, 1, 2]], "rotation": [0, 0, 0, 1]}],
    [{"kind": "free", "joint": "LeftHand"}, {"kind": "rigid", "joints": ["LeftLeg", "LeftUpLeg"]}],
]
REFUSED = [
    3,
    {},
    {"ulna": 2, "constraints": []},
    {"constraints": [], "more": 1},
    [{}],
    [{"kind": "spring", "joint": "Head"}],
    [{**PIN, "place": [0, 0, 1]}],
    [{**PIN, "position": [0, 1]}],
    [{**PIN, "position": [0, 0, 1], "positions": [[0, 0, 1]]}],
    [{**PIN, "positions": []}],
    [{"kind": "drive", "joint": "Head", "rotation": [0, 0, 0, 1], "rotations": [[0, 0, 0, 1]]}],
    [{"kind": "lock"}],
    [{"kind": "free", "joint": "Head", "position": [0, 0, 1]}],
    [{"kind": "rigid", "joints": ["Head"]}],
    [{"kind": "mass", "vertices": [1]}],
    [{"kind": "mass", "vertices": [1], "mass": -1}],
    [{"kind": "missing", "vertices": []}],
    [{"kind": "missing", "vertices": [-1]}],
    [{"kind": "missing", "vertices": [[1, 2, 3]]}],
    [{"kind": "missing", "vertices": [1], "frames": []}],
]


def main():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    with tempfile.TemporaryDirectory() as work:
        def ulna(*arguments):
            return subprocess.run([os.environ["ULNA"], *arguments, "--quiet"], capture_output=True, text=True)

        cache, path = work + "/shape.pc2", work + "/constraints.json"
        assert ulna("skin", CHARACTER, "--frames", ",".join(str(i) for i in range(26)), "--out", cache).returncode == 0
        example = example_of("docs/fit/constraints-file.md")
        for taken in (example, *TAKEN):
            jsonschema.validate(taken, SCHEMA)
            json.dump(taken, open(path, "w"))
            result = ulna("fit", CHARACTER, cache, "--constraints", path, "--max-iterations", "1")
            assert result.returncode == 0, result.stderr
        check_refused(SCHEMA, REFUSED, path, lambda each: ulna("fit", CHARACTER, cache, "--constraints", each).returncode)


main()
