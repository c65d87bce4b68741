// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/mjcf.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/paths.h"
#include "support/robots.h"
#include "support/text.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

using test::contains;
using test::mjcfText;
using test::placed;

RobotFile read(const std::string& text, const MjcfOptions& options = {}) {
    Result<RobotFile> robot = readMjcf(text, "test.xml", options);
    EXPECT_TRUE(robot.ok()) << (robot ? "" : describe(robot.error()));
    return robot ? *std::move(robot) : RobotFile{};
}
std::string errorOf(const std::string& text, const MjcfOptions& options = {}) {
    const Result<RobotFile> robot = readMjcf(text, "test.xml", options);
    return robot ? "" : describe(robot.error());
}
// The rest rotation of a body with these attributes.
Quat rotationWith(const std::string& attributes, const std::string& compiler = {}) {
    const RobotFile robot =
        read(mjcfText("<body name='a' " + attributes + "/>", "<compiler " + compiler + "/>"));
    return robot.skeleton.rest(jointId(0)).rotation;
}
void expectSame(const Quat& a, const Quat& b) {
    EXPECT_LT(angleBetween(a, b), 1e-14);
}
DofLimit limitOf(const std::string& attributes, const std::string& before = {}) {
    const RobotFile robot =
        read(mjcfText("<body><joint name='j' " + attributes + "/></body>", before));
    return robot.skeleton.dofLimits()[0];
}

TEST(Mjcf, GivesEachTypeOfJointItsKind) {
    const Skeleton s = read(mjcfText("<body name='base'><freejoint/>"
                                     "<body><joint name='h'/></body>"
                                     "<body><joint name='s' type='slide'/></body>"
                                     "<body><joint name='b' type='ball'/></body>"
                                     "<body name='welded'/></body>"
                                     "<body name='other'><joint name='o' type='free'/></body>"))
                           .skeleton;
    EXPECT_EQ(s.kind(s.find("base")), JointKind::Free);
    EXPECT_EQ(s.kind(s.find("h")), JointKind::Hinge);
    EXPECT_EQ(s.joint(s.find("h")).axes[0], (Vec3{0, 0, 1}));
    EXPECT_EQ(s.kind(s.find("s")), JointKind::Prismatic);
    EXPECT_EQ(s.kind(s.find("b")), JointKind::Ball);
    EXPECT_EQ(s.kind(s.find("welded")), JointKind::Fixed);
    EXPECT_EQ(s.kind(s.find("other")), JointKind::Free);
    EXPECT_EQ(s.roots().size(), 2U);
}

TEST(Mjcf, HasABaseThatCannotMoveWithoutAFreeJoint) {
    const Skeleton s =
        read(mjcfText("<body name='base'><body><joint name='h'/></body></body>")).skeleton;
    EXPECT_EQ(s.kind(s.roots().front()), JointKind::Fixed);
    EXPECT_EQ(s.name(s.roots().front()), "base");
}

// MuJoCo rotates about an anchor: x -> p + R (x - p), one joint after the other.
TEST(Mjcf, MakesASeriesOfTheJointsOfABodyAroundTheirAnchors) {
    const RobotFile robot =
        read(mjcfText("<body name='a' pos='1 2 3' quat='0.5 0.5 0.5 0.5'>"
                      "<joint name='h' axis='0 1 0' pos='0.1 0 0.2'/>"
                      "<joint name='s' type='slide' axis='1 1 0' pos='9 9 9'/>"
                      "<joint name='k' axis='1 0 0' pos='0 0.3 0'/>"
                      "<geom name='g' size='1' pos='0 0 0.5'/>"
                      "<body name='b' pos='0 0 1'/></body>"));
    const Skeleton& s = robot.skeleton;
    EXPECT_EQ(s.name(s.parent(s.find("k"))), "s");
    EXPECT_EQ(s.name(s.parent(s.find("b"))), "k");
    const double h = 0.4, d = 0.7, k = -0.9;
    const DofVector dofs = {h, d, k};
    const Quat q0 = {0.5, 0.5, 0.5, 0.5};
    const Quat about_y = quatAboutAxis(1, h), about_x = quatAboutAxis(0, k);
    const Vec3 p1 = {0.1, 0, 0.2}, p2 = {0, 0.3, 0}, b = {0, 0, 1};
    const auto after_k = [&](const Vec3& x) { return p2 + rotate(about_x, x - p2); };
    const auto after_s = [&](const Vec3& x) { return x + Vec3{1, 1, 0} * (d / std::sqrt(2.0)); };
    const auto after_h = [&](const Vec3& x) { return p1 + rotate(about_y, x - p1); };
    const auto in_model = [&](const Vec3& x) { return Vec3{1, 2, 3} + rotate(q0, x); };
    const Vec3 expected = in_model(after_h(after_s(after_k(b))));
    EXPECT_LT(distance(placed(s, dofs, "b").translation(), expected), 1e-14);
    const Vec3 anchor = in_model(after_h(after_s(p2)));
    EXPECT_LT(distance(placed(s, dofs, "k").translation(), anchor), 1e-14);
    // The shape hangs on the last joint, whose frame is not the body's.
    ASSERT_EQ(robot.shapes.size(), 1U);
    EXPECT_EQ(robot.shapes[0].joint, s.find("k"));
    const Vec3 shape = placed(s, dofs, "k") * robot.shapes[0].joint_from_shape.translation;
    EXPECT_LT(distance(shape, in_model(after_h(after_s(after_k({0, 0, 0.5}))))), 1e-14);
}

TEST(Mjcf, HasDegreesUnlessItSaysRadians) {
    const Result<RobotFile> degrees = readMjcf(
        "<mujoco><worldbody><body><joint name='j' range='-90 180'/></body></worldbody></mujoco>",
        "a");
    ASSERT_TRUE(degrees.ok());
    EXPECT_EQ(degrees->skeleton.dofLimits()[0], (DofLimit{-kPi / 2.0, kPi}));
    EXPECT_EQ(limitOf("range='-1 2'"), (DofLimit{-1, 2}));
    EXPECT_EQ(limitOf("range='-1 2' type='slide'", "<compiler angle='degree'/>"),
              (DofLimit{-1, 2}));
}

TEST(Mjcf, HasLimitsWhereARangeIsGivenUnlessItSaysOtherwise) {
    EXPECT_TRUE(limitOf("range='-1 2'").bounded());
    EXPECT_TRUE(limitOf("range='-1 2' limited='auto'").bounded());
    EXPECT_FALSE(limitOf("range='-1 2' limited='false'").bounded());
    EXPECT_FALSE(limitOf("range='-1 2'", "<compiler autolimits='false'/>").bounded());
    EXPECT_TRUE(limitOf("range='-1 2' limited='true'", "<compiler autolimits='false'/>").bounded());
    EXPECT_FALSE(limitOf("").bounded());
    EXPECT_TRUE(contains(errorOf(mjcfText("<body><joint limited='true'/></body>")),
                         "the joint is limited and has no 'range'"));
    EXPECT_TRUE(contains(errorOf(mjcfText("<body><joint range='1 0'/></body>")),
                         "'range' has its minimum above its maximum: '1 0'"));
}

TEST(Mjcf, CountsCoordinatesFromTheReferenceOfAJoint) {
    const RobotFile robot = read(mjcfText(
        "<body><joint name='j' ref='0.5' range='-1 2'/><body pos='1 0 0' name='b'/></body>"));
    EXPECT_EQ(robot.skeleton.dofLimits()[0], (DofLimit{-1.5, 1.5}));
    EXPECT_EQ(robot.joints[0].reference, 0.5);
    // The model is as the file has it where the coordinate is the reference.
    EXPECT_EQ(placed(robot.skeleton, DofVector{0.0}, "b").translation(), (Vec3{1, 0, 0}));
}

TEST(Mjcf, BoundsABallByACone) {
    const RobotFile robot =
        read(mjcfText("<body><joint name='j' type='ball' range='0 0.8'/></body>"));
    const JointDef& ball = robot.skeleton.joint(jointId(0));
    ASSERT_TRUE(ball.cone.has_value());
    EXPECT_EQ(ball.cone->swing_max, 0.8);
    EXPECT_EQ(ball.cone->twist_max, 0.8);
    ASSERT_EQ(robot.warnings.size(), 1U);
    EXPECT_TRUE(contains(describe(robot.warnings[0]), "the bound of a ball joint's angle"));
}

TEST(Mjcf, ReadsRotationsInAllFiveWays) {
    const Quat about_z = quatAboutAxis(2, 0.5);
    expectSame(rotationWith("quat='2 0 0 2'"), quatAboutAxis(2, kPi / 2.0));
    expectSame(rotationWith("axisangle='0 0 3 0.5'"), about_z);
    expectSame(rotationWith("axisangle='0 0 3 90'", "angle='degree'"), quatAboutAxis(2, kPi / 2.0));
    expectSame(rotationWith("zaxis='0 -2 0'"), quatAboutAxis(0, kPi / 2.0));
    // y is made perpendicular to x.
    expectSame(rotationWith("xyaxes='0 1 0 -1 5 0'"), quatAboutAxis(2, kPi / 2.0));
    const Quat x = quatAboutAxis(0, 0.1), y = quatAboutAxis(1, 0.2), z = quatAboutAxis(2, 0.3);
    expectSame(rotationWith("euler='0.1 0.2 0.3'"), x * y * z);
    expectSame(rotationWith("euler='0.3 0.2 0.1'", "eulerseq='ZYX'"), x * y * z);
    expectSame(rotationWith("euler='0.3 0.1 0.2'", "eulerseq='zxy'"), z * x * y);
    expectSame(rotationWith("euler='0.1 0.2 0.3'", "eulerseq='xYz'"), y * x * z);
    for (const char* bad : {"quat='0 0 0 0'", "axisangle='0 0 0 1'", "zaxis='0 0 0'",
                            "xyaxes='1 0 0 2 0 0'", "quat='1 0 0 0' euler='0 0 0'", "quat='1 0 0'"})
        EXPECT_FALSE(errorOf(mjcfText(std::string("<body ") + bad + "/>")).empty()) << bad;
    EXPECT_TRUE(contains(errorOf(mjcfText("<body/>", "<compiler eulerseq='xyw'/>")),
                         "three of the letters"));
}

TEST(Mjcf, TakesValuesFromClassesOfDefaultsAndTheirParents) {
    const RobotFile robot = read(mjcfText(
        "<body childclass='arm'>"
        "<joint name='own' axis='0 1 0'/>"
        "<joint name='inherits'/>"
        "<body><joint name='nested' class='hand'/><joint name='still'/></body>"
        "<body childclass='hand'><joint name='changed'/>"
        "<geom size='1'/><geom class='main' type='box' size='1 1 1'/></body></body>"
        "<body><joint name='outside'/></body>",
        "<default><joint range='-1 1'/><default class='arm'><joint axis='1 0 0'/>"
        "<default class='hand'><joint range='-2 2'/><geom type='capsule' size='3 4'/></default>"
        "</default></default>"));
    const Skeleton& s = robot.skeleton;
    const auto axis = [&](const char* name) { return s.joint(s.find(name)).axes[0]; };
    const auto top = [&](const char* name) { return s.joint(s.find(name)).limits[0].max; };
    EXPECT_EQ(axis("own"), (Vec3{0, 1, 0}));
    EXPECT_EQ(axis("inherits"), (Vec3{1, 0, 0}));
    EXPECT_EQ(top("inherits"), 1.0);
    EXPECT_EQ(axis("nested"), (Vec3{1, 0, 0}));
    EXPECT_EQ(top("nested"), 2.0);
    EXPECT_EQ(top("still"), 1.0);
    EXPECT_EQ(top("changed"), 2.0);
    EXPECT_EQ(axis("outside"), (Vec3{0, 0, 1}));
    ASSERT_EQ(robot.shapes.size(), 2U);
    EXPECT_EQ(robot.shapes[0].primitive, (Primitive{PrimitiveKind::Capsule, {1, 1, 4}}));
    EXPECT_EQ(robot.shapes[1].primitive.kind, PrimitiveKind::Box);
    EXPECT_TRUE(contains(errorOf(mjcfText("<body childclass='leg'/>")),
                         "'childclass' is no default class of the model: 'leg'"));
    EXPECT_TRUE(contains(
        errorOf(mjcfText("<body/>", "<default><default class='a'/><default class='a'/></default>")),
        "the name of two default classes"));
}

TEST(Mjcf, MovesWhatIsInFrames) {
    const RobotFile robot = read(mjcfText(
        "<frame pos='1 0 0'><frame euler='0 0 1.5707963267948966'>"
        "<body name='a' pos='2 0 0'><joint name='j' axis='1 0 0'/>"
        "<frame pos='0 0 5'><geom size='1' pos='0 0 1'/></frame>"
        "<frame quat='0 1 0 0'><body name='b' pos='0 1 0'/></frame></body></frame></frame>"));
    EXPECT_LT(distance(placed(robot.skeleton, DofVector{0.0}, "j").translation(), Vec3{1, 2, 0}),
              1e-15);
    EXPECT_LT(distance(placed(robot.skeleton, DofVector{0.0}, "b").translation(), Vec3{2, 2, 0}),
              1e-15);
    EXPECT_EQ(robot.shapes.at(0).joint_from_shape.translation, (Vec3{0, 0, 6}));
}

TEST(Mjcf, ReadsPrimitivesAndThoseBetweenTwoPoints) {
    const RobotFile robot =
        read(mjcfText("<body name='a'><geom size='0.5'/>"
                      "<geom type='box' size='1 2 3' rgba='0 1 0 0'/>"
                      "<geom type='ellipsoid' size='1 2 3' material='blue'/>"
                      "<geom type='cylinder' size='1 2' pos='1 0 0'/>"
                      "<geom type='capsule' size='0.1' fromto='0 0 0 0 4 0'/>"
                      "<geom type='box' size='0.1' fromto='1 0 0 1 0 2'/>"
                      "<geom type='mesh' mesh='m'/><geom type='box' mesh='m'/><geom type='plane' "
                      "size='1 1 1'/></body>"
                      "<geom type='sphere' size='1'/>",
                      "<asset><material name='blue' rgba='0 0 1 1'/></asset>"));
    ASSERT_EQ(robot.shapes.size(), 6U);
    EXPECT_EQ(robot.shapes[0].primitive, (Primitive{PrimitiveKind::Ellipsoid, {0.5, 0.5, 0.5}}));
    EXPECT_EQ(robot.shapes[1].primitive, (Primitive{PrimitiveKind::Box, {1, 2, 3}}));
    EXPECT_EQ(robot.shapes[1].color, (Color{0, 255, 0, 255}));
    EXPECT_EQ(robot.shapes[2].primitive, (Primitive{PrimitiveKind::Ellipsoid, {1, 2, 3}}));
    EXPECT_EQ(robot.shapes[2].color, (Color{0, 0, 255, 255}));
    EXPECT_EQ(robot.shapes[3].primitive, (Primitive{PrimitiveKind::Cylinder, {1, 1, 2}}));
    const RobotShape& capsule = robot.shapes[4];
    EXPECT_EQ(capsule.primitive, (Primitive{PrimitiveKind::Capsule, {0.1, 0.1, 2}}));
    EXPECT_EQ(capsule.joint_from_shape.translation, (Vec3{0, 2, 0}));
    EXPECT_LT(distance(rotate(capsule.joint_from_shape.rotation, Vec3{0, 0, 1}), Vec3{0, -1, 0}),
              1e-15);
    EXPECT_EQ(robot.shapes[5].primitive, (Primitive{PrimitiveKind::Box, {0.1, 0.1, 1}}));
    ASSERT_EQ(robot.warnings.size(), 1U);
    EXPECT_TRUE(contains(describe(robot.warnings[0]), "2 mesh geoms, 1 plane geom, 1 world shape"));
    EXPECT_TRUE(contains(errorOf(mjcfText("<body><geom/></body>")), "the geom has no 'size'"));
    EXPECT_TRUE(contains(errorOf(mjcfText("<body><geom type='box' size='1 2'/></body>")),
                         "'size' has 2 numbers; a box has 3"));
    EXPECT_TRUE(contains(errorOf(mjcfText("<body><geom size='1' fromto='0 0 0 1 1 1'/></body>")),
                         "not for a sphere"));
    EXPECT_TRUE(contains(
        errorOf(mjcfText("<body><geom type='capsule' size='1' fromto='0 0 0 0 0 0'/></body>")),
        "two ends in one position"));
}

TEST(Mjcf, CouplesJointsByLinearEqualities) {
    const std::string joints =
        "<body><joint name='a'/><joint name='b'/><joint name='c'/><joint name='d'/><joint "
        "name='e'/></body>";
    const auto with = [&](const std::string& equality) {
        std::string text = mjcfText(joints);
        text.insert(text.find("</mujoco>"), "<equality>" + equality + "</equality>");
        return text;
    };
    const RobotFile robot = read(
        with("<joint joint1='a' joint2='b' polycoef='0.5 2 0 0 0'/><joint joint1='c' joint2='b'/>"
             "<joint joint1='d' joint2='b' polycoef='0 1 1'/><joint joint1='e' polycoef='0.25'/>"
             "<weld body1='x'/><joint joint1='b' joint2='a' active='false'/>"));
    const auto coupling = [&](const char* name) {
        return robot.skeleton.joint(robot.skeleton.find(name)).coupling;
    };
    EXPECT_EQ(coupling("a"), (JointCoupling{"b", 2.0, 0.5}));
    EXPECT_EQ(coupling("c"), (JointCoupling{"b", 1.0, 0.0}));
    EXPECT_FALSE(coupling("d").has_value());
    EXPECT_EQ(robot.skeleton.dofLimits()[4], (DofLimit{0.25, 0.25}));
    EXPECT_TRUE(contains(describe(robot.warnings.at(0)), "2 equality constraints"));
    EXPECT_TRUE(
        contains(errorOf(with("<joint joint1='x' joint2='a'/>")), "is no joint of the model: 'x'"));
    EXPECT_TRUE(
        contains(errorOf(with("<joint joint1='a' joint2='b'/><joint joint1='b' joint2='a'/>")),
                 "the joint follows itself"));
    EXPECT_TRUE(
        contains(errorOf(with("<joint joint1='a' joint2='b'/><joint joint1='a' joint2='c'/>")),
                 "the joint follows two others"));
}

TEST(Mjcf, OffersKeyframesAsPoses) {
    std::string text = mjcfText(
        "<body name='base' pos='0 0 1'><freejoint/><body><joint name='h' ref='0.5'/></body>"
        "<body><joint name='b' type='ball'/></body></body>");
    text.insert(
        text.find("</mujoco>"),
        "<keyframe><key name='home' qpos='1 2 3 0 0 0 1 0.75 1 0 0 0'/><key time='1'/></keyframe>");
    const RobotFile robot = read(text);
    ASSERT_EQ(robot.poses.size(), 1U);
    EXPECT_EQ(robot.poses[0].name, "home");
    const DofVector& dofs = robot.poses[0].frames.at(0);
    const Affine base = placed(robot.skeleton, dofs, "base");
    EXPECT_LT(distance(base.translation(), Vec3{1, 2, 3}), 1e-15);
    EXPECT_LT(distance(base.direction({1, 0, 0}), Vec3{-1, 0, 0}), 1e-15);
    EXPECT_EQ(dofs[robot.skeleton.firstDof(robot.skeleton.find("h"))], 0.25);
    const std::size_t at = text.find(" 0.75");
    EXPECT_TRUE(contains(errorOf(text.erase(at, 5)), "'qpos' has 11 numbers instead of 12"));
}

TEST(Mjcf, NamesWhatHasNoName) {
    const Skeleton s =
        read(mjcfText("<body name='a'><joint/><joint/><body><joint/></body><body/></body><body "
                      "name='joint'/>"))
            .skeleton;
    std::string names;
    for (const std::string& name : s.names()) names += name + ' ';
    EXPECT_EQ(names, "a a#2 joint body joint#2 ");
}

TEST(Mjcf, RefusesWhatMujocoRefuses) {
    EXPECT_EQ(errorOf(mjcfText(
                  "<body name='a'><joint name='j'/></body>\n<body><joint name='j'/></body>")),
              "test.xml:5:14: 'name' is the name of two joints: 'j'");
    EXPECT_TRUE(
        contains(errorOf(mjcfText("<body name='a'/><body name='a'/>")), "the name of two bodies"));
    EXPECT_TRUE(
        contains(errorOf(mjcfText("<body><body><freejoint/></body></body>")), "not at the top"));
    EXPECT_TRUE(contains(errorOf(mjcfText("<body><freejoint/><joint/></body>")),
                         "a free joint and another one"));
    EXPECT_TRUE(contains(errorOf(mjcfText("<body><joint type='weld'/></body>")),
                         "'type' is none of hinge"));
    EXPECT_TRUE(
        contains(errorOf(mjcfText("<body><joint axis='0 0 0'/></body>")), "is no direction"));
    EXPECT_TRUE(contains(errorOf(mjcfText("<body pos='1 nan 2'/>")), "not a number"));
    EXPECT_TRUE(
        contains(errorOf(mjcfText("<body/>", "<compiler coordinate='global'/>")), "'coordinate'"));
    EXPECT_TRUE(contains(errorOf(mjcfText("")), "the model has no body"));
    EXPECT_TRUE(contains(errorOf("<robot/>"), "its outermost element is not <mujoco>: 'robot'"));
}

TEST(Mjcf, OfTwentyThousandNestedBodiesIsRead) {
    constexpr std::size_t kDeep = 20'000;
    std::string text;
    for (std::size_t i = 0; i < kDeep; ++i) text += "<body><joint/>";
    for (std::size_t i = 0; i < kDeep; ++i) text += "</body>";
    EXPECT_EQ(read(mjcfText(text)).skeleton.jointCount(), kDeep);
    std::string classes;
    for (std::size_t i = 0; i < 100; ++i) classes += "<default class='c" + std::to_string(i) + "'>";
    for (std::size_t i = 0; i < 100; ++i) classes += "</default>";
    EXPECT_TRUE(contains(errorOf(mjcfText("<body/>", "<default>" + classes + "</default>")),
                         "nested deeper than 64"));
}

TEST(Mjcf, LeavesOutShapesBeyondWhatMeshesHold) {
    const RobotFile robot =
        read(mjcfText("<body><geom size='1e30'/><geom size='1' pos='1e30 0 0'/><geom "
                      "size='0'/><geom size='1'/></body>"));
    EXPECT_EQ(robot.shapes.size(), 1U);
    EXPECT_TRUE(contains(describe(robot.warnings.at(0)), "2 distant shapes"));
    EXPECT_TRUE(contains(describe(robot.warnings.at(0)), "1 empty shape"));
}

// Files in a folder of their own, with links that lead out of it.
class MjcfInclude : public testing::Test {
  protected:
    void SetUp() override {
        root_ = std::filesystem::path(testing::TempDir()) / "ulna_mjcf_include";
        std::filesystem::remove_all(root_);
        std::filesystem::create_directories(root_ / "model" / "parts");
        write("secret.xml", "<mujoco><worldbody><body name='secret'/></worldbody></mujoco>");
        std::filesystem::create_symlink("../secret.xml", root_ / "model" / "link.xml");
    }
    void TearDown() override { std::filesystem::remove_all(root_); }
    void write(const std::string& name, const std::string& text) {
        std::ofstream(root_ / name) << text;
    }
    [[nodiscard]] MjcfOptions options() const { return {.folder = (root_ / "model").string()}; }
    static std::string including(const std::string& file) {
        return "<mujoco><include file='" + file + "'/></mujoco>";
    }
    std::filesystem::path root_;
};

TEST_F(MjcfInclude, PutsTheElementsOfAnotherFileInItsPlace) {
    write("model/parts/leg.xml",
          "<mujocoinclude><body name='leg'><joint name='hip'/></body></mujocoinclude>");
    write("model/settings.xml",
          "<mujoco><compiler angle='radian'/><include file='parts/more.xml'/></mujoco>");
    write("model/parts/more.xml", "<mujoco><default><joint range='-1 1'/></default></mujoco>");
    const RobotFile robot = read(
        "<mujoco><worldbody><body name='a'/><include file='parts/leg.xml'/>"
        "<body name='z'/></worldbody><include file='settings.xml'/></mujoco>",
        options());
    std::string names;
    for (const std::string& name : robot.skeleton.names()) names += name + ' ';
    EXPECT_EQ(names, "a hip z ");
    EXPECT_EQ(robot.skeleton.dofLimits()[0], (DofLimit{-1, 1}));
}

TEST_F(MjcfInclude, OpensNothingOutsideOfTheFolder) {
    for (const char* file :
         {"../secret.xml", "parts/../../secret.xml", "/etc/passwd", "link.xml", "C:/a.xml",
          "file:///etc/passwd", "..\\secret.xml", "", "parts", ".", "nothing.xml"}) {
        const std::string error = errorOf(including(file), options());
        EXPECT_FALSE(error.empty()) << file;
        EXPECT_EQ(error.find("secret'"), std::string::npos) << error;
    }
    EXPECT_TRUE(contains(errorOf(including("../secret.xml"), options()),
                         "test.xml:1:10: the file '../secret.xml' is not in the file's folder"));
    EXPECT_TRUE(
        contains(errorOf(including("link.xml"), options()), "links out of the file's folder"));
    EXPECT_TRUE(contains(errorOf(including("a.xml")), "is a separate file"));
}

TEST_F(MjcfInclude, RefusesAFileThatIncludesItself) {
    write("model/a.xml", including("b.xml"));
    write("model/b.xml", including("a.xml"));
    EXPECT_TRUE(contains(errorOf(including("a.xml"), options()), "is included twice"));
}

TEST_F(MjcfInclude, NamesTheFileThatAnErrorIsIn) {
    write("model/bad.xml", "<mujoco>\n<worldbody>\n<body pos='x'/></worldbody></mujoco>");
    EXPECT_TRUE(contains(errorOf(including("bad.xml"), options()), "model/bad.xml:3:7: 'pos'"));
    write("model/broken.xml", "<mujoco>");
    EXPECT_TRUE(contains(errorOf(including("broken.xml"), options()),
                         "model/broken.xml:1:1: the element is not closed"));
}

TEST(Mjcf, OfTheRobotsHasTheirJointsAndShapes) {
    struct Expected {
        const char* file;
        std::size_t joints, moving, shapes;
    };
    for (const Expected& expected :
         {Expected{"robots/unitree_g1/g1_mocap_29dof.xml", 38, 29, 12},
          Expected{"robots/booster_t1/t1_mocap.xml", 32, 21, 16},
          Expected{"robots/stanford_toddy/toddy_mocap.xml", 33, 22, 16}}) {
        SCOPED_TRACE(expected.file);
        const RobotFile robot = test::loadRobot(test::sharedData(expected.file));
        EXPECT_EQ(robot.skeleton.jointCount(), expected.joints);
        EXPECT_EQ(robot.joints.size(), expected.moving);
        EXPECT_EQ(robot.shapes.size(), expected.shapes);
        EXPECT_EQ(robot.skeleton.kind(jointId(0)), JointKind::Free);
        for (const RobotJoint& each : robot.joints)
            EXPECT_TRUE(robot.skeleton.dofLimits()[robot.skeleton.firstDof(each.joint)].bounded());
    }
}

}  // namespace
}  // namespace ulna::io
