// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

#include "ulna/draw/plot.h"
#include "ulna/fit/fitter.h"
#include "ulna/math/random.h"

namespace {

using namespace ulna;

// The indices of the control points: a cage around the body, a chain of joints along the tail, and
// two points on their own.
enum Points : std::size_t { kCage = 0, kTail = 4, kFin = 8, kSpout = 9, kCount = 10 };
constexpr double kTailStart = 0.5, kTailStep = 0.45;
constexpr Vec3 kLow{-1.1, -0.6, 0}, kHigh{0.7, 0.6, 0};

double smoothStep(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// A drawing is lines of vertices; the rig is made along with it.
class Whale {
  public:
    FitRig rig{.planar = true};
    std::vector<std::size_t> line_ends;

    Whale() {
        for (const Vec3& corner : {kLow, Vec3{kHigh.x, kLow.y, 0}, kHigh, Vec3{kLow.x, kHigh.y, 0}})
            rig.points.push_back({.rest = corner, .freedom = PointFreedom::Cage});
        for (int j = 0; j < 4; ++j)
            rig.points.push_back(
                {.rest = {kTailStart + kTailStep * j, 0, 0},
                 .parent = j == 0 ? -1 : static_cast<std::int32_t>(kTail) + j - 1});
        rig.points.push_back({.name = "fin", .rest = {-0.2, -0.35, 0}});
        rig.points.push_back({.name = "spout", .rest = {-0.5, 0.75, 0}});

        // Along the back to the fluke, and home along the belly.
        for (int i = 0; i <= 60; ++i) addBody(-1.1 + 2.9 * i / 60.0, 1.0);
        const Vec3 fluke[] = {
            {1.85, 0.07, 0}, {2.15, 0.35, 0}, {2.0, 0, 0}, {2.15, -0.35, 0}, {1.85, -0.07, 0}};
        for (int i = 0; i + 1 < 5; ++i)
            for (int k = 0; k < 8; ++k) add(fluke[i] + (fluke[i + 1] - fluke[i]) * (k / 8.0));
        for (int i = 60; i >= 0; --i) addBody(-1.1 + 2.9 * i / 60.0, -1.0);
        endLine();
        for (int i = 0; i <= 16; ++i) addArc({-0.65, 0.12, 0}, 0.05, 0.05, 2.0 * kPi * i / 16.0);
        endLine();
        for (int i = 0; i <= 12; ++i)
            addArc({-0.8, 0.0, 0}, 0.25, 0.2, -0.8 * kPi + 0.05 * kPi * i);
        endLine();
        for (int i = 0; i <= 24; ++i) {
            const double t = 2.0 * kPi * i / 24.0;
            addFin({-0.03 + 0.22 * std::cos(t) + 0.06 * std::sin(t),
                    -0.56 - 0.22 * std::cos(t) + 0.06 * std::sin(t), 0});
        }
        endLine();
        for (const double side : {-1.0, 1.0}) {
            for (int i = 0; i <= 12; ++i) {
                const double t = kPi * i / 12.0;
                const Vec3 at{-0.5 + side * 0.12 * (1.0 - std::cos(t)), 0.7 + 0.2 * std::sin(t), 0};
                addVertex(at, {{jointId(kSpout), 1.0f}});
            }
            endLine();
        }
    }

  private:
    void addVertex(const Vec3& at, const std::vector<Influence>& row) {
        rig.vertices.push_back(at);
        rig.weights.addRow(row);
    }
    void endLine() { line_ends.push_back(rig.vertices.size()); }

    // Coordinates in the cage as weights of its corners, as far as nothing else takes a share.
    static std::vector<Influence> cageRow(const Vec3& at, double share) {
        const double u = (at.x - kLow.x) / (kHigh.x - kLow.x);
        const double v = (at.y - kLow.y) / (kHigh.y - kLow.y);
        const double corners[] = {(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v};
        std::vector<Influence> row;
        for (std::size_t j = 0; j < 4; ++j)
            if (share > 0.0)
                row.push_back({jointId(kCage + j), static_cast<float>(share * corners[j])});
        return row;
    }
    // The body hands over to the tail, and each joint of the tail to the next.
    void add(const Vec3& at) {
        const double tail = smoothStep(0.35, 0.65, at.x);
        std::vector<Influence> row = cageRow(at, 1.0 - tail);
        const double along = std::clamp((at.x - kTailStart) / kTailStep - 0.5, 0.0, 3.0);
        const auto joint = std::min(static_cast<std::size_t>(along), std::size_t{2});
        const double next = smoothStep(0.0, 1.0, along - static_cast<double>(joint));
        if (tail * (1.0 - next) > 0.0)
            row.push_back({jointId(kTail + joint), static_cast<float>(tail * (1.0 - next))});
        if (tail * next > 0.0)
            row.push_back({jointId(kTail + joint + 1), static_cast<float>(tail * next)});
        addVertex(at, row);
    }
    void addBody(double x, double side) {
        const double round = 1.0 - (x + 0.1) * (x + 0.1);
        const double body = round > 0.0 ? 0.55 * std::sqrt(round) : 0.0;
        const double tail = x > 0.0 ? 0.07 + 0.15 * (1.8 - x) : 0.0;
        add({x, side * std::max(body, tail), 0});
    }
    void addArc(const Vec3& middle, double wide, double high, double angle) {
        add(middle + Vec3{wide * std::cos(angle), high * std::sin(angle), 0});
    }
    void addFin(const Vec3& at) {
        const double share = smoothStep(0.0, 0.2, distance(at, rig.points[kFin].rest));
        std::vector<Influence> row = cageRow(at, 1.0 - share);
        if (share > 0.0) row.push_back({jointId(kFin), static_cast<float>(share)});
        addVertex(at, row);
    }
};

// The next drawing of the film: the whale takes a breath, curls its tail, lowers its fin and blows.
ControlPose nextPose(const FitRig& rig) {
    ControlPose pose = restControlPose(rig);
    const Vec3 breath[] = {{-0.1, 0.1, 0}, {0.05, -0.15, 0}, {-0.05, 0.2, 0}, {-0.15, 0.35, 0}};
    for (std::size_t j = 0; j < 4; ++j) pose.positions[kCage + j] += breath[j];
    const double curls[] = {-0.1, 0.35, 0.85, 1.3};
    for (std::size_t j = 0; j < 4; ++j) pose.rotations[kTail + j] = quatAboutAxis(2, curls[j]);
    pose.rotations[kFin] = quatAboutAxis(2, -0.9);
    pose.positions[kFin] += Vec3{0.0, 0.05, 0};
    pose.rotations[kSpout] = quatAboutAxis(2, 0.3);
    pose.positions[kSpout] += Vec3{-0.1, 0.45, 0};
    applyHierarchy(rig, pose);
    return pose;
}

// Lines of vertices as one curve, broken between them.
draw::PlotSeries lines(std::string name, const Whale& whale, const std::vector<Vec3>& at) {
    draw::PlotSeries out{.name = std::move(name)};
    std::size_t i = 0;
    for (const std::size_t end : whale.line_ends) {
        for (; i < end; ++i) {
            out.x.push_back(at[i].x);
            out.y.push_back(at[i].y);
        }
        out.x.push_back(std::numeric_limits<double>::quiet_NaN());
        out.y.push_back(0.0);
    }
    return out;
}

// Points as marks, joined by a line where they are a chain.
draw::PlotSeries points(std::string name, const ControlPose& pose,
                        const std::vector<std::size_t>& chain) {
    draw::PlotSeries out{.name = std::move(name)};
    for (const std::size_t j : chain) {
        out.x.push_back(pose.positions[j].x);
        out.y.push_back(pose.positions[j].y);
        out.marks.push_back({out.x.back(), out.y.back()});
    }
    return out;
}

// The heights asked for give both axes one scale.
std::string drawWhale(const std::string& title, double height, const ControlPose& pose,
                      const draw::PlotSeries& drawing, const draw::PlotSeries& fitted) {
    const draw::PlotSeries series[] = {
        points("tail", pose, {kTail, kTail + 1, kTail + 2, kTail + 3}),
        points("cage", pose, {kCage, kCage + 1, kCage + 2, kCage + 3, kCage}),
        points("fin", pose, {kFin}),
        points("spout", pose, {kSpout}),
        drawing,
        fitted};
    return draw::drawPlot(std::span(series).first(fitted.x.empty() ? 5 : 6),
                          {.title = title, .zero_y = false, .width = 860.0, .height = height});
}

}  // namespace

int main(int argc, char** argv) {
    // 1. A drawing and its rig in the plane.
    const Whale whale;
    const FitRig& rig = whale.rig;

    // 2. The next drawing, by a hand that shakes.
    const ControlPose truth = nextPose(rig);
    std::vector<Vec3> drawing = computeVertices(rig, truth);
    Random random(3);
    for (Vec3& v : drawing) {
        v.x += random.between(-0.012, 0.012);
        v.y += random.between(-0.012, 0.012);
    }

    // 3. How the points have moved and rotated.
    Result<Fitter> fitter = Fitter::make(rig);
    if (!fitter) {
        std::fprintf(stderr, "%s\n", describe(fitter.error()).c_str());
        return 1;
    }
    ControlPose pose = restControlPose(rig);
    const FitReport& report = fitter->fit({.positions = drawing}, FitStart::Cold, pose);
    std::printf("%s after %d iterations, RMS %.4f; %zu of %zu freedoms determined\n",
                std::string(fitStatusName(report.status)).c_str(), report.iterations, report.rms,
                report.rank, report.freedoms);

    // 4. Against how the next drawing was made.
    double angle = 0.0, offset = 0.0;
    for (std::size_t j = 0; j < kCount; ++j) {
        angle = std::max(angle, angleBetween(pose.rotations[j], truth.rotations[j]));
        offset = std::max(offset, distance(pose.positions[j], truth.positions[j]));
    }
    const bool good = report.status == FitStatus::Converged && report.rank == report.freedoms &&
                      degrees(angle) < 2.0 && offset < 0.02;
    std::printf("%s: rotations within %.2f degrees, positions within %.4f\n",
                good ? "the pose is found" : "the pose is not found", degrees(angle), offset);

    // 5. Both drawings, where a picture is asked for.
    if (argc > 1) {
        const std::string pictures[] = {
            drawWhale("At rest", 435.0, restControlPose(rig), lines("drawing", whale, rig.vertices),
                      {}),
            drawWhale("The next drawing, and the rig fitted to it", 530.0, pose,
                      lines("drawing", whale, drawing),
                      lines("fitted rig", whale, computeVertices(rig, pose)))};
        std::ofstream(argv[1]) << draw::stackPictures(pictures);
    }
    return good ? 0 : 1;
}
