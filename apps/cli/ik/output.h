// SPDX-License-Identifier: Apache-2.0

// What `ulna ik` says and writes about its answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/ik/stage.h"
#include "ulna/ik/options.h"
#include "ulna/ik/report.h"

namespace ulna::cli {

/// What a goal came to, judged by forward kinematics of the answer.
struct GoalOutcome {
    double error = 0.0;  ///< a length or an angle
    bool met = true;
    std::string json;  ///< where the joint is, as members of a JSON object
};

/// One frame solved by one method.
struct IkAnswer {
    IkMethod method = IkMethod::Auto;
    Moment moment = {};
    IkReport report = {};
    Pose pose = {};                  ///< of the file's skeleton
    std::vector<IkGoal> goals = {};  ///< with the frame's own targets, on the file's skeleton
    std::vector<bool> pinned = {};   ///< which of them are pins
    std::vector<GoalOutcome> outcomes = {};

    [[nodiscard]] bool met() const;
    [[nodiscard]] double worstError() const;  ///< in units of its tolerance
    double position_tolerance = 0.0;
    double angle_tolerance = 0.0;
};

/// A method that could not do the goals.
struct IkRefusal {
    IkMethod method = IkMethod::Auto;
    std::string why;
};

/// Everything a run of the verb found out.
struct IkRun {
    std::vector<IkAnswer> answers;    ///< by frame, or by method
    std::vector<IkRefusal> refusals;  ///< of --method all
    bool whole_clip = false;
    bool all_methods = false;
    bool history = false;
    std::string natural;  ///< "pose" or "afresh"; empty without natural poses
    std::vector<JointId> clamped;
    std::vector<std::size_t> jumps;  ///< frames at which the answers of a clip jump
    Warnings warnings;
    Motion motion;  ///< the answers as a clip of the file's skeleton
    DofClip clip;   ///< the same on the skeleton solved on
};

/// Judges an answer's goals by its pose.
void judge(const Skeleton& skeleton, IkAnswer& answer);

/// The error in the goal's own unit, such as "1.2e-05" or "0.3 degrees".
[[nodiscard]] std::string describeError(const IkGoal& goal, double error);
/// "position LeftHand", "pole LeftArm LeftForeArm LeftHand", ...
[[nodiscard]] std::string describeGoal(const Skeleton& skeleton, const IkGoal& goal);

[[nodiscard]] std::string textOf(const Input& input, const IkRun& run);
[[nodiscard]] std::string jsonOf(const Input& input, const IkStage& stage, const IkRun& run);

/// Writes --out as its ending says. Returns what could not be held there.
[[nodiscard]] Warnings writeAnswer(const std::string& path, const Input& input,
                                   const IkStage& stage, const IkRun& run);
/// Fails unless the path ends in a format that can be written.
void checkAnswerPath(const std::string& path);

/// The picture of --plot: errors over iterations or frames, and the pose before and after.
[[nodiscard]] std::string plotOf(const Input& input, const Pose& before, const IkRun& run);

}  // namespace ulna::cli
