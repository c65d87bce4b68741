// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/root_motion.h"

#include "ulna/core/assert.h"
#include "ulna/motion/detail/changed.h"

namespace ulna {
namespace {

// What moving the roots needs.
MotionTracks rootTracks(const Skeleton& skeleton, const Motion& motion) {
    const std::vector<JointId> roots = skeleton.roots();
    return united(motion.tracks(), {roots, roots, {}});
}

}  // namespace

Rigid groundFrame([[maybe_unused]] const Skeleton& skeleton, const Pose& pose, const Vec3& up) {
    ULNA_ASSERT(skeleton.jointCount() > 0, "a skeleton without joints stands nowhere");
    const Trs& root = pose[jointId(0)];
    return {root.translation - up * dot(root.translation, up),
            splitSwingTwist(root.rotation, up).twist};
}

void movePose(const Skeleton& skeleton, const Rigid& new_from_old, Pose& pose) {
    for (const JointId root : skeleton.roots()) {
        Trs& at = pose[root];
        at.translation = new_from_old * at.translation;
        at.rotation = new_from_old.rotation * at.rotation;
    }
}

Motion movedMotion(const Skeleton& skeleton, const Rigid& new_from_old, const Motion& motion) {
    return motion::detail::changedMotion(motion, rootTracks(skeleton, motion), [&](Pose& pose) {
        movePose(skeleton, new_from_old, pose);
    });
}

RootMotion splitRootMotion(const Skeleton& skeleton, const Motion& motion, const Vec3& up) {
    RootMotion out;
    out.model_from_ground.reserve(motion.frameCount());
    out.in_place = motion::detail::makeMotion(
        motion, motion.frameCount(), motion.frameTime(), rootTracks(skeleton, motion),
        [&](std::size_t frame, Pose& pose) {
            motion.getPose(frame, pose);
            const Rigid ground = groundFrame(skeleton, pose, up);
            out.model_from_ground.push_back(ground);
            movePose(skeleton, inverse(ground), pose);
        });
    return out;
}

Motion withRootMotion(const Skeleton& skeleton, const RootMotion& split) {
    const Motion& motion = split.in_place;
    ULNA_ASSERT(split.model_from_ground.size() == motion.frameCount(),
                "each frame needs its ground frame");
    return motion::detail::makeMotion(motion, motion.frameCount(), motion.frameTime(),
                                      rootTracks(skeleton, motion),
                                      [&](std::size_t frame, Pose& pose) {
                                          motion.getPose(frame, pose);
                                          movePose(skeleton, split.model_from_ground[frame], pose);
                                      });
}

}  // namespace ulna
