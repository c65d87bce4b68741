// SPDX-License-Identifier: Apache-2.0

// Makes the bundled character: a humanoid with hands, anatomical limits and a walk, as
// ulna-character.rig.json and ulna-character.bvh in the folder named on the command line.
//
// Metres, y up, facing +z, left at +x, standing in a T-pose with palms down. Everything is stated
// here; no outside data. Numbers are rounded so that the files are the same from every compiler.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "ulna/io/bvh.h"
#include "ulna/io/rig_json.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// ---- the body

constexpr double kThigh = 0.43;
constexpr double kShin = 0.42;
constexpr double kAnkleHeight = 0.085;
constexpr Vec3 kToe{0, -0.065, 0.13};     // of the toe joint, from the ankle
constexpr Vec3 kHeel{0, -0.085, -0.055};  // where the heel meets the ground, from the ankle
constexpr double kHipsHeight = 0.97;

DofLimit degreesRange(double low, double high) {
    return {radians(low), radians(high)};
}

class Body {
  public:
    JointDef& add(const std::string& name, const std::string& parent, const Vec3& offset,
                  JointKind kind, double radius) {
        JointDef joint;
        joint.name = name;
        joint.parent = parent;
        joint.kind = kind;
        joint.rest.translation = offset;
        joint.radius = radius;
        joint.order = EulerOrder::Zxy;
        joints.push_back(std::move(joint));
        return joints.back();
    }
    // A ball limited about x, z and y in turn: bend, lean, twist.
    JointDef& ball(const std::string& name, const std::string& parent, const Vec3& offset,
                   double radius, DofLimit x, DofLimit z, DofLimit y) {
        JointDef& joint = add(name, parent, offset, JointKind::Ball, radius);
        joint.order = EulerOrder::Xzy;
        joint.limits = {x, z, y};
        return joint;
    }
    JointDef& hinge(const std::string& name, const std::string& parent, const Vec3& offset,
                    double radius, const Vec3& axis, DofLimit limit) {
        JointDef& joint = add(name, parent, offset, JointKind::Hinge, radius);
        joint.axes[0] = axis;
        joint.limits[0] = limit;
        return joint;
    }
    void end(const std::string& parent, const Vec3& offset) {
        add(parent + "_end", parent, offset, JointKind::Fixed, 0.0).end_site = true;
    }

    std::vector<JointDef> joints;
};

void addTorso(Body& body) {
    JointDef& hips = body.add("Hips", "", {0, kHipsHeight, 0}, JointKind::Free, 0.085);
    hips.order = EulerOrder::Yxz;
    body.ball("Spine", "Hips", {0, 0.09, -0.01}, 0.08, degreesRange(-25, 40), degreesRange(-20, 20),
              degreesRange(-20, 20));
    body.ball("Spine1", "Spine", {0, 0.12, 0}, 0.085, degreesRange(-20, 30), degreesRange(-20, 20),
              degreesRange(-20, 20));
    body.ball("Spine2", "Spine1", {0, 0.13, 0}, 0.075, degreesRange(-20, 25), degreesRange(-15, 15),
              degreesRange(-25, 25));
    body.ball("Neck", "Spine2", {0, 0.17, 0.005}, 0.045, degreesRange(-35, 40),
              degreesRange(-35, 35), degreesRange(-45, 45));
    body.ball("Head", "Neck", {0, 0.09, 0.015}, 0.06, degreesRange(-30, 30), degreesRange(-25, 25),
              degreesRange(-45, 45));
    body.end("Head", {0, 0.19, 0});
    body.hinge("Jaw", "Head", {0, 0.015, 0.01}, 0.018, {1, 0, 0}, degreesRange(0, 30));
    body.end("Jaw", {0, -0.035, 0.075});
    for (const double side : {1.0, -1.0}) {
        const std::string eye = side > 0 ? "LeftEye" : "RightEye";
        JointDef& joint =
            body.add(eye, "Head", {side * 0.032, 0.07, 0.075}, JointKind::Universal, 0.012);
        joint.axes = {Vec3{0, 1, 0}, Vec3{1, 0, 0}};
        joint.limits[0] = degreesRange(-35, 35);
        joint.limits[1] = degreesRange(-25, 25);
        body.end(eye, {0, 0, 0.025});
    }
}

// `side` is 1 for the left, -1 for the right; the right is the mirror image.
void addHand(Body& body, const std::string& prefix, double side) {
    const std::string hand = prefix + "Hand";
    const Vec3 curl{0, 0, -side};
    struct Finger {
        const char* name;
        double z;  // across the palm
        double palm, lengths[3];
    };
    const Finger fingers[] = {{"Index", 0.030, 0.092, {0.040, 0.024, 0.020}},
                              {"Middle", 0.008, 0.094, {0.044, 0.028, 0.021}},
                              {"Ring", -0.014, 0.089, {0.040, 0.026, 0.020}},
                              {"Pinky", -0.034, 0.081, {0.032, 0.019, 0.018}}};
    JointDef& thumb =
        body.ball(hand + "Thumb1", hand, {side * 0.026, -0.008, 0.026}, 0.014,
                  degreesRange(-35, 35), degreesRange(-35, 35), degreesRange(-50, 50));
    thumb.order = EulerOrder::Yzx;
    body.hinge(hand + "Thumb2", hand + "Thumb1", {side * 0.032, -0.004, 0.032}, 0.012, {0, side, 0},
               degreesRange(-5, 60));
    body.hinge(hand + "Thumb3", hand + "Thumb2", {side * 0.024, 0, 0.022}, 0.011, {0, side, 0},
               degreesRange(-10, 80));
    body.end(hand + "Thumb3", {side * 0.02, 0, 0.018});
    for (const Finger& f : fingers) {
        const std::string name = hand + f.name;
        body.hinge(name + "0", hand, {side * 0.022, 0, f.z * 0.5}, 0.012, curl,
                   degreesRange(-5, 12));
        JointDef& knuckle =
            body.add(name + "1", name + "0", {side * (f.palm - 0.022), 0, f.z * 0.5},
                     JointKind::Universal, 0.011);
        knuckle.axes = {Vec3{0, 1, 0}, curl};  // spread, then curl
        knuckle.limits[0] = degreesRange(-15, 15);
        knuckle.limits[1] = degreesRange(-20, 90);
        body.hinge(name + "2", name + "1", {side * f.lengths[0], 0, 0}, 0.010, curl,
                   degreesRange(0, 110));
        body.hinge(name + "3", name + "2", {side * f.lengths[1], 0, 0}, 0.009, curl,
                   degreesRange(-5, 80));
        body.end(name + "3", {side * f.lengths[2], 0, 0});
    }
}

void addArm(Body& body, const std::string& prefix, double side) {
    const DofLimit shrug = side > 0 ? degreesRange(-10, 35) : degreesRange(-35, 10);
    JointDef& clavicle = body.add(prefix + "Shoulder", "Spine2", {side * 0.03, 0.125, 0.01},
                                  JointKind::Universal, 0.032);
    clavicle.axes = {Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    clavicle.limits[0] = degreesRange(-25, 25);
    clavicle.limits[1] = shrug;
    JointDef& upper = body.add(prefix + "Arm", prefix + "Shoulder", {side * 0.145, 0, -0.01},
                               JointKind::Ball, 0.045);
    upper.cone = ConeLimit{{side, 0, 0}, radians(110), radians(-85), radians(85)};
    body.hinge(prefix + "ForeArm", prefix + "Arm", {side * 0.285, 0, 0}, 0.036, {0, -side, 0},
               degreesRange(0, 150));
    JointDef& wrist =
        body.ball(prefix + "Hand", prefix + "ForeArm", {side * 0.255, 0, 0}, 0.026,
                  degreesRange(-85, 85), degreesRange(-75, 75), degreesRange(-25, 35));
    wrist.order = EulerOrder::Xzy;  // forearm twist, bend, sideways
    addHand(body, prefix, side);
}

void addLeg(Body& body, const std::string& prefix, double side) {
    const DofLimit spread = side > 0 ? degreesRange(-25, 45) : degreesRange(-45, 25);
    body.ball(prefix + "UpLeg", "Hips",
              {side * 0.09, kAnkleHeight + kThigh + kShin - kHipsHeight, 0}, 0.07,
              degreesRange(-120, 30), spread, degreesRange(-45, 45));
    body.hinge(prefix + "Leg", prefix + "UpLeg", {0, -kThigh, 0}, 0.05, {1, 0, 0},
               degreesRange(0, 150));
    body.ball(prefix + "Foot", prefix + "Leg", {0, -kShin, 0}, 0.038, degreesRange(-35, 55),
              degreesRange(-25, 25), degreesRange(-20, 20));
    body.hinge(prefix + "ToeBase", prefix + "Foot", kToe, 0.024, {1, 0, 0}, degreesRange(-75, 30));
    body.end(prefix + "ToeBase", {0, -0.005, 0.065});
}

Skeleton makeBody() {
    Body body;
    addTorso(body);
    addArm(body, "Left", 1.0);
    addArm(body, "Right", -1.0);
    addLeg(body, "Left", 1.0);
    addLeg(body, "Right", -1.0);
    Result<Skeleton> skeleton = makeSkeleton(std::move(body.joints));
    if (!skeleton) {
        std::fprintf(stderr, "make_character: %s\n", describe(skeleton.error()).c_str());
        std::exit(1);
    }
    return *std::move(skeleton);
}

// ---- the walk

constexpr std::size_t kFramesPerCycle = 32;
constexpr double kFrameTime = 1.0 / 30.0;
constexpr double kStride = 1.16;      // metres per cycle
constexpr double kStance = 0.62;      // share of the cycle a foot is on the ground
constexpr double kReachAhead = 0.25;  // of the heel from the hips at heel strike

double smooth(double from, double to, double t) {
    const double u = std::fmin(1.0, std::fmax(0.0, (t - from) / (to - from)));
    return u * u * u * (u * (u * 6.0 - 15.0) + 10.0);
}

// The foot at a phase of its own cycle, 0 at heel strike, in the frame that moves with the body.
struct FootState {
    Vec3 ankle;
    double pitch = 0.0;  // about x, positive with the toes down
    double toes = 0.0;   // of the toe joint, negative when bent up
};

// Toes up at heel strike, flat, heel up until toe-off, then back through the swing.
double footPitch(double phase) {
    const double strike = radians(-20), lift = radians(52);
    if (phase < kStance)
        return strike * (1.0 - smooth(0.0, 0.13, phase)) +
               lift * smooth(0.33, kStance + 0.06, phase);
    const double off = lift * smooth(0.33, kStance + 0.06, kStance);
    return off + (strike - off) * smooth(kStance, 0.97, phase);
}

// The ankle while the foot is on the ground: it turns about the heel, then about the ball.
Vec3 stanceAnkle(double phase, double pitch) {
    const double heel_z = kReachAhead - kStride * phase;  // the ground moves backwards
    const Quat turn = quatAboutAxis(0, pitch);
    if (pitch <= 0.0) {
        return Vec3{0, 0, heel_z} - rotate(turn, kHeel);
    }
    const Vec3 ball{0, kAnkleHeight + kToe.y, heel_z - kHeel.z + kToe.z};
    return ball - rotate(turn, kToe);
}

FootState footAt(double phase) {
    FootState out;
    out.pitch = footPitch(phase);
    if (phase < kStance) {
        out.ankle = stanceAnkle(phase, out.pitch);
        out.toes = -std::fmax(0.0, out.pitch);  // toes stay on the ground
        return out;
    }
    // From the last moment on the ground to the first, as a Hermite curve that leaves and arrives
    // at the ground's speed, lifted in between.
    constexpr double kStep = 1e-4;
    const Vec3 off = stanceAnkle(kStance, footPitch(kStance));
    const Vec3 off_speed = (off - stanceAnkle(kStance - kStep, footPitch(kStance - kStep))) / kStep;
    const Vec3 on = stanceAnkle(0.0, footPitch(0.0));
    const Vec3 on_speed = (stanceAnkle(kStep, footPitch(kStep)) - on) / kStep;
    const double span = 1.0 - kStance;
    const double u = (phase - kStance) / span;
    out.ankle = off * (2 * u * u * u - 3 * u * u + 1) +
                off_speed * ((u * u * u - 2 * u * u + u) * span) +
                on * (-2 * u * u * u + 3 * u * u) + on_speed * ((u * u * u - u * u) * span);
    out.ankle.y += 0.025 * std::pow(std::sin(kPi * u), 2.0);
    out.toes = -std::fmax(0.0, footPitch(kStance)) * (1.0 - smooth(kStance, kStance + 0.12, phase));
    return out;
}

class Walker {
  public:
    explicit Walker(const Skeleton& skeleton) : skeleton_(skeleton) {}

    Pose poseAt(double cycle) {
        pose_ = restPose(skeleton_);
        const double turn = kTwoPi * cycle;
        // Lowest and fastest when both feet are down; over the standing foot in between.
        Trs& hips = at("Hips");
        hips.translation = {0.018 * std::sin(turn - 0.6),
                            kHipsHeight - 0.025 - 0.014 * std::cos(2 * turn - 0.5),
                            kStride * cycle + 0.008 * std::sin(2 * turn)};
        hips.rotation = quatAboutAxis(1, radians(-5) * std::cos(turn)) *
                        quatAboutAxis(0, radians(4)) *
                        quatAboutAxis(2, radians(3) * std::sin(turn - 0.4));
        poseTorso(turn);
        for (const double side : {1.0, -1.0}) {
            poseArm(side, turn + (side > 0 ? 0.0 : kPi));
            const double phase = cycle + (side > 0 ? 0.0 : 0.5);
            poseLeg(side, phase - std::floor(phase), kStride * cycle);
        }
        return pose_;
    }

  private:
    Trs& at(const std::string& name) { return pose_[skeleton_.find(name)]; }
    void turnHinge(const std::string& name, double angle) {
        at(name).rotation = quatFromAxisAngle(skeleton_.joint(skeleton_.find(name)).axes[0], angle);
    }

    void poseTorso(double turn) {
        const Quat counter = quatAboutAxis(1, radians(3.2) * std::cos(turn)) *
                             quatAboutAxis(2, radians(-1.2) * std::sin(turn - 0.4));
        for (const char* name : {"Spine", "Spine1", "Spine2"})
            at(name).rotation = counter * quatAboutAxis(0, radians(-0.6));
        at("Neck").rotation = quatAboutAxis(1, radians(-2.4) * std::cos(turn));
        at("Head").rotation = quatAboutAxis(0, radians(-1.5) + radians(1.2) * std::cos(2 * turn)) *
                              quatAboutAxis(1, radians(-2.2) * std::cos(turn));
    }

    // The arm swings against the leg of its side: back when its own foot strikes.
    void poseArm(double side, double turn) {
        const std::string prefix = side > 0 ? "Left" : "Right";
        const double swing = radians(5) + radians(22) * std::cos(turn);
        at(prefix + "Arm").rotation = quatAboutAxis(0, swing) *
                                      quatAboutAxis(2, -side * radians(76)) *
                                      quatAboutAxis(0, radians(-8));
        turnHinge(prefix + "ForeArm", radians(24) - radians(12) * std::cos(turn - 0.4));
        const std::string hand = prefix + "Hand";
        at(hand).rotation = quatAboutAxis(2, side * radians(-4));
        at(hand + "Thumb1").rotation = quatAboutAxis(1, side * radians(18));
        turnHinge(hand + "Thumb2", radians(14));
        turnHinge(hand + "Thumb3", radians(18));
        double relax = 18.0;
        for (const char* finger : {"Index", "Middle", "Ring", "Pinky"}) {
            const JointDef& knuckle = skeleton_.joint(skeleton_.find(hand + finger + "1"));
            at(hand + finger + "1").rotation = quatFromAxisAngle(knuckle.axes[1], radians(relax));
            turnHinge(hand + finger + "2", radians(relax + 10));
            turnHinge(hand + finger + "3", radians(relax - 4));
            relax += 4.0;
        }
    }

    // Two-bone closed form: the knee by the law of cosines, the hip so that the ankle lands on its
    // target with the knee's axis as near to sideways as it can be.
    void poseLeg(double side, double phase, double travelled) {
        const std::string prefix = side > 0 ? "Left" : "Right";
        const FootState foot = footAt(phase);
        const Vec3 target{side * 0.075, foot.ankle.y, foot.ankle.z + travelled};
        const Quat hips = at("Hips").rotation;
        const Vec3 hip = computeModelPoint(skeleton_, pose_, skeleton_.find(prefix + "UpLeg"), {});
        const Vec3 to = rotate(conjugate(hips), target - hip);
        const double reach = length(to);
        largest_reach = std::fmax(largest_reach, reach / (kThigh + kShin));
        const double cosine =
            (kThigh * kThigh + kShin * kShin - reach * reach) / (2 * kThigh * kShin);
        const double knee = kPi - std::acos(std::fmin(1.0, std::fmax(-1.0, cosine)));
        const Vec3 along = normalizedOr(
            Vec3{0, -kThigh - kShin * std::cos(knee), -kShin * std::sin(knee)}, Vec3{});
        const Vec3 wanted = to / reach;
        const Vec3 sideways = normalizedOr(Vec3{1, 0, 0} - wanted * wanted.x, Vec3{});
        const Mat3 from = Mat3::fromColumns({1, 0, 0}, along, cross(Vec3{1, 0, 0}, along));
        const Mat3 into = Mat3::fromColumns(sideways, wanted, cross(sideways, wanted));
        const Quat up_leg = quatFromMatrix(into * transpose(from));
        at(prefix + "UpLeg").rotation = up_leg;
        turnHinge(prefix + "Leg", knee);
        const Quat shin = hips * up_leg * quatAboutAxis(0, knee);
        at(prefix + "Foot").rotation =
            conjugate(shin) * quatAboutAxis(1, side * radians(4)) * quatAboutAxis(0, foot.pitch);
        turnHinge(prefix + "ToeBase", foot.toes);
    }

    const Skeleton& skeleton_;
    Pose pose_;

  public:
    double largest_reach = 0.0;  // of a leg, as a share of its length
};

double rounded(double value, double step) {
    const double out = std::round(value / step) * step;
    // Through text, so that 0.1 + 0.2 becomes 0.3 and -0 becomes 0.
    char text[64];
    std::snprintf(text, sizeof text, "%.9g", out + 0.0);
    return std::stod(text) + 0.0;
}

DofClip makeWalk(const Skeleton& skeleton) {
    Walker walker(skeleton);
    // One cycle and the frame that starts the next: the clip loops with the stride taken off.
    Motion motion(restPose(skeleton), kFramesPerCycle + 1, kFrameTime, usualTracks(skeleton));
    motion.name = "walk";
    for (std::size_t i = 0; i <= kFramesPerCycle; ++i) {
        motion.setPose(i, walker.poseAt(static_cast<double>(i) / kFramesPerCycle));
    }
    DofClipFit fit = computeDofClip(skeleton, motion);
    double excess = 0.0;
    for (DofVector& frame : fit.clip.frames) {
        for (std::size_t d = 0; d < frame.size(); ++d) {
            frame[d] = skeleton.isAngle(d) ? radians(rounded(degrees(frame[d]), 1e-4))
                                           : rounded(frame[d], 1e-6);
        }
        excess = std::fmax(excess, limitExcess(skeleton, frame));
    }
    std::fprintf(
        stderr,
        "walk: leg reach %.4f of its length, residual %.2g rad (%s), outside limits by %.3g\n",
        walker.largest_reach, fit.worst.rotation_residual,
        fit.worst.rotation_joint == JointId::None ? "-"
                                                  : skeleton.name(fit.worst.rotation_joint).c_str(),
        excess);
    if (walker.largest_reach >= 1.0 || fit.worst.rotation_residual > 1e-6 || excess > 0.0) {
        std::fprintf(stderr, "make_character: the walk does not fit the body\n");
        std::exit(1);
    }
    return fit.clip;
}

io::BvhFile makeBvhFile(const Skeleton& skeleton, const DofClip& walk) {
    io::BvhFile file = io::makeBvh(skeleton, computeMotion(skeleton, walk));
    for (double& value : file.values) value = rounded(value, 1e-5);
    for (io::BvhJoint& joint : file.joints) {
        for (std::size_t i = 0; i < 3; ++i) joint.offset[i] = rounded(joint.offset[i], 1e-6);
    }
    return file;
}

int run(const std::string& folder) {
    io::RigFile rig;
    rig.name = "Ulna";
    rig.skeleton = makeBody();
    rig.clips.push_back(makeWalk(rig.skeleton));
    const Status saved = io::saveRig(rig, folder + "/ulna-character.rig.json");
    const Status written =
        io::saveBvh(makeBvhFile(rig.skeleton, rig.clips[0]), folder + "/ulna-character.bvh");
    for (const Status* status : {&saved, &written}) {
        if (status->ok()) continue;
        std::fprintf(stderr, "make_character: %s\n", describe(status->error()).c_str());
        return 1;
    }
    return 0;
}

}  // namespace
}  // namespace ulna

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_character FOLDER\n");
        return 2;
    }
    return ulna::run(argv[1]);
}
