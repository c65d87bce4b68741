// SPDX-License-Identifier: Apache-2.0

// Each method is itself: its first step against its own formula, computed here from a dense
// Jacobian by differences; and what all of them share: limits, 2D, distinct ways to the goal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/ik.h"
#include "ulna/ik/detail/ccd.h"
#include "ulna/ik/detail/classic.h"
#include "ulna/ik/detail/fabrik.h"
#include "ulna/ik/two_bone.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

constexpr IkMethod kIterative[] = {IkMethod::Auto,     IkMethod::Ccd,
                                   IkMethod::Fabrik,   IkMethod::Transpose,
                                   IkMethod::Gradient, IkMethod::ProjectedGradient,
                                   IkMethod::Pinv,     IkMethod::Dls};

// A planar arm of hinges, so that coordinates are angles and formulas are short.
struct PlanarCase {
    std::vector<double> lengths = {0.5, 0.4, 0.3};
    Skeleton skeleton = planarChain(lengths);
    DofVector start = {0.3, 0.4, -0.2};
    PositionGoal goal{skeleton.find("Tip"), {}, {0.6, 0.7, 0}};

    // The tip by trigonometry alone.
    [[nodiscard]] Vec2 tip(const DofVector& q) const {
        Vec2 p;
        double angle = 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
            angle += q[i];
            p += Vec2{lengths[i] * std::cos(angle), lengths[i] * std::sin(angle)};
        }
        return p;
    }
    [[nodiscard]] Vec2 residual() const { return tip(start) - Vec2{goal.target.x, goal.target.y}; }
    [[nodiscard]] std::vector<Vec2> jacobian() const {
        std::vector<Vec2> columns;
        for (std::size_t i = 0; i < 3; ++i) {
            DofVector up = start, down = start;
            up[i] += 1e-6;
            down[i] -= 1e-6;
            columns.push_back((tip(up) - tip(down)) * (1.0 / 2e-6));
        }
        return columns;
    }
    // J Jt + shift.
    struct Gram {
        double a, b, c;
    };
    [[nodiscard]] Gram gram(double shift) const {
        Gram g{shift, 0, shift};
        for (const Vec2& j : jacobian()) g.a += j.x * j.x, g.b += j.x * j.y, g.c += j.y * j.y;
        return g;
    }
    // Jt (J Jt + shift)^-1 r, negated.
    [[nodiscard]] DofVector dampedStep(double shift) const {
        const Gram g = gram(shift);
        const double det = g.a * g.c - g.b * g.b;
        const Vec2 r = residual();
        const Vec2 y{(g.c * r.x - g.b * r.y) / det, (g.a * r.y - g.b * r.x) / det};
        DofVector step;
        for (const Vec2& j : jacobian()) step.push_back(-dot(j, y));
        return step;
    }
    [[nodiscard]] DofVector gradient() const {
        DofVector g;
        for (const Vec2& j : jacobian()) g.push_back(dot(j, residual()));
        return g;
    }
    [[nodiscard]] DofVector firstStep(const IkOptions& options) const {
        ik::detail::Problem problem;
        EXPECT_TRUE(problem.build(skeleton, {{.kind = goal}}, options));
        problem.begin(restPose(skeleton));
        ik::detail::Evaluation now;
        problem.mechanism().load(start, now.at);
        problem.evaluate(now);
        ik::detail::Classic classic;
        classic.build(problem);
        DofVector step(3);
        classic.computeStep(problem, now, step);
        return step;
    }
};

TEST(IkMethods, TransposeStepsAlongTheGradientByBussLength) {
    const PlanarCase c;
    const DofVector g = c.gradient();
    Vec2 image;
    double g2 = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        image += c.jacobian()[i] * g[i];
        g2 += g[i] * g[i];
    }
    const DofVector step = c.firstStep({.method = IkMethod::Transpose});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(step[i], -g[i] * g2 / dot(image, image), 1e-8);
}

TEST(IkMethods, GradientStepsDownTheGradient) {
    const PlanarCase c;
    const DofVector g = c.gradient();
    for (const IkMethod method : {IkMethod::Gradient, IkMethod::ProjectedGradient}) {
        const DofVector step = c.firstStep({.method = method, .step = 0.7});
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(step[i], -0.7 * g[i] / (1.2 * 1.2), 1e-8);  // reach 1.2
    }
}

TEST(IkMethods, PseudoinverseStepsByTheWideForm) {
    const PlanarCase c;
    const DofVector step = c.firstStep({.method = IkMethod::Pinv});
    const DofVector expected = c.dampedStep(0.0);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(step[i], expected[i], 1e-8);
}

TEST(IkMethods, PseudoinverseWithMoreRowsThanCoordinatesIsLeastSquares) {
    // One hinge, two points: the angle that minimises the sum of squares, to first order.
    const Skeleton arm = planarChain(std::vector<double>{1.0});
    ik::detail::Problem problem;
    const PositionGoal tip{arm.find("Tip"), {}, {0.9, 0.3, 0}};
    const PositionGoal beside{arm.find("J0"), {0, 0.5, 0}, {-0.2, 0.4, 0}};
    ASSERT_TRUE(problem.build(arm, {{.kind = tip}, {.kind = beside}}, {.method = IkMethod::Pinv}));
    problem.begin(restPose(arm));
    ik::detail::Evaluation now;
    problem.mechanism().load(DofVector{0.0}, now.at);
    problem.evaluate(now);
    ik::detail::Classic classic;
    classic.build(problem);
    DofVector step(1);
    classic.computeStep(problem, now, step);
    // Columns (0, 1) and (-0.5, 0); residuals (0.1, -0.3) and (0.2, 0.1).
    EXPECT_NEAR(step[0], -(-0.3 - 0.1) / (1.0 + 0.25), 1e-12);
}

TEST(IkMethods, DampedLeastSquaresStepsByBothItsForms) {
    const PlanarCase c;
    const double lambda = 0.3;
    const DofVector step = c.firstStep({.method = IkMethod::Dls, .damping = lambda});
    const DofVector expected = c.dampedStep(lambda * 1.2 * 1.2);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(step[i], expected[i], 1e-8);
    // The narrow form solves (Jt J + lambda) step = -Jt r.
    const std::vector<Vec2> j = c.jacobian();
    const DofVector g = c.gradient();
    for (std::size_t i = 0; i < 3; ++i) {
        double left = lambda * 1.2 * 1.2 * step[i];
        for (std::size_t k = 0; k < 3; ++k) left += dot(j[i], j[k]) * step[k];
        EXPECT_NEAR(left, -g[i], 1e-8);
    }
}

TEST(IkMethods, DampedLeastSquaresTakesStiffnessAsWeightsAndPostureAsItsSecondRegulariser) {
    const PlanarCase c;
    IkOptions options{.method = IkMethod::Dls, .damping = 0.2};
    options.stiffness = {{c.skeleton.find("J1"), 4.0}};  // W = diag(1, 5, 1)
    const DofVector rest = {0.1, -0.1, 0.5};
    ik::detail::Problem problem;
    ASSERT_TRUE(problem.build(
        c.skeleton, {{.kind = c.goal}, {.kind = PostureGoal{rest, {}}, .weight = 0.05}}, options));
    problem.begin(restPose(c.skeleton));
    ik::detail::Evaluation now;
    problem.mechanism().load(c.start, now.at);
    problem.evaluate(now);
    ik::detail::Classic classic;
    classic.build(problem);
    DofVector step(3);
    classic.computeStep(problem, now, step);
    const double size = 1.2 * 1.2;
    const double w[3] = {1, 5, 1};
    const std::vector<Vec2> j = c.jacobian();
    const DofVector g = c.gradient();
    for (std::size_t i = 0; i < 3; ++i) {
        double left = (0.2 * size * w[i] + 0.05 * size) * step[i];
        for (std::size_t k = 0; k < 3; ++k) left += dot(j[i], j[k]) * step[k];
        EXPECT_NEAR(left, -(g[i] + 0.05 * size * (c.start[i] - rest[i])), 1e-8);
    }
}

TEST(IkMethods, CcdTurnsEachHingeToItsBestAngleInTurn) {
    for (const CcdDirection direction : {CcdDirection::EndToRoot, CcdDirection::RootToEnd}) {
        const PlanarCase c;
        ik::detail::Problem problem;
        ASSERT_TRUE(problem.build(c.skeleton, {{.kind = c.goal}},
                                  {.method = IkMethod::Ccd, .ccd_direction = direction}));
        problem.begin(restPose(c.skeleton));
        ik::detail::Evaluation now;
        problem.mechanism().load(c.start, now.at);
        problem.evaluate(now);
        ik::detail::Ccd ccd;
        ccd.build(problem);
        ccd.sweep(problem, now);
        // The textbook's sweep: full forward kinematics before every turn.
        DofVector q = c.start;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t i = direction == CcdDirection::EndToRoot ? 2 - k : k;
            Vec2 origin;
            double angle = 0.0;
            for (std::size_t a = 0; a < i; ++a) {
                angle += q[a];
                origin += Vec2{c.lengths[a] * std::cos(angle), c.lengths[a] * std::sin(angle)};
            }
            const Vec2 e = c.tip(q) - origin;
            const Vec2 t = Vec2{c.goal.target.x, c.goal.target.y} - origin;
            q[i] += std::atan2(cross(e, t), dot(e, t));
        }
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(now.at.values[i], q[i], 1e-12);
    }
}

TEST(IkMethods, CcdDampingBoundsEveryTurn) {
    const Skeleton chain = ballChain(5);
    for (const double most : {0.05, 0.3}) {
        DofVector dofs(chain.dofCount(), 0.0);
        mustSolve(chain, {reachFor(chain, "End", {0.5, 0.2, 0.3})},
                  {.method = IkMethod::Ccd, .max_iterations = 1, .joint_damping = most}, dofs);
        const Pose pose = computePose(chain, dofs);
        for (std::size_t j = 0; j < 5; ++j)
            EXPECT_LE(rotationAngle(pose[jointId(j)].rotation), most + 1e-12);
    }
}

TEST(IkMethods, CcdTurnsABallByWhatFitsAllGoalsBelowIt) {
    // One ball, three points: the answer is the rotation that carries all of them.
    const Skeleton ball = build({joint("A", "", JointKind::Ball, {})});
    const Quat turn = quatFromAxisAngle(normalizedOr(Vec3{1, 2, -1}, Vec3{}), 1.9);
    std::vector<IkGoal> goals;
    for (const Vec3& p : {Vec3{1, 0, 0}, Vec3{0, 0.5, 0.2}, Vec3{-0.3, 0.1, 1}})
        goals.push_back({.kind = PositionGoal{jointId(0), p, rotate(turn, p)}});
    DofVector dofs(3, 0.0);
    const IkReport report = mustSolve(ball, goals, {.method = IkMethod::Ccd}, dofs);
    EXPECT_EQ(report.status, IkStatus::Reached);
    EXPECT_EQ(report.iterations, 1);
    EXPECT_LT(angleBetween(computePose(ball, dofs)[jointId(0)].rotation, turn), 1e-9);
}

TEST(IkMethods, FabrikMovesPointsAsThePaperSays) {
    const Skeleton chain = ballChain(3);
    const Vec3 target{0.4, 0.3, 0.2};
    DofVector dofs(chain.dofCount(), 0.0);
    const IkReport report = mustSolve(chain, {reachFor(chain, "End", target)},
                                      {.method = IkMethod::Fabrik, .max_iterations = 1}, dofs);
    EXPECT_EQ(report.iterations, 1);
    std::vector<Vec3> p;
    for (int i = 0; i <= 3; ++i) p.push_back({0, i / 3.0, 0});
    p[3] = target;
    for (std::size_t i = 3; i-- > 0;)
        p[i] = p[i + 1] + (p[i] - p[i + 1]) / distance(p[i], p[i + 1]) / 3.0;
    p[0] = {};
    for (std::size_t i = 0; i < 3; ++i)
        p[i + 1] = p[i] + (p[i + 1] - p[i]) / distance(p[i], p[i + 1]) / 3.0;
    const ModelPose model = computeModelPose(chain, computePose(chain, dofs));
    for (std::size_t i = 0; i <= 3; ++i)
        EXPECT_LT(distance(model.position(jointId(i)), p[i]), 1e-12) << "joint " << i;
}

TEST(IkMethods, FabrikRecoversRotationsWithoutTwist) {
    const Skeleton chain = ballChain(4);
    Random random(1);
    for (int i = 0; i < 50; ++i) {
        DofVector dofs(chain.dofCount(), 0.0);
        mustSolve(chain, {reachFor(chain, "End", random.direction() * 0.6)},
                  {.method = IkMethod::Fabrik}, dofs);
        const Pose pose = computePose(chain, dofs);
        // From a straight rest every joint's rotation is a swing: its twist about the bone is zero.
        for (std::size_t j = 0; j < 4; ++j)
            EXPECT_NEAR(splitSwingTwist(pose[jointId(j)].rotation, {0, 1, 0}).twist_angle, 0.0,
                        1e-9);
    }
}

TEST(IkMethods, FabrikReachesSeveralEndsOfABranch) {
    std::vector<JointDef> joints = {joint("A", "", JointKind::Ball, {}),
                                    joint("B", "A", JointKind::Ball, {0, 0.5, 0})};
    for (const char* side : {"L", "R"}) {
        const double x = side[0] == 'L' ? 0.2 : -0.2;
        joints.push_back(joint(std::string(side) + "1", "B", JointKind::Ball, {x, 0.3, 0}));
        joints.push_back(
            joint(std::string(side) + "2", std::string(side) + "1", JointKind::Ball, {0, 0.3, 0}));
        joints.push_back(
            joint(std::string(side) + "3", std::string(side) + "2", JointKind::Fixed, {0, 0.3, 0}));
    }
    const Skeleton tree = build(std::move(joints));
    Random random(2);
    int reached = 0;
    for (int i = 0; i < 100; ++i) {
        const DofVector wished = randomDofs(tree, random, 0.6);
        const ModelPose model = computeModelPose(tree, computePose(tree, wished));
        const std::vector<IkGoal> goals = {reachFor(tree, "L3", model.position(tree.find("L3"))),
                                           reachFor(tree, "R3", model.position(tree.find("R3")))};
        DofVector dofs(tree.dofCount(), 0.0);
        mustSolve(tree, goals, {.method = IkMethod::Fabrik, .position_tolerance = 1e-3}, dofs);
        double worst = 0.0;
        for (const IkGoal& goal : goals)
            worst = std::max(worst, errorByFk(tree, dofs, std::get<PositionGoal>(goal.kind)));
        reached += worst <= 1e-3 ? 1 : 0;
    }
    EXPECT_GE(reached, 95);
}

TEST(IkMethods, FabrikWithLimitsKeepsThemInsideEveryPass) {
    const Skeleton person = limitedPerson();
    Random random(3);
    int closer = 0;
    for (int i = 0; i < 50; ++i) {
        const Vec3 target = Vec3{0.2, 1.5, 0} + random.direction() * 0.3;
        for (const int passes : {1, 3, 200}) {
            DofVector dofs = allowedDofs(person, random);
            const PositionGoal goal{person.find("LeftHand"), {}, target};
            const double before = errorByFk(person, dofs, goal);
            mustSolve(person, {{.kind = goal}},
                      {.method = IkMethod::Fabrik,
                       .max_iterations = passes,
                       .chain = person.find("LeftArm")},
                      dofs);
            EXPECT_LE(limitExcess(person, dofs), 1e-9);
            closer += passes == 200 && errorByFk(person, dofs, goal) < 0.5 * before ? 1 : 0;
        }
    }
    // Hinges and cones at once are not what the method is best at; most targets still come nearer.
    EXPECT_GE(closer, 45);
}

TEST(IkMethods, EveryMethodReachesInThePlaneAndInSpace) {
    const Skeleton planar = planarChain(std::vector<double>{0.5, 0.4, 0.3, 0.2});
    const Skeleton chain = ballChain(4);
    for (const IkMethod method : kIterative) {
        for (const Skeleton* skeleton : {&planar, &chain}) {
            const char* end = skeleton == &planar ? "Tip" : "End";
            const PositionGoal goal{skeleton->find(end),
                                    {},
                                    skeleton == &planar ? Vec3{0.5, 0.8, 0} : Vec3{0.3, 0.5, 0.4}};
            DofVector dofs(skeleton->dofCount(), 0.2);
            const IkReport report = mustSolve(*skeleton, {{.kind = goal}},
                                              {.method = method, .position_tolerance = 1e-3}, dofs);
            EXPECT_EQ(report.status, IkStatus::Reached) << ikMethodName(method);
            EXPECT_LE(errorByFk(*skeleton, dofs, goal), 1e-3) << ikMethodName(method);
            const ModelPose model = computeModelPose(*skeleton, computePose(*skeleton, dofs));
            if (skeleton == &planar) {
                for (std::size_t j = 0; j < skeleton->jointCount(); ++j)
                    EXPECT_EQ(model.position(jointId(j)).z, 0.0);
            }
        }
    }
}

TEST(IkMethods, EveryMethodKeepsLimits) {
    const Skeleton person = limitedPerson();
    Random random(4);
    for (const IkMethod method : kIterative) {
        for (int i = 0; i < 20; ++i) {
            std::vector<IkGoal> goals;
            for (const char* name : {"LeftHand", "RightHand", "LeftFoot", "RightFoot"})
                goals.push_back(reachFor(person, name, Vec3{0, 1, 0} + random.direction() * 1.5));
            DofVector dofs = randomDofs(person, random, 3.0);  // outside at the start
            mustSolve(person, goals, {.method = method, .max_iterations = 100}, dofs);
            EXPECT_LE(limitExcess(person, dofs), 1e-9) << ikMethodName(method);
            for (const double x : dofs) EXPECT_TRUE(std::isfinite(x)) << ikMethodName(method);
        }
    }
}

TEST(IkMethods, NoTwoMethodsTakeTheSameWay) {
    const Skeleton chain = ballChain(6);
    std::vector<std::vector<double>> histories;
    for (const IkMethod method : kIterative) {
        Result<IkSolver> solver =
            IkSolver::make(chain, {reachFor(chain, "End", {0.5, -0.3, 0.2})},
                           {.method = method, .record_history = true, .fabrik_first = false});
        ASSERT_TRUE(solver);
        DofVector dofs(chain.dofCount(), 0.1);
        histories.push_back(solver->solve(dofs).history);
        EXPECT_GE(histories.back().size(), 3u) << ikMethodName(method);
        // Every history starts from the same pose.
        EXPECT_EQ(histories.back()[0], histories.front()[0]);
    }
    for (std::size_t a = 0; a < histories.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b)
            EXPECT_NE(histories[a], histories[b])
                << ikMethodName(kIterative[a]) << " and " << ikMethodName(kIterative[b]);
    }
}

TEST(IkMethods, TwoBoneFindsItsLimbAndMatchesTheFreeFunction) {
    const Skeleton person = limitedPerson();
    const PositionGoal foot{person.find("LeftFoot"), {}, {0.15, 0.35, 0.2}};
    DofVector dofs(person.dofCount(), 0.0);
    const IkReport report =
        mustSolve(person, {{.kind = foot}}, {.method = IkMethod::TwoBone}, dofs);
    Pose pose = restPose(person);
    const TwoBoneReport direct =
        solveTwoBone(person, {person.find("LeftLeg"), person.find("LeftKnee"), foot.joint},
                     {.target = foot.target}, pose);
    EXPECT_EQ(report.status == IkStatus::Reached, direct.error < 1e-4);
    EXPECT_LT(distance(computeModelPoint(person, computePose(person, dofs), foot.joint, {}),
                       computeModelPoint(person, pose, foot.joint, {})),
              1e-9);
    EXPECT_LE(limitExcess(person, dofs), 1e-9);
    DofVector none(person.dofCount(), 0.0);
    EXPECT_FALSE(solveIk(person, std::vector<IkGoal>{reachFor(person, "Spine", {})},
                         {.method = IkMethod::TwoBone}, none));
}

}  // namespace
}  // namespace ulna
