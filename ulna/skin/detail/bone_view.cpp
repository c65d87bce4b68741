// SPDX-License-Identifier: Apache-2.0

// Points of bones are tried from near to far, so that few are. A bone whose closest point is hidden
// is tried at points along it, each at its own distance.
#include "ulna/skin/detail/bone_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ulna::skin::detail {
namespace {

// A bone that is farther than the nearest by this share of it has no part in the heat; in between
// shares fall evenly, so that rounding never decides between two bones as near.
constexpr double kAsNear = 0.02;

// Below the surface by this share of the part's size: far above the rounding of floats, far below
// the thickness of a finger.
constexpr double kBelow = 1e-4;

// Bones often end in the surface: the last bit of the way is not looked at.
constexpr double kWayLooked = 0.999;

// A surface is hardly larger than this many times its skeleton; what is has a stray vertex.
constexpr double kMostTimes = 4.0;

// Boxes of triangles that are looked at from one point, over all bones. A point of a usual surface
// needs some hundreds; one that needs more is in a tangle and counts as hidden.
constexpr std::size_t kMostBoxes = 1 << 15;

// Triangles at an edge of more than this many enclose nothing and hide nothing. Looked at, they
// would all be in the way of every segment to a bone along that edge.
constexpr std::ptrdiff_t kCrowded = 16;

constexpr int kClosest = -1;
constexpr int kSamples = 5;

double signedVolume(const Mesh& mesh, std::uint32_t triangle, const Vec3& origin) {
    const std::uint32_t* corner = &mesh.indices[3 * std::size_t{triangle}];
    const Vec3 a = widened(mesh.positions[corner[0]]) - origin;
    const Vec3 b = widened(mesh.positions[corner[1]]) - origin;
    const Vec3 c = widened(mesh.positions[corner[2]]) - origin;
    return dot(a, cross(b, c)) / 6.0;
}

// By triangle: whether it is at a crowded edge.
std::vector<bool> findCrowded(const Mesh& mesh, const MeshTopology& topology) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> sides;  // edge, triangle
    sides.reserve(mesh.indices.size());
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
        const std::size_t first = i / 3 * 3, next = first + (i + 1) % 3;
        const std::uint64_t a = topology.point_of_vertex[mesh.indices[i]];
        const std::uint64_t b = topology.point_of_vertex[mesh.indices[next]];
        sides.emplace_back(std::min(a, b) << 32U | std::max(a, b),
                           static_cast<std::uint32_t>(i / 3));
    }
    std::sort(sides.begin(), sides.end());
    std::vector<bool> out(mesh.indices.size() / 3, false);
    for (auto begin = sides.begin(); begin != sides.end();) {
        const auto end = std::find_if(begin, sides.end(),
                                      [&](const auto& side) { return side.first != begin->first; });
        if (end - begin > kCrowded)
            std::for_each(begin, end, [&](const auto& side) { out[side.second] = true; });
        begin = end;
    }
    return out;
}

}  // namespace

std::vector<SurfacePart> makeSurfaceParts(const Mesh& mesh, const MeshTopology& topology,
                                          double skeleton_extent) {
    std::vector<SurfacePart> out(topology.part_count);
    for (std::size_t point = 0; point < topology.pointCount(); ++point) {
        SurfacePart& part = out[topology.part_of_point[point]];
        part.points.push_back(static_cast<std::uint32_t>(point));
        part.box.add(widened(mesh.positions[topology.vertex_of_point[point]]));
    }
    std::vector<std::vector<std::uint32_t>> triangles(out.size());
    const std::vector<bool> crowded = findCrowded(mesh, topology);
    for (std::size_t t = 0; 3 * t + 2 < mesh.indices.size(); ++t) {
        if (crowded[t]) continue;
        const std::uint32_t point = topology.point_of_vertex[mesh.indices[3 * t]];
        triangles[topology.part_of_point[point]].push_back(static_cast<std::uint32_t>(t));
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        double volume = 0.0;
        for (const std::uint32_t t : triangles[i])
            volume += signedVolume(mesh, t, out[i].box.center());
        const double diagonal = out[i].box.diagonal();
        out[i].size =
            skeleton_extent > 0.0 ? std::min(diagonal, kMostTimes * skeleton_extent) : diagonal;
        // A sheet has no volume, and its normals say where outside is.
        const bool inside_out = volume < -1e-6 * diagonal * diagonal * diagonal;
        out[i].inwards = (inside_out ? kBelow : -kBelow) * out[i].size;
        out[i].tree = TriangleTree(mesh.positions, mesh.indices, std::move(triangles[i]));
    }
    return out;
}

void BoneView::push(const Candidate& candidate) {
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance > b.distance; });
}

BoneView::Candidate BoneView::pop() {
    std::pop_heap(heap_.begin(), heap_.end(),
                  [](const Candidate& a, const Candidate& b) { return a.distance > b.distance; });
    const Candidate out = heap_.back();
    heap_.pop_back();
    return out;
}

Vec3 BoneView::pointOf(const Candidate& candidate, const Vec3& at) const {
    const BoneSegment& bone = bones_[candidate.bone];
    if (candidate.sample == kClosest) return closestOnSegment(at, bone.tail, bone.tip);
    return lerp(bone.tail, bone.tip, static_cast<double>(candidate.sample) / (kSamples - 1));
}

HeatSource BoneView::look(const SurfacePart& part, const Vec3& at, const Vec3& eye) {
    HeatSource out;
    heap_.clear();
    std::size_t boxes = kMostBoxes;
    const auto consider = [&](std::size_t bone, int sample) {
        Candidate candidate{0.0, bone, sample};
        candidate.distance = distance(at, pointOf(candidate, at));
        push(candidate);
    };
    for (std::size_t b = 0; b < bones_.size(); ++b) consider(b, kClosest);
    while (!heap_.empty() && boxes > 0 && out.count < HeatSource::kMost) {
        const Candidate candidate = pop();
        if (candidate.distance > (1.0 + kAsNear) * out.distance) break;
        const BoneSegment& bone = bones_[candidate.bone];
        const auto end = out.joints.begin() + static_cast<std::ptrdiff_t>(out.count);
        if (std::find(out.joints.begin(), end, bone.joint) != end) continue;
        if (part.tree.blocks(eye, lerp(eye, pointOf(candidate, at), kWayLooked), boxes)) {
            if (candidate.sample != kClosest || bone.tail == bone.tip) continue;
            for (int s = 0; s < kSamples; ++s) consider(candidate.bone, s);
            continue;
        }
        if (!out.seen()) out.distance = candidate.distance;
        const double farther = candidate.distance / out.distance - 1.0;
        out.joints[out.count] = bone.joint;
        out.shares[out.count] = candidate.distance > out.distance ? 1.0 - farther / kAsNear : 1.0;
        ++out.count;
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < out.count; ++i) sum += out.shares[i];
    for (std::size_t i = 0; i < out.count; ++i) out.shares[i] /= sum;
    return out;
}

}  // namespace ulna::skin::detail
