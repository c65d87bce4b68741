// SPDX-License-Identifier: Apache-2.0

// The skeleton that `ulna ik` solves on: the file's own, with the limits that were asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/input.h"
#include "ulna/ik/clip.h"
#include "ulna/skeleton/anatomy.h"

namespace ulna::cli {

struct LimitOptions {
    std::string limits;  ///< empty, "none", "anatomical" or a path
    std::optional<long long> rest_frame;
};

/// Where a problem is solved. Poses and goals of the file's skeleton go there and back; both have
/// the same joints in the same places.
struct IkStage {
    Skeleton skeleton;
    std::optional<AnatomicalRig> anatomy;
    bool from_file = false;  ///< the limits are those of a rig file, in the same axes
    Warnings warnings;
    std::string json;  ///< what was done, as a JSON object; empty for the file's own limits

    [[nodiscard]] Pose toStage(const Pose& pose) const;
    [[nodiscard]] Pose fromStage(const Pose& pose) const;
    [[nodiscard]] Motion toStage(const Motion& motion) const;
    [[nodiscard]] Motion fromStage(const Motion& motion) const;
    [[nodiscard]] IkClipGoal toStage(IkClipGoal goal) const;
};

/// Fails with exit code 3 on a bad limits file, 2 on options that say nothing, and 1 where no body
/// is recognised. Says on stderr what was recognised.
[[nodiscard]] IkStage makeStage(const Input& input, const Motion& motion,
                                const LimitOptions& options);

/// A pose as numbers inside their limits, and the joints that had to be brought there.
struct StageStart {
    DofVector dofs;
    std::vector<JointId> clamped;
};
[[nodiscard]] StageStart startOn(const Skeleton& skeleton, const Pose& pose,
                                 std::span<const double> near);

}  // namespace ulna::cli
