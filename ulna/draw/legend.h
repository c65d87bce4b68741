// SPDX-License-Identifier: Apache-2.0

// Legends of shaded pictures: what their colours mean and how long a length is, in a strip below
// the picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ulna/draw/raster.h"

namespace ulna::draw {

/// A colour and what has it.
struct LegendColor {
    Color color = {};
    std::string text = {};
};

/// The colours of weightColor, from the value of weight 0 to that of weight 1.
struct ColorBar {
    double low = 0.0, high = 1.0;
    std::string label = {};  ///< what is shown, with its unit: "weight", "distance (m)"
};

/// A line of a round length.
struct ScaleBar {
    double pixels_per_unit = 0.0;  ///< see Raster
    std::string unit = {};         ///< such as "cm"; empty: "units"
};

struct Legend {
    std::optional<ScaleBar> scale = {};
    std::optional<ColorBar> bar = {};
    std::vector<LegendColor> colors = {};  ///< in columns, row by row
    std::string note = {};                 ///< a line below them
    double text = 0.0;                     ///< the size of texts in pixels; 0: as the picture's
};

/// The picture with the legend below it: as wide as before or, where it is too narrow for the
/// legend, in the middle of a wider one. An empty legend adds nothing.
[[nodiscard]] Raster withLegend(const Raster& image, const Legend& legend, const Color& background);

}  // namespace ulna::draw
