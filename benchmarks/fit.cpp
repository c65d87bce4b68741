// SPDX-License-Identifier: Apache-2.0

// Fitting: time per frame of a warm-started sequence, and what an iteration costs as the vertices
// double.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "benchmarks/harness.h"
#include "ulna/fit/fitter.h"
#include "ulna/fit/skeleton_fit.h"
#include "ulna/io/gltf.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna::bench {
namespace {

constexpr std::size_t kFrames = 32;

// Free points by chance in a box about the size of a figure.
std::vector<ControlPoint> makeFreePoints(std::size_t count) {
    Random random(11);
    std::vector<ControlPoint> points;
    for (std::size_t j = 0; j < count; ++j) {
        const double x = random.between(-0.5, 0.5);
        const double y = random.between(-1.0, 1.0);
        const double z = random.between(-0.3, 0.3);
        points.push_back({.rest = {x, y, z}});
    }
    return points;
}

// A person of sixty joints in a T-pose: five of the spine, two of the neck, four a leg, four an
// arm, and hands of five fingers.
std::vector<ControlPoint> makePerson() {
    std::vector<ControlPoint> points;
    const auto chain = [&](std::int32_t parent, Vec3 at, const Vec3& step, int count) {
        for (int i = 0; i < count; ++i, at += step) {
            points.push_back({.rest = at, .parent = parent});
            parent = static_cast<std::int32_t>(points.size()) - 1;
        }
        return parent;
    };
    const std::int32_t chest = chain(-1, {0, 1.0, 0}, {0, 0.15, 0}, 5);
    chain(chest, {0, 1.7, 0}, {0, 0.1, 0}, 3);
    for (const double side : {-1.0, 1.0}) {
        chain(0, {0.1 * side, 0.95, 0}, {0, -0.3, 0.01}, 4);
        const std::int32_t hand = chain(chest, {0.08 * side, 1.6, 0}, {0.18 * side, 0, 0}, 4);
        for (int finger = 0; finger < 5; ++finger) {
            const Vec3 knuckle{0.72 * side, 1.6, 0.02 * (finger - 2)};
            chain(hand, knuckle, {0.03 * side, 0, 0.004 * (finger - 2)}, finger < 3 ? 4 : 3);
        }
    }
    return points;
}

// Whether two joints are the same or at most two bones apart.
bool isNear(const FitRig& rig, std::size_t a, std::size_t b) {
    const auto above = [&](std::size_t j, int steps) {
        auto at = static_cast<std::int32_t>(j);
        for (int i = 0; i < steps && at >= 0; ++i)
            at = rig.points[static_cast<std::size_t>(at)].parent;
        return at;
    };
    const auto one = static_cast<std::int32_t>(a), other = static_cast<std::int32_t>(b);
    return one == other || above(a, 1) == other || above(b, 1) == one || above(a, 2) == other ||
           above(b, 2) == one || above(a, 1) == above(b, 1);
}

FitRig makeRig(std::vector<ControlPoint> points, std::size_t vertices) {
    Random random(11);
    FitRig rig;
    rig.points = std::move(points);
    for (std::size_t i = 0; i < vertices; ++i) {
        const std::size_t own = i % rig.points.size();
        const Vec3 side = random.direction();
        rig.vertices.push_back(rig.points[own].rest + side * random.between(0.02, 0.15));
        std::vector<std::pair<double, std::size_t>> near;
        for (std::size_t j = 0; j < rig.points.size(); ++j) {
            // Of joints, those of the same limb.
            const bool apart = rig.points[j].parent >= 0 && !isNear(rig, own, j);
            if (!apart) near.push_back({distance(rig.vertices[i], rig.points[j].rest), j});
        }
        std::sort(near.begin(), near.end());
        near.resize(std::min<std::size_t>(4, near.size()));
        double sum = 0.0;
        for (auto& [d, j] : near) sum += d = 1.0 / (d * d * d + 1e-3);
        std::vector<Influence> row;
        for (const auto& [d, j] : near) row.push_back({jointId(j), static_cast<float>(d / sum)});
        rig.weights.addRow(row);
    }
    return rig;
}

// Every point swings by up to 15 degrees against what carries it, two seconds a swing at 30 frames
// a second.
std::vector<std::vector<Vec3>> makeShapes(const FitRig& rig) {
    Random random(12);
    std::vector<Vec3> axes, steps;
    std::vector<double> phases;
    for (std::size_t j = 0; j < rig.points.size(); ++j) {
        axes.push_back(random.direction());
        steps.push_back(random.direction() * 0.1);
        phases.push_back(random.between(-kPi, kPi));
    }
    std::vector<std::vector<Vec3>> shapes;
    for (std::size_t frame = 0; frame < kFrames; ++frame) {
        ControlPose pose = restControlPose(rig);
        for (std::size_t j = 0; j < rig.points.size(); ++j) {
            const double swing = std::sin(phases[j] + static_cast<double>(frame) * kPi / 30.0);
            pose.rotations[j] = quatFromAxisAngle(axes[j], radians(15.0) * swing);
            const std::int32_t parent = rig.points[j].parent;
            if (parent >= 0)
                pose.rotations[j] =
                    pose.rotations[static_cast<std::size_t>(parent)] * pose.rotations[j];
            pose.positions[j] += steps[j] * swing;
        }
        applyHierarchy(rig, pose);
        shapes.push_back(computeVertices(rig, pose));
    }
    return shapes;
}

// There and back again, so that every frame follows one next to it.
std::size_t frameAt(std::size_t step) {
    const std::size_t at = step % (2 * kFrames - 2);
    return at < kFrames ? at : 2 * kFrames - 2 - at;
}

struct Case {
    const char* name;
    std::vector<ControlPoint> points;
    std::size_t vertices;
};

void benchFrames(const Case& what) {
    const FitRig rig = makeRig(what.points, what.vertices);
    const std::vector<std::vector<Vec3>> shapes = makeShapes(rig);
    Result<Fitter> made = Fitter::make(rig, {.tolerance = 1e-6});
    Result<Fitter> made_exact = Fitter::make(rig, {.tolerance = 1e-9});
    Fitter fitter = *made, exact = *made_exact;
    ControlPose pose = restControlPose(rig), exact_pose = pose, cold_pose = pose;
    double worst = 0.0;
    int iterations = 0;
    for (std::size_t step = 0; step < 2 * kFrames; ++step) {
        const FitReport& report = fitter.fit({.positions = shapes[frameAt(step)]},
                                             step == 0 ? FitStart::Cold : FitStart::Warm, pose);
        static_cast<void>(exact.fit({.positions = shapes[frameAt(step)]},
                                    step == 0 ? FitStart::Cold : FitStart::Warm, exact_pose));
        worst = std::max(worst, report.rms / fitter.size());
        iterations += report.iterations;
    }
    std::size_t step = 0, exact_step = 0, cold_step = 0;
    std::vector<Candidate> candidates = {
        {"warm, to 1e-6",
         [&] { keep(fitter.fit({.positions = shapes[frameAt(step++)]}, FitStart::Warm, pose)); }},
        {"warm, to 1e-9",
         [&] {
             keep(exact.fit({.positions = shapes[frameAt(exact_step++)]}, FitStart::Warm,
                            exact_pose));
         }},
        {"cold, to 1e-9",
         [&] {
             keep(
                 exact.fit({.positions = shapes[frameAt(cold_step++)]}, FitStart::Cold, cold_pose));
         }},
    };
    compete(candidates);
    printNanoseconds(what.name, "frame", candidates);
    std::printf("  to 1e-6: largest RMS %.1e of the size, %.1f iterations a frame\n", worst,
                static_cast<double>(iterations) / (2.0 * kFrames));
}

// The difference between fits of 1 and of 21 iterations, twenty iterations; and a frame of one, its
// passes over the vertices.
void benchIterations(const Case& what) {
    std::vector<Candidate> candidates;
    std::vector<Fitter> fitters;
    std::vector<std::vector<Vec3>> shapes;
    std::vector<ControlPose> starts, poses;
    for (const std::size_t factor : {1U, 2U}) {
        const FitRig rig = makeRig(what.points, what.vertices * factor);
        shapes.push_back(makeShapes(rig)[8]);
        for (const int most : {1, 21})
            fitters.push_back(*Fitter::make(rig, {.tolerance = 0.0, .max_iterations = most}));
        starts.push_back(restControlPose(rig));
    }
    poses.assign(4, starts[0]);
    for (std::size_t i = 0; i < 4; ++i) {
        candidates.push_back(
            {"", [&, i] {
                 poses[i] = starts[i / 2];
                 keep(fitters[i].fit({.positions = shapes[i / 2]}, FitStart::Warm, poses[i]));
             }});
    }
    compete(candidates);
    for (std::size_t i = 0; i < 2; ++i) {
        const double once = candidates[2 * i].best, often = candidates[2 * i + 1].best;
        std::printf("  %6zu vertices: %.2f us an iteration, %.1f us a frame besides\n",
                    what.vertices * (i + 1), (often - once) / 20.0 * 1e6,
                    (once - (often - once) / 20.0) * 1e6);
    }
}

// The walk of the bundled character, as control points and as a skeleton.
void benchCharacter() {
    const Result<io::GltfFile> file = io::loadGltf("assets/ulna-character.glb");
    if (!file || file->meshes.empty() || file->clips.empty()) {
        std::printf("\nThe bundled character is not here; run from the project's root\n");
        return;
    }
    const Skeleton& skeleton = file->skeleton;
    const Mesh& mesh = file->meshes[0];
    std::vector<std::vector<Vec3>> shapes;
    for (std::size_t frame = 0; frame < kFrames; ++frame) {
        const Pose pose = samplePose(file->clips[0], static_cast<double>(frame) / 30.0);
        shapes.push_back(
            deformReference(skeleton, mesh, computeModelPose(skeleton, pose)).positions);
    }
    Result<Fitter> points = Fitter::make(*makeFitRig(skeleton, mesh), {.tolerance = 1e-6});
    Result<SkeletonFitter> joints = SkeletonFitter::make(skeleton, mesh, {.tolerance = 1e-6});
    ControlPose control = restControlPose(points->rig());
    Pose pose = restPose(skeleton);
    std::size_t point_step = 0, joint_step = 0;
    std::vector<Candidate> candidates = {
        {"Fitter, warm, to 1e-6",
         [&] {
             keep(points->fit({.positions = shapes[frameAt(point_step++)]}, FitStart::Warm,
                              control));
         }},
        {"SkeletonFitter, warm, to 1e-6",
         [&] {
             keep(joints->fit({.positions = shapes[frameAt(joint_step++)]}, FitStart::Warm, pose));
         }},
    };
    compete(candidates);
    printNanoseconds("the bundled character walks, 79 joints, 14359 vertices", "frame", candidates);
}

}  // namespace

void benchFit() {
    const Case cases[] = {{"18 free control points, 2000 vertices", makeFreePoints(18), 2000},
                          {"a person of 60 joints, 10000 vertices", makePerson(), 10000}};
    for (const Case& what : cases) {
        benchFrames(what);
        benchIterations(what);
    }
    benchCharacter();
}

}  // namespace ulna::bench
