// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/detail/heat_bones.h"

#include <algorithm>
#include <cmath>

#include "ulna/skin/detail/points.h"

namespace ulna::skin::detail {
namespace {

// How often the surface winds around a point (Jacobson, Kavan and Sorkine-Hornung 2013): 1 inside,
// 0 outside, and in between near holes. The solid angles are those of Van Oosterom and Strackee.
double windingNumber(const Mesh& mesh, const Vec3& p) {
    double sum = 0.0;
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        const Vec3 a = widened(mesh.positions[mesh.indices[i]]) - p;
        const Vec3 b = widened(mesh.positions[mesh.indices[i + 1]]) - p;
        const Vec3 c = widened(mesh.positions[mesh.indices[i + 2]]) - p;
        const double la = length(a), lb = length(b), lc = length(c);
        sum += std::atan2(dot(a, cross(b, c)),
                          la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return sum / (2.0 * kPi);
}

bool isInside(const Mesh& mesh, const Vec3& p) {
    return std::abs(windingNumber(mesh, p)) > 0.5;
}

bool isMostlyOutside(const Mesh& mesh, const BoneSegment& bone) {
    constexpr int kSamples = 7;
    int inside = 0;
    for (int i = 0; i < kSamples; ++i)
        inside += isInside(mesh, lerp(bone.tail, bone.tip, (i + 0.5) / kSamples)) ? 1 : 0;
    return 2 * inside < kSamples;
}

// A joint above the character that only positions it, by what is known without the surface: it
// moves nothing of its own, or is at the same position as what it moves.
bool onlyPositions(const Skeleton& skeleton, const BoneSegment& bone, JointId child) {
    return bone.tail == bone.tip || skeleton.kind(bone.joint) == JointKind::Fixed ||
           skeleton.kind(child) == JointKind::Fixed;
}

// Joints at the top of the tree with one bone that is not the character's.
std::vector<bool> findPlacing(const Skeleton& skeleton, const Mesh& mesh,
                              const std::vector<BoneSegment>& bones) {
    std::vector<bool> out(skeleton.jointCount(), false);
    for (const BoneSegment& bone : bones) {
        const JointId parent = skeleton.parent(bone.joint);
        const std::vector<JointId> children = skeleton.children(bone.joint);
        const bool top = parent == JointId::None || out[index(parent)];
        if (!top || children.size() != 1 || skeleton.isEndSite(children[0])) continue;
        if (onlyPositions(skeleton, bone, children[0])) {
            out[index(bone.joint)] = true;
            continue;
        }
        if (!isMostlyOutside(mesh, bone)) continue;
        out[index(bone.joint)] =
            std::any_of(bones.begin(), bones.end(), [&](const BoneSegment& other) {
                return skeleton.isAncestor(bone.joint, other.joint) &&
                       isInside(mesh, lerp(other.tail, other.tip, 0.5));
            });
    }
    return out;
}

// From the nearest ancestor that is somewhere else to the joint.
Vec3 incomingDirection(const Skeleton& skeleton, const std::vector<Vec3>& positions,
                       JointId joint) {
    for (const JointId above : skeleton.ancestors(joint)) {
        const Vec3 step = positions[index(joint)] - positions[index(above)];
        if (length(step) > 0.0) return step;
    }
    return {};
}

}  // namespace

std::vector<BoneSegment> makeHeatBones(const Skeleton& skeleton, const Mesh& mesh,
                                       const TriangleTree& surface,
                                       std::span<const JointId> joints) {
    // Short of the surface by as much, so that the bone's end is inside.
    constexpr double kShortOfSurface = 0.85;
    std::vector<BoneSegment> bones = makeBoneSegments(skeleton, mesh);
    std::vector<bool> left_out(skeleton.jointCount(), true);
    for (const JointId joint : joints) left_out[index(joint)] = false;
    if (joints.empty()) left_out = findPlacing(skeleton, mesh, bones);
    std::erase_if(bones, [&](const BoneSegment& bone) { return left_out[index(bone.joint)]; });
    std::vector<Vec3> positions;
    for (const Affine& joint_from_bind : bindMatrices(skeleton, mesh))
        positions.push_back(inverse(joint_from_bind).translation());
    for (BoneSegment& bone : bones) {
        if (!skeleton.children(bone.joint).empty() || bone.tail != bone.tip) continue;
        const Vec3 step = incomingDirection(skeleton, positions, bone.joint);
        const double reach = surface.firstHit(bone.tail, bone.tail + step).value_or(1.0);
        bone.tip = bone.tail + step * (reach < 1.0 ? kShortOfSurface * reach : 1.0);
    }
    return bones;
}

}  // namespace ulna::skin::detail
