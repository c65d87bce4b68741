// SPDX-License-Identifier: Apache-2.0

// Pictures: bones as SVG, surfaces and their weights as PNG.
#include <cmath>

#include "bindings/python/native/common.h"
#include "ulna/draw/curves.h"
#include "ulna/draw/figure.h"
#include "ulna/draw/legend.h"
#include "ulna/draw/shaded.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna::python {
namespace {

constexpr Word<draw::View> kViews[] = {{"front", draw::View::Front},
                                       {"side", draw::View::Side},
                                       {"three-quarter", draw::View::ThreeQuarter}};

UpAxis upOf(const Skeleton& skeleton, const std::optional<std::string>& up) {
    return up ? upAxisFromWord(*up) : guessUpAxis(skeleton);
}

double heightOf(double height) {
    if (!(height >= 100.0 && height <= 8192.0)) raiseValue("height is 100 to 8192 pixels");
    return height;
}

draw::FigureOptions figureOptions(const Skeleton& skeleton, const std::string& view,
                                  const std::optional<std::string>& up, bool names, double height,
                                  const std::string& title, const std::string& unit) {
    draw::FigureOptions out{.view = valueOf(view, "view", kViews),
                            .up = upOf(skeleton, up),
                            .names = names,
                            .height = heightOf(height)};
    if (skeleton.planar()) out.view = draw::View::Front;
    out.title = title;
    out.unit = unit;
    return out;
}

std::string drawPose(const PoseObject& p, const std::string& view,
                     const std::optional<std::string>& up, bool names, double height,
                     const std::string& title, const std::string& unit) {
    const draw::FigureOptions how =
        figureOptions(*p.skeleton, view, up, names, height, title, unit);
    return withoutGil([&] {
        const draw::FigurePose figures[] = {{.model = computeModelPose(*p.skeleton, *p.pose)}};
        return draw::drawFigures(*p.skeleton, figures, how);
    });
}

std::string drawStrip(const ClipObject& c, std::size_t count, const std::string& view,
                      const std::optional<std::string>& up, double height, const std::string& title,
                      const std::string& unit) {
    if (count == 0 || count > 200) raiseValue("count is 1 to 200");
    Motion frames = take(makeFrames(*c.clip));
    if (frames.frameCount() == 0) raiseValue("the clip has no frames");
    const draw::FigureOptions how =
        figureOptions(*c.skeleton, view, up, false, height, title, unit);
    return withoutGil([&] {
        std::vector<draw::FigurePose> figures;
        const std::size_t shown = std::min(count, frames.frameCount());
        const double last = static_cast<double>(frames.frameCount()) - 1.0;
        for (std::size_t i = 0; i < shown; ++i) {
            const double t =
                shown == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(shown - 1);
            const auto frame = static_cast<std::size_t>(std::lround(t * last));
            figures.push_back({.model = computeModelPose(*c.skeleton, frames.pose(frame)),
                               .caption = "frame " + std::to_string(frame)});
        }
        return draw::drawFigures(*c.skeleton, figures, how);
    });
}

std::string drawCurvesOf(const ClipObject& c, const JointRef& joint, double height) {
    const JointId id = jointOf(*c.skeleton, joint);
    const auto* keys = std::get_if<KeyedMotion>(c.clip.get());
    const draw::CurveOptions options{.title = c.skeleton->name(id),
                                     .height = heightOf(height) / 2.0};
    return withoutGil([&] {
        return draw::drawCurves(*c.skeleton,
                                keys != nullptr ? *keys : makeKeyed(std::get<Motion>(*c.clip)), id,
                                options);
    });
}

// The meshes of a figure, shaded; coloured by the weights of one joint, or of all.
py::bytes shade(const std::vector<MeshObject>& meshes, const std::optional<PoseObject>& pose,
                const MaybeJointRef& joint, const std::string& view,
                const std::optional<std::string>& up, double height, int threads) {
    if (meshes.empty()) raiseValue("a picture has at least one mesh");
    std::shared_ptr<const Skeleton> skeleton;
    for (const MeshObject& each : meshes)
        if (each.skeleton != nullptr) skeleton = each.skeleton;
    if (pose) skeleton = pose->skeleton;
    const bool colored = !joint.is_none();
    const bool every = py::isinstance<py::str>(joint) && joint.cast<std::string>() == "all" &&
                       skeleton != nullptr && skeleton->find("all") == JointId::None;
    const JointId one =
        colored && !every && skeleton != nullptr ? jointOf(*skeleton, joint) : JointId::None;
    for (const MeshObject& each : meshes) {
        if (!colored && !pose) continue;
        if (each.skeleton == nullptr || each.mesh->weights.empty())
            raiseValue("the mesh has no weights");
        checkSameJoints(*skeleton, *each.skeleton, "a mesh");
    }
    draw::ShadedOptions how{.view = valueOf(view, "view", kViews),
                            .up = skeleton ? upOf(*skeleton, up) : upAxisFromWord(up.value_or("y")),
                            .height = static_cast<std::size_t>(heightOf(height)),
                            .threads = threadsOf(threads)};
    LongCall call;
    how.progress = call.progress();
    return py::bytes(call.run([&] {
        std::vector<Mesh> posed;
        for (const MeshObject& each : meshes) {
            if (skeleton != nullptr && each.skeleton != nullptr && !each.mesh->weights.empty()) {
                const Pose at = pose ? *pose->pose : restPose(*skeleton);
                posed.push_back(posedMesh(*skeleton, *each.mesh, computeModelPose(*skeleton, at)));
            } else {
                posed.push_back(*each.mesh);
            }
            if (colored)
                posed.back().colors = every ? draw::jointColors(*skeleton, each.mesh->weights)
                                            : draw::weightColors(each.mesh->weights, one);
        }
        draw::ShadedFigure figure;
        for (const Mesh& mesh : posed) figure.meshes.push_back({mesh});
        const draw::ShadedFigure figures[] = {figure};
        draw::Legend legend;
        if (colored && !every) legend.bar = {.low = 0.0, .high = 1.0, .label = "weight"};
        return draw::writePng(
            draw::withLegend(draw::drawShaded(figures, how), legend, how.background));
    }));
}

}  // namespace

void bindDraw(py::module_& m) {
    const auto pose_type = m.attr("Pose").cast<py::object>();
    py::reinterpret_borrow<py::class_<PoseObject>>(pose_type)
        .def("svg", &drawPose, py::kw_only(), py::arg("view") = "three-quarter",
             py::arg("up") = py::none(), py::arg("names") = false, py::arg("height") = 480.0,
             py::arg("title") = "", py::arg("unit") = "",
             R"(A picture of the bones as SVG; the view is front, side or three-quarter.

    >>> c.skeleton.rest_pose().svg(view="front")[:4]
    '<svg'
    )")
        .def("_repr_svg_", [](const PoseObject& p) {
            return drawPose(p, "three-quarter", std::nullopt, false, 480.0, "", "");
        });
    const auto clip_type = m.attr("Clip").cast<py::object>();
    py::reinterpret_borrow<py::class_<ClipObject>>(clip_type)
        .def("svg", &drawStrip, py::arg("count") = 8, py::kw_only(),
             py::arg("view") = "three-quarter", py::arg("up") = py::none(),
             py::arg("height") = 320.0, py::arg("title") = "", py::arg("unit") = "",
             R"(A strip of so many frames as SVG.

    >>> c.clips[0].svg(5).count("frame ")
    5
    )")
        .def("curves_svg", &drawCurvesOf, py::arg("joint"), py::kw_only(),
             py::arg("height") = 640.0, R"(The angles of a joint over time as SVG.

    >>> c.clips[0].curves_svg("LeftArm")[:4]
    '<svg'
    )")
        .def("_repr_svg_", [](const ClipObject& c) {
            return drawStrip(c, 8, "three-quarter", std::nullopt, 320.0, "", "");
        });
    m.def("shade", &shade, py::arg("meshes"), py::arg("pose") = py::none(), py::kw_only(),
          py::arg("joint") = py::none(), py::arg("view") = "three-quarter",
          py::arg("up") = py::none(), py::arg("height") = 640.0, py::arg("threads") = 0,
          R"(A shaded picture of meshes as the bytes of a PNG file, in a pose where one is given.

    `joint` colours them by its weights, "all" by those of all joints.

    >>> ulna.shade(c.meshes, c.clips[0].sample(0.3), joint="LeftArm", height=160)[1:4]
    b'PNG'
    )");
    const auto mesh_type = m.attr("Mesh").cast<py::object>();
    py::reinterpret_borrow<py::class_<MeshObject>>(mesh_type).def(
        "_repr_png_", [](const MeshObject& o) {
            const bool weighted = o.skeleton != nullptr && !o.mesh->weights.empty();
            return shade({o}, std::nullopt, weighted ? py::object(py::str("all")) : py::none(),
                         "three-quarter", std::nullopt, 480.0, 0);
        });
}

}  // namespace ulna::python
