// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/bone_mesh.h"

#include <algorithm>
#include <cmath>

#include "ulna/draw/detail/bones.h"
#include "ulna/math/scalar.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::draw {
namespace {

using detail::Bone;

// How many corners a bone is made of.
struct Resolution {
    std::uint32_t sides, rings;  // around the bone, and of the half ball at each end
};
// Thousands of bones are small in the picture.
Resolution resolutionFor(std::size_t bones) {
    return bones > 500 ? Resolution{8, 2} : Resolution{16, 4};
}

// A surface of revolution: rings of `sides` corners around the bone's axis, from end to end.
void addBone(const Bone& bone, const Resolution& fine, Mesh& mesh) {
    const Vec3 between = bone.to - bone.from;
    const double length_between = length(between);
    const double difference = bone.radius_from - bone.radius_to;
    const Vec3 axis = normalizedOr(between, Vec3{0, 1, 0});
    const Vec3 side = anyPerpendicular(axis), other = cross(axis, side);
    // Where one ball is inside the other, the larger is all there is. Elsewhere the cone between
    // the balls touches both where their normals lean this far towards the smaller.
    const bool ball = length_between <= std::abs(difference);
    const double lean = ball ? 0.0 : std::asin(difference / length_between);
    const Vec3& larger = difference >= 0.0 ? bone.from : bone.to;
    const double larger_radius = std::max(bone.radius_from, bone.radius_to);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto addRing = [&](const Vec3& middle, double radius, double angle) {
        for (std::uint32_t i = 0; i < fine.sides; ++i) {
            const double around = kTwoPi * i / fine.sides;
            const Vec3 out = side * std::cos(around) + other * std::sin(around);
            const Vec3 normal = axis * std::sin(angle) + out * std::cos(angle);
            mesh.positions.push_back(cast<float>(middle + normal * radius));
            mesh.normals.push_back(cast<float>(normal));
        }
    };
    const double quarter = kPi / 2.0;
    for (std::uint32_t i = 0; i <= fine.rings; ++i) {
        const double t = static_cast<double>(i) / fine.rings;
        addRing(ball ? larger : bone.from, ball ? larger_radius : bone.radius_from,
                -quarter + (lean + quarter) * t);
    }
    for (std::uint32_t i = 0; i <= fine.rings; ++i) {
        const double t = static_cast<double>(i) / fine.rings;
        addRing(ball ? larger : bone.to, ball ? larger_radius : bone.radius_to,
                lean + (quarter - lean) * t);
    }
    for (std::uint32_t ring = 0; ring + 1 < 2 * (fine.rings + 1); ++ring) {
        for (std::uint32_t i = 0; i < fine.sides; ++i) {
            const std::uint32_t next = (i + 1) % fine.sides;
            const std::uint32_t a = first + ring * fine.sides, b = a + fine.sides;
            for (const std::uint32_t corner : {a + i, a + next, b + next, a + i, b + next, b + i})
                mesh.indices.push_back(corner);
        }
    }
    mesh.colors.resize(mesh.positions.size(), detail::colorOf(bone.side));
}

// The bones of a pose, moved so that `ground` is the origin.
Mesh meshOf(const Skeleton& skeleton, const ModelPose& model, double size, const Vec3& ground) {
    Mesh out;
    if (!(size > 0.0)) size = detail::poseSize(model);
    std::vector<Bone> bones = detail::bonesOf(skeleton, model, size);
    for (const JointId root : skeleton.roots()) {
        if (skeleton.subtree(root).size() > 1 || skeleton.boneLength(root) > 0.0) continue;
        const Vec3 at = model.position(root);
        const double radius = skeleton.radius(root) > 0.0 ? skeleton.radius(root) : 0.018 * size;
        bones.push_back({at, at, radius, radius, sideOfName(skeleton.name(root))});
    }
    const Resolution fine = resolutionFor(bones.size());
    for (Bone& bone : bones) {
        bone.from -= ground;
        bone.to -= ground;
        addBone(bone, fine, out);
    }
    return out;
}

}  // namespace

Mesh makeBoneMesh(const Skeleton& skeleton, const ModelPose& model, UpAxis up, double size) {
    if (skeleton.jointCount() == 0) return {};
    return meshOf(skeleton, model, size, detail::groundPosition(model, up));
}

Mesh makeBoneMeshInPlace(const Skeleton& skeleton, const ModelPose& model, double size) {
    return meshOf(skeleton, model, size, {});
}

std::vector<LegendColor> boneColors(const Skeleton& skeleton) {
    std::vector<LegendColor> out;
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    const std::vector<Bone> bones = detail::bonesOf(skeleton, rest, 1.0);
    for (const detail::SideColor& side : detail::sidesShown(bones))
        out.push_back({side.color, side.name});
    return out;
}

}  // namespace ulna::draw
