// SPDX-License-Identifier: Apache-2.0

// Any bytes as URDF: they must be refused with a sentence, or read so that the robot can be used.
#include <cstdint>

#include "robot_use.h"
#include "ulna/io/urdf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ulna;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Result<io::RobotFile> robot = io::readUrdf(text, "fuzz.urdf");
    if (robot)
        fuzz::useRobot(*robot);
    else
        fuzz::require(!describe(robot.error()).empty());
    return 0;
}
