// SPDX-License-Identifier: Apache-2.0

// The coordinates of a skeleton, against forward kinematics and differences.
#include "ulna/solve/mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/ik.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

std::vector<JointId> allJoints(const Skeleton& skeleton) {
    std::vector<JointId> out;
    for (const JointId j : skeleton.joints()) out.push_back(j);
    return out;
}

TEST(Mechanism, PutsEveryJointWhereForwardKinematicsDoes) {
    for (const Skeleton& skeleton : {everyKind(), limitedPerson()}) {
        Random random(1);
        for (int i = 0; i < 20; ++i) {
            const DofVector dofs =
                i == 0 ? DofVector(skeleton.dofCount(), 0.0) : allowedDofs(skeleton, random);
            Pose base = restPose(skeleton);
            base[jointId(3)].scale = {1.5, 1.5, 1.5};
            const JointId locked[] = {jointId(2), jointId(4)};
            MechanismOptions options;
            if (i % 2 == 1) options.locked = locked;
            applyDofs(skeleton, dofs, base);
            Mechanism mechanism;
            mechanism.build(skeleton, allJoints(skeleton), options);
            mechanism.refresh(base);
            MechanismState at;
            mechanism.load(dofs, at);
            std::vector<RigidFrame> frames;
            mechanism.computeFrames(at, frames);
            const ModelPose model = computeModelPose(skeleton, base);
            for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
                const RigidFrame f = mechanism.jointFrame(jointId(j), frames);
                EXPECT_LT(distance(f.p + mechanism.origin(), model.position(jointId(j))), 1e-12);
                const Quat q = quatFromMatrix(Mat3::fromColumns(f.x, f.y, f.z));
                EXPECT_LT(angleBetween(q, rotationOf(model[jointId(j)])), 1e-7);
            }
            // And back to the same numbers, and from the pose.
            DofVector back = dofs;
            mechanism.store(at, back);
            EXPECT_LT(largestDifference(back, dofs), 1e-9);
            MechanismState from_pose = at;
            mechanism.load(base, from_pose);
            Pose again = base;
            mechanism.store(from_pose, again);
            for (std::size_t j = 0; j < skeleton.jointCount(); ++j)
                EXPECT_LT(angleBetween(again[jointId(j)].rotation, base[jointId(j)].rotation),
                          1e-7);
        }
    }
}

// A mechanism of all joints, at random allowed coordinates.
struct Posed {
    explicit Posed(const Skeleton& skeleton, Random& random) {
        mechanism.build(skeleton, allJoints(skeleton), {});
        mechanism.refresh(restPose(skeleton));
        mechanism.load(allowedDofs(skeleton, random), state);
        mechanism.clamp(state);
        const double infinity = std::numeric_limits<double>::infinity();
        down.assign(mechanism.columnCount(), -infinity);
        up.assign(mechanism.columnCount(), infinity);
        mechanism.computeRoom(state, down, up);
        mechanism.computeFrames(state, frames);
    }
    // The state after one coordinate alone has moved.
    [[nodiscard]] MechanismState moved(std::size_t column, double by) const {
        std::vector<double> step(mechanism.columnCount(), 0.0);
        step[column] = by;
        MechanismState out;
        mechanism.retract(state, step, out);
        return out;
    }

    Mechanism mechanism;
    MechanismState state;
    std::vector<double> down, up;
    std::vector<RigidFrame> frames;
};

TEST(Mechanism, ItsTwistsAreHowPointsMoveWithEachCoordinate) {
    Random random(2);
    constexpr double kStep = 1e-6;
    std::size_t checked = 0;
    for (const Skeleton& skeleton : {everyKind(), limitedPerson()}) {
        for (int i = 0; i < 5; ++i) {
            const Posed posed(skeleton, random);
            Mechanism::Twists t;
            t.resize(posed.mechanism.columnCount());
            posed.mechanism.computeTwists(posed.state, posed.frames, t);
            const Vec3 offset = random.direction();  // a point beside each joint
            for (std::size_t c = 0; c < posed.mechanism.columnCount(); ++c) {
                if (posed.up[c] < kStep || posed.down[c] > -kStep) continue;
                std::vector<RigidFrame> ahead, back;
                posed.mechanism.computeFrames(posed.moved(c, kStep), ahead);
                posed.mechanism.computeFrames(posed.moved(c, -kStep), back);
                const JointId own =
                    posed.mechanism.links()[posed.mechanism.columns()[c].link].joint;
                for (const JointId j : skeleton.joints()) {
                    const Vec3 p = posed.mechanism.jointFrame(j, posed.frames).point(offset);
                    const Vec3 rate = (posed.mechanism.jointFrame(j, ahead).point(offset) -
                                       posed.mechanism.jointFrame(j, back).point(offset)) /
                                      (2.0 * kStep);
                    const bool below = j == own || skeleton.isAncestor(own, j);
                    const Vec3 twist =
                        cross({t.ax[c], t.ay[c], t.az[c]}, p) + Vec3{t.bx[c], t.by[c], t.bz[c]};
                    EXPECT_LT(distance(rate, below ? twist : Vec3{}), 1e-7)
                        << skeleton.name(j) << ", column " << c;
                    ++checked;
                }
            }
        }
    }
    EXPECT_GT(checked, 5000U);
}

TEST(Mechanism, ItsRoomEndsExactlyAtTheLimits) {
    Random random(3);
    const Skeleton person = limitedPerson();
    std::size_t bounded = 0;
    for (int i = 0; i < 20; ++i) {
        const Posed posed(person, random);
        for (std::size_t c = 0; c < posed.mechanism.columnCount(); ++c) {
            EXPECT_LE(posed.down[c], 0.0);
            EXPECT_GE(posed.up[c], 0.0);
            for (const double room : {posed.down[c], posed.up[c]}) {
                if (!std::isfinite(room)) continue;
                ++bounded;
                // As far as there is room, and no farther: a longer step ends in the same pose.
                // Near the axis of a cone steps are along chords, so there only the limits are
                // judged.
                const bool ball = posed.mechanism.links()[posed.mechanism.columns()[c].link].kind ==
                                  LinkKind::Ball;
                DofVector at(person.dofCount(), 0.0), past(person.dofCount(), 0.0);
                posed.mechanism.store(posed.moved(c, room), at);
                posed.mechanism.store(posed.moved(c, 1.5 * room), past);
                EXPECT_LT(limitExcess(person, at), 1e-9) << "column " << c;
                EXPECT_LT(limitExcess(person, past), 1e-9) << "column " << c;
                if (ball) continue;
                EXPECT_LT(largestDifference(at, past), 1e-12) << "column " << c;
                if (std::abs(room) < 1e-3) continue;
                DofVector half(person.dofCount(), 0.0);
                posed.mechanism.store(posed.moved(c, 0.5 * room), half);
                EXPECT_GT(largestDifference(at, half), 1e-4) << "column " << c;
            }
        }
    }
    EXPECT_GT(bounded, 500U);
}

TEST(Mechanism, NoStepLeavesTheLimits) {
    Random random(4);
    const Skeleton person = limitedPerson();
    for (int i = 0; i < 50; ++i) {
        const Posed posed(person, random);
        std::vector<double> step(posed.mechanism.columnCount());
        for (double& x : step) x = random.between(-2.0, 2.0);
        MechanismState to;
        posed.mechanism.retract(posed.state, step, to);
        DofVector dofs(person.dofCount(), 0.0);
        posed.mechanism.store(to, dofs);
        EXPECT_LT(limitExcess(person, dofs), 1e-9);
    }
}

// At a limit of the twist, the other two coordinates move along it: at every swing.
TEST(Mechanism, TheSwingOfAConeAndTheWayAroundItLeaveTheTwistAlone) {
    constexpr double kStep = 1e-5;
    JointDef def = joint("shoulder", "", JointKind::Ball, {0, 0, 0});
    def.cone = ConeLimit{.axis = {0, 1, 0}, .twist_min = -0.5, .twist_max = 0.7};
    const Skeleton arm = build({def});
    Mechanism mechanism;
    mechanism.build(arm, allJoints(arm), {});
    mechanism.refresh(restPose(arm));
    for (const double swing : {1e-4, 0.1, 0.5, 0.78, 0.79, 1.5, 2.7, 2.9, 3.1}) {
        MechanismState state{.values = std::vector<double>(3), .rotations = {Quat{}}};
        const Vec3 about = {0.6, 0.0, -0.8};
        state.rotations[0] =
            quatFromAxisAngle(about, swing) * quatFromAxisAngle(def.cone->axis, 0.7);
        for (std::size_t c = 0; c < 2; ++c) {
            for (const double by : {-kStep, kStep}) {
                // The free ball that the twist's limit does not clamp.
                const std::array<Vec3, 3> axes =
                    mechanism.ballBasis(mechanism.links()[0], state.rotations[0]);
                const Quat moved = state.rotations[0] * quatExp(axes[c] * by);
                EXPECT_NEAR(splitSwingTwist(moved, def.cone->axis).twist_angle, 0.7, 1e-2 * kStep)
                    << "swing " << swing << ", coordinate " << c;
            }
        }
    }
}

TEST(Mechanism, OnlyJointsOfItsChainMove) {
    const Skeleton person = limitedPerson();
    const JointId arm = person.find("LeftArm");
    ASSERT_NE(arm, JointId::None);
    const JointId hand[] = {person.find("LeftHand")};
    Mechanism mechanism;
    mechanism.build(person, hand, {.chain = arm});
    ASSERT_GT(mechanism.columnCount(), 0U);
    for (const Mechanism::Link& link : mechanism.links())
        EXPECT_TRUE(link.joint == arm || person.isAncestor(arm, link.joint));
    const JointStiffness stiff[] = {{arm, 3.0}};
    mechanism.build(person, hand, {.stiffness = stiff, .chain = arm});
    mechanism.setReach(2.0);
    for (const Mechanism::Column& column : mechanism.columns())
        EXPECT_EQ(column.weight, mechanism.links()[column.link].joint == arm ? 4.0 : 1.0);
}

}  // namespace
}  // namespace ulna
