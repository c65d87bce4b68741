// SPDX-License-Identifier: Apache-2.0

// RobotFile: what a file that describes a robot holds, whether it is URDF (io/urdf.h) or MuJoCo XML
// (io/mjcf.h).
//
// Lengths are metres, z points up and x forward by the conventions of both formats; nothing is
// converted. A joint of the skeleton has the name of the file's joint. Links that are welded to
// their parent are fixed joints and have the name of the link, and so has a base that moves freely:
// it is a joint that has no coordinate of its own in tables of motions (io/robot_motion.h).
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "ulna/math/transform.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skeleton/skeleton.h"
#include "ulna/skin/primitive_mesh.h"

namespace ulna::io {

/// A joint that moves, in the order in which the file has them.
struct RobotJoint {
    JointId joint = JointId::None;
    /// The value that the file gives to the rest pose: its coordinates are those of the skeleton
    /// plus this. Radians, or metres of a joint that slides; `ref` in MuJoCo XML, 0 in URDF.
    double reference = 0.0;
    /// The fastest that it may move, in radians or metres per second.
    double speed_limit = std::numeric_limits<double>::infinity();

    friend bool operator==(const RobotJoint&, const RobotJoint&) = default;
};

/// A solid that is part of a link.
struct RobotShape {
    std::string name = {};  ///< may be empty
    JointId joint = JointId::None;
    Rigid joint_from_shape = {};
    Primitive primitive = {};
    Color color = {128, 128, 128, 255};
};

struct RobotFile {
    std::string name = {};  ///< of the robot; may be empty
    Skeleton skeleton = {};
    std::vector<RobotJoint> joints = {};  ///< all that move but the free bases
    std::vector<RobotShape> shapes = {};
    std::vector<DofClip> poses = {};  ///< named poses (MuJoCo's keyframes), each of one frame
    Warnings warnings = {};           ///< what was left out
};

/// The speed limits of the degrees of freedom, one for each; infinite where the file has none.
[[nodiscard]] std::vector<double> speedLimitsOf(const RobotFile& robot);

/// Every length multiplied by `factor`, to go with scaledSkeleton; the skeleton and the shapes
/// stay.
void scaleLengths(RobotFile& robot, double factor);

/// The shapes as a mesh in the rest pose, whose vertices are bound to their joints with weight 1
/// and have their colours; none where there are no shapes.
[[nodiscard]] std::vector<Mesh> meshesOf(const RobotFile& robot);

}  // namespace ulna::io
