// SPDX-License-Identifier: Apache-2.0

// Clips cut, joined, mirrored, blended and reduced to keys.
#include "ulna/motion/edit.h"

#include "bindings/python/native/common.h"
#include "ulna/motion/blend.h"
#include "ulna/motion/mirror.h"
#include "ulna/motion/reduce.h"
#include "ulna/motion/root_motion.h"
#include "ulna/motion/smooth.h"

namespace ulna::python {
namespace {

ClipObject madeFrom(const ClipObject& c, Motion motion) {
    return makeClip(c.skeleton, std::move(motion));
}

Vec3 upOf(const ClipObject& c, const std::optional<std::string>& up) {
    return upVector(up ? upAxisFromWord(*up) : guessUpAxis(*c.skeleton));
}

double secondsOf(double value, const char* what) {
    if (!(value >= 0.0 && value <= 1e9)) raiseValue(std::string(what) + " is seconds from 0 on");
    return value;
}

ClipObject trim(const ClipObject& c, double start, double end) {
    const Motion frames = framesAt(c);
    if (!(start <= end)) raiseValue("start comes before end");
    return madeFrom(c, take(withoutGil([&] { return trimmed(frames, start, end); })));
}

ClipObject resample(const ClipObject& c, double fps) {
    if (std::holds_alternative<KeyedMotion>(*c.clip)) return madeFrom(c, framesAt(c, fpsOf(fps)));
    const Motion frames = framesAt(c);
    const double frame_time = 1.0 / fpsOf(fps);
    return madeFrom(c, take(withoutGil([&] { return resampled(frames, frame_time); })));
}

ClipObject mirror(const ClipObject& c) {
    const Motion frames = framesAt(c);
    const MirrorPairs pairs = take(findMirrorPairs(*c.skeleton));
    return madeFrom(c, withoutGil([&] { return mirrored(*c.skeleton, pairs, frames); }));
}

ClipObject atOtherSpeed(const ClipObject& c, double speed) {
    const Motion frames = framesAt(c);
    if (!(positive(speed, "speed") >= 1e-6 && speed <= 1e6))
        raiseValue("speed is from 1e-6 to 1e6");
    return madeFrom(c, take(withoutGil([&] { return atSpeed(frames, speed); })));
}

ClipObject join(const ClipObject& c, const ClipObject& next, double blend, bool carry_root,
                const std::optional<std::string>& up) {
    checkSameJoints(*c.skeleton, *next.skeleton, "the next clip");
    const JoinOptions options{
        .blend = secondsOf(blend, "blend"), .carry_root = carry_root, .up = upOf(c, up)};
    const Motion first = framesAt(c), second = framesAt(next);
    return madeFrom(c,
                    take(withoutGil([&] { return joined(*c.skeleton, first, second, options); })));
}

ClipObject loop(const ClipObject& c, double blend, const std::optional<std::string>& up) {
    const LoopOptions options{.blend = secondsOf(blend, "blend"), .up = upOf(c, up)};
    const Motion frames = framesAt(c);
    return madeFrom(c, withoutGil([&] { return looped(*c.skeleton, frames, options); }));
}

ClipObject repeat(const ClipObject& c, std::size_t times, const std::optional<std::string>& up) {
    if (times == 0) raiseValue("times is at least 1");
    const Motion frames = framesAt(c);
    const Vec3 axis = upOf(c, up);
    return madeFrom(c,
                    take(withoutGil([&] { return repeated(*c.skeleton, frames, times, axis); })));
}

ClipObject smooth(const ClipObject& c, double width) {
    const SmoothOptions options{.width = positive(width, "width")};
    const Motion frames = framesAt(c);
    return madeFrom(c, withoutGil([&] { return smoothed(frames, options); }));
}

ClipObject rename(const ClipObject& c, const std::string& name) {
    Clip clip = *c.clip;
    std::visit([&](auto& each) { each.name = name; }, clip);
    return makeClip(c.skeleton, std::move(clip));
}

struct Reduction {
    ClipObject clip;
    ReduceReport report;
};

constexpr Word<Interpolation> kInterpolations[] = {{"linear", Interpolation::Linear},
                                                   {"catmull-rom", Interpolation::CatmullRom}};

Reduction reduce(const ClipObject& c, double tolerance, const std::string& interpolation,
                 int threads, const MaybeProgress& progress) {
    const ReduceOptions options{
        .tolerance = positive(tolerance, "tolerance"),
        .interpolation = valueOf(interpolation, "interpolation", kInterpolations),
        .threads = threadsOf(threads)};
    const Motion frames = framesAt(c);
    LongCall call(progress);
    ReducedMotion out =
        take(call.run([&] { return reduceKeys(*c.skeleton, frames, options, call.progress()); }));
    return {makeClip(c.skeleton, std::move(out.motion)), out.report};
}

ClipObject blend(const std::vector<ClipObject>& clips, const Numbers& weights, bool match_lengths,
                 double fps) {
    if (clips.empty()) raiseValue("a blend has at least one clip");
    const DoubleArray factors = doublesOf(weights, "weights", {asSsize(clips.size())});
    double sum = 0.0;
    std::vector<Motion> motions;
    for (std::size_t i = 0; i < clips.size(); ++i) {
        if (!(factors.values()[i] >= 0.0)) raiseValue("weights are not negative");
        sum += factors.values()[i];
        checkSameJoints(*clips[0].skeleton, *clips[i].skeleton, "a clip");
        motions.push_back(framesAt(clips[i]));
    }
    if (!(sum > 0.0)) raiseValue("a weight is above 0");
    std::vector<MotionLayer> layers;
    for (std::size_t i = 0; i < motions.size(); ++i)
        layers.push_back({.motion = &motions[i], .weight = factors.values()[i]});
    const BlendOptions options{.frame_time = fps > 0.0 ? 1.0 / fpsOf(fps) : 0.0,
                               .match_lengths = match_lengths};
    Motion out = take(withoutGil([&] { return blendMotions(layers, options); }));
    out.name = motions.front().name;
    return madeFrom(clips.front(), std::move(out));
}

}  // namespace

void bindEdit(py::module_& m) {
    py::class_<Reduction>(m, "Reduction", R"(A clip with few keys, and what became of it.

    >>> few = c.clip("walk").reduce(0.005)
    >>> few.worst_error <= 0.005 and few.clip.keyed
    True
    )")
        .def_property_readonly(
            "clip", [](const Reduction& r) { return r.clip; }, "The clip of keys.")
        .def_property_readonly(
            "keys", [](const Reduction& r) { return r.report.keys; }, "How many keys it has.")
        .def_property_readonly(
            "ratio", [](const Reduction& r) { return r.report.ratio(); },
            "How many times fewer values than 30 frames a second of ten values a joint.")
        .def_property_readonly(
            "worst_error", [](const Reduction& r) { return r.report.worst_error; },
            "The largest distance of a point from the clip; never above the tolerance.")
        .def_property_readonly(
            "worst_time", [](const Reduction& r) { return r.report.worst_time; },
            "When that was, in seconds.")
        .def_property_readonly(
            "worst_joint",
            [](const Reduction& r) {
                return r.report.worst_joint == JointId::None
                           ? std::optional<std::string>()
                           : r.clip.skeleton->name(r.report.worst_joint);
            },
            "The joint of that point.");

    const py::object type = m.attr("Clip");
    auto clip = py::reinterpret_borrow<py::class_<ClipObject>>(type);
    clip.def("trim", &trim, py::arg("start"), py::arg("end"),
             R"(The part between two times in seconds.

    >>> round(c.clip("walk").trim(0.2, 0.6).duration, 6)
    0.4
    )")
        .def("resample", &resample, py::arg("fps"), R"(The clip at another frame rate.

    >>> c.clip("walk").resample(60).frame_count
    65
    )")
        .def("mirror", &mirror, R"(Left and right exchanged, by the joints' names.

    >>> c.clip("walk").mirror().frame_count == c.clip("walk").frame_count
    True
    )")
        .def(
            "reverse", [](const ClipObject& c) { return madeFrom(c, reversed(framesAt(c))); },
            R"(The clip played backwards.

    >>> c.clip("walk").reverse().frame(0) == c.clip("walk").frame(-1)
    True
    )")
        .def("speed_up", &atOtherSpeed, py::arg("speed"),
             R"(The clip so many times as fast, at its own frame rate.

    >>> c.clip("idle").speed_up(2).duration
    3.0
    )")
        .def("join", &join, py::arg("next"), py::kw_only(), py::arg("blend") = 0.2,
             py::arg("carry_root") = false, py::arg("up") = py::none(),
             R"(This clip followed by another one, with a cross-fade of so many seconds.

    >>> c.clip("walk").join(c.clip("run"), carry_root=True).duration > c.clip("walk").duration
    True
    )")
        .def("loop", &loop, py::kw_only(), py::arg("blend") = 0.5, py::arg("up") = py::none(),
             R"(The clip changed so that its end is its beginning, without a jump.

    >>> c.clip("walk").loop().frame_count
    33
    )")
        .def("repeat", &repeat, py::arg("times"), py::kw_only(), py::arg("up") = py::none(),
             R"(The clip so many times, each from where the one before ended.

    >>> c.clip("walk").repeat(2).frame_count
    65
    )")
        .def(
            "in_place",
            [](const ClipObject& c, const std::optional<std::string>& up) {
                return madeFrom(c, splitRootMotion(*c.skeleton, framesAt(c), upOf(c, up)).in_place);
            },
            py::kw_only(), py::arg("up") = py::none(), R"(The clip without its path over the ground.

    >>> bool(abs(c.clip("walk").in_place().positions()[:, 0, [0, 2]]).max() < 1e-6)
    True
    )")
        .def("smooth", &smooth, py::arg("width") = 0.1,
             R"(The clip without shakes that are much shorter than so many seconds.

    >>> c.clip("walk").smooth(0.05).frame_count
    33
    )")
        .def(
            "frames",
            [](const ClipObject& c, double fps) {
                return madeFrom(c, framesAt(c, fps > 0.0 ? fpsOf(fps) : 0.0));
            },
            py::arg("fps") = 0.0,
            R"(The clip as frames, at its own rate unless another one is given.

    >>> c.clip("walk").reduce(0.005).clip.frames(30).keyed
    False
    )")
        .def("rename", &rename, py::arg("name"), R"(The clip under another name.

    >>> c.clip("walk").rename("stroll").name
    'stroll'
    )")
        .def("reduce", &reduce, py::arg("tolerance"), py::kw_only(),
             py::arg("interpolation") = "linear", py::arg("threads") = 0,
             py::arg("progress") = py::none(),
             R"(Few keys; no joint and no tip of a bone moves farther than the tolerance, a length.

    >>> c.clip("walk").reduce(0.01).keys < 33 * len(c.joints)
    True
    )");
    m.def("blend", &blend, py::arg("clips"), py::arg("weights"), py::kw_only(),
          py::arg("match_lengths") = true, py::arg("fps") = 0.0,
          R"(The weighted mean of clips, which begin and end together.

    >>> jog = ulna.blend([c.clip("walk"), c.clip("run")], [0.5, 0.5])
    >>> c.clip("run").duration < jog.duration < c.clip("walk").duration
    True
    )");
}

}  // namespace ulna::python
