// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "ulna/motion/float_blend.h"
#include "ulna/motion/player.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace {

using namespace ulna;

// A leg that swings `angle` to and fro in `period` seconds, for ever.
KeyedMotion makeSteps(const Skeleton& skeleton, double period, double angle, double bend) {
    const auto swing = [&](double a, double b, double c) {
        Track<Quat> track({{0.0, quatAboutAxis(0, a)},
                           {0.25 * period, quatAboutAxis(0, b)},
                           {0.75 * period, quatAboutAxis(0, c)},
                           {period, quatAboutAxis(0, a)}});
        track.outside = Outside::Loop;
        return track;
    };
    KeyedMotion out;
    out.base = restPose(skeleton);
    out.at(skeleton.find("hip")).rotation = swing(0.0, -angle, angle);
    out.at(skeleton.find("knee")).rotation = swing(0.5 * bend, bend, 0.1 * bend);
    return out;
}

}  // namespace

int main() {
    // 1. A leg, and two ways to move it.
    const Result<Skeleton> leg =
        makeSkeleton({{.name = "hip"},
                      {.name = "knee", .parent = "hip", .rest = {.translation = {0, -0.43, 0}}},
                      {.name = "foot", .parent = "knee", .rest = {.translation = {0, -0.43, 0}}}});
    if (!leg) return 1;
    const KeyedMotion walk = makeSteps(*leg, 1.1, 0.4, 0.6);
    const KeyedMotion run = makeSteps(*leg, 0.7, 0.8, 1.6);

    // 2. Made ready once, for any number of players.
    Player walking(makePlayable(walk)), running(makePlayable(run));

    // 3. The game's loop. The blend goes from walking to running in two seconds, and the clips keep
    // step: both are at the same part of their period, which lasts as long as the blend says.
    FloatPose walk_pose(leg->jointCount()), run_pose(leg->jointCount()), pose(leg->jointCount());
    double phase = 0.0;
    double largest = 0.0;
    constexpr int kFrames = 120;
    for (int frame = 0; frame <= kFrames; ++frame) {
        const float t = static_cast<float>(frame) / kFrames;
        walking.sample(phase * 1.1, walk_pose);
        running.sample(phase * 0.7, run_pose);
        const Pose exact = samplePose(run, phase * 0.7);
        const BlendLayer layers[] = {{&walk_pose, 1.0f - t}, {&run_pose, t}};
        blendPoses(layers, pose);
        phase += 1.0 / 60.0 / (1.1 + (0.7 - 1.1) * static_cast<double>(t));

        // 4. Where it is, by forward kinematics as for any pose.
        const Vec3 foot = computeModelPose(*leg, toPose(pose)).position(leg->find("foot"));
        if (frame % 24 == 0)
            std::printf("frame %3d  %3.0f %% run  foot at %5.2f %5.2f\n", frame,
                        static_cast<double>(t) * 100.0, foot.z, foot.y);

        // 5. How far playing is from the clip sampled in double.
        const Pose played = toPose(run_pose);
        for (std::size_t j = 0; j < leg->jointCount(); ++j) {
            largest = std::max(
                largest, angleBetween(played[jointId(j)].rotation, exact[jointId(j)].rotation));
        }
    }
    std::printf("played to within %.0e rad of the clip in double\n", largest);
    return largest < 1e-7 ? 0 : 1;
}
