// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>

#include "ulna/ik/check_goal.h"
#include "ulna/ik/solver.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace {

using namespace ulna;

// A vertical pole, in model space.
struct Pole {
    double x = 0.0, z = 0.0, radius = 0.0;
};

// 1. The goal: a point of the hand is on the surface of the pole, at any height. One residual, its
// distance from the surface. It grows by one length as the point moves away from the axis by one.
CustomGoal makeOnPole(JointId hand, const Vec3& palm, const Pole& pole) {
    return makeCustomGoal("on the pole", {hand}, 1,
                          [palm, pole](std::span<const BodyFrame> bodies, bool, GoalRows& rows) {
                              const Vec3 p = pointOn(bodies[0], palm);
                              const Vec3 off{p.x - pole.x, 0, p.z - pole.z};
                              rows.residual[0] = length(off) - pole.radius;
                              const Vec3 outward = normalizedOr(off, Vec3{1, 0, 0});
                              rows.wrench[0][0] = forceAt(p, outward);
                          });
}

}  // namespace

int main(int argc, char** argv) {
    const Result<io::RigFile> rig =
        io::loadRig(argc > 1 ? argv[1] : "assets/ulna-character.rig.json");
    if (!rig) {
        std::fprintf(stderr, "%s\n", describe(rig.error()).c_str());
        return 3;
    }
    const Skeleton& body = rig->skeleton;
    const JointId hand = body.find("LeftHand");
    const Vec3 palm{0.08, 0, 0};
    const Pole pole{.x = 0.25, .z = 0.45, .radius = 0.04};
    const CustomGoal on_pole = makeOnPole(hand, palm, pole);

    // 2. A wrong derivative does not fail, it only converges badly: check it once.
    const std::vector<WrenchFault> faults = checkWrenches(on_pole);
    for (const WrenchFault& fault : faults) std::fprintf(stderr, "%s\n", describe(fault).c_str());
    if (!faults.empty()) return 1;
    std::printf("the wrenches are derivatives\n");

    // 3. The hand slides along the pole: another goal says how high it is.
    Result<IkSolver> solver =
        IkSolver::make(body,
                       {{.kind = on_pole},
                        {.kind = PlaneGoal{.joint = hand, .point = palm, .side = PlaneSide::On}}},
                       {.chain = body.find("Spine")});
    if (!solver) {
        std::fprintf(stderr, "%s\n", describe(solver.error()).c_str());
        return 1;
    }
    DofVector dofs(body.dofCount(), 0.0);
    for (const double height : {1.0, 1.2, 1.4}) {
        std::get<PlaneGoal>(solver->goals()[1].kind).offset = height;
        const IkReport& report = solver->solve(dofs);

        // 4. Judge by forward kinematics.
        const Vec3 p = computeModelPose(body, computePose(body, dofs))[hand] * palm;
        const double off = std::hypot(p.x - pole.x, p.z - pole.z) - pole.radius;
        std::printf("height %.2f: %s, palm at %.4f, off the pole by %.4f\n", height,
                    std::string(ikStatusName(report.status)).c_str(), p.y, std::abs(off));
    }
    return 0;
}
