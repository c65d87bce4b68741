// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/fit_constraints.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "support/text.h"

namespace ulna::io {
namespace {

using test::contains;

Skeleton body() {
    return test::build({test::joint("Hips", "", JointKind::Free, {0, 1, 0}),
                        test::joint("Arm", "Hips", JointKind::Ball, {1, 0, 0}),
                        test::joint("Elbow", "Arm", JointKind::Hinge, {1, 0, 0}),
                        test::joint("Hand", "Elbow", JointKind::Ball, {1, 0, 0})});
}

// Of a body with 10 vertices, in 3 frames.
Result<FitConstraints> bind(const std::string& text) {
    const Skeleton skeleton = body();
    const auto entries = readFitConstraints(text, "c.json");
    if (!entries) return entries.error();
    return bindFitConstraints(*entries, skeleton, 10, 3);
}

std::string errorOf(const std::string& text) {
    const Result<FitConstraints> bound = bind(text);
    return bound ? "" : describe(bound.error());
}

TEST(FitConstraints, ReadsEveryKind) {
    const Result<FitConstraints> bound = bind(R"({"ulna":1,"constraints":[
        {"kind":"pin","joint":"Hips","positions":[[0,1,0],[0,2,0],[0,3,0]]},
        {"kind":"free","joint":"Hips"},
        {"kind":"drive","joint":"Hand","position":[1,2,3],"rotation":[0,0,0,2]},
        {"kind":"cage","joint":"Elbow"},
        {"kind":"lock","joint":"Arm"},
        {"kind":"rigid","joints":["Hips","Arm","Elbow"]},
        {"kind":"mass","vertices":[0,[2,4]],"mass":5},
        {"kind":"missing","vertices":[[8,9]],"frames":[[1,2]]}]})");
    ASSERT_TRUE(bound.ok()) << describe(bound.error());
    ASSERT_EQ(bound->pinned.size(), 1U);
    EXPECT_EQ(bound->pinned[0].joint, jointId(0));
    EXPECT_EQ(bound->pinned[0].positions[2], (Vec3{0, 3, 0}));
    EXPECT_EQ(bound->freed, std::vector{jointId(0)});
    ASSERT_EQ(bound->driven.size(), 1U);
    EXPECT_EQ(bound->driven[0].positions, (std::vector<Vec3>{{1, 2, 3}}));
    EXPECT_EQ(bound->driven[0].rotations, (std::vector<Quat>{{0, 0, 0, 1}}));
    EXPECT_EQ(bound->caged, std::vector{jointId(2)});
    EXPECT_EQ(bound->locked, std::vector{jointId(1)});
    ASSERT_EQ(bound->rigid.size(), 2U);
    EXPECT_EQ(bound->rigid[1], (std::pair{jointId(0), jointId(2)}));
    EXPECT_EQ(bound->masses, (std::vector<double>{5, 1, 5, 5, 5, 1, 1, 1, 1, 1}));
    ASSERT_EQ(bound->missing.size(), 1U);
    EXPECT_EQ(bound->missing[0].vertices[0].first, 8U);
    EXPECT_EQ(bound->missing[0].frames[0].last, 2U);
}

TEST(FitConstraints, APinWithoutAPlaceIsAllowedAndNothingIsAsked) {
    const Result<FitConstraints> bound = bind(R"([{"kind":"pin","joint":"Hand"}])");
    ASSERT_TRUE(bound.ok());
    EXPECT_TRUE(bound->pinned[0].positions.empty());
    EXPECT_TRUE(bound->masses.empty());
    ASSERT_TRUE(bind("[]").ok());
}

TEST(FitConstraints, ErrorsSayWhereAndWhat) {
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"pni","joint":"Hand"}])"), "did you mean 'pin'?"));
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"spring"}])"), "one of pin drive"));
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"pin","joint":"Hnad"}])"), "did you mean 'Hand'?"));
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"pin","joint":"Hand","postion":[1,2,3]}])"),
                         "c.json: [0]: the key 'postion' is unknown"));
    EXPECT_TRUE(contains(errorOf(R"({"constraints":[{"kind":"pin"}]})"), "'joint' is missing"));
    EXPECT_TRUE(contains(
        errorOf(R"([{"kind":"pin","joint":"Hand","position":[1,2,3],"positions":[[1,2,3]]}])"),
        "both say"));
    EXPECT_TRUE(
        contains(errorOf(R"([{"kind":"pin","joint":"Hand","positions":[[1,2,3],[1,2,3]]}])"),
                 "2 positions for 3 frames"));
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"missing","vertices":[10]}])"), "no vertex 10"));
    EXPECT_TRUE(
        contains(errorOf(R"([{"kind":"missing","vertices":[1],"frames":[3]}])"), "no frame 3"));
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"missing","vertices":[]}])"), "empty"));
    EXPECT_TRUE(
        contains(errorOf(R"([{"kind":"missing","vertices":[[3,1]]}])"), "before it begins"));
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"missing","vertices":[1.5]}])"), "0, 1, 2"));
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"mass","vertices":[1],"mass":-1}])"), "0, or 1e-12"));
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"rigid","joints":["Hand"]}])"), "two joints"));
    EXPECT_TRUE(contains(errorOf(R"({"ulna":2,"constraints":[]})"), "version"));
    EXPECT_TRUE(contains(errorOf("[{"), "c.json:1:"));
}

TEST(FitConstraints, OneJointCannotDoTwoThings) {
    EXPECT_TRUE(contains(
        errorOf(R"([{"kind":"free","joint":"Arm"},{"kind":"cage","joint":"Arm"}])"), "[0]"));
    EXPECT_TRUE(contains(
        errorOf(R"([{"kind":"pin","joint":"Arm"},{"kind":"drive","joint":"Arm"}])"), "two"));
    EXPECT_EQ(errorOf(R"([{"kind":"free","joint":"Arm"},{"kind":"pin","joint":"Arm"}])"), "");
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"pin","joint":"Arm"},{"kind":"free","joint":"Arm"},
                                     {"kind":"pin","joint":"Arm","position":[1,2,3]}])"),
                         "[2]"));
    EXPECT_TRUE(contains(errorOf(R"([{"kind":"rigid","joints":["Arm","Arm"]}])"), "twice"));
}

}  // namespace
}  // namespace ulna::io
