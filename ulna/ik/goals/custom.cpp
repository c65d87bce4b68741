// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/custom.h"

#include <algorithm>

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {
namespace {

// Pointers to up to three joints, without allocating.
template <class Joint>
struct JointPointers {
    std::array<Joint*, kMaxGoalBodies> joint = {};
    std::size_t count = 0;

    [[nodiscard]] Joint* const* begin() const { return joint.data(); }
    [[nodiscard]] Joint* const* end() const { return joint.data() + count; }
};

}  // namespace

template <>
struct GoalRules<CustomGoal> : GoalDefaults {
    static constexpr std::string_view kName = "custom";
    static constexpr std::string_view kMeasured = "";
    static constexpr bool kInFiles = false;

    static bool errorIsAngle(const CustomGoal& goal) { return goal.error_is_angle; }
    template <class Goal>
    static auto joints(Goal& goal) {
        JointPointers<std::remove_reference_t<decltype(goal.joints[0])>> out;
        out.count = std::min(goal.joints.size(), kMaxGoalBodies);
        for (std::size_t b = 0; b < out.count; ++b) out.joint[b] = &goal.joints[b];
        return out;
    }
    static std::monostate measure(const CustomGoal&, std::span<const BodyFrame>) { return {}; }
    static std::string_view fault(const Skeleton&, const CustomGoal& goal) {
        const std::vector<JointId>& joints = goal.joints;
        if (joints.empty() || joints.size() > kMaxGoalBodies)
            return "it needs one, two or three joints";
        for (std::size_t b = 1; b < joints.size(); ++b) {
            const auto end = joints.begin() + static_cast<std::ptrdiff_t>(b);
            if (std::find(joints.begin(), end, joints[b]) != end) return "it holds a joint twice";
        }
        if (goal.rows < 1 || goal.rows > kMaxGoalRows) return "it needs one, two or three rows";
        return goal.evaluate != nullptr && *goal.evaluate != nullptr ? "" : "it has no function";
    }
    static void shift(CustomGoal& goal, const Vec3& origin) { goal.seen.origin += origin; }
    static void toAnatomical(const AnatomicalRig& rig, CustomGoal& goal) {
        for (std::size_t b = 0; b < std::min(goal.joints.size(), kMaxGoalBodies); ++b) {
            Quat& seen = goal.seen.body_from_joint[b];
            seen = conjugate(rig.joint_from_anatomical[index(goal.joints[b])]) * seen;
        }
    }
    static void evaluate(const CustomGoal& goal, std::span<const BodyFrame> bodies, bool planar,
                         GoalRows& rows) {
        std::array<BodyFrame, kMaxGoalBodies> seen;
        const std::size_t count = std::min(goal.joints.size(), kMaxGoalBodies);
        for (std::size_t b = 0; b < count; ++b) {
            seen[b] = bodies[b];
            seen[b].orientation = seen[b].orientation * toMatrix(goal.seen.body_from_joint[b]);
            seen[b].position += goal.seen.origin;
        }
        rows = {};
        rows.count = goal.rows;
        rows.error = kNotSet;
        (*goal.evaluate)({seen.data(), count}, planar, rows);
        rows.count = goal.rows;
        if (rows.error == kNotSet)
            rows.error = length(Vec3{rows.residual[0], rows.residual[1], rows.residual[2]});
        // About the origin of the coordinates that the bodies came in.
        for (std::size_t b = 0; b < count; ++b) {
            for (std::size_t k = 0; k < rows.count; ++k) {
                Wrench& wrench = rows.wrench[b][k];
                wrench.moment -= cross(goal.seen.origin, wrench.force);
            }
        }
    }

  private:
    static constexpr double kNotSet = -1.0;
};

template struct GoalInterface<CustomGoal>;

}  // namespace ulna::ik::detail
