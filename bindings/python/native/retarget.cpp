// SPDX-License-Identifier: Apache-2.0

// Clips of one body on another, clean clips, and motion from points.
#include <cmath>

#include "bindings/python/native/common.h"
#include "ulna/character/clean.h"
#include "ulna/character/points.h"
#include "ulna/character/retarget.h"

namespace ulna::python {
namespace {

constexpr Word<RetargetFeet> kFeet[] = {
    {"auto", RetargetFeet::Auto}, {"lock", RetargetFeet::Lock}, {"keep", RetargetFeet::Keep}};
constexpr Word<LimitSource> kLimits[] = {{"own", LimitSource::Own},
                                         {"none", LimitSource::None},
                                         {"anatomical", LimitSource::Anatomical}};
constexpr Word<PointLengths> kLengths[] = {{"keep", PointLengths::Keep},
                                           {"fit", PointLengths::Fit}};

struct Retargeted {
    ClipObject clip;
    RetargetReport report;
    Warnings warnings;
};
struct Cleaned {
    ClipObject clip;
    CleanReport report;
    Warnings warnings;
};
struct Posed {
    ClipObject clip;
    PointReport report;
    Warnings warnings;
};

Motion framesOfClip(const CharacterObject& c, const std::optional<ClipObject>& clip) {
    if (clip) checkSameJoints(c->skeleton, *clip->skeleton, "the clip");
    if (!clip && c->clips.empty()) raiseValue("the character has no clip");
    Motion out = take(makeFrames(clip ? *clip->clip : c->clips.front()));
    if (out.frameCount() == 0) raiseValue("the clip has no frames");
    return out;
}

const Pose* restOf(const CharacterObject& c, const std::optional<PoseObject>& pose,
                   const char* what) {
    if (!pose) return nullptr;
    checkSameJoints(c->skeleton, *pose->skeleton, what);
    return pose->pose.get();
}

std::optional<double> heightOf(const std::optional<double>& value, const char* what) {
    if (value && !std::isfinite(*value)) raiseValue(std::string(what) + " is a finite height");
    return value;
}

Retargeted retarget(const CharacterObject& source, const CharacterObject& target,
                    const std::optional<ClipObject>& clip, const std::string& feet,
                    const std::vector<std::string>& keep, const std::optional<double>& floor,
                    double to_floor, const std::optional<PoseObject>& rest,
                    const std::optional<PoseObject>& to_rest, const std::string& limits,
                    const MaybeProgress& progress) {
    const Motion motion = framesOfClip(source, clip);
    RetargetClipOptions how;
    how.source_rest = restOf(source, rest, "rest");
    how.target_rest = restOf(target, to_rest, "to_rest");
    how.limits = valueOf(limits, "limits", kLimits);
    how.retarget.feet = valueOf(feet, "feet", kFeet);
    how.retarget.keep = {.floor = false, .pair = false, .body = false};
    for (const std::string& word : keep) {
        bool RetargetKeep::*member = word == "floor"   ? &RetargetKeep::floor
                                     : word == "hands" ? &RetargetKeep::pair
                                     : word == "body"  ? &RetargetKeep::body
                                                       : nullptr;
        if (member == nullptr) raiseWord(word, "keep", {"floor", "hands", "body"});
        how.retarget.keep.*member = true;
    }
    how.retarget.contact.floor = heightOf(floor, "floor");
    how.retarget.floor = *heightOf(to_floor, "to_floor");
    LongCall call(progress);
    Result<RetargetResult> out =
        call.run([&] { return retargetClip(*source, motion, *target, how, call.progress()); });
    if (!out) raise(out.error());
    Warnings warnings = retargetWarnings(target->skeleton, out->report);
    return {makeClip(target.skeleton(), std::move(out->motion)), std::move(out->report),
            std::move(warnings)};
}

Cleaned clean(const CharacterObject& c, const std::optional<ClipObject>& clip, bool spikes,
              const std::optional<double>& smooth, const std::optional<double>& floor, bool feet,
              const std::optional<PoseObject>& rest, const MaybeProgress& progress) {
    const Motion motion = framesOfClip(c, clip);
    CleanOptions options{.spikes = spikes, .floor = heightOf(floor, "floor"), .feet = feet};
    if (smooth)
        options.smooth = usualSmoothing(c->skeleton, smoothingWidth(positive(*smooth, "smooth")));
    LongCall call(progress);
    Result<CleanResult> out = call.run(
        [&] { return cleanClip(*c, motion, options, restOf(c, rest, "rest"), call.progress()); });
    if (!out) raise(out.error());
    Warnings warnings = cleanWarnings(c->skeleton, options, out->report);
    return {makeClip(c.skeleton(), std::move(out->motion)), std::move(out->report),
            std::move(warnings)};
}

Posed posePoints(const CharacterObject& c, const Numbers& points, double fps,
                 const std::optional<std::string>& layout,
                 const std::optional<std::vector<std::string>>& names, const MaybeNumbers& weights,
                 const std::string& lengths, const std::optional<std::string>& up,
                 const std::optional<double>& scale, bool smooth, const std::string& name,
                 const MaybeProgress& progress) {
    const DoubleArray values = doublesOf(points, "points", {kAny, kAny, 3}, false);
    const std::size_t frames = values.size(0), count = values.size(1);
    if (frames == 0 || count == 0) raiseValue("points have frames and points");
    io::PointFile file{.timed = true};
    file.clip.name = name;
    file.clip.point_count = count;
    if (positive(fps, "fps") > 1e6) raiseValue("fps is at most 1000000");
    file.clip.frame_time = 1.0 / fps;
    if (names) {
        if (names->size() != count) raiseValue("names are as many as points");
        file.clip.names = *names;
    }
    std::optional<DoubleArray> sure;
    if (!weights.is_none()) sure = doublesOf(weights, "weights", {asSsize(frames), asSsize(count)});
    for (std::size_t i = 0; i < frames * count; ++i) {
        const double* p = values.array.data() + 3 * i;
        const bool there = std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
        file.clip.positions.push_back(there ? Vec3{p[0], p[1], p[2]} : Vec3{});
        const double weight = sure ? sure->values()[i] : 1.0;
        if (!(weight >= 0.0 && weight <= 1.0)) raiseValue("weights are from 0 to 1");
        file.clip.weights.push_back(there ? weight : 0.0);
    }
    PosePointsOptions options;
    options.points.lengths = valueOf(lengths, "lengths", kLengths);
    options.points.smooth = smooth;
    if (up) {
        options.points.up = pointUpFromName(*up);
        if (!options.points.up) raiseWord(*up, "up", {"x", "-x", "y", "-y", "z", "-z"});
    }
    if (scale) options.points.scale = positive(*scale, "scale");
    const PointLayout roles = take(choosePointLayout(file.clip, c->skeleton, layout.value_or("")));
    LongCall call(progress);
    Result<PosedCharacter> out =
        call.run([&] { return ulna::posePoints(*c, file, roles, options, call.progress()); });
    if (!out) raise(out.error());
    return {makeClip(std::make_shared<const Skeleton>(std::move(out->skeleton)),
                     std::move(out->result.motion)),
            std::move(out->result.report), std::move(out->result.warnings)};
}

}  // namespace

void bindRetarget(py::module_& m) {
    py::class_<Retargeted>(m, "Retargeted", R"(A clip on another body, and what became of it.

    >>> other = ulna.load(ulna.example("ulna-character.bvh"))
    >>> ulna.retarget(c, other).clip.skeleton.joints == other.joints
    True
    )")
        .def_property_readonly(
            "clip", [](const Retargeted& r) { return r.clip; }, "The clip, of the other body.")
        .def_property_readonly(
            "scale", [](const Retargeted& r) { return r.report.scale; },
            "Of the path: legs of the other body over legs of this one.")
        .def_property_readonly(
            "slide_most", [](const Retargeted& r) { return r.report.slide_most; },
            "The largest horizontal speed of soles in contact.")
        .def_property_readonly(
            "penetration", [](const Retargeted& r) { return r.report.penetration; },
            "How far soles are below the floor, at most.")
        .def_property_readonly(
            "limb_angle_mean", [](const Retargeted& r) { return r.report.direction_mean; },
            "The mean angle between limbs of both bodies, in radians.")
        .def_property_readonly(
            "limb_angle_most", [](const Retargeted& r) { return r.report.direction_most; },
            "The largest one.")
        .def_property_readonly(
            "limited_frames", [](const Retargeted& r) { return r.report.limitedFrames(); },
            "Frames in which a joint is at a limit.")
        .def_property_readonly(
            "warnings", [](const Retargeted& r) { return r.warnings; },
            "Feet that still slide, joints that are much faster.");
    py::class_<Cleaned>(m, "Cleaned", R"(A clip that was cleaned.

    >>> ulna.clean(c, smooth=6).clip.frame_count == c.clips[0].frame_count
    True
    )")
        .def_property_readonly(
            "clip", [](const Cleaned& r) { return r.clip; }, "The clip.")
        .def_property_readonly(
            "spike_count", [](const Cleaned& r) { return r.report.spikes.size(); },
            "How many spikes were found.")
        .def_property_readonly(
            "floor_before", [](const Cleaned& r) { return r.report.floor_before; },
            "The height of the ground in the clip as it came.")
        .def_property_readonly(
            "warnings", [](const Cleaned& r) { return r.warnings; },
            "What was found and not repaired.");
    py::class_<Posed>(m, "PosedPoints", R"(A clip made of points.

    >>> joints = [j for j in c.joints if j not in c.skeleton.end_sites]
    >>> points = c.clip("walk").positions()[:, [c.skeleton.index(j) for j in joints]]
    >>> ulna.pose_points(c, points, names=joints).clip.frame_count
    33
    )")
        .def_property_readonly(
            "clip", [](const Posed& r) { return r.clip; }, "The clip.")
        .def_property_readonly(
            "scale", [](const Posed& r) { return r.report.scale; },
            "What the points were multiplied by.")
        .def_property_readonly(
            "noise", [](const Posed& r) { return r.report.noise; },
            "The standard deviation of a coordinate, measured at bones.")
        .def_property_readonly(
            "missing", [](const Posed& r) { return r.report.missing; },
            "How many positions were not given.")
        .def_property_readonly(
            "mean_error", [](const Posed& r) { return r.report.all.mean; },
            "The mean distance of points from those that were given.")
        .def_property_readonly(
            "most_error", [](const Posed& r) { return r.report.all.most; }, "The largest one.")
        .def_property_readonly(
            "warnings", [](const Posed& r) { return r.warnings; }, "What was guessed.");
    m.def("retarget", &retarget, py::arg("source"), py::arg("target"), py::kw_only(),
          py::arg("clip") = py::none(), py::arg("feet") = "auto",
          py::arg("keep") = std::vector<std::string>{"floor", "hands"},
          py::arg("floor") = py::none(), py::arg("to_floor") = 0.0, py::arg("rest") = py::none(),
          py::arg("to_rest") = py::none(), py::arg("limits") = "own",
          py::arg("progress") = py::none(),
          R"(Plays a clip of one body on another, as `ulna retarget` does: feet stay, limits hold.

    The clip is the source's first one unless it is given. `rest` and `to_rest` are poses with straight legs and flat
    feet, where the rest poses are none.

    >>> other = ulna.load(ulna.example("ulna-character.bvh")).scale(100)
    >>> walk = ulna.retarget(c, other)
    >>> 90 < walk.scale < 110
    True
    )");
    m.def("clean", &clean, py::arg("character"), py::kw_only(), py::arg("clip") = py::none(),
          py::arg("spikes") = false, py::arg("smooth") = py::none(), py::arg("floor") = py::none(),
          py::arg("feet") = false, py::arg("rest") = py::none(), py::arg("progress") = py::none(),
          R"(A clip without spikes, noise and sliding feet, and with its floor at a height.

    `smooth` is a frequency in hertz: faster shakes disappear.

    >>> ulna.clean(c, clip=c.clip("walk"), feet=True, floor=0.0).clip.name
    'walk'
    )");
    m.def(
        "pose_points", &posePoints, py::arg("character"), py::arg("points"), py::kw_only(),
        py::arg("fps") = 30.0, py::arg("layout") = py::none(), py::arg("names") = py::none(),
        py::arg("weights") = py::none(), py::arg("lengths") = "keep", py::arg("up") = py::none(),
        py::arg("scale") = py::none(), py::arg("smooth") = true, py::arg("name") = "points",
        py::arg("progress") = py::none(),
        R"(A clip of a character that moves as points do: (frames, points, 3). Points that are NaN are missing.

    `layout` is "coco-17", "human36m-17", "body-25", "mediapipe-33", "smpl-22" or "smpl-24"; `names` are names of joints.

    >>> joints = ["Hips", "Spine2", "Neck", "Head", "LeftArm", "LeftForeArm", "LeftHand", "RightArm", "RightForeArm",
    ...     "RightHand", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    >>> points = c.clip("walk").positions()[:, [c.skeleton.index(j) for j in joints]]
    >>> ulna.pose_points(c, points, names=joints).mean_error < 0.02
    True
    )");
}

}  // namespace ulna::python
