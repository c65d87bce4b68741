# SPDX-License-Identifier: Apache-2.0
"""The published schema of maps of points and the reader agree: the documented example validates and is read,
and what the schema refuses the tool refuses too."""
import json
import os
import subprocess
import tempfile

import jsonschema
import numpy as np

from agreement import check_refused, example_of

SCHEMA = json.load(open("docs/points.schema.json"))
CHARACTER = "assets/ulna-character.glb"
HIP = {"name": "0", "landmark": "hip", "side": "left"}
BODY = [HIP, {"name": "1", "landmark": "hip", "side": "right"}, {"name": "2", "joint": "LeftArm"},
        {"name": "3", "joint": "RightArm", "offset": [0, 0, 0]}, {"name": "head", "of": ["4", "5"], "landmark": "nose"}]
TAKEN = [{"points": BODY}, {"ulna": 1, "name": "lab", "up": "y", "metres_per_unit": 1, "points": BODY}]
REFUSED = [
    3,
    [],
    {},
    {"points": []},
    {"ulna": 2, "points": BODY},
    {"points": BODY, "more": 1},
    {"points": BODY, "up": "w"},
    {"points": BODY, "metres_per_unit": 0},
    {"points": [{"name": "0"}]},
    {"points": [{"landmark": "nose"}]},
    {"points": [{"name": "0", "landmark": "hip"}]},
    {"points": [{"name": "0", "landmark": "nose", "side": "left"}]},
    {"points": [{"name": "0", "landmark": "hop", "side": "left"}]},
    {"points": [{**HIP, "side": "middle"}]},
    {"points": [{**HIP, "joint": "Hips"}]},
    {"points": [{**HIP, "offset": [0, 0, 0]}]},
    {"points": [{**HIP, "of": []}]},
    {"points": [{"name": "0", "joint": "Hips", "offset": [0, 0]}]},
]


def main():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(example_of("docs/retarget/points.md"), SCHEMA)
    with tempfile.TemporaryDirectory() as work:
        points, path = work + "/points.npy", work + "/map.points.json"
        np.save(points, np.array([[[.1, .9, 0], [-.1, .9, 0], [.2, 1.4, 0], [-.2, 1.4, 0], [0, 1.6, .1], [0, 1.6, .1]]]))

        def exit_code(each):
            return subprocess.run([os.environ["ULNA"], "pose", points, "--map", each, "--to", CHARACTER, "--quiet"],
                                  capture_output=True, text=True).returncode

        for taken in TAKEN:
            jsonschema.validate(taken, SCHEMA)
            json.dump(taken, open(path, "w"))
            assert exit_code(path) == 0, taken
        check_refused(SCHEMA, REFUSED, path, exit_code)


main()
