// SPDX-License-Identifier: Apache-2.0

// The arm of benchmarks/models.h as Orocos KDL has it.
#pragma once

#include <kdl/chain.hpp>

namespace ulna::bench {

KDL::Chain kdlArm7();

}  // namespace ulna::bench
