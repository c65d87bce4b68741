// SPDX-License-Identifier: Apache-2.0

// Any bytes as a MuJoCo model: they must be refused with a sentence, or read so that the robot can
// be used.
#include <cstdint>

#include "robot_use.h"
#include "ulna/io/mjcf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ulna;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Result<io::RobotFile> robot = io::readMjcf(text, "fuzz.mjcf");
    if (robot)
        fuzz::useRobot(*robot);
    else
        fuzz::require(!describe(robot.error()).empty());
    return 0;
}
