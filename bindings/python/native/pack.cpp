// SPDX-License-Identifier: Apache-2.0

// Clips packed for playing, and their bytes.
#include "ulna/motion/pack.h"
#include "bindings/python/native/common.h"
#include "ulna/motion/packed_clip.h"

namespace ulna::python {
namespace {

struct PackedObject {
    std::shared_ptr<const Skeleton> skeleton;
    PackedClip clip;
};

PackedObject pack(const ClipObject& c, double tolerance, double reach, double fps, int threads,
                  const MaybeProgress& progress) {
    const PackOptions options{.tolerance = positive(tolerance, "tolerance"),
                              .reach = positive(reach, "reach"),
                              .threads = threadsOf(threads)};
    const Motion frames = framesAt(c, fps > 0.0 ? fpsOf(fps) : 0.0);
    LongCall call(progress);
    PackedMotion out =
        take(call.run([&] { return packClip(*c.skeleton, frames, options, call.progress()); }));
    return {c.skeleton, std::move(out.clip)};
}

PackedObject read(const py::bytes& bytes, const SkeletonObject& skeleton) {
    return {skeleton.skeleton, take(PackedClip::read(std::string_view(bytes), *skeleton))};
}

PoseObject sample(const PackedObject& packed, double time) {
    FloatPose pose(packed.clip.jointCount());
    samplePose(packed.clip, time, pose);
    return makePose(packed.skeleton, toPose(pose));
}

}  // namespace

void bindPack(py::module_& m) {
    py::class_<PackedObject>(m, "PackedClip", R"(A clip made small for playing, sampled as it is.

    >>> walk = c.clip("walk").pack(1e-4)
    >>> walk.nbytes * 20 < 40 * len(c.joints) * c.clip("walk").frame_count
    True
    >>> walk.sample(0.3)
    <ulna.Pose of 79 joints>
    )")
        .def_property_readonly(
            "name", [](const PackedObject& p) { return p.clip.name(); }, "The clip's name.")
        .def_property_readonly(
            "frame_count", [](const PackedObject& p) { return p.clip.frameCount(); },
            "How many frames it has.")
        .def_property_readonly(
            "fps", [](const PackedObject& p) { return 1.0 / p.clip.frameTime(); },
            "Frames per second.")
        .def_property_readonly(
            "duration", [](const PackedObject& p) { return p.clip.duration(); },
            "From the first frame to the last, in seconds.")
        .def_property_readonly(
            "tolerance", [](const PackedObject& p) { return p.clip.tolerance(); },
            "How far points around joints are from the clip at most.")
        .def_property_readonly(
            "reach", [](const PackedObject& p) { return p.clip.reach(); },
            "How far from each joint those points are.")
        .def_property_readonly(
            "nbytes", [](const PackedObject& p) { return p.clip.bytes().size(); },
            "The size of bytes().")
        .def(
            "bytes", [](const PackedObject& p) { return py::bytes(p.clip.bytes()); },
            R"(The clip as a .ulnaclip file has it.

    >>> ulna.read_packed(c.clip("walk").pack(1e-3).bytes(), c.skeleton).frame_count
    33
    )")
        .def("sample", &sample, py::arg("time"), R"(The pose at a time in seconds.

    >>> c.clip("walk").pack(1e-4).sample(0.3)
    <ulna.Pose of 79 joints>
    )")
        .def(
            "clip", [](const PackedObject& p) { return makeClip(p.skeleton, unpacked(p.clip)); },
            R"(Its frames.

    >>> c.clip("walk").pack(1e-4).clip().frame_count
    33
    )");
    const py::object type = m.attr("Clip");
    py::reinterpret_borrow<py::class_<ClipObject>>(type).def(
        "pack", &pack, py::arg("tolerance"), py::kw_only(), py::arg("reach") = 0.03,
        py::arg("fps") = 0.0, py::arg("threads") = 0, py::arg("progress") = py::none(),
        R"(Makes it small for playing: no point `reach` from a joint is farther off than the tolerance.

    >>> c.clip("walk").pack(1e-4, fps=24).fps
    24.0
    )");
    m.def(
        "read_packed", &read, py::arg("bytes"), py::arg("skeleton"),
        R"(Reads what PackedClip.bytes() or `ulna pack` wrote, for a skeleton with the same joints.

    >>> ulna.read_packed(c.clip("walk").pack(1e-3).bytes(), c.skeleton).name
    'walk'
    )");
}

}  // namespace ulna::python
