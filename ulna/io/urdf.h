// SPDX-License-Identifier: Apache-2.0

// URDF: the robot descriptions of ROS, as skeletons with limits and primitive shapes.
//
// Links become joints of the skeleton: a link that a revolute, continuous or prismatic joint
// carries has that joint's name; a planar joint is three in series, two of which slide; a link that
// is fixed to its parent is a fixed joint of its own name. The base, the link that nothing carries,
// moves freely. A link called `world` stands for the world and is no joint: what is fixed to it
// cannot move, and what floats in it is a base. Mimic joints are couplings. Of a link's primitives
// those that are seen are read, or where it has none those that collide.
//
// Meshes, inertias, transmissions and extensions are left out; a warning counts them.
#pragma once

#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/io/robot.h"

namespace ulna::io {

/// Reads a robot; `source` names it in messages. Errors have line and column: text that is no XML,
/// values that are none, two links or joints of one name, links that hang together in no tree.
[[nodiscard]] Result<RobotFile> readUrdf(std::string_view text, std::string_view source);

}  // namespace ulna::io
