// SPDX-License-Identifier: Apache-2.0

// --hand of `ulna ik`: fingers posed before the goals are solved for.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/input.h"
#include "ulna/motion/motion.h"
#include "ulna/skeleton/hands.h"

namespace ulna::cli {

struct HandChoice {
    Hand hand = {};
    HandPose how = {};
};

/// From texts such as left=fist, right=0.7 and both=0.3,0.5,1. Fails with exit code 2 on text that
/// is no hand, and on a hand that the body does not have.
[[nodiscard]] std::vector<HandChoice> chooseHands(const std::vector<std::string>& texts,
                                                  const Input& input);

void poseHands(const Skeleton& skeleton, const std::vector<HandChoice>& hands, Pose& pose);
/// In every frame.
[[nodiscard]] Motion withHands(const Skeleton& skeleton, const std::vector<HandChoice>& hands,
                               const Motion& motion);

}  // namespace ulna::cli
