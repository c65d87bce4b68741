// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ik/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "apps/cli/output.h"
#include "apps/cli/pose_json.h"
#include "apps/cli/save.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/core/text.h"
#include "ulna/io/goals_json.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

// What the pose makes of a goal, as members of the goal's JSON object.
std::string measuredJson(const GoalMeasure& measure, const std::vector<Quat>& orientations,
                         double error) {
    JsonWriter json;
    if (const auto* length = std::get_if<double>(&measure.value))
        json.member(measure.name, *length);
    if (const auto* vector = std::get_if<Vec3>(&measure.value)) json.member(measure.name, *vector);
    if (const auto* rotation = std::get_if<Quat>(&measure.value))
        json.member(measure.name, *rotation);
    if (const auto* joint = std::get_if<JointId>(&measure.value))
        json.member(measure.name, orientations[index(*joint)]);
    if (measure.error_name == "distance") json.member("distance", error);
    if (measure.error_name == "angle_degrees") json.member("angle_degrees", degrees(error));
    return json.take();
}

// The most serious status of all answers: how the whole went.
IkStatus overallStatus(const IkRun& run) {
    IkStatus worst = IkStatus::Reached;
    for (const IkAnswer& answer : run.answers) worst = std::max(worst, answer.report.status);
    return run.all_methods ? run.answers.front().report.status : worst;
}

std::string momentText(const Moment& moment) {
    return moment.frame ? fmt::format("frame {}", *moment.frame) : std::string("rest pose");
}

std::string statusWords(IkStatus status) {
    if (status == IkStatus::MaxIterations) return "stopped";
    std::string out(ikStatusName(status));
    std::replace(out.begin(), out.end(), '_', ' ');
    return out;
}

// `frames`: where in a clip each error is; empty for a single answer.
void appendGoalsText(const Skeleton& skeleton, const IkAnswer& answer,
                     const std::vector<std::size_t>& frames, std::string& out) {
    std::size_t width = 0;
    for (const IkGoal& goal : answer.goals)
        width = std::max(width, describeGoal(skeleton, goal).size());
    for (std::size_t i = 0; i < answer.goals.size(); ++i) {
        const IkGoal& goal = answer.goals[i];
        if (std::holds_alternative<PostureGoal>(goal.kind)) continue;
        fmt::format_to(std::back_inserter(out), "  {:<{}}  {:<6}  error {}{}\n",
                       describeGoal(skeleton, goal), width,
                       !goal.enabled            ? "off"
                       : answer.outcomes[i].met ? "met"
                                                : "missed",
                       describeError(goal, answer.outcomes[i].error),
                       frames.empty() ? std::string() : fmt::format(", frame {}", frames[i]));
    }
}

std::string clipText(const Input& input, const IkRun& run) {
    std::size_t reached = 0, iterations = 0;
    for (const IkAnswer& answer : run.answers) {
        reached += answer.report.status == IkStatus::Reached ? 1 : 0;
        iterations += static_cast<std::size_t>(answer.report.iterations);
    }
    std::string out =
        fmt::format("{}: {} of {} frames reached after {} iterations by {}\n", input.path, reached,
                    run.answers.size(), iterations, ikMethodName(run.answers[0].method));
    // Each goal where it is missed by most.
    IkAnswer worst = run.answers.front();
    std::vector<std::size_t> frames(worst.goals.size(), 0);
    for (std::size_t a = 0; a < run.answers.size(); ++a) {
        for (std::size_t g = 0; g < worst.goals.size(); ++g) {
            // Of a goal that comes and goes, frames in which it holds count.
            const IkAnswer& answer = run.answers[a];
            if (!answer.goals[g].enabled) continue;
            if (worst.goals[g].enabled && answer.outcomes[g].error <= worst.outcomes[g].error)
                continue;
            worst.goals[g] = answer.goals[g];
            worst.outcomes[g] = answer.outcomes[g];
            frames[g] = a;
        }
    }
    out += "the largest error of each goal:\n";
    appendGoalsText(input.skeleton, worst, frames, out);
    return out;
}

std::string methodsText(const IkRun& run) {
    std::string out = fmt::format("{:<18}  {:<14}  {:>10}  {:>14}\n", "method", "status",
                                  "iterations", "worst error *");
    for (const IkAnswer& answer : run.answers) {
        fmt::format_to(std::back_inserter(out), "{:<18}  {:<14}  {:>10}  {:>14}\n",
                       ikMethodName(answer.method), statusWords(answer.report.status),
                       answer.report.iterations, shortNumber(answer.worstError(), 3));
    }
    for (const IkRefusal& refusal : run.refusals) {
        fmt::format_to(std::back_inserter(out), "{:<18}  cannot: {}\n",
                       ikMethodName(refusal.method), refusal.why);
    }
    return out + "* in units of the tolerance: at most 1 is met\n";
}

// Where a pin holds its joint, which other goals call their target.
void writeTarget(GoalKind goal, JsonWriter& json) {
    const GoalTarget target = targetOf(goal);
    if (target.point != nullptr) json.member("target", *target.point);
    if (target.rotation != nullptr) json.member("target", *target.rotation);
}

std::string goalJson(const Skeleton& skeleton, const IkAnswer& answer, std::size_t i) {
    IkClipGoal goal{answer.goals[i], answer.pinned[i], {}, {}};
    JsonWriter results;
    if (const auto* posture = std::get_if<PostureGoal>(&goal.goal.kind)) {
        goal.pinned = !posture->rest.empty();
    } else {
        results.raw(answer.outcomes[i].json);
        if (goal.pinned) writeTarget(goal.goal.kind, results);
        results.member("met", answer.outcomes[i].met);
    }
    return must(io::writeGoal(skeleton, goal, results.take()));
}

// The members of an answer's object: status, goals, pose and the rest.
void writeAnswerMembers(const Skeleton& skeleton, const IkAnswer& answer, bool history,
                        JsonWriter& json) {
    json.member("status", ikStatusName(answer.report.status))
        .member("method", ikMethodName(answer.method))
        .member("iterations", answer.report.iterations)
        .member("attempts", answer.report.attempts)
        .member("gradient", answer.report.gradient)
        .member("frame", answer.moment.frame);
    if (answer.moment.frame)
        json.member("time", answer.moment.time);
    else
        json.null("time");
    json.beginArray("goals");
    for (std::size_t i = 0; i < answer.goals.size(); ++i) json.raw(goalJson(skeleton, answer, i));
    json.endArray().beginObject("pose");
    writePose(skeleton, answer.pose, json);
    json.endObject();
    if (history) json.member("history", answer.report.history);
}

void writeMethods(const Skeleton& skeleton, const IkRun& run, JsonWriter& json) {
    json.beginArray("methods");
    for (const IkAnswer& answer : run.answers) {
        json.onNewLine().beginObject().member("worst", answer.worstError());
        writeAnswerMembers(skeleton, answer, run.history, json);
        json.endObject();
    }
    for (const IkRefusal& refusal : run.refusals) {
        json.onNewLine()
            .beginObject()
            .member("method", ikMethodName(refusal.method))
            .member("status", "cannot")
            .member("reason", refusal.why)
            .endObject();
    }
    json.endArray();
}

enum class AnswerFormat { Motion, Rig, Json };

AnswerFormat formatOfAnswer(const std::string& path) {
    const std::string lower = lowerCase(path);
    for (const char* ending : {".bvh", ".glb", ".gltf"})
        if (lower.ends_with(ending)) return AnswerFormat::Motion;
    if (lower.ends_with(".rig.json")) return AnswerFormat::Rig;
    if (lower.ends_with(".json")) return AnswerFormat::Json;
    failUsage("the format of '" + path + "' is unknown",
              "--out takes .bvh, .glb, .gltf, .rig.json, or .json for what --json prints");
}

Warnings saveMotion(const Input& input, const Motion& motion, const std::string& path) {
    const Clip clip = motion;
    return save({.skeleton = input.skeleton,
                 .clips = {&clip, 1},
                 .meshes = input.meshes,
                 .material_set = &input.material_set},
                path);
}

}  // namespace

bool IkAnswer::met() const {
    return std::all_of(outcomes.begin(), outcomes.end(),
                       [](const GoalOutcome& outcome) { return outcome.met; });
}

double IkAnswer::worstError() const {
    double worst = 0.0;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const double tolerance = errorIsAngle(goals[i].kind) ? angle_tolerance : position_tolerance;
        if (goals[i].enabled) worst = std::max(worst, outcomes[i].error / tolerance);
    }
    return worst;
}

void judge(const Skeleton& skeleton, IkAnswer& answer) {
    const ModelPose model = computeModelPose(skeleton, answer.pose);
    const std::vector<Quat> orientations = printedOrientations(skeleton, answer.pose);
    std::vector<BodyFrame> bodies(skeleton.jointCount());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Affine& a = model.model_from_joint[i];
        bodies[i] = {toMatrix(orientations[i]), a.translation(), length(a.column(0))};
    }
    answer.outcomes.clear();
    for (const IkGoal& goal : answer.goals) {
        GoalOutcome outcome;
        outcome.error = goalError(goal.kind, bodies, skeleton.planar());
        const double tolerance =
            errorIsAngle(goal.kind) ? answer.angle_tolerance : answer.position_tolerance;
        // Rounding between the solver's own sums and these decides nothing.
        outcome.met = !goal.enabled || outcome.error <= tolerance * (1.0 + 1e-6);
        outcome.json = measuredJson(measureGoal(goal.kind, bodies), orientations, outcome.error);
        answer.outcomes.push_back(std::move(outcome));
    }
}

std::string describeError(const IkGoal& goal, double error) {
    return errorIsAngle(goal.kind) ? shortNumber(degrees(error), 3) + " degrees"
                                   : shortNumber(error, 3);
}

std::string describeGoal(const Skeleton& skeleton, const IkGoal& goal) {
    std::string out(goalKindName(goal.kind));
    const GoalBodies bodies = bodiesOf(goal.kind);
    for (std::size_t i = 0; i < bodies.count; ++i) out += ' ' + skeleton.name(bodies.joint[i]);
    return out;
}

std::string textOf(const Input& input, const IkRun& run) {
    if (run.whole_clip) return clipText(input, run);
    std::string out;
    if (run.all_methods) out = methodsText(run) + '\n';
    const IkAnswer& answer = run.answers.front();
    out +=
        fmt::format("{}, {}: {} after {} iteration{} by {}", input.path, momentText(answer.moment),
                    statusWords(answer.report.status), answer.report.iterations,
                    answer.report.iterations == 1 ? "" : "s", ikMethodName(answer.method));
    if (answer.report.attempts > 1) out += fmt::format(", from {} starts", answer.report.attempts);
    out += '\n';
    appendGoalsText(input.skeleton, answer, {}, out);
    return out;
}

std::string jsonOf(const Input& input, const IkStage& stage, const IkRun& run) {
    const Skeleton& skeleton = input.skeleton;
    JsonWriter json = beginDocument();
    if (run.whole_clip) {
        std::size_t iterations = 0;
        for (const IkAnswer& answer : run.answers)
            iterations += static_cast<std::size_t>(answer.report.iterations);
        json.member("status", ikStatusName(overallStatus(run)))
            .member("method", ikMethodName(run.answers[0].method))
            .member("iterations", iterations)
            .beginArray("frames");
        for (const IkAnswer& answer : run.answers) {
            json.onNewLine().beginObject();
            writeAnswerMembers(skeleton, answer, false, json);
            json.endObject();
        }
        json.endArray();
    } else {
        writeAnswerMembers(skeleton, run.answers.front(), run.history, json);
    }
    if (run.all_methods) writeMethods(skeleton, run, json);
    json.member("joints", skeleton.names());
    writeLimits(skeleton, stage, json);
    if (!run.natural.empty()) json.member("natural", run.natural);
    json.beginArray("clamped");
    for (const JointId j : run.clamped) json.value(skeleton.name(j));
    json.endArray().member("warnings", run.warnings);
    return endDocument(json);
}

void checkAnswerPath(const std::string& path) {
    static_cast<void>(formatOfAnswer(path));
}

Warnings writeAnswer(const std::string& path, const Input& input, const IkStage& stage,
                     const IkRun& run) {
    Warnings warnings;
    switch (formatOfAnswer(path)) {
        case AnswerFormat::Motion:
            return saveMotion(input, run.motion, path);
        case AnswerFormat::Rig: {
            io::RigFile rig;
            if (input.rig) rig.name = input.rig->name;
            // Limits of a rig file are in the same axes and may be written; those of a body are
            // not.
            rig.skeleton = stage.limits == LimitSource::Borrowed ? stage.skeleton : input.skeleton;
            const DofClipFit fit = computeDofClip(rig.skeleton, run.motion);
            warnings = residualWarnings(rig.skeleton, fit.worst);
            rig.clips.push_back(stage.anatomy ? fit.clip : run.clip);
            must(io::saveRig(rig, path));
            break;
        }
        case AnswerFormat::Json:
            writeOutput(path, jsonOf(input, stage, run));
            break;
    }
    return warnings;
}

}  // namespace ulna::cli
