// SPDX-License-Identifier: Apache-2.0
#include "support/grippers.h"

namespace ulna::test {

std::vector<JointDef> gripperJoints() {
    std::vector<JointDef> out = {joint("wrist", "", JointKind::Ball, {}),
                                 joint("left", "wrist", JointKind::Hinge, {-0.2, 0.5, 0}),
                                 joint("left tip", "left", JointKind::Fixed, {0, 1, 0}),
                                 joint("right", "wrist", JointKind::Hinge, {0.2, 0.5, 0}),
                                 joint("right tip", "right", JointKind::Hinge, {0, 0.5, 0}),
                                 joint("right end", "right tip", JointKind::Fixed, {0, 0.5, 0})};
    for (JointDef& each : out) each.axes[0] = {0, 0, 1};
    out[1].limits[0] = {0.0, 1.0};
    out[3].limits[0] = {-0.6, 0.0};
    out[3].coupling = JointCoupling{.leader = "left", .factor = -1.0};
    out[4].limits[0] = {-0.2, 0.15};
    out[4].coupling = JointCoupling{.leader = "left", .factor = 0.5, .offset = -0.1};
    return out;
}

}  // namespace ulna::test
