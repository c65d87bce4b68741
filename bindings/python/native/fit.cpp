// SPDX-License-Identifier: Apache-2.0

// Characters fitted to shapes of their skin.
#include <cmath>

#include "bindings/python/native/common.h"
#include "ulna/character/fitting.h"
#include "ulna/character/warnings.h"

namespace ulna::python {
namespace {

constexpr Word<FitLoss> kLosses[] = {{"squares", FitLoss::Squares},
                                     {"huber", FitLoss::Huber},
                                     {"geman-mcclure", FitLoss::GemanMcClure}};
constexpr Word<LimitSource> kLimits[] = {{"own", LimitSource::Own},
                                         {"none", LimitSource::None},
                                         {"anatomical", LimitSource::Anatomical}};

struct Fitted {
    ClipObject clip;
    std::vector<FitReport> reports;
    Warnings warnings;
};

Fitted fit(const CharacterObject& c, const Numbers& shapes, double fps, const std::string& limits,
           const std::string& loss, double loss_scale, double smoothness, bool missing_nan,
           const MaybeJointRefs& locked, const std::string& name, int threads,
           const MaybeProgress& progress) {
    std::vector<const Mesh*> meshes;
    for (const Mesh& mesh : c->meshes)
        if (!mesh.weights.empty()) meshes.push_back(&mesh);
    if (meshes.empty()) raiseValue("the character has no mesh with weights");
    if (positive(fps, "fps") > 1e6) raiseValue("fps is at most 1000000");
    if (!(loss_scale >= 0.0 && std::isfinite(loss_scale))) raiseValue("loss_scale is 0 or more");
    if (!(smoothness >= 0.0 && std::isfinite(smoothness))) raiseValue("smoothness is 0 or more");
    const DoubleArray values = doublesOf(shapes, "shapes", {kAny, kAny, 3}, !missing_nan);
    if (values.size(0) == 0) raiseValue("there is at least one shape");
    const unsigned most = threadsOf(threads);
    ShapeFitOptions options{.loss = valueOf(loss, "loss", kLosses),
                            .loss_scale = loss_scale,
                            .smoothness = smoothness,
                            .missing_nan = missing_nan};
    io::FitConstraints constraints;
    constraints.locked = jointsOf(c->skeleton, locked);
    const LimitSource source = valueOf(limits, "limits", kLimits);
    LongCall call(progress);
    Warnings warnings;
    std::vector<FitReport> reports;
    Result<Motion> made = call.run([&]() -> Result<Motion> {
        const Result<Stage> stage =
            makeStage(c->skeleton, {.limits = source, .map = c->bodyMap(), .skins = meshes});
        if (!stage) return stage.error();
        warnings = stage->warnings;
        Result<Mesh> skin = joinedSkin(c->skeleton, meshes);
        if (!skin) return skin.error();
        Result<FitShape> shape = makeFitShape(*std::move(skin), values.size(1));
        if (!shape) return shape.error();
        Result<ShapeFitter> fitter =
            ShapeFitter::make(c->skeleton, *stage, shape->fitted, constraints, options);
        if (!fitter) return fitter.error();
        append(fitter->warnings(), warnings);
        std::vector<ShapeFrame> frames;
        for (std::size_t f = 0; f < values.size(0); ++f) {
            std::vector<Vec3> positions(values.size(1));
            for (std::size_t v = 0; v < positions.size(); ++v) {
                const double* p = values.array.data() + (f * positions.size() + v) * 3;
                positions[v] = {p[0], p[1], p[2]};
            }
            Result<ShapeFrame> frame = fitter->prepare(f, std::move(positions));
            if (!frame) return frame.error();
            frames.push_back(*std::move(frame));
        }
        FittedFrames fitted = fitter->fit(frames, most, call.progress());
        if (fitted.cancelled) return Diagnostic{.what = "the work was cancelled"};
        reports = std::move(fitted.reports);
        return makeMotion(c->skeleton, fitted.poses, 1.0 / fps, kNoticeable * fitter->size());
    });
    if (!made) raise(made.error());
    made->name = name;
    return {makeClip(c.skeleton(), *std::move(made)), std::move(reports), std::move(warnings)};
}

}  // namespace

void bindFit(py::module_& m) {
    py::class_<FitReport>(m, "FitReport", R"(What became of the fit of one frame.

    >>> shape = ulna.Deformer(c.meshes[0]).deform(c.clips[0].sample(0.2))
    >>> ulna.fit(c, [shape]).reports[0].rms < 1e-5
    True
    )")
        .def_property_readonly(
            "status", [](const FitReport& r) { return std::string(fitStatusName(r.status)); },
            "converged, stalled, max_iterations, bad_target or stopped.")
        .def_property_readonly(
            "rms", [](const FitReport& r) { return r.rms; },
            "Root of the mean squared distance of vertices to the shape.")
        .def_property_readonly(
            "worst_vertex", [](const FitReport& r) { return r.worst_vertex; },
            "The vertex farthest from the shape.")
        .def_property_readonly(
            "worst_distance", [](const FitReport& r) { return r.worst_distance; }, "Its distance.")
        .def_property_readonly(
            "iterations", [](const FitReport& r) { return r.iterations; },
            "How many iterations it took.")
        .def("__repr__", [](const FitReport& r) {
            return "<ulna.FitReport: " + std::string(fitStatusName(r.status)) + ">";
        });
    py::class_<Fitted>(m, "Fitted", R"(A motion that reproduces shapes.

    >>> shapes = [ulna.Deformer(c.meshes[0]).deform(c.clips[0].sample(t)) for t in (0.1, 0.2)]
    >>> ulna.fit(c, shapes).clip.frame_count
    2
    )")
        .def_property_readonly(
            "clip", [](const Fitted& r) { return r.clip; }, "The motion.")
        .def_property_readonly(
            "reports", [](const Fitted& r) { return r.reports; }, "A report for each shape.")
        .def_property_readonly(
            "warnings", [](const Fitted& r) { return r.warnings; }, "What was decided.");
    m.def(
        "fit", &fit, py::arg("character"), py::arg("shapes"), py::kw_only(), py::arg("fps") = 30.0,
        py::arg("limits") = "own", py::arg("loss") = "squares", py::arg("loss_scale") = 0.0,
        py::arg("smoothness") = 0.0, py::arg("missing_nan") = false, py::arg("locked") = py::none(),
        py::arg("name") = "fit", py::arg("threads") = 0, py::arg("progress") = py::none(),
        R"(Finds the motion that reproduces shapes of the skin: (frames, vertices, 3), in the order of its vertices.

    With `missing_nan`, vertices that are NaN do not count.

    >>> pose = c.clips[0].sample(0.2)
    >>> found = ulna.fit(c, [ulna.Deformer(c.meshes[0]).deform(pose)])
    >>> np.allclose(found.clip.frame(0).positions(), pose.positions(), atol=1e-3)
    True
    )");
}

}  // namespace ulna::python
