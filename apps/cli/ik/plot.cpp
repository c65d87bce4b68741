// SPDX-License-Identifier: Apache-2.0

// The picture of `ulna ik --plot`.
#include <fmt/format.h>

#include "apps/cli/ik/output.h"
#include "ulna/draw/figure.h"
#include "ulna/draw/plot.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

// The positions that goals name, to mark in the figures.
std::vector<Vec3> positionsOf(const std::vector<IkGoal>& goals) {
    std::vector<Vec3> out;
    for (const IkGoal& goal : goals) {
        if (!goal.enabled) continue;
        if (const auto* position = std::get_if<PositionGoal>(&goal.kind))
            out.push_back(position->target);
        if (const auto* aim = std::get_if<AimGoal>(&goal.kind)) out.push_back(aim->target);
        if (const auto* pole = std::get_if<PoleGoal>(&goal.kind)) out.push_back(pole->pole);
    }
    return out;
}

std::vector<draw::PlotSeries> historiesOf(const IkRun& run) {
    std::vector<draw::PlotSeries> out;
    for (const IkAnswer& answer : run.answers) {
        draw::PlotSeries series{std::string(ikMethodName(answer.method)), {}, {}};
        for (std::size_t i = 0; i < answer.report.history.size(); ++i) {
            series.x.push_back(static_cast<double>(i));
            series.y.push_back(answer.report.history[i]);
        }
        out.push_back(std::move(series));
    }
    return out;
}

// One curve per goal over the frames of a clip.
std::vector<draw::PlotSeries> errorsOf(const Skeleton& skeleton, const IkRun& run) {
    std::vector<draw::PlotSeries> out;
    const IkAnswer& first = run.answers.front();
    for (std::size_t g = 0; g < first.goals.size(); ++g) {
        if (std::holds_alternative<PostureGoal>(first.goals[g].kind)) continue;
        draw::PlotSeries series{describeGoal(skeleton, first.goals[g]), {}, {}};
        const double tolerance =
            errorIsAngle(first.goals[g].kind) ? first.angle_tolerance : first.position_tolerance;
        for (std::size_t a = 0; a < run.answers.size(); ++a) {
            if (!run.answers[a].goals[g].enabled) continue;
            series.x.push_back(static_cast<double>(a));
            series.y.push_back(run.answers[a].outcomes[g].error / tolerance);
        }
        if (!series.x.empty()) out.push_back(std::move(series));
    }
    return out;
}

}  // namespace

std::string plotOf(const Input& input, const Pose& before, const IkRun& run) {
    const Skeleton& skeleton = input.skeleton;
    const std::string name = input.path.substr(input.path.rfind('/') + 1);
    draw::PlotOptions how;
    how.y_label = "largest error / tolerance";
    how.log_y = true;
    how.whole_x = true;
    how.level = 1.0;
    how.level_label = "tolerance";
    how.x_label = run.whole_clip ? "frame" : "iteration";
    how.title = name;
    if (run.whole_clip) {
        how.y_label = "error / tolerance";
        return draw::drawPlot(errorsOf(skeleton, run), how);
    }
    // Nine methods and the pose before them, in rows as wide as the plot.
    if (run.all_methods) how.width = 1100.0;
    draw::FigureOptions figure;
    figure.up = upAxisOf(input);
    figure.height = run.all_methods ? 320.0 : 420.0;
    figure.max_width = how.width;
    figure.unit = unitSymbol(input);
    if (skeleton.planar()) figure.view = draw::View::Front;
    const std::vector<Vec3> marks = positionsOf(run.answers.front().goals);
    std::vector<draw::FigurePose> poses = {{computeModelPose(skeleton, before), "before", marks}};
    for (const IkAnswer& answer : run.answers) {
        poses.push_back({computeModelPose(skeleton, answer.pose),
                         run.all_methods ? std::string(ikMethodName(answer.method)) : "after",
                         marks});
    }
    const std::string pictures[] = {draw::drawPlot(historiesOf(run), how),
                                    draw::drawFigures(skeleton, poses, figure)};
    return draw::stackPictures(pictures);
}

}  // namespace ulna::cli
