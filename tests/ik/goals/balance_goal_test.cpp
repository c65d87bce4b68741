// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/balance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/allocations.h"
#include "support/ik.h"
#include "support/jacobian_checker.h"
#include "ulna/ik/batch.h"
#include "ulna/ik/detail/cost_hessian.h"
#include "ulna/ik/detail/goal_kind.h"
#include "ulna/ik/evaluate.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

// Contacts and one mass, each on a joint of its own.
BalanceGoal goalOn(std::size_t contacts, std::size_t masses = 1) {
    BalanceGoal goal;
    for (std::size_t i = 0; i < contacts; ++i) goal.contacts.push_back({jointId(i), {}});
    for (std::size_t i = 0; i < masses; ++i)
        goal.masses.push_back({.joint = jointId(contacts + i), .mass = 1.0});
    return goal;
}

GoalRows rowsOf(const BalanceGoal& goal, std::span<const BodyFrame> bodies, bool planar = false) {
    GoalRows rows;
    std::vector<BodyWrenches> wrenches(bodies.size());
    ik::detail::evaluateAll(goal, bodies, planar, rows, wrenches);
    return rows;
}

// Frames at positions.
std::vector<BodyFrame> at(std::initializer_list<Vec3> positions) {
    std::vector<BodyFrame> out;
    for (const Vec3& position : positions) out.push_back({{}, position});
    for (BodyFrame& body : out) body.orientation = toMatrix(Quat{});
    return out;
}

struct HalfPlane {
    Vec3 normal;
    double offset = 0.0;  // normal . y <= offset
};

// The sides of the hull, found by trying all pairs: every other contact is on one side.
std::vector<HalfPlane> sidesOf(std::span<const Vec3> contacts) {
    std::vector<HalfPlane> out;
    for (const Vec3& a : contacts) {
        for (const Vec3& b : contacts) {
            const Vec3 way = b - a;
            if (length(way) == 0.0) continue;
            const HalfPlane side{Vec3{way.z, 0, -way.x} / length(way),
                                 dot(Vec3{way.z, 0, -way.x}, a) / length(way)};
            bool all = true;
            for (const Vec3& c : contacts) all = all && dot(side.normal, c) <= side.offset + 1e-12;
            if (all) out.push_back(side);
        }
    }
    return out;
}

// Projection onto half-planes in turn, with Dykstra's corrections: the nearest point of them all.
double projectedDistance(const std::vector<HalfPlane>& sides, double margin, const Vec3& point) {
    Vec3 y = point;
    std::vector<Vec3> corrections(sides.size());
    for (int i = 0; i < 3000; ++i) {
        for (std::size_t k = 0; k < sides.size(); ++k) {
            const Vec3 from = y + corrections[k];
            const double off = dot(sides[k].normal, from) - (sides[k].offset - margin);
            y = from - sides[k].normal * std::max(0.0, off);
            corrections[k] = from - y;
        }
    }
    return length(point - y);
}

TEST(BalanceGoal, ASquareOfContactsHoldsWhatIsOverIt) {
    BalanceGoal goal = goalOn(4);
    const auto errorAt = [&](double x, double z) {
        const auto bodies = at({{0, 0, 0}, {1, 0.5, 0}, {1, 0, 1}, {0, -3, 1}, {x, 7, z}});
        return rowsOf(goal, bodies).error;
    };
    EXPECT_EQ(errorAt(0.5, 0.5), 0.0);
    EXPECT_EQ(errorAt(1, 1), 0.0);
    EXPECT_NEAR(errorAt(1.25, 0.5), 0.25, 1e-15);
    EXPECT_NEAR(errorAt(-3, 5), 5.0, 1e-15);
    goal.margin = 0.25;
    EXPECT_EQ(errorAt(0.3, 0.7), 0.0);
    EXPECT_NEAR(errorAt(0.9, 0.5), 0.15, 1e-15);
    EXPECT_NEAR(errorAt(1.05, 1.15), 0.5, 1e-15);
    // More than the largest circle: a tenth of it is left.
    goal.margin = 9.0;
    EXPECT_NEAR(errorAt(0.5, 0.5), 0.0, 1e-15);
    EXPECT_NEAR(errorAt(0.75, 0.5), 0.2, 1e-12);
}

TEST(BalanceGoal, FewContactsAreTheirOwnPolygon) {
    BalanceGoal one = goalOn(1);
    one.margin = 0.5;
    EXPECT_NEAR(rowsOf(one, at({{1, 0, 0}, {4, 2, 4}})).error, 5.0, 1e-15);
    BalanceGoal two = goalOn(2);
    two.margin = 0.5;
    EXPECT_NEAR(rowsOf(two, at({{0, 0, 0}, {2, 0, 0}, {1, 2, 3}})).error, 3.0, 1e-15);
    EXPECT_NEAR(rowsOf(two, at({{0, 0, 0}, {2, 0, 0}, {5, 2, 4}})).error, 5.0, 1e-15);
    EXPECT_NEAR(rowsOf(two, at({{1, 0, 0}, {1, 4, 0}, {4, 2, 4}})).error, 5.0, 1e-15);
    // In the plane an interval has room for a margin.
    EXPECT_NEAR(rowsOf(two, at({{0, 0, 0}, {2, 1, 0}, {1.75, 9, 0}}), true).error, 0.25, 1e-15);
    EXPECT_EQ(rowsOf(two, at({{0, 0, 0}, {2, 1, 0}, {0.5, 9, 0}}), true).error, 0.0);
    two.margin = 5.0;
    EXPECT_NEAR(rowsOf(two, at({{0, 0, 0}, {2, 1, 0}, {0, 9, 0}}), true).error, 0.9, 1e-15);
}

TEST(BalanceGoal, IsTheProjectedDistanceFromTheSidesMovedInward) {
    Random random(1);
    int outside = 0;
    for (int i = 0; i < 60; ++i) {
        const std::size_t count = 3 + random.below(6);
        BalanceGoal goal = goalOn(count);
        std::vector<BodyFrame> bodies;
        std::vector<Vec3> contacts;
        for (std::size_t k = 0; k < count; ++k) {
            const Vec3 p = random.direction() * random.between(0.5, 1.0);
            contacts.push_back({p.x, 0, p.z});
            bodies.push_back({toMatrix(Quat{}), p});
        }
        const Vec3 point = random.direction() * 1.5;
        bodies.push_back({toMatrix(Quat{}), point});
        const std::vector<HalfPlane> sides = sidesOf(contacts);
        goal.margin = i % 2 == 0 ? 0.0 : random.between(0.0, 0.1);
        const double searched = projectedDistance(sides, goal.margin, Vec3{point.x, 0, point.z});
        // A margin that leaves nothing has no nearest point.
        bool left = false;
        for (int t = 0; t < 4000 && !left; ++t) {
            const Vec3 y{random.between(-1, 1), 0, random.between(-1, 1)};
            left = std::all_of(sides.begin(), sides.end(), [&](const HalfPlane& side) {
                return dot(side.normal, y) <= side.offset - goal.margin / 0.9;
            });
        }
        if (!left) continue;
        EXPECT_NEAR(rowsOf(goal, bodies).error, searched, 1e-6) << i;
        outside += searched > 0.0 ? 1 : 0;
    }
    EXPECT_GT(outside, 20);
}

TEST(BalanceGoal, WrenchesAreDerivatives) {
    Random random(2);
    int compared = 0;
    for (int i = 0; i < 300; ++i) {
        const bool planar = i % 4 == 0;
        const std::size_t count = 1 + random.below(7);
        BalanceGoal goal = goalOn(count, 3);
        std::vector<BodyFrame> bodies;
        for (std::size_t k = 0; k < count + 3; ++k) {
            bodies.push_back(randomBody(random, planar));
            Vec3& own = k < count ? goal.contacts[k].point : goal.masses[k - count].centre;
            own = random.direction() * 0.5;
            if (planar) own.z = 0.0;
            if (k >= count) goal.masses[k - count].mass = random.between(0.1, 2.0);
        }
        // The masses away from the contacts, so that most are outside.
        for (std::size_t k = count; k < count + 3; ++k) bodies[k].position += Vec3{3, 0, 0};
        if (!planar) goal.up = random.direction();
        const std::uint64_t margin = random.below(3);
        goal.margin = margin == 0 ? 0.0 : margin == 1 ? 0.05 : 5.0;
        if (rowsOf(goal, bodies, planar).error < 1e-2) continue;
        ++compared;
        expectWrenchesAreDerivatives(goal, bodies, planar, "balance " + std::to_string(i));
    }
    EXPECT_GT(compared, 200);
}

// Second derivatives from sums of wrenches are those of differences of the gradient.
TEST(BalanceGoal, SecondDerivativesAreThoseOfTheGradient) {
    using namespace ik::detail;
    const Skeleton person = limitedPerson();
    Random random(3);
    BalanceGoal balance{.contacts = {{person.find("LeftFoot"), {}},
                                     {person.find("RightFoot"), {}},
                                     {person.find("LeftFoot"), {0, 0, 0.2}}},
                        .masses = {{person.find("LeftHand"), 1.0, {}},
                                   {person.find("Head"), 2.0, {0, 0.1, 0}},
                                   {person.find("RightKnee"), 1.0, {}}},
                        .margin = 0.01};
    int compared = 0;
    for (int i = 0; i < 5; ++i) {
        Problem problem;
        ASSERT_TRUE(problem.build(person, {{.kind = balance, .weight = 2.0}}, {}));
        problem.begin(restPose(person));
        Evaluation now;
        problem.size(now);
        problem.mechanism().load(allowedDofs(person, random), now.at);
        for (double& v : now.at.values) v *= 0.7;
        problem.evaluate(now);
        if (now.worst < 10.0) continue;
        ++compared;
        BoundedGradient bounded;
        bounded.build(problem);
        bounded.linearize(problem, now);
        CostHessian exact, estimated;
        exact.build(problem);
        estimated.build(problem);
        for (std::size_t c = 0; c < problem.columnCount(); ++c) {
            const auto& link = problem.mechanism().links()[problem.mechanism().columns()[c].link];
            if (link.cone) continue;
            exact.free().push_back(c);
            estimated.free().push_back(c);
        }
        exact.compute(problem, now, bounded.value);
        estimated.estimate(problem, now, bounded);
        const double largest = exact.largestCurvature();
        const std::size_t n = exact.free().size();
        for (std::size_t a = 0; a < n; ++a) {
            for (std::size_t b = 0; b <= a; ++b)
                EXPECT_NEAR(exact.matrix()[a * n + b], estimated.matrix()[a * n + b],
                            1e-5 * largest)
                    << a << ' ' << b;
        }
    }
    EXPECT_GT(compared, 2);
}

BalanceGoal standing(const Skeleton& person) {
    BalanceGoal goal;
    for (const char* foot : {"LeftFoot", "RightFoot"}) {
        for (const double z : {-0.08, 0.15})
            goal.contacts.push_back({person.find(foot), {0, 0, z}});
    }
    for (const JointId j : person.joints()) goal.masses.push_back({j, 1.0, {}});
    goal.margin = 0.02;
    return goal;
}

std::vector<IkGoal> leaning(const Skeleton& person, int level) {
    std::vector<IkGoal> goals;
    const ModelPose rest = computeModelPose(person, restPose(person));
    for (const char* foot : {"LeftFoot", "RightFoot"}) {
        const JointId j = person.find(foot);
        goals.push_back({.kind = PositionGoal{j, {}, rest.position(j)}});
    }
    const JointId hand = person.find("LeftHand");
    goals.push_back({.kind = PositionGoal{hand, {}, rest.position(hand) + Vec3{-0.2, -0.3, 0.6}},
                     .level = level});
    return goals;
}

TEST(BalanceGoal, ABodyThatReachesForwardStaysOverItsFeet) {
    const Skeleton person = limitedPerson();
    const BalanceGoal balance = standing(person);
    for (const int level : {1, 2}) {
        std::vector<IkGoal> goals = leaning(person, level);
        const auto off = [&](const DofVector& dofs) {
            return evaluateGoals(person, std::vector<IkGoal>{{.kind = balance}}, dofs)
                ->goals[0]
                .error;
        };
        DofVector without(person.dofCount(), 0.0);
        mustSolve(person, goals, {}, without);
        EXPECT_GT(off(without), 0.01) << "the problem needs no balance";
        goals.push_back({.kind = balance});
        DofVector with(person.dofCount(), 0.0);
        const IkReport report = mustSolve(person, goals, {}, with);
        EXPECT_EQ(report.status, IkStatus::Reached) << level;
        EXPECT_LT(off(with), 1e-3) << level;
        EXPECT_LT(errorByFk(person, with, std::get<PositionGoal>(goals[2].kind)), 1e-3) << level;
        // Judged by forward kinematics: inside the box around the feet.
        const ModelPose model = computeModelPose(person, computePose(person, with));
        const Vec3 centre = centreOfMass(balance.masses, model);
        EXPECT_LT(centre.z, 0.15 + 1e-3) << level;
    }
}

TEST(BalanceGoal, IsSolvedInBatchesToo) {
    const Skeleton person = limitedPerson();
    std::vector<IkGoal> goals = leaning(person, 1);
    goals.push_back({.kind = standing(person)});
    IkBatchProblems problems{.count = 3};
    problems.starts.assign(person.dofCount(), 0.0);
    for (std::size_t i = 0; i < problems.count; ++i) {
        for (IkGoal& goal : goals) {
            const GoalTarget target = targetOf(goal.kind);
            problems.points.push_back(target.point != nullptr ? *target.point : Vec3{});
        }
        std::get<PositionGoal>(goals[2].kind).target += Vec3{0, 0.1, -0.05};
    }
    const auto one = solveIkBatch(person, goals, {}, problems, 1);
    const auto two = solveIkBatch(person, goals, {}, problems, 2);
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->dofs, two->dofs);
    for (std::size_t i = 0; i < problems.count; ++i) {
        EXPECT_EQ(one->reports[i].status, IkStatus::Reached) << i;
        const std::span<const double> dofs =
            std::span(one->dofs).subspan(i * person.dofCount(), person.dofCount());
        EXPECT_LT(evaluateGoals(person, std::span(goals).last(1), dofs)->goals[0].error, 1e-3) << i;
    }
}

TEST(BalanceGoal, ASolverAllocatesNothingAfterItsFirstSolve) {
    const Skeleton person = limitedPerson();
    std::vector<IkGoal> goals = leaning(person, 1);
    goals.push_back({.kind = standing(person)});
    Result<IkSolver> solver = IkSolver::make(person, goals, {});
    ASSERT_TRUE(solver);
    DofVector dofs(person.dofCount(), 0.0);
    solver->solve(dofs);
    // Out of reach, so that the answer comes to rest by second derivatives.
    std::get<PositionGoal>(solver->goals()[2].kind).target.z += 5.0;
    const long before = allocationCount();
    EXPECT_EQ(solver->solve(dofs).status, IkStatus::OutOfReach);
    EXPECT_EQ(allocationCount(), before);
}

TEST(BalanceGoal, SaysWhatIsWrong) {
    const Skeleton person = limitedPerson();
    const auto fault = [&](auto change) {
        BalanceGoal goal = standing(person);
        change(goal);
        const Status status = checkGoal(person, {.kind = goal});
        return status ? std::string() : status.error().what;
    };
    EXPECT_EQ(fault([](BalanceGoal&) {}), "");
    EXPECT_EQ(fault([](BalanceGoal& g) { g.contacts.clear(); }),
              "the balance goal: there is no contact point");
    EXPECT_EQ(fault([](BalanceGoal& g) { g.contacts.resize(33, g.contacts[0]); }),
              "the balance goal: there are more than 32 contact points");
    EXPECT_EQ(fault([](BalanceGoal& g) { g.masses.clear(); }),
              "the balance goal: the masses have no sum above zero");
    EXPECT_EQ(fault([](BalanceGoal& g) { g.masses[0].mass = -1; }),
              "the balance goal: a mass is not zero or more");
    EXPECT_EQ(fault([](BalanceGoal& g) { g.masses[0].joint = JointId::None; }),
              "the balance goal: a joint does not exist");
    EXPECT_EQ(fault([](BalanceGoal& g) {
                  g.up = {0, 2, 0};
              }),
              "the balance goal: the up axis is not a unit vector");
    EXPECT_EQ(fault([](BalanceGoal& g) { g.margin = -1; }),
              "the balance goal: the margin is not zero or more");
}

}  // namespace
}  // namespace ulna
