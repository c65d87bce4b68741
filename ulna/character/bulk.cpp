// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/bulk.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "ulna/skin/deform.h"

namespace ulna {
namespace {

constexpr std::size_t kNoLimb = kBodyLimbs;
constexpr auto kLowerTrunk = static_cast<std::size_t>(BodyLimb::LowerTrunk);
constexpr auto kUpperTrunk = static_cast<std::size_t>(BodyLimb::UpperTrunk);
// How far a radius may be from the usual one, as a factor: beyond it is something else.
constexpr double kMostFactor = 3.0;
// How far beyond the ends of its axis a limb's surface counts, in usual radii. Heads are nearly
// balls; farther off is a shoulder, a buttock or the tip of a hand.
constexpr double kBeyond = 0.5;

// Of each joint, the limb that it moves: that of the nearest joint above with a capsule.
std::vector<std::size_t> limbsOfJoints(const BodyShape& shape, const Skeleton& skeleton) {
    std::vector<std::size_t> out(skeleton.jointCount(), kNoLimb);
    for (const JointId j : skeleton.joints()) {
        const JointId parent = skeleton.parent(j);
        if (parent != JointId::None) out[index(j)] = out[index(parent)];
        for (std::size_t i = 0; i < kBodyLimbs; ++i)
            if (shape.limbs[i].joint == j) out[index(j)] = i;
    }
    return out;
}

// The limb whose joints have most of a vertex's weight, if they have half of it.
std::size_t limbOf(std::span<const Influence> row, const std::vector<std::size_t>& limbs) {
    std::array<float, kBodyLimbs + 1> sums = {};
    for (const Influence& influence : row) sums[limbs[index(influence.joint)]] += influence.weight;
    const auto most = std::max_element(sums.begin(), sums.end() - 1);
    return *most >= 0.5f ? static_cast<std::size_t>(most - sums.begin()) : kNoLimb;
}

// Each vertex's part of the area, a third of that of its triangles.
std::vector<double> vertexAreas(const Mesh& mesh, const std::vector<Vec3>& positions) {
    std::vector<double> out(positions.size(), 0.0);
    for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
        const Vec3& a = positions[mesh.indices[t]];
        const double area =
            length(cross(positions[mesh.indices[t + 1]] - a, positions[mesh.indices[t + 2]] - a)) /
            2.0;
        for (std::size_t k = 0; k < 3; ++k) out[mesh.indices[t + k]] += area / 3.0;
    }
    return out;
}

struct Sample {
    double distance = 0.0;
    double area = 0.0;
};

double areaOf(const std::vector<Sample>& samples) {
    double out = 0.0;
    for (const Sample& each : samples) out += each.area;
    return out;
}

// Half of the area is nearer. @pre samples is not empty.
double median(std::vector<Sample>& samples) {
    std::sort(samples.begin(), samples.end(),
              [](const Sample& a, const Sample& b) { return a.distance < b.distance; });
    const double half = areaOf(samples) / 2.0;
    double sum = 0.0;
    for (const Sample& each : samples) {
        sum += each.area;
        if (sum >= half) return each.distance;
    }
    return samples.back().distance;
}

// A capsule's axis in model space.
class Axis {
  public:
    Axis(const Capsule& capsule, const ModelPose& model)
        : start_(model[capsule.joint] * capsule.start) {
        const Vec3 whole = model[capsule.joint] * capsule.end - start_;
        length_ = length(whole);
        along_ = normalizedOr(whole, Vec3{0, 1, 0});
        if (length_ > 0.0) joint_from_model = distance(capsule.start, capsule.end) / length_;
        usual_radius = capsule.radius / joint_from_model;
    }

    [[nodiscard]] double distanceTo(const Vec3& p) const {
        const double along = std::clamp(dot(p - start_, along_), 0.0, length_);
        return distance(p, start_ + along_ * along);
    }
    /// How far along the axis a point is beyond its ends.
    [[nodiscard]] double beyond(const Vec3& p) const {
        const double along = dot(p - start_, along_);
        return std::max({-along, along - length_, 0.0});
    }

    double usual_radius = 0.0;
    double joint_from_model = 1.0;  ///< the factor of lengths, with which radii go

  private:
    Vec3 start_, along_;
    double length_ = 0.0;
};

}  // namespace

BodyShape measuredShape(BodyShape shape, const ModelPose& model, std::span<const Mesh* const> skins,
                        const Skeleton& skeleton, const ModelPose& skeleton_model) {
    const std::vector<std::size_t> limbs = limbsOfJoints(shape, skeleton);
    std::vector<Axis> axes;
    for (const Capsule& capsule : shape.limbs) axes.emplace_back(capsule, model);
    std::array<std::vector<Sample>, kBodyLimbs> samples;
    for (const Mesh* skin : skins) {
        if (skin->weights.empty()) continue;
        const std::vector<Vec3> positions =
            deformReference(skeleton, *skin, skeleton_model).positions;
        const std::vector<double> areas = vertexAreas(*skin, positions);
        for (std::size_t v = 0; v < positions.size(); ++v) {
            std::size_t limb = limbOf(skin->weights[v], limbs);
            if (limb == kNoLimb || !(areas[v] > 0.0)) continue;
            const Vec3& p = positions[v];
            // The joints of a spine are not where the halves of its trunk meet.
            if (limb == kLowerTrunk || limb == kUpperTrunk)
                limb = axes[kLowerTrunk].distanceTo(p) < axes[kUpperTrunk].distanceTo(p)
                           ? kLowerTrunk
                           : kUpperTrunk;
            if (axes[limb].beyond(p) < kBeyond * axes[limb].usual_radius)
                samples[limb].push_back({axes[limb].distanceTo(p), areas[v]});
        }
    }
    for (std::size_t i = 0; i < kBodyLimbs; ++i) {
        const double usual = axes[i].usual_radius;
        if (areaOf(samples[i]) < kPi * usual * usual) continue;
        const double radius =
            std::clamp(median(samples[i]), usual / kMostFactor, usual * kMostFactor);
        shape.limbs[i].radius = radius * axes[i].joint_from_model;
    }
    return shape;
}

}  // namespace ulna
