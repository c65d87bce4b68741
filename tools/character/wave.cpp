// SPDX-License-Identifier: Apache-2.0

// The wave: the right hand goes up, out and in twice, and down again. Inverse kinematics finds the
// arm for each place the wrist passes; between them the joints move, so that the hand goes in arcs.
#include <vector>

#include "tools/character/clips.h"
#include "tools/character/keys.h"
#include "tools/character/stand.h"

namespace ulna::maker {
namespace {

constexpr double kDuration = 3.0;

void keyArm(const Skeleton& skeleton, KeyedMotion& motion) {
    struct WristKey {
        double time;
        Vec3 wrist;
        Vec3 pole;  // the elbow's
    };
    // Above, the elbow stays and the forearm swings.
    const Vec3 above{-0.4, 1.32, 0.1}, out{-0.51, 1.54, 0.21}, in{-0.29, 1.545, 0.22};
    const Vec3 below{-0.6, 0.7, -0.4};
    const WristKey raised[] = {{0.55, {-0.40, 1.16, 0.27}, below},
                               {0.90, out, above},
                               {1.20, in, above},
                               {1.50, out, above},
                               {1.80, in, above},
                               {2.05, {-0.42, 1.5, 0.24}, above},
                               {2.35, {-0.38, 1.12, 0.26}, below}};
    Figure hanging = makeStanding(skeleton), figure = hanging;
    std::vector<Key<Quat>> arm;
    std::vector<Key<double>> elbow;
    const auto add = [&](double time, Figure& from) {
        arm.push_back({.time = time, .value = from.at("RightArm").rotation});
        elbow.push_back({.time = time, .value = rotationAngle(from.at("RightForeArm").rotation)});
    };
    for (const double time : {0.0, 0.1, 0.2}) add(time, hanging);
    figure.at("RightShoulder").rotation = quatAboutAxis(2, radians(-10));
    for (const WristKey& key : raised) {
        figure.placeWrist(-1.0, key.wrist, key.pole);
        add(key.time, figure);
    }
    for (const double time : {2.75, 2.9, kDuration}) add(time, hanging);
    motion.at(skeleton.find("RightArm")).rotation = Track<Quat>(std::move(arm));
    addTurn(skeleton, "RightForeArm", kY, Track<double>(std::move(elbow)), motion);
    addTurn(skeleton, "RightShoulder", kZ,
            angles({{0.2, 0}, {0.5, -5}, {0.9, -12}, {1.9, -12}, {2.4, -4}, {2.8, 0}}), motion);
    // The wrist trails behind the forearm.
    addTurn(skeleton, "RightHand", kX, angles({{0.2, 0}, {0.8, -10}, {1.9, -10}, {2.7, 0}}),
            motion);
    addTurn(skeleton, "RightHand", kZ,
            angles({{0.2, 4}, {0.5, 16}, {0.9, -16}, {1.9, -18}, {2.3, 12}, {2.7, 4}}), motion);
    addTurn(skeleton, "RightHand", kY,
            angles({{0.3, 0},
                    {0.7, -8},
                    {1.0, 12},
                    {1.3, -14},
                    {1.6, 14},
                    {1.9, -12},
                    {2.2, 4},
                    {2.6, 0}}),
            motion);
}

void keyBody(const Skeleton& skeleton, KeyedMotion& motion) {
    // The weight goes to the leg opposite to the arm.
    const Vec3 shift{0.018, -0.003, -0.004};
    const Key<Vec3> hips[] = {{.time = 0.0, .value = kStandingHips},
                              {.time = 0.15, .value = kStandingHips},
                              {.time = 0.9, .value = kStandingHips + shift},
                              {.time = 1.9, .value = kStandingHips + shift * 0.9},
                              {.time = 2.7, .value = kStandingHips},
                              {.time = kDuration, .value = kStandingHips}};
    motion.at(skeleton.find("Hips")).translation =
        Track<Vec3>(std::vector<Key<Vec3>>(std::begin(hips), std::end(hips)));
    const AngleKeys lean = {{0.0, 0}, {0.15, 0}, {0.9, 1}, {1.9, 0.9}, {2.7, 0}, {kDuration, 0}};
    addTurn(skeleton, "Hips", kZ, angles(lean, 1.4), motion);
    for (const char* joint : {"Spine", "Spine1", "Spine2"}) {
        addTurn(skeleton, joint, kZ, angles(lean, 0.5), motion);
        addTurn(skeleton, joint, kY, angles(lean, -1.8), motion);
    }
    // The head turns to whom it greets before the hand is up, tilts a little, and turns back.
    const AngleKeys look = {{0.0, 0}, {0.1, 0}, {0.6, 1},      {1.2, 1.05},
                            {2.0, 1}, {2.6, 0}, {kDuration, 0}};
    addTurn(skeleton, "Neck", kY, angles(look, -5), motion);
    addTurn(skeleton, "Head", kY, angles(look, -8), motion);
    addTurn(skeleton, "Head", kX, angles({{0.2, 0}, {0.8, -3}, {1.3, 1}, {1.6, -2}, {2.5, 0}}),
            motion);
    addTurn(skeleton, "Head", kZ, angles(look, 4), motion);
    keyHangingArm(skeleton, 1.0, angles(lean, 4), motion);
}

// The fingers of the hand that waves open as it rises.
void keyFingers(const Skeleton& skeleton, KeyedMotion& motion) {
    Figure relaxed = makeStanding(skeleton), open = makeStanding(skeleton);
    open.relaxHand(-1.0, 0.35);
    for (const JointDef& joint : skeleton.definitions()) {
        if (joint.name.rfind("RightHand", 0) != 0 || joint.name == "RightHand") continue;
        if (joint.kind == JointKind::Fixed) continue;
        const Quat& from = relaxed.at(joint.name).rotation;
        const Quat& to = open.at(joint.name).rotation;
        motion.at(skeleton.find(joint.name)).rotation = Track<Quat>({{.time = 0.2, .value = from},
                                                                     {.time = 0.4, .value = from},
                                                                     {.time = 0.9, .value = to},
                                                                     {.time = 2.0, .value = to},
                                                                     {.time = 2.6, .value = from},
                                                                     {.time = 2.8, .value = from}});
    }
}

}  // namespace

DofClip makeWave(const Skeleton& skeleton) {
    KeyedMotion motion{.name = "wave", .base = makeStanding(skeleton).pose};
    keyArm(skeleton, motion);
    keyBody(skeleton, motion);
    keyFingers(skeleton, motion);
    return makeStandingClip(skeleton, motion, kDuration);
}

}  // namespace ulna::maker
