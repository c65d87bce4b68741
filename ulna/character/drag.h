// SPDX-License-Identifier: Apache-2.0

// Drag: a hand that pulls one joint of a character, while pins hold others.
//
// A drag is set up when the hand takes hold and solved once for every frame of it. The body
// follows: pinned joints stay to a fraction of a millimetre, and a hand that comes back finds the
// body as it was. A human body moves as people do, and the same target gives the same pose, however
// the hand went there. In other bodies what carries more of the body moves less, and far leaps of
// the hand are followed in small pulls.
//
//     Result<Drag> drag = Drag::make(stage, pose, {.joint = hand, .start = where}, pins, poles);
//     while (dragging) drag->solve(pointer, pose);
//
// For a single problem of inverse kinematics, without continuation from frame to frame, see
// ik/solver.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ulna/character/stage.h"
#include "ulna/ik/body_rules.h"
#include "ulna/ik/natural_suggestion.h"
#include "ulna/ik/solver.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna {

/// What the hand holds.
struct DragGrab {
    JointId joint = JointId::None;
    Vec3 point = {};  ///< the point that is held, in the joint's coordinates
    Vec3 start = {};  ///< where that point is when the drag begins, in model space
};

/// A joint that stays where it is.
struct DragPin {
    JointId joint = JointId::None;
    Vec3 target = {};                      ///< in model space
    std::optional<Quat> orientation = {};  ///< in model space; without it the joint may rotate
    /// Whether the target could be reached when the pin was put there. Others come before a pin
    /// whose target could not.
    bool reached = true;
};

/// A limb that bends towards a point.
struct DragPole {
    JointId start = JointId::None;  ///< shoulder or hip
    JointId mid = JointId::None;    ///< elbow or knee
    JointId end = JointId::None;    ///< wrist or ankle
    Vec3 target = {};               ///< in model space
};

struct DragOptions {
    IkMethod method = IkMethod::Auto;
    int max_iterations = 0;  ///< per solve; 0 means what suits the method in a drag
    /// Each frame goes on where the last one ended. Off for a drag that is solved once, by trace().
    bool continuity = true;
    /// A human body moves as people do (ik/natural.h), and the pose depends on where the hand is,
    /// not on its way there. For IkMethod::Auto, with continuity, on a stage with Stage::natural.
    bool natural = true;
    NaturalRules rules = {};           ///< what a natural body keeps beside its pins
    std::vector<JointId> locked = {};  ///< these stay as they are
    double size = 0.0;                 ///< of the character (sizeOf); 0 means the skeleton's
};

/// What became of one frame of a drag.
struct DragStep {
    /// Of the last pull, or where `more` is set, of the pose that is gone to; lives until the next
    /// solve.
    const IkReport& report;
    /// Another solve with the same target would go on: from frame to frame a natural drag moves
    /// joints by no more than ten times what the hand moved and one per cent of the body's size.
    bool more = false;
    /// The report's, but OutOfReach where iterations ended and further ones would come no nearer.
    IkStatus status = IkStatus::Stalled;
};

/// The poses that a solver goes through, iteration by iteration.
struct DragTrace {
    std::vector<Pose> poses = {};     ///< the start, then one per iteration
    std::vector<double> costs = {};   ///< one per iteration
    std::vector<double> errors = {};  ///< IkReport::history: one per pose; none without iterations
    IkStatus status = IkStatus::MaxIterations;
};

/// The way of a solver from a pose: its answers after 1, 2, ... iterations, until it ends.
/// @param goals of the stage's skeleton. @param from a pose of the file's skeleton.
[[nodiscard]] DragTrace traceSolver(const Stage& stage, std::span<const IkGoal> goals,
                                    IkOptions options, const Pose& from, int iterations);

/// A pole for the limb whose middle is a joint: the limb is as long as from its start to its end,
/// and the pole is so far from the joint, in the direction in which the limb bends, or in front of
/// the body where it is straight. None for a joint without a parent or a child, and in the plane.
/// @param pose of the same skeleton.
[[nodiscard]] std::optional<DragPole> makePole(const Skeleton& skeleton, const Pose& pose,
                                               JointId mid, UpAxis up);

/// For one thread at a time; what it was made from may be shared.
class Drag {
  public:
    /// Sets a drag up. Goals are those of the hand, the pins and the poles, and with
    /// IkMethod::Auto a slight pull towards `pose`. The root is held unless something else is
    /// pinned or the root itself is dragged.
    ///
    /// A method that cannot do all goals gets fewer: first without orientations and poles, then
    /// the hand alone on one chain; note() says what is left out. The error is the solver's own
    /// where even that cannot be done.
    ///
    /// Poses, pins, poles and points are those of the file's skeleton, not of the stage's.
    /// @pre stage outlives the drag and does not move; pose has one transform per joint.
    [[nodiscard]] static Result<Drag> make(const Stage& stage, const Pose& pose,
                                           const DragGrab& grab, std::span<const DragPin> pins = {},
                                           std::span<const DragPole> poles = {},
                                           const DragOptions& options = {});

    /// One frame: pulls the grabbed point towards `target` and leaves the answer in `pose`.
    DragStep solve(const Vec3& target, Pose& pose);

    /// The way of the solver from `from` to `target`, without pulls in between.
    /// @param iterations at most; 0 means as many as are worth watching.
    [[nodiscard]] DragTrace trace(const Pose& from, const Vec3& target, int iterations = 0) const;

    /// What the method left out, as a sentence; empty where it does everything.
    [[nodiscard]] const std::string& note() const { return note_; }

    /// Where a pose has the grabbed point, in model space.
    [[nodiscard]] Vec3 heldPoint(const Pose& pose) const;

    /// The pin of the grabbed joint after the hand let go at `target`: at the joint where the held
    /// point came there, within a thousandth of the body's size; otherwise moved as the hand was,
    /// and not reached.
    [[nodiscard]] DragPin movedPin(DragPin pin, const Vec3& target, const Pose& pose) const;

  private:
    Drag(const Stage& stage, const DragGrab& grab, IkSolver solver, IkOptions options,
         std::string note, double size);
    DragStep solveNaturally(const Vec3& target, Pose& pose);
    void findNaturalPose(const Vec3& target, Pose& pose);
    [[nodiscard]] bool goSlowly(const Vec3& target, Pose& pose);

    struct Natural {
        NaturalSuggestion suggestion;
        BodyRules rules;
        Pose shown;                       // the pose of the last frame, on the stage
        std::optional<Vec3> target = {};  // and what it was for; none before the first frame
    };

    const Stage* stage_;
    DragGrab grab_;
    IkSolver solver_;
    IkOptions options_;
    std::string note_;
    double size_;
    std::optional<Natural> natural_ = {};
};

}  // namespace ulna
