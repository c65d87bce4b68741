// SPDX-License-Identifier: Apache-2.0

// Kinematics and skinning of many poses on a GPU, beside the speed at which it copies.
#pragma once

#include <string>

namespace ulna::bench {

/// @param millions poses of the skeletons.
/// @param character a glTF file with a mesh; skinned beside one whose vertices all have four
/// joints.
void benchMoving(double millions, const std::string& character);

}  // namespace ulna::bench
