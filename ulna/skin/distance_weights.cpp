// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/distance_weights.h"

#include <algorithm>

#include "ulna/core/assert.h"
#include "ulna/skin/detail/points.h"
#include "ulna/skin/edit_weights.h"

namespace ulna {
namespace {

// Of a skeleton that states no radius: this share of the diagonal of the box around its bones is
// about a limb's.
constexpr double kUsualRadius = 0.03;

std::vector<double> reachOf(const Skeleton& skeleton, const std::vector<BoneSegment>& bones,
                            const DistanceWeightOptions& options) {
    if (!options.radii.empty()) {
        ULNA_ASSERT(options.radii.size() == skeleton.jointCount(),
                    "distance weights take one radius per joint, or none");
        return options.radii;
    }
    Box box;
    for (const BoneSegment& bone : bones) {
        box.add(bone.tail);
        box.add(bone.tip);
    }
    std::vector<double> out(skeleton.jointCount(),
                            options.radius_scale * kUsualRadius * box.diagonal());
    for (const BoneSegment& bone : bones) {
        if (bone.radius > 0.0) out[index(bone.joint)] = options.radius_scale * bone.radius;
    }
    return out;
}

// max(0, r - d) / r, and 1 for what lies on a bone that reaches nothing else.
double reachedBy(double radius, double d) {
    if (!(radius > 0.0)) return d > 0.0 ? 0.0 : 1.0;
    return std::max(0.0, radius - d) / radius;
}

}  // namespace

SkinWeights makeDistanceWeights(const Skeleton& skeleton, const Mesh& mesh,
                                const DistanceWeightOptions& options) {
    const std::vector<BoneSegment> bones = makeBoneSegments(skeleton, mesh);
    const std::vector<double> reach = reachOf(skeleton, bones, options);
    SkinWeights out;
    out.first.push_back(0);
    std::vector<Influence> row;
    for (const Vec3f& position : mesh.positions) {
        const Vec3 p = skin::detail::widened(position);
        row.clear();
        // Bones come by joint: the nearest of a joint's counts.
        for (std::size_t b = 0; b < bones.size();) {
            const JointId joint = bones[b].joint;
            double nearest = skin::detail::kInfinity;
            for (; b < bones.size() && bones[b].joint == joint; ++b)
                nearest = std::min(nearest,
                                   distance(p, closestOnSegment(p, bones[b].tail, bones[b].tip)));
            const auto weight = static_cast<float>(reachedBy(reach[index(joint)], nearest));
            if (weight > 0.0f) row.push_back({joint, weight});
        }
        out.addRow(row);
    }
    return normalized(out);
}

}  // namespace ulna
