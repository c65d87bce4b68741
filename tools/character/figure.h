// SPDX-License-Identifier: Apache-2.0

// Figure: a pose of the body by the names of its joints, with limbs placed by inverse kinematics.
#pragma once

#include <string>

#include "ulna/skeleton/pose.h"

namespace ulna::maker {

/// The sides of the body: 1 for the left, -1 for the right, which is its mirror image.
inline constexpr double kSides[] = {1.0, -1.0};
inline std::string sideName(double side) {
    return side > 0 ? "Left" : "Right";
}

/// Where a foot should be, in model space.
struct FootPlace {
    Vec3 ankle;
    double yaw = 0.0;       ///< about y, first
    double pitch = 0.0;     ///< about x, positive with the toes down
    double toes = 0.0;      ///< of the toe joint, negative when bent up
    double knee_yaw = 0.0;  ///< of the knee's axis from the line through both hips
};

class Figure {
  public:
    explicit Figure(const Skeleton& skeleton) : pose(restPose(skeleton)), skeleton_(skeleton) {}

    Trs& at(const std::string& name) { return pose[skeleton_.find(name)]; }
    void turnHinge(const std::string& name, double angle);

    /// The fingers of a hand that does nothing; with a `curl` below 1 they open.
    void relaxHand(double side, double curl = 1.0);

    /// The ankle to its place with the knee forward, then the foot. Fails out of reach.
    void placeFoot(double side, const FootPlace& place);
    /// The wrist to its place with the elbow towards the pole. Fails out of reach.
    void placeWrist(double side, const Vec3& wrist, const Vec3& pole);

    Pose pose;

  private:
    const Skeleton& skeleton_;
};

}  // namespace ulna::maker
