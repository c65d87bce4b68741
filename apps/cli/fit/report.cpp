// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/fit/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "apps/cli/output.h"
#include "apps/cli/pose_json.h"
#include "apps/cli/save.h"
#include "ulna/core/number_text.h"
#include "ulna/draw/plot.h"
#include "ulna/io/mesh_files.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

// Distances to the targets of a frame, by vertex of the whole mesh; 0 where none counts.
std::vector<double> distancesOf(const FitAnswer& answer, std::size_t frame, const Mesh& posed) {
    const FitShape& shape = answer.problem.shape;
    const Result<std::vector<Vec3>> target = answer.problem.targets.read(frame);
    if (!target) fail(kBadInput, target.error());
    const std::vector<double> mask = answer.problem.fitter.maskOf(frame);
    const std::vector<double>& masses = answer.problem.constraints.masses;
    std::vector<double> out;
    for (std::size_t v = 0; v < posed.positions.size(); ++v) {
        const std::size_t source = shape.source[v];
        if ((!mask.empty() && mask[source] == 0.0) || (!masses.empty() && masses[source] == 0.0)) {
            out.push_back(0.0);
            continue;
        }
        const Vec3f& now = posed.positions[v];
        const double d = distance({now.x, now.y, now.z}, (*target)[source]);
        out.push_back(std::isfinite(d) ? d : 0.0);
    }
    return out;
}

std::string distanceLabel(const FitAnswer& answer) {
    const std::string unit = unitSymbol(answer.problem.input);
    return unit.empty() ? "distance" : "distance (" + unit + ")";
}

std::string errorPlot(const FitAnswer& answer) {
    std::vector<draw::PlotSeries> series(2);
    series[0].name = "root mean square";
    series[1].name = "farthest vertex";
    double low = 1e300, high = 0.0;
    for (std::size_t f = 0; f < answer.run.reports.size(); ++f) {
        const FitReport& report = answer.run.reports[f];
        const double values[] = {report.rms, report.worst_distance};
        for (std::size_t k = 0; k < 2; ++k) {
            series[k].x.push_back(static_cast<double>(f));
            series[k].y.push_back(values[k]);
            if (values[k] > 0.0) low = std::min(low, values[k]);
            high = std::max(high, values[k]);
        }
    }
    constexpr double kWide = 100.0;  // ratios that a linear axis does not show
    return draw::drawPlot(series, {.title = "distance to the targets",
                                   .x_label = "frame",
                                   .y_label = distanceLabel(answer),
                                   .log_y = high > kWide * low,
                                   .whole_x = true});
}

// The members of what a robust loss made of a frame, or of all frames.
void writeRobust(const std::optional<RobustFit>& robust, JsonWriter& json) {
    if (!robust) return;
    json.beginObject("robust")
        .member("scale", robust->scale)
        .member("median", robust->median)
        .member("weighted_rms", robust->weighted_rms)
        .member("inliers", robust->inliers)
        .member("counted", robust->counted)
        .endObject();
}

void writeFrame(const FitAnswer& answer, std::size_t frame, bool pose, JsonWriter& json) {
    const FitProblem& p = answer.problem;
    const FitReport& report = answer.run.reports[frame];
    json.beginObject()
        .member("frame", frame)
        .member("time", static_cast<double>(frame) * p.targets.frameTime())
        .member("target", p.targets.nameOf(frame))
        .member("status", fitStatusName(report.status))
        .member("rms", report.rms)
        .member("worst_vertex", report.worst_vertex)
        .member("worst_distance", report.worst_distance);
    writeRobust(report.robust, json);
    json.member("iterations", report.iterations)
        .member("rank", report.rank)
        .member("freedoms", report.freedoms);
    if (pose) {
        json.beginObject("pose");
        writePose(p.input.skeleton, answer.run.poses[frame], json);
        json.endObject();
    }
    json.endObject();
}

}  // namespace

std::string fitText(const FitAnswer& answer) {
    const FitSummary s = summarize(answer.run.reports);
    const FitRun& run = answer.run;
    const Targets& targets = answer.problem.targets;
    const FitReport& worst = run.reports[s.worst_vertex];
    std::string out = fmt::format(
        "{}: {} {} of {} vertices, {} {}\n", answer.problem.input.path, run.reports.size(),
        run.reports.size() == 1 ? "frame" : "frames", answer.problem.shape.fitted.positions.size(),
        answer.problem.input.skeleton.jointCount(),
        answer.problem.fitter.byPoints() ? "joints as control points" : "joints");
    auto to = std::back_inserter(out);
    fmt::format_to(to, "rms         {} on average, {} at most, in frame {} ({})\n",
                   shortNumber(s.mean_rms, 4), shortNumber(run.reports[s.worst_rms].rms, 4),
                   s.worst_rms, targets.nameOf(s.worst_rms));
    fmt::format_to(to, "farthest    {}: vertex {} in frame {}\n",
                   shortNumber(worst.worst_distance, 4), worst.worst_vertex, s.worst_vertex);
    if (s.robust) {
        const RobustFit& fewest = *run.reports[s.fewest_inliers].robust;
        fmt::format_to(to, "inliers     {} % of the vertices, {} % at least, in frame {}\n",
                       shortNumber(100.0 * inlierShare(*s.robust), 4),
                       shortNumber(100.0 * inlierShare(fewest), 4), s.fewest_inliers);
        fmt::format_to(to, "median      {} on average; rms {} as the loss weighs it\n",
                       shortNumber(s.robust->median, 4), shortNumber(s.robust->weighted_rms, 4));
    }
    fmt::format_to(to, "iterations  {} on average, {} at most\n", shortNumber(s.mean_iterations, 3),
                   s.most_iterations);
    if (s.unfinished > 0)
        fmt::format_to(to, "unfinished  {} of {} frames did not converge\n", s.unfinished,
                       run.reports.size());
    if (!s.undetermined.empty()) {
        constexpr std::size_t kShown = 12;
        const std::vector<std::string> open =
            namesOf(answer.problem.input.skeleton, s.undetermined);
        const std::size_t shown = std::min(kShown, open.size());
        fmt::format_to(
            to, "open        {}{}\n",
            fmt::join(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
            shown < open.size() ? fmt::format(" and {} more", open.size() - shown) : "");
        out +=
            "            the vertices do not determine these joints; they move as little as "
            "possible\n";
    }
    return out;
}

std::string fitJson(const FitAnswer& answer, bool poses) {
    const FitSummary s = summarize(answer.run.reports);
    const FitProblem& p = answer.problem;
    const FitRun& run = answer.run;
    const FitReport& worst = run.reports[s.worst_vertex];
    JsonWriter json = beginDocument();
    json.member("input", p.input.path)
        .member("output", unlessEmpty(answer.output))
        .member("fitted", p.fitter.byPoints() ? "points" : "joints")
        .member("method", fitMethodName(p.options.method))
        .member("loss", fitLossName(p.options.loss))
        .member("vertices", p.shape.fitted.positions.size())
        .member("size", p.fitter.size())
        .member("frame_time", p.targets.frameTime())
        .beginObject("rms")
        .member("mean", s.mean_rms)
        .member("max", run.reports[s.worst_rms].rms)
        .member("frame", s.worst_rms)
        .endObject()
        .beginObject("worst")
        .member("distance", worst.worst_distance)
        .member("vertex", worst.worst_vertex)
        .member("frame", s.worst_vertex)
        .endObject();
    writeRobust(s.robust, json);
    json.member("unfinished", s.unfinished)
        .member("undetermined", namesOf(p.input.skeleton, s.undetermined));
    if (!p.constraints.pinned.empty()) json.member("worst_pin", run.worst_pin);
    writeLimits(p.input.skeleton, p.stage, json);
    json.member("joints", p.input.skeleton.names()).beginArray("frames");
    for (std::size_t f = 0; f < run.reports.size(); ++f) writeFrame(answer, f, poses, json);
    json.endArray().member("warnings", answer.warnings);
    return endDocument(json);
}

void writeFitReport(const FitAnswer& answer, const std::string& folder) {
    const auto file = [&](std::size_t i) {
        return (std::filesystem::path(folder) / kReportFiles[i]).string();
    };
    writeOutput(file(0), fitJson(answer, false));
    writeOutput(file(1), errorPlot(answer));

    const FitProblem& p = answer.problem;
    const std::size_t frame = summarize(answer.run.reports).worst_rms;
    const ModelPose model = computeModelPose(p.input.skeleton, answer.run.poses[frame]);
    Mesh worst = posedMesh(p.input.skeleton, p.shape.mesh, model);
    const std::vector<double> distances = distancesOf(answer, frame, worst);
    const double most = *std::max_element(distances.begin(), distances.end());
    worst.colors.clear();
    for (const double d : distances)
        worst.colors.push_back(draw::weightColor(static_cast<float>(most > 0.0 ? d / most : 0.0)));
    must(io::saveMesh(worst, file(2)));
    const draw::ShadedOptions seen = shadedOptions({}, 640.0, p.input, p.common);
    const std::string caption = fmt::format("frame {}, up to {} off", frame, shortNumber(most, 2));
    const std::vector<draw::ShadedFigure> figure = {{{{worst}}, caption}};
    const draw::Legend legend{
        .bar = draw::ColorBar{.low = 0.0, .high = most, .label = distanceLabel(answer)}};
    writeOutput(file(3), draw::writePng(draw::withLegend(draw::drawShaded(figure, seen), legend,
                                                         seen.background)));
}

}  // namespace ulna::cli
