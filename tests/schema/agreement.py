# SPDX-License-Identifier: Apache-2.0
"""What every check of a published schema against its reader needs."""
import json
import re
import sys

import jsonschema


def example_of(page):
    """The first JSON on a page of the documentation."""
    return json.loads(re.search(r"```json\n(.*?)```", open(page).read(), re.S).group(1))


def check_refused(schema, documents, path, exit_code_of):
    """The schema refuses each of these, and so does the tool, to which they are written at `path`."""
    for document in documents:
        try:
            jsonschema.validate(document, schema)
            sys.exit(f"the schema takes {document}")
        except jsonschema.ValidationError:
            pass
        json.dump(document, open(path, "w"))
        assert exit_code_of(path) == 3, document
