// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "ulna/ik/batch.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"

int main() {
    using namespace ulna;
    // 1. An arm of seven hinges, as robots have them: axes in turn along and across, with limits.
    std::vector<JointDef> joints;
    for (int i = 0; i < 7; ++i) {
        JointDef joint{.name = "j" + std::to_string(i),
                       .parent = i == 0 ? "" : "j" + std::to_string(i - 1),
                       .kind = JointKind::Hinge};
        joint.rest.translation = {0, 0, i == 0 ? 0.0 : 0.15};
        joint.axes[0] = i % 2 == 0 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
        joint.limits[0] = i % 2 == 0 ? DofLimit{radians(-170), radians(170)}
                                     : DofLimit{radians(-110), radians(110)};
        joints.push_back(joint);
    }
    const Result<Skeleton> arm = makeSkeleton(joints);
    if (!arm) return 1;
    const JointId hand = arm->find("j6");
    const Vec3 flange{0, 0, 0.1};  // the point of the hand that has to arrive

    // 2. A thousand targets, each where some allowed pose has the hand: position and orientation.
    const std::vector<IkGoal> goals = {{PositionGoal{.joint = hand, .point = flange}},
                                       {OrientationGoal{.joint = hand}}};
    IkBatchProblems problems{.count = 1000};
    problems.points.resize(problems.count * goals.size());
    problems.orientations.resize(problems.count * goals.size());
    Random random(3);
    DofVector dofs(arm->dofCount());
    for (std::size_t i = 0; i < problems.count; ++i) {
        for (std::size_t d = 0; d < dofs.size(); ++d)
            dofs[d] = random.between(arm->dofLimits()[d].min, arm->dofLimits()[d].max);
        const ModelPose model = computeModelPose(*arm, computePose(*arm, dofs));
        problems.points[i * 2] = model[hand] * flange;
        problems.orientations[i * 2 + 1] = rotationOf(model[hand]);
    }

    // 3. All of them, with up to 50 further attempts for those that stall.
    const IkOptions options{.position_tolerance = 1e-5, .angle_tolerance = 1e-5, .restarts = 50};
    const Result<IkBatchResult> result = solveIkBatch(*arm, goals, options, problems);
    if (!result) {
        std::fprintf(stderr, "%s\n", describe(result.error()).c_str());
        return 1;
    }

    // 4. Judge by forward kinematics.
    int solved = 0;
    int most = 0;
    for (std::size_t i = 0; i < problems.count; ++i) {
        const std::span<const double> answer(result->dofs.data() + i * dofs.size(), dofs.size());
        const ModelPose model = computeModelPose(*arm, computePose(*arm, answer));
        const double off = distance(model[hand] * flange, problems.points[i * 2]);
        const double angle =
            angleBetween(rotationOf(model[hand]), problems.orientations[i * 2 + 1]);
        solved += off <= 1e-5 && angle <= 1e-5 && limitExcess(*arm, answer) <= 1e-9 ? 1 : 0;
        most = std::max(most, result->reports[i].attempts);
    }
    std::printf(
        "%d of %zu solved, position and orientation to 1e-5, inside the limits; at most %d "
        "attempts\n",
        solved, problems.count, most);
    return 0;
}
