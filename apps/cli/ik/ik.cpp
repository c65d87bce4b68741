// SPDX-License-Identifier: Apache-2.0

// ulna ik: a pose, or a whole clip, that meets goals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "apps/cli/arguments.h"
#include "apps/cli/ik/batch.h"
#include "apps/cli/ik/goals.h"
#include "apps/cli/ik/solve.h"
#include "apps/cli/output.h"
#include "ulna/character/plausible.h"
#include "ulna/character/solve.h"
#include "ulna/character/warnings.h"
#include "ulna/core/text.h"
#include "ulna/draw/figure.h"

namespace ulna::cli {
namespace {

struct Options {
    std::string file, out, plot;
    InputOptions input;
    FrameOptions frames;
    GoalOptions goals;
    LimitOptions limits;
    std::string method = "auto";
    std::vector<std::string> locked, stiffness;
    std::string chain;
    std::string natural;
    std::vector<std::string> without, hands;
    bool free_root = false;
    std::optional<double> tolerance, angle_tolerance, step, damping, joint_damping;
    std::optional<int> max_iterations;
    std::optional<int> restarts;
    std::optional<std::uint64_t> seed;
    bool continuity = false;
    bool no_line_search = false;
    std::string ccd_direction;
    bool history = false;
    bool strict = false;
    BatchOptions batch;
};

// Options that would do nothing are refused rather than ignored.
void checkEffect(const Options& options) {
    const auto needsMethod = [&](bool given, const char* option,
                                 std::initializer_list<const char*> methods) {
        if (!given || options.method == "all") return;
        for (const char* method : methods)
            if (options.method == method) return;
        failUsage(fmt::format("{} has no effect with --method {}", option, options.method),
                  fmt::format("it is an option of {}", fmt::join(methods, ", ")));
    };
    needsMethod(options.step.has_value(), "--step",
                {"pinv", "dls", "gradient", "projected-gradient", "transpose"});
    needsMethod(options.damping.has_value(), "--damping", {"dls"});
    needsMethod(options.no_line_search, "--no-line-search", {"gradient", "projected-gradient"});
    needsMethod(options.joint_damping.has_value(), "--joint-damping", {"ccd"});
    needsMethod(!options.ccd_direction.empty(), "--ccd-direction", {"ccd"});
    needsMethod(options.restarts.has_value(), "--restarts", {"auto"});
    needsMethod(options.seed.has_value(), "--seed", {"auto"});
    needsMethod(!options.natural.empty() && options.natural != "off", "--natural", {"auto"});
    if (options.seed && options.restarts == 0)
        failUsage("--seed has no effect with --restarts 0, which tries no other start");
    const bool no_restarts = options.frames.all || options.continuity;
    if ((options.restarts.value_or(0) > 0 || options.seed) && no_restarts)
        failUsage(fmt::format("{} has no effect with {}, which tries no other start",
                              options.restarts ? "--restarts" : "--seed",
                              options.frames.all ? "--all" : "--continuity"));
}

// Many rows of targets are one kind of work, of which little else is asked.
void checkBatch(const Options& options) {
    const bool batch = !options.batch.targets.empty();
    if (!batch && options.batch.gpu)
        failUsage("--gpu has no effect without --batch", "one pose is solved on the processor");
    if (!batch && options.batch.device != 0) failUsage("--device has no effect without --gpu");
    if (!batch) return;
    const auto refuse = [](bool given, const std::string& option) {
        if (given) failUsage(fmt::format("{} has no effect with --batch", option));
    };
    refuse(options.frames.all, "--all");
    refuse(!options.plot.empty(), "--plot");
    refuse(options.history, "--history");
    refuse(options.method != "auto", "--method " + options.method);
    refuse(!options.natural.empty() && options.natural != "off", "--natural");
    refuse(!options.batch.gpu && options.batch.device != 0, "--device without --gpu");
    if (options.batch.device < 0) failUsage("--device is 0 or more");
    if (!lowerCase(options.batch.targets).ends_with(".npy"))
        failUsage("the targets are an array of NumPy; '" + options.batch.targets +
                  "' should end in .npy");
    if (!options.out.empty()) checkBatchAnswerPath(options.out);
}

void checkOptions(const Options& options) {
    checkBatch(options);
    const auto positive = [](const std::optional<double>& value, const char* name) {
        if (value && !(*value > 0.0 && *value <= 1e100))
            failUsage(std::string(name) + " must be above 0");
    };
    positive(options.tolerance, "--tolerance");
    positive(options.angle_tolerance, "--angle-tolerance");
    positive(options.step, "--step");
    positive(options.damping, "--damping");
    positive(options.joint_damping, "--joint-damping");
    if (options.max_iterations && *options.max_iterations < 1)
        failUsage("--max-iterations must be 1 or more");
    if (options.restarts && (*options.restarts < 0 || *options.restarts > 100000))
        failUsage("--restarts must be 0 to 100000");
    checkEffect(options);
    if (options.method == "all" && options.frames.all)
        failUsage("--method all compares on one frame", "leave out --all, or choose a method");
    if (!options.out.empty() && options.batch.targets.empty()) checkAnswerPath(options.out);
    if (!options.plot.empty() && !lowerCase(options.plot).ends_with(".svg"))
        failUsage("the picture is an SVG file; '" + options.plot + "' should end in .svg");
}

// Where the model faces and what is up, as far as a skeleton tells.
struct Compass {
    Vec3 up = {0, 1, 0};
    Vec3 forward = {0, 0, 1};
};

Compass compassOf(const Input& input) {
    if (input.skeleton.planar()) return {{0, 1, 0}, {1, 0, 0}};
    if (upAxisOf(input) == UpAxis::Z) return {{0, 0, 1}, {0, -1, 0}};
    return {};
}

IkOptions solverOptions(const Options& options, const Skeleton& skeleton,
                        const std::vector<IkClipGoal>& goals) {
    IkOptions out;
    out.method = ikMethodFromName(options.method).value_or(IkMethod::Auto);
    out.position_tolerance = options.tolerance.value_or(0.0);
    if (options.angle_tolerance) out.angle_tolerance = radians(*options.angle_tolerance);
    out.max_iterations = options.max_iterations.value_or(0);
    out.seed = options.seed.value_or(1);
    out.continuity = options.continuity;
    out.record_history = options.history || !options.plot.empty();
    if (options.step) out.step = *options.step;
    if (options.damping) out.damping = *options.damping;
    if (options.joint_damping) out.joint_damping = radians(*options.joint_damping);
    out.line_search = !options.no_line_search;
    if (options.ccd_direction == "root-to-end") out.ccd_direction = CcdDirection::RootToEnd;
    for (const std::string& name : options.locked)
        out.locked.push_back(findJoint(skeleton, name, "--lock"));
    for (const std::string& text : options.stiffness) {
        const Assignment a = splitAssignment(text, "--stiffness", "JOINT=s");
        const double stiffness = parseNumber(a.value, "--stiffness");
        if (stiffness < 0.0) failUsage("--stiffness '" + text + "' cannot be negative");
        out.stiffness.push_back({findJoint(skeleton, a.name, "--stiffness"), stiffness});
    }
    if (!options.chain.empty()) out.chain = findJoint(skeleton, options.chain, "--chain");
    if (!options.free_root) holdRoots(skeleton, goals, out);
    return out;
}

// Refuses rules that are not kept in any case.
void checkRules(const Options& options, const IkOptions& how) {
    for (const std::string& rule : options.without) {
        if (!how.natural)
            failUsage(
                fmt::format("--without {} has no effect, because poses are not natural", rule));
        if (how.natural_start == NaturalStart::Afresh)
            failUsage(
                fmt::format("--without {} has no effect on a pose that is taken afresh", rule),
                "use --natural pose to change the pose that is there");
        if (options.frames.all && rule != "bulk" && rule != "pairs")
            failUsage(fmt::format("--without {} has no effect with --all", rule),
                      "the poses of a clip keep the bulk of the body and pairs of angles alone");
    }
}

// Human bodies take natural poses, unless the caller holds the answer near the start in another
// way.
void chooseNatural(const Options& options, const IkStage& stage, const Moment& moment,
                   const std::vector<IkClipGoal>& goals, IkOptions& how) {
    const bool asked = !options.natural.empty() && options.natural != "off";
    if (asked && !stage.natural)
        failUsage(
            "--natural has no effect: no whole human body is surely recognised by the names "
            "or the shape of the joints",
            "hips, a spine, a head, and both arms and legs are needed; a map can name them "
            "(--map)");
    if (asked && (options.continuity || !options.chain.empty()))
        failUsage(fmt::format("--natural has no effect with {}",
                              options.continuity ? "--continuity" : "--chain"));
    const bool posture = std::any_of(goals.begin(), goals.end(), [](const IkClipGoal& goal) {
        return std::holds_alternative<PostureGoal>(goal.goal.kind);
    });
    if (asked && posture) failUsage("--natural has no effect beside a posture");
    const bool off = options.natural == "off" || options.method == "all";
    if (!off && mayBeNatural(how, goals)) how.natural = stage.natural;
    const bool at_rest = !moment.frame && !options.frames.all;
    if (options.natural == "afresh" || (options.natural.empty() && at_rest))
        how.natural_start = NaturalStart::Afresh;
    checkRules(options, how);
    const auto keeps = [&](std::string_view rule) {
        return std::find(options.without.begin(), options.without.end(), rule) ==
               options.without.end();
    };
    how.natural_rules = {.balance = keeps("balance"),
                         .floor = keeps("floor"),
                         .bulk = keeps("bulk"),
                         .pairs = keeps("pairs")};
}

// Whether a joint that may rotate or slide moves a goal's bodies.
bool canMove(const Skeleton& skeleton, const IkOptions& options, const GoalKind& goal) {
    const auto moves = [&](JointId j) {
        const bool in_chain = options.chain == JointId::None || j == options.chain ||
                              skeleton.isAncestor(options.chain, j);
        return in_chain && skeleton.dofCount(j) > 0 && !skeleton.joint(j).locked &&
               std::find(options.locked.begin(), options.locked.end(), j) == options.locked.end();
    };
    const GoalBodies bodies = bodiesOf(goal);
    if (bodies.count == 0) return true;
    const auto* position = std::get_if<PositionGoal>(&goal);
    const auto* plane = std::get_if<PlaneGoal>(&goal);
    const bool position_only = (position != nullptr && position->point == Vec3{}) ||
                               (plane != nullptr && plane->point == Vec3{});
    for (std::size_t b = 0; b < bodies.count; ++b) {
        const JointId joint = bodies.joint[b];
        if (moves(joint) && (!position_only || slides(skeleton.kind(joint)))) return true;
        for (const JointId above : skeleton.ancestors(joint)) {
            if (moves(above)) return true;
        }
    }
    return false;
}

void warnAboutIdleGoals(const Skeleton& skeleton, const IkOptions& options, bool root_is_held,
                        const std::vector<IkClipGoal>& goals, Warnings& warnings) {
    for (const IkClipGoal& goal : goals) {
        if (!goal.goal.enabled || goal.pinned || canMove(skeleton, options, goal.goal.kind))
            continue;
        warnings.push_back(
            {.what = "no joint that may move has an effect on the goal '" +
                     describeGoal(skeleton, goal.goal) + "'",
             .advice = root_is_held ? "the root is held; --free-root lets it move" : ""});
    }
}

// Targets per frame must be as many as there are frames, also where one frame is solved; ranges are
// inside the clip, and of a clip.
void checkTimes(const Skeleton& skeleton, const std::vector<IkClipGoal>& goals,
                const Motion& motion, bool all) {
    const std::size_t frames = motion.frameCount();
    for (const IkClipGoal& goal : goals) {
        const std::size_t targets = std::max(goal.points.size(), goal.orientations.size());
        if (targets != 0 && targets != frames)
            failUsage(fmt::format("the goal '{}' has {} targets for {} frames",
                                  describeGoal(skeleton, goal.goal), targets, frames),
                      "give one target, or one per frame");
        if (!goal.span) continue;
        if (!all)
            failUsage(
                fmt::format("the goal '{}' holds over a range of time, and one pose is solved",
                            describeGoal(skeleton, goal.goal)),
                "--all solves every frame");
        const Status status = checkSpan(*goal.span, frames, motion.frameTime());
        if (!status)
            failUsage(fmt::format("the goal '{}': {}", describeGoal(skeleton, goal.goal),
                                  status.error().what),
                      status.error().advice);
    }
}

void sayClamped(const Skeleton& skeleton, const std::vector<JointId>& clamped) {
    if (clamped.empty()) return;
    std::vector<std::string> names;
    for (const JointId j : clamped) names.push_back(skeleton.name(j));
    printNote(fmt::format("{} joints are outside their limits in the file and are moved inside: {}",
                          names.size(), fmt::join(names, ", ")));
}

void warnAboutJumps(const std::vector<std::size_t>& jumps, Warnings& warnings) {
    if (jumps.empty()) return;
    warnings.push_back(
        {.what = fmt::format("the answer jumps at frame {}: a joint rotates by half a radian more "
                             "than the clip and the targets ask",
                             fmt::join(jumps, ", ")),
         .advice = "a posture goal with a small weight holds the body"});
    printWarnings({warnings.back()});
}

int run(const Options& options, const Common& common) {
    checkOptions(options);
    const Input input = load(options.file, options.input, common);
    printWarnings(input.warnings);
    const Skeleton& skeleton = input.skeleton;
    const Compass compass = compassOf(input);
    GoalOptions stated = options.goals;
    stated.batch = !options.batch.targets.empty();
    const auto [goals, open] = makeGoals(stated, skeleton, compass.up, compass.forward);
    if (stated.batch && open.empty())
        failUsage("every goal states its target, and the batch has none to give",
                  "--goal JOINT, without '=x,y,z', takes it from the rows");
    const std::vector<HandChoice> hands = chooseHands(options.hands, input);
    const Motion motion = withHands(skeleton, hands, input.clip(options.frames.clip));
    const std::vector<Moment> moments = chooseMoments(input, motion, options.frames);
    checkTimes(skeleton, goals, motion, options.frames.all);
    IkOptions how = solverOptions(options, skeleton, goals);
    const IkStage stage = stageOf(input, motion, options.limits);
    if (stated.batch) {
        how.restarts = options.continuity ? 0 : options.restarts.value_or(kUsualRestarts);
        BatchOptions batch = options.batch;
        batch.out = options.out;
        batch.threads = common.threads;
        batch.json = common.json;
        printWarnings(stage.warnings);
        const bool all =
            solveBatch({input, motion, goals, stage, how, hands}, moments.front(), open, batch);
        return all || !options.strict ? kDone : kGoalMissed;
    }
    chooseNatural(options, stage, moments.front(), goals, how);

    const IkProblem problem{input, motion, goals, stage, how, hands};

    IkRun result;
    result.whole_clip = options.frames.all;
    result.all_methods = options.method == "all";
    result.history = options.history;
    if (how.natural) result.natural = how.natural_start == NaturalStart::Pose ? "pose" : "afresh";
    result.warnings = stage.warnings;
    warnAboutIdleGoals(stage.skeleton, how, how.locked.size() > options.locked.size(), goals,
                       result.warnings);
    append(goalWarnings(skeleton, poseAt(input, motion, moments.front()), goals,
                        moments.front().frame.value_or(0)),
           result.warnings);
    printWarnings(result.warnings);
    if (result.whole_clip)
        solveClip(problem, result);
    else
        solveOneFrame(problem, moments.front(), options.restarts.value_or(kUsualRestarts), result);
    sayClamped(skeleton, result.clamped);
    warnAboutJumps(result.jumps, result.warnings);
    result.warnings.insert(result.warnings.begin(), input.warnings.begin(), input.warnings.end());

    if (!options.out.empty()) {
        const Warnings lost = writeAnswer(options.out, input, stage, result);
        printWarnings(lost);
        result.warnings.insert(result.warnings.end(), lost.begin(), lost.end());
    }
    if (!options.plot.empty()) {
        const Pose before = poseAt(input, motion, moments.front());
        writeOutput(options.plot, plotOf(input, before, result));
    }
    print(common.json ? jsonOf(input, stage, result) : textOf(input, result));
    if (!options.strict) return kDone;
    // Of several methods, the one whose answer is given counts.
    const std::size_t counted = result.all_methods ? 1 : result.answers.size();
    for (std::size_t i = 0; i < counted; ++i) {
        if (!result.answers[i].met()) return kGoalMissed;
    }
    return kDone;
}

void addSolverOptions(Tool& tool, CLI::App* verb, Options& options) {
    std::vector<std::string> methods;
    for (const IkMethod method : kAllIkMethods) methods.emplace_back(ikMethodName(method));
    methods.emplace_back("all");
    oneOf(tool,
          verb->add_option("--method", options.method,
                           "How to solve (default auto); all compares every method"),
          methods);
    const auto each = [&](const char* name, std::vector<std::string>& to, const char* description,
                          const char* form) {
        verb->add_option(name, to, description)->allow_extra_args(false)->type_name(form);
    };
    each("--lock", options.locked, "Keep this joint as it is; repeatable", "JOINT");
    each("--stiffness", options.stiffness,
         "Move this joint 1 / (1 + s) as much as others; repeatable", "JOINT=s");
    verb->add_option("--chain", options.chain, "Move only this joint and those below it")
        ->type_name("JOINT");
    oneOf(tool,
          verb->add_option("--natural", options.natural,
                           "How a human body uses the freedom that goals leave it: pose changes "
                           "the pose it has as people would (default), afresh takes a usual pose "
                           "whatever it has (default from the rest pose), off moves as little as "
                           "it can"),
          {"pose", "afresh", "off"});
    oneOf(tool,
          verb->add_option("--without", options.without,
                           "What a natural pose need not keep: balance over the feet that stand, "
                           "the floor below them, the bulk of the body, or the pairs of angles "
                           "that people take together; repeatable"),
          {"balance", "floor", "bulk", "pairs"});
    each("--hand", options.hands,
         "Hold a hand (left, right or both) flat, relaxed, open, as a grip, fist, point or pinch, "
         "or by how far fingers are curled (0 to 1) and spread (-1 to 1) and the thumb is opposed "
         "to them (0 to 1): left=fist, both=0.4,0.2,1; repeatable",
         "SIDE=SHAPE");
    verb->add_flag(
        "--free-root", options.free_root,
        "Let the root move too; without this option it is held, unless something is pinned");
    isFile(tool, verb->add_option("--limits", options.limits.limits,
                                  "anatomical, none, or a .rig.json file with the limits "
                                  "(default: those of the file)"));
    verb->add_option(
            "--rest-frame", options.limits.rest_frame,
            "With --limits anatomical: the frame that is a T-pose, where the rest pose is not "
            "one")
        ->type_name("N");
    verb->add_option("--tolerance", options.tolerance,
                     "Largest distance from a target that counts as met (default 1e-4 of the "
                     "skeleton's height)")
        ->type_name("LENGTH");
    verb->add_option("--angle-tolerance", options.angle_tolerance,
                     "Largest angle from a target that counts as met (default 0.0057)")
        ->type_name("DEGREES");
    verb->add_option("--max-iterations", options.max_iterations,
                     "Largest number of iterations per attempt (default: depends on the method)")
        ->type_name("N");
    verb->add_option(
            "--restarts", options.restarts,
            "With method auto: other start poses to try where a goal is missed (default 8)")
        ->type_name("N");
    verb->add_option("--seed", options.seed, "Seed of the random start poses (default 1)")
        ->type_name("N");
    verb->add_flag("--continuity", options.continuity,
                   "Stay near the start pose; clips always do, from frame to frame");
    verb->add_option("--step", options.step,
                     "pinv, dls, gradient: the length of a step (default 1)")
        ->type_name("F");
    verb->add_option("--damping", options.damping, "dls: the damping (default 0.1)")
        ->type_name("F");
    verb->add_flag("--no-line-search", options.no_line_search,
                   "gradient, projected-gradient: take steps of fixed length");
    verb->add_option("--joint-damping", options.joint_damping,
                     "ccd: the largest rotation of a joint per sweep")
        ->type_name("DEGREES");
    oneOf(tool,
          verb->add_option("--ccd-direction", options.ccd_direction,
                           "ccd: the direction of a sweep (default end-to-root)"),
          {"end-to-root", "root-to-end"});
}

}  // namespace

void addIk(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<Options>(
        tool, common, "ik", "Inverse kinematics: find a pose, or a clip, that meets goals",
        "  ulna ik walk.bvh --goal LeftHand=0.4,1.3,0.3 --out reach.bvh\n"
        "  ulna ik walk.bvh --frame 12 --goal LeftHand=0.4,1.3,0.3 --pole LeftForeArm=1,1,-1\n"
        "  ulna ik walk.bvh --all --pin LeftFoot --pin RightFoot --aim Head=0,1.5,5 --out "
        "look.bvh\n"
        "  ulna ik walk.bvh --goals goals.json --limits anatomical --strict --json\n"
        "  ulna ik arm.rig.json --goal hand=0.3,0.2,0 --method all --plot methods.svg\n"
        "  ulna ik arm.urdf --goal hand --orient hand --batch targets.npy --gpu --out answers.npy",
        run);
    addFileArgument(tool, verb, options->file);
    addGoalOptions(tool, verb, options->goals);
    addSolverOptions(tool, verb, *options);
    excludeEachOther(
        {verb->add_option("--frame", options->frames.frame, "The frame to start from (default 0)")
             ->type_name("N"),
         verb->add_flag("--all", options->frames.all,
                        "Solve every frame, each starting from the one before"),
         verb->add_flag("--rest", options->frames.rest, "Start from the rest pose")});
    addClipOption(verb, options->frames.clip);
    addOutOption(
        tool, verb, options->out,
        "Write the answer as .bvh, .rig.json, or .json (what --json prints); of a batch, the "
        "coordinates as .npy (a row per problem, in radians) or .csv (degrees)");
    isFile(tool,
           verb->add_option("--batch", options->batch.targets,
                            "Solve many problems, each from the start's pose: a row of this "
                            ".npy file has the targets of the goals that state none, such as "
                            "--goal JOINT (3 values) and --orient JOINT (4), in their order"));
    verb->add_flag("--gpu", options->batch.gpu, "Solve the batch on an NVIDIA GPU");
    verb->add_option("--device", options->batch.device,
                     "Which GPU, as ulna info --gpu lists them (default 0)")
        ->type_name("N");
    isOutput(tool, verb->add_option("--plot", options->plot,
                                    "Write an SVG picture: error over iterations, the pose before "
                                    "and after; with --all, error over frames"));
    verb->add_flag("--history", options->history,
                   "With --json, print the error after each iteration");
    verb->add_flag("--strict", options->strict, "Exit with code 4 when a goal is missed");
    addMapOption(tool, verb, options->input);
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
