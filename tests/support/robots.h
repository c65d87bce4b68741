// SPDX-License-Identifier: Apache-2.0

// Robots' files for tests: those of the third-party data, and small texts.
#pragma once

#include <string>
#include <string_view>

#include "ulna/io/robot.h"

namespace ulna::test {

/// The robot of a .urdf or .xml file; the test fails where it cannot be read.
io::RobotFile loadRobot(const std::string& path);

/// Model text in a <mujoco> whose angles are radians; `before` comes before the world.
std::string mjcfText(std::string_view world, std::string_view before = {});

/// Links `a`, `b`, ... of a <robot>, joined by `joints`.
std::string urdfText(std::string_view joints, std::size_t links = 2);

/// Where a joint is in the pose of these coordinates: model_from_joint.
Affine placed(const Skeleton& skeleton, std::span<const double> dofs, std::string_view joint);

}  // namespace ulna::test
