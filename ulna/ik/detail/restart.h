// SPDX-License-Identifier: Apache-2.0

// Other starts for a problem that stalled: spread over the limits, the same on every run.
#pragma once

#include <cstdint>

#include "ulna/solve/mechanism.h"

namespace ulna::ik::detail {

/// The start of an attempt (1, 2, ...) of a problem, from a generator keyed by seed, problem and
/// attempt alone, so that an answer that is solved again meets the same attempts. Bounded
/// coordinates are anywhere within their bounds, free angles anywhere within the revolution of
/// `first`, free slides as at rest.
void chooseStart(const Mechanism& mechanism, std::uint64_t seed, std::uint64_t problem,
                 std::uint64_t attempt, const MechanismState& first, MechanismState& out);

}  // namespace ulna::ik::detail
