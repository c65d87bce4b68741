// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/character.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/bvh_texts.h"
#include "support/skeletons.h"
#include "support/text.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

using test::build;
using test::contains;
using test::joint;

// Hips over a knee four units below, in a clip at height 9.
Character plainCharacter() {
    io::BvhMotion read = test::mustInterpret(test::kPlainBvh);
    Character out;
    out.skeleton = std::move(read.skeleton);
    out.clips.emplace_back(std::move(read.motion));
    return out;
}

Track<Vec3> trackAt(std::initializer_list<double> times, Interpolation interpolation) {
    std::vector<Key<Vec3>> keys;
    for (const double time : times)
        keys.push_back({.time = time, .value = {keys.size() == 1 ? 1.0 : 0.0, 0, 0}});
    return Track<Vec3>(std::move(keys), interpolation);
}

// Keys at 0, a quarter of a second and half a second.
KeyedMotion quarterKeys(const Skeleton& skeleton, Interpolation interpolation) {
    KeyedMotion out;
    out.name = "nod";
    out.base = restPose(skeleton);
    out.at(jointId(0)).translation = trackAt({0.0, 0.25, 0.5}, interpolation);
    return out;
}

Character standing(double height, bool z_up = false) {
    const Vec3 up = z_up ? Vec3{0, 0, height} : Vec3{0, height, 0};
    Character out;
    out.skeleton =
        build({joint("foot", "", JointKind::Ball, {}), joint("head", "foot", JointKind::Ball, up)});
    return out;
}

TEST(SizeOfABody, IsTheLargestExtentOfItsBonesAtRest) {
    const Skeleton plain = plainCharacter().skeleton;  // 4 down, then 3 down and 1 forward
    EXPECT_DOUBLE_EQ(bodySize(plain), 7.0);
    EXPECT_DOUBLE_EQ(bodyHeight(plain, UpAxis::Y), 7.0);
    EXPECT_DOUBLE_EQ(bodyHeight(plain, UpAxis::Z), 1.0);
}

TEST(SizeOfABody, CountsTheFarEndsOfBones) {
    JointDef bone = joint("bone", "", JointKind::Ball, {1, 1, 1});
    bone.tip = Vec3{0, 2.5, 0};
    EXPECT_DOUBLE_EQ(bodySize(build({bone})), 2.5);
}

TEST(SizeOfABody, IsNeverZero) {
    EXPECT_EQ(bodySize(build({joint("point", "", JointKind::Ball, {5, 5, 5})})), 1.0);
    EXPECT_EQ(bodySize(Skeleton{}), 1.0);
}

TEST(SizeOfACharacter, IsThatOfItsFirstPoseWhereThisIsLarger) {
    Character character = plainCharacter();
    EXPECT_DOUBLE_EQ(sizeOf(character), 7.0);
    Pose spread = restPose(character.skeleton);
    spread[jointId(1)].translation = {0, -40, 0};
    character.clips = {Motion(spread, 1, 0.1, {})};
    EXPECT_DOUBLE_EQ(sizeOf(character), 43.0);
}

TEST(SizeOfACharacter, OfOneJointIsThatOfItsMeshes) {
    Character character;
    character.skeleton = build({joint("point", "", JointKind::Ball, {})});
    EXPECT_EQ(sizeOf(character), 1.0);
    Mesh mesh;
    mesh.positions = {{-1, 0, 0}, {2, 0.5f, 0}};
    character.meshes.push_back(mesh);
    EXPECT_DOUBLE_EQ(sizeOf(character), 3.0);
}

TEST(HeightGuess, NamesTheUnitThatMakesAPerson) {
    EXPECT_EQ(guessHeight(standing(1.7)).unit, "metres");
    EXPECT_EQ(guessHeight(standing(170)).unit, "centimetres");
    EXPECT_EQ(guessHeight(standing(1700)).unit, "millimetres");
    EXPECT_EQ(guessHeight(standing(67)).unit, "inches");
    EXPECT_TRUE(contains(guessHeight(standing(29)).unit, "CMU"));
    EXPECT_EQ(guessHeight(standing(8)).unit, "");
    EXPECT_NEAR(guessHeight(standing(170)).metres, 1.7, 1e-12);
}

TEST(UnitSymbol, IsTheOneOfTheGuessAndMetresInGltf) {
    EXPECT_EQ(unitSymbol(standing(1.7)), "m");
    EXPECT_EQ(unitSymbol(standing(170)), "cm");
    EXPECT_EQ(unitSymbol(standing(1700)), "mm");
    EXPECT_EQ(unitSymbol(standing(67)), "in");
    EXPECT_EQ(unitSymbol(standing(29)), "") << "CMU's unit has no symbol";
    EXPECT_EQ(unitSymbol(standing(8)), "");
    Character character = standing(170);
    character.format = FileFormat::Gltf;
    EXPECT_EQ(unitSymbol(character), "m");
}

TEST(HeightGuess, GoesByTheUpAxisWhichGltfSaysItself) {
    Character character = standing(1.7, true);
    EXPECT_EQ(guessHeight(character).up, UpAxis::Z);
    EXPECT_EQ(guessHeight(character).unit, "metres");
    character.format = FileFormat::Gltf;
    EXPECT_EQ(upAxisOf(character), UpAxis::Y);
    EXPECT_EQ(guessHeight(character).height, 0.0);
}

TEST(ClipsOfACharacter, AreFoundByNameAndTheFirstWithoutOne) {
    Character character = plainCharacter();
    character.clips.emplace_back(quarterKeys(character.skeleton, Interpolation::Linear));
    EXPECT_EQ(findClip(character, ""), 0u);
    EXPECT_EQ(findClip(character, "nod"), 1u);
    EXPECT_EQ(findClip(character, "shake"), std::nullopt);
    EXPECT_EQ(findClip(Character{}, ""), std::nullopt);
}

TEST(ClipsOfACharacter, BeginWithOneThatStands) {
    Character character;
    EXPECT_EQ(usualClip(character), std::nullopt);
    const auto first = [&](std::initializer_list<const char*> names) {
        character.clips.clear();
        for (const char* name : names) character.clips.emplace_back(KeyedMotion{.name = name});
        return usualClip(character);
    };
    EXPECT_EQ(first({"walk", "run"}), 0u);
    EXPECT_EQ(first({"walk", "Idle", "stand"}), 1u);
    EXPECT_EQ(first({"walk", "Armature|standing"}), 1u);
    EXPECT_EQ(first({"walk", "grand stand"}), 1u);
    EXPECT_EQ(first({"walk", "understand", "idle_2", "sidle"}), 0u);
}

// A sway of two seconds at 60 frames a second.
Motion swaying(const Skeleton& skeleton) {
    std::vector<Pose> poses(121, restPose(skeleton));
    for (std::size_t f = 0; f < poses.size(); ++f)
        poses[f][jointId(0)].rotation = quatAboutAxis(0, std::sin(0.05 * static_cast<double>(f)));
    return framesOf(skeleton, poses, 1.0 / 60.0);
}

TEST(AnEditableClip, OfFewKeysIsTheClipItself) {
    const Character character = plainCharacter();
    const KeyedMotion keys = quarterKeys(character.skeleton, Interpolation::Linear);
    const KeyedMotion made = editableClip(character.skeleton, keys, UpAxis::Y);
    EXPECT_EQ(made.name, keys.name);
    EXPECT_EQ(keyTimes(made), keyTimes(keys));
}

TEST(AnEditableClip, OfManyFramesHasFewKeysThatKeepTheMotion) {
    const Character character = plainCharacter();
    Motion frames = swaying(character.skeleton);
    frames.name = "sway";
    for (const Clip& dense : {Clip(frames), Clip(makeKeyed(frames))}) {
        const KeyedMotion made = editableClip(character.skeleton, dense, UpAxis::Y);
        EXPECT_EQ(made.name, "sway");
        EXPECT_LE(2 * keyTimes(made).size(), frames.frameCount());
        const double tolerance = usualReduceTolerance(character.skeleton, UpAxis::Y);
        EXPECT_DOUBLE_EQ(tolerance, bodyHeight(character.skeleton, UpAxis::Y) / 1000.0);
        for (std::size_t f = 0; f < frames.frameCount(); ++f) {
            const double time = static_cast<double>(f) * frames.frameTime();
            EXPECT_LE(angleBetween(samplePose(made, time)[jointId(0)].rotation,
                                   frames.pose(f)[jointId(0)].rotation),
                      0.01);
        }
    }
}

TEST(FramesOfPoses, HaveNoTracksForTheRoundingOfLengths) {
    const Character character = plainCharacter();
    const JointId knee = jointId(1);
    const auto keepsLength = [&](double change) {
        std::vector<Pose> poses(2, restPose(character.skeleton));
        poses[1][knee].translation.x += change;
        return framesOf(character.skeleton, poses, 0.1).pose(1) == poses[0];
    };
    EXPECT_TRUE(keepsLength(1e-8));
    EXPECT_FALSE(keepsLength(1e-3));
}

TEST(AClip, AnswersAlikeAsFramesAndAsKeys) {
    const Character character = plainCharacter();
    const Motion& frames = std::get<Motion>(character.clips.front());
    const Clip keys = makeKeyed(frames);
    EXPECT_EQ(nameOf(keys), frames.name);
    EXPECT_DOUBLE_EQ(durationOf(keys), durationOf(character.clips.front()));
    const Vec3 between = samplePose(character.clips.front(), 0.0125)[jointId(0)].translation;
    EXPECT_LT(distance(between, {0.5, 9.25, -1}), 1e-12);
    EXPECT_LT(distance(samplePose(keys, 0.0125)[jointId(0)].translation, between), 1e-12);
    Pose pose;
    samplePose(keys, 0.0125, pose);
    EXPECT_EQ(pose, samplePose(keys, 0.0125));
}

TEST(AClip, HasFramesAtItsOwnRateUnlessAnotherIsAskedFor) {
    const Skeleton skeleton = plainCharacter().skeleton;
    const Clip keys = quarterKeys(skeleton, Interpolation::Linear);
    EXPECT_DOUBLE_EQ(frameRateOf(keys), 4.0);
    EXPECT_EQ(makeFrames(keys)->frameCount(), 3u);
    const Result<Motion> faster = makeFrames(keys, 8.0);
    ASSERT_TRUE(faster);
    ASSERT_EQ(faster->frameCount(), 5u);
    EXPECT_NEAR(faster->pose(1)[jointId(0)].translation.x, 0.5, 1e-12);
    const Clip again = *faster;
    EXPECT_EQ(makeFrames(again)->frameCount(), 5u);
    EXPECT_EQ(makeFrames(again, 4.0)->frameCount(), 3u);
}

TEST(AClip, OfKeysOnNoCommonRateIsCountedAtSixtyWithAWarning) {
    KeyedMotion odd = quarterKeys(plainCharacter().skeleton, Interpolation::Linear);
    odd.at(jointId(0)).translation = trackAt({-1.0, 0.0, 0.1234567, 1.0}, Interpolation::Linear);
    EXPECT_EQ(frameRateOf(odd), kUsualFrameRate);
    const std::string said = test::lines(frameRateWarnings(odd, "odd.glb"));
    EXPECT_TRUE(contains(said, "before time 0"));
    EXPECT_TRUE(contains(said, "any common rate"));
    EXPECT_FALSE(contains(said, "before the last key")) << "1 s is 60 frames";
    EXPECT_TRUE(contains(said, "odd.glb"));
    const KeyedMotion even = quarterKeys(plainCharacter().skeleton, Interpolation::Linear);
    EXPECT_TRUE(frameRateWarnings(even, "even.glb").empty());
}

TEST(AClip, IsSampledWithAWarningWhereFramesAreNotItsKeys) {
    const Skeleton skeleton = plainCharacter().skeleton;
    const KeyedMotion straight = quarterKeys(skeleton, Interpolation::Linear);
    EXPECT_TRUE(samplingWarnings(straight, 4.0).empty());
    EXPECT_TRUE(samplingWarnings(straight, 8.0).empty());
    EXPECT_EQ(samplingWarnings(straight, 6.0).size(), 1u);
    EXPECT_EQ(samplingWarnings(quarterKeys(skeleton, Interpolation::CatmullRom), 4.0).size(), 1u);
}

}  // namespace
}  // namespace ulna
