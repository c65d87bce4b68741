// SPDX-License-Identifier: Apache-2.0
#include "tools/character/figure.h"

#include "tools/character/clip.h"
#include "ulna/ik/two_bone.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::maker {

void Figure::turnHinge(const std::string& name, double angle) {
    at(name).rotation = quatFromAxisAngle(skeleton_.joint(skeleton_.find(name)).axes[0], angle);
}

void Figure::relaxHand(double side, double curl) {
    const std::string hand = sideName(side) + "Hand";
    at(hand + "Thumb1").rotation = quatAboutAxis(1, side * radians(18 * curl));
    turnHinge(hand + "Thumb2", radians(14 * curl));
    turnHinge(hand + "Thumb3", radians(18 * curl));
    double relax = 18.0;
    for (const char* finger : {"Index", "Middle", "Ring", "Pinky"}) {
        const JointDef& knuckle = skeleton_.joint(skeleton_.find(hand + finger + "1"));
        at(hand + finger + "1").rotation =
            quatFromAxisAngle(knuckle.axes[1], radians(relax * curl));
        turnHinge(hand + finger + "2", radians((relax + 10) * curl));
        turnHinge(hand + finger + "3", radians((relax - 4) * curl));
        relax += 4.0;
    }
}

void Figure::placeFoot(double side, const FootPlace& place) {
    const std::string prefix = sideName(side);
    const TwoBoneChain leg{skeleton_.find(prefix + "UpLeg"), skeleton_.find(prefix + "Leg"),
                           skeleton_.find(prefix + "Foot")};
    const Quat hips = at("Hips").rotation;
    const Vec3 hip = computeModelPoint(skeleton_, pose, leg.start, {});
    const Vec3 sideways = rotate(hips * quatAboutAxis(1, place.knee_yaw), Vec3{1, 0, 0});
    const Vec3 pole = hip + cross(place.ankle - hip, sideways);
    if (solveTwoBone(skeleton_, leg, {.target = place.ankle, .pole = pole}, pose).status !=
        IkStatus::Reached)
        fail(prefix + "Foot is out of reach");
    const Quat shin = hips * pose[leg.start].rotation * pose[leg.mid].rotation;
    pose[leg.end].rotation =
        conjugate(shin) * quatAboutAxis(1, place.yaw) * quatAboutAxis(0, place.pitch);
    turnHinge(prefix + "ToeBase", place.toes);
}

void Figure::placeWrist(double side, const Vec3& wrist, const Vec3& pole) {
    const std::string prefix = sideName(side);
    const TwoBoneChain arm{skeleton_.find(prefix + "Arm"), skeleton_.find(prefix + "ForeArm"),
                           skeleton_.find(prefix + "Hand")};
    if (solveTwoBone(skeleton_, arm, {.target = wrist, .pole = pole}, pose).status !=
        IkStatus::Reached)
        fail(prefix + "Hand is out of reach");
}

}  // namespace ulna::maker
