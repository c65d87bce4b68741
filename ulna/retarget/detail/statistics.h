// SPDX-License-Identifier: Apache-2.0

// Medians: what outliers do not move.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace ulna::retarget::detail {

/// The lower median; 0 of no values. Reorders the values.
[[nodiscard]] inline double median(std::vector<double>& values) {
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The standard deviation of what is normally distributed but for outliers: 1.4826 times the
/// median of the distances from the centre. Overwrites the values.
[[nodiscard]] inline double spreadAbout(double centre, std::vector<double>& values) {
    constexpr double kNormal = 1.4826;
    for (double& each : values) each = std::abs(each - centre);
    return kNormal * median(values);
}

}  // namespace ulna::retarget::detail
