// SPDX-License-Identifier: Apache-2.0

// Baran and Popovic, "Automatic rigging and animation of 3D characters", 2007, section 4.
//
// Three steps: which bones each point sees (detail/bone_view.h), how far their heat spreads
// (detail/heat_system.h), and rows out of the columns.
#include "ulna/skin/bone_heat.h"

#include <algorithm>

#include "ulna/core/parallel.h"
#include "ulna/skin/detail/bone_view.h"
#include "ulna/skin/detail/heat_bones.h"
#include "ulna/skin/detail/heat_system.h"
#include "ulna/skin/detail/rows.h"
#include "ulna/skin/edit_weights.h"

namespace ulna {
namespace {

using skin::detail::BoneView;
using skin::detail::HeatSource;
using skin::detail::HeatSystem;
using skin::detail::SurfacePart;
using skin::detail::widened;

const Diagnostic kCancelled{.what = "the computation of weights was cancelled"};

// A part has bones within it where at least this share of its points sees one; a gap in the
// surface lets a few points of any part see out.
constexpr double kShareThatSees = 0.1;
// A part without bones inside that is larger than this many times its distance from the nearest
// is worn by several bones (a coat), not held by one (an eye, a button).
constexpr double kWornFrom = 2.0;
// No bone is nearer than this share of the part's size, or a point on a bone would be all heat.
constexpr double kLeastDistance = 1e-4;
// A part that takes in less heat than this share of what it conducts is warmed evenly, and the
// digits of a double no longer say by which bone.
constexpr double kLeastHeat = 1e-12;
// The weights of a point sum to 1 but for rounding, and for what is too small to be gathered.
constexpr double kLeastSum = 0.5, kMostSum = 2.0;
// A vertex this many times the skeleton's extent away from it is no part of the character.
constexpr double kStrayFrom = 10.0;
// Weights below are not kept: nobody sees them move, and files and people are spared them.
constexpr double kLeastWeight = 1e-3;
// Nor even gathered for pruning; a row has far fewer than 1e5 joints, so something is left of it.
constexpr double kGatheredFrom = 1e-5;

// How the caller's Progress covers the steps.
constexpr double kSeenAt = 0.6, kFactoredAt = 0.75;

class Maker {
  public:
    Maker(const Skeleton& skeleton, const Mesh& mesh, const BoneHeatOptions& options)
        : skeleton_(skeleton), mesh_(mesh), options_(options) {}

    Result<BoneHeat> make();

  private:
    [[nodiscard]] bool goOn(double fraction) const {
        return !options_.progress || options_.progress(fraction);
    }
    [[nodiscard]] Vec3 at(std::uint32_t point) const {
        return widened(mesh_.positions[topology_.vertex_of_point[point]]);
    }
    [[nodiscard]] HeatSource look(std::uint32_t point, bool from_outside, BoneView& view) const;
    [[nodiscard]] bool lookFromInside();
    void judgePart(const SurfacePart& part);
    [[nodiscard]] JointId nearestBone(std::span<const std::uint32_t> points,
                                      double& mean_distance) const;
    [[nodiscard]] double heatOf(std::uint32_t point) const;
    [[nodiscard]] bool isWarmed(const SurfacePart& part) const;
    [[nodiscard]] std::vector<double> heatOfPoints() const;
    [[nodiscard]] Status spread(const std::vector<double>& heat);
    void solveBlock(const HeatSystem& system, const std::vector<double>& heat,
                    std::span<const JointId> joints, std::vector<std::uint32_t>& points,
                    std::vector<skin::detail::Share>& entries) const;
    void takeNearestWhereLost();
    void listStray(BoneHeatReport& report) const;
    [[nodiscard]] BoneHeat finish() const;

    const Skeleton& skeleton_;
    const Mesh& mesh_;
    const BoneHeatOptions& options_;
    MeshTopology topology_;
    skin::detail::SurfaceOperator surface_;
    std::vector<BoneSegment> bones_;
    Box around_bones_;
    std::vector<SurfacePart> parts_;
    std::vector<Vec3f> normals_;
    std::vector<HeatSource> sources_;             // by point
    std::vector<bool> outside_;                   // by point: seen from outside
    std::vector<JointId> rigid_;                  // by point: what a loose one follows
    std::vector<skin::detail::Shares> gathered_;  // by point
};

HeatSource Maker::look(std::uint32_t point, bool from_outside, BoneView& view) const {
    const SurfacePart& part = parts_[topology_.part_of_point[point]];
    const Vec3 normal = widened(normals_[topology_.vertex_of_point[point]]);
    const Vec3 here = at(point);
    return view.look(part, here, here + normal * (from_outside ? -part.inwards : part.inwards));
}

bool Maker::lookFromInside() {
    constexpr std::size_t kChunk = 64, kBetweenCalls = 2048;
    const std::size_t count = topology_.pointCount();
    for (std::size_t done = 0; done < count; done += kBetweenCalls) {
        if (!goOn(kSeenAt * static_cast<double>(done) / static_cast<double>(count))) return false;
        parallelFor(std::min(kBetweenCalls, count - done), kChunk, options_.threads,
                    [&](std::size_t begin, std::size_t end) {
                        BoneView view(bones_);
                        for (std::size_t point = done + begin; point < done + end; ++point)
                            sources_[point] = look(static_cast<std::uint32_t>(point), false, view);
                    });
    }
    return true;
}

JointId Maker::nearestBone(std::span<const std::uint32_t> points, double& mean_distance) const {
    std::size_t best = 0;
    mean_distance = skin::detail::kInfinity;
    for (std::size_t b = 0; b < bones_.size(); ++b) {
        double sum = 0.0;
        for (const std::uint32_t point : points) {
            const Vec3 p = at(point);
            sum += distance(p, closestOnSegment(p, bones_[b].tail, bones_[b].tip));
        }
        const double mean = sum / static_cast<double>(points.size());
        if (mean < mean_distance) {
            mean_distance = mean;
            best = b;
        }
    }
    return bones_[best].joint;
}

// M H of a point.
double Maker::heatOf(std::uint32_t point) const {
    if (!sources_[point].seen()) return 0.0;
    const double least = kLeastDistance * parts_[topology_.part_of_point[point]].size;
    const double d = std::max(sources_[point].distance, least);
    return surface_.areas[point] * options_.stiffness / (d * d);
}

bool Maker::isWarmed(const SurfacePart& part) const {
    double taken = 0.0, conducted = 0.0;
    for (const std::uint32_t point : part.points) {
        taken += heatOf(point);
        for (std::size_t n = topology_.first_neighbour[point];
             n < topology_.first_neighbour[point + 1]; ++n)
            conducted += surface_.weights[n];
    }
    return taken > kLeastHeat * conducted;
}

// Parts that have no bone within, or that none warms.
void Maker::judgePart(const SurfacePart& part) {
    const auto heated = [&](std::uint32_t point) {
        return sources_[point].seen() && surface_.areas[point] > 0.0;
    };
    const auto seeing = std::count_if(part.points.begin(), part.points.end(), heated);
    const bool within =
        static_cast<double>(seeing) >= kShareThatSees * static_cast<double>(part.points.size());
    if (within && isWarmed(part)) return;
    double mean_distance = 0.0;
    const JointId nearest = nearestBone(part.points, mean_distance);
    if (!within && part.size > kWornFrom * mean_distance) {
        BoneView view(bones_);
        for (const std::uint32_t point : part.points)
            if (!sources_[point].seen()) {
                sources_[point] = look(point, true, view);
                outside_[point] = sources_[point].seen();
            }
        if (isWarmed(part)) return;
    }
    for (const std::uint32_t point : part.points) rigid_[point] = nearest;
}

// M H by point; negative where there is nothing to solve.
std::vector<double> Maker::heatOfPoints() const {
    std::vector<double> out(topology_.pointCount());
    for (std::uint32_t point = 0; point < out.size(); ++point)
        out[point] = rigid_[point] == JointId::None ? heatOf(point) : -1.0;
    return out;
}

void Maker::solveBlock(const HeatSystem& system, const std::vector<double>& heat,
                       std::span<const JointId> joints, std::vector<std::uint32_t>& points,
                       std::vector<skin::detail::Share>& entries) const {
    constexpr std::size_t kColumns = HeatSystem::kColumns;
    std::vector<double> columns(topology_.pointCount() * kColumns, 0.0);
    for (std::size_t point = 0; point < topology_.pointCount(); ++point) {
        const HeatSource& source = sources_[point];
        for (std::size_t i = 0; i < source.count && heat[point] > 0.0; ++i) {
            const auto found = std::find(joints.begin(), joints.end(), source.joints[i]);
            if (found == joints.end()) continue;
            const auto column = static_cast<std::size_t>(found - joints.begin());
            columns[point * kColumns + column] = heat[point] * source.shares[i];
        }
    }
    system.solve(columns);
    for (std::uint32_t point = 0; point < topology_.pointCount(); ++point) {
        for (std::size_t k = 0; k < joints.size(); ++k) {
            const double weight = columns[point * kColumns + k];
            if (heat[point] < 0.0 || !(weight >= kGatheredFrom)) continue;
            points.push_back(point);
            entries.push_back({joints[k], weight});
        }
    }
}

Status Maker::spread(const std::vector<double>& heat) {
    const HeatSystem system(topology_, surface_, heat);
    if (!system.ok()) {
        return Diagnostic{.what = "the mesh's positions span a range too large for floating point",
                          .text = mesh_.name,
                          .advice = "scale the mesh and its skeleton to a common size"};
    }
    std::vector<bool> heats(skeleton_.jointCount(), false);
    for (std::size_t point = 0; point < topology_.pointCount(); ++point)
        for (std::size_t i = 0; i < sources_[point].count && heat[point] > 0.0; ++i)
            heats[index(sources_[point].joints[i])] = true;
    std::vector<JointId> joints;
    for (std::size_t j = 0; j < heats.size(); ++j)
        if (heats[j]) joints.push_back(jointId(j));

    constexpr std::size_t kColumns = HeatSystem::kColumns, kBlocksBetweenCalls = 4;
    const std::size_t blocks = (joints.size() + kColumns - 1) / kColumns;
    for (std::size_t done = 0; done < blocks; done += kBlocksBetweenCalls) {
        const double part = static_cast<double>(done) / static_cast<double>(blocks);
        if (!goOn(kFactoredAt + (1.0 - kFactoredAt) * part)) return kCancelled;
        const std::size_t now = std::min(kBlocksBetweenCalls, blocks - done);
        std::vector<std::vector<std::uint32_t>> points(now);
        std::vector<std::vector<skin::detail::Share>> entries(now);
        parallelFor(now, 1, options_.threads, [&](std::size_t b, std::size_t) {
            const std::size_t first = (done + b) * kColumns;
            const auto some = std::span<const JointId>(joints).subspan(
                first, std::min(kColumns, joints.size() - first));
            solveBlock(system, heat, some, points[b], entries[b]);
        });
        for (std::size_t b = 0; b < now; ++b)
            for (std::size_t i = 0; i < points[b].size(); ++i)
                gathered_[points[b][i]].push_back(entries[b][i]);
    }
    return Done{};
}

// The last resort where the factors of an extreme surface lost all digits.
void Maker::takeNearestWhereLost() {
    for (std::uint32_t point = 0; point < topology_.pointCount(); ++point) {
        if (rigid_[point] != JointId::None) continue;
        double sum = 0.0, distance_of_nearest = 0.0;
        for (const skin::detail::Share& share : gathered_[point]) sum += share.weight;
        if (!(sum > kLeastSum && sum < kMostSum))
            rigid_[point] = nearestBone(std::span(&point, 1), distance_of_nearest);
    }
}

void Maker::listStray(BoneHeatReport& report) const {
    const double most = kStrayFrom * around_bones_.diagonal();
    if (!(most > 0.0)) return;
    for (std::uint32_t v = 0; v < mesh_.positions.size(); ++v) {
        const Vec3 p = widened(mesh_.positions[v]);
        Vec3 off;
        for (std::size_t k = 0; k < 3; ++k)
            off[k] = p[k] - std::clamp(p[k], around_bones_.low[k], around_bones_.high[k]);
        if (length(off) > most) report.stray.push_back(v);
    }
}

BoneHeat Maker::finish() const {
    const std::size_t most = options_.most > 0 ? options_.most : skeleton_.jointCount();
    SkinWeights of_points;
    for (std::size_t point = 0; point < topology_.pointCount(); ++point) {
        skin::detail::Shares row = gathered_[point];
        if (rigid_[point] != JointId::None) row = {{rigid_[point], 1.0}};
        skin::detail::tidy(row);
        skin::detail::normalize(row);
        skin::detail::pruneSmoothly(row, most, kLeastWeight);
        skin::detail::append(row, of_points);
    }
    BoneHeat out;
    std::vector<bool> used(skeleton_.jointCount(), false);
    out.weights.first.push_back(0);
    for (std::uint32_t v = 0; v < mesh_.positions.size(); ++v) {
        const std::uint32_t point = topology_.point_of_vertex[v];
        out.weights.addRow(of_points[point]);
        for (const Influence& i : of_points[point]) used[index(i.joint)] = true;
        if (rigid_[point] != JointId::None)
            out.report.loose.push_back(v);
        else if (!sources_[point].seen())
            out.report.hidden.push_back(v);
        else if (outside_[point])
            out.report.outside.push_back(v);
    }
    for (std::size_t j = 0; j < used.size(); ++j)
        if (!used[j] && !skeleton_.isEndSite(jointId(j))) out.report.idle.push_back(jointId(j));
    listStray(out.report);
    return out;
}

Result<BoneHeat> Maker::make() {
    if (!goOn(0.0)) return kCancelled;
    const TriangleTree whole(mesh_.positions, mesh_.indices);
    bones_ = skin::detail::makeHeatBones(skeleton_, mesh_, whole, options_.joints);
    if (bones_.empty())
        return Diagnostic{.what = "the skeleton has no bones, so no weights can be computed"};
    topology_ = computeTopology(mesh_);
    surface_ = skin::detail::makeSurfaceOperator(mesh_, topology_);
    for (const BoneSegment& bone : bones_) {
        around_bones_.add(bone.tail);
        around_bones_.add(bone.tip);
    }
    parts_ = skin::detail::makeSurfaceParts(mesh_, topology_, around_bones_.diagonal());
    normals_ = computeNormals(mesh_);
    sources_.resize(topology_.pointCount());
    outside_.assign(topology_.pointCount(), false);
    rigid_.assign(topology_.pointCount(), JointId::None);
    gathered_.resize(topology_.pointCount());
    if (!lookFromInside()) return kCancelled;
    for (const SurfacePart& part : parts_) judgePart(part);
    if (!goOn(kSeenAt)) return kCancelled;
    if (const Status status = spread(heatOfPoints()); !status) return status.error();
    takeNearestWhereLost();
    return finish();
}

}  // namespace

Result<BoneHeat> makeBoneHeatWeights(const Skeleton& skeleton, const Mesh& mesh,
                                     const BoneHeatOptions& options) {
    if (mesh.indices.empty())
        return Diagnostic{.what = "a mesh without triangles has no surface for bone heat",
                          .text = mesh.name,
                          .advice = "weights by distance need no triangles"};
    ULNA_ASSERT(options.stiffness >= BoneHeatOptions::kLeastStiffness &&
                    options.stiffness <= BoneHeatOptions::kMostStiffness,
                "the stiffness of bone heat is within its bounds");
    return Maker(skeleton, mesh, options).make();
}

}  // namespace ulna
