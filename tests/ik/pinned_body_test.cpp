// SPDX-License-Identifier: Apache-2.0

// A body on pinned feet: soft goals beside stiff ones, in and out of reach.
#include <gtest/gtest.h>

#include <cmath>

#include "support/ik.h"
#include "support/skeletons.h"
#include "ulna/ik/solver.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::errorByFk;
using test::limitedPerson;
using test::mustSolve;
using test::reachFor;

// The same person with ankles, and with angles for limits alone: its second derivatives are known
// in closed form.
Skeleton personWithoutCones() {
    const Skeleton person = limitedPerson();
    std::vector<JointDef> joints;
    for (const JointId j : person.joints()) {
        joints.push_back(person.joint(j));
        const bool ankle = person.name(j).ends_with("Foot");
        if (!joints.back().cone && !ankle) continue;
        joints.back().cone.reset();
        joints.back().kind = JointKind::Ball;
        joints.back().limits = {DofLimit{-1.0, 1.0}, DofLimit{-0.8, 0.8}, DofLimit{-1.4, 1.4}};
    }
    return test::build(std::move(joints));
}

DofVector standing(const Skeleton& person, double left_knee, double right_knee) {
    DofVector dofs(person.dofCount(), 0.0);
    dofs[person.firstDof(person.find("LeftKnee"))] = left_knee;
    dofs[person.firstDof(person.find("RightKnee"))] = right_knee;
    return dofs;
}

// A place for a hand farther away than the body can be stretched.
Vec3 farAway(Random& random) {
    return Vec3{0, 1.2, 0} + random.direction() * random.between(3.0, 5.0);
}

std::vector<IkGoal> pinnedFeet(const Skeleton& person, std::span<const double> dofs) {
    const ModelPose model = computeModelPose(person, computePose(person, dofs));
    std::vector<IkGoal> goals;
    for (const char* name : {"LeftFoot", "RightFoot"}) {
        const JointId foot = person.find(name);
        goals.push_back({.kind = PositionGoal{foot, {}, model.position(foot)}});
        goals.push_back({.kind = OrientationGoal{foot, quatFromMatrix(model[foot].linear())}});
    }
    return goals;
}

// Half the weighted squares of places and chords of turns, by forward kinematics alone.
double costByFk(const Skeleton& person, std::span<const double> dofs, std::span<const IkGoal> goals,
                double reach) {
    double cost = 0.0;
    for (const IkGoal& goal : goals) {
        double off = 0.0;
        if (const auto* place = std::get_if<PositionGoal>(&goal.kind))
            off = errorByFk(person, dofs, *place);
        else
            off = 2.0 * reach *
                  std::sin(0.5 * errorByFk(person, dofs, std::get<OrientationGoal>(goal.kind)));
        cost += 0.5 * goal.weight * off * off;
    }
    return cost;
}

// The largest slope of that cost along a number that its limits leave free to follow it, for pins
// of weight one.
double slopeByFk(const Skeleton& person, const DofVector& dofs, std::span<const IkGoal> goals,
                 double reach) {
    constexpr double kStep = 1e-6;
    double largest = 0.0;
    for (std::size_t i = 0; i < dofs.size(); ++i) {
        const DofLimit& limit = person.dofLimits()[i];
        DofVector ahead = dofs, back = dofs;
        ahead[i] += kStep, back[i] -= kStep;
        const double slope =
            (costByFk(person, ahead, goals, reach) - costByFk(person, back, goals, reach)) /
            (2.0 * kStep);
        const bool blocked =
            slope < 0.0 ? dofs[i] >= limit.max - 1e-9 : dofs[i] <= limit.min + 1e-9;
        if (!blocked) largest = std::max(largest, std::abs(slope));
    }
    return largest;
}

TEST(IkPinnedBody, AHandOutOfReachComesToRestAtItsClosestPlace) {
    const Skeleton person = personWithoutCones();
    Random random(5);
    const DofVector stand = standing(person, 0.4, 0.3);
    for (int sample = 0; sample < 30; ++sample) {
        std::vector<IkGoal> goals = pinnedFeet(person, stand);
        goals.push_back(reachFor(person, "LeftHand", farAway(random)));
        goals.back().weight = 1e-3;
        Result<IkSolver> solver = IkSolver::make(person, goals, {});
        ASSERT_TRUE(solver);
        DofVector dofs = stand;
        const IkReport report = solver->solve(dofs);
        EXPECT_EQ(report.status, IkStatus::OutOfReach) << sample;
        EXPECT_LE(limitExcess(person, dofs), 1e-9);
        for (const std::size_t pin : {std::size_t{0}, std::size_t{2}})
            EXPECT_LT(errorByFk(person, dofs, std::get<PositionGoal>(goals[pin].kind)), 0.03);
        // A pull of weight 1e-3 over some metres exerts 1e-3 or more on joints that are not at
        // rest.
        EXPECT_LT(slopeByFk(person, dofs, goals, solver->reach()), 1e-6) << sample;
        DofVector again = dofs;
        solver->solve(again);
        EXPECT_LT(test::largestDifference(dofs, again), 1e-3) << sample;
    }
}

TEST(IkPinnedBody, AStraightArmFindsWhatItCanReach) {
    const Skeleton person = personWithoutCones();
    const JointId arm = person.find("LeftArm"), hand = person.find("LeftHand");
    Random random(17);
    Result<IkSolver> solver =
        IkSolver::make(person, {{.kind = PositionGoal{hand, {}, {}}}}, {.chain = arm});
    ASSERT_TRUE(solver);
    auto& goal = std::get<PositionGoal>(solver->goals()[0].kind);
    int found = 0;
    for (int sample = 0; sample < 1000; ++sample) {
        DofVector wished(person.dofCount(), 0.0);
        for (const JointId j : person.chain(arm, hand)) {
            for (std::size_t d = 0; d < person.dofCount(j); ++d) {
                const DofLimit& limit = person.dofLimits()[person.firstDof(j) + d];
                wished[person.firstDof(j) + d] = random.between(limit.min, limit.max);
            }
        }
        goal.target = computeModelPose(person, computePose(person, wished)).position(hand);
        DofVector dofs(person.dofCount(), 0.0);
        solver->solve(dofs);
        found += errorByFk(person, dofs, goal) <= solver->positionTolerance() ? 1 : 0;
    }
    EXPECT_GE(found, 970);  // from one start; restarts find the others
}

TEST(IkPinnedBody, AHandOfLevelTwoReachesWhateverThePosture) {
    for (const Skeleton& person : {personWithoutCones(), limitedPerson()}) {
        Random random(6);
        DofVector stand = standing(person, 0.4, 0.0);
        stand[person.firstDof(person.find("LeftElbow"))] = -1.0;
        const Vec3 hand =
            computeModelPose(person, computePose(person, stand)).position(person.find("LeftHand"));
        for (int sample = 0; sample < 20; ++sample) {
            std::vector<IkGoal> goals = pinnedFeet(person, stand);
            goals.push_back(reachFor(person, "LeftHand", hand + random.direction() * 0.1, 2));
            goals.push_back({.kind = PostureGoal{stand, {}}, .weight = 1e-5});
            DofVector dofs = stand;
            const IkReport report = mustSolve(person, goals, {}, dofs);
            EXPECT_LT(errorByFk(person, dofs, std::get<PositionGoal>(goals[4].kind)), 2e-4)
                << sample << " " << ikStatusName(report.status);
            for (const std::size_t pin : {std::size_t{0}, std::size_t{2}})
                EXPECT_LT(errorByFk(person, dofs, std::get<PositionGoal>(goals[pin].kind)), 1e-7);
            EXPECT_LE(limitExcess(person, dofs), 1e-9);
        }
    }
}

TEST(IkPinnedBody, AHandOfLevelTwoOutOfReachMovesNoFoot) {
    const Skeleton person = personWithoutCones();
    Random random(7);
    const DofVector stand = standing(person, 0.3, 0.4);
    for (int sample = 0; sample < 15; ++sample) {
        std::vector<IkGoal> goals = pinnedFeet(person, stand);
        goals.push_back(reachFor(person, "LeftHand", farAway(random), 2));
        DofVector dofs = stand;
        mustSolve(person, goals, {}, dofs);
        for (const std::size_t pin : {std::size_t{0}, std::size_t{2}})
            EXPECT_LT(errorByFk(person, dofs, std::get<PositionGoal>(goals[pin].kind)), 1e-7);
        // No nearer than what pins of a thousand times the weight allow: those give a little.
        const double error = errorByFk(person, dofs, std::get<PositionGoal>(goals[4].kind));
        for (std::size_t i = 0; i < 4; ++i) goals[i].weight = 1e6;
        goals[4].level = 1;
        DofVector weighted = dofs;
        mustSolve(person, goals, {}, weighted);
        EXPECT_NEAR(errorByFk(person, weighted, std::get<PositionGoal>(goals[4].kind)), error, 1e-4)
            << sample;
    }
}

}  // namespace
}  // namespace ulna
