// SPDX-License-Identifier: Apache-2.0

// Any bytes as a goals file: must be refused with a sentence, or bound to a small body and solved,
// by a method that the bytes choose too. Whatever the goals are, the answer is finite and within
// limits.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "ulna/ik/solver.h"
#include "ulna/io/goals_json.h"

namespace {

using namespace ulna;

void require(bool condition) {
    if (!condition) std::abort();
}

Skeleton makeBody() {
    std::vector<JointDef> joints(5);
    const char* names[] = {"Hips", "Arm", "Elbow", "Hand", "Head"};
    for (std::size_t i = 0; i < 5; ++i) {
        joints[i].name = names[i];
        joints[i].parent = i == 0 ? "" : i == 4 ? "Hips" : names[i - 1];
        joints[i].rest.translation = {i == 0 ? 0.0 : 0.3, i == 4 ? 0.5 : 0.0, 0};
    }
    joints[0].kind = JointKind::Free;
    joints[1].cone = ConeLimit{{1, 0, 0}, 1.2, -1.0, 1.0};
    joints[2].kind = JointKind::Hinge;
    joints[2].limits[0] = {0.0, 2.5};
    joints[4].limits[1] = {-0.5, 0.5};
    return *makeSkeleton(std::move(joints));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Skeleton body = makeBody();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Result<std::vector<io::GoalEntry>> entries = io::readGoals(text, "fuzz.json");
    if (!entries) {
        require(!describe(entries.error()).empty());
        return 0;
    }
    const Result<std::vector<IkClipGoal>> bound = io::bindGoals(*entries, body);
    if (!bound) {
        require(!describe(bound.error()).empty());
        return 0;
    }
    const Result<std::vector<io::GoalEntry>> again =
        io::readGoals(*io::writeGoals(body, *bound), "again.json");
    require(again.ok() && again->size() == entries->size());
    std::vector<IkGoal> goals;
    for (const IkClipGoal& goal : *bound) goals.push_back(goal.goal);
    if (goals.size() > 20) goals.resize(20);  // time is for reading, not for systems of any size
    IkOptions options;
    options.method = kAllIkMethods[size % std::size(kAllIkMethods)];
    options.max_iterations = 10;
    options.restarts = 1;
    options.continuity = size % 2 == 0;
    DofVector dofs(body.dofCount(), 0.1);
    const Result<IkReport> report = solveIk(body, goals, options, dofs);
    if (!report) {
        require(!describe(report.error()).empty());
        return 0;
    }
    for (const double x : dofs) require(std::isfinite(x));
    require(limitExcess(body, dofs) <= 1e-9);
    return 0;
}
