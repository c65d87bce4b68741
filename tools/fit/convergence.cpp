// SPDX-License-Identifier: Apache-2.0

// The plot of docs/fit/method.md: how the two methods of a fit converge on one problem.
//
// Eighteen points of the bundled character, each free, with the weights of the joints below them;
// the shape is theirs in a stride of the run, so that it can be met exactly.
//
// Usage: fit_convergence FILE.glb PLOT.svg
#include <array>
#include <cstdio>
#include <fstream>

#include "ulna/draw/plot.h"
#include "ulna/fit/fitter.h"
#include "ulna/io/gltf.h"

namespace {

using namespace ulna;

constexpr std::array<const char*, 18> kNames = {
    "Hips",     "Spine1",      "Spine2",       "Head",      "LeftArm",   "LeftForeArm",
    "LeftHand", "RightArm",    "RightForeArm", "RightHand", "LeftUpLeg", "LeftLeg",
    "LeftFoot", "LeftToeBase", "RightUpLeg",   "RightLeg",  "RightFoot", "RightToeBase"};

struct Figure {
    FitRig rig;
    std::vector<std::size_t> joints;  // per point
};

Result<Figure> makeFigure(const Skeleton& skeleton, const Mesh& mesh) {
    Result<FitRig> all = makeFitRig(skeleton, mesh);
    if (!all) return all.error();
    Figure out{{.vertices = all->vertices}, {}};
    std::vector<std::size_t> point_of(skeleton.jointCount(), 0);
    for (const char* name : kNames) {
        const JointId joint = skeleton.find(name);
        if (joint == JointId::None) return Diagnostic{"there is no such joint", {}, name, {}};
        point_of[index(joint)] = out.joints.size();
        out.joints.push_back(index(joint));
        out.rig.points.push_back({.name = name, .rest = all->points[index(joint)].rest});
    }
    for (std::size_t j = 1; j < point_of.size(); ++j) {
        const bool own = out.joints[point_of[j]] == j;
        if (!own) point_of[j] = point_of[index(skeleton.parent(jointId(j)))];
    }
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        std::array<float, kNames.size()> sums = {};
        for (const Influence& influence : mesh.weights[i])
            sums[point_of[index(influence.joint)]] += influence.weight;
        std::vector<Influence> row;
        for (std::size_t j = 0; j < sums.size(); ++j)
            if (sums[j] > 0.0f) row.push_back({jointId(j), sums[j]});
        out.rig.weights.addRow(row);
    }
    return out;
}

draw::PlotSeries converge(const FitRig& rig, std::span<const Vec3> shape, FitMethod method,
                          FitStart start, std::string name) {
    Result<Fitter> fitter = Fitter::make(
        rig, {.method = method, .tolerance = 1e-15, .max_iterations = 60, .record_history = true});
    draw::PlotSeries out{.name = std::move(name)};
    if (!fitter) return out;
    ControlPose pose = restControlPose(rig);
    const FitReport& report = fitter->fit({.positions = shape}, start, pose);
    for (std::size_t i = 0; i < report.history.size(); ++i) {
        out.x.push_back(static_cast<double>(i));
        out.y.push_back(report.history[i].rms / fitter->size());
        std::printf("%-28s %2zu  %.1e\n", out.name.c_str(), i, out.y.back());
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const Result<io::GltfFile> file = io::loadGltf(argc > 1 ? argv[1] : "");
    if (argc < 3 || !file || file->meshes.empty() || file->clips.size() < 2) {
        std::fprintf(stderr, "usage: fit_convergence FILE.glb PLOT.svg\n");
        return 2;
    }
    const Result<Figure> figure = makeFigure(file->skeleton, file->meshes[0]);
    if (!figure) {
        std::fprintf(stderr, "%s\n", describe(figure.error()).c_str());
        return 1;
    }
    const ControlPose stride =
        makeControlPose(file->skeleton, file->meshes[0], samplePose(file->clips[1], 0.1));
    ControlPose truth = restControlPose(figure->rig);
    for (std::size_t j = 0; j < figure->joints.size(); ++j) {
        truth.rotations[j] = stride.rotations[figure->joints[j]];
        truth.positions[j] = stride.positions[figure->joints[j]];
    }
    const std::vector<Vec3> shape = computeVertices(figure->rig, truth);
    const draw::PlotSeries series[] = {
        converge(figure->rig, shape, FitMethod::Alternating, FitStart::Warm, "alternation"),
        converge(figure->rig, shape, FitMethod::JointNewton, FitStart::Warm, "joint, from rest"),
        converge(figure->rig, shape, FitMethod::JointNewton, FitStart::Cold, "joint, cold start")};
    std::ofstream(argv[2]) << draw::drawPlot(series,
                                             {.title = "An 18-point figure from rest into a stride",
                                              .x_label = "iterations",
                                              .y_label = "RMS on the vertices / size",
                                              .log_y = true,
                                              .whole_x = true,
                                              .width = 820.0});
    return 0;
}
