// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/body_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/anatomy.h"
#include "support/skeletons.h"
#include "ulna/ik/solver.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"

namespace ulna {
namespace {

constexpr double kMillimetre = 1e-3;

// A person of 1.7 m who stands with lowered arms, inside human limits.
struct Standing {
    AnatomicalRig rig = test::makeRig(test::makeHumanoid(test::mixamo()));
    const Skeleton& skeleton = rig.skeleton;
    HumanBody body = *findHumanBody(skeleton, restPose(skeleton));
    std::shared_ptr<const NaturalBody> natural =
        std::make_shared<const NaturalBody>(*NaturalBody::make(skeleton, restPose(skeleton)));
    Pose start = [this] {
        Pose pose = restPose(skeleton);
        for (const auto& [joint, angle] :
             {std::pair{body.left.shoulder, -1.2}, std::pair{body.right.shoulder, 1.2}}) {
            const Quat q = computeOrientations(skeleton, pose)[index(joint)];
            pose[joint].rotation = allowedRotation(
                skeleton, joint,
                pose[joint].rotation * (conjugate(q) * quatAboutAxis(2, angle) * q));
        }
        return pose;
    }();
    double leg = natural->shape().leg;

    [[nodiscard]] Vec3 at(const Pose& pose, JointId joint) const {
        return computeModelPose(skeleton, pose).position(joint);
    }
    [[nodiscard]] IkGoal hold(JointId joint, const Vec3& move = {}) const {
        return {.kind = PositionGoal{.joint = joint, .target = at(start, joint) + move}};
    }
    [[nodiscard]] std::vector<IkGoal> feet() const {
        return {hold(body.left.ankle), hold(body.right.ankle)};
    }
    [[nodiscard]] Pose solve(std::vector<IkGoal> goals, NaturalRules rules = {},
                             IkStatus status = IkStatus::Reached) const {
        Result<IkSolver> solver = IkSolver::make(skeleton, std::move(goals),
                                                 {.natural = natural, .natural_rules = rules});
        Pose pose = start;
        EXPECT_EQ(solver->solve(pose).status, status);
        return pose;
    }
    [[nodiscard]] Pose without(std::vector<IkGoal> goals) const {
        return solve(std::move(goals), {false, false, false, false});
    }
};

// ---- the oracle: plain geometry

// How far a point of the ground is outside the convex hull of others, by the widest gap over
// directions: exact to the square of the step between directions.
double outside(const Vec3& p, const std::vector<Vec3>& hull) {
    double out = -1e300;
    for (int i = 0; i < 720; ++i) {
        const Vec3 d{std::cos(i * kPi / 360), 0, std::sin(i * kPi / 360)};
        double most = -1e300;
        for (const Vec3& q : hull) most = std::max(most, dot(q, d));
        out = std::max(out, dot(p, d) - most);
    }
    return out;
}

std::vector<Vec3> solesOf(const Standing& person, const Pose& pose,
                          std::initializer_list<std::size_t> feet) {
    const ModelPose model = computeModelPose(person.skeleton, pose);
    std::vector<Vec3> out;
    for (const std::size_t f : feet) {
        const Sole& sole = person.natural->shape().soles[f];
        for (const Vec3& p : sole.points) out.push_back(model[sole.ankle] * p);
    }
    return out;
}

double fallsBy(const Standing& person, const Pose& pose, std::initializer_list<std::size_t> feet) {
    const ModelPose model = computeModelPose(person.skeleton, pose);
    return outside(centreOfMass(*humanMasses(person.skeleton), model), solesOf(person, pose, feet));
}

// How deep two limbs are in each other: segments in many pieces.
double depth(const Standing& person, const Pose& pose, BodyLimb one, BodyLimb other) {
    const ModelPose model = computeModelPose(person.skeleton, pose);
    const Capsule &a = person.natural->shape().limb(one), &b = person.natural->shape().limb(other);
    double least = 1e300;
    constexpr int kPieces = 200;
    for (int i = 0; i <= kPieces; ++i)
        for (int k = 0; k <= kPieces; ++k) {
            const double s = static_cast<double>(i) / kPieces, t = static_cast<double>(k) / kPieces;
            least = std::min(least, distance(model[a.joint] * (a.start + (a.end - a.start) * s),
                                             model[b.joint] * (b.start + (b.end - b.start) * t)));
        }
    return a.radius + b.radius - least;
}

double lowest(const Standing& person, const Pose& pose) {
    double out = 1e300;
    for (const Vec3& p : solesOf(person, pose, {0, 1})) out = std::min(out, p.y);
    return out;
}

// ---- the shape

TEST(BodyShape, IsThatOfEveryFamilyOfNamesAndGrowsWithTheBody) {
    for (const test::NameFamily& family : test::nameFamilies()) {
        const Skeleton skeleton = test::makeHumanoid(family);
        const Pose rest = restPose(skeleton);
        const BodyShape shape = makeBodyShape(skeleton, rest, *findHumanBody(skeleton, rest));
        const ModelPose model = computeModelPose(skeleton, rest);
        double mass = 0.0;
        for (const JointMass& each : shape.masses) mass += each.mass;
        EXPECT_NEAR(mass, 1.0, 1e-12);
        for (const Capsule& limb : shape.limbs) EXPECT_GT(limb.radius, 0.0);
        // Left and right are alike.
        for (int i = 0; i < 6; ++i) {
            const Capsule& left = shape.limbs[static_cast<std::size_t>(BodyLimb::LeftUpperArm) +
                                              static_cast<std::size_t>(i)];
            const Capsule& right = shape.limbs[static_cast<std::size_t>(BodyLimb::RightUpperArm) +
                                               static_cast<std::size_t>(i)];
            Vec3 mirrored = model[left.joint] * left.end;
            mirrored.x = -mirrored.x;
            EXPECT_LT(distance(mirrored, model[right.joint] * right.end), 1e-3 * shape.leg);
        }
        // Soles are on the ground, heel behind the ball.
        for (const Sole& sole : shape.soles) {
            const Vec3 heel = model[sole.ankle] * sole.points[0];
            for (const Vec3& p : sole.points) EXPECT_NEAR((model[sole.ankle] * p).y, heel.y, 1e-9);
            EXPECT_LT(heel.z, (model[sole.ankle] * sole.points[2]).z);
        }
        std::vector<JointDef> defs(skeleton.definitions().begin(), skeleton.definitions().end());
        for (JointDef& def : defs) def.rest.translation *= 100.0;
        const Skeleton large = *makeSkeleton(defs);
        const BodyShape grown =
            makeBodyShape(large, restPose(large), *findHumanBody(large, restPose(large)));
        for (std::size_t i = 0; i < kBodyLimbs; ++i)
            EXPECT_NEAR(grown.limbs[i].radius, 100.0 * shape.limbs[i].radius, 1e-6);
    }
}

TEST(BodyShape, ThatABodyIsGivenIsTheOneItKeeps) {
    Standing person;
    const auto usual = person.natural;
    NaturalBody stout = *usual;
    BodyShape shape = stout.shape();
    for (const BodyLimb trunk : {BodyLimb::LowerTrunk, BodyLimb::UpperTrunk})
        shape.limbs[static_cast<std::size_t>(trunk)].radius *= 1.5;
    stout.setShape(shape);
    EXPECT_EQ(stout.shape().limb(BodyLimb::LowerTrunk).radius,
              1.5 * usual->shape().limb(BodyLimb::LowerTrunk).radius);
    EXPECT_EQ(stout.shape().limb(BodyLimb::Head).radius,
              usual->shape().limb(BodyLimb::Head).radius);
    const auto own = std::make_shared<const NaturalBody>(std::move(stout));
    const auto deepest = [&](const std::shared_ptr<const NaturalBody>& body) {
        double out = 0.0;
        for (const double height : {0.05, 0.2}) {
            for (const double side : {0.0, 0.1}) {
                // Before the belly, in a hand's breadth of the stout one.
                std::vector<IkGoal> goals = person.feet();
                const Vec3 hips = person.at(person.start, person.body.hips);
                goals.push_back({.kind = PositionGoal{.joint = person.body.left.wrist,
                                                      .target = hips + Vec3{side, height, 0.27}}});
                person.natural = body;
                const Pose pose = person.solve(goals);
                person.natural = own;  // whose capsules judge
                for (const BodyLimb arm : {BodyLimb::LeftForearm, BodyLimb::LeftHand})
                    for (const BodyLimb trunk : {BodyLimb::LowerTrunk, BodyLimb::UpperTrunk})
                        out = std::max(out,
                                       depth(person, pose, arm, trunk) -
                                           std::max(depth(person, person.start, arm, trunk), 0.0));
            }
        }
        return out;
    };
    EXPECT_LT(deepest(own), 5 * kMillimetre);
    EXPECT_GT(deepest(usual), 10 * kMillimetre);
}

// ---- the rules

TEST(BodyRules, LeaveAPoseThatKeepsThemAsItIs) {
    const Standing person;
    const std::vector<IkGoal> goals = person.feet();
    BodyRules rules(person.natural, goals, {}, person.start);
    Pose pose = person.start;
    EXPECT_FALSE(rules.mend(goals, {}, pose));
    EXPECT_EQ(pose, person.start);
    EXPECT_LT(rules.broken(goals, pose), 1e-9);
}

TEST(BodyRules, ShiftTheWeightOntoTheFootThatStands) {
    const Standing person;
    std::vector<IkGoal> goals = person.feet();
    goals[0] = person.hold(person.body.left.ankle, {0.15, 0.3, 0});
    const Pose pose = person.solve(goals);
    EXPECT_LT(fallsBy(person, pose, {1}), kMillimetre);
    EXPECT_LT(distance(person.at(pose, person.body.right.ankle),
                       person.at(person.start, person.body.right.ankle)),
              kMillimetre);
    EXPECT_GT(fallsBy(person, person.without(goals), {1}), 0.01);
}

TEST(BodyRules, KeepABodyThatReachesOverItsFeet) {
    const Standing person;
    std::vector<IkGoal> goals = person.feet();
    goals.push_back(person.hold(person.body.left.wrist, {0.5, 0.2, -0.35}));
    EXPECT_LT(fallsBy(person, person.solve(goals), {0, 1}), kMillimetre);
    EXPECT_GT(fallsBy(person, person.without(goals), {0, 1}), 0.01);
}

TEST(BodyRules, KeepSolesFlatOnTheFloorInASquat) {
    const Standing person;
    std::vector<IkGoal> goals = person.feet();
    goals.push_back(person.hold(person.body.hips, {0, -0.35, -0.1}));
    const Pose pose = person.solve(goals);
    const double floor = lowest(person, person.start);
    EXPECT_GT(lowest(person, pose), floor - kMillimetre);
    for (const Vec3& p : solesOf(person, pose, {0, 1})) EXPECT_LT(p.y, floor + 2 * kMillimetre);
    EXPECT_LT(lowest(person, person.without(goals)), floor - 0.01);
}

TEST(BodyRules, LetAFootThatIsLiftedByItsToesTilt) {
    const Standing person;
    ASSERT_NE(person.body.left.toes, JointId::None);
    const IkGoal other = person.hold(person.body.right.ankle);
    const std::vector<IkGoal> goals = {person.hold(person.body.left.toes, {0, 0.02, 0}), other};
    BodyRules rules(person.natural, goals, {}, person.start);
    const auto flat = [&](std::span<const IkGoal> now) {
        int out = 0;
        for (const IkGoal& rule : rules.rulesFor(now))
            out += rule.enabled && std::holds_alternative<OrientationGoal>(rule.kind) ? 1 : 0;
        return out;
    };
    EXPECT_EQ(flat(goals), 1);
    EXPECT_EQ(flat(std::vector{person.hold(person.body.left.toes), other}), 2);
}

TEST(BodyRules, KeepArmsOutOfTheTrunkAndHandsOutOfTheHead) {
    const Standing person;
    const Vec3 chest = person.at(person.start, person.body.spine.back());
    std::vector<IkGoal> goals = person.feet();
    // Behind the back, on the other side: the straight way leads through it.
    goals.push_back({.kind = PositionGoal{.joint = person.body.right.wrist,
                                          .target = chest + Vec3{0.05, -0.05, -0.30}}});
    const auto worst = [&](const Pose& pose) {
        double out = 0.0;
        for (const BodyLimb limb : {BodyLimb::RightHand, BodyLimb::RightForearm})
            for (const BodyLimb other :
                 {BodyLimb::LowerTrunk, BodyLimb::UpperTrunk, BodyLimb::Head})
                out = std::max(out, depth(person, pose, limb, other));
        return out;
    };
    EXPECT_GT(worst(person.without(goals)), 0.01);
    EXPECT_LT(worst(person.solve(goals)), 2 * kMillimetre);
}

TEST(BodyRules, AskNothingThatTheStartDoesNotKeep) {
    Standing person;
    // It lies on its back, so its weight is not over its feet.
    person.start[person.body.hips].rotation =
        quatAboutAxis(0, -kPi / 2) * person.start[person.body.hips].rotation;
    const std::vector<IkGoal> goals = person.feet();
    BodyRules rules(person.natural, goals, {}, person.start);
    for (const IkGoal& rule : rules.rulesFor(goals))
        EXPECT_FALSE(rule.enabled && std::holds_alternative<BalanceGoal>(rule.kind));
    EXPECT_LT(rules.broken(goals, person.start), 1e-9);
    // Hands that are in the thighs may stay there.
    Standing sitting;
    for (const auto& [joint, angle] :
         {std::pair{sitting.body.left.shoulder, -0.3}, std::pair{sitting.body.right.shoulder, 0.3}})
        sitting.start[joint].rotation = quatAboutAxis(2, angle) * sitting.start[joint].rotation;
    BodyRules others(sitting.natural, goals, {}, sitting.start);
    EXPECT_LT(others.broken(goals, sitting.start), 1e-9);
}

TEST(BodyRules, AreLeftOutOnRequestAndWithoutFeetThatAreHeld) {
    const Standing person;
    const std::vector<IkGoal> goals = person.feet();
    EXPECT_TRUE(BodyRules(person.natural, goals, {}, person.start, {false, false, false, false})
                    .rulesFor(goals)
                    .empty());
    const std::vector<IkGoal> hand = {person.hold(person.body.left.wrist)};
    BodyRules rules(person.natural, hand, {}, person.start);
    for (const IkGoal& rule : rules.rulesFor(hand))
        EXPECT_TRUE(std::holds_alternative<KeepApartGoal>(rule.kind));
}

TEST(BodyRules, GiveWayToGoals) {
    // The hips are asked to be half a metre behind the feet: the body falls, and the goal is met.
    const Standing person;
    std::vector<IkGoal> goals = person.feet();
    goals.push_back(person.hold(person.body.hips, {0, -0.2, -0.45}));
    const Pose pose = person.solve(goals);
    EXPECT_LT(distance(person.at(pose, person.body.hips),
                       person.at(person.start, person.body.hips) + Vec3{0, -0.2, -0.45}),
              kMillimetre);
}

// Goals and rules of one problem, from many starts: whether any pose at all keeps both.
bool allows(const Standing& person, const std::vector<IkGoal>& goals) {
    BodyRules rules(person.natural, goals, {}, person.start);
    std::vector<IkGoal> all = goals;
    for (const IkGoal& rule : rules.rulesFor(goals))
        if (rule.enabled) all.push_back(rule);
    Result<IkSolver> solver =
        IkSolver::make(person.skeleton, all,
                       {.position_tolerance = kMillimetre, .angle_tolerance = 0.02, .restarts = 4});
    Pose pose = person.start;
    return solver->solve(pose).status == IkStatus::Reached;
}

TEST(BodyRules, HoldInRandomStandingPosesThatAllowThem) {
    const Standing person;
    Random random(18);
    int reached = 0, kept = 0, impossible = 0;
    for (int i = 0; i < 120; ++i) {
        std::vector<IkGoal> goals = person.feet();
        const Vec3 sink{random.between(-0.05, 0.05), random.between(-0.35, 0.0),
                        random.between(-0.1, 0.1)};
        goals.push_back(person.hold(person.body.hips, sink));
        for (const JointId hand : {person.body.left.wrist, person.body.right.wrist}) {
            const Vec3 direction = random.direction();
            goals.push_back(person.hold(hand, sink + direction * random.between(0.0, 0.4)));
        }
        Result<IkSolver> solver =
            IkSolver::make(person.skeleton, goals, {.natural = person.natural});
        Pose pose = person.start;
        if (solver->solve(pose).status != IkStatus::Reached) continue;
        ++reached;
        BodyRules rules(person.natural, goals, {}, person.start);
        if (rules.broken(goals, pose) < 5 * kMillimetre) {
            ++kept;
            EXPECT_LT(fallsBy(person, pose, {0, 1}), 5 * kMillimetre) << "pose " << i;
            EXPECT_GT(lowest(person, pose), lowest(person, person.start) - 5 * kMillimetre);
        } else if (!allows(person, goals)) {
            ++impossible;
        }
    }
    EXPECT_GT(reached, 100);
    EXPECT_GE(kept + impossible, reached - reached / 25);
    EXPECT_GT(kept, 9 * reached / 10);
}

}  // namespace
}  // namespace ulna
