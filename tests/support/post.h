// SPDX-License-Identifier: Apache-2.0

// A post that bends in its middle, as files: for the tests of the tool.
#pragma once

#include <sstream>
#include <string>
#include <utility>

namespace ulna::test {

/// A post with a joint in its middle. Frame 0 is the rest, frame 1 walks away, frame 2 bends.
inline constexpr const char* kPost = R"(HIERARCHY
ROOT Foot
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Knee
  {
    OFFSET 0 2 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 2 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.1
0 0 0 0 0 0 0 0 0
1 2 3 0 0 0 0 0 0
0 0 0 0 0 0 90 0 0
)";

/// Four sides of a post around the bones, `rings` high, with a lid at each end.
inline std::string postObj(int rings) {
    std::ostringstream out;
    out << "o post\n";
    for (int i = 0; i <= rings; ++i) {
        const double y = -0.5 + 5.0 * i / rings;
        for (const auto& [x, z] : {std::pair(-0.5, -0.5), {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
            out << "v " << x << ' ' << y << ' ' << z << '\n';
    }
    for (int i = 0; i < rings; ++i) {
        for (int k = 0; k < 4; ++k) {
            const int a = 4 * i + k + 1, b = 4 * i + (k + 1) % 4 + 1;
            out << "f " << b << ' ' << a << ' ' << a + 4 << ' ' << b + 4 << '\n';
        }
    }
    out << "f 1 2 3 4\nf " << 4 * rings + 4 << ' ' << 4 * rings + 3 << ' ' << 4 * rings + 2 << ' '
        << 4 * rings + 1 << '\n';
    return out.str();
}

}  // namespace ulna::test
