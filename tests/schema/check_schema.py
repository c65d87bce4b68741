# SPDX-License-Identifier: Apache-2.0
"""The published schema and the reader agree: what we write validates, and files that the schema
refuses are refused by the tool too."""
import glob
import json
import os
import subprocess
import tempfile

import jsonschema

from agreement import check_refused

SCHEMA = json.load(open("docs/rig.schema.json"))
REFUSED = [
    {"ulna": 2, "joints": []},
    {"ulna": 1},
    {"ulna": 1, "joints": [{}]},
    {"ulna": 1, "joints": [{"name": "a", "kind": "spring"}]},
    {"ulna": 1, "joints": [{"name": "a", "offset": [1, 2]}]},
    {"ulna": 1, "joints": [{"name": "a", "extra": 1}]},
    {"ulna": 1, "joints": [{"name": "a", "limits": [[1]]}]},
    {"ulna": 1, "joints": [{"name": "a", "cone": {"swing": 200}}]},
    {"ulna": 1, "joints": [{"name": "a", "locked": 1}]},
    {"ulna": 1, "joints": [{"name": "a", "stiffness": -0.5}]},
    {"ulna": 1, "joints": [], "clips": [{"frames": []}]},
]


def read(path):
    return subprocess.run([os.environ["ULNA"], "info", path], capture_output=True).returncode


def main():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    with tempfile.TemporaryDirectory() as work:
        written = work + "/written.rig.json"
        sources = glob.glob("assets/*.bvh") + glob.glob(os.environ["ULNA_SHARED_DATA"] + "/bvh/**/*.bvh", recursive=True)
        files = ["assets/ulna-character.rig.json"]
        for source in sources:
            subprocess.run([os.environ["ULNA"], "convert", "--quiet", source, written], check=True)
            jsonschema.validate(json.load(open(written)), SCHEMA)
        for path in files + glob.glob("examples/*.rig.json"):
            jsonschema.validate(json.load(open(path)), SCHEMA)
            assert read(path) == 0, path
        check_refused(SCHEMA, REFUSED, written, read)


main()
