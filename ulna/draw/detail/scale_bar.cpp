// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/scale_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "ulna/draw/detail/svg.h"

namespace ulna::draw::detail {

ScaleBarShape scaleBarOf(double pixels_per_unit, double most_pixels, const std::string& unit) {
    const double length = niceLength(std::max(most_pixels / pixels_per_unit, 1e-12));
    const char* units = length == 1.0 ? "unit" : "units";
    return {length * pixels_per_unit,
            fmt::format("{:g} {}", length, unit.empty() ? units : unit.c_str())};
}

}  // namespace ulna::draw::detail
