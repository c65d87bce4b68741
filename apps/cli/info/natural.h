// SPDX-License-Identifier: Apache-2.0

// --natural of `ulna info`: how usual the poses of a human body are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/input.h"
#include "apps/cli/json.h"

namespace ulna::cli {

/// How usual the poses of a clip are, or the rest pose where there is none.
struct ClipScore {
    std::string clip = {};
    double mean = 0.0;  ///< over frames; see NaturalScore
    double worst = 0.0;
    std::size_t frame = 0;  ///< the frame with the most unusual joint, and the joint
    std::string joint = {};
    /// The frame in which a pair of angles is farthest outside what people take, how far, and
    /// which.
    std::size_t outside_frame = 0;
    double outside_degrees = 0.0;
    std::string pair = {};  ///< empty where none is outside by more than a degree
};

/// The pose in which the body is known: the rest pose, or a frame of the first clip. Fails with
/// exit code 2 on a frame that is not there.
[[nodiscard]] Pose tPoseOf(const Input& input, std::optional<long long> rest_frame);

/// Fails with exit code 2 where no whole human body is recognised.
[[nodiscard]] std::vector<ClipScore> scoreClips(const Input& input, const Pose& t_pose);

[[nodiscard]] std::string scoreText(const std::vector<ClipScore>& scores);
void writeScores(const std::vector<ClipScore>& scores, JsonWriter& json);

}  // namespace ulna::cli
