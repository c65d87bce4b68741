// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/clip_goal.h"

namespace ulna {

double shareOf(const IkClipGoal& goal, std::size_t frame, double frame_time) {
    if (!goal.goal.enabled) return 0.0;
    return goal.span ? shareAt(*goal.span, frame, frame_time) : 1.0;
}

bool haveOneSubject(GoalKind a, GoalKind b) {
    if (a.index() != b.index()) return false;
    const GoalTarget target = targetOf(a);
    if (target.point == nullptr && target.rotation == nullptr) return false;
    const GoalBodies held = bodiesOf(a), other = bodiesOf(b);
    for (std::size_t i = 0; i < held.count; ++i)
        if (held.joint[i] != other.joint[i]) return false;
    const std::vector<GoalMember> members = membersOf(a), others = membersOf(b);
    for (std::size_t m = 0; m < members.size(); ++m) {
        if (const auto* points = std::get_if<GoalPoints>(&members[m].value)) {
            const auto& same = std::get<GoalPoints>(others[m].value);
            for (std::size_t i = 0; i < points->values.size(); ++i)
                if (*points->values[i] != *same.values[i]) return false;
        }
        if (const auto* direction = std::get_if<GoalDirection>(&members[m].value))
            if (*direction->value != *std::get<GoalDirection>(others[m].value).value) return false;
    }
    return true;
}

void setFrameTarget(const IkClipGoal& goal, std::size_t frame, const ModelPose& source,
                    std::span<const double> source_dofs, GoalKind& kind) {
    if (goal.pinned) pinTo(source, source_dofs, kind);
    const GoalTarget target = targetOf(kind);
    if (target.point != nullptr && !goal.points.empty()) *target.point = goal.points[frame];
    if (target.rotation != nullptr && !goal.orientations.empty())
        *target.rotation = goal.orientations[frame];
}

void setFrameGoals(std::span<const IkClipGoal> goals, std::size_t frame, double frame_time,
                   const ModelPose& source, std::span<const double> source_dofs,
                   std::span<IkGoal> out) {
    for (std::size_t g = 0; g < goals.size(); ++g) {
        setFrameTarget(goals[g], frame, source, source_dofs, out[g].kind);
        const double share = shareOf(goals[g], frame, frame_time);
        out[g].enabled = share == 1.0;
        for (std::size_t h = 0; h < g && share > 0.0; ++h)
            if (goals[g].span && haveOneSubject(goals[h].goal.kind, goals[g].goal.kind))
                out[h].enabled = false;
    }
}

}  // namespace ulna
