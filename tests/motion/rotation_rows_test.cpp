// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/rotation_rows.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/anatomy.h"
#include "support/clips.h"
#include "support/skeletons.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

std::vector<RotationLayout> everyLayout() {
    std::vector<RotationLayout> out = {{.form = RotationForm::Quaternion},
                                       {.form = RotationForm::Matrix},
                                       {.form = RotationForm::SixD},
                                       {.form = RotationForm::RotationVector}};
    for (const EulerOrder order : kAllEulerOrders) out.push_back({RotationForm::Euler, order});
    return out;
}

Skeleton person() {
    return test::makeHumanoid(test::mixamo());
}

std::vector<Pose> randomPoses(const Skeleton& skeleton, std::size_t count, Random& random) {
    std::vector<Pose> out(count, restPose(skeleton));
    for (Pose& pose : out) {
        for (Trs& joint : pose.parent_from_joint) joint.rotation = random.rotation();
        pose.parent_from_joint.front().translation = random.direction();
    }
    return out;
}

TEST(RotationRows, HaveNamesThatComeBack) {
    for (const RotationLayout& layout : everyLayout())
        EXPECT_EQ(rotationLayoutFromName(rotationLayoutName(layout)), layout);
    for (const char* name : {"", "quaternion", "euler", "euler-", "euler-xxy", "6D", "euler-zxyz"})
        EXPECT_FALSE(rotationLayoutFromName(name)) << name;
    EXPECT_EQ(rotationLayoutName({RotationForm::Euler, EulerOrder::Zxy}), "euler-zxy");
}

TEST(RotationRows, OfEveryFormComeBack) {
    Random random(3);
    for (const RotationLayout& layout : everyLayout()) {
        for (int i = 0; i < 200; ++i) {
            const Quat q = random.rotation();
            std::vector<double> row(rotationSize(layout), 0.0);
            writeRotation(layout, q, row);
            const std::optional<Quat> back = readRotation(layout, row);
            ASSERT_TRUE(back);
            EXPECT_LT(angleBetween(q, *back), 1e-7) << rotationLayoutName(layout);
        }
    }
}

TEST(RotationRows, OfSixNumbersAreTheFirstTwoColumns) {
    const Quat q = quatAboutAxis(2, kPi / 2.0);  // x goes to y, y to -x
    std::vector<double> row(6, 0.0);
    writeRotation({.form = RotationForm::SixD}, q, row);
    const double expected[] = {0, 1, 0, -1, 0, 0};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(row[i], expected[i], 1e-15);
}

TEST(RotationRows, AreNormalisedAndOrthogonal) {
    Random random(5);
    for (int i = 0; i < 100; ++i) {
        const Quat q = random.rotation();
        const double f = random.between(0.1, 9.0);
        const double scaled[] = {f * q.x, f * q.y, f * q.z, f * q.w};
        EXPECT_LT(angleBetween(*readRotation({}, scaled), q), 1e-7);
        const Mat3 m = toMatrix(q);
        // The second column is brought into its plane with the first one.
        const double lean = random.between(-0.5, 0.5);
        std::vector<double> six;
        for (std::size_t k = 0; k < 3; ++k) six.push_back(f * m.rows[k].x);
        for (std::size_t k = 0; k < 3; ++k) six.push_back(m.rows[k].y + lean * m.rows[k].x);
        EXPECT_LT(angleBetween(*readRotation({.form = RotationForm::SixD}, six), q), 1e-7);
    }
}

TEST(RotationRows, ThatAreNoRotationAreNone) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (const RotationLayout& layout : everyLayout()) {
        std::vector<double> row(rotationSize(layout), 1.0);
        row.back() = kNan;
        EXPECT_FALSE(readRotation(layout, row)) << rotationLayoutName(layout);
    }
    const double zero[9] = {};
    EXPECT_FALSE(readRotation({}, std::span(zero).first(4)));
    EXPECT_FALSE(readRotation({.form = RotationForm::SixD}, std::span(zero).first(6)));
    EXPECT_FALSE(readRotation({.form = RotationForm::Matrix}, zero));
    const double parallel[] = {1, 2, 3, 2, 4, 6};
    EXPECT_FALSE(readRotation({.form = RotationForm::SixD}, parallel));
    const double mirrored[] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
    EXPECT_FALSE(readRotation({.form = RotationForm::Matrix}, mirrored));
}

TEST(RotationRows, MakePosesInBothSpaces) {
    Random random(7);
    const Skeleton s = person();
    const std::vector<Pose> poses = randomPoses(s, 5, random);
    for (const RotationLayout& layout : everyLayout()) {
        const std::size_t size = rotationSize(layout), row = s.jointCount() * size;
        std::vector<double> local(poses.size() * row), model = local, moved;
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const std::vector<Quat> orientations = computeOrientations(s, poses[i]);
            for (std::size_t j = 0; j < s.jointCount(); ++j) {
                writeRotation(layout, poses[i].parent_from_joint[j].rotation,
                              std::span(local).subspan(i * row + j * size, size));
                writeRotation(layout, orientations[j],
                              std::span(model).subspan(i * row + j * size, size));
            }
            const Vec3& root = poses[i].parent_from_joint.front().translation;
            moved.insert(moved.end(), {root.x, root.y, root.z});
        }
        for (const RotationSpace space : {RotationSpace::Parent, RotationSpace::Model}) {
            const RotationRows rows{.layout = layout,
                                    .space = space,
                                    .count = poses.size(),
                                    .rotations = space == RotationSpace::Model ? model : local,
                                    .translations = moved};
            const Result<std::vector<Pose>> made = makePoses(s, rows);
            ASSERT_TRUE(made) << describe(made.error());
            std::vector<double> positions(poses.size() * s.jointCount() * 3);
            std::vector<float> floats(positions.size());
            ASSERT_TRUE(computePositions(s, rows, std::span(positions), 1));
            ASSERT_TRUE(computePositions(s, rows, std::span(floats), 3));
            for (std::size_t i = 0; i < poses.size(); ++i) {
                const ModelPose expected = computeModelPose(s, poses[i]);
                const ModelPose found = computeModelPose(s, (*made)[i]);
                for (std::size_t j = 0; j < s.jointCount(); ++j) {
                    const Vec3 at = expected.position(jointId(j));
                    EXPECT_LT(distance(found.position(jointId(j)), at), 1e-6);
                    const std::size_t k = (i * s.jointCount() + j) * 3;
                    EXPECT_EQ((Vec3{positions[k], positions[k + 1], positions[k + 2]}),
                              found.position(jointId(j)));
                    EXPECT_EQ(floats[k], static_cast<float>(positions[k]));
                }
            }
        }
    }
}

TEST(RotationRows, OfSomeJointsLeaveTheOthersAtRest) {
    Random random(9);
    const Skeleton s = person();
    const std::vector<JointId> joints = {s.find("mixamorig:LeftArm"), s.find("mixamorig:Hips")};
    std::vector<double> numbers(8);
    const Quat arm = random.rotation(), hips = random.rotation();
    writeRotation({}, arm, std::span(numbers).first(4));
    writeRotation({}, hips, std::span(numbers).last(4));
    RotationRows rows{.count = 1, .rotations = numbers, .joints = joints};
    const Pose local = makePoses(s, rows)->front();
    rows.space = RotationSpace::Model;
    const Pose model = makePoses(s, rows)->front();
    const std::vector<Quat> turned = computeOrientations(s, model);
    for (const JointId j : s.joints()) {
        const bool is_arm = j == joints[0], is_hips = j == joints[1];
        const Quat expected = is_arm ? arm : is_hips ? hips : s.rest(j).rotation;
        EXPECT_LT(angleBetween(local[j].rotation, expected), 1e-7);
        if (is_arm || is_hips) {
            EXPECT_LT(angleBetween(turned[index(j)], expected), 1e-7);
        } else {
            EXPECT_LT(angleBetween(model[j].rotation, expected), 1e-7);
        }
    }
}

TEST(RotationRows, OfTheWrongSizeOrContentAreRefusedWithTheirLocation) {
    const Skeleton s = person();
    std::vector<double> numbers(2 * s.jointCount() * 4, 1.0);
    RotationRows rows{.count = 2, .rotations = numbers};
    EXPECT_TRUE(makePoses(s, rows));
    numbers[(s.jointCount() + 3) * 4] = std::numeric_limits<double>::infinity();
    const Result<std::vector<Pose>> wrong = makePoses(s, rows);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().location.json_path, "rotations[1][3]");
    rows.count = 3;
    EXPECT_FALSE(makePoses(s, rows));
    rows.count = 2;
    const std::vector<double> moved(5, 0.0);
    rows.translations = moved;
    EXPECT_FALSE(makePoses(s, rows));
    const std::vector<JointId> twice = {jointId(1), jointId(1)};
    EXPECT_FALSE(
        checkRows(s, {.count = 1, .rotations = std::span(numbers).first(8), .joints = twice}));
    const std::vector<JointId> none = {jointId(s.jointCount())};
    EXPECT_FALSE(
        checkRows(s, {.count = 1, .rotations = std::span(numbers).first(4), .joints = none}));
    EXPECT_FALSE(checkRows(Skeleton(), {}));
}

}  // namespace
}  // namespace ulna
