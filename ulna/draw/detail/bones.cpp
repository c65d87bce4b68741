// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/bones.h"

#include <algorithm>

#include "ulna/math/box.h"

namespace ulna::draw::detail {
namespace {

// Radii where the rig does not state them: a share of the bone's length, within bounds of the
// whole.
double radiusOf(const Skeleton& skeleton, JointId j, double bone_length, double size) {
    if (skeleton.radius(j) > 0.0) return skeleton.radius(j);
    return std::clamp(0.10 * bone_length, 0.003 * size, 0.018 * size);
}

}  // namespace

std::vector<Bone> bonesOf(const Skeleton& skeleton, const ModelPose& model, double size) {
    std::vector<Bone> out;
    for (const JointId j : skeleton.joints()) {
        // A bone that shares its start with others is as thick as what it leads to.
        const auto addBone = [&](JointId owner, const Vec3& from, const Vec3& to) {
            const double own = skeleton.radius(j);
            const JointRange family = skeleton.subtree(owner);
            const bool shared =
                owner != j &&
                skeleton.subtree(jointId(family.firstIndex() + 1)).endIndex() != family.endIndex();
            double radius = radiusOf(skeleton, owner, distance(from, to), size);
            if (shared && own > 0.0) radius = std::min(radius, own);
            const double end = own > 0.0 ? std::min(radius, own) : 0.6 * radius;
            out.push_back({from, to, radius, end, sideOfName(skeleton.name(j))});
        };
        const JointId parent = skeleton.parent(j);
        if (parent != JointId::None) addBone(parent, model.position(parent), model.position(j));
        if (skeleton.subtree(j).size() == 1 && skeleton.boneLength(j) > 0.0)
            addBone(j, model.position(j), model[j] * skeleton.tip(j));
    }
    return out;
}

double poseSize(const ModelPose& model) {
    Box box;
    for (const Affine& a : model.model_from_joint) box.add(a.translation());
    return std::max(length(box.size()), 1e-9);
}

Vec3 groundPosition(const ModelPose& model, UpAxis up) {
    Vec3 out = model.position(jointId(0));
    (up == UpAxis::Z ? out.z : out.y) = 0.0;
    return out;
}

const Color& colorOf(BodySide side) {
    for (const SideColor& each : kSideColors)
        if (each.side == side) return each.color;
    return kSideColors.back().color;
}

std::vector<SideColor> sidesShown(std::span<const Bone> bones) {
    std::vector<SideColor> out;
    for (const SideColor& each : kSideColors) {
        const auto has = [&](const Bone& bone) { return bone.side == each.side; };
        if (std::any_of(bones.begin(), bones.end(), has)) out.push_back(each);
    }
    if (out.size() == 1 && out.front().side == BodySide::Centre) out.clear();
    return out;
}

}  // namespace ulna::draw::detail
