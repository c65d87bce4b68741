// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ulna/fit/sequence.h"

namespace {

using namespace ulna;

constexpr std::size_t kPoints = 9, kFrames = 40;
constexpr double kSpacing = 0.3, kLength = kSpacing * (kPoints - 1);

// A strip of cloth along x, moved by points along its middle; each vertex by the two next to it.
FitRig makeStrip() {
    FitRig rig;
    for (std::size_t j = 0; j < kPoints; ++j)
        rig.points.push_back({.rest = {kSpacing * static_cast<double>(j), 0, 0}});
    for (int i = 0; i <= 80; ++i) {
        const double at = static_cast<double>(kPoints - 1) * i / 80.0;
        const auto left = std::min(static_cast<std::size_t>(at), kPoints - 2);
        const auto share = static_cast<float>(at - static_cast<double>(left));
        for (int side = -4; side <= 4; ++side) {
            rig.vertices.push_back({kSpacing * at, 0, 0.05 * side});
            const Influence row[] = {{jointId(left), 1.0f - share}, {jointId(left + 1), share}};
            rig.weights.addRow(row);
        }
    }
    return rig;
}

// Where a hand holds the far end of the strip: it swings up and towards the other end.
Vec3 handAt(std::size_t frame) {
    const double angle = 0.5 * std::sin(2.0 * kPi * static_cast<double>(frame) / kFrames);
    return {0.9 * kLength * std::cos(angle), 0.9 * kLength * std::sin(angle), 0};
}

// The strip as a camera sees it: sagging between its ends, and all of it a little off, because the
// camera has been knocked.
std::vector<Vec3> seenShape(const FitRig& rig, std::size_t frame) {
    std::vector<Vec3> shape;
    for (const Vec3& v : rig.vertices) {
        const double u = v.x / kLength;
        const double sag = 4.0 * 0.45 * u * (1.0 - u);
        shape.push_back(handAt(frame) * u + Vec3{0.03, 0.02 - sag, v.z - 0.02});
    }
    return shape;
}

}  // namespace

int main() {
    // 1. What is known besides the shapes: one end is nailed to the wall, a hand holds the other
    // and rotates it, and a board is sewn into the middle.
    const FitRig loose = makeStrip();
    FitRig held = loose;
    held.points.front().pinned = true;
    held.points.back().freedom = PointFreedom::Driven;
    held.rigid_pairs = {{4, 5}};

    // 2. The hand's motion, frame by frame; of the other points nothing is said.
    std::vector<std::vector<Vec3>> shapes;
    std::vector<ControlPose> driven;
    for (std::size_t frame = 0; frame < kFrames; ++frame) {
        shapes.push_back(seenShape(held, frame));
        driven.push_back(restControlPose(held));
        const Vec3 hand = handAt(frame);
        driven.back().positions.back() = hand;
        driven.back().rotations.back() = quatAboutAxis(2, std::atan2(hand.y, hand.x) + 0.6);
    }
    std::vector<FitTargets> frames;
    for (std::size_t frame = 0; frame < kFrames; ++frame)
        frames.push_back({.positions = shapes[frame], .driven = &driven[frame]});

    // 3. The same shapes fitted with and without what is known.
    const Result<Fitter> free_fitter = Fitter::make(loose), fitter = Fitter::make(held);
    if (!free_fitter || !fitter) return 1;
    const FitSequence free_fit = fitSequence(*free_fitter, frames, restControlPose(loose));
    const FitSequence found = fitSequence(*fitter, frames, restControlPose(held));

    // 4. What was asked for holds to the last digits, and the shape is met as far as that allows.
    double nail = 0.0, hand = 0.0, board = 0.0, drift = 0.0;
    for (std::size_t frame = 0; frame < kFrames; ++frame) {
        const std::vector<Vec3>& at = found.poses[frame].positions;
        nail = std::max(nail, length(at.front()));
        hand = std::max(hand, distance(at.back(), handAt(frame)));
        board = std::max(board, std::abs(distance(at[4], at[5]) - kSpacing));
        drift = std::max(drift, length(free_fit.poses[frame].positions.front()));
        if (frame % 10 == 0)
            std::printf("frame %2zu: RMS %.4f m, without conditions %.4f m\n", frame,
                        found.reports[frame].rms, free_fit.reports[frame].rms);
    }
    std::printf("without conditions the nailed end is up to %.3f m off\n", drift);
    const bool good = nail < 1e-12 && hand < 1e-12 && board < 1e-12 && drift > 0.02;
    std::printf("%s: nail %.0e m, hand %.0e m, board %.0e m off\n",
                good ? "all conditions hold" : "a condition is broken", nail, hand, board);
    return good ? 0 : 1;
}
