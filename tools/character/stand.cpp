// SPDX-License-Identifier: Apache-2.0
#include "tools/character/stand.h"

#include <cmath>
#include <vector>

#include "tools/character/body.h"
#include "tools/character/clip.h"
#include "tools/character/keys.h"

namespace ulna::maker {
namespace {

// An arm that hangs: turns about x, z and x again, and the elbow's.
constexpr double kSwing = radians(2), kDrop = radians(80), kTwist = radians(4);
constexpr double kElbow = radians(16);

Track<double> shifted(const Track<double>& track, double by) {
    Track<double> out = track;
    for (const Key<double>& key : track.keys()) out.set(key.time, key.value + by);
    return out;
}

}  // namespace

Figure makeStanding(const Skeleton& skeleton) {
    Figure figure(skeleton);
    figure.at("Hips").translation = kStandingHips;
    for (const double side : kSides) {
        const std::string prefix = sideName(side);
        figure.at(prefix + "Arm").rotation =
            quatAboutAxis(0, kSwing) * quatAboutAxis(2, -side * kDrop) * quatAboutAxis(0, kTwist);
        figure.turnHinge(prefix + "ForeArm", kElbow);
        figure.at(prefix + "Hand").rotation = quatAboutAxis(2, side * radians(-4));
        figure.relaxHand(side);
    }
    return figure;
}

void plantFeet(Figure& figure) {
    // Nobody stands quite evenly: the left foot is a little ahead, the right turned out more.
    figure.placeFoot(
        1.0, {.ankle = {0.105, kAnkleHeight, 0.015}, .yaw = radians(7), .knee_yaw = radians(5)});
    figure.placeFoot(
        -1.0,
        {.ankle = {-0.105, kAnkleHeight, -0.025}, .yaw = radians(-12), .knee_yaw = radians(-8)});
}

void keyHangingArm(const Skeleton& skeleton, double side, const Track<double>& swing,
                   KeyedMotion& motion) {
    const std::string prefix = sideName(side);
    const auto still = [](double angle) { return angles({{0.0, degrees(angle)}}); };
    addTurn(skeleton, prefix + "Arm", kX, shifted(swing, kSwing), motion);
    addTurn(skeleton, prefix + "Arm", kZ, still(-side * kDrop), motion);
    addTurn(skeleton, prefix + "Arm", kX, still(kTwist), motion);
    addTurn(skeleton, prefix + "ForeArm", -side * kY, shifted(swing, kElbow), motion);
}

DofClip makeStandingClip(const Skeleton& skeleton, const KeyedMotion& keyed, double duration) {
    const auto frames = static_cast<std::size_t>(std::lround(duration / kFrameTime));
    std::vector<Pose> poses;
    for (std::size_t i = 0; i <= frames; ++i) {
        Figure figure(skeleton);
        samplePose(keyed, static_cast<double>(i) * kFrameTime, figure.pose);
        plantFeet(figure);
        poses.push_back(std::move(figure.pose));
    }
    return makeClip(skeleton, keyed.name, poses);
}

}  // namespace ulna::maker
