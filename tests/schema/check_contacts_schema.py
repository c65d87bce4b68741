# SPDX-License-Identifier: Apache-2.0
"""The published schema of contacts files and the reader agree: the documented example and what `ulna clean` writes
validate and are read, and what the schema refuses the tool refuses too."""
import json
import os
import subprocess
import tempfile

import jsonschema

from agreement import check_refused, example_of

SCHEMA = json.load(open("docs/contacts.schema.json"))
CLIP = "assets/ulna-wave.bvh"
CONTACT = {"side": "left", "part": "heel", "first": 0, "last": 9}
REFUSED = [
    3,
    [],
    {},
    {"floor": 0},
    {"contacts": []},
    {"floor": "low", "contacts": []},
    {"ulna": 2, "floor": 0, "contacts": []},
    {"floor": 0, "contacts": [], "more": 1},
    *({"floor": 0, "contacts": [each]} for each in (
        {}, {**CONTACT, "side": "both"}, {**CONTACT, "part": "toe"}, {**CONTACT, "first": -1}, {**CONTACT, "last": 1.5},
        {**CONTACT, "joint": "LeftFoot"})),
]


def clean(*options):
    return subprocess.run([os.environ["ULNA"], "clean", CLIP, "--quiet", *options], capture_output=True, text=True)


def main():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    with tempfile.TemporaryDirectory() as work:
        path = work + "/wave.contacts.json"
        assert clean("--contacts-out", path).returncode == 0
        written = json.load(open(path))
        assert written["contacts"]
        for taken in (example_of("docs/retarget/contacts-file.md"), written, {"floor": 0, "contacts": []}):
            jsonschema.validate(taken, SCHEMA)
            json.dump(taken, open(path, "w"))
            result = clean("--feet", "--contacts", path)
            assert result.returncode == 0, result.stderr
        check_refused(SCHEMA, REFUSED, path, lambda each: clean("--feet", "--contacts", each).returncode)


main()
