// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/tie.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ulna/core/number_text.h"
#include "ulna/math/box.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/size.h"
#include "ulna/skin/distance_weights.h"
#include "ulna/skin/edit_weights.h"

namespace ulna {
namespace {

// As many times as large as the skeleton: with wings and a tail. More is another unit.
constexpr double kMostTimes = 4.0;
// A ring on a finger; less is another unit.
constexpr double kLeastTimes = 1.0 / 50.0;
// The rest pose is what surfaces are made for: it is taken with this share of the joints that
// another pose has inside.
constexpr double kNearly = 0.9;
constexpr const char* kMoveIt = "scale and move it to the skeleton in the program it comes from";

// By how much a joint may be raised so as to be inside the surface: from one crossing of the line
// through it to the next.
struct Span {
    double from = 0.0;
    double to = 0.0;
};
using JointSpans = std::vector<std::vector<Span>>;  // by joint

Vec3 positionOf(const Mesh& mesh, std::size_t corner) {
    const Vec3f& p = mesh.positions[mesh.indices[corner]];
    return {p.x, p.y, p.z};
}

std::vector<Span> spansAbove(const Vec3& joint, const Mesh& mesh, std::size_t up, double size) {
    const std::size_t a = (up + 1) % 3, b = (up + 2) % 3;
    // A little aside, since joints in the plane of symmetry meet edges exactly.
    const double x = joint[a] + 1.3e-5 * size, y = joint[b] + 0.7e-5 * size;
    std::vector<double> crossings;
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        const Vec3 p = positionOf(mesh, i), q = positionOf(mesh, i + 1),
                   r = positionOf(mesh, i + 2);
        if (std::min({p[a], q[a], r[a]}) > x || std::max({p[a], q[a], r[a]}) < x) continue;
        const auto area = [&](const Vec3& m, const Vec3& n) {
            return (m[a] - x) * (n[b] - y) - (n[a] - x) * (m[b] - y);
        };
        const double u = area(q, r), v = area(r, p), w = area(p, q);
        if (u > 0.0 ? v < 0.0 || w < 0.0 : v > 0.0 || w > 0.0) continue;
        const double all = u + v + w;
        if (all != 0.0) crossings.push_back((u * p[up] + v * q[up] + w * r[up]) / all - joint[up]);
    }
    std::sort(crossings.begin(), crossings.end());
    std::vector<Span> out;
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
        out.push_back({crossings[i], crossings[i + 1]});
    return out;
}

JointSpans spansOf(const Skeleton& skeleton, const Pose& pose, const Mesh& mesh, std::size_t up,
                   double size) {
    const ModelPose model = computeModelPose(skeleton, pose);
    JointSpans out;
    for (const JointId j : skeleton.joints())
        out.push_back(spansAbove(model.position(j), mesh, up, size));
    return out;
}

std::size_t insideAt(const JointSpans& joints, double rise) {
    return static_cast<std::size_t>(
        std::count_if(joints.begin(), joints.end(), [&](const std::vector<Span>& spans) {
            return std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
                return span.from <= rise && rise <= span.to;
            });
        }));
}

// The middle of where the most joints are inside.
double bestRise(const JointSpans& joints) {
    struct Event {
        double at;
        int step;
    };
    std::vector<Event> events;
    for (const std::vector<Span>& spans : joints) {
        for (const Span& span : spans) {
            events.push_back({span.from, 1});
            events.push_back({span.to, -1});
        }
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& one, const Event& other) { return one.at < other.at; });
    int inside = 0, most = 0;
    double best = 0.0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        inside += events[i].step;
        if (inside <= most) continue;
        most = inside;
        const double next = i + 1 < events.size() ? events[i + 1].at : events[i].at;
        best = 0.5 * (events[i].at + next);
    }
    return best;
}

std::string roughly(double times) {
    return shortDecimals(times, times < 10.0 ? 1 : 0);
}

Diagnostic misfit(std::string what, const Mesh& mesh) {
    return {.what = std::move(what), .text = mesh.name, .advice = kMoveIt};
}

Diagnostic describeStray(const std::vector<std::uint32_t>& stray, const Mesh& mesh) {
    const Vec3f& first = mesh.positions[stray.front()];
    const auto text = [](float x) { return shortNumber(static_cast<double>(x), 4); };
    return {.what = fmt::format("{} of {} vertices are farther from the skeleton than ten times "
                                "its extent; the first is vertex {} at ({}, {}, {})",
                                stray.size(), mesh.positions.size(), stray.front(), text(first.x),
                                text(first.y), text(first.z)),
            .text = mesh.name,
            .advice = "remove them, or check the unit of the mesh"};
}

}  // namespace

Result<SurfaceFit> fitToSurface(const Skeleton& skeleton, const Mesh& mesh,
                                const SurfaceFitOptions& options) {
    SurfaceFit out{.pose = restPose(skeleton)};
    Box surface, bones;
    for (const Vec3f& p : mesh.positions) surface.add(Vec3{p.x, p.y, p.z});
    const ModelPose at_rest = computeModelPose(skeleton, out.pose);
    for (const JointId j : skeleton.joints()) bones.add(at_rest.position(j));
    const double size = largestExtent(bones);
    // Nothing to measure by: one joint takes it all, or making weights says what is missing.
    if (!(size > 0.0) || mesh.indices.empty()) return out;
    const double times = largestExtent(surface) / size;
    if (times > kMostTimes)
        return misfit("the surface is " + roughly(times) + " times as large as the skeleton", mesh);
    if (times < kLeastTimes)
        return misfit("the skeleton is " + roughly(1.0 / times) + " times as large as the surface",
                      mesh);

    const std::size_t up = upIndex(options.up), count = skeleton.jointCount();
    const JointSpans rest = spansOf(skeleton, out.pose, mesh, up, size);
    const double rise = bestRise(rest);
    const std::size_t unmoved = insideAt(rest, 0.0), raised = insideAt(rest, rise);
    const std::size_t present =
        options.present != nullptr
            ? insideAt(spansOf(skeleton, *options.present, mesh, up, size), 0.0)
            : 0;
    const std::size_t most = std::max(raised, present);
    if (most == 0) return misfit("no joint of the skeleton is inside the surface", mesh);
    if (static_cast<double>(unmoved) >= kNearly * static_cast<double>(most)) {
        out.outside = count - unmoved;
    } else if (present > raised) {
        out.how = FittingPose::Present;
        out.pose = *options.present;
        out.outside = count - present;
    } else {
        out.how = FittingPose::Raised;
        out.rise = rise;
        for (const JointId root : skeleton.roots()) out.pose[root].translation[up] += rise;
        out.outside = count - raised;
    }
    return out;
}

void bindMesh(const Skeleton& skeleton, const Pose& pose, Mesh& mesh) {
    mesh.joint_from_bind.clear();
    for (const Affine& model_from_joint : computeModelPose(skeleton, pose).model_from_joint)
        mesh.joint_from_bind.push_back(inverse(model_from_joint));
}

Result<MadeWeights> makeWeights(const Skeleton& skeleton, const Mesh& mesh,
                                const WeightOptions& options) {
    if (skeleton.jointCount() == 0)
        return Diagnostic{.what = "there is no skeleton to make weights for", .text = mesh.name};
    MadeWeights out;
    if (options.method == WeightMethod::Distance) {
        out.weights = makeDistanceWeights(skeleton, mesh, {.radius_scale = options.radius_scale});
        if (options.most > 0) out.weights = prunedSmoothly(out.weights, options.most).weights;
        std::size_t unreached = 0;
        for (std::size_t v = 0; v < out.weights.rowCount(); ++v)
            unreached += out.weights[v].empty() ? 1 : 0;
        if (unreached > 0)
            out.warnings.push_back({.what = fmt::format("{} of {} vertices are reached by no bone "
                                                        "and stay",
                                                        unreached, mesh.positions.size()),
                                    .text = mesh.name,
                                    .advice = "a larger --radius-scale, or bone heat"});
        return out;
    }
    if (!(options.stiffness >= BoneHeatOptions::kLeastStiffness &&
          options.stiffness <= BoneHeatOptions::kMostStiffness))
        return Diagnostic{
            .what = fmt::format("the stiffness of bone heat is from {} to {}",
                                BoneHeatOptions::kLeastStiffness, BoneHeatOptions::kMostStiffness),
            .text = fmt::format("{}", options.stiffness)};
    Result<BoneHeat> heat = makeBoneHeatWeights(skeleton, mesh,
                                                {.stiffness = options.stiffness,
                                                 .most = options.most,
                                                 .threads = options.threads,
                                                 .progress = options.progress});
    if (!heat) return heat.error();
    out.weights = std::move(heat->weights);
    out.heat = std::move(heat->report);
    // Folds and accessories hide a few vertices of any character; a tenth is a skeleton outside.
    const std::size_t guessed = out.heat.hidden.size() + out.heat.loose.size();
    if (10 * guessed > mesh.positions.size())
        out.warnings.push_back(
            {.what = fmt::format("{} of {} vertices see no bone and are guessed", guessed,
                                 mesh.positions.size()),
             .text = mesh.name,
             .advice = "is the skeleton inside the mesh? 'ulna weights' lists them"});
    if (!out.heat.stray.empty()) out.warnings.push_back(describeStray(out.heat.stray, mesh));
    return out;
}

Result<TiedSurface> tieSurface(const Skeleton& skeleton, const SurfaceFitOptions& fitting,
                               const WeightOptions& weighting, Mesh& mesh) {
    TiedSurface out;
    if (!mesh.weights.empty()) {
        out.had_weights = true;
        return out;
    }
    Result<SurfaceFit> fit = fitToSurface(skeleton, mesh, fitting);
    if (!fit) return fit.error();
    Mesh bound = mesh;
    if (fit->how != FittingPose::Rest) bindMesh(skeleton, fit->pose, bound);
    Result<MadeWeights> made = makeWeights(skeleton, bound, weighting);
    if (!made) return made.error();
    bound.weights = std::move(made->weights);
    mesh = std::move(bound);
    out.fit = *std::move(fit);
    out.heat = std::move(made->heat);
    out.warnings = std::move(made->warnings);
    return out;
}

}  // namespace ulna
