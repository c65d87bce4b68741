// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/mirror.h"

#include <utility>

#include "ulna/motion/detail/changed.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// The rotation reflected in the mirror: its axis is reflected, and its sense with it.
Quat reflect(const Quat& q, const Vec3& normal) {
    const Vec3 v = -reflect(q.vector(), normal);
    return {v.x, v.y, v.z, q.w};
}

// The mirror of a pose needs the orientations at rest, found once for a clip.
class Mirror {
  public:
    Mirror(const Skeleton& skeleton, const MirrorPairs& pairs)
        : skeleton_(skeleton),
          pairs_(pairs),
          rest_(computeOrientations(skeleton, restPose(skeleton))) {}

    void apply(const Pose& pose, Pose& out) const {
        out.parent_from_joint.resize(pose.parent_from_joint.size());
        for (std::size_t i = 0; i < out.parent_from_joint.size(); ++i) {
            const JointId j = jointId(i), other = pairs_.other[i];
            const Quat parent = parentRest(j), other_parent = parentRest(other);
            const Trs& from = pose[other];
            const Quat model = other_parent * from.rotation * conjugate(rest_[index(other)]);
            out[j].rotation = conjugate(parent) * reflect(model, pairs_.normal) * rest_[i];
            out[j].scale = from.scale;
            if (skeleton_.parent(j) == JointId::None) {
                out[j].translation = reflect(from.translation, pairs_.normal);
                continue;
            }
            const Vec3 shift = from.translation - skeleton_.rest(other).translation;
            out[j].translation =
                skeleton_.rest(j).translation +
                rotate(conjugate(parent), reflect(rotate(other_parent, shift), pairs_.normal));
        }
    }

  private:
    [[nodiscard]] Quat parentRest(JointId j) const {
        const JointId parent = skeleton_.parent(j);
        return parent == JointId::None ? Quat{} : rest_[index(parent)];
    }

    const Skeleton& skeleton_;
    const MirrorPairs& pairs_;
    std::vector<Quat> rest_;
};

}  // namespace

Pose mirrored(const Skeleton& skeleton, const MirrorPairs& pairs, const Pose& pose) {
    Pose out;
    Mirror(skeleton, pairs).apply(pose, out);
    return out;
}

Pose withPartMirrored(const Skeleton& skeleton, const MirrorPairs& pairs, const Pose& pose,
                      JointId joint) {
    const Pose all = mirrored(skeleton, pairs, pose);
    Pose out = pose;
    if (pairs.other[index(joint)] == joint) return out;
    for (const JointId j : bodyPartOf(skeleton, pairs, joint)) {
        const JointId other = pairs.other[index(j)];
        out[other] = all[other];
    }
    return out;
}

Motion mirrored(const Skeleton& skeleton, const MirrorPairs& pairs, const Motion& motion) {
    MotionTracks others;
    const MotionTracks& tracks = motion.tracks();
    for (const JointId j : tracks.rotated) others.rotated.push_back(pairs.other[index(j)]);
    for (const JointId j : tracks.translated) others.translated.push_back(pairs.other[index(j)]);
    for (const JointId j : tracks.scaled) others.scaled.push_back(pairs.other[index(j)]);
    const Mirror mirror(skeleton, pairs);
    Pose source;
    return motion::detail::changedMotion(motion, united({}, others), [&](Pose& pose) {
        std::swap(source, pose);
        mirror.apply(source, pose);
    });
}

}  // namespace ulna
