// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/urdf.h"

#include <gtest/gtest.h>

#include "support/paths.h"
#include "support/robots.h"
#include "support/skeletons.h"
#include "support/text.h"
#include "ulna/io/rig_json.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

using test::contains;
using test::placed;
using test::urdfText;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RobotFile read(const std::string& text) {
    Result<RobotFile> robot = readUrdf(text, "test.urdf");
    EXPECT_TRUE(robot.ok()) << (robot ? "" : describe(robot.error()));
    return robot ? *std::move(robot) : RobotFile{};
}
std::string errorOf(const std::string& text) {
    const Result<RobotFile> robot = readUrdf(text, "test.urdf");
    return robot ? "" : describe(robot.error());
}
// One joint from link a to link b.
std::string jointText(const std::string& type, const std::string& inside = {}) {
    return "<joint name='j' type='" + type + "'><parent link='a'/><child link='b'/>" + inside +
           "</joint>\n";
}
JointKind kindOf(const std::string& type, const std::string& name) {
    const Skeleton skeleton =
        read(urdfText(jointText(type, "<limit lower='-1' upper='2'/>"))).skeleton;
    const JointId j = skeleton.find(name);
    return j == JointId::None ? JointKind::Universal : skeleton.kind(j);
}

TEST(Urdf, GivesEachTypeOfJointItsKindAndName) {
    EXPECT_EQ(kindOf("revolute", "j"), JointKind::Hinge);
    EXPECT_EQ(kindOf("continuous", "j"), JointKind::Hinge);
    EXPECT_EQ(kindOf("prismatic", "j"), JointKind::Prismatic);
    EXPECT_EQ(kindOf("fixed", "b"), JointKind::Fixed);
    EXPECT_EQ(kindOf("floating", "b"), JointKind::Free);
}

TEST(Urdf, HasABaseThatMovesFreely) {
    const Skeleton skeleton = read(urdfText(jointText("continuous"))).skeleton;
    ASSERT_EQ(skeleton.jointCount(), 2U);
    EXPECT_EQ(skeleton.name(jointId(0)), "a");
    EXPECT_EQ(skeleton.kind(jointId(0)), JointKind::Free);
    EXPECT_EQ(skeleton.parent(skeleton.find("j")), jointId(0));
}

TEST(Urdf, HasABaseThatCannotMoveWhereItIsFixedToTheWorld) {
    const std::string arm =
        "<robot><link name='world'/><link name='a'/><link name='b'/>"
        "<joint name='w' type='TYPE'><origin xyz='1 2 3'/><parent link='world'/><child link='a'/>"
        "</joint>" +
        jointText("continuous") + "</robot>";
    const auto with = [&](const std::string& type) {
        std::string text = arm;
        return read(text.replace(text.find("TYPE"), 4, type)).skeleton;
    };
    const Skeleton fixed = with("fixed");
    EXPECT_EQ(fixed.find("world"), JointId::None);
    EXPECT_EQ(fixed.kind(fixed.roots().front()), JointKind::Fixed);
    EXPECT_EQ(fixed.name(fixed.roots().front()), "a");
    EXPECT_EQ(fixed.rest(jointId(0)).translation, (Vec3{1, 2, 3}));
    const Skeleton floating = with("floating");
    EXPECT_EQ(floating.kind(floating.roots().front()), JointKind::Free);
}

TEST(Urdf, PlacesAJointByRollPitchAndYawAboutFixedAxes) {
    const Skeleton skeleton = read(urdfText(jointText("continuous",
                                                      "<origin xyz='1 2 3' rpy='0.1 0.2 0.3'/>"
                                                      "<axis xyz='0 0 2'/>")))
                                  .skeleton;
    const Trs& rest = skeleton.rest(skeleton.find("j"));
    EXPECT_EQ(rest.translation, (Vec3{1, 2, 3}));
    const Quat expected = quatAboutAxis(2, 0.3) * quatAboutAxis(1, 0.2) * quatAboutAxis(0, 0.1);
    EXPECT_LT(angleBetween(rest.rotation, expected), 1e-15);
    EXPECT_EQ(skeleton.joint(skeleton.find("j")).axes[0], (Vec3{0, 0, 1}));
}

TEST(Urdf, RotatesAboutXWithoutAnAxis) {
    const Skeleton skeleton = read(urdfText(jointText("continuous"))).skeleton;
    EXPECT_EQ(skeleton.joint(skeleton.find("j")).axes[0], (Vec3{1, 0, 0}));
}

TEST(Urdf, HasLimitsOfPositionAndSpeed) {
    const RobotFile robot = read(urdfText(
        jointText("revolute", "<limit lower='-0.5' upper='1.5' effort='9' velocity='20'/>")));
    const std::size_t dof = robot.skeleton.firstDof(robot.skeleton.find("j"));
    EXPECT_EQ(robot.skeleton.dofLimits()[dof], (DofLimit{-0.5, 1.5}));
    ASSERT_EQ(robot.joints.size(), 1U);
    EXPECT_EQ(robot.joints[0].speed_limit, 20.0);
    const std::vector<double> speeds = speedLimitsOf(robot);
    EXPECT_EQ(speeds[dof], 20.0);
    EXPECT_EQ(speeds[0], kInfinity);
}

TEST(Urdf, BoundsNeitherContinuousJointsNorWhatIsInfinite) {
    const RobotFile continuous =
        read(urdfText(jointText("continuous", "<limit lower='-1' upper='1' velocity='inf'/>")));
    EXPECT_FALSE(continuous.skeleton.dofLimits()[6].bounded());
    EXPECT_EQ(continuous.joints[0].speed_limit, kInfinity);
    const RobotFile open =
        read(urdfText(jointText("prismatic", "<limit lower='-inf' upper='+inf'/>")));
    EXPECT_FALSE(open.skeleton.dofLimits()[6].bounded());
}

TEST(Urdf, MakesThreeJointsOfAPlanarOne) {
    const RobotFile robot = read(urdfText(jointText("planar", "<axis xyz='0 0 1'/>")));
    const Skeleton& s = robot.skeleton;
    DofVector dofs(s.dofCount(), 0.0);
    dofs[s.firstDof(s.find("j_x"))] = 2.0;
    dofs[s.firstDof(s.find("j_y"))] = 3.0;
    dofs[s.firstDof(s.find("j"))] = kPi / 2.0;
    const Affine b = placed(s, dofs, "j");
    EXPECT_LT(distance(b.translation(), Vec3{2, 3, 0}), 1e-15);
    EXPECT_LT(distance(b.direction({1, 0, 0}), Vec3{0, 1, 0}), 1e-15);
    ASSERT_EQ(robot.joints.size(), 3U);
    EXPECT_EQ(s.name(robot.joints[0].joint), "j_x");
    EXPECT_EQ(s.name(robot.joints[2].joint), "j");
}

TEST(Urdf, CouplesMimicJointsThroughChains) {
    const auto edge = [](char name, char parent, const std::string& mimic) {
        return std::string("<joint name='j") + name + "' type='continuous'><parent link='" +
               parent + "'/><child link='" + name + "'/>" + mimic + "</joint>";
    };
    const RobotFile robot = read(urdfText(
        edge('b', 'a', "<mimic joint='jc' multiplier='2' offset='0.5'/>") +
            edge('c', 'b', "<mimic joint='jd' multiplier='-3' offset='1'/>") + edge('d', 'c', ""),
        4));
    const JointDef& b = robot.skeleton.joint(robot.skeleton.find("jb"));
    ASSERT_TRUE(b.coupling.has_value());
    EXPECT_EQ(*b.coupling, (JointCoupling{"jd", -6.0, 2.5}));  // 2 (-3 q + 1) + 0.5
    EXPECT_EQ(*robot.skeleton.joint(robot.skeleton.find("jc")).coupling,
              (JointCoupling{"jd", -3.0, 1.0}));
}

TEST(Urdf, DropsTheRangeOfAFollowerThatItsLeaderNeverReaches) {
    const RobotFile robot =
        read(urdfText("<joint name='p' type='revolute'><parent link='a'/><child link='b'/>"
                      "<limit lower='0' upper='1'/></joint>"
                      "<joint name='q' type='revolute'><parent link='b'/><child link='c'/>"
                      "<limit lower='5' upper='6'/><mimic joint='p'/></joint>",
                      3));
    EXPECT_EQ(robot.skeleton.dofLimits()[6], (DofLimit{0, 1}));
    ASSERT_EQ(robot.warnings.size(), 1U);
    EXPECT_TRUE(contains(describe(robot.warnings[0]), "range of a joint that follows another"));
}

TEST(Urdf, ReadsPrimitivesInTheFrameOfTheirLink) {
    const RobotFile robot = read(
        "<robot name='r'><material name='red'><color rgba='1 0 0 0.5'/></material><link name='a'>"
        "<visual name='v'><origin xyz='1 0 0' rpy='0 0 1'/><geometry><box size='1 2 3'/></geometry>"
        "<material name='red'/></visual>"
        "<visual><geometry><sphere radius='0.5'/></geometry></visual>"
        "<visual><geometry><cylinder radius='0.5' length='4'/></geometry></visual>"
        "<visual><geometry><capsule radius='0.5' length='4'/></geometry></visual>"
        "<visual><geometry><mesh filename='a.stl'/></geometry></visual>"
        "<collision><geometry><sphere radius='9'/></geometry></collision></link></robot>");
    ASSERT_EQ(robot.shapes.size(), 4U);
    const RobotShape& box = robot.shapes[0];
    EXPECT_EQ(box.name, "v");
    EXPECT_EQ(box.primitive, (Primitive{PrimitiveKind::Box, {0.5, 1, 1.5}}));
    EXPECT_EQ(box.joint_from_shape.translation, (Vec3{1, 0, 0}));
    EXPECT_EQ(box.color, (Color{255, 0, 0, 255}));
    EXPECT_EQ(robot.shapes[1].primitive, (Primitive{PrimitiveKind::Ellipsoid, {0.5, 0.5, 0.5}}));
    EXPECT_EQ(robot.shapes[2].primitive, (Primitive{PrimitiveKind::Cylinder, {0.5, 0.5, 2}}));
    EXPECT_EQ(robot.shapes[3].primitive, (Primitive{PrimitiveKind::Capsule, {0.5, 0.5, 2}}));
    ASSERT_EQ(robot.warnings.size(), 1U);
    EXPECT_TRUE(contains(describe(robot.warnings[0]), "left out"));
    EXPECT_TRUE(contains(describe(robot.warnings[0]), "1 mesh reference"));
}

TEST(Urdf, ReadsWhatCollidesWhereNothingIsSeen) {
    const RobotFile robot = read(
        "<robot><link name='a'><visual><geometry><mesh filename='a.stl'/></geometry></visual>"
        "<collision><geometry><sphere radius='2'/></geometry></collision></link></robot>");
    ASSERT_EQ(robot.shapes.size(), 1U);
    EXPECT_EQ(robot.shapes[0].primitive.size.x, 2.0);
}

TEST(Urdf, HasJointsInTheOrderOfTheFileWhateverTheTree) {
    const auto edge = [](const std::string& name, char parent, char child) {
        return "<joint name='" + name + "' type='continuous'><parent link='" + parent +
               "'/><child link='" + child + "'/></joint>";
    };
    const RobotFile robot =
        read(urdfText(edge("z", 'a', 'b') + edge("y", 'a', 'd') + edge("x", 'b', 'c'), 4));
    std::string order, tree;
    for (const RobotJoint& each : robot.joints) order += robot.skeleton.name(each.joint);
    for (const JointId j : robot.skeleton.joints()) tree += robot.skeleton.name(j);
    EXPECT_EQ(order, "zyx");
    EXPECT_EQ(tree, "azxy");
}

TEST(Urdf, RenamesALinkThatIsCalledLikeAMovingJoint) {
    const RobotFile robot = read(
        urdfText("<joint name='c' type='continuous'><parent link='a'/><child link='b'/></joint>"
                 "<joint name='w' type='fixed'><parent link='b'/><child link='c'/></joint>",
                 3));
    EXPECT_EQ(robot.skeleton.kind(robot.skeleton.find("c")), JointKind::Hinge);
    EXPECT_EQ(robot.skeleton.kind(robot.skeleton.find("c#2")), JointKind::Fixed);
}

TEST(Urdf, HasNoBoundsThatNothingReaches) {
    // In degrees they would be more than a rig file may hold.
    const RobotFile robot =
        read(urdfText(jointText("revolute", "<limit lower='-1' upper='3e99'/>")));
    const DofLimit& limit = robot.skeleton.joint(robot.skeleton.find("j")).limits[0];
    EXPECT_EQ(limit.min, -1.0);
    EXPECT_EQ(limit.max, DofLimit{}.max);
    EXPECT_TRUE(readRig(writeRig({robot.name, robot.skeleton, {}}), "again.rig.json").ok());
}

TEST(Urdf, NamesThePlaceOfWhatIsWrong) {
    EXPECT_EQ(errorOf(urdfText(jointText("twisty"))),
              "test.urdf:4:17: 'type' is none of fixed, revolute, continuous, prismatic, floating, "
              "planar: 'twisty'");
    EXPECT_TRUE(contains(errorOf(urdfText(jointText("revolute"))),
                         "test.urdf:4:2: the revolute joint has no <limit>: 'j'"));
    EXPECT_TRUE(contains(errorOf(urdfText(jointText("revolute", "<limit lower='2' upper='1'/>"))),
                         "'lower' is above the upper limit"));
    EXPECT_TRUE(contains(errorOf(urdfText(jointText("fixed", "<origin xyz='1 2'/>"))),
                         "'xyz' has 2 numbers instead of 3: '1 2'"));
    EXPECT_TRUE(
        contains(errorOf(urdfText(jointText("fixed", "<origin xyz='1 2 nan'/>"))), "not a number"));
    EXPECT_TRUE(contains(errorOf(urdfText(jointText("fixed", "<origin xyz='1 2 1e101'/>"))),
                         "beyond 1e100"));
    EXPECT_TRUE(
        contains(errorOf(urdfText(jointText("fixed", "<origin xyz='1 2 0x3'/>"))), "not a number"));
    EXPECT_TRUE(
        contains(errorOf(urdfText(jointText("fixed", "<origin xyz='1,2 3 4'/>"))), "not a number"));
    EXPECT_TRUE(contains(errorOf(urdfText(jointText("continuous", "<axis xyz='0 0 0'/>"))),
                         "is no direction"));
    EXPECT_TRUE(contains(errorOf(urdfText(jointText("continuous", "<limit velocity='-1'/>"))),
                         "'velocity' is below 0"));
    EXPECT_TRUE(contains(errorOf(urdfText(jointText("continuous", "<mimic joint='i'/>"))),
                         "'joint' is no joint of the robot: 'i' (did you mean 'j'?)"));
    EXPECT_TRUE(contains(errorOf(urdfText(jointText("continuous", "<mimic joint='j'/>"))),
                         "the joint follows itself: 'j'"));
}

TEST(Urdf, RefusesLinksThatHangTogetherInNoTree) {
    const auto edge = [](const std::string& name, const std::string& parent,
                         const std::string& child) {
        return "<joint name='" + name + "' type='fixed'><parent link='" + parent +
               "'/><child link='" + child + "'/></joint>\n";
    };
    EXPECT_TRUE(
        contains(errorOf(urdfText(edge("i", "a", "bb"))), "joins a link that is not there: 'bb'"));
    EXPECT_TRUE(contains(errorOf(urdfText("")), "carried by no joint: 'a' and another: 'b'"));
    EXPECT_TRUE(
        contains(errorOf(urdfText(edge("i", "a", "b") + edge("j", "b", "a"))), "in a circle"));
    EXPECT_TRUE(contains(errorOf(urdfText(edge("i", "b", "c") + edge("j", "c", "b"), 3)),
                         "in a circle, apart from the base 'a'"));
    EXPECT_TRUE(contains(errorOf(urdfText(edge("i", "a", "b") + edge("j", "a", "b"))),
                         "two joints carry the link 'b'"));
    EXPECT_TRUE(contains(errorOf(urdfText(edge("i", "a", "a"), 1)), "in a circle"));
    EXPECT_TRUE(contains(errorOf("<robot><link name='a'/><link name='a'/></robot>"),
                         "'name' is the name of two links"));
    EXPECT_TRUE(contains(errorOf(urdfText(edge("i", "a", "b") + edge("i", "a", "c"), 3)),
                         "'name' is the name of two joints"));
    EXPECT_TRUE(contains(errorOf("<robot/>"), "the robot has no link"));
    EXPECT_TRUE(contains(errorOf("<robot><link name='world'/></robot>"), "no link but the world"));
}

TEST(Urdf, SaysWhatIsNoUrdf) {
    EXPECT_TRUE(contains(errorOf("<mujoco/>"), "its outermost element is not <robot>: 'mujoco'"));
    EXPECT_TRUE(
        contains(errorOf("<robot><xacro:include filename='x'/></robot>"), "a source of xacro"));
    EXPECT_TRUE(contains(errorOf("<!DOCTYPE robot><robot/>"), "document type"));
}

TEST(Urdf, CountsWhatIsLeftOutInOneWarning) {
    const RobotFile robot =
        read("<robot><link name='a'/><transmission/><gazebo/><gazebo reference='a'/></robot>");
    ASSERT_EQ(robot.warnings.size(), 1U);
    EXPECT_TRUE(
        contains(describe(robot.warnings[0]), "2 <gazebo> elements, 1 <transmission> element"));
}

TEST(Urdf, OfTheG1HasTheKinematicsOfItsMujocoModel) {
    const RobotFile urdf =
        test::loadRobot(test::sharedData("robots/unitree_g1/g1_custom_collision_29dof.urdf"));
    const RobotFile mjcf =
        test::loadRobot(test::sharedData("robots/unitree_g1/g1_mocap_29dof.xml"));
    ASSERT_EQ(urdf.joints.size(), 29U);
    ASSERT_EQ(mjcf.joints.size(), 29U);
    // Its quaternions are rounded to six digits, so rotations differ by up to 1.5e-6.
    Random random(5);
    for (int sample = 0; sample < 20; ++sample) {
        DofVector a(urdf.skeleton.dofCount(), 0.0), b(mjcf.skeleton.dofCount(), 0.0);
        // The MuJoCo model has its base at the height of standing, the URDF at the origin.
        b[2] = -0.793;
        for (std::size_t i = 0; i < 29; ++i) {
            ASSERT_EQ(urdf.skeleton.name(urdf.joints[i].joint),
                      mjcf.skeleton.name(mjcf.joints[i].joint));
            const double angle = random.between(-1.0, 1.0);
            a[urdf.skeleton.firstDof(urdf.joints[i].joint)] = angle;
            b[mjcf.skeleton.firstDof(mjcf.joints[i].joint)] = angle;
        }
        for (const RobotJoint& each : urdf.joints) {
            const std::string& name = urdf.skeleton.name(each.joint);
            const Affine x = placed(urdf.skeleton, a, name), y = placed(mjcf.skeleton, b, name);
            EXPECT_LT(distance(x.translation(), y.translation()), 1e-6) << name;
            EXPECT_LT(angleBetween(rotationOf(x), rotationOf(y)), 2e-6) << name;
        }
    }
}

}  // namespace
}  // namespace ulna::io
