// SPDX-License-Identifier: Apache-2.0

// Motions of robots as tables, in the form that simulators and controllers exchange: where the base
// is, how it is oriented, and one value per joint in the order of the robot's file.
//
// Positions are in the model's unit, metres for robots; joints are in radians, or metres where they
// slide, and count from where the file says their zero is (RobotJoint::reference).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/core/result.h"
#include "ulna/io/robot.h"

namespace ulna::io {

/// A degree of freedom as a column of tables.
struct RobotColumn {
    std::string name;
    std::size_t dof = 0;
    double reference = 0.0;  ///< added to the coordinate
};

/// What tables of a body hold.
struct RobotTable {
    JointId base = JointId::None;  ///< the first root that moves freely, or the first root
    std::vector<RobotColumn> columns = {};
};

/// The table of a robot: its joints in the order of its file.
[[nodiscard]] RobotTable tableOf(const RobotFile& robot);
/// The table of any body: every degree of freedom but those of free roots, in the skeleton's order.
/// @pre the skeleton has a joint.
[[nodiscard]] RobotTable tableOf(const Skeleton& skeleton);

/// A clip as a table needs it.
struct RobotMotion {
    std::vector<Vec3> base_positions = {};  ///< in the model's frame, one per frame
    std::vector<Quat> base_rotations =
        {};  ///< the same; neighbours have a dot product of 0 or more
    DofClip clip = {};
};

/// The rows of a motion, whose coordinates are `clip`.
/// @pre both have the same frames.
[[nodiscard]] RobotMotion makeRobotMotion(const RobotTable& table, const Motion& motion,
                                          DofClip clip);

struct RobotCsvOptions {
    bool header = false;   ///< a first row with names; most programs expect none
    bool w_first = false;  ///< quaternions as w, x, y, z; otherwise x, y, z, w
};

/// One row per frame: the base's position and quaternion, then the joints. Stops when `sink`
/// returns false.
void writeRobotCsv(const RobotTable& table, const RobotMotion& motion,
                   const RobotCsvOptions& options,
                   const std::function<bool(std::string_view)>& sink);

/// Reads such a table back as a clip of `skeleton`, at `frame_time` seconds a frame, which tables
/// do not say. A first row that is no number is a header: columns then are found by their names, in
/// any order; `w_first` is for tables without one. A base that cannot move stays where it is.
///
/// Errors have line and column: a row that is too short or too long, what is no number, a
/// quaternion of length zero, a name that is no column, or one that is missing.
/// @pre frame_time > 0; table is one of the skeleton.
[[nodiscard]] Result<Motion> readRobotCsv(std::string_view text, std::string_view source,
                                          const Skeleton& skeleton, const RobotTable& table,
                                          double frame_time, const RobotCsvOptions& options = {});

/// What writeRobotCsv writes as a NumPy archive (.npz), with the arrays `fps`, `root_pos` (frames ×
/// 3), `root_rot` (frames × 4: x, y, z, w), `dof_pos` (frames × joints) and `joint_names`, numbers
/// as float64. An error where an array is over 4 GiB.
[[nodiscard]] Status writeRobotNpz(const RobotTable& table, const RobotMotion& motion,
                                   const std::function<bool(std::string_view)>& sink);

}  // namespace ulna::io
