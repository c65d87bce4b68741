// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "tools/character/body.h"
#include "tools/character/clip.h"
#include "tools/character/clips.h"
#include "tools/character/figure.h"
#include "tools/character/gait.h"

namespace ulna::maker {
namespace {

constexpr std::size_t kFramesPerCycle = 32;
constexpr double kStride = 1.16;      // metres per cycle
constexpr double kStance = 0.62;      // share of the cycle a foot is on the ground
constexpr double kReachAhead = 0.25;  // of the heel from the hips at heel strike

// Toes up at heel strike, flat, heel up until toe-off, then back through the swing.
double footPitch(double phase) {
    const double strike = radians(-20), lift = radians(52);
    if (phase < kStance)
        return strike * (1.0 - smooth(0.0, 0.13, phase)) +
               lift * smooth(0.33, kStance + 0.06, phase);
    const double off = lift * smooth(0.33, kStance + 0.06, kStance);
    return off + (strike - off) * smooth(kStance, 0.97, phase);
}

// The ground moves backwards.
Vec3 groundedAnkle(double phase) {
    return stanceAnkle(kReachAhead - kStride * phase, footPitch(phase));
}

FootState footAt(double phase) {
    FootState out;
    out.pitch = footPitch(phase);
    if (phase < kStance) {
        out.ankle = groundedAnkle(phase);
        out.toes = -std::fmax(0.0, out.pitch);  // toes stay on the ground
        return out;
    }
    // From the last moment on the ground to the first, as a Hermite curve that leaves and arrives
    // at the ground's speed, lifted in between.
    constexpr double kStep = 1e-4;
    const Vec3 off = groundedAnkle(kStance);
    const Vec3 off_speed = (off - groundedAnkle(kStance - kStep)) / kStep;
    const Vec3 on = groundedAnkle(0.0);
    const Vec3 on_speed = (groundedAnkle(kStep) - on) / kStep;
    const double span = 1.0 - kStance;
    const double u = (phase - kStance) / span;
    out.ankle = off * (2 * u * u * u - 3 * u * u + 1) +
                off_speed * ((u * u * u - 2 * u * u + u) * span) +
                on * (-2 * u * u * u + 3 * u * u) + on_speed * ((u * u * u - u * u) * span);
    out.ankle.y += 0.025 * std::pow(std::sin(kPi * u), 2.0);
    out.toes = -std::fmax(0.0, footPitch(kStance)) * (1.0 - smooth(kStance, kStance + 0.22, phase));
    return out;
}

void poseTorso(double turn, Figure& figure) {
    const Quat counter = quatAboutAxis(1, radians(3.2) * std::cos(turn)) *
                         quatAboutAxis(2, radians(-1.2) * std::sin(turn - 0.4));
    for (const char* name : {"Spine", "Spine1", "Spine2"})
        figure.at(name).rotation = counter * quatAboutAxis(0, radians(-0.6));
    figure.at("Neck").rotation = quatAboutAxis(1, radians(-2.4) * std::cos(turn));
    figure.at("Head").rotation =
        quatAboutAxis(0, radians(-1.5) + radians(1.2) * std::cos(2 * turn)) *
        quatAboutAxis(1, radians(-2.2) * std::cos(turn));
}

// The arm swings against the leg of its side: back when its own foot strikes.
void poseArm(double side, double turn, Figure& figure) {
    const std::string prefix = sideName(side);
    const double swing = radians(5) + radians(22) * std::cos(turn);
    figure.at(prefix + "Arm").rotation = quatAboutAxis(0, swing) *
                                         quatAboutAxis(2, -side * radians(76)) *
                                         quatAboutAxis(0, radians(-8));
    figure.turnHinge(prefix + "ForeArm", radians(24) - radians(12) * std::cos(turn - 0.4));
    figure.at(prefix + "Hand").rotation = quatAboutAxis(2, side * radians(-4));
    figure.relaxHand(side);
}

Pose poseAt(const Skeleton& skeleton, double cycle) {
    Figure figure(skeleton);
    const double turn = kTwoPi * cycle;
    // Lowest and fastest when both feet are down; over the standing foot in between.
    Trs& hips = figure.at("Hips");
    hips.translation = {0.018 * std::sin(turn - 0.6),
                        kHipsHeight - 0.025 - 0.014 * std::cos(2 * turn - 0.5),
                        kStride * cycle + 0.008 * std::sin(2 * turn)};
    hips.rotation = quatAboutAxis(1, radians(-5) * std::cos(turn)) * quatAboutAxis(0, radians(4)) *
                    quatAboutAxis(2, radians(3) * std::sin(turn - 0.4));
    poseTorso(turn, figure);
    for (const double side : kSides) {
        poseArm(side, turn + (side > 0 ? 0.0 : kPi), figure);
        const double phase = cycle + (side > 0 ? 0.0 : 0.5);
        const FootState foot = footAt(phase - std::floor(phase));
        figure.placeFoot(side,
                         {.ankle = {side * 0.075, foot.ankle.y, foot.ankle.z + kStride * cycle},
                          .yaw = side * radians(4),
                          .pitch = foot.pitch,
                          .toes = foot.toes});
    }
    return figure.pose;
}

}  // namespace

DofClip makeWalk(const Skeleton& skeleton) {
    std::vector<Pose> poses;
    for (std::size_t i = 0; i <= kFramesPerCycle; ++i)
        poses.push_back(poseAt(skeleton, static_cast<double>(i) / kFramesPerCycle));
    return makeClip(skeleton, "walk", poses);
}

}  // namespace ulna::maker
