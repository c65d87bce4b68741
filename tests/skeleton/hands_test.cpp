// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/hands.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/anatomy.h"
#include "support/paths.h"
#include "support/text.h"
#include "ulna/io/gltf.h"
#include "ulna/io/rig_json.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"
#include "ulna/skeleton/state.h"
#include "ulna/skin/deform.h"

namespace ulna {
namespace {

using test::contains;

struct FingerWords {
    const char* words[kFingers];
    int joints;       // of a finger, from the knuckle
    bool metacarpal;  // and one in the palm before them
};

// A person with hands of a family's finger names, in a T-pose, palms down: fingers of 8 cm, thumbs
// in front.
Skeleton personWithFingers(const FingerWords& family) {
    const Skeleton body = test::makeHumanoid(test::mixamo());
    std::vector<JointDef> defs;
    for (const JointDef& def : body.definitions()) {
        if (contains(def.name, "HandIndex") || contains(def.name, "HandThumb")) continue;
        defs.push_back(def);
    }
    for (const double side : {1.0, -1.0}) {
        const std::string name = side > 0 ? "Left" : "Right";
        const std::string wrist = "mixamorig:" + name + "Hand";
        for (std::size_t f = 0; f < kFingers; ++f) {
            if (family.words[f] == nullptr) continue;
            const bool thumb = f == 0;
            std::string parent = wrist;
            const auto add = [&](const std::string& joint, const Vec3& offset, bool end) {
                JointDef def;
                def.name = joint;
                def.parent = parent;
                def.kind = end ? JointKind::Fixed : JointKind::Ball;
                def.rest.translation = {offset.x * side, offset.y, offset.z};
                defs.push_back(std::move(def));
                parent = joint;
            };
            const double z = 0.035 - 0.02 * static_cast<double>(f);
            const auto joint = [&](int i) {
                return name + "_" + family.words[f] + "_" + std::to_string(i);
            };
            Vec3 offset = thumb ? Vec3{0.025, -0.01, 0.03} : Vec3{0.09, 0, z};
            const Vec3 bone = thumb ? Vec3{0.025, -0.005, 0.02} : Vec3{0.03, 0, 0};
            if (family.metacarpal && !thumb) {
                add(joint(0), {0.02, 0, z}, false);
                offset = {0.07, 0, 0};
            }
            for (int i = 1; i <= family.joints; ++i) {
                add(joint(i), offset, false);
                offset = bone;
            }
            add(joint(9), bone, true);
        }
    }
    Result<Skeleton> out = makeSkeleton(std::move(defs));
    EXPECT_TRUE(out.ok()) << out.error().what;
    return *std::move(out);
}

constexpr FingerWords kFamilies[] = {
    {{"Thumb", "Index", "Middle", "Ring", "Pinky"}, 3, false},
    {{"thumb", "f_index", "f_middle", "f_ring", "f_pinky"}, 3, true},
    {{"a", "b", "c", "d", "e"}, 3, false},  // no names that tell
    {{"Thumb", "Index", "Middle", "Ring", "Little"}, 2, false},
};

JointId tipOf(const Hand& hand, Finger finger) {
    return jointId(index(hand.fingers[static_cast<std::size_t>(finger)].back().joint) + 1);
}

TEST(Hands, CloseTheirFingersIntoThePalmOnBothSidesAlike) {
    for (const FingerWords& family : kFamilies) {
        const Skeleton skeleton = personWithFingers(family);
        const Pose rest = restPose(skeleton);
        Pose pose = rest;
        for (const BodySide side : {BodySide::Left, BodySide::Right}) {
            const Result<Hand> hand = findHand(skeleton, rest, side);
            ASSERT_TRUE(hand.ok()) << hand.error().what;
            for (const auto& finger : hand->fingers)
                EXPECT_EQ(finger.size(), static_cast<std::size_t>(family.joints));
            poseHand(skeleton, *hand, handPose(HandShape::Fist), pose);
            const ModelPose before = computeModelPose(skeleton, rest);
            const ModelPose after = computeModelPose(skeleton, pose);
            for (const Finger finger :
                 {Finger::Index, Finger::Middle, Finger::Ring, Finger::Little}) {
                const JointId tip = tipOf(*hand, finger);
                const JointId knuckle =
                    hand->fingers[static_cast<std::size_t>(finger)].front().joint;
                // At the palm from below, and back towards the wrist.
                EXPECT_LT(after.position(tip).y, before.position(tip).y - 0.003);
                EXPECT_LT(std::abs(after.position(tip).x - after.position(hand->wrist).x),
                          std::abs(before.position(knuckle).x - before.position(hand->wrist).x));
            }
            const JointId thumb = tipOf(*hand, Finger::Thumb);
            EXPECT_LT(after.position(thumb).z, before.position(thumb).z - 0.02);
        }
        // The two hands are mirror images.
        const ModelPose model = computeModelPose(skeleton, pose);
        for (const JointId j : skeleton.joints()) {
            const std::string& name = skeleton.name(j);
            if (!name.starts_with("Left_")) continue;
            const Vec3 left = model.position(j);
            const Vec3 right = model.position(skeleton.find("Right_" + name.substr(5)));
            EXPECT_LT(distance({-left.x, left.y, left.z}, right), 1e-9) << name;
        }
    }
}

TEST(Hands, AreStraightAsInTheTPoseWhereNothingIsCurled) {
    const Skeleton skeleton = personWithFingers(kFamilies[1]);
    const Pose rest = restPose(skeleton);
    const Hand hand = *findHand(skeleton, rest, BodySide::Left);
    Pose pose = rest;
    poseHand(skeleton, hand, handPose(HandShape::Fist), pose);
    poseHand(skeleton, hand, handPose(HandShape::Flat), pose);
    for (const JointId j : skeleton.joints())
        EXPECT_LT(angleBetween(pose[j].rotation, rest[j].rotation), 1e-12);
    // A joint in the palm never moves.
    poseHand(skeleton, hand, handPose(HandShape::Fist), pose);
    EXPECT_EQ(pose[skeleton.find("Left_f_ring_0")], rest[skeleton.find("Left_f_ring_0")]);
}

TEST(Hands, SpreadTheirFingers) {
    const Skeleton skeleton = personWithFingers(kFamilies[0]);
    const Pose rest = restPose(skeleton);
    const Hand hand = *findHand(skeleton, rest, BodySide::Right);
    const auto width = [&](double spread) {
        Pose pose = rest;
        poseHand(skeleton, hand, handPose(0.0, spread), pose);
        const ModelPose model = computeModelPose(skeleton, pose);
        return distance(model.position(tipOf(hand, Finger::Index)),
                        model.position(tipOf(hand, Finger::Little)));
    };
    EXPECT_GT(width(1.0), width(0.0) + 0.02);
    EXPECT_LT(width(-1.0), width(0.0) - 0.02);
}

TEST(Hands, PointWithTheIndexFingerAlone) {
    const Skeleton skeleton = personWithFingers(kFamilies[0]);
    const Pose rest = restPose(skeleton);
    const Hand hand = *findHand(skeleton, rest, BodySide::Left);
    Pose pose = rest;
    poseHand(skeleton, hand, handPose(HandShape::Point), pose);
    const ModelPose model = computeModelPose(skeleton, pose);
    const double index = model.position(tipOf(hand, Finger::Index)).x;
    for (const Finger finger : {Finger::Thumb, Finger::Middle, Finger::Ring, Finger::Little})
        EXPECT_LT(model.position(tipOf(hand, finger)).x, index - 0.04);
}

TEST(Hands, StayInsideTheLimitsOfTheirJointsAndLeaveLockedOnes) {
    std::vector<JointDef> defs;
    const Skeleton plain = personWithFingers(kFamilies[0]);
    for (JointDef def : plain.definitions()) {
        if (def.name.starts_with("Left_Index"))
            for (auto& limit : def.limits) limit = {-0.3, 0.3};
        if (def.name.starts_with("Left_Ring")) def.locked = true;
        defs.push_back(def);
    }
    const Skeleton skeleton = *makeSkeleton(defs);
    const Pose rest = restPose(skeleton);
    Pose pose = rest;
    poseHand(skeleton, *findHand(skeleton, rest, BodySide::Left), handPose(HandShape::Fist), pose);
    EXPECT_LT(limitExcess(skeleton, computeDofs(skeleton, pose).dofs), 1e-9);
    EXPECT_EQ(pose[skeleton.find("Left_Ring_1")], rest[skeleton.find("Left_Ring_1")]);
    EXPECT_NE(pose[skeleton.find("Left_Index_1")], rest[skeleton.find("Left_Index_1")]);
}

TEST(Hands, OfAMittenHaveOneFinger) {
    const Skeleton skeleton =
        personWithFingers({{nullptr, nullptr, "Mitten", nullptr, nullptr}, 1, false});
    const Hand hand = *findHand(skeleton, restPose(skeleton), BodySide::Left);
    EXPECT_EQ(hand.fingers[static_cast<std::size_t>(Finger::Middle)].size(), 1U);
    Pose pose = restPose(skeleton);
    poseHand(skeleton, hand, handPose(1.0), pose);
    EXPECT_LT(
        computeModelPose(skeleton, pose).position(tipOf(hand, Finger::Middle)).y,
        computeModelPose(skeleton, restPose(skeleton)).position(tipOf(hand, Finger::Middle)).y);
}

TEST(Hands, AreMissedWhereThereAreNone) {
    const Skeleton none =
        personWithFingers({{nullptr, nullptr, nullptr, nullptr, nullptr}, 3, false});
    const Result<Hand> hand = findHand(none, restPose(none), BodySide::Right);
    ASSERT_FALSE(hand.ok());
    EXPECT_TRUE(contains(hand.error().what, "right hand has no fingers")) << hand.error().what;
}

TEST(HandShapes, HaveNamesThatReadBack) {
    for (std::size_t i = 0; i < kHandShapes; ++i) {
        const auto shape = static_cast<HandShape>(i);
        EXPECT_EQ(handShapeFromName(handShapeName(shape)), shape);
        for (const double curl : handPose(shape).curl) {
            EXPECT_GE(curl, -0.2);
            EXPECT_LE(curl, 1.0);
        }
    }
    EXPECT_FALSE(handShapeFromName("foot"));
}

TEST(Hands, AreReadAsTheyWerePosed) {
    Random random(4);
    for (const FingerWords& family : kFamilies) {
        const Skeleton skeleton = personWithFingers(family);
        const Pose rest = restPose(skeleton);
        for (const BodySide side : {BodySide::Left, BodySide::Right}) {
            const Hand hand = *findHand(skeleton, rest, side);
            for (int i = 0; i < 20; ++i) {
                HandPose how;
                for (double& curl : how.curl) curl = random.between(-0.2, 1.0);
                how.spread = random.between(-1.0, 1.0);
                how.oppose = random.between(0.0, 1.0);
                Pose pose = rest;
                poseHand(skeleton, hand, how, pose);
                const HandPose read = readHand(skeleton, hand, pose);
                for (std::size_t f = 0; f < kFingers; ++f)
                    EXPECT_NEAR(read.curl[f], how.curl[f], 0.03) << f;
                EXPECT_NEAR(read.spread, how.spread, 0.1);
                EXPECT_NEAR(read.oppose, how.oppose, 0.03);
            }
            for (std::size_t i = 0; i < kHandShapes; ++i) {
                const auto shape = static_cast<HandShape>(i);
                Pose pose = rest;
                poseHand(skeleton, hand, handPose(shape, hand), pose);
                EXPECT_EQ(shapeOf(skeleton, hand, pose), shape) << handShapeName(shape);
            }
            Pose pose = rest;
            poseHand(skeleton, hand, handPose(0.72), pose);
            EXPECT_EQ(shapeOf(skeleton, hand, pose), std::nullopt);
        }
    }
}

TEST(Hands, OfTheBundledCharacterAreKnownInEveryShapeInsideItsLimits) {
    const Result<io::RigFile> rig = io::loadRig(test::sourcePath("assets/ulna-character.rig.json"));
    ASSERT_TRUE(rig.ok());
    const Pose rest = restPose(rig->skeleton);
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
        const Hand hand = *findHand(rig->skeleton, rest, side);
        for (std::size_t i = 0; i < kHandShapes; ++i) {
            const auto shape = static_cast<HandShape>(i);
            Pose pose = rest;
            poseHand(rig->skeleton, hand, handPose(shape, hand), pose);
            EXPECT_EQ(shapeOf(rig->skeleton, hand, pose), shape) << handShapeName(shape);
        }
    }
}

// Where the end of a finger's last bone is.
Vec3 endOf(const Skeleton& skeleton, const Pose& pose, const Hand& hand, Finger finger) {
    return computeModelPose(skeleton, pose).position(tipOf(hand, finger));
}

TEST(Hands, PinchWithTheThumbAtTheTipOfTheIndexFinger) {
    for (const FingerWords& family : kFamilies) {
        const Skeleton skeleton = personWithFingers(family);
        const Pose rest = restPose(skeleton);
        for (const BodySide side : {BodySide::Left, BodySide::Right}) {
            const Hand hand = *findHand(skeleton, rest, side);
            Pose pose = rest;
            poseHand(skeleton, hand, handPose(HandShape::Pinch, hand), pose);
            // The skin of fingers of 6 and 9 cm is 2 and 3 mm from the ends of their bones.
            const double apart = 0.06 * 0.03 * family.joints;
            EXPECT_NEAR(distance(endOf(skeleton, pose, hand, Finger::Thumb),
                                 endOf(skeleton, pose, hand, Finger::Index)),
                        apart, 1e-3);
            // The thumb is on the side of the palm, and beside the hand where it is not opposed.
            const double palm = computeModelPose(skeleton, pose).position(hand.wrist).y;
            EXPECT_LT(endOf(skeleton, pose, hand, Finger::Thumb).y, palm - 0.02);
            HandPose beside = handPose(HandShape::Pinch, hand);
            beside.oppose = 0.0;
            poseHand(skeleton, hand, beside, pose);
            EXPECT_GT(distance(endOf(skeleton, pose, hand, Finger::Thumb),
                               endOf(skeleton, pose, hand, Finger::Index)),
                      apart + 0.03);
        }
    }
}

TEST(Hands, OfTheBundledCharacterPinchWithTheirSkin) {
    const Result<io::RigFile> rig = io::loadRig(test::sourcePath("assets/ulna-character.rig.json"));
    const Result<io::GltfFile> file = io::loadGltf(test::sourcePath("assets/ulna-character.glb"));
    ASSERT_TRUE(rig.ok() && file.ok());
    const Skeleton& skeleton = rig->skeleton;
    const Mesh& skin = file->meshes[0];
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
        const Hand hand = *findHand(skeleton, restPose(skeleton), side);
        Pose pose = restPose(skeleton);
        poseHand(skeleton, hand, handPose(HandShape::Pinch, hand), pose);
        EXPECT_NEAR(distance(endOf(skeleton, pose, hand, Finger::Thumb),
                             endOf(skeleton, pose, hand, Finger::Index)),
                    0.005, 1e-3);
        // The skins of both last bones touch, and are not in each other.
        const Mesh posed = posedMesh(file->skeleton, skin, computeModelPose(skeleton, pose));
        const auto verticesOf = [&](Finger finger) {
            const JointId joint = hand.fingers[static_cast<std::size_t>(finger)].back().joint;
            const JointId own = file->skeleton.find(skeleton.name(joint));
            std::vector<std::size_t> out;
            for (std::size_t v = 0; v < skin.positions.size(); ++v)
                if (weightOf(skin.weights[v], own) > 0.5F) out.push_back(v);
            return out;
        };
        double nearest = 1.0, deepest = 0.0;
        for (const std::size_t a : verticesOf(Finger::Thumb))
            for (const std::size_t b : verticesOf(Finger::Index)) {
                const Vec3f off = posed.positions[b] - posed.positions[a];
                const double apart = static_cast<double>(length(off));
                nearest = std::min(nearest, apart);
                // Behind a vertex near by, along its normal.
                if (apart < 4e-3)
                    deepest = std::max(deepest, -static_cast<double>(dot(off, posed.normals[a])));
            }
        EXPECT_LT(nearest, 3e-3);
        EXPECT_LT(deepest, 3e-3);
    }
}

}  // namespace
}  // namespace ulna
