// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics of characters: one pose, or a clip.
#include <cmath>

#include "bindings/python/native/ik_arguments.h"
#include "ulna/character/solve.h"
#include "ulna/ik/clip.h"
#include "ulna/ik/two_bone.h"
#include "ulna/skeleton/scale.h"
#include "ulna/skeleton/state.h"

namespace ulna::python {
namespace {

struct Solution {
    PoseObject pose;
    IkReport report;
    std::vector<double> errors;
    std::vector<bool> met;
    Warnings warnings;
};

struct ClipSolution {
    ClipObject clip;
    std::vector<IkReport> reports;
    std::vector<std::size_t> jumps;
    Warnings warnings;
};

std::vector<const Mesh*> skinsOf(const Character& c) {
    std::vector<const Mesh*> out;
    for (const Mesh& mesh : c.meshes)
        if (!mesh.weights.empty()) out.push_back(&mesh);
    return out;
}

Stage stageOf(const Character& c, const Limit& limits) {
    const std::vector<const Mesh*> skins = skinsOf(c);
    StageOptions options{.map = c.bodyMap(), .skins = skins};
    std::shared_ptr<const Skeleton> other;
    if (py::isinstance<SkeletonObject>(limits)) {
        other = limits.cast<SkeletonObject>().skeleton;
    } else if (py::isinstance<CharacterObject>(limits)) {
        other = limits.cast<CharacterObject>().skeleton();
    } else {
        constexpr Word<LimitSource> kLimits[] = {{"own", LimitSource::Own},
                                                 {"none", LimitSource::None},
                                                 {"anatomical", LimitSource::Anatomical}};
        if (!py::isinstance<py::str>(limits))
            raiseType("limits are 'own', 'none', 'anatomical', a skeleton or a character");
        options.limits = valueOf(limits.cast<std::string>(), "limits", kLimits);
    }
    if (other != nullptr) {
        if (other->planar() != c.skeleton.planar())
            raiseValue("limits are those of a skeleton of the same dimension");
        options.limits = LimitSource::Borrowed;
        options.other = other.get();
    }
    Result<Stage> stage = withoutGil([&] { return makeStage(c.skeleton, options); });
    if (!stage) raise(stage.error());
    return *std::move(stage);
}

// How a human body uses the freedom that goals leave it.
void chooseNatural(const std::optional<std::string>& natural, const Stage& stage, bool at_rest,
                   std::span<const IkClipGoal> goals, IkOptions& options) {
    const bool may_be = mayBeNatural(options, goals);
    if (natural && *natural != "pose" && *natural != "afresh" && *natural != "off")
        raiseWord(*natural, "natural", {"pose", "afresh", "off"});
    if (natural && *natural != "off" && (!may_be || !stage.natural))
        raiseValue("natural has no effect: " +
                   std::string(may_be ? "no whole human body is surely recognised"
                                      : "another option says how the body moves"));
    if (may_be && (!natural || *natural != "off")) options.natural = stage.natural;
    if (natural ? *natural == "afresh" : at_rest) options.natural_start = NaturalStart::Afresh;
}

void checkCharacter(const Character& c) {
    if (c.skeleton.jointCount() == 0) raiseValue("the character has no joints");
}

Solution solve(const CharacterObject& c, const Goals& goals, const std::optional<PoseObject>& pose,
               const Limit& limits, const std::optional<std::string>& natural, bool free_root,
               int restarts, const SolverWords& words) {
    checkCharacter(*c);
    if (pose) checkSameJoints(c->skeleton, *pose->skeleton, "the pose");
    if (restarts < 0 || restarts > 100000) raiseValue("restarts are 0 to 100000");
    CustomFailure failure;
    const std::vector<IkClipGoal> wanted = goalsOf(*c, goals, failure);
    for (const IkClipGoal& goal : wanted)
        if (!goal.points.empty() || !goal.orientations.empty() || goal.span)
            raiseValue("one pose has goals with one target; solve_ik_clip takes others");
    const Stage stage = stageOf(*c, limits);
    IkOptions options = solverOptions(c->skeleton, words);
    if (!free_root) holdRoots(c->skeleton, wanted, options);
    const Pose first =
        pose || c->clips.empty() ? restPose(c->skeleton) : samplePose(c->clips.front(), 0.0);
    chooseNatural(natural, stage, !pose && c->clips.empty(), wanted, options);
    const Pose& start = pose ? *pose->pose : first;
    Interrupt interrupt(options);
    Result<SolvedPose> solved = withoutGil([&] {
        return solvePose(c->skeleton, stage, start, wanted, {.ik = options, .restarts = restarts});
    });
    interrupt.finish();
    failure.finish();
    if (!solved) raise(solved.error());
    return {makePose(c.skeleton(), std::move(solved->pose)), std::move(solved->report),
            std::move(solved->judged.errors), std::move(solved->judged.met), stage.warnings};
}

ClipSolution solveClip(const CharacterObject& c, const Goals& goals,
                       const std::optional<ClipObject>& clip, const Limit& limits,
                       const std::optional<std::string>& natural, bool free_root,
                       const SolverWords& words, const MaybeProgress& progress) {
    checkCharacter(*c);
    if (clip) checkSameJoints(c->skeleton, *clip->skeleton, "the clip");
    if (!clip && c->clips.empty()) raiseValue("the character has no clip");
    const Motion frames = take(makeFrames(clip ? *clip->clip : c->clips.front()));
    if (frames.frameCount() == 0) raiseValue("the clip has no frames");
    CustomFailure failure;
    const std::vector<IkClipGoal> wanted = goalsOf(*c, goals, failure);
    const Stage stage = stageOf(*c, limits);
    IkOptions options = solverOptions(c->skeleton, words);
    if (!free_root) holdRoots(c->skeleton, wanted, options);
    chooseNatural(natural, stage, false, wanted, options);
    std::vector<IkClipGoal> staged;
    for (const IkClipGoal& goal : wanted) staged.push_back(stage.toStage(goal));
    LongCall call(progress);
    Result<IkClipResult> solved = call.run([&] {
        return solveIkClip(stage.skeleton, stage.toStage(frames), staged, options, call.progress());
    });
    failure.finish();
    if (!solved) raise(solved.error());
    if (solved->reports.size() < frames.frameCount()) raise({.what = "the work was cancelled"});
    return {makeClip(c.skeleton(), stage.fromStage(solved->motion)), std::move(solved->reports),
            std::move(solved->jumps), stage.warnings};
}

PoseAndError twoBone(const PoseObject& p, const JointRef& start, const JointRef& mid,
                     const JointRef& end, const Numbers& target, const MaybeNumbers& pole,
                     double swivel, double soft, double stretch) {
    const TwoBoneChain chain{jointOf(*p.skeleton, start), jointOf(*p.skeleton, mid),
                             jointOf(*p.skeleton, end)};
    if (!p.skeleton->isAncestor(chain.start, chain.mid) ||
        !p.skeleton->isAncestor(chain.mid, chain.end))
        raiseValue("start is an ancestor of mid, and mid of end");
    TwoBoneGoal goal{
        .target = vec3Of(target, "target"), .swivel = swivel, .soft = soft, .stretch = stretch};
    if (!pole.is_none()) goal.pole = vec3Of(pole, "pole");
    if (!std::isfinite(swivel)) raiseValue("swivel is a finite angle");
    if (!(soft >= 0.0 && soft < 1.0)) raiseValue("soft is from 0 up to, but not including, 1");
    if (!(stretch >= 1.0 && stretch <= 1e6)) raiseValue("stretch is from 1 to 1e6");
    for (const Trs& joint : p.pose->parent_from_joint)
        if (!isUniformScale(joint.scale)) raiseValue("a joint has a scale that is not uniform");
    Pose pose = *p.pose;
    const TwoBoneReport report = solveTwoBone(*p.skeleton, chain, goal, pose);
    return py::make_tuple(makePose(p.skeleton, std::move(pose)), report.status == IkStatus::Reached,
                          report.error);
}

}  // namespace

void bindIk(py::module_& m) {
    bindIkArguments(m);
    py::class_<Solution>(
        m, "IkSolution",
        R"(The answer to a problem of inverse kinematics: a pose, and what became of each goal.

    >>> answer = ulna.solve_ik(c, [ulna.goals.position("LeftHand", [0.3, 1.2, 0.4])])
    >>> answer.report.status, answer.met
    ('reached', [True])
    )")
        .def_property_readonly(
            "pose", [](const Solution& s) { return s.pose; }, "The pose.")
        .def_property_readonly(
            "report", [](const Solution& s) { return s.report; }, "How the solver went.")
        .def_property_readonly(
            "errors", [](const Solution& s) { return s.errors; },
            "The error of each goal, judged by forward kinematics: a length, or an angle in "
            "radians.")
        .def_property_readonly(
            "met", [](const Solution& s) { return s.met; },
            "Whether each goal is within its tolerance.")
        .def_property_readonly(
            "warnings", [](const Solution& s) { return s.warnings; }, "What was decided.");
    py::class_<ClipSolution>(m, "IkClipSolution", R"(The answer for a whole clip.

    >>> answer = ulna.solve_ik_clip(c, [ulna.goals.pin("LeftFoot")])
    >>> len(answer.reports) == c.clips[0].frame_count
    True
    )")
        .def_property_readonly(
            "clip", [](const ClipSolution& s) { return s.clip; }, "The clip.")
        .def_property_readonly(
            "reports", [](const ClipSolution& s) { return s.reports; }, "A report for each frame.")
        .def_property_readonly(
            "jumps", [](const ClipSolution& s) { return s.jumps; },
            "Frames at which a joint rotates by half a radian more than the clip and the targets "
            "ask.")
        .def_property_readonly(
            "warnings", [](const ClipSolution& s) { return s.warnings; }, "What was decided.");

    const auto define = [&](const char* name, const auto& function, auto&&... extra) {
        m.def(name, function, std::forward<decltype(extra)>(extra)...);
    };
    define(
        "solve_ik",
        [](const CharacterObject& c, const Goals& goals, const std::optional<PoseObject>& pose,
           const Limit& limits, const std::string& method,
           const std::optional<std::string>& natural, bool free_root, const MaybeJointRefs& locked,
           const Stiffness& stiffness, const MaybeJointRef& chain, double tolerance,
           double angle_tolerance, int max_iterations, int restarts, std::uint64_t seed,
           bool continuity, bool history) {
            return solve(c, goals, pose, limits, natural, free_root, restarts,
                         {method, locked, stiffness, chain, tolerance, angle_tolerance,
                          max_iterations, seed, continuity, history});
        },
        py::arg("character"), py::arg("goals"), py::kw_only(), py::arg("pose") = py::none(),
        py::arg("limits") = "own", py::arg("method") = "auto", py::arg("natural") = py::none(),
        py::arg("free_root") = false, py::arg("locked") = py::none(),
        py::arg("stiffness") = py::none(), py::arg("chain") = py::none(),
        py::arg("tolerance") = 0.0, py::arg("angle_tolerance") = 1e-4,
        py::arg("max_iterations") = 0, py::arg("restarts") = 8, py::arg("seed") = 1,
        py::arg("continuity") = false, py::arg("history") = false,
        R"(Finds a pose that meets goals, as `ulna ik` does: inside the joint limits, as people move.

    The start is `pose`, or else the first frame of the first clip, or the rest pose. The root is held unless a goal
    pins something or `free_root` is set. Out of reach is an answer, not an error: the report says so.
    `limits` are the file's ("own"), none, those of people ("anatomical"), or those of another skeleton.

    >>> hand = [0.3, 1.2, 0.4]
    >>> answer = ulna.solve_ik(c, [ulna.goals.position("LeftHand", hand), ulna.goals.pin("LeftFoot")])
    >>> np.allclose(answer.pose.positions()[c.skeleton.index("LeftHand")], hand, atol=1e-3)
    True
    )");
    define(
        "solve_ik_clip",
        [](const CharacterObject& c, const Goals& goals, const std::optional<ClipObject>& clip,
           const Limit& limits, const std::string& method,
           const std::optional<std::string>& natural, bool free_root, const MaybeJointRefs& locked,
           const Stiffness& stiffness, const MaybeJointRef& chain, double tolerance,
           double angle_tolerance, int max_iterations, const MaybeProgress& progress) {
            return solveClip(c, goals, clip, limits, natural, free_root,
                             {method, locked, stiffness, chain, tolerance, angle_tolerance,
                              max_iterations, 1, false, false},
                             progress);
        },
        py::arg("character"), py::arg("goals"), py::kw_only(), py::arg("clip") = py::none(),
        py::arg("limits") = "own", py::arg("method") = "auto", py::arg("natural") = py::none(),
        py::arg("free_root") = false, py::arg("locked") = py::none(),
        py::arg("stiffness") = py::none(), py::arg("chain") = py::none(),
        py::arg("tolerance") = 0.0, py::arg("angle_tolerance") = 1e-4,
        py::arg("max_iterations") = 0, py::arg("progress") = py::none(),
        R"(Solves every frame of a clip for goals, each following on from the one before.

    Goals may have a target per frame (`targets`), be pinned, and hold over a range of time (`span`).

    >>> answer = ulna.solve_ik_clip(c, [ulna.goals.aim("Head", [0, 1.5, 5]), ulna.goals.pin("LeftFoot")])
    >>> answer.clip.frame_count == c.clips[0].frame_count
    True
    )");
    m.def(
        "solve_two_bone", &twoBone, py::arg("pose"), py::arg("start"), py::arg("mid"),
        py::arg("end"), py::arg("target"), py::kw_only(), py::arg("pole") = py::none(),
        py::arg("swivel") = 0.0, py::arg("soft") = 0.0, py::arg("stretch") = 1.0,
        R"(Closed form for an arm or a leg: the pose, whether the target was reached, and the distance from it.

    >>> rest = c.skeleton.rest_pose()
    >>> pose, reached, error = ulna.solve_two_bone(rest, "LeftArm", "LeftForeArm", "LeftHand", [0.4, 1.2, 0.2])
    >>> reached
    True
    )");
}

}  // namespace ulna::python
