# SPDX-License-Identifier: Apache-2.0
"""Exceptions of the package."""
from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from ._core import Diagnostic


class InputError(ValueError):
    """What is wrong with a file or with data, where, and what to do.

    >>> try:
    ...     ulna.load_bytes(b"HIERARCHY ROOT Hips { OFFSET 0 x 0", "a.bvh")
    ... except ulna.InputError as error:
    ...     print(error.file, error.line, error.column, error.text)
    a.bvh 1 32 x
    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic
        self.what = diagnostic.what
        self.file = diagnostic.file
        self.line = diagnostic.line
        self.column = diagnostic.column
        self.json_path = diagnostic.json_path
        self.text = diagnostic.text
        self.hint = diagnostic.hint
