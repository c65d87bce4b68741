// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <vector>

#include "ulna/skeleton/forward_kinematics.h"

int main() {
    using namespace ulna;
    // 1. Two links of length 1 in the plane: z-hinges, every z exactly 0.
    const auto hinge = [](const char* name, const char* parent, double x) {
        JointDef joint{.name = name, .parent = parent, .kind = JointKind::Hinge};
        joint.rest.translation = {x, 0, 0};
        joint.axes[0] = {0, 0, 1};
        return joint;
    };
    JointDef tip{.name = "tip",
                 .parent = "elbow",
                 .kind = JointKind::Fixed,
                 .rest = {.translation = {1, 0, 0}}};
    const Result<Skeleton> arm = makeSkeleton(
        {hinge("shoulder", "", 0), hinge("elbow", "shoulder", 1), tip}, {.planar = true});
    if (!arm) {
        std::fprintf(stderr, "%s\n", describe(arm.error()).c_str());
        return 1;
    }
    // 2. Angles add up along the chain: shoulder 30 degrees, elbow on from there.
    for (const double elbow : {0.0, 30.0, 60.0, 90.0}) {
        const DofVector dofs = {radians(30), radians(elbow)};
        const std::vector<Vec2> p = computePlanarPositions<double>(*arm, dofs);
        std::printf("elbow %5.1f degrees: tip at %7.4f %7.4f\n", elbow, p[2].x, p[2].y);
    }
    // 3. Straight up.
    const std::vector<Vec2> up = computePlanarPositions<double>(*arm, DofVector{radians(90), 0.0});
    std::printf("straight up: tip at %7.4f %7.4f\n", up[2].x, up[2].y);
    return 0;
}
