// SPDX-License-Identifier: Apache-2.0
#include "support/robots.h"

#include <gtest/gtest.h>

#include "ulna/io/file.h"
#include "ulna/io/mjcf.h"
#include "ulna/io/urdf.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {

io::RobotFile loadRobot(const std::string& path) {
    const Result<io::FileBytes> bytes = io::readFile(path);
    EXPECT_TRUE(bytes.ok()) << path;
    if (!bytes) return {};
    Result<io::RobotFile> robot = path.ends_with(".urdf") ? io::readUrdf(bytes->view(), path)
                                                          : io::readMjcf(bytes->view(), path);
    EXPECT_TRUE(robot.ok()) << (robot ? "" : describe(robot.error()));
    return robot ? *std::move(robot) : io::RobotFile{};
}

std::string mjcfText(std::string_view world, std::string_view before) {
    return "<mujoco model='test'>\n<compiler angle='radian'/>\n" + std::string(before) +
           "<worldbody>\n" + std::string(world) + "</worldbody>\n</mujoco>\n";
}

std::string urdfText(std::string_view joints, std::size_t links) {
    std::string out = "<robot name='test'>\n";
    for (std::size_t i = 0; i < links; ++i)
        out.append("<link name='").append(1, static_cast<char>('a' + i)).append("'/>\n");
    return out + std::string(joints) + "</robot>\n";
}

Affine placed(const Skeleton& skeleton, std::span<const double> dofs, std::string_view joint) {
    const JointId j = skeleton.find(joint);
    EXPECT_NE(j, JointId::None) << joint;
    if (j == JointId::None) return {};
    return computeModelPose(skeleton, computePose(skeleton, dofs))[j];
}

}  // namespace ulna::test
