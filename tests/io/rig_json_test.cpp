// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/rig_json.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/grippers.h"
#include "support/skeletons.h"
#include "support/text.h"
#include "ulna/skeleton/bone.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

using test::contains;

std::string errorOf(std::string_view text) {
    const Result<RigFile> rig = readRig(text, "test.rig.json");
    return rig ? "" : describe(rig.error());
}

void expectSameSkeleton(const Skeleton& a, const Skeleton& b) {
    ASSERT_EQ(a.jointCount(), b.jointCount());
    EXPECT_EQ(a.planar(), b.planar());
    for (const JointId j : a.joints()) {
        const JointDef& x = a.joint(j);
        const JointDef& y = b.joint(j);
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.parent, y.parent);
        EXPECT_EQ(x.kind, y.kind);
        EXPECT_EQ(x.rest, y.rest) << x.name;
        EXPECT_EQ(x.tip, y.tip) << x.name;
        EXPECT_EQ(x.radius, y.radius);
        EXPECT_EQ(x.end_site, y.end_site);
        EXPECT_EQ(x.locked, y.locked) << x.name;
        EXPECT_EQ(x.stiffness, y.stiffness) << x.name;
        ASSERT_EQ(x.coupling.has_value(), y.coupling.has_value());
        if (x.coupling) {
            EXPECT_EQ(x.coupling->leader, y.coupling->leader);
            EXPECT_NEAR(x.coupling->factor, y.coupling->factor, 1e-15);
            EXPECT_NEAR(x.coupling->offset, y.coupling->offset, 1e-15);
        }
        if (x.kind == JointKind::Ball || x.kind == JointKind::Free) {
            EXPECT_EQ(x.coordinates, y.coordinates);
            if (x.coordinates == BallCoordinates::Euler && !a.planar()) {
                EXPECT_EQ(x.order, y.order);
            }
        }
        if (x.kind == JointKind::Hinge || x.kind == JointKind::Universal ||
            x.kind == JointKind::Prismatic) {
            EXPECT_EQ(x.axes[0], y.axes[0]);
        }
        EXPECT_EQ(x.cone.has_value(), y.cone.has_value());
        if (x.cone && y.cone) {
            EXPECT_NEAR(x.cone->swing_max, y.cone->swing_max, 1e-15);
        }
    }
    for (std::size_t d = 0; d < a.dofCount(); ++d) {
        if (std::isfinite(a.dofLimits()[d].min)) {
            EXPECT_NEAR(a.dofLimits()[d].min, b.dofLimits()[d].min, 1e-15);
        }
        EXPECT_EQ(a.dofLimits()[d].bounded(), b.dofLimits()[d].bounded());
    }
}

TEST(Rig, CouplingsAreInDegreesAndLengths) {
    std::vector<JointDef> joints = test::gripperJoints();
    const Skeleton gripper = test::build(joints);
    const Result<RigFile> back =
        readRig(writeRig({.name = "", .skeleton = gripper, .clips = {}}), "test");
    ASSERT_TRUE(back) << describe(back.error());
    expectSameSkeleton(gripper, back->skeleton);

    // A hinge that turns by 90 degrees per length of what slides.
    const Result<RigFile> rack = readRig(R"({"ulna": 1, "joints": [
        {"name": "rack", "kind": "prismatic"},
        {"name": "pinion", "kind": "hinge", "coupling": {"leader": "rack", "factor": 90, "offset": 45}},
        {"name": "other", "kind": "prismatic", "coupling": {"leader": "wheel", "factor": 0.5}},
        {"name": "wheel", "kind": "hinge"}]})",
                                         "test");
    ASSERT_TRUE(rack) << describe(rack.error());
    const JointCoupling& pinion = *rack->skeleton.joint(rack->skeleton.find("pinion")).coupling;
    EXPECT_NEAR(pinion.factor, kPi / 2, 1e-15);
    EXPECT_NEAR(pinion.offset, kPi / 4, 1e-15);
    const JointCoupling& other = *rack->skeleton.joint(rack->skeleton.find("other")).coupling;
    EXPECT_NEAR(other.factor, 0.5 * 180 / kPi, 1e-13);
    EXPECT_TRUE(contains(errorOf(R"({"ulna": 1, "joints": [{"name": "a", "kind": "hinge",
                                     "coupling": {"leader": "b"}}]})"),
                         "joints[0]: joint 'a': it follows 'b', which is no joint"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna": 1, "joints": [{"name": "a", "kind": "hinge",
                                     "coupling": {"to": "b"}}]})"),
                         "coupling"));
}

TEST(RigJson, WritesAndReadsEveryKindOfJointAndItsClips) {
    RigFile rig;
    rig.name = "a \"quoted\" name, Füße";
    rig.skeleton = test::everyKind();
    Random random(1);
    DofClip clip{"jump", 1.0 / 120.0, {}};
    for (int i = 0; i < 4; ++i) clip.frames.push_back(test::randomDofs(rig.skeleton, random, 20.0));
    rig.clips = {clip, DofClip{"empty", 0.5, {}}};
    const Result<RigFile> back = readRig(writeRig(rig), "t");
    ASSERT_TRUE(back.ok()) << describe(back.error());
    EXPECT_EQ(back->name, rig.name);
    expectSameSkeleton(back->skeleton, rig.skeleton);
    ASSERT_EQ(back->clips.size(), 2U);
    EXPECT_EQ(back->clips[0].frame_time, 1.0 / 120.0);
    for (std::size_t f = 0; f < 4; ++f) {
        for (std::size_t d = 0; d < rig.skeleton.dofCount(); ++d) {
            EXPECT_NEAR(back->clips[0].frames[f][d], clip.frames[f][d], 1e-14);
        }
    }
    EXPECT_EQ(writeRig(*readRig(writeRig(*back), "t")), writeRig(*back));
}

TEST(RigJson, KeepsLimitsConesScaleRadiiAndTips) {
    JointDef ball = test::joint("arm", "", JointKind::Ball, {1, 2, 3});
    ball.cone = ConeLimit{{1, 0, 0}, radians(70), radians(-30), radians(45)};
    ball.radius = 0.04;
    ball.rest.scale = {1, 2, 1};
    JointDef knee = test::joint("knee", "arm", JointKind::Hinge, {0, 1, 0});
    knee.limits[0] = {radians(-5), std::numeric_limits<double>::infinity()};
    knee.tip = Vec3{0, 0.3, 0};
    RigFile rig{"", test::build({ball, knee}), {}};
    const std::string text = writeRig(rig);
    EXPECT_TRUE(contains(text, "\"limits\":[[-5.0,null]]"));
    EXPECT_TRUE(contains(text, "\"swing\":70.0"));
    const Result<RigFile> back = readRig(text, "t");
    ASSERT_TRUE(back.ok());
    expectSameSkeleton(back->skeleton, rig.skeleton);
}

TEST(RigJson, KeepsLocksAndStiffnessAndWritesThemOnlyWhereTheyAreStated) {
    JointDef hips = test::joint("hips", "", JointKind::Free, {});
    hips.locked = true;
    JointDef spine = test::joint("spine", "hips", JointKind::Ball, {0, 1, 0});
    spine.stiffness = 0.5;
    const JointDef head = test::joint("head", "spine", JointKind::Ball, {0, 1, 0});
    RigFile rig{"", test::build({hips, spine, head}), {}};
    const std::string text = writeRig(rig);
    EXPECT_TRUE(contains(text, "\"locked\":true}"));
    EXPECT_TRUE(contains(text, "\"stiffness\":0.5}"));
    EXPECT_EQ(text.find("locked"), text.rfind("locked"));
    EXPECT_EQ(text.find("stiffness"), text.rfind("stiffness"));
    const Result<RigFile> back = readRig(text, "t");
    ASSERT_TRUE(back.ok()) << describe(back.error());
    expectSameSkeleton(back->skeleton, rig.skeleton);
}

TEST(RigJson, PlanarRigsKeepToThePlane) {
    const double lengths[] = {1.0, 0.5};
    RigFile rig{"", test::planarChain(lengths), {}};
    const Result<RigFile> back = readRig(writeRig(rig), "t");
    ASSERT_TRUE(back.ok());
    expectSameSkeleton(back->skeleton, rig.skeleton);
    // A planar hinge need not state its axis.
    EXPECT_EQ(errorOf(R"({"ulna":1,"planar":true,"joints":[{"name":"a","kind":"hinge"}]})"), "");
}

TEST(RigJson, AnXzxRigPosesAsTwistBendTwist) {
    const Result<RigFile> rig = readRig(
        R"({"ulna":1,"joints":[{"name":"bone","kind":"ball","order":"xzx","tip":[2,0,0]}],
            "clips":[{"name":"c","frame_time":1,"frames":[[90,90,17]]}]})",
        "t");
    ASSERT_TRUE(rig.ok()) << describe(rig.error());
    const Pose pose = computePose(rig->skeleton, rig->clips[0].frames[0]);
    EXPECT_LT(
        distance(computeModelPoint(rig->skeleton, pose, jointId(0), {2, 0, 0}), Vec3{0, 0, 2}),
        1e-15);
}

TEST(RigJson, RollIsARestRotationInOtherWords) {
    const Result<RigFile> rig = readRig(
        R"({"ulna":1,"joints":[{"name":"bone","tip":[1,1,0],"roll":30,"order":"zyx"}]})", "t");
    ASSERT_TRUE(rig.ok()) << describe(rig.error());
    const Mat3 axes = toMatrix(rig->skeleton.rest(jointId(0)).rotation);
    EXPECT_NEAR(degrees(boneRoll(axes)), 30.0, 1e-12);
    const Vec3 tip = computeModelPoint(rig->skeleton, restPose(rig->skeleton), jointId(0),
                                       rig->skeleton.tip(jointId(0)));
    EXPECT_LT(distance(tip, Vec3{1, 1, 0}), 1e-14);
}

TEST(RigJson, ErrorsCarryThePathOrTheLine) {
    EXPECT_TRUE(contains(errorOf("{\n  \"ulna\": 1,\n  \"joints\": [}\n"),
                         "test.rig.json:3:14: the text is not JSON"));
    EXPECT_TRUE(contains(errorOf(""), "not JSON"));
    EXPECT_TRUE(contains(errorOf("[]"), "an object was expected"));
    EXPECT_TRUE(contains(errorOf(R"({"joints":[]})"), "'ulna' is missing"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":2,"joints":[]})"), "ulna: this version"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":1})"), "'joints' is missing"));
    EXPECT_TRUE(
        contains(errorOf(R"({"ulna":1,"joints":[{"name":"a"},{"name":"b","offset":[1,2]}]})"),
                 "test.rig.json: joints[1].offset: an array of 3 was expected"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","offset":[1,"x",2]}]})"),
                         "joints[0].offset[1]: a number was expected"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","limit":[]}]})"),
                         "joints[0]: the key 'limit' is unknown (did you mean 'limits'?)"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","kind":"bal"}]})"),
                         "joints[0].kind: 'bal' is no kind"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","order":"xxy"}]})"),
                         "joints[0].order"));
    EXPECT_TRUE(
        contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","kind":"hinge","limits":[[1]]}]})"),
                 "joints[0].limits[0]: an array of 2"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","parent":"b"}]})"),
                         "joints[0]: joint 'a': its parent 'b' is unknown"));
    EXPECT_TRUE(
        contains(errorOf(R"({"ulna":1,"joints":[{"name":""}]})"), "joints[0]: the name is empty"));
    EXPECT_TRUE(
        contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","cone":{"swing":270}}]})"), "swing"));
    EXPECT_TRUE(
        contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","radius":1e999}]})"), "not JSON"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","radius":1e101}]})"),
                         "joints[0].radius: the number is too large"));
    EXPECT_TRUE(
        contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","kind":"hinge","order":"xyz"}]})"),
                 "joints[0].order: only ball"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","axis":[1,0,0]}]})"),
                         "joints[0].axis: only hinges"));
    EXPECT_TRUE(contains(
        errorOf(
            R"({"ulna":1,"joints":[{"name":"a"},{"name":"b","kind":"hinge","limits":[[2,1]]}]})"),
        "joints[1]: joint 'b': a limit has its minimum above"));
    EXPECT_TRUE(
        contains(errorOf("{\"ulna\":1,\"joints\":[{\"name\":\"" + std::string(300, 'n') + "\"}]}"),
                 "over 255 bytes"));
    EXPECT_TRUE(contains(
        errorOf(
            R"({"ulna":1,"joints":[{"name":"a"}],"clips":[{"frame_time":0.1,"frames":[[1,2]]}]})"),
        "clips[0].frames[0]: an array of 3"));
    EXPECT_TRUE(contains(
        errorOf(R"({"ulna":1,"joints":[{"name":"a"}],"clips":[{"frame_time":0,"frames":[]}]})"),
        "clips[0].frame_time: the frame time is not usable"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","rotation":[0,0,0,0]}]})"),
                         "length zero"));
    EXPECT_TRUE(
        contains(errorOf(R"({"ulna":1,"joints":[{"name":"a"},{"name":"b","stiffness":-1}]})"),
                 "joints[1]: joint 'b': its stiffness is not zero or more"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":1,"joints":[{"name":"a","locked":"yes"}]})"),
                         "joints[0].locked"));
}

TEST(HostileRigJson, TruncationAtEveryByteAndDeepNestingAreSurvived) {
    RigFile rig{"x", test::everyKind(), {DofClip{"c", 0.1, {}}}};
    const std::string text = writeRig(rig);
    for (std::size_t size = 0; size + 2 < text.size(); size += 3) {
        EXPECT_FALSE(readRig(std::string(text.substr(0, size)), "t").ok());
    }
    EXPECT_FALSE(readRig(std::string(1000000, '['), "t").ok());
    std::string nested;
    for (int i = 0; i < 200000; ++i) nested += "{\"a\":";
    EXPECT_FALSE(readRig(nested, "t").ok());
}

}  // namespace
}  // namespace ulna::io
