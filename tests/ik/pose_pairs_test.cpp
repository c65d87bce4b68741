// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/pose_pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "support/anatomy.h"
#include "ulna/ik/body_rules.h"
#include "ulna/ik/detail/human_poses.h"
#include "ulna/ik/natural.h"
#include "ulna/ik/solver.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"

namespace ulna {
namespace {

std::span<const PosePair> pairs() {
    static const auto prior = PosePrior::human();
    return prior->pairs();
}

const PosePair& pairOf(LimbAngle a, LimbAngle b) {
    for (const PosePair& pair : pairs())
        if (pair.a == a && pair.b == b) return pair;
    throw std::runtime_error("no such pair");
}

LimbAngles anyAngles(Random& random) {
    LimbAngles out;
    for (double& angle : out) angle = random.between(-4.0, 4.0);
    return out;
}

double outsideAt(const PosePair& pair, double a, double b) {
    LimbAngles angles = {};
    angles[static_cast<std::size_t>(pair.a)] = a;
    angles[static_cast<std::size_t>(pair.b)] = b;
    std::array<double, 2> slope;
    return pair.outside(angles, slope);
}

// ---- the maps

TEST(PosePairs, KnowWhatEverybodyKnows) {
    // An arm that hangs and a leg that stands are inside; a knee that bends forwards by 60 degrees,
    // an elbow bent by 175 and a thigh that is twisted outwards by 120 are not.
    const double hangs = radians(-75);
    EXPECT_LT(outsideAt(pairOf(LimbAngle::ShoulderForward, LimbAngle::ShoulderUp), 0.0, hangs), 0);
    EXPECT_LT(outsideAt(pairOf(LimbAngle::HipFlex, LimbAngle::Knee), 0.0, 0.1), 0.0);
    EXPECT_LT(outsideAt(pairOf(LimbAngle::HipFlex, LimbAngle::Knee), radians(-90), radians(90)), 0);
    EXPECT_GT(outsideAt(pairOf(LimbAngle::HipFlex, LimbAngle::Knee), 0.0, radians(-80)), 0.1);
    EXPECT_GT(outsideAt(pairOf(LimbAngle::ShoulderUp, LimbAngle::Elbow), hangs, radians(175)),
              0.05);
    EXPECT_GT(outsideAt(pairOf(LimbAngle::HipFlex, LimbAngle::HipTwist), 0.0, radians(150)), 0.05);
    // Together: a knee is bent by 130 degrees with a raised thigh, hardly with one that is behind.
    const PosePair& legs = pairOf(LimbAngle::HipFlex, LimbAngle::Knee);
    EXPECT_GT(outsideAt(legs, radians(50), radians(140)),
              outsideAt(legs, radians(-80), radians(140)) + 0.1);
}

TEST(PosePairs, AreWhatTheFileSaysAndHaveItsSlopes) {
    Random random(2);
    for (const PosePair& pair : pairs()) {
        for (std::size_t i = 0; i < PosePair::kCells; i += 7)
            for (std::size_t j = 0; j < PosePair::kCells; j += 11) {
                const auto centre = [](std::size_t cell) {
                    return (static_cast<double>(cell) + 0.5) * kTwoPi / PosePair::kCells - kPi;
                };
                EXPECT_NEAR(outsideAt(pair, centre(i), centre(j) + kTwoPi),
                            radians(pair.map[i * PosePair::kCells + j]), 1e-9);
            }
        for (int i = 0; i < 20; ++i) {
            const LimbAngles angles = anyAngles(random);
            std::array<double, 2> slope, other;
            const double now = pair.outside(angles, slope);
            for (const std::size_t k : {0U, 1U}) {
                constexpr double kStep = 1e-7;
                LimbAngles moved = angles;
                moved[static_cast<std::size_t>(k == 0 ? pair.a : pair.b)] += kStep;
                EXPECT_NEAR((pair.outside(moved, other) - now) / kStep, slope[k], 1e-5);
            }
        }
    }
}

TEST(PosePairs, BringAnglesInside) {
    Random random(3);
    const std::vector<double> none(pairs().size(), 0.0);
    const auto farthest = [](const LimbAngles& angles) {
        double out = 0.0;
        std::array<double, 2> slope;
        for (const PosePair& pair : pairs()) out = std::max(out, pair.outside(angles, slope));
        return out;
    };
    double before = 0.0, after = 0.0;
    for (int i = 0; i < 200; ++i) {
        LimbAngles angles;
        for (double& angle : angles) angle = random.between(-1.5, 1.5);
        LimbAngles moved = angles;
        before += farthest(angles);
        const bool any = moveInside(pairs(), none, moved);
        EXPECT_EQ(any, farthest(angles) > 1e-3);
        if (!any) {
            EXPECT_EQ(moved, angles);
        }
        EXPECT_LE(farthest(moved), farthest(angles) + 0.02);
        after += farthest(moved);
    }
    EXPECT_GT(before, 10.0);
    EXPECT_LT(after, 0.05 * before);
}

// ---- the file

TEST(PosePairs, OfAFileThatIsDamagedAreRefusedAndOfAnOldOneNone) {
    const std::span<const std::byte> whole = ik::detail::humanPoses();
    const std::size_t size = pairs().size() * (2 + PosePair::kCells * PosePair::kCells) + 4;
    const std::size_t at = whole.size() - size;
    const auto readable = [&](std::size_t where, int value) {
        std::vector<std::byte> bytes(whole.begin(), whole.end());
        bytes[where] = static_cast<std::byte>(value);
        return PosePrior::read(bytes).ok();
    };
    ASSERT_TRUE(readable(at, static_cast<int>(pairs().size())));
    EXPECT_FALSE(readable(at, static_cast<int>(pairs().size()) + 1));
    EXPECT_FALSE(readable(at, static_cast<int>(pairs().size()) - 1));
    EXPECT_FALSE(readable(at + 3, 0xff));                             // billions of pairs
    EXPECT_FALSE(readable(at + 4, static_cast<int>(kLimbAngles)));    // no such angle
    EXPECT_FALSE(readable(at + 4, static_cast<int>(whole[at + 5])));  // twice the same
    for (std::size_t cut = 1; cut < size; cut += 997)
        EXPECT_FALSE(PosePrior::read(whole.first(whole.size() - cut)).ok());
    std::vector<std::byte> old(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at));
    old[8] = std::byte{1};
    const Result<PosePrior> read = PosePrior::read(old);
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE(read->pairs().empty());
}

// ---- on a skeleton

struct Person {
    Skeleton skeleton = test::makeHumanoid(test::mixamo());
    HumanBody body = *findHumanBody(skeleton, restPose(skeleton));
    std::shared_ptr<const NaturalBody> natural =
        std::make_shared<const NaturalBody>(*NaturalBody::make(skeleton, restPose(skeleton)));
    Pose pose = [this] {
        Pose out = restPose(skeleton);
        turn(out, body.left.shoulder, quatAboutAxis(2, -1.2));
        turn(out, body.right.shoulder, quatAboutAxis(2, 1.2));
        return out;
    }();

    // In the axes of the model.
    void turn(Pose& out, JointId joint, const Quat& by) const {
        const Quat q = computeOrientations(skeleton, out)[index(joint)];
        out[joint].rotation = out[joint].rotation * (conjugate(q) * by * q);
    }
    [[nodiscard]] double farthest(const Pose& of) const {
        double out = 0.0;
        for (const double each : natural->outsidePairs(of)) out = std::max(out, each);
        return out;
    }
};

TEST(PosePairs, OfABodyAreThoseOfItsAnglesOnBothSides) {
    // Limbs of a skeleton lie along the axes of a T-pose within two or three degrees.
    const Person person;
    const std::size_t count = pairs().size();
    for (const double flexion : {0.3, -0.8, -1.6})
        for (const double bend : {0.1, 1.0, 2.0}) {
            Pose pose = person.pose;
            person.turn(pose, person.body.left.hip, quatAboutAxis(0, flexion));
            person.turn(pose, person.body.left.knee, quatAboutAxis(0, bend));
            const std::vector<double> outside = person.natural->outsidePairs(pose);
            ASSERT_EQ(outside.size(), 2 * count);
            for (std::size_t p = 0; p < count; ++p) {
                const PosePair& pair = pairs()[p];
                const bool legs = pair.a == LimbAngle::HipFlex && pair.b == LimbAngle::Knee;
                if (legs) {
                    EXPECT_NEAR(outside[p], outsideAt(pair, flexion, bend), 0.06);
                    EXPECT_NEAR(outside[count + p], outsideAt(pair, 0.0, 0.0), 0.06);
                }
                const bool arms = pair.a == LimbAngle::ShoulderForward;
                if (!arms || pair.b != LimbAngle::ShoulderUp) continue;
                for (const std::size_t side : {p, count + p})
                    EXPECT_NEAR(outside[side], outsideAt(pair, 0.0, -1.2), 0.06);
            }
        }
}

TEST(PosePairs, OfABodyAreKeptByItsLimbsAlone) {
    const Person person;
    Random random(5);
    const std::vector<double> none(2 * pairs().size(), 0.0);
    double before = 0.0, after = 0.0;
    for (int i = 0; i < 100; ++i) {
        Pose pose = person.pose;
        for (const HumanSide* side : {&person.body.left, &person.body.right})
            for (const JointId joint :
                 {side->shoulder, side->elbow, side->wrist, side->hip, side->knee}) {
                const double angle = random.between(0.0, 1.2);
                person.turn(pose, joint, quatFromAxisAngle(random.direction(), angle));
            }
        Pose moved = pose;
        const bool any = person.natural->moveInsidePairs(none, {}, moved);
        EXPECT_EQ(any, moved != pose);
        before += person.farthest(pose);
        after += person.farthest(moved);
        for (const JointId joint : {person.body.hips, person.body.chest, person.body.head,
                                    person.body.left.ankle, person.body.right.ankle})
            EXPECT_EQ(moved[joint], pose[joint]);
        // What is held stays, and what is inside too.
        const JointId held[] = {person.body.left.shoulder, person.body.right.hip};
        Pose other = pose;
        person.natural->moveInsidePairs(none, held, other);
        for (const JointId joint : held) EXPECT_EQ(other[joint], pose[joint]);
        std::vector<double> allowed = person.natural->outsidePairs(pose);
        for (double& each : allowed) each = std::max(each, 0.0);
        other = pose;
        EXPECT_FALSE(person.natural->moveInsidePairs(allowed, {}, other));
        EXPECT_EQ(other, pose);
    }
    EXPECT_GT(before, 5.0);
    EXPECT_LT(after, 0.1 * before);
}

TEST(PosePairs, AreKeptBelowGoals) {
    const Person person;
    Random random(6);
    const JointId pulled[] = {person.body.left.wrist, person.body.right.wrist};
    int with = 0, without = 0, reached = 0;
    for (int i = 0; i < 300; ++i) {
        const Pose start = person.natural->sample(static_cast<std::uint64_t>(i));
        const ModelPose model = computeModelPose(person.skeleton, start);
        const double before = std::max(person.farthest(start), 0.0);
        std::vector<IkGoal> goals;
        const JointId which = pulled[random.below(2)];
        const Vec3 direction = random.direction();
        const Vec3 move = direction * random.between(0.2, 0.6);
        for (const JointId joint : {person.body.left.ankle, person.body.right.ankle})
            if (joint != which)
                goals.push_back(
                    {.kind = PositionGoal{.joint = joint, .target = model.position(joint)}});
        goals.push_back(
            {.kind = PositionGoal{.joint = which, .target = model.position(which) + move}});
        double outside[2] = {};
        bool met = true;
        for (const bool kept : {true, false}) {
            NaturalRules rules;
            rules.pairs = kept;
            Result<IkSolver> solver = IkSolver::make(
                person.skeleton, goals, {.natural = person.natural, .natural_rules = rules});
            Pose pose = start;
            const bool own = solver->solve(pose).status == IkStatus::Reached;
            if (kept) met = own;
            EXPECT_EQ(own, met);
            outside[kept ? 0 : 1] = person.farthest(pose) - before;
        }
        if (!met) continue;
        ++reached;
        with += outside[0] > radians(5) ? 1 : 0;
        without += outside[1] > radians(5) ? 1 : 0;
    }
    EXPECT_GT(reached, 60);
    EXPECT_GT(without, 3);
    EXPECT_LE(3 * with, without);
}

}  // namespace
}  // namespace ulna
