// SPDX-License-Identifier: Apache-2.0

// The scale bar of pictures: a round length and its text.
#pragma once

#include <string>

namespace ulna::draw::detail {

struct ScaleBarShape {
    double pixels = 0.0;
    std::string text = {};  ///< such as "20 cm"
};

/// The longest round length that is at most `most_pixels` long. Without a unit the text counts
/// "units". @pre pixels_per_unit and most_pixels are above 0.
[[nodiscard]] ScaleBarShape scaleBarOf(double pixels_per_unit, double most_pixels,
                                       const std::string& unit);

}  // namespace ulna::draw::detail
