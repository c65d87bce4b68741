// SPDX-License-Identifier: Apache-2.0

// The run. Time counts cycles, from one strike of the left foot to the next. The hips fall freely
// while both feet are in the air and are pushed up by half a sine while one is down; a foot on the
// ground rolls over it, and in the air follows keys on the thigh, the knee and the ankle.
#include <cmath>
#include <vector>

#include "tools/character/body.h"
#include "tools/character/clip.h"
#include "tools/character/clips.h"
#include "tools/character/figure.h"
#include "tools/character/gait.h"
#include "tools/character/keys.h"

namespace ulna::maker {
namespace {

constexpr std::size_t kFramesPerCycle = 20;
constexpr double kPeriod = kFramesPerCycle * kFrameTime;
constexpr double kStride = 2.0;        // metres per cycle
constexpr double kStance = 0.34;       // share of the cycle a foot is on the ground
constexpr double kReachAhead = 0.135;  // of the heel from the hips at the strike
constexpr double kStrikeHeight = 0.925;
// Arms and the other leg take a part of the bounce off the hips.
constexpr double kBounce = 0.75;

double hipsHeight(double phase) {
    constexpr double kGravity = 9.81;
    const double step = 0.5 * kPeriod;
    const double stance = kStance * kPeriod;
    const double fall = 0.5 * kGravity * (step - stance);  // speed downwards at the strike
    double t = std::fmod(phase, 0.5) * kPeriod;
    double rise = 0.0;
    if (t < stance) {
        // Over a step the push makes up for gravity.
        const double push = kGravity * kPi * step / (2.0 * stance);
        const double rate = kPi / stance;
        rise = -fall * t + push / rate * (t - std::sin(rate * t) / rate) - 0.5 * kGravity * t * t;
    } else {
        t -= stance;
        rise = fall * t - 0.5 * kGravity * t * t;
    }
    return kStrikeHeight + kBounce * rise;
}

// ---- the feet

double stancePitch(double phase) {
    return radians(-7) * (1.0 - smooth(0.0, 0.06, phase)) + radians(66) * smooth(0.1, 0.4, phase);
}

Vec3 groundedAnkle(double phase) {
    return stanceAnkle(kReachAhead - kStride * phase, stancePitch(phase));
}

// A leg seen from the side; the thigh's angle is positive to the front, the knee's when bent. The
// ankle's is the foot's from the shin, positive with the toes down.
struct LegAngles {
    double thigh = 0.0, knee = 0.0, ankle = 0.0;
};

LegAngles groundedLeg(double phase) {
    const Vec3 to = groundedAnkle(phase) - Vec3{0, hipsHeight(phase) + kHipOffset, 0};
    const double cosine = (dot(to, to) - kThigh * kThigh - kShin * kShin) / (2 * kThigh * kShin);
    LegAngles out;
    out.knee = std::acos(std::fmin(1.0, cosine));
    out.thigh = std::atan2(to.z, -to.y) +
                std::atan2(kShin * std::sin(out.knee), kThigh + kShin * std::cos(out.knee));
    out.ankle = stancePitch(phase) + out.thigh - out.knee;
    return out;
}

// The heel kicks up behind, the knee lifts, the shin swings out and comes back to the ground.
class Swing {
  public:
    Swing()
        : thigh_(angles({{0.42, -17}, {0.52, 9}, {0.62, 34}, {0.73, 52}, {0.84, 50}, {0.94, 36}})),
          knee_(angles({{0.42, 58}, {0.52, 100}, {0.62, 110}, {0.73, 94}, {0.84, 56}, {0.94, 24}})),
          ankle_(angles({{0.42, 24}, {0.6, 10}, {0.8, -4}, {0.93, -6}})),
          toes_(angles({{0.43, -8}, {0.5, 0}, {1.0, 0}})) {
        // Two keys on the ground at each end, so that the foot leaves and arrives at its speed.
        for (const double phase : {kStance - 0.02, kStance, 1.0, 1.02}) {
            const LegAngles leg = groundedLeg(phase < 1.0 ? phase : phase - 1.0);
            thigh_.set(phase, leg.thigh);
            knee_.set(phase, leg.knee);
            ankle_.set(phase, leg.ankle);
        }
        toes_.set(kStance, -stancePitch(kStance));
    }

    [[nodiscard]] FootState at(double phase) const {
        const double thigh = sample(thigh_, phase);
        const double shin = thigh - sample(knee_, phase);
        FootState out;
        out.ankle = {
            0, hipsHeight(phase) + kHipOffset - kThigh * std::cos(thigh) - kShin * std::cos(shin),
            kThigh * std::sin(thigh) + kShin * std::sin(shin)};
        out.pitch = sample(ankle_, phase) - shin;
        out.toes = sample(toes_, phase);
        return out;
    }

  private:
    Track<double> thigh_, knee_, ankle_, toes_;
};

FootState footAt(const Swing& swing, double phase) {
    if (phase >= kStance) return swing.at(phase);
    const double pitch = stancePitch(phase);
    return {groundedAnkle(phase), pitch, -std::fmax(0.0, pitch)};
}

// ---- the rest of the body

void keyTorso(const Skeleton& skeleton, KeyedMotion& motion) {
    const AngleKeys turning = {{0.0, 1}, {0.25, 0}, {0.5, -1}, {0.75, 0}};    // left side back
    const AngleKeys leaning = {{0.17, 1}, {0.42, 0}, {0.67, -1}, {0.92, 0}};  // left side up
    const AngleKeys nodding = {{0.0, -1}, {0.2, 1}, {0.5, -1}, {0.7, 1}};
    const auto add = [&](const char* joint, double nod, double lean, double turn, double bent) {
        addTurn(skeleton, joint, kY, loop(1.0, turning, turn), motion);
        addTurn(skeleton, joint, kX, angles({{0.0, bent}}), motion);
        addTurn(skeleton, joint, kX, loop(1.0, nodding, nod), motion);
        addTurn(skeleton, joint, kZ, loop(1.0, leaning, lean), motion);
    };
    add("Hips", 1.0, 3.5, -6, 7);
    for (const char* joint : {"Spine", "Spine1", "Spine2"}) add(joint, 0.5, -1.5, 5, 1.5);
    add("Neck", -0.5, 0.5, -4, -4);
    add("Head", -1.0, 0.5, -5, -5);
}

// Elbows bent, each arm against the leg of its side: farthest back just before its foot strikes.
void keyArm(const Skeleton& skeleton, double side, KeyedMotion& motion) {
    const std::string prefix = sideName(side);
    const double later = side > 0 ? 0.0 : 0.5;
    const auto add = [&](const char* joint, const Vec3& axis, AngleKeys keys, double factor = 1.0) {
        addTurn(skeleton, prefix + joint, axis, loop(1.0, keys, factor, later), motion);
    };
    add("Shoulder", kY, {{0.2, 0}, {0.45, -7}, {0.7, 0}, {0.95, 7}}, side);
    add("Shoulder", kZ, {{0.2, 3}, {0.45, 5}, {0.7, 3}, {0.95, 5}}, side);
    add("Arm", kX, {{0.2, 8}, {0.45, -30}, {0.7, 8}, {0.95, 46}});
    add("Arm", kZ, {{0.2, -76}, {0.45, -78}, {0.7, -76}, {0.95, -70}}, side);
    add("Arm", kX, {{0.2, 8}, {0.45, 14}, {0.7, 8}, {0.95, 2}});
    add("ForeArm", kY, {{0.2, 84}, {0.45, 106}, {0.7, 92}, {0.95, 84}}, -side);
    add("Hand", kZ, {{0.2, -4}, {0.45, -8}, {0.7, -4}, {0.95, -2}}, side);
}

Pose poseAt(const Skeleton& skeleton, const KeyedMotion& keyed, const Swing& swing, double cycle) {
    Figure figure(skeleton);
    samplePose(keyed, cycle, figure.pose);
    // Over the foot that is down.
    figure.at("Hips").translation = {0.012 * std::cos(kTwoPi * (cycle - 0.17)), hipsHeight(cycle),
                                     0.0};
    for (const double side : kSides) {
        const double phase = cycle + (side > 0 ? 0.0 : 0.5);
        const FootState foot = footAt(swing, phase - std::floor(phase));
        figure.placeFoot(side, {.ankle = {side * 0.05, foot.ankle.y, foot.ankle.z},
                                .pitch = foot.pitch,
                                .toes = foot.toes});
    }
    return figure.pose;
}

}  // namespace

DofClip makeRun(const Skeleton& skeleton) {
    Figure base(skeleton);
    for (const double side : kSides) base.relaxHand(side);
    KeyedMotion keyed{.base = base.pose};
    keyTorso(skeleton, keyed);
    for (const double side : kSides) keyArm(skeleton, side, keyed);
    const Swing swing;
    std::vector<Pose> poses;
    for (std::size_t i = 0; i <= kFramesPerCycle; ++i) {
        const double cycle = static_cast<double>(i % kFramesPerCycle) / kFramesPerCycle;
        Pose pose = poseAt(skeleton, keyed, swing, cycle);
        pose[skeleton.find("Hips")].translation.z +=
            kStride * static_cast<double>(i) / kFramesPerCycle;
        poses.push_back(std::move(pose));
    }
    return makeClip(skeleton, "run", poses);
}

}  // namespace ulna::maker
