// SPDX-License-Identifier: Apache-2.0

// What people do next with a robot that was read, for the fuzz targets of its two formats.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include "ulna/io/rig_json.h"
#include "ulna/io/robot_motion.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::fuzz {

inline void require(bool condition) {
    if (!condition) std::abort();
}

/// Every joint that moves is one of the skeleton, meshes are sound, and a table of its rest pose
/// reads back as that pose.
inline void useRobot(const io::RobotFile& robot) {
    const Skeleton& skeleton = robot.skeleton;
    require(skeleton.jointCount() > 0);
    for (const io::RobotJoint& each : robot.joints) require(skeleton.dofCount(each.joint) > 0);
    require(io::speedLimitsOf(robot).size() == skeleton.dofCount());
    for (const Mesh& mesh : io::meshesOf(robot)) {
        require(checkMesh(mesh).ok());
        for (const Vec3f& p : mesh.positions)
            require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
    }
    for (const DofClip& pose : robot.poses)
        for (const DofVector& frame : pose.frames) require(frame.size() == skeleton.dofCount());
    require(io::readRig(io::writeRig({robot.name, skeleton, robot.poses}), "again.rig.json").ok());

    const io::RobotTable table = io::tableOf(robot);
    DofClip rest{.name = {}, .frame_time = 0.1, .frames = {DofVector(skeleton.dofCount(), 0.0)}};
    const Motion motion = computeMotion(skeleton, rest);
    std::string text;
    io::writeRobotCsv(table, io::makeRobotMotion(table, motion, rest), {},
                      [&](std::string_view piece) {
                          text += piece;
                          return true;
                      });
    require(io::readRobotCsv(text, "again.robot.csv", skeleton, table, 0.1).ok());
}

}  // namespace ulna::fuzz
