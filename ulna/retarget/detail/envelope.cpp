// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/envelope.h"

#include <algorithm>
#include <cmath>

namespace ulna::retarget::detail {

std::vector<double> smoothEnvelope(const std::vector<double>& needed, double width) {
    // Wider windows cost more and are no smoother to the eye.
    const auto window = static_cast<std::ptrdiff_t>(std::clamp(std::round(width), 1.0, 9.0));
    const auto last = static_cast<std::ptrdiff_t>(needed.size()) - 1;
    const auto at = [](std::ptrdiff_t f) { return static_cast<std::size_t>(f); };
    std::vector<double> largest(needed.size(), 0.0), out(needed.size(), 0.0);
    for (std::ptrdiff_t f = 0; f <= last; ++f) {
        if (needed[at(f)] <= 0.0) continue;
        const std::ptrdiff_t end = std::min(f + window, last);
        for (std::ptrdiff_t k = std::max<std::ptrdiff_t>(f - window, 0); k <= end; ++k)
            largest[at(k)] = std::max(largest[at(k)], needed[at(f)]);
    }
    for (std::ptrdiff_t f = 0; f <= last; ++f) {
        double sum = 0.0, weights = 0.0;
        for (std::ptrdiff_t k = -window; k <= window; ++k) {
            const double weight = static_cast<double>(window + 1 - std::abs(k));
            sum += weight * largest[at(std::clamp<std::ptrdiff_t>(f + k, 0, last))];
            weights += weight;
        }
        out[at(f)] = sum / weights;
    }
    return out;
}

}  // namespace ulna::retarget::detail
