// SPDX-License-Identifier: Apache-2.0
#include "tools/character/body.h"

#include <string>
#include <vector>

#include "tools/character/clip.h"

namespace ulna::maker {
namespace {

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
    body.ball(prefix + "UpLeg", "Hips", {side * 0.09, kHipOffset, 0}, 0.07, degreesRange(-120, 30),
              spread, degreesRange(-45, 45));
    body.hinge(prefix + "Leg", prefix + "UpLeg", {0, -kThigh, 0}, 0.05, {1, 0, 0},
               degreesRange(0, 150));
    body.ball(prefix + "Foot", prefix + "Leg", {0, -kShin, 0}, 0.038, degreesRange(-35, 55),
              degreesRange(-25, 25), degreesRange(-20, 20));
    body.hinge(prefix + "ToeBase", prefix + "Foot", kToe, 0.024, {1, 0, 0}, degreesRange(-75, 30));
    body.end(prefix + "ToeBase", {0, -0.005, 0.065});
}

}  // namespace

Skeleton makeBody() {
    Body body;
    addTorso(body);
    addArm(body, "Left", 1.0);
    addArm(body, "Right", -1.0);
    addLeg(body, "Left", 1.0);
    addLeg(body, "Right", -1.0);
    Result<Skeleton> skeleton = makeSkeleton(std::move(body.joints));
    if (!skeleton) fail(describe(skeleton.error()));
    return *std::move(skeleton);
}

}  // namespace ulna::maker
