// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ik/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/output.h"
#include "ulna/core/parallel.h"
#include "ulna/core/text.h"
#include "ulna/gpu/batch.h"
#include "ulna/io/csv.h"
#include "ulna/io/file.h"
#include "ulna/io/npy.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

bool isCsv(const std::string& path) {
    return lowerCase(path).ends_with(".csv");
}

// How many numbers the target of a goal has.
std::size_t widthOf(GoalKind kind) {
    return targetOf(kind).rotation != nullptr ? 4 : 3;
}

// Rows of targets, one after the other.
struct Rows {
    std::size_t count = 0, width = 0;
    std::vector<double> values = {};
};

Rows readRows(const std::string& path, const std::vector<IkGoal>& goals,
              const std::vector<std::size_t>& open) {
    Rows out;
    for (const std::size_t goal : open) out.width += widthOf(goals[goal].kind);
    const Result<io::FileBytes> bytes = io::readFile(path);
    if (!bytes) fail(kBadInput, bytes.error());
    Result<io::NpyArray> array = io::readNpy(bytes->view(), path);
    if (!array) fail(kBadInput, array.error());
    printWarnings(array->warnings);
    std::size_t width = 1;
    for (std::size_t k = 1; k < array->shape.size(); ++k) width *= array->shape[k];
    if (array->shape.size() < 2 || width != out.width)
        fail(kBadInput,
             {.what = "the rows do not have the targets of the goals",
              .location = inFile(path),
              .text = fmt::format("({})", fmt::join(array->shape, ", ")),
              .advice = fmt::format(
                  "{} values a row were expected: 3 for each --goal and 4 for each --orient that "
                  "states no target",
                  out.width)});
    out.count = array->shape[0];
    out.values = std::move(array->values);
    return out;
}

// The problems on the stage's skeleton. Goals that state a target have it in every row.
struct BatchProblem {
    std::vector<IkGoal> goals = {};
    IkBatchProblems problems = {};
    DofVector start = {};
};

BatchProblem problemOf(const IkProblem& problem, const Moment& moment,
                       const std::vector<std::size_t>& open, const BatchOptions& options) {
    const auto& [input, motion, goals, stage, how, hands] = problem;
    Pose pose = poseAt(input, motion, moment);
    poseHands(input.skeleton, hands, pose);
    BatchProblem out;
    out.start = startInside(stage.skeleton, stage.toStage(pose)).dofs;
    const std::vector<IkGoal> stated =
        goalsAt(goals, moment.frame.value_or(0), motion.frameTime(), input.skeleton, pose);
    const Rows rows = readRows(options.targets, stated, open);
    bool rotations = false;
    std::vector<std::size_t> column(stated.size(), 0);
    for (std::size_t i = 0, at = 0; i < open.size(); ++i) {
        column[open[i]] = at + 1;
        at += widthOf(stated[open[i]].kind);
    }
    for (const IkGoal& goal : stated) {
        out.goals.push_back(goal);
        out.goals.back().kind = stage.toStage(goal.kind);
        rotations = rotations || targetOf(out.goals.back().kind).rotation != nullptr;
    }
    const std::size_t n = out.goals.size();
    out.problems.count = rows.count;
    out.problems.points.resize(rows.count * n);
    if (rotations) out.problems.orientations.resize(rows.count * n);
    out.problems.starts = out.start;
    for (std::size_t i = 0; i < rows.count; ++i) {
        for (std::size_t g = 0; g < n; ++g) {
            const double* row = rows.values.data() + i * rows.width + column[g] - 1;
            const GoalTarget own = targetOf(out.goals[g].kind);
            if (own.point != nullptr)
                out.problems.points[i * n + g] =
                    column[g] == 0 ? *own.point
                                   : stage.toStage(stated[g].kind, Vec3{row[0], row[1], row[2]});
            if (own.rotation != nullptr)
                out.problems.orientations[i * n + g] =
                    column[g] == 0
                        ? *own.rotation
                        : stage.toStage(stated[g].kind,
                                        normalized(Quat{row[0], row[1], row[2], row[3]}));
        }
    }
    return out;
}

// What solved them, as people call it.
struct BatchAnswer {
    IkBatchResult result = {};
    std::string device = "processor";
};

BatchAnswer solved(const IkStage& stage, const BatchProblem& problem, const IkOptions& how,
                   const BatchOptions& options) {
    BatchAnswer out;
    if (!options.gpu) {
        Result<IkBatchResult> result =
            solveIkBatch(stage.skeleton, problem.goals, how, problem.problems, options.threads);
        if (!result) fail(kUsage, result.error());
        out.result = *std::move(result);
        return out;
    }
    const Result<std::vector<GpuInfo>> gpus = findGpus();
    if (!gpus)
        fail(kFailed, {.what = gpus.error().what,
                       .text = gpus.error().text,
                       .advice = "without --gpu the processor's cores solve the same batch"});
    Result<GpuBatch> batch = GpuBatch::make(stage.skeleton, problem.goals, how,
                                            {.device = options.device, .base = problem.start});
    if (!batch) fail(kFailed, batch.error());
    Result<IkBatchResult> result = batch->solve(problem.problems);
    if (!result) fail(kFailed, result.error());
    out.result = *std::move(result);
    out.device = gpus->at(static_cast<std::size_t>(options.device)).name;
    return out;
}

// Coordinates of the file's skeleton: human limits have axes of their own.
std::vector<double> answersOf(const IkProblem& problem, const IkBatchResult& result) {
    const Skeleton &own = problem.input.skeleton, &on_stage = problem.stage.skeleton;
    if (problem.stage.limits != LimitSource::Anatomical) return result.dofs;
    const std::size_t from = on_stage.dofCount(), to = own.dofCount();
    std::vector<double> out(result.reports.size() * to);
    parallelFor(result.reports.size(), 256, 0, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::span<const double> dofs(result.dofs.data() + i * from, from);
            const DofFit fit =
                computeDofs(own, problem.stage.fromStage(computePose(on_stage, dofs)));
            std::copy(fit.dofs.begin(), fit.dofs.end(),
                      out.begin() + static_cast<std::ptrdiff_t>(i * to));
        }
    });
    return out;
}

std::string csvOf(const Skeleton& skeleton, const IkBatchResult& result,
                  std::span<const double> answers) {
    const std::size_t n = skeleton.dofCount();
    std::string out = "status,error";
    for (std::size_t d = 0; d < n; ++d) out += "," + io::csvCell(skeleton.dofName(d));
    out += '\n';
    for (std::size_t i = 0; i < result.reports.size(); ++i) {
        fmt::format_to(std::back_inserter(out), "{},{}", ikStatusName(result.reports[i].status),
                       result.reports[i].error);
        for (std::size_t d = 0; d < n; ++d) {
            const double x = answers[i * n + d];
            fmt::format_to(std::back_inserter(out), ",{}", skeleton.isAngle(d) ? degrees(x) : x);
        }
        out += '\n';
    }
    return out;
}

std::string jsonOf(const IkProblem& problem, const std::vector<std::size_t>& open,
                   const BatchAnswer& answer, std::size_t reached) {
    const Skeleton& skeleton = problem.input.skeleton;
    JsonWriter json = beginDocument();
    json.member("file", problem.input.path)
        .member("device", answer.device)
        .member("problems", answer.result.reports.size())
        .member("reached", reached);
    json.beginArray("columns");
    for (const std::size_t goal : open)
        json.value(describeGoal(skeleton, problem.goals[goal].goal));
    json.endArray().beginArray("dofs");
    for (std::size_t d = 0; d < skeleton.dofCount(); ++d) json.value(skeleton.dofName(d));
    json.endArray().beginArray("answers");
    for (const IkBatchReport& report : answer.result.reports) {
        json.onNewLine()
            .beginObject()
            .member("status", ikStatusName(report.status))
            .member("error", report.error)
            .member("iterations", report.iterations)
            .member("attempts", report.attempts)
            .endObject();
    }
    json.endArray();
    return endDocument(json);
}

std::string textOf(const IkProblem& problem, const std::vector<std::size_t>& open,
                   const BatchAnswer& answer, std::size_t reached) {
    const std::size_t count = answer.result.reports.size();
    std::string goals;
    for (const std::size_t goal : open) {
        if (!goals.empty()) goals += ", ";
        goals += describeGoal(problem.input.skeleton, problem.goals[goal].goal);
    }
    std::size_t invalid = 0;
    double worst = 0.0;
    for (const IkBatchReport& report : answer.result.reports) {
        invalid += report.status == IkStatus::BadGoal ? 1 : 0;
        worst = std::max(worst, report.error);
    }
    std::string out = fmt::format("{} problem{} of {}, on the {}\n", count, count == 1 ? "" : "s",
                                  goals, answer.device);
    out += fmt::format(
        "reached {} ({:.2f} %), missed {}", reached,
        count == 0 ? 100.0 : 100.0 * static_cast<double>(reached) / static_cast<double>(count),
        count - reached - invalid);
    if (invalid > 0) out += fmt::format(", {} with targets that are none", invalid);
    return out + fmt::format("; the largest error is {:.3g} of its tolerance\n", worst);
}

}  // namespace

void checkBatchAnswerPath(const std::string& path) {
    if (isCsv(path) || lowerCase(path).ends_with(".npy")) return;
    failUsage("the format of '" + path + "' is unknown",
              "with --batch, --out takes .npy (radians) or .csv (degrees)");
}

bool solveBatch(const IkProblem& problem, const Moment& start, const std::vector<std::size_t>& open,
                const BatchOptions& options) {
    const BatchProblem batch = problemOf(problem, start, open, options);
    const BatchAnswer answer = solved(problem.stage, batch, problem.options, options);
    const std::size_t count = answer.result.reports.size();
    const auto reached = static_cast<std::size_t>(std::count_if(
        answer.result.reports.begin(), answer.result.reports.end(),
        [](const IkBatchReport& report) { return report.status == IkStatus::Reached; }));
    if (!options.out.empty()) {
        const std::vector<double> answers = answersOf(problem, answer.result);
        const std::size_t shape[] = {count, problem.input.skeleton.dofCount()};
        writeOutput(options.out, isCsv(options.out)
                                     ? csvOf(problem.input.skeleton, answer.result, answers)
                                     : io::writeNpy(shape, answers));
    }
    print(options.json ? jsonOf(problem, open, answer, reached)
                       : textOf(problem, open, answer, reached));
    return reached == count;
}

}  // namespace ulna::cli
