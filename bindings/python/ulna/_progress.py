# SPDX-License-Identifier: Apache-2.0
"""Bars of progress."""
from __future__ import annotations

import sys
import typing


def bar() -> typing.Callable[[float], None]:
    """A function of the fraction that is done: a bar of tqdm where that is installed, else a line on stderr."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import]
    except ImportError:
        return _line
    shown = tqdm(total=100, unit="%", leave=False)

    def update(fraction: float) -> None:
        shown.update(100 * fraction - shown.n)
        if fraction >= 1:
            shown.close()

    return update


def _line(fraction: float) -> None:
    sys.stderr.write(f"\r{100 * fraction:3.0f} %" + ("\n" if fraction >= 1 else ""))
    sys.stderr.flush()
