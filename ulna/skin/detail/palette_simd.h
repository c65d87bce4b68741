// SPDX-License-Identifier: Apache-2.0

// What joints do, from a pose to a palette: in double until the end, so that long chains lose
// nothing.
#pragma once

#include <span>

#include "ulna/math/transform.h"
#include "ulna/skeleton/float_pose.h"
#include "ulna/skin/deform_types.h"

namespace ulna::skin::detail {

/// model_from_joint of every joint. Rotations need not be unit quaternions.
void composePose(const FloatPose& pose, std::span<const JointId> parents,
                 std::span<Affine> model_from_joint);

/// posed_from_bind = model_from_joint * joint_from_bind; `out` may be model_from_joint itself.
void multiplyBind(std::span<const Affine> model_from_joint, std::span<const Affine> joint_from_bind,
                  Affine* out);
/// The same rounded to float.
void multiplyBind(std::span<const Affine> model_from_joint, std::span<const Affine> joint_from_bind,
                  SkinMatrix* out);

}  // namespace ulna::skin::detail
