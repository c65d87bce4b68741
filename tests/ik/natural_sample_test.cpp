// SPDX-License-Identifier: Apache-2.0

// Poses drawn by chance: usual by the score, many of them, on the floor and inside limits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/anatomy.h"
#include "ulna/ik/natural.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

constexpr int kSamples = 200;

struct Person {
    AnatomicalRig rig = test::makeRig(test::makeHumanoid(test::mixamo()));
    const Skeleton& skeleton = rig.skeleton;
    HumanBody body = *findHumanBody(skeleton, restPose(skeleton));
    NaturalBody natural = *NaturalBody::make(skeleton, restPose(skeleton));
};

double lowestSole(const Person& person, const Pose& pose) {
    const ModelPose model = computeModelPose(person.skeleton, pose);
    double out = 1e300;
    for (const Sole& sole : person.natural.shape().soles)
        for (const Vec3& p : sole.points) out = std::min(out, (model[sole.ankle] * p).y);
    return out;
}

TEST(NaturalSample, IsTheSameForTheSameSeedAlone) {
    const Person person;
    EXPECT_EQ(person.natural.sample(7), person.natural.sample(7));
    EXPECT_NE(person.natural.sample(7), person.natural.sample(8));
    EXPECT_EQ(Person().natural.sample(7), person.natural.sample(7));
}

TEST(NaturalSample, IsUsualInsideLimitsAndOnTheFloor) {
    const Person person;
    const double floor = lowestSole(person, restPose(person.skeleton));
    double sum = 0.0, worst = 0.0;
    for (int seed = 0; seed < kSamples; ++seed) {
        const Pose pose = person.natural.sample(static_cast<std::uint64_t>(seed));
        const NaturalScore score = person.natural.score(pose);
        sum += score.mean;
        worst = std::max(worst, score.mean);
        EXPECT_NEAR(lowestSole(person, pose), floor, 1e-9);
        for (const JointId j : person.skeleton.joints()) {
            const Quat& rotation = pose[j].rotation;
            EXPECT_LT(angleBetween(allowedRotation(person.skeleton, j, rotation), rotation), 1e-7)
                << seed << ' ' << person.skeleton.name(j);
        }
    }
    EXPECT_LT(sum / kSamples, 1.0);
    EXPECT_LT(worst, 2.0);
}

TEST(NaturalSample, IsManyPoses) {
    const Person person;
    std::vector<ModelPose> models;
    std::vector<Pose> poses;
    for (int seed = 0; seed < kSamples; ++seed) {
        poses.push_back(person.natural.sample(static_cast<std::uint64_t>(seed)));
        models.push_back(computeModelPose(person.skeleton, poses.back()));
    }
    // Mean angles between pairs of poses.
    const auto spread = [&](JointId joint) {
        double sum = 0.0;
        int pairs = 0;
        for (std::size_t i = 0; i + 1 < poses.size(); i += 2, ++pairs)
            sum += angleBetween(poses[i][joint].rotation, poses[i + 1][joint].rotation);
        return sum / pairs;
    };
    for (const HumanSide* side : {&person.body.left, &person.body.right}) {
        EXPECT_GT(spread(side->shoulder), radians(30));
        EXPECT_GT(spread(side->elbow), radians(15));
        EXPECT_GT(spread(side->hip), radians(15));
        EXPECT_GT(spread(side->knee), radians(15));
    }
    // Some squat, most stand.
    int low = 0;
    const double standing =
        computeModelPose(person.skeleton, restPose(person.skeleton)).position(person.body.hips).y;
    for (const ModelPose& model : models)
        low += model.position(person.body.hips).y < 0.8 * standing ? 1 : 0;
    EXPECT_GT(low, kSamples / 20);
    EXPECT_LT(low, kSamples / 2);
}

}  // namespace
}  // namespace ulna
