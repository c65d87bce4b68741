// SPDX-License-Identifier: Apache-2.0

// Retargeting: a clip of one body played by another.
//
// People and robots are known by their parts (skeleton/human_body.h). What is kept is how limbs
// point and how pelvis, chest, head, hands and feet are oriented; the path over the ground is
// scaled by the legs; feet that stand in the source stand in the result, on its floor and without
// sliding. Rest poses, joint axes, names and the number of joints may differ: balls get the
// rotations themselves, hinges and joints with limits come as near as they can. No frame depends on
// the first one. Four-legged bodies are matched by their roles (skeleton/body_roles.h), and other
// bodies by the names of their joints: they get rotations and the scaled path, and no feet that
// stay.
//
//     Result<Retargeter> to_robot = Retargeter::make({.skeleton = person, .rest = t_pose},
//                                                    {.skeleton = robot, .rest = restPose(robot)});
//     Result<RetargetResult> walk = to_robot->retarget(clip);
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/core/result.h"
#include "ulna/math/transform.h"
#include "ulna/motion/motion.h"
#include "ulna/retarget/contacts.h"
#include "ulna/retarget/options.h"
#include "ulna/retarget/report.h"
#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// One side of a retargeting.
struct RetargetBody {
    const Skeleton& skeleton;
    /// A pose with flat feet and straight legs; arms may be anywhere between hanging and a T.
    const Pose& rest;
    /// Points under the left and the right foot of the rest pose, in model space, where they are
    /// known: of a mesh, of a robot's shapes. Otherwise they are guessed from ankles and toes.
    std::array<std::vector<Vec3>, 2> soles = {};
    const BodyMap* map = nullptr;  ///< roles that overrule names and shape
};

struct RetargetResult {
    Motion motion;      ///< of the target
    Contacts contacts;  ///< of the source
    RetargetReport report;
    /// Puts a picture of the source over the result: its ground on the result's, its path scaled.
    Affine target_from_source = {};
};

/// Two bodies, and what of one is what of the other. Constant once made: threads may share one.
class Retargeter {
  public:
    /// Errors say which of both bodies is not recognised, and what is missing: hips, and both legs
    /// or both arms; unless both are four-legged, or share names.
    /// @pre both rest poses have one transform per joint.
    [[nodiscard]] static Result<Retargeter> make(const RetargetBody& source,
                                                 const RetargetBody& target);
    Retargeter(Retargeter&&) noexcept;
    Retargeter& operator=(Retargeter&&) noexcept;
    ~Retargeter();

    /// The path of the target over that of the source.
    [[nodiscard]] double scale() const;

    /// Plays a clip of the source on the target. The result has its frames, its rate and its name.
    /// Errors: a clip without frames, contacts outside the clip, and `progress` that cancelled.
    /// @pre the motion is of the source's skeleton.
    [[nodiscard]] Result<RetargetResult> retarget(const Motion& motion,
                                                  const RetargetOptions& options = {},
                                                  const Progress& progress = {}) const;

  private:
    struct State;
    explicit Retargeter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ulna
