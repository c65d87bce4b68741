// SPDX-License-Identifier: Apache-2.0

// Dots below the figures of strips: what holds of a figure, such as which feet are in contact.
#pragma once

#include "ulna/skin/mesh.h"

namespace ulna::draw {

/// One dot of a row of them below a figure, from left to right.
struct FigureDot {
    Color color = {};
    bool on = false;  ///< filled; otherwise a ring
};

}  // namespace ulna::draw
