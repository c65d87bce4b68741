// SPDX-License-Identifier: Apache-2.0

// Fitting: time per frame of a warm-started sequence, and what an iteration costs as the vertices
// double.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "benchmarks/harness.h"
#include "ulna/fit/fitter.h"
#include "ulna/math/random.h"

namespace ulna::bench {
namespace {

constexpr std::size_t kFrames = 32;

// Points of a figure about 2 high: free ones by chance, or a tree of chains as limbs and fingers
// hang from a trunk.
FitRig makeRig(std::size_t points, std::size_t vertices, bool tree) {
    Random random(11);
    FitRig rig;
    for (std::size_t j = 0; j < points; ++j) {
        const double x = random.between(-0.5, 0.5);
        const double y = random.between(-1.0, 1.0);
        const double z = random.between(-0.3, 0.3);
        ControlPoint point{.rest = {x, y, z}};
        if (tree && j > 0) {
            // Chains of five, hung from the trunk's or from the ends of limbs.
            const std::size_t parent =
                j % 5 != 0 ? j - 1 : random.below(std::min<std::size_t>(j, 15));
            point.parent = static_cast<std::int32_t>(parent);
            point.rest = rig.points[parent].rest + random.direction() * random.between(0.1, 0.3);
        }
        rig.points.push_back(point);
    }
    for (std::size_t i = 0; i < vertices; ++i) {
        const Vec3 side = random.direction();
        rig.vertices.push_back(rig.points[i % points].rest + side * random.between(0.02, 0.15));
        std::vector<std::pair<double, std::size_t>> near;
        for (std::size_t j = 0; j < points; ++j)
            near.push_back({distance(rig.vertices[i], rig.points[j].rest), j});
        std::partial_sort(near.begin(), near.begin() + 4, near.end());
        near.resize(4);
        double sum = 0.0;
        for (auto& [d, j] : near) sum += d = 1.0 / (d * d * d + 1e-3);
        std::vector<Influence> row;
        for (const auto& [d, j] : near) row.push_back({jointId(j), static_cast<float>(d / sum)});
        rig.weights.addRow(row);
    }
    return rig;
}

// Every point swings by up to 60 degrees, two seconds a swing at 30 frames a second.
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
            pose.rotations[j] = quatFromAxisAngle(axes[j], radians(60.0) * swing);
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
    std::size_t points, vertices;
    bool tree;
};

void benchFrames(const Case& what) {
    const FitRig rig = makeRig(what.points, what.vertices, what.tree);
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
        const FitRig rig = makeRig(what.points, what.vertices * factor, what.tree);
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

}  // namespace

void benchFit() {
    const Case cases[] = {{"18 free control points, 2000 vertices", 18, 2000, false},
                          {"a tree of 60 points, 10000 vertices", 60, 10000, true}};
    for (const Case& what : cases) {
        benchFrames(what);
        benchIterations(what);
    }
}

}  // namespace ulna::bench
