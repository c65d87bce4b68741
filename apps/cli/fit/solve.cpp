// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/fit/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "apps/cli/output.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/core/parallel.h"

namespace ulna::cli {
namespace {

// Frames that are in memory at once: whole chunks, so that the answer is that of all at once.
constexpr std::size_t kBlock = 4 * kFitChunk;

// Reads frames begin to end. The first that is wrong, in their order, ends the verb.
std::vector<ShapeFrame> readFrames(const FitProblem& p, std::size_t begin, std::size_t end) {
    std::vector<ShapeFrame> out(end - begin);
    std::vector<std::optional<Diagnostic>> wrong(out.size());
    parallelFor(out.size(), 1, p.common.threads, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            Result<std::vector<Vec3>> positions = p.targets.read(begin + i);
            if (!positions) {
                wrong[i] = positions.error();
                continue;
            }
            Result<ShapeFrame> frame = p.fitter.prepare(begin + i, *std::move(positions));
            if (frame) {
                out[i] = *std::move(frame);
            } else {
                wrong[i] = frame.error();
                wrong[i]->location.file = p.targets.nameOf(begin + i);
            }
        }
    });
    for (std::optional<Diagnostic>& each : wrong)
        if (each) fail(kBadInput, *std::move(each));
    return out;
}

}  // namespace

FitShape shapeOf(const Input& input, const std::vector<std::size_t>& chosen, std::size_t count,
                 const std::string& target) {
    std::vector<const Mesh*> meshes;
    for (const std::size_t i : chosen) meshes.push_back(&input.meshes[i]);
    Result<Mesh> skin = joinedSkin(input.skeleton, meshes);
    if (!skin)
        failUsage("the meshes of '" + input.path + "' are bound in different poses",
                  "--mesh-name chooses one");
    const std::size_t vertices = skin->positions.size();
    Result<FitShape> shape = makeFitShape(*std::move(skin), count);
    if (!shape)
        fail(kBadInput,
             {.what = fmt::format("the target has {} vertices, the mesh of '{}' has {}", count,
                                  input.path, vertices),
              .location = inFile(target),
              .advice = "targets must have the vertices of the mesh in its order; --mesh and "
                        "--mesh-name choose the mesh"});
    return *std::move(shape);
}

ShapeFitter fitterOf(const Input& input, const IkStage& stage, const FitShape& shape,
                     const io::FitConstraints& constraints, const ShapeFitOptions& options) {
    Result<ShapeFitter> fitter =
        ShapeFitter::make(input.skeleton, stage, shape.fitted, constraints, options);
    if (!fitter) {
        Diagnostic wrong = fitter.error();
        if (wrong.location.file.empty()) wrong.location.file = input.path;
        fail(kBadInput, std::move(wrong));
    }
    return *std::move(fitter);
}

FitRun solveFit(const FitProblem& p) {
    FitRun run;
    run.warnings = p.fitter.warnings();
    const std::size_t count = p.targets.frameCount();
    // Smoothness ties every frame to the one before.
    const std::size_t block = p.options.smoothness > 0.0 ? count : kBlock;
    std::size_t worst_frame = 0;
    JointId worst_joint = JointId::None;
    ProgressBar progress("fit");
    for (std::size_t begin = 0; begin < count; begin += block) {
        const std::size_t end = std::min(count, begin + block);
        const std::vector<ShapeFrame> frames = readFrames(p, begin, end);
        FittedFrames fitted = p.fitter.fit(frames, p.common.threads, [&](double fraction) {
            const double done =
                static_cast<double>(begin) + fraction * static_cast<double>(end - begin);
            progress.update(done / static_cast<double>(count));
            return true;
        });
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const ShapeFitter::PinError pin = p.fitter.worstPin(frames[i], fitted.poses[i]);
            if (!(pin.distance > run.worst_pin)) continue;
            run.worst_pin = pin.distance;
            worst_frame = begin + i;
            worst_joint = pin.joint;
        }
        std::move(fitted.poses.begin(), fitted.poses.end(), std::back_inserter(run.poses));
        std::move(fitted.reports.begin(), fitted.reports.end(), std::back_inserter(run.reports));
    }
    run.pins_hold = run.worst_pin <= kNoticeable * p.fitter.size();
    if (!run.pins_hold)
        run.warnings.push_back(
            {.what = fmt::format("a pinned joint is {} away from its target in frame {}",
                                 shortNumber(run.worst_pin, 3), worst_frame),
             .text = p.input.skeleton.name(worst_joint),
             .advice = "other constraints or limits keep it away"});
    return run;
}

}  // namespace ulna::cli
