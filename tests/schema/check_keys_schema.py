# SPDX-License-Identifier: Apache-2.0
"""The published schema of files of keys and the reader agree: the documented example and what
`ulna key` writes validate and are read, and what the schema refuses the tool refuses too."""
import json
import os
import subprocess
import tempfile

import jsonschema

from agreement import check_refused, example_of

SCHEMA = json.load(open("docs/keys.schema.json"))
CHARACTER = "assets/ulna-character.rig.json"
KEYS = [{"time": 0, "value": 1}, {"time": 1, "value": 2}]
DOF = {"dof": "LeftLeg", "keys": KEYS}
TURN = {"joint": "Head", "part": "rotation", "keys": [{"time": 0, "value": [0, 0, 0, 1]}]}
REFUSED = [
    3,
    [],
    {},
    {"ulna": 2, "tracks": []},
    {"tracks": {}},
    {"tracks": [DOF], "interpolation": "smooth"},
    {"tracks": [DOF], "ends": "open"},
    {"tracks": [DOF], "outside": "stop"},
    {"tracks": [DOF], "frames": 3},
    {"tracks": [{}]},
    {"tracks": [{**DOF, "joint": "Head"}]},
    {"tracks": [{**DOF, "easing": "in"}]},
    {"tracks": [{"dof": "LeftLeg"}]},
    {"tracks": [{**DOF, "keys": [{"time": 0}]}]},
    {"tracks": [{**DOF, "keys": [{"value": 0}]}]},
    {"tracks": [{**DOF, "keys": [{"time": "0", "value": 0}]}]},
    {"tracks": [{**TURN, "part": "place"}]},
    {"tracks": [{**TURN, "keys": [{"time": 0, "value": [0, 0, 1]}]}]},
    {"tracks": [{**TURN, "part": "scale"}]},
]


def key(keys, out):
    command = [os.environ["ULNA"], "key", CHARACTER, "--quiet", "--keys", keys, "--out", out]
    return subprocess.run(command, capture_output=True, text=True)


def main():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    with tempfile.TemporaryDirectory() as work:
        path, out = work + "/in.json", work + "/out.keys.json"
        example = example_of("docs/motion/keys-file.md")
        assert example == json.load(open("docs/motion/nod.keys.json")), "the example and its file differ"
        for taken in (example, {"tracks": []}, {"tracks": [DOF, TURN], "outside": "loop"}):
            jsonschema.validate(taken, SCHEMA)
            json.dump(taken, open(path, "w"))
            result = key(path, out)
            assert result.returncode == 0, result.stderr
            jsonschema.validate(json.load(open(out)), SCHEMA)
        check_refused(SCHEMA, REFUSED, path, lambda each: key(each, out).returncode)


main()
