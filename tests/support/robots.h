// SPDX-License-Identifier: Apache-2.0

// The trees of MuJoCo files, as far as tests of names and shapes need them.
#pragma once

#include <string>

#include "ulna/skeleton/skeleton.h"

namespace ulna::test {

enum class RobotNames { OfJoints, OfBodies };

/// Bodies, hinges, offsets and axes of a MuJoCo file without defaults and includes. A body without
/// a joint is fixed and keeps its name; others are called by their joint or by their body.
Skeleton loadRobotTree(const std::string& path, RobotNames names = RobotNames::OfJoints);

}  // namespace ulna::test
