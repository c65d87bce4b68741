// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/goals_json.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"

namespace ulna::io {
namespace {

Skeleton body() {
    JointDef head = test::joint("Head", "Hips", JointKind::Ball, {0, 1, 0});
    head.rest.rotation = quatAboutAxis(1, kPi / 2.0);
    return test::build({test::joint("Hips", "", JointKind::Free, {0, 1, 0}), head,
                        test::joint("Arm", "Hips", JointKind::Ball, {1, 0, 0}),
                        test::joint("Elbow", "Arm", JointKind::Hinge, {1, 0, 0}),
                        test::joint("Hand", "Elbow", JointKind::Ball, {1, 0, 0})});
}

std::vector<IkClipGoal> mustRead(const std::string& text) {
    const Skeleton skeleton = body();
    const Result<std::vector<GoalEntry>> entries = readGoals(text, "g.json");
    if (!entries) {
        ADD_FAILURE() << describe(entries.error());
        return {};
    }
    Result<std::vector<IkClipGoal>> goals = bindGoals(*entries, skeleton);
    if (!goals) {
        ADD_FAILURE() << describe(goals.error());
        return {};
    }
    return *std::move(goals);
}

std::string errorOf(const std::string& text) {
    const Skeleton skeleton = body();
    const Result<std::vector<GoalEntry>> entries = readGoals(text, "g.json");
    if (!entries) return describe(entries.error());
    const Result<std::vector<IkClipGoal>> goals = bindGoals(*entries, skeleton);
    return goals ? "" : describe(goals.error());
}

std::string goalError(const std::string& goal) {
    return errorOf("[" + goal + "]");
}

TEST(GoalsJson, ReadsEveryKindOfGoal) {
    const std::vector<IkClipGoal> goals = mustRead(R"({"ulna":1,"goals":[
        {"kind":"position","joint":"Hand","target":[1,2,3],"point":[0,0,0.5],"weight":4,"level":2},
        {"kind":"orientation","joint":"Hand","target":[0,0,0,2],"enabled":false},
        {"kind":"aim","joint":"Head","target":[0,1,9],"axis":[0,0,3],"eye":[0,0.1,0]},
        {"kind":"pole","joints":["Arm","Elbow","Hand"],"target":[0,0,-5]},
        {"kind":"plane","joint":"Hand","normal":[0,2,0],"offset":0.25,"side":"on"},
        {"kind":"distance","joints":["Hand","Head"],"points":[[1,0,0],[0,1,0]],"distance":0.7,"bound":"at_least"},
        {"kind":"posture","near":"rest","joints":["Arm"],"weight":0.01}]})");
    ASSERT_EQ(goals.size(), 7U);
    const Skeleton s = body();
    const auto& position = std::get<PositionGoal>(goals[0].goal.kind);
    EXPECT_EQ(position.joint, s.find("Hand"));
    EXPECT_EQ(position.target, (Vec3{1, 2, 3}));
    EXPECT_EQ(position.point, (Vec3{0, 0, 0.5}));
    EXPECT_EQ(goals[0].goal.weight, 4.0);
    EXPECT_EQ(goals[0].goal.level, 2);
    EXPECT_EQ(std::get<OrientationGoal>(goals[1].goal.kind).target, (Quat{0, 0, 0, 1}));
    EXPECT_FALSE(goals[1].goal.enabled);
    EXPECT_EQ(std::get<AimGoal>(goals[2].goal.kind).axis, (Vec3{0, 0, 1}));
    EXPECT_EQ(std::get<AimGoal>(goals[2].goal.kind).eye, (Vec3{0, 0.1, 0}));
    const auto& pole = std::get<PoleGoal>(goals[3].goal.kind);
    EXPECT_EQ(pole.start, s.find("Arm"));
    EXPECT_EQ(pole.mid, s.find("Elbow"));
    EXPECT_EQ(pole.end, s.find("Hand"));
    EXPECT_EQ(pole.pole, (Vec3{0, 0, -5}));
    const auto& plane = std::get<PlaneGoal>(goals[4].goal.kind);
    EXPECT_EQ(plane.normal, (Vec3{0, 1, 0}));
    EXPECT_EQ(plane.offset, 0.25);
    EXPECT_EQ(plane.side, PlaneSide::On);
    const auto& distance = std::get<DistanceGoal>(goals[5].goal.kind);
    EXPECT_EQ(distance.joint_b, s.find("Head"));
    EXPECT_EQ(distance.point_b, (Vec3{0, 1, 0}));
    EXPECT_EQ(distance.bound, DistanceBound::AtLeast);
    EXPECT_EQ(std::get<PostureGoal>(goals[6].goal.kind).joints,
              std::vector<JointId>{s.find("Arm")});
    EXPECT_FALSE(goals[6].pinned);
}

TEST(GoalsJson, TargetsThatMoveAndPinsHaveNoSingleTarget) {
    const std::vector<IkClipGoal> goals = mustRead(R"([
        {"kind":"position","joint":"Hand","targets":[[1,2,3],[4,5,6]]},
        {"kind":"orientation","joint":"Hand","targets":[[0,0,0,1],[1,0,0,0]]},
        {"kind":"position","joint":"Hips","pin":true},
        {"kind":"orientation","joint":"Hips","pin":true}])");
    ASSERT_EQ(goals.size(), 4U);
    EXPECT_EQ(goals[0].points, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
    EXPECT_EQ(goals[1].orientations.size(), 2U);
    EXPECT_TRUE(goals[2].pinned);
    EXPECT_TRUE(goals[3].pinned);
    EXPECT_TRUE(goals[2].points.empty());
}

TEST(GoalsJson, PointsOfPlanarSkeletonsMayHaveTwoNumbers) {
    JointDef upper = test::joint("Arm", "Root", JointKind::Hinge, {1, 0, 0});
    JointDef hand = test::joint("Hand", "Arm", JointKind::Hinge, {1, 0, 0});
    upper.axes[0] = hand.axes[0] = {0, 0, 1};
    const Result<Skeleton> arm =
        makeSkeleton({test::joint("Root", "", JointKind::Free, {}), upper, hand}, {.planar = true});
    ASSERT_TRUE(arm.ok());
    const auto read = [&](const std::string& text) {
        return bindGoals(*readGoals(text, "g.json"), *arm);
    };
    // With the third number and without, every kind of point and direction.
    const auto flat = read(R"([
        {"kind":"position","joint":"Hand","target":[1,2],"point":[0,0.5]},
        {"kind":"position","joint":"Arm","targets":[[1,2],[3,4]]},
        {"kind":"aim","joint":"Hand","target":[0,9],"axis":[3,0],"eye":[0,0.1]},
        {"kind":"plane","joint":"Hand","normal":[0,2]},
        {"kind":"distance","joints":["Hand","Arm"],"points":[[1,0],[0,1]],"distance":0.7},
        {"kind":"balance","contacts":[{"joint":"Root","point":[1,0]}],
         "masses":[{"joint":"Arm","mass":1,"centre":[0.5,0]}]}])");
    const auto whole = read(R"([
        {"kind":"position","joint":"Hand","target":[1,2,0],"point":[0,0.5,0]},
        {"kind":"position","joint":"Arm","targets":[[1,2,0],[3,4,0]]},
        {"kind":"aim","joint":"Hand","target":[0,9,0],"axis":[3,0,0],"eye":[0,0.1,0]},
        {"kind":"plane","joint":"Hand","normal":[0,2,0]},
        {"kind":"distance","joints":["Hand","Arm"],"points":[[1,0,0],[0,1,0]],"distance":0.7},
        {"kind":"balance","contacts":[{"joint":"Root","point":[1,0,0]}],
         "masses":[{"joint":"Arm","mass":1,"centre":[0.5,0,0]}]}])");
    ASSERT_TRUE(flat.ok() && whole.ok());
    EXPECT_EQ(*writeGoals(*arm, *flat), *writeGoals(*arm, *whole));
    EXPECT_EQ(std::get<PositionGoal>(flat->front().goal.kind).target, (Vec3{1, 2, 0}));
}

TEST(GoalsJson, AnAimWithoutAnAxisLooksWhereTheModelFacesAtRest) {
    const std::vector<IkClipGoal> goals =
        mustRead(R"([{"kind":"aim","joint":"Head","target":[0,1,9]}])");
    ASSERT_EQ(goals.size(), 1U);
    // The head's own axes are turned a quarter about y: its -x faces the model's z.
    EXPECT_LT(distance(std::get<AimGoal>(goals[0].goal.kind).axis, Vec3{-1, 0, 0}), 1e-15);
}

TEST(GoalsJson, WhatIsWrittenReadsBackAsTheSameGoals) {
    const std::vector<IkClipGoal> goals = mustRead(R"([
        {"kind":"position","joint":"Hand","targets":[[1,2,3],[4,5,6]],"weight":2,"level":2},
        {"kind":"position","joint":"Hips","pin":true,"point":[1,0,0]},
        {"kind":"orientation","joint":"Hand","target":[0.6,0,0,0.8],"enabled":false},
        {"kind":"aim","joint":"Head","target":[0,1,9],"eye":[0,1,0]},
        {"kind":"pole","joints":["Arm","Elbow","Hand"],"targets":[[0,0,-5]]},
        {"kind":"plane","joint":"Hand","normal":[0,0,1],"offset":0.25},
        {"kind":"distance","joints":["Hand","Head"],"distance":0.7,"bound":"at_most"},
        {"kind":"posture","weight":0.01},
        {"kind":"posture","near":"rest","joints":["Arm","Elbow"]}])");
    const Skeleton s = body();
    const std::string text = *writeGoals(s, goals);
    const std::vector<IkClipGoal> back = mustRead(text);
    ASSERT_EQ(back.size(), goals.size());
    EXPECT_EQ(*writeGoals(s, back), text);
    EXPECT_EQ(std::get<PoleGoal>(back[4].goal.kind).mid, s.find("Elbow"));
    EXPECT_EQ(back[0].points, goals[0].points);
    EXPECT_TRUE(back[7].pinned);
    EXPECT_FALSE(back[8].pinned);
}

// Every kind there is, with values that are no defaults.
TEST(GoalsJson, GoalsOfEveryKindAreWrittenAndReadBack) {
    const Skeleton s = body();
    const JointId joints[] = {s.find("Arm"), s.find("Elbow"), s.find("Hand")};
    for (GoalKind kind : allGoalKinds()) {
        if (!isInFiles(kind)) continue;
        const std::string name(goalKindName(kind));
        setBodies({joints, bodiesOf(kind).count}, kind);
        for (const GoalMember& member : membersOf(kind)) {
            if (const auto* points = std::get_if<GoalPoints>(&member.value))
                for (Vec3* point : points->values) *point = {0.25, 0.5, -1};
            if (const auto* direction = std::get_if<GoalDirection>(&member.value))
                *direction->value = {0, 0, -1};
            if (const auto* number = std::get_if<GoalNumber>(&member.value)) *number->value = -0.5;
            if (const auto* number = std::get_if<GoalLength>(&member.value)) *number->value = 0.5;
            if (const auto* lengths = std::get_if<GoalLengths>(&member.value))
                for (double* each : lengths->values) *each = 0.75;
            if (const auto* choice = std::get_if<GoalChoice>(&member.value)) *choice->value = 1;
            if (const auto* list = std::get_if<GoalJointList>(&member.value))
                *list->value = {joints[2]};
            if (const auto* contacts = std::get_if<GoalContacts>(&member.value))
                *contacts->value = {{joints[0], {1, 2, 3}}, {joints[1], {}}};
            if (const auto* masses = std::get_if<GoalMasses>(&member.value))
                *masses->value = {{joints[2], 0.5, {}}, {joints[0], 1.5, {0, 1, 0}}};
        }
        const GoalTarget target = targetOf(kind);
        if (target.point != nullptr) *target.point = {1, 2, 3};
        if (target.rotation != nullptr) *target.rotation = {0.5, 0.5, 0.5, 0.5};
        const std::string text = *writeGoals(s, std::vector<IkClipGoal>{{.goal = {.kind = kind}}});
        const std::vector<IkClipGoal> back = mustRead(text);
        ASSERT_EQ(back.size(), 1U) << name;
        EXPECT_EQ(back[0].goal.kind.index(), kind.index()) << name;
        EXPECT_EQ(*writeGoals(s, back), text) << name;
        if (bodiesOf(kind).count > 0) {
            EXPECT_EQ(bodiesOf(back[0].goal.kind).joint, bodiesOf(kind).joint) << name;
        }
        GoalKind plain = back[0].goal.kind;
        if (target.point != nullptr) {
            EXPECT_EQ(*targetOf(plain).point, *target.point) << name;
        }
    }
}

TEST(GoalsJson, RelativeGoalsNameTheJointAndThenItsBase) {
    const std::vector<IkClipGoal> goals = mustRead(R"([
        {"kind":"relative_position","joints":["Hand","Head"],"target":[1,2,3],"point":[0,1,0]},
        {"kind":"relative_orientation","joints":["Hand","Head"],"target":[0,0,0,2]},
        {"kind":"relative_position","joints":["Hand","Head"],"pin":true}])");
    ASSERT_EQ(goals.size(), 3U);
    const Skeleton s = body();
    const auto& position = std::get<RelativePositionGoal>(goals[0].goal.kind);
    EXPECT_EQ(position.joint, s.find("Hand"));
    EXPECT_EQ(position.base, s.find("Head"));
    EXPECT_EQ(position.target, (Vec3{1, 2, 3}));
    EXPECT_EQ(position.point, (Vec3{0, 1, 0}));
    const auto& orientation = std::get<RelativeOrientationGoal>(goals[1].goal.kind);
    EXPECT_EQ(orientation.base, s.find("Head"));
    EXPECT_EQ(orientation.target, (Quat{0, 0, 0, 1}));
    EXPECT_TRUE(goals[2].pinned);
}

TEST(GoalsJson, CapsulesThatKeepApartHaveTwoOfEverything) {
    const std::vector<IkClipGoal> goals = mustRead(R"([
        {"kind":"keep_apart","joints":["Hand","Head"],"starts":[[1,0,0],[0,1,0]],
         "ends":[[2,0,0],[0,2,0]],"radii":[0.1,0.2],"margin":0.3,"measured":0.5,"met":true},
        {"kind":"keep_apart","joints":["Hand","Head"]}])");
    ASSERT_EQ(goals.size(), 2U);
    const Skeleton s = body();
    const auto& goal = std::get<KeepApartGoal>(goals[0].goal.kind);
    EXPECT_EQ(goal.a.joint, s.find("Hand"));
    EXPECT_EQ(goal.b.joint, s.find("Head"));
    EXPECT_EQ(goal.a.start, (Vec3{1, 0, 0}));
    EXPECT_EQ(goal.b.start, (Vec3{0, 1, 0}));
    EXPECT_EQ(goal.a.end, (Vec3{2, 0, 0}));
    EXPECT_EQ(goal.b.end, (Vec3{0, 2, 0}));
    EXPECT_EQ(goal.a.radius, 0.1);
    EXPECT_EQ(goal.b.radius, 0.2);
    EXPECT_EQ(goal.margin, 0.3);
    EXPECT_EQ(std::get<KeepApartGoal>(goals[1].goal.kind).b.radius, 0.0);
    EXPECT_EQ(goalError(R"({"kind":"keep_apart","joints":["Hand","Head"],"radii":[0.1,-1]})"),
              "g.json: [0].radii[1]: a length cannot be negative");
    EXPECT_EQ(goalError(R"({"kind":"keep_apart","joints":["Hand","Head"],"radii":0.1})"),
              "g.json: [0].radii: an array of 2 was expected");
    EXPECT_EQ(goalError(R"({"kind":"keep_apart","joints":["Hand","Head"],"margin":-1})"),
              "g.json: [0].margin: a length cannot be negative");
}

TEST(GoalsJson, ABalanceHasContactsAndMasses) {
    const std::vector<IkClipGoal> goals = mustRead(R"([
        {"kind":"balance","contacts":[{"joint":"Hand","point":[1,0,0]},{"joint":"Head"}],
         "masses":[{"joint":"Elbow","mass":2,"centre":[0,1,0]}],"up":[0,0,2],"margin":0.1,
         "centre":[1,2,3],"distance":0,"met":true}])");
    ASSERT_EQ(goals.size(), 1U);
    const Skeleton s = body();
    const auto& goal = std::get<BalanceGoal>(goals[0].goal.kind);
    ASSERT_EQ(goal.contacts.size(), 2U);
    EXPECT_EQ(goal.contacts[0].joint, s.find("Hand"));
    EXPECT_EQ(goal.contacts[0].point, (Vec3{1, 0, 0}));
    EXPECT_EQ(goal.contacts[1].joint, s.find("Head"));
    ASSERT_EQ(goal.masses.size(), 1U);
    EXPECT_EQ(goal.masses[0].joint, s.find("Elbow"));
    EXPECT_EQ(goal.masses[0].mass, 2.0);
    EXPECT_EQ(goal.masses[0].centre, (Vec3{0, 1, 0}));
    EXPECT_EQ(goal.up, (Vec3{0, 0, 1}));
    EXPECT_EQ(goal.margin, 0.1);
    EXPECT_EQ(goalError(R"({"kind":"balance","contacts":[]})"),
              "g.json: [0].contacts: there is no contact point");
    EXPECT_EQ(goalError(R"({"kind":"balance","contacts":[{"joint":"Hand"}],
                            "masses":[{"joint":"Hand","mass":-1}]})"),
              "g.json: [0].masses[0].mass: a mass cannot be negative");
}

TEST(GoalsJson, MassesThatAreNotStatedAreThoseOfAHumanBody) {
    const auto entries =
        readGoals(R"([{"kind":"balance","contacts":[{"joint":"Hand"}]}])", "g.json");
    ASSERT_TRUE(entries);
    const auto goals = bindGoals(*entries, body());
    ASSERT_FALSE(goals);
    EXPECT_EQ(goals.error().what,
              "no human body is recognised by the names or the shape of the joints");
    EXPECT_EQ(goals.error().location.json_path, "[0]");
}

TEST(GoalsJson, AGoalOfTheCallersOwnCannotBeWrittenOrRead) {
    const Skeleton s = body();
    const CustomGoal own = makeCustomGoal("cylinder", {s.find("Hand")}, 1,
                                          [](std::span<const BodyFrame>, bool, GoalRows&) {});
    const IkClipGoal goal{.goal = {.kind = own}};
    for (const Result<std::string>& text :
         {writeGoal(s, goal), writeGoals(s, std::vector<IkClipGoal>{goal})}) {
        ASSERT_FALSE(text);
        EXPECT_EQ(describe(text.error()),
                  "a goals file cannot hold the custom goal 'cylinder' (its function has no text; "
                  "make the goal where the file is read)");
    }
    EXPECT_NE(goalError(R"({"kind":"custom","joint":"Hand"})").find("is no kind of goal"),
              std::string::npos);
}

TEST(GoalsJson, ResultsOfASolveAreSkipped) {
    const Skeleton s = body();
    const std::vector<IkClipGoal> goals =
        mustRead(R"([{"kind":"position","joint":"Hand","target":[1,2,3]}])");
    const std::string text = "{\"ulna\":1,\"status\":\"reached\",\"goals\":[" +
                             *writeGoal(s, goals[0], "\"position\":[1,2,3],\"distance\":0.5") +
                             "],\"pose\":{}}";
    EXPECT_EQ(errorOf(text), "");
}

TEST(GoalsJson, ErrorsHaveTheirPathAndSuggestions) {
    EXPECT_EQ(errorOf("{\"goals\":[{]}"), "g.json:1:12: the text is not JSON from here on: ']}'");
    EXPECT_EQ(errorOf("3"), "g.json: an object was expected");
    EXPECT_EQ(errorOf("{}"), "g.json: the key 'goals' is missing");
    EXPECT_EQ(errorOf(R"({"ulna":2,"goals":[]})"),
              "g.json: ulna: this version of the format is unknown (this program reads version 1)");
    EXPECT_EQ(errorOf(R"({"golas":[]})"),
              "g.json: the key 'golas' is unknown (did you mean 'goals'?)");
    EXPECT_EQ(errorOf(R"({"goals":[{"kind":"positoin"}]})"),
              "g.json: goals[0].kind: 'positoin' is no kind of goal (did you mean 'position'?)");
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hadn","target":[1,2,3]})"),
              "g.json: [0]: there is no joint 'Hadn' (did you mean 'Hand'?)");
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hand","target":[1,2]})"),
              "g.json: [0].target: an array of 3 was expected (two numbers are a point of a planar "
              "skeleton)");
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hand","target":[1]})"),
              "g.json: [0].target: an array of 3 was expected");
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hand","target":[1,2,"3"]})"),
              "g.json: [0].target[2]: a number was expected");
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hand"})"),
              "g.json: [0]: the key 'target' is missing");
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hand","target":[1,2,3],"wieght":2})"),
              "g.json: [0]: the key 'wieght' is unknown (did you mean 'weight'?)");
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hand","target":[1,2,3],"weight":-1})"),
              "g.json: [0].weight: a weight cannot be negative");
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hand","target":[1,2,3],"level":3})"),
              "g.json: [0].level: a level is 1 or 2");
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hand","target":[1,2,1e200]})"),
              "g.json: [0].target[2]: the number is too large");
}

TEST(GoalsJson, ContradictionsAndNonsenseAreRefused) {
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hand","targets":[[1,2,3]],"pin":true})"),
              "g.json: [0]: a pin has no targets");
    EXPECT_EQ(
        goalError(R"({"kind":"position","joint":"Hand","target":[1,2,3],"targets":[[1,2,3]]})"),
        "g.json: [0]: 'target' and 'targets' both say where to go");
    EXPECT_EQ(goalError(R"({"kind":"position","joint":"Hand","targets":[]})"),
              "g.json: [0].targets: there is no target");
    EXPECT_EQ(goalError(R"({"kind":"orientation","joint":"Hand","target":[0,0,0,0]})"),
              "g.json: [0].target: a quaternion cannot be zero");
    EXPECT_EQ(goalError(R"({"kind":"aim","joint":"Head","axis":[0,0,0],"target":[1,2,3]})"),
              "g.json: [0].axis: a direction cannot be zero");
    EXPECT_EQ(goalError(R"({"kind":"pole","joints":["Arm","Hand"],"target":[1,2,3]})"),
              "g.json: [0].joints: an array of 3 was expected");
    EXPECT_EQ(goalError(R"({"kind":"plane","joint":"Hand","side":"under"})"),
              "g.json: [0].side: 'under' is not known here (one of above on)");
    EXPECT_EQ(goalError(R"({"kind":"distance","joints":["Arm","Hand"],"distance":-1})"),
              "g.json: [0].distance: a distance cannot be negative");
    EXPECT_EQ(goalError(R"({"kind":"posture","target":[1,2,3]})"),
              "g.json: [0]: the key 'target' is unknown");
}

TEST(GoalsJson, TextCutAnywhereIsAnErrorNotACrash) {
    const std::string text =
        R"({"ulna":1,"goals":[{"kind":"aim","joint":"Head","axis":[0,0,1],"target":[1,2,3]}]})";
    for (std::size_t n = 0; n < text.size(); ++n) EXPECT_NE(errorOf(text.substr(0, n)), "") << n;
    EXPECT_EQ(errorOf(text), "");
}

TEST(GoalsJson, AGoalMayHoldOverARange) {
    const std::vector<IkClipGoal> goals = mustRead(R"([
        {"kind":"position","joint":"Hand","target":[1,2,3],"span":{"seconds":[1.2,1.8],"ease":0.2}},
        {"kind":"position","joint":"Hand","pin":true,"span":{"frames":[36,54]}},
        {"kind":"plane","joint":"Hand","span":{"frames":[3,3],"ease":0}},
        {"kind":"posture"}])");
    ASSERT_EQ(goals.size(), 4U);
    EXPECT_EQ(goals[0].span, (GoalSpan{.first = 1.2, .last = 1.8, .ease = 0.2}));
    EXPECT_EQ(goals[1].span, (GoalSpan{.first = 36, .last = 54, .frames = true}));
    EXPECT_EQ(goals[2].span, (GoalSpan{.first = 3, .last = 3, .frames = true, .ease = 0.0}));
    EXPECT_FALSE(goals[3].span);
    const std::vector<IkClipGoal> again = mustRead(*writeGoals(body(), goals));
    ASSERT_EQ(again.size(), 4U);
    for (std::size_t g = 0; g < 4; ++g) EXPECT_EQ(again[g].span, goals[g].span) << g;
}

TEST(GoalsJson, ARangeThatIsNoneIsAnErrorWithItsPath) {
    const auto has = [](const std::string& span, const char* what) {
        const std::string error =
            goalError(R"({"kind":"position","joint":"Hand","target":[1,2,3],"span":)" + span + "}");
        EXPECT_NE(error.find(what), std::string::npos) << error;
        EXPECT_NE(error.find("[0].span"), std::string::npos) << error;
    };
    has(R"({"seconds":[1.8,1.2]})", "the range from 1.8 to 1.2 s ends before it begins");
    has(R"({"seconds":[1,2],"ease":0.6})", "longer than half of the range");
    has(R"({"frames":[1,2],"ease":-1})", "cannot be negative");
    has(R"({"seconds":[1,2],"frames":[1,2]})", "both say when the goal holds");
    has(R"({"seconds":[1]})", "2");
    has(R"({})", "seconds");
    has(R"({"seconds":[1,2],"fade":1})", "fade");
    has(R"([1,2])", "span");
}

}  // namespace
}  // namespace ulna::io
