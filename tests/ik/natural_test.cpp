// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/natural.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/anatomy.h"
#include "support/skeletons.h"
#include "support/text.h"
#include "ulna/ik/clip.h"
#include "ulna/ik/detail/human_poses.h"
#include "ulna/ik/detail/network_layer.h"
#include "ulna/ik/natural_suggestion.h"
#include "ulna/ik/solver.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"

namespace ulna {
namespace {

using test::contains;

// ---- the prior

BodyOffsets usualOffsets() {
    BodyOffsets out = {};
    const auto set = [&](PoseRole role, Vec3 v) { out[static_cast<std::size_t>(role)] = v; };
    set(PoseRole::Spine, {0, 0.14, 0});
    set(PoseRole::Chest, {0, 0.14, 0});
    set(PoseRole::UpperNeck, {0, 0.115, 0});
    set(PoseRole::Head, {0, 0.117, 0});
    set(PoseRole::LeftUpperArm, {0.222, 0.08, -0.007});
    set(PoseRole::RightUpperArm, {-0.222, 0.08, -0.007});
    set(PoseRole::LeftForearm, {0.35, 0, 0});
    set(PoseRole::RightForearm, {-0.35, 0, 0});
    set(PoseRole::LeftHand, {0.228, 0, 0});
    set(PoseRole::RightHand, {-0.228, 0, 0});
    set(PoseRole::LeftThigh, {0.108, -0.118, 0.057});
    set(PoseRole::RightThigh, {-0.108, -0.118, 0.057});
    set(PoseRole::LeftShin, {0, -0.483, 0});
    set(PoseRole::RightShin, {0, -0.483, 0});
    set(PoseRole::LeftFoot, {0, -0.517, 0});
    set(PoseRole::RightFoot, {0, -0.517, 0});
    set(PoseRole::LeftToes, {0, -0.037, 0.136});
    set(PoseRole::RightToes, {0, -0.037, 0.136});
    return out;
}

// A person who stands, with hands that hang: hips, hands, feet, head.
PosePoints standing() {
    PosePoints out;
    const std::array<Vec3, 6> at = {Vec3{0, 0, 0},          Vec3{0.3, -0.1, 0.1},
                                    Vec3{-0.3, -0.1, 0.1},  Vec3{0.12, -1.1, 0.03},
                                    Vec3{-0.12, -1.1, 0.0}, Vec3{0, 0.5, 0.08}};
    for (std::size_t i = 0; i < at.size(); ++i) {
        out.positions[i] = at[i];
        out.given.set(i);
    }
    return out;
}

double largestAngle(const RolePose& a, const RolePose& b) {
    double out = 0.0;
    for (std::size_t r = 0; r < kPoseRoles; ++r)
        out = std::max(out, angleBetween(a.rotations[r], b.rotations[r]));
    return out;
}

TEST(PosePrior, TakesAPersonWhoStandsForOne) {
    const RolePose pose = PosePrior::human()->predict(usualOffsets(), standing());
    // Upright, facing forwards, arms that hang and legs that are nearly straight.
    EXPECT_GT(rotate(pose.rotations[0], Vec3{0, 1, 0}).y, 0.9);
    EXPECT_GT(rotate(pose.rotations[0], Vec3{0, 0, 1}).z, 0.9);
    Quat arm = pose.rotations[0];
    for (const PoseRole role :
         {PoseRole::LowerBack, PoseRole::Spine, PoseRole::Chest, PoseRole::LeftUpperArm})
        arm = arm * pose.rotations[static_cast<std::size_t>(role)];
    EXPECT_LT(rotate(arm, Vec3{1, 0, 0}).y, -0.7);
    EXPECT_LT(rotationAngle(pose.rotations[static_cast<std::size_t>(PoseRole::LeftShin)]),
              radians(40));
}

TEST(PosePrior, TurnsWithItsPoints) {
    const auto prior = PosePrior::human();
    const PosePoints points = standing();
    const RolePose before = prior->predict(usualOffsets(), points);
    Random random(3);
    for (int i = 0; i < 50; ++i) {
        const Quat turn = quatAboutAxis(1, random.between(-3.1, 3.1));
        const Vec3 move{random.between(-5, 5), random.between(-5, 5), random.between(-5, 5)};
        PosePoints turned = points;
        for (Vec3& p : turned.positions) p = rotate(turn, p) + move;
        turned.forward = rotate(turn, points.forward);
        const RolePose after = prior->predict(usualOffsets(), turned);
        EXPECT_LT(angleBetween(after.rotations[0], turn * before.rotations[0]), 1e-5);
        for (std::size_t r = 1; r < kPoseRoles; ++r)
            EXPECT_LT(angleBetween(after.rotations[r], before.rotations[r]), 1e-5) << "role " << r;
        EXPECT_LT(distance(after.hips, move), 1e-12);
    }
}

TEST(PosePrior, MovesLittleWherePointsMoveLittle) {
    const auto prior = PosePrior::human();
    Random random(4);
    double most = 0.0;
    for (int i = 0; i < 150; ++i) {
        PosePoints points = standing();
        for (std::size_t p = 0; p < 6; ++p)
            points.positions[p] += random.direction() * random.between(0.0, 0.3);
        const RolePose before = prior->predict(usualOffsets(), points);
        const double step = 1e-3;
        points.positions[1 + static_cast<std::size_t>(i) % 5] += random.direction() * step;
        most = std::max(most, largestAngle(before, prior->predict(usualOffsets(), points)) / step);
    }
    EXPECT_LT(most, 20.0);  // radians per leg length
    EXPECT_GT(most, 0.1);
}

TEST(PosePrior, TakesAnyPointsAtAll) {
    const auto prior = PosePrior::human();
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        PosePoints points;
        points.given.set(static_cast<std::size_t>(i) % kPosePoints.size());
        for (std::size_t p = 0; p < kPosePoints.size(); ++p) {
            points.positions[p] = random.direction() * std::pow(10.0, random.between(-9, 9));
            if (random.between(0, 1) < 0.3) points.given.set(p);
        }
        const RolePose pose = prior->predict(usualOffsets(), points);
        for (const Quat& q : pose.rotations)
            EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0, 1e-12);
        EXPECT_TRUE(isFinite(pose.hips));
    }
}

TEST(NetworkLayer, IsAPlainLoopToTheBit) {
    Random random(12);
    for (const std::size_t outputs : {1U, 31U, 32U, 129U}) {
        ik::detail::NetworkLayer layer(73, outputs);
        for (std::size_t o = 0; o < outputs; ++o) {
            layer.scale[o] = static_cast<float>(random.between(0.001, 0.1));
            layer.bias[o] = static_cast<float>(random.between(-1, 1));
            for (std::size_t i = 0; i < layer.inputs; ++i)
                layer.weight(o, i) = static_cast<std::int8_t>(random.between(-127, 127));
        }
        std::vector<float> in(layer.inputs), fast(layer.bias.size()), plain(layer.bias.size());
        for (float& x : in) x = static_cast<float>(random.between(-3, 3));
        layer.apply(in, fast);
        layer.applyPlain(in, plain);
        EXPECT_EQ(fast, plain);
    }
}

TEST(PosePrior, RefusesBytesThatAreNone) {
    const std::span<const std::byte> whole = ik::detail::humanPoses();
    ASSERT_TRUE(PosePrior::read(whole).ok());
    EXPECT_FALSE(PosePrior::read({}).ok());
    for (std::size_t size = 0; size < 9000; size += 7)
        EXPECT_FALSE(PosePrior::read(whole.first(size)).ok()) << size << " bytes";
    for (std::size_t size = 9000; size < whole.size(); size += 50021)
        EXPECT_FALSE(PosePrior::read(whole.first(size)).ok()) << size << " bytes";
    std::vector<std::byte> bytes(whole.begin(), whole.end());
    bytes.push_back(std::byte{0});
    EXPECT_TRUE(contains(PosePrior::read(bytes).error().what, "more behind its end"));
    bytes.pop_back();
    for (std::size_t i = 0; i < 32; ++i) {
        std::vector<std::byte> damaged = bytes;
        damaged[i] ^= std::byte{0xff};
        EXPECT_FALSE(PosePrior::read(damaged).ok()) << "byte " << i;
    }
    std::vector<std::byte> infinite = bytes;
    for (std::size_t i = 32; i < 36; ++i) infinite[i] = std::byte{0x7f};
    infinite[34] = std::byte{0x80};
    EXPECT_FALSE(PosePrior::read(infinite).ok());
}

// ---- on a skeleton

struct Person {
    Skeleton skeleton = test::makeHumanoid(test::mixamo());
    Pose pose = restPose(skeleton);
    std::shared_ptr<const NaturalBody> natural = [this] {
        Result<NaturalBody> made = NaturalBody::make(skeleton, pose);
        EXPECT_TRUE(made.ok());
        return std::make_shared<const NaturalBody>(*std::move(made));
    }();
    HumanBody body = *findHumanBody(skeleton, pose);

    [[nodiscard]] Vec3 position(JointId joint) const {
        return computeModelPose(skeleton, pose).position(joint);
    }
    [[nodiscard]] IkGoal at(JointId joint, const Vec3& target) const {
        return {.kind = PositionGoal{.joint = joint, .target = target}};
    }
    // Where another pose has hands, feet, hips and head.
    [[nodiscard]] std::vector<IkGoal> goals(const ModelPose& other) const {
        std::vector<IkGoal> out;
        for (const JointId joint : {body.left.wrist, body.right.wrist, body.left.ankle,
                                    body.right.ankle, body.hips, body.head})
            out.push_back(at(joint, other.position(joint)));
        return out;
    }
    // Where hands, feet, hips and head are, moved by up to a distance.
    [[nodiscard]] std::vector<IkGoal> goals(Random& random, double far) const {
        std::vector<IkGoal> out;
        for (const JointId joint : {body.left.wrist, body.right.wrist, body.left.ankle,
                                    body.right.ankle, body.hips, body.head})
            out.push_back(at(joint, position(joint) + random.direction() * random.between(0, far)));
        return out;
    }
};

double largestAngle(const Pose& a, const Pose& b) {
    double out = 0.0;
    for (std::size_t j = 0; j < a.parent_from_joint.size(); ++j)
        out = std::max(out, angleBetween(a[jointId(j)].rotation, b[jointId(j)].rotation));
    return out;
}

TEST(HumanBody, NamesEveryPartOfEveryFamily) {
    for (const test::NameFamily& family : test::nameFamilies()) {
        const Skeleton skeleton = test::makeHumanoid(family);
        const Result<HumanBody> body = findHumanBody(skeleton, restPose(skeleton));
        ASSERT_TRUE(body.ok()) << body.error().what;
        EXPECT_NE(body->head, JointId::None);
        EXPECT_FALSE(body->spine.empty());
        for (const HumanSide* side : {&body->left, &body->right})
            for (const JointId joint :
                 {side->shoulder, side->elbow, side->wrist, side->hip, side->knee, side->ankle})
                EXPECT_NE(joint, JointId::None);
        EXPECT_TRUE(skeleton.isAncestor(body->left.hip, body->left.ankle));
        const ModelPose model = computeModelPose(skeleton, restPose(skeleton));
        const Vec3 left = body->model_from_body * Vec3{1, 0, 0};
        EXPECT_GT(dot(model.position(body->left.hip) - model.position(body->right.hip), left), 0);
    }
}

TEST(NaturalBody, IsMadeOfHumanBodiesOnly) {
    const Skeleton chain = test::everyKind();
    EXPECT_FALSE(NaturalBody::make(chain, restPose(chain)).ok());
    const Person person;
    const BodyMap map{.entries = {{"left.elbow", {}}}};
    const Result<NaturalBody> body =
        NaturalBody::make(person.skeleton, restPose(person.skeleton), PosePrior::human(), &map);
    ASSERT_FALSE(body.ok());
    EXPECT_TRUE(contains(body.error().what, "an arm or a leg is not whole"));
}

TEST(NaturalSuggestion, LeavesAPoseThatHasItsPointsWhereTheyShouldBe) {
    Person person;
    Random random(6);
    const Pose pose = test::randomPose(person.skeleton, random, 0.3, 0.0);
    person.pose = pose;
    const std::vector<IkGoal> goals = person.goals(random, 0.0);
    const NaturalSuggestion natural(person.natural, goals, {}, pose, NaturalStart::Pose);
    Pose out;
    natural.suggest(goals, out);
    EXPECT_LT(largestAngle(out, pose), 1e-6);
    EXPECT_LT(distance(out[person.body.hips].translation, pose[person.body.hips].translation),
              1e-9);
}

TEST(NaturalSuggestion, IsTheSameForABodyThatRestsWithItsArmsLowered) {
    // The same person, whose rest pose is an A-pose: every position is the same in the end.
    const Person t;
    Pose lowered = t.pose;
    lowered[t.body.left.shoulder].rotation =
        quatAboutAxis(2, -0.7) * lowered[t.body.left.shoulder].rotation;
    lowered[t.body.right.shoulder].rotation =
        quatAboutAxis(2, 0.7) * lowered[t.body.right.shoulder].rotation;
    std::vector<JointDef> defs(t.skeleton.definitions().begin(), t.skeleton.definitions().end());
    for (std::size_t j = 0; j < defs.size(); ++j) defs[j].rest = lowered[jointId(j)];
    const Skeleton a = *makeSkeleton(defs);
    const auto natural = std::make_shared<const NaturalBody>(*NaturalBody::make(a, restPose(a)));
    Random random(7);
    for (int i = 0; i < 20; ++i) {
        const std::vector<IkGoal> goals = t.goals(random, 0.3);
        Pose from_t, from_a;
        NaturalSuggestion(t.natural, goals, {}, t.pose, NaturalStart::Afresh)
            .suggest(goals, from_t);
        NaturalSuggestion(natural, goals, {}, restPose(a), NaturalStart::Afresh)
            .suggest(goals, from_a);
        const ModelPose one = computeModelPose(t.skeleton, from_t);
        const ModelPose other = computeModelPose(a, from_a);
        for (const JointId j : t.skeleton.joints()) {
            // A hand's bone is not quite straight, so the shortest rotations to straight differ.
            const bool finger = t.skeleton.isAncestor(t.body.left.wrist, j) ||
                                t.skeleton.isAncestor(t.body.right.wrist, j);
            EXPECT_LT(distance(one.position(j), other.position(j)), finger ? 1e-2 : 1e-6)
                << t.skeleton.name(j);
        }
    }
}

TEST(NaturalSuggestion, KeepsWhatIsHeld) {
    const Person person;
    Random random(8);
    const std::vector<IkGoal> goals = person.goals(random, 0.3);
    const std::vector<JointId> held = {person.body.left.elbow, person.body.spine.front()};
    Pose out;
    NaturalSuggestion(person.natural, goals, held, person.pose, NaturalStart::Afresh)
        .suggest(goals, out);
    for (const JointId joint : held)
        EXPECT_LT(angleBetween(out[joint].rotation, person.pose[joint].rotation), 1e-12);
    EXPECT_GT(angleBetween(out[person.body.right.elbow].rotation,
                           person.pose[person.body.right.elbow].rotation),
              0.05);
}

TEST(NaturalSuggestion, MovesNothingThatAHeldRootAndAHandDoNotNeed) {
    const Person person;
    const JointId root = person.skeleton.roots().front();
    const std::vector<IkGoal> goals = {person.at(
        person.body.left.wrist, person.position(person.body.left.wrist) + Vec3{-0.2, 0.1, 0.3})};
    Pose out;
    NaturalSuggestion(person.natural, goals, std::vector{root}, person.pose, NaturalStart::Pose)
        .suggest(goals, out);
    EXPECT_EQ(out[root], person.pose[root]);
    for (const JointId joint : {person.body.right.shoulder, person.body.left.hip,
                                person.body.right.knee, person.body.head})
        EXPECT_EQ(out[joint], person.pose[joint]);
    EXPECT_GT(angleBetween(out[person.body.left.shoulder].rotation,
                           person.pose[person.body.left.shoulder].rotation),
              0.05);
}

TEST(NaturalIk, MeetsItsGoalsInsideTheLimitsAsExactlyAsWithout) {
    const Person person;
    const AnatomicalRig rig = test::makeRig(person.skeleton);
    const auto natural = std::make_shared<const NaturalBody>(
        *NaturalBody::make(rig.skeleton, restPose(rig.skeleton)));
    Random random(9);
    for (const NaturalStart start : {NaturalStart::Pose, NaturalStart::Afresh}) {
        Result<IkSolver> solver = IkSolver::make(rig.skeleton, person.goals(random, 0.0),
                                                 {.natural = natural, .natural_start = start});
        ASSERT_TRUE(solver.ok()) << solver.error().what;
        int reached = 0;
        for (int i = 0; i < 60; ++i) {
            // Within reach: where a pose inside the limits has them.
            DofVector truth(rig.skeleton.dofCount(), 0.0);
            for (double& angle : truth) angle = random.between(-0.5, 0.5);
            clampToLimits(rig.skeleton, truth);
            const std::vector<IkGoal> goals =
                person.goals(computeModelPose(rig.skeleton, computePose(rig.skeleton, truth)));
            for (std::size_t g = 0; g < goals.size(); ++g) solver->goals()[g] = goals[g];
            DofVector dofs(rig.skeleton.dofCount(), 0.0);
            const IkStatus status = solver->solve(dofs).status;
            EXPECT_LT(limitExcess(rig.skeleton, dofs), 1e-9);
            if (status != IkStatus::Reached) continue;
            ++reached;
            const ModelPose model = computeModelPose(rig.skeleton, computePose(rig.skeleton, dofs));
            for (const IkGoal& goal : goals) {
                const auto& position = std::get<PositionGoal>(goal.kind);
                EXPECT_LE(distance(model.position(position.joint), position.target),
                          solver->positionTolerance());
            }
        }
        EXPECT_GE(reached, 55);
    }
}

TEST(NaturalIk, StaysWhereItIsWhenItIsSolvedAgain) {
    const Person person;
    Random random(10);
    for (const NaturalStart start : {NaturalStart::Pose, NaturalStart::Afresh}) {
        for (int i = 0; i < 20; ++i) {
            Result<IkSolver> solver = IkSolver::make(
                person.skeleton,
                person.goals(computeModelPose(person.skeleton,
                                              test::randomPose(person.skeleton, random, 0.4, 0.0))),
                {.natural = person.natural, .natural_start = start});
            Pose pose = person.pose;
            ASSERT_EQ(solver->solve(pose).status, IkStatus::Reached);
            Pose again = pose;
            ASSERT_EQ(solver->solve(again).status, IkStatus::Reached);
            EXPECT_LT(largestAngle(again, pose), 1e-6) << "problem " << i;
        }
    }
}

TEST(NaturalScore, IsLowForNaturalPosesAndHighForOthers) {
    Person person;
    for (const auto& [joint, angle] :
         {std::pair{person.body.left.shoulder, -1.1}, std::pair{person.body.right.shoulder, 1.1}})
        person.pose[joint].rotation = quatAboutAxis(2, angle) * person.pose[joint].rotation;
    Random random(19);
    double natural = 0.0, plain = 0.0;
    constexpr int kPoses = 30;
    for (int i = 0; i < kPoses; ++i) {
        const double x = random.between(-0.1, 0.1), y = random.between(-0.35, 0.0);
        const Vec3 sink{x, y, random.between(-0.1, 0.05)};
        std::vector<IkGoal> goals;
        for (const JointId foot : {person.body.left.ankle, person.body.right.ankle})
            goals.push_back(person.at(foot, person.position(foot)));
        goals.push_back(person.at(person.body.hips, person.position(person.body.hips) + sink));
        goals.push_back(
            person.at(person.body.left.wrist, person.position(person.body.left.wrist) + sink +
                                                  Vec3{0.0, random.between(0.0, 0.4), 0.2}));
        for (const bool use : {true, false}) {
            IkOptions how;
            if (use) how.natural = person.natural;
            how.natural_start = NaturalStart::Afresh;
            Pose pose = person.pose;
            Result<IkSolver> solver = IkSolver::make(person.skeleton, goals, how);
            solver->solve(pose);
            const NaturalScore score = person.natural->score(pose);
            EXPECT_GE(score.worst, score.mean);
            EXPECT_NE(score.joint, JointId::None);
            (use ? natural : plain) += score.mean / kPoses;
        }
    }
    EXPECT_LT(natural, 1.3);
    EXPECT_GT(plain, 2.0 * natural);
}

TEST(NaturalScore, NamesTheJointThatIsWrong) {
    Person person;
    Random random(20);
    const std::vector<IkGoal> goals = person.goals(random, 0.1);
    Result<IkSolver> solver = IkSolver::make(
        person.skeleton, goals, {.natural = person.natural, .natural_start = NaturalStart::Afresh});
    solver->solve(person.pose);
    const NaturalScore before = person.natural->score(person.pose);
    // A head that looks behind changes no position that the prior is told.
    Pose& pose = person.pose;
    pose[person.body.head].rotation = quatAboutAxis(1, 3.0) * pose[person.body.head].rotation;
    const NaturalScore after = person.natural->score(pose);
    EXPECT_EQ(after.joint, person.body.head);
    EXPECT_GT(after.worst, before.worst + 3.0);
}

TEST(NaturalScore, IsTheSameWhereverTheBodyIsAndFaces) {
    const Person person;
    const JointId root = person.skeleton.roots().front();
    const NaturalScore here = person.natural->score(person.pose);
    Pose there = person.pose;
    const Quat turn = quatAboutAxis(1, 1.1);
    there[root].rotation = turn * there[root].rotation;
    there[root].translation = rotate(turn, there[root].translation) + Vec3{3, 0, -7};
    EXPECT_NEAR(person.natural->score(there).mean, here.mean, 1e-4);
}

TEST(NaturalIk, IsRefusedWhereItIsNone) {
    const Person person;
    Random random(11);
    const std::vector<IkGoal> goals = person.goals(random, 0.1);
    const Result<IkSolver> ccd = IkSolver::make(
        person.skeleton, goals, {.method = IkMethod::Ccd, .natural = person.natural});
    ASSERT_FALSE(ccd.ok());
    EXPECT_TRUE(contains(ccd.error().what, "ccd knows no natural poses"));
    const Skeleton chain = test::everyKind();
    const Result<IkSolver> other = IkSolver::make(
        chain, {{.kind = PositionGoal{.joint = jointId(1)}}}, {.natural = person.natural});
    ASSERT_FALSE(other.ok());
    EXPECT_TRUE(contains(other.error().what, "another skeleton"));
}

TEST(NaturalIk, ClipsFollowTheirOwnFramesWhereverTheyAreCut) {
    const Person person;
    Motion motion(person.pose, 12, 0.1, usualTracks(person.skeleton));
    for (std::size_t f = 0; f < 12; ++f) {
        Pose pose = person.pose;
        pose[person.body.left.shoulder].rotation = quatAboutAxis(2, -0.1 * static_cast<double>(f)) *
                                                   pose[person.body.left.shoulder].rotation;
        motion.setPose(f, pose);
    }
    IkClipGoal hand{.goal = person.at(person.body.right.wrist, {-0.3, 1.2, 0.4})};
    const IkOptions how{.natural = person.natural};
    const Result<IkClipResult> whole = solveIkClip(person.skeleton, motion, std::vector{hand}, how);
    ASSERT_TRUE(whole.ok());
    Motion last(person.pose, 1, 0.1, usualTracks(person.skeleton));
    last.setPose(0, motion.pose(11));
    const Result<IkClipResult> cut = solveIkClip(person.skeleton, last, std::vector{hand}, how);
    EXPECT_LT(largestAngle(whole->motion.pose(11), cut->motion.pose(0)), 1e-9);
}

}  // namespace
}  // namespace ulna
