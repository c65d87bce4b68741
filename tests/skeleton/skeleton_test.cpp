// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/skeleton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/skeletons.h"

namespace ulna {
namespace {

using test::build;
using test::joint;

std::string errorOf(std::vector<JointDef> joints, SkeletonOptions options = {}) {
    const Result<Skeleton> made = makeSkeleton(std::move(joints), options);
    return made ? "" : describe(made.error());
}

std::vector<std::string> namesOf(const Skeleton& s, const std::vector<JointId>& joints) {
    std::vector<std::string> out;
    for (const JointId j : joints) out.push_back(s.name(j));
    return out;
}

// A tree given in a shuffled order: hips(spine(neck, armL(handL), armR), leg).
std::vector<JointDef> shuffledBody() {
    return {joint("handL", "armL", JointKind::Fixed, {1, 0, 0}),
            joint("spine", "hips", JointKind::Ball, {0, 1, 0}),
            joint("leg", "hips", JointKind::Hinge, {0, -1, 0}),
            joint("neck", "spine", JointKind::Ball, {0, 1, 0}),
            joint("armL", "spine", JointKind::Ball, {1, 0, 0}),
            joint("hips", "", JointKind::Free, {0, 5, 0}),
            joint("armR", "spine", JointKind::Ball, {-1, 0, 0})};
}

TEST(Skeleton, SortsJointsDepthFirstAndKeepsTheOrderOfSiblings) {
    const Skeleton s = build(shuffledBody());
    EXPECT_EQ(std::vector<std::string>(s.names().begin(), s.names().end()),
              (std::vector<std::string>{"hips", "spine", "neck", "armL", "handL", "armR", "leg"}));
}

TEST(Skeleton, SaysWhichJointBecameWhich) {
    const std::vector<JointDef> joints = shuffledBody();
    const Result<OrderedSkeleton> made = makeOrderedSkeleton(joints);
    ASSERT_TRUE(made);
    ASSERT_EQ(made->ids.size(), joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        EXPECT_EQ(made->skeleton.name(made->ids[i]), joints[i].name);
        EXPECT_EQ(made->skeleton.kind(made->ids[i]), joints[i].kind);
    }
}

TEST(Skeleton, TakesParentsByIndexAsByName) {
    std::vector<JointDef> joints = shuffledBody();
    const Skeleton by_name = build(joints);
    const std::vector<int> parents = {4, 5, 5, 1, 1, -1, 1};
    for (JointDef& j : joints) j.parent = "not read";
    const Result<OrderedSkeleton> made = makeOrderedSkeleton(joints, parents);
    ASSERT_TRUE(made);
    ASSERT_EQ(made->skeleton.jointCount(), by_name.jointCount());
    for (const JointId j : by_name.joints()) {
        EXPECT_EQ(made->skeleton.name(j), by_name.name(j));
        EXPECT_EQ(made->skeleton.parent(j), by_name.parent(j));
        EXPECT_EQ(made->skeleton.joint(j).parent, by_name.joint(j).parent);
        EXPECT_EQ(made->skeleton.tip(j), by_name.tip(j));
    }
    for (std::size_t i = 0; i < joints.size(); ++i)
        EXPECT_EQ(made->ids[i], by_name.find(joints[i].name));
}

TEST(Skeleton, RefusesParentsByIndexThatAreNone) {
    const auto errorWith = [](std::vector<int> parents) {
        const Result<OrderedSkeleton> made = makeOrderedSkeleton(shuffledBody(), parents);
        return made ? "" : describe(made.error());
    };
    EXPECT_EQ(errorWith({4, 5, 5, 1, 1, -1, 7}),
              "joint 'armR': its parent's index 7 is that of no joint (there are 7 joints; -1 is "
              "for roots)");
    EXPECT_EQ(errorWith({4, 5, -2, 1, 1, -1, 1}),
              "joint 'leg': its parent's index -2 is that of no joint (there are 7 joints; -1 is "
              "for roots)");
    // armL carries its own hand, which carries it.
    EXPECT_NE(errorWith({4, 5, 5, 1, 0, -1, 1}).find("below itself"), std::string::npos);
}

TEST(Skeleton, KnowsAncestorsChildrenSubtreesAndChains) {
    const Skeleton s = build(shuffledBody());
    const JointId hand = s.find("handL");
    EXPECT_EQ(namesOf(s, s.ancestors(hand)), (std::vector<std::string>{"armL", "spine", "hips"}));
    EXPECT_EQ(namesOf(s, s.children(s.find("spine"))),
              (std::vector<std::string>{"neck", "armL", "armR"}));
    EXPECT_EQ(s.subtree(s.find("spine")).firstIndex(), 1U);
    EXPECT_EQ(s.subtree(s.find("spine")).endIndex(), 6U);
    EXPECT_TRUE(s.isAncestor(s.find("hips"), hand));
    EXPECT_FALSE(s.isAncestor(hand, hand));
    EXPECT_FALSE(s.isAncestor(s.find("neck"), hand));
    EXPECT_EQ(namesOf(s, s.chain(s.find("spine"), hand)),
              (std::vector<std::string>{"spine", "armL", "handL"}));
    EXPECT_TRUE(s.chain(hand, s.find("spine")).empty());
    EXPECT_EQ(s.find("nobody"), JointId::None);
    EXPECT_EQ(namesOf(s, s.roots()), (std::vector<std::string>{"hips"}));
}

TEST(Skeleton, CountsDegreesOfFreedomByKind) {
    const Skeleton s = build(shuffledBody());
    EXPECT_EQ(s.dofCount(), 6U + 3 + 3 + 3 + 0 + 3 + 1);
    EXPECT_EQ(s.dofCount(s.find("hips")), 6U);
    EXPECT_EQ(s.firstDof(s.find("leg")), 18U);
    EXPECT_EQ(s.jointOfDof(18), s.find("leg"));
    EXPECT_EQ(s.dofName(0), "hips.tx");
    EXPECT_EQ(s.dofName(5), "hips.rz");
    EXPECT_EQ(s.dofName(18), "leg");
}

TEST(Skeleton, TipIsTheOnlyChildOrTheMeanOfSeveral) {
    const Skeleton s = build(shuffledBody());
    EXPECT_EQ(s.tip(s.find("armL")), (Vec3{1, 0, 0}));
    EXPECT_EQ(s.tip(s.find("spine")), (Vec3{0, 1.0 / 3.0, 0}));
    EXPECT_EQ(s.boneLength(s.find("handL")), 0.0);
}

TEST(Skeleton, MayHaveSeveralRootsOrNone) {
    const Skeleton two =
        build({joint("a", "", JointKind::Free, {}), joint("b", "", JointKind::Free, {}),
               joint("c", "a", JointKind::Ball, {})});
    EXPECT_EQ(namesOf(two, two.roots()), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(build({}).jointCount(), 0U);
}

TEST(Skeleton, ErrorsNameTheJoint) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(errorOf({joint("", "", JointKind::Ball, {})}).find("number 0"), std::string::npos);
    EXPECT_NE(errorOf({joint("a", "b", JointKind::Ball, {}), joint("b", "a", JointKind::Ball, {})})
                  .find("'a': it is below itself"),
              std::string::npos);
    EXPECT_NE(errorOf({joint("a", "a", JointKind::Ball, {})}).find("'a'"), std::string::npos);
    EXPECT_NE(
        errorOf({joint("hips", "", JointKind::Ball, {}), joint("leg", "hip", JointKind::Ball, {})})
            .find("'leg': its parent 'hip' is unknown (did you mean 'hips'?)"),
        std::string::npos);
    EXPECT_NE(errorOf({joint("a", "", JointKind::Ball, {}), joint("a", "", JointKind::Ball, {})})
                  .find("'a': the name is used twice"),
              std::string::npos);
    EXPECT_NE(errorOf({joint("a", "", JointKind::Ball, {nan, 0, 0})}).find("not finite"),
              std::string::npos);
    JointDef hinge = joint("knee", "", JointKind::Hinge, {});
    hinge.axes[0] = {};
    EXPECT_NE(errorOf({hinge}).find("'knee': its axis is not a direction"), std::string::npos);
    hinge.axes[0] = {1, 0, 0};
    hinge.limits[0] = {1.0, -1.0};
    EXPECT_NE(errorOf({hinge}).find("minimum above"), std::string::npos);
    hinge.limits[0] = {};
    hinge.cone = ConeLimit{};
    EXPECT_NE(errorOf({hinge}).find("only ball and free"), std::string::npos);
    JointDef ball = joint("b", "", JointKind::Ball, {});
    ball.cone = ConeLimit{};
    ball.limits[1] = {-1.0, 1.0};
    EXPECT_NE(errorOf({ball}).find("both a cone and limits"), std::string::npos);
    JointDef universal = joint("u", "", JointKind::Universal, {});
    universal.axes = {Vec3{1, 0, 0}, Vec3{-1, 0, 0}};
    EXPECT_NE(errorOf({universal}).find("parallel"), std::string::npos);
}

TEST(Skeleton, ADeepChainOfManyJointsTakesLinearTime) {
    std::vector<JointDef> joints;
    for (int i = 100000; i-- > 0;) {
        joints.push_back(joint("j" + std::to_string(i), i == 0 ? "" : "j" + std::to_string(i - 1),
                               JointKind::Hinge, {0, 1, 0}));
    }
    const Skeleton s = build(std::move(joints));
    EXPECT_EQ(s.name(jointId(99999)), "j99999");
    EXPECT_EQ(s.subtree(jointId(0)).endIndex(), 100000U);
}

TEST(PlanarSkeleton, RefusesWhatLeavesThePlane) {
    JointDef hinge = joint("h", "", JointKind::Hinge, {1, 2, 0});
    hinge.axes[0] = {0, 0, 1};
    EXPECT_EQ(errorOf({hinge}, {.planar = true}), "");
    hinge.rest.translation.z = 1e-9;
    EXPECT_NE(errorOf({hinge}, {.planar = true}).find("'h': its rest offset leaves"),
              std::string::npos);
    EXPECT_NE(
        errorOf({joint("b", "", JointKind::Ball, {})}, {.planar = true}).find("leaves the plane"),
        std::string::npos);
    EXPECT_NE(errorOf({joint("x", "", JointKind::Hinge, {})}, {.planar = true}).find("not z"),
              std::string::npos);
    EXPECT_EQ(build({joint("r", "", JointKind::Free, {})}, {.planar = true}).dofCount(), 3U);
}

}  // namespace
}  // namespace ulna
