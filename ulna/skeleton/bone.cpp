// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/bone.h"

#include <unordered_map>

namespace ulna {
namespace {

// A world axis is parallel to the bone when this little of it is left perpendicular.
constexpr double kParallel = 1e-9;

// x at roll 0 for a bone along the unit vector y.
Vec3 sideAxis(const Vec3& y) {
    const Vec3 x = Vec3{1, 0, 0} - y * y.x;
    if (length(x) > kParallel) return x / length(x);
    const Vec3 z = Vec3{0, 0, 1} - y * y.z;
    return z / length(z);
}

// Rest transforms relative to the parent, from placements in the model.
template <class Bone, class Placement>
std::vector<JointDef> relativeJoints(std::span<const Bone> bones, Placement placement) {
    std::unordered_map<std::string, Rigid> placed;
    for (const Bone& bone : bones) placed.emplace(bone.name, placement(bone));
    std::vector<JointDef> out;
    out.reserve(bones.size());
    for (const Bone& bone : bones) {
        Rigid local = placement(bone);
        const auto parent = placed.find(bone.parent);
        if (parent != placed.end()) local = inverse(parent->second) * local;
        JointDef def;
        def.name = bone.name;
        def.parent = bone.parent;
        def.rest.translation = local.translation;
        def.rest.rotation = local.rotation;
        out.push_back(std::move(def));
    }
    return out;
}

}  // namespace

std::vector<JointDef> jointsFromRestBones(std::span<const RestBone> bones) {
    std::vector<JointDef> out =
        relativeJoints(bones, [](const RestBone& bone) { return bone.model_from_bone; });
    for (std::size_t i = 0; i < bones.size(); ++i) {
        out[i].order = EulerOrder::Xzx;
        out[i].tip = Vec3{bones[i].length, 0, 0};
    }
    return out;
}

Mat3 boneAxes(const Vec3& direction, double roll) {
    const Vec3 y = normalizedOr(direction, Vec3{});
    if (y == Vec3{}) return {};
    const Vec3 x = rotate(quatFromAxisAngle(y, roll), sideAxis(y));
    return Mat3::fromColumns(x, y, cross(x, y));
}

double boneRoll(const Mat3& axes) {
    const Vec3 y = axes.column(1);
    const Vec3 from = sideAxis(y);
    const Vec3 to = axes.column(0);
    return std::atan2(dot(y, cross(from, to)), dot(from, to));
}

std::vector<JointDef> jointsFromRolledBones(std::span<const RolledBone> bones) {
    std::vector<JointDef> out = relativeJoints(bones, [](const RolledBone& bone) {
        return Rigid{bone.tail, quatFromMatrix(boneAxes(bone.tip - bone.tail, bone.roll))};
    });
    for (std::size_t i = 0; i < bones.size(); ++i) {
        out[i].order = bones[i].order;
        out[i].tip = Vec3{0, length(bones[i].tip - bones[i].tail), 0};
    }
    return out;
}

}  // namespace ulna
