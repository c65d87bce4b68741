// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/restart.h"

#include <cmath>

#include "ulna/math/random.h"

namespace ulna::detail {

void chooseStart(const Mechanism& mechanism, std::uint64_t seed, std::uint64_t problem,
                 std::uint64_t attempt, const Coordinates& first, Coordinates& out) {
    Random mix(seed);
    Random of_problem(mix.bits() ^ problem);
    Random random(of_problem.bits() ^ attempt);
    out = first;
    for (std::size_t c = 0; c < mechanism.columnCount(); ++c) {
        const Column& column = mechanism.columns()[c];
        if (mechanism.links()[column.link].kind == LinkKind::Ball) continue;
        double low = column.min;
        double high = column.max;
        if (!(std::isfinite(low) && std::isfinite(high))) {
            if (!column.angle) continue;
            low = std::max(low, first.values[c] - kPi);
            high = std::min(high, first.values[c] + kPi);
        }
        out.values[c] = random.between(low, high);
    }
    for (std::size_t i = 0; i < mechanism.links().size(); ++i) {
        const Link& link = mechanism.links()[i];
        if (link.kind != LinkKind::Ball) continue;
        out.turns[i] = mechanism.allowed(link, random.rotation());
    }
}

}  // namespace ulna::detail
