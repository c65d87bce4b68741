// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/restart.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ulna/math/random.h"

namespace ulna::ik::detail {

namespace {

constexpr double kPrimes[] = {2,   3,   5,   7,   11,  13,  17,  19,  23,  29,  31,  37,  41,
                              43,  47,  53,  59,  61,  67,  71,  73,  79,  83,  89,  97,  101,
                              103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
                              173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239};

}  // namespace

void chooseStart(const Mechanism& mechanism, std::uint64_t seed, std::uint64_t problem,
                 std::uint64_t attempt, const MechanismState& first, MechanismState& out) {
    Random mix(seed);
    Random of_problem(mix.bits() ^ problem);
    Random random(of_problem.bits() ^ attempt);
    const double turn = static_cast<double>(attempt);
    // A point in [0, 1) per coordinate: attempts of one problem spread evenly (Richtmyer's sequence
    // of roots of primes), problems differ by a random shift.
    const auto spread = [&](std::size_t c) {
        const double x = of_problem.unit() + turn * std::sqrt(kPrimes[c % std::size(kPrimes)]);
        return c < std::size(kPrimes) ? x - std::floor(x) : random.unit();
    };
    out = first;
    for (std::size_t c = 0; c < mechanism.columnCount(); ++c) {
        const Mechanism::Column& column = mechanism.columns()[c];
        if (mechanism.links()[column.link].kind == LinkKind::Ball) continue;
        double low = column.min;
        double high = column.max;
        if (!(std::isfinite(low) && std::isfinite(high))) {
            const double range = column.angle ? kPi : 0.0;
            low = std::min(std::max(low, -range), column.max);
            high = std::max(std::min(high, range), column.min);
        }
        out.values[c] = low + (high - low) * spread(c);
        // Unlimited angles keep their number of revolutions, but where others follow them: a
        // revolution more is another pose.
        if (column.angle && std::isinf(column.min) && std::isinf(column.max) && !mechanism.leads(c))
            out.values[c] = unwrapAngle(out.values[c], first.values[c]);
    }
    for (std::size_t i = 0; i < mechanism.links().size(); ++i) {
        const Mechanism::Link& link = mechanism.links()[i];
        if (link.kind != LinkKind::Ball) continue;
        out.rotations[i] = mechanism.allowed(link, random.rotation());
    }
    mechanism.couple(out);
}

}  // namespace ulna::ik::detail
