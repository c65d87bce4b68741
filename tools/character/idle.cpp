// SPDX-License-Identifier: Apache-2.0

// The idle: two breaths while the weight goes to the left leg, to the right one and back.
#include "tools/character/clips.h"
#include "tools/character/keys.h"
#include "tools/character/stand.h"

namespace ulna::maker {
namespace {

constexpr double kPeriod = 6.0;
constexpr double kBreath = 3.0;

void keyWeight(const Skeleton& skeleton, KeyedMotion& motion) {
    // The hip over the loaded leg is high, the other drops, and the spine leans back over the feet.
    const Vec3 left{0.026, -0.004, 0.003}, right{-0.022, -0.004, -0.002};
    motion.at(skeleton.find("Hips")).translation =
        loop(kPeriod, {{.time = 0.0, .value = kStandingHips},
                       {.time = 1.3, .value = kStandingHips + left},
                       {.time = 2.2, .value = kStandingHips + left * 1.08},
                       {.time = 3.3, .value = kStandingHips + right * 0.2},
                       {.time = 4.3, .value = kStandingHips + right},
                       {.time = 5.1, .value = kStandingHips + right * 0.9}});
    const AngleKeys lean = {{0.0, 0}, {1.3, 1}, {2.2, 1.1}, {3.3, -0.2}, {4.3, -0.9}, {5.1, -0.8}};
    addTurn(skeleton, "Hips", kY, loop(kPeriod, lean, -1.6), motion);
    addTurn(skeleton, "Hips", kZ, loop(kPeriod, lean, 2.0), motion);
    for (const char* joint : {"Spine", "Spine1", "Spine2"}) {
        addTurn(skeleton, joint, kZ, loop(kPeriod, lean, -1.2), motion);
        addTurn(skeleton, joint, kY, loop(kPeriod, lean, 0.6), motion);
    }
}

void keyBreath(const Skeleton& skeleton, KeyedMotion& motion) {
    const AngleKeys breath = {{0.0, 0}, {0.55, 0.6}, {1.15, 1}, {1.7, 0.6}, {2.3, 0.1}};
    addTurn(skeleton, "Spine1", kX, loop(kBreath, breath, -0.5), motion);
    addTurn(skeleton, "Spine2", kX, loop(kBreath, breath, -1.6), motion);
    addTurn(skeleton, "Neck", kX, loop(kBreath, breath, 1.2), motion);
    for (const double side : kSides) {
        const std::string prefix = sideName(side);
        addTurn(skeleton, prefix + "Shoulder", kY, loop(kBreath, breath, side * 0.8), motion);
        addTurn(skeleton, prefix + "Shoulder", kZ, loop(kBreath, breath, side * 2.2), motion);
    }
}

// The eyes lead, the head follows.
void keyLook(const Skeleton& skeleton, KeyedMotion& motion) {
    const AngleKeys look = {{0.0, 0},  {0.9, 3},  {1.9, 8}, {2.8, 6},
                            {3.8, -4}, {4.7, -7}, {5.5, -2}};
    const AngleKeys glance = {{0.0, 0}, {0.6, 4}, {1.4, 5}, {2.6, -1}, {3.4, -5}, {4.6, -3}};
    const AngleKeys down = {{0.0, 0}, {1.8, 1.5}, {3.2, 0}, {4.6, 2}};
    addTurn(skeleton, "Neck", kY, loop(kPeriod, look, 0.45), motion);
    addTurn(skeleton, "Head", kY, loop(kPeriod, look, 0.55), motion);
    addTurn(skeleton, "Head", kX, loop(kPeriod, down), motion);
    for (const char* eye : {"LeftEye", "RightEye"})
        addTurn(skeleton, eye, kY, loop(kPeriod, glance), motion);
}

// The arms follow the body a little late.
void keyArms(const Skeleton& skeleton, KeyedMotion& motion) {
    const AngleKeys sway = {{0.0, 0}, {1.6, 1}, {2.6, 0.8}, {4.5, -1}, {5.4, -0.7}};
    for (const double side : kSides)
        keyHangingArm(skeleton, side, loop(kPeriod, sway, side * 1.5), motion);
}

}  // namespace

DofClip makeIdle(const Skeleton& skeleton) {
    KeyedMotion motion{.name = "idle", .base = makeStanding(skeleton).pose};
    keyWeight(skeleton, motion);
    keyBreath(skeleton, motion);
    keyLook(skeleton, motion);
    keyArms(skeleton, motion);
    return makeStandingClip(skeleton, motion, kPeriod);
}

}  // namespace ulna::maker
