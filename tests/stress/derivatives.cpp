// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "stress/families.h"
#include "stress/problem.h"
#include "ulna/ik/detail/goal_kind.h"
#include "ulna/ik/detail/posture.h"
#include "ulna/skeleton/jacobian.h"

namespace ulna::test::stress {
namespace {

// Truncation goes with the square of this, rounding with its inverse; bends of a pole or a distance
// near its end are sharp.
constexpr double kStep = 2e-6;

// (f(x + h) - f(x - h)) / 2h along one coordinate.
template <class F>
auto slope(const DofVector& dofs, std::size_t d, const F& f, double step = kStep) {
    DofVector up = dofs, down = dofs;
    up[d] += step;
    down[d] -= step;
    return (f(up) - f(down)) / (2.0 * step);
}

void lookAtPoints(Random& random, const Skeleton& rig, const DofVector& dofs, Ledger& ledger) {
    const JointId joint = randomJoint(random, rig);
    Vec3 point = inBall(random, 0.4);
    if (rig.planar()) point.z = 0.0;
    const JointPoint held{joint, point};
    const PointJacobian geometric = computePointJacobian(rig, dofs, held);
    const PointJacobian dual = differentiatePoint(rig, dofs, held);
    double off_geometric = 0.0, off_dual = 0.0;
    for (std::size_t d = 0; d < dofs.size(); ++d) {
        const Vec3 column = slope(dofs, d, [&](const DofVector& at) {
            return plainModel(rig, at)[index(joint)].point(point);
        });
        off_geometric = std::max(off_geometric, distance(geometric[d], column));
        off_dual = std::max(off_dual, distance(dual[d], geometric[d]));
    }
    ledger.look("the Jacobian of a point is its differences", off_geometric, 1e-7);
    ledger.look("dual numbers give the same Jacobian", off_dual, 1e-10);
}

BodyFrame bodyOf(const PlainMatrix& m) {
    const PlainMatrix r = withoutScale(m);
    return {
        Mat3::fromColumns(r.direction({1, 0, 0}), r.direction({0, 1, 0}), r.direction({0, 0, 1})),
        m.origin(), length(m.direction({1, 0, 0}))};
}

// The gradient of half the squared residual by one coordinate: wrenches times its motion, summed
// over the bodies that it moves.
double gradientByWrenches(const Skeleton& rig, std::span<const JointId> bodies,
                          const GoalRows& rows, std::span<const BodyWrenches> wrenches,
                          const DofMotion& motion, JointId mover) {
    const Vec3 at_origin = motion.linear - cross(motion.angular, motion.origin);
    double sum = 0.0;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (!rig.subtree(mover).contains(bodies[b])) continue;
        for (std::size_t r = 0; r < rows.count; ++r) {
            const Wrench& wrench = wrenches[b][r];
            sum += rows.residual[r] *
                   (dot(wrench.moment, motion.angular) + dot(wrench.force, at_origin));
        }
    }
    return sum;
}

void lookAtGoals(Random& random, const Skeleton& rig, const DofVector& dofs, Ledger& ledger) {
    const std::vector<PlainMatrix> model = plainModel(rig, dofs);
    const std::vector<DofMotion> motions =
        computeDofMotions(rig, dofs, computeModelPose(rig, computePose(rig, dofs)));
    std::vector<IkGoal> goals = randomGoals(
        random, rig,
        {.most = 6, .reachable = chance(random, 0.2), .every_goal = true, .capsules = true});
    Random own = random;
    goals.push_back(randomBalance(own, rig));
    for (const IkGoal& goal : goals) {
        const std::vector<JointId> bodies = jointsOf(goal.kind);
        std::vector<BodyFrame> frames;
        for (const JointId joint : bodies) frames.push_back(bodyOf(model[index(joint)]));
        std::vector<BodyWrenches> wrenches(bodies.size());
        GoalRows rows;
        ik::detail::evaluateAll(goal.kind, frames, rig.planar(), rows, wrenches);
        const std::array<IkGoal, 1> alone = {IkGoal{.kind = goal.kind}};
        const auto cost = [&](const DofVector& at) {
            return plainCost(alone, plainModel(rig, at), 1.0);
        };
        double off = 0.0;
        for (std::size_t d = 0; d < dofs.size(); ++d) {
            const double difference = slope(dofs, d, cost);
            const double stated =
                gradientByWrenches(rig, bodies, rows, wrenches, motions[d], rig.jointOfDof(d));
            // A thin support polygon bends sharply; the difference with twice the step tells how
            // much of the error is truncation.
            const double truncated = std::holds_alternative<BalanceGoal>(goal.kind)
                                         ? std::abs(slope(dofs, d, cost, 2.0 * kStep) - difference)
                                         : 0.0;
            off = std::max(off, (std::abs(difference - stated) - 2.0 * truncated) /
                                    std::max(1.0, std::abs(stated)));
        }
        ledger.look(
            "the gradient of a goal is its differences: " + std::string(goalKindName(goal.kind)),
            off, 1e-6);
    }
}

void lookAtPostures(Random& random, const Skeleton& rig, const DofVector& dofs, Ledger& ledger) {
    const DofVector rest = randomAllowedDofs(random, rig);
    for (const JointId joint : rig.joints()) {
        const std::size_t first = rig.firstDof(joint), count = rig.dofCount(joint);
        if (count == 0) continue;
        const ik::detail::PostureRest prepared =
            ik::detail::preparePosture(rig, joint, rest.data() + first);
        std::array<double, 6> difference = {}, gradient = {};
        ik::detail::evaluatePosture(rig, joint, dofs.data() + first, prepared, difference.data(),
                                    gradient.data());
        double size = 0.0;
        for (const double x : difference) size += x * x;
        if (size > 9.0) continue;  // near half a revolution the shorter way changes
        const auto half = [&](const DofVector& at) {
            std::array<double, 6> out = {};
            ik::detail::evaluatePosture(rig, joint, at.data() + first, prepared, out.data(),
                                        nullptr);
            double sum = 0.0;
            for (const double x : out) sum += 0.5 * x * x;
            return sum;
        };
        for (std::size_t d = 0; d < count; ++d) {
            ledger.look("the gradient of a posture is its differences",
                        std::abs(slope(dofs, first + d, half) - gradient[d]), 1e-6,
                        jointKindName(rig.kind(joint)));
        }
    }
}

}  // namespace

void stressDerivatives(std::uint64_t seed, Ledger& ledger) {
    Random random(seed);
    RandomRigOptions options = randomRigOptions(random);
    options.most_joints = std::min<std::size_t>(options.most_joints, 25);
    const Skeleton rig = randomRig(random, options);
    const DofVector dofs = randomAllowedDofs(random, rig);
    lookAtPoints(random, rig, dofs, ledger);
    lookAtGoals(random, rig, dofs, ledger);
    lookAtPostures(random, rig, dofs, ledger);
}

}  // namespace ulna::test::stress
