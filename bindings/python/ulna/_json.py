# SPDX-License-Identifier: Apache-2.0
"""JSON of what the library reads as JSON: goals and joints in words, with arrays of NumPy among them."""
from __future__ import annotations

import json
import typing


def _plain(value: typing.Any) -> typing.Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a value of the type {type(value).__name__} cannot stand here")


def dumps(value: typing.Any) -> str:
    """Text of a value; ValueError for numbers that are not finite."""
    return json.dumps(value, default=_plain, allow_nan=False)
