// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/clip.h"

#include <cmath>

#include "bindings/python/native/rows.h"
#include "ulna/core/parallel.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::python {
namespace {

// Times in seconds; of none, those of the clip's frames.
std::vector<double> timesOf(const Clip& clip, const py::object& times) {
    std::vector<double> out;
    if (!times.is_none()) {
        const DoubleArray given = doublesOf(times, "times", {kAny});
        return {given.values().begin(), given.values().end()};
    }
    const auto* motion = std::get_if<Motion>(&clip);
    const double rate = frameRateOf(clip);
    const std::size_t count =
        motion != nullptr
            ? motion->frameCount()
            : static_cast<std::size_t>(std::floor(durationOf(clip) * rate + 1e-4)) + 1;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(motion != nullptr ? motion->timeOf(i) : static_cast<double>(i) / rate);
    return out;
}

// What its frames are asked of: of keys, the frames that files and the tool make of them.
ClipObject framed(const ClipObject& c, const py::object& times) {
    if (!times.is_none() || !std::holds_alternative<KeyedMotion>(*c.clip)) return c;
    return makeClip(c.skeleton, take(withoutGil([&] { return makeFrames(*c.clip); })));
}

void checkFrames(const Clip& clip) {
    const auto* motion = std::get_if<Motion>(&clip);
    if (motion != nullptr && motion->frameCount() == 0) raiseValue("the clip has no frames");
}

// A pose of a clip: of a frame exactly, at other times as samplePose has it.
void poseOf(const Clip& clip, std::size_t frame, bool frames, double time, Pose& pose) {
    const auto* motion = std::get_if<Motion>(&clip);
    if (frames && motion != nullptr)
        motion->getPose(frame, pose);
    else
        samplePose(clip, time, pose);
}

template <class Real>
void fillPositions(const Skeleton& skeleton, const Clip& clip, std::span<const double> times,
                   bool frames, std::span<Real> out, unsigned threads) {
    const std::size_t width = skeleton.jointCount() * 3;
    parallelFor(times.size(), 64, threads, [&](std::size_t begin, std::size_t end) {
        Pose pose = restPose(skeleton);
        ModelPose model;
        for (std::size_t i = begin; i < end; ++i) {
            poseOf(clip, i, frames, times[i], pose);
            computeModelPose(skeleton, pose, model);
            Real* to = out.data() + i * width;
            for (const Affine& joint : model.model_from_joint)
                for (std::size_t k = 0; k < 3; ++k) *to++ = static_cast<Real>(joint.columns[3][k]);
        }
    });
}

AnyFloats positionsOf(const ClipObject& clip, const MaybeNumbers& times, const MaybeOut& out,
                      int threads) {
    const ClipObject c = framed(clip, times);
    checkFrames(*c.clip);
    const std::vector<double> at = timesOf(*c.clip, times);
    OutArray to = outArray(out, {asSsize(at.size()), asSsize(c.skeleton->jointCount()), 3});
    const unsigned most = threadsOf(threads);
    const std::span<double> doubles = to.is_float ? std::span<double>() : to.doubles();
    const std::span<float> floats = to.is_float ? to.floats() : std::span<float>();
    const bool frames = times.is_none();
    withoutGil([&] {
        if (to.is_float)
            fillPositions<float>(*c.skeleton, *c.clip, at, frames, floats, most);
        else
            fillPositions<double>(*c.skeleton, *c.clip, at, frames, doubles, most);
        return true;
    });
    return AnyFloats(to.array);
}

std::vector<Pose> posesAt(const ClipObject& clip, const py::object& times) {
    const ClipObject c = framed(clip, times);
    checkFrames(*c.clip);
    const std::vector<double> at = timesOf(*c.clip, times);
    const bool frames = times.is_none();
    return withoutGil([&] {
        std::vector<Pose> out(at.size(), restPose(*c.skeleton));
        for (std::size_t i = 0; i < at.size(); ++i) poseOf(*c.clip, i, frames, at[i], out[i]);
        return out;
    });
}

Floats rotationsIn(const ClipObject& c, const std::string& form, const std::string& space,
                   const MaybeNumbers& times) {
    return Floats(rotationsOf(*c.skeleton, posesAt(c, times), form, space));
}

Floats translationsOf(const ClipObject& c, const MaybeNumbers& times) {
    const std::vector<Pose> poses = posesAt(c, times);
    py::array_t<double> out =
        newDoubles({asSsize(poses.size()), asSsize(c.skeleton->jointCount()), 3});
    double* to = out.mutable_data();
    for (const Pose& pose : poses)
        for (const Trs& joint : pose.parent_from_joint)
            for (std::size_t k = 0; k < 3; ++k) *to++ = joint.translation[k];
    return Floats(out);
}

Floats dofsOf(const ClipObject& c, const MaybeProgress& progress) {
    checkFrames(*c.clip);
    LongCall call(progress);
    const DofClipFit fit = call.run([&] {
        Result<Motion> frames = makeFrames(*c.clip);
        return frames ? computeDofClip(*c.skeleton, *frames, {}, call.progress()) : DofClipFit{};
    });
    py::array_t<double> out =
        newDoubles({asSsize(fit.clip.frames.size()), asSsize(c.skeleton->dofCount())});
    double* to = out.mutable_data();
    for (const DofVector& frame : fit.clip.frames) to = std::copy(frame.begin(), frame.end(), to);
    return Floats(out);
}

PoseObject sampled(const ClipObject& c, double time) {
    checkFrames(*c.clip);
    if (!std::isfinite(time)) raiseValue("a time is a finite number of seconds");
    return makePose(c.skeleton, samplePose(*c.clip, time));
}

std::vector<PoseObject> sampledMany(const ClipObject& c, const Numbers& times) {
    std::vector<PoseObject> out;
    for (Pose& pose : posesAt(c, times)) out.push_back(makePose(c.skeleton, std::move(pose)));
    return out;
}

PoseObject frameOf(const ClipObject& clip, py::ssize_t frame) {
    const ClipObject c = framed(clip, py::none());
    const auto* motion = std::get_if<Motion>(c.clip.get());
    const std::vector<double> times = timesOf(*c.clip, py::none());
    const auto count = motion != nullptr ? asSsize(motion->frameCount()) : asSsize(times.size());
    if (frame < -count || frame >= count)
        raiseIndex("there is no frame " + std::to_string(frame) + "; there are " +
                   std::to_string(count));
    const std::size_t i = asSize(frame < 0 ? frame + count : frame);
    Pose pose = restPose(*c.skeleton);
    poseOf(*c.clip, i, true, times[i], pose);
    return makePose(c.skeleton, std::move(pose));
}

double frameTimeOf(double fps) {
    constexpr double kMostFps = 1e6;
    if (positive(fps, "fps") > kMostFps) raiseValue("fps is at most 1000000");
    return 1.0 / fps;
}

ClipObject fromPoses(const SkeletonObject& s, const std::vector<Pose>& poses, double frame_time,
                     const std::string& name) {
    if (poses.empty()) raiseValue("a clip has at least one pose");
    Motion motion = withoutGil([&] { return framesOf(*s, poses, frame_time); });
    motion.name = name;
    return makeClip(s.skeleton, std::move(motion));
}

ClipObject fromRotations(const SkeletonObject& s, const Numbers& rotations,
                         const MaybeNumbers& translations, double fps, const std::string& form,
                         const std::string& space, const MaybeJointRefs& joints,
                         const std::string& name) {
    const double frame_time = frameTimeOf(fps);
    const RowsArguments arguments = rowsOf(*s, rotations, translations, form, space, joints);
    if (!arguments.many) raiseValue("a clip has rotations of the shape (frames, joints, numbers)");
    const std::vector<Pose> poses = take(withoutGil([&] { return makePoses(*s, arguments.rows); }));
    return fromPoses(s, poses, frame_time, name);
}

ClipObject fromDofs(const SkeletonObject& s, const Numbers& dofs, double fps,
                    const std::string& name) {
    const double frame_time = frameTimeOf(fps);
    const DoubleArray values = doublesOf(dofs, "dofs", {kAny, asSsize(s->dofCount())});
    if (values.size(0) == 0) raiseValue("a clip has at least one frame");
    DofClip clip{.name = name, .frame_time = frame_time, .frames = {}};
    const std::size_t width = s->dofCount();
    for (std::size_t i = 0; i < values.size(0); ++i) {
        const std::span<const double> row = values.values().subspan(i * width, width);
        clip.frames.emplace_back(row.begin(), row.end());
    }
    return makeClip(s.skeleton, withoutGil([&] { return computeMotion(*s, clip); }));
}

ClipObject fromPoseList(const SkeletonObject& s, const std::vector<PoseObject>& list, double fps,
                        const std::string& name) {
    std::vector<Pose> poses;
    for (const PoseObject& each : list) {
        checkSameJoints(*s, *each.skeleton, "a pose");
        poses.push_back(*each.pose);
    }
    return fromPoses(s, poses, frameTimeOf(fps), name);
}

std::string repr(const ClipObject& c) {
    const auto* motion = std::get_if<Motion>(c.clip.get());
    const std::string what =
        motion != nullptr ? std::to_string(motion->frameCount()) + " frames"
                          : std::to_string(std::get<KeyedMotion>(*c.clip).keyCount()) + " keys";
    return "<ulna.Clip '" + nameOf(*c.clip) + "' of " + what + ">";
}

}  // namespace

void bindClip(py::module_& m) {
    py::class_<ClipObject>(
        m, "Clip",
        R"(A motion of one skeleton: a pose for every frame, or tracks of keys. It never changes.

    >>> clip = c.clips[0]
    >>> clip.positions().shape == (clip.frame_count, len(c.skeleton), 3)
    True
    )")
        .def_static(
            "from_rotations", &fromRotations, py::arg("skeleton"), py::arg("rotations"),
            py::arg("translations") = py::none(), py::kw_only(), py::arg("fps") = 30.0,
            py::arg("form") = "quat", py::arg("space") = "local", py::arg("joints") = py::none(),
            py::arg("name") = "clip",
            R"(A clip of rotations, such as the output of a network, with the arguments of Skeleton.positions.

    >>> walk = c.clips[0]
    >>> again = ulna.Clip.from_rotations(c.skeleton, walk.rotations("6d"), walk.translations(), form="6d", fps=30)
    >>> np.allclose(again.positions(), walk.positions(), atol=1e-6)
    True
    )")
        .def_static("from_dofs", &fromDofs, py::arg("skeleton"), py::arg("dofs"), py::kw_only(),
                    py::arg("fps") = 30.0, py::arg("name") = "clip",
                    R"(A clip of coordinates, one per degree of freedom: (frames, dofs).

    >>> ulna.Clip.from_dofs(c.skeleton, np.zeros((10, c.skeleton.dof_count))).frame_count
    10
    )")
        .def_static("from_poses", &fromPoseList, py::arg("skeleton"), py::arg("poses"),
                    py::kw_only(), py::arg("fps") = 30.0, py::arg("name") = "clip",
                    R"(A clip of poses.

    >>> ulna.Clip.from_poses(c.skeleton, [c.skeleton.rest_pose()] * 3, fps=60).duration == 2 / 60
    True
    )")
        .def_property_readonly(
            "name", [](const ClipObject& c) { return nameOf(*c.clip); }, "The name of the clip.")
        .def_property_readonly(
            "skeleton", [](const ClipObject& c) { return SkeletonObject{c.skeleton}; },
            "The skeleton that it moves.")
        .def_property_readonly(
            "keyed",
            [](const ClipObject& c) { return std::holds_alternative<KeyedMotion>(*c.clip); },
            "Whether the clip is tracks of keys; otherwise it has a pose for every frame.")
        .def_property_readonly(
            "duration", [](const ClipObject& c) { return durationOf(*c.clip); },
            "From time 0 to the last frame or key, in seconds.")
        .def_property_readonly(
            "fps", [](const ClipObject& c) { return frameRateOf(*c.clip); },
            "Frames per second; of keys the rate that has them all, or 60.")
        .def_property_readonly(
            "frame_count", [](const ClipObject& c) { return timesOf(*c.clip, py::none()).size(); },
            "How many frames there are, at that rate.")
        .def_property_readonly(
            "key_count",
            [](const ClipObject& c) {
                const auto* keys = std::get_if<KeyedMotion>(c.clip.get());
                return keys != nullptr ? keys->keyCount() : std::size_t{0};
            },
            "How many keys there are; 0 for a clip of frames.")
        .def_property_readonly(
            "times",
            [](const ClipObject& c) {
                const std::vector<double> times = timesOf(*c.clip, py::none());
                return Floats(py::array_t<double>(asSsize(times.size()), times.data()));
            },
            "The time of each frame in seconds.")
        .def(
            "positions", &positionsOf, py::arg("times") = py::none(), py::kw_only(),
            py::arg("out") = py::none(), py::arg("threads") = 0,
            R"(Where all joints are in the model, at every frame or at these times: (frames, joints, 3).

    `out` receives them, float64 or float32, where it is given.

    >>> c.clips[0].positions([0.1, 0.25]).shape == (2, len(c.skeleton), 3)
    True
    )")
        .def("rotations", &rotationsIn, py::arg("form") = "quat", py::kw_only(),
             py::arg("space") = "local", py::arg("times") = py::none(),
             R"(Rotations of all joints, in a form of Skeleton.positions: (frames, joints, numbers).

    `space` is "local" (relative to the parent) or "model". Each track is without jumps.

    >>> c.clips[0].rotations("euler-zxy", space="model").shape[2]
    3
    )")
        .def("translations", &translationsOf, py::arg("times") = py::none(),
             R"(Translations relative to the parent: (frames, joints, 3).

    >>> root = c.clips[0].translations()[:, 0]
    >>> root.shape[1]
    3
    )")
        .def("dofs", &dofsOf, py::kw_only(), py::arg("progress") = py::none(),
             R"(The coordinates nearest to every frame, one per degree of freedom: (frames, dofs).

    >>> c.clips[0].dofs().shape == (c.clips[0].frame_count, c.skeleton.dof_count)
    True
    )")
        .def("sample", &sampled, py::arg("time"),
             R"(The pose at a time, or the poses at several times, in seconds.

    >>> c.clips[0].sample(0.25)
    <ulna.Pose of 79 joints>
    >>> len(c.clips[0].sample([0.1, 0.2]))
    2
    )")
        .def("sample", &sampledMany, py::arg("times"))
        .def("frame", &frameOf, py::arg("index"), R"(The pose of a frame; -1 is the last one.

    >>> c.clips[0].frame(0) == c.clips[0].sample(0.0)
    True
    )")
        .def("__len__", [](const ClipObject& c) { return timesOf(*c.clip, py::none()).size(); })
        .def("__repr__", &repr);
}

}  // namespace ulna::python
