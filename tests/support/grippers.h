// SPDX-License-Identifier: Apache-2.0

// A robot's wrist with two fingers, of which one drives the other.
#pragma once

#include "support/skeletons.h"

namespace ulna::test {

/// wrist (ball), left (hinge, 0 to 1), left tip (fixed), right (hinge, -1 times left), right tip
/// (hinge, half of left less 0.1), right end (fixed).
std::vector<JointDef> gripperJoints();

}  // namespace ulna::test
