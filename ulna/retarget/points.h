// SPDX-License-Identifier: Apache-2.0

// Motion from points: a body that moves as points of one do.
//
// Positions of joints and of a few other points, from a video, from markers or from a generative
// model, do not say how limbs are rotated. Trunk, head, hands and feet are oriented by several
// points each; limbs point from joint to joint, and how they are rotated about themselves is seen
// at elbows and knees where these are bent, and carried through time where they are straight. Then
// every frame is solved with all points as goals, inside the limits of the joints (ik/solver.h).
//
// How noisy points are is measured at bones, whose lengths should not change, and decides how much
// they are smoothed: exact points pass unchanged. No frame depends on which one comes first.
//
//     const Result<PointResult> run = solvePoints({.skeleton = person, .rest = restPose(person)},
//                                                 clip, *pointPreset("smpl-22"));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/core/result.h"
#include "ulna/motion/motion.h"
#include "ulna/retarget/point_clip.h"
#include "ulna/retarget/point_layout.h"
#include "ulna/retarget/retarget.h"

namespace ulna {

enum class PointLengths : std::uint8_t {
    Keep,  ///< the body's own lengths: the motion is solved on fitted ones and retargeted
    Fit,   ///< bones get the lengths that the points have
};

struct PointOptions {
    PointLengths lengths = PointLengths::Keep;
    /// The axis of the points that points up; else that of the layout; else it is guessed.
    std::optional<PointUp> up = {};
    /// The body's unit per unit of the points; guessed from legs, trunk or arms by default.
    std::optional<double> scale = {};
    bool smooth = true;             ///< as much as the noise of the points asks for
    RetargetOptions retarget = {};  ///< for PointLengths::Keep
    unsigned threads = 0;           ///< 0 means one per core; the result does not depend on it
};

/// How far points of the answer are from those that were given, in the unit of the body.
struct PointError {
    std::string name = {};
    std::size_t frames = 0;  ///< in which the point was given
    double mean = 0.0;
    double median = 0.0;
    double most = 0.0;
};

/// What a bone's length became.
struct PointLength {
    JointId joint = JointId::None;  ///< its far end
    double ratio = 1.0;             ///< of the points' length to the body's own
};

struct PointReport {
    double scale = 1.0;  ///< that was applied to the points
    PointUp up = PointUp::Y;
    bool mirrored = false;  ///< the points were of a mirror image, which was mirrored back
    /// Of a coordinate of a point: the standard deviation, measured at bones, in the body's unit.
    double noise = 0.0;
    std::size_t missing = 0;   ///< positions that were not given, of points that are used
    std::size_t outliers = 0;  ///< positions that were left out: bones would have to stretch
    std::size_t incomplete_frames = 0;    ///< frames in which a point is missing or left out
    std::vector<PointError> points = {};  ///< of the points that are used, on the fitted body
    PointError all = {};
    std::vector<PointLength> lengths = {};  ///< of bones whose both ends are points
    /// For PointLengths::Keep, unless bones are as long as those of the points.
    std::optional<RetargetReport> retarget = {};
};

struct PointResult {
    Motion motion = {};
    /// The rest pose of the body that moves: its own, or that with the lengths of the points.
    Pose rest = {};
    std::vector<double> stretch = {};  ///< per joint: of its offset from its parent; 1 for Keep
    Contacts contacts = {};            ///< where the motion was retargeted
    PointReport report = {};
    Warnings warnings = {};  ///< what was guessed
};

/// Makes a motion of points.
///
/// Errors: a layout that does not fit the clip or names joints that do not exist, points that do
/// not show a body (both hips or both shoulders, and something above or below them), no human body
/// recognised, no frame, and `progress` that cancelled.
///
/// @param body whose pelvis moves as the points do; its rest pose as for retargeting.
/// @pre the rest pose has one transform per joint.
[[nodiscard]] Result<PointResult> solvePoints(const RetargetBody& body, const PointClip& clip,
                                              const PointLayout& layout,
                                              const PointOptions& options = {},
                                              const Progress& progress = {});

/// A skeleton whose offsets are so many times as long.
/// @pre stretch has one factor per joint, each above 0.
[[nodiscard]] Skeleton stretched(const Skeleton& skeleton, std::span<const double> stretch);

}  // namespace ulna
