// SPDX-License-Identifier: Apache-2.0

// Which pairs of limbs are the legs and the arms of a body: every choice is compared with people
// and with four-legged animals, and the one with the smallest cost is the body.
#pragma once

#include <vector>

#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/detail/head_by_shape.h"
#include "ulna/skeleton/detail/limb_pairs.h"

namespace ulna::skeleton::detail {

/// One way to take two pairs as a body.
struct LimbChoice {
    BodyKind kind = BodyKind::Human;
    LimbPair legs, arms;
    LimbFit leg, arm;
    bool one_arm = false;  ///< `arms` has the same arm twice
    double cost = 1e9;     ///< 0: like people or animals; grows with the square of deviations
};

/// The points that a choice is judged by.
struct Landmarks {
    Vec3 hips, shoulders;      ///< the middles between both sides
    Vec3 legs, arms;           ///< unit vectors along the limbs, the mean of both sides
    Vec3 across, across_arms;  ///< from the second side to the first
    double trunk = 0.0;
};

/// The best choice of two pairs; its cost tells whether it is a body at all.
[[nodiscard]] LimbChoice chooseLimbs(const BodyTree& tree, const std::vector<LimbPair>& pairs,
                                     const std::vector<NamedPart>& hints);

/// The best choice of legs and one arm, which hangs beside the way up from the hips.
[[nodiscard]] LimbChoice chooseOneArm(const BodyTree& tree, const std::vector<LimbPair>& pairs,
                                      const std::vector<NamedPart>& hints);

[[nodiscard]] Landmarks landmarksOf(const BodyTree& tree, const LimbChoice& choice);

/// Where the wrist or the ankle of a limb is; the end of a limb that has none.
[[nodiscard]] Vec3 endOfLimb(const BodyTree& tree, const std::vector<JointId>& chain,
                             const LimbFit& fit);

/// Across the body: of the limbs' roots, and where these are in one point, of their middles.
[[nodiscard]] Vec3 acrossLimbs(const BodyTree& tree, const LimbPair& pair, const LimbFit& fit);

/// Whether a joint is inside one of the two limbs.
[[nodiscard]] bool isInsidePair(const BodyTree& tree, const LimbPair& pair, JointId joint);

/// Where the head of a choice is looked for.
[[nodiscard]] HeadSearch headSearch(const Skeleton& skeleton, const LimbChoice& choice,
                                    const Landmarks& landmarks, const Vec3& up);

}  // namespace ulna::skeleton::detail
