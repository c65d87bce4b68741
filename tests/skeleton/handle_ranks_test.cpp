// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/handle_ranks.h"

#include <gtest/gtest.h>

#include <set>

#include "support/humanoid.h"
#include "support/persons.h"
#include "support/skeletons.h"

namespace ulna::test {
namespace {

using Names = std::set<std::string>;

Names ranked(const Skeleton& named, const Skeleton& skeleton, HandleRank rank) {
    Names out;
    const std::vector<HandleRank> ranks = handleRanks(skeleton);
    for (const JointId j : skeleton.joints())
        if (ranks[index(j)] == rank)
            out.insert(&named == &skeleton ? skeleton.name(j) : trueName(named, skeleton, j));
    return out;
}

Names bothSides(Names middle, const Names& sided) {
    for (const std::string& each : sided) {
        middle.insert("left." + each);
        middle.insert("right." + each);
    }
    return middle;
}

TEST(HandleRanks, OfAPersonAreTheJointsThatPosesAreMadeBy) {
    const Skeleton person = makePerson({.fingers = 5, .head_top = true, .face = true});
    EXPECT_EQ(ranked(person, person, HandleRank::End), bothSides({"head"}, {"wrist", "ankle"}));
    EXPECT_EQ(ranked(person, person, HandleRank::Major),
              bothSides({"hips", "spine.2"}, {"shoulder", "elbow", "knee"}));
}

TEST(HandleRanks, AreTheSameWithoutNames) {
    const Skeleton person = makePerson({.fingers = 5});
    Random random(3);
    const Skeleton other = disguised(person, random);
    for (const HandleRank rank : {HandleRank::End, HandleRank::Major})
        EXPECT_EQ(ranked(person, other, rank), ranked(person, person, rank));
}

TEST(HandleRanks, OfAnAnimalAreItsFourFeetAndItsTail) {
    const Skeleton animal = makeAnimal({});
    const Names ends = ranked(animal, animal, HandleRank::End);
    for (const char* foot : {"left.wrist", "right.wrist", "left.ankle", "right.ankle", "head"})
        EXPECT_TRUE(ends.contains(foot)) << foot;
    EXPECT_LE(ends.size() + ranked(animal, animal, HandleRank::Major).size(), kMostHandles);
}

TEST(HandleRanks, OfAFewJointsAreAll) {
    const double lengths[] = {1, 1, 1, 1, 1};
    const Skeleton chain = planarChain(lengths);
    EXPECT_EQ(ranked(chain, chain, HandleRank::Major), (Names{"J0", "J1", "J2", "J3", "J4"}));
    EXPECT_EQ(ranked(chain, chain, HandleRank::End), Names{"Tip"});
}

// A body in the middle and `legs` legs around it, each of `bones` bones of a tenth of a metre.
Skeleton octopus(int legs, int bones) {
    std::vector<JointDef> joints = {joint("body", "", JointKind::Free, {})};
    for (int leg = 0; leg < legs; ++leg) {
        const double angle = 2.0 * kPi * leg / legs;
        std::string parent = "body";
        for (int bone = 0; bone < bones; ++bone) {
            const std::string name = "leg" + std::to_string(leg) + "." + std::to_string(bone);
            joints.push_back(joint(name, parent, JointKind::Ball,
                                   {0.1 * std::cos(angle), 0.0, 0.1 * std::sin(angle)}));
            parent = name;
        }
    }
    return build(std::move(joints));
}

TEST(HandleRanks, OfAnUnknownBodyAreTheEndsOfItsLimbsFirst) {
    const Skeleton five = octopus(5, 4);
    EXPECT_EQ(ranked(five, five, HandleRank::End),
              (Names{"leg0.3", "leg1.3", "leg2.3", "leg3.3", "leg4.3"}));
    EXPECT_EQ(ranked(five, five, HandleRank::Major),
              (Names{"body", "leg0.1", "leg1.1", "leg2.1", "leg3.1", "leg4.1"}));
    const Skeleton many = octopus(14, 4);
    EXPECT_EQ(ranked(many, many, HandleRank::End).size(), 14U);
    EXPECT_EQ(ranked(many, many, HandleRank::Major).size(), kMostHandles - 14U);
    EXPECT_TRUE(ranked(many, many, HandleRank::Major).contains("body"));
}

TEST(HandleRanks, HideEyesWhateverTheyHangFrom) {
    const Skeleton two = build({joint("head", "", JointKind::Free, {}),
                                joint("LeftEye", "head", JointKind::Ball, {0.1, 0, 0})});
    EXPECT_EQ(ranked(two, two, HandleRank::Hidden), Names{"LeftEye"});
    EXPECT_EQ(ranked(two, two, HandleRank::Major), Names{"head"});
}

}  // namespace
}  // namespace ulna::test
