// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/units.h"

#include <utility>

#include "ulna/motion/detail/changed.h"

namespace ulna {
namespace {

// A skeleton with every definition changed.
template <class Change>
Result<Skeleton> changedSkeleton(const Skeleton& skeleton, Change change) {
    const std::span<const JointDef> old = skeleton.definitions();
    std::vector<JointDef> joints(old.begin(), old.end());
    for (JointDef& joint : joints) change(joint);
    return makeSkeleton(std::move(joints), {.planar = skeleton.planar()});
}

// A track with every key's value and tangents changed by a linear map.
template <class V, class Map>
void mapKeys(Track<V>& track, Map map) {
    std::vector<Key<V>> keys(track.keys().begin(), track.keys().end());
    for (Key<V>& key : keys) key = {key.time, map(key.value), map(key.in), map(key.out)};
    Track<V> out(std::move(keys), track.interpolation);
    out.ends = track.ends;
    out.outside = track.outside;
    track = std::move(out);
}

void rotateRoot(const Quat& new_from_old, Trs& root) {
    root.translation = rotate(new_from_old, root.translation);
    root.rotation = new_from_old * root.rotation;
}

}  // namespace

Result<Skeleton> scaledSkeleton(const Skeleton& skeleton, double factor) {
    ULNA_ASSERT(factor > 0.0, "a scale is positive");
    return changedSkeleton(skeleton, [&](JointDef& joint) {
        joint.rest.translation *= factor;
        *joint.tip *= factor;
        joint.radius *= factor;
        for (std::size_t i = 0; i < dofCountOf(joint.kind, skeleton.planar()); ++i) {
            if (isAngle(joint.kind, skeleton.planar(), i)) continue;
            joint.limits[i].min *= factor;
            joint.limits[i].max *= factor;
        }
        if (!joint.coupling) return;
        const JointId leader = skeleton.find(joint.coupling->leader);
        if (joint.kind == JointKind::Prismatic) {
            joint.coupling->factor *= factor;
            joint.coupling->offset *= factor;
        }
        if (skeleton.kind(leader) == JointKind::Prismatic) joint.coupling->factor /= factor;
    });
}

Result<Skeleton> movedSkeleton(const Skeleton& skeleton, const Vec3& by) {
    return changedSkeleton(skeleton, [&](JointDef& joint) {
        if (joint.parent.empty()) joint.rest.translation += by;
    });
}

Motion scaledMotion(const Motion& motion, double factor) {
    return motion::detail::changedMotion(motion, [&](Pose& pose) {
        for (Trs& t : pose.parent_from_joint) t.translation *= factor;
    });
}

KeyedMotion scaledMotion(KeyedMotion motion, double factor) {
    for (Trs& t : motion.base.parent_from_joint) t.translation *= factor;
    for (JointTracks& tracks : motion.joints)
        mapKeys(tracks.translation, [&](const Vec3& v) { return v * factor; });
    return motion;
}

Skeleton rotatedSkeleton(const Skeleton& skeleton, const Quat& new_from_old) {
    // A rotated definition is as valid as it was.
    return *changedSkeleton(skeleton, [&](JointDef& joint) {
        if (joint.parent.empty()) rotateRoot(new_from_old, joint.rest);
    });
}

Motion rotatedMotion(const Skeleton& skeleton, const Motion& motion, const Quat& new_from_old) {
    const std::vector<JointId> roots = skeleton.roots();
    return motion::detail::changedMotion(motion, [&](Pose& pose) {
        for (const JointId root : roots) rotateRoot(new_from_old, pose[root]);
    });
}

KeyedMotion rotatedMotion(const Skeleton& skeleton, KeyedMotion motion, const Quat& new_from_old) {
    for (const JointId root : skeleton.roots()) rotateRoot(new_from_old, motion.base[root]);
    for (JointTracks& tracks : motion.joints) {
        if (skeleton.parent(tracks.joint) != JointId::None) continue;
        mapKeys(tracks.translation, [&](const Vec3& v) { return rotate(new_from_old, v); });
        if (auto* whole = std::get_if<Track<Quat>>(&tracks.rotation))
            mapKeys(*whole, [&](const Quat& q) { return new_from_old * q; });
        else
            std::get<AngleTracks>(tracks.rotation).rest =
                new_from_old * std::get<AngleTracks>(tracks.rotation).rest;
    }
    return motion;
}

}  // namespace ulna
