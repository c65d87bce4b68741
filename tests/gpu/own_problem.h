// SPDX-License-Identifier: Apache-2.0

// The skeleton for which a GPU program of its own is written and run: every kind of link.
#pragma once

#include "ulna/ik/batch.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::test {

inline Skeleton ownSkeleton() {
    const auto add = [](const char* name, const char* parent, JointKind kind, Vec3 offset) {
        JointDef out;
        out.name = name;
        out.parent = parent;
        out.kind = kind;
        out.rest.translation = offset;
        return out;
    };
    std::vector<JointDef> joints = {add("Base", "", JointKind::Free, {}),
                                    add("Rail", "Base", JointKind::Prismatic, {0, 0.1, 0}),
                                    add("Ball", "Rail", JointKind::Ball, {0.3, 0, 0}),
                                    add("Elbow", "Ball", JointKind::Hinge, {0, 0.3, 0.05}),
                                    add("Wrist", "Elbow", JointKind::Universal, {0, 0.25, 0}),
                                    add("Other", "Base", JointKind::Hinge, {-0.2, 0.1, 0})};
    joints[1].axes[0] = {1, 0, 0};
    joints[1].limits[0] = {-0.2, 0.3};
    joints[2].cone =
        ConeLimit{.axis = {0, 1, 0}, .swing_max = 1.0, .twist_min = -0.5, .twist_max = 0.7};
    joints[3].axes[0] = {0, 0.6, 0.8};
    joints[3].limits[0] = {-2.0, 0.5};
    joints[4].limits[0] = {-1.0, 1.0};
    joints[4].limits[1] = {-1.5, 1.5};
    return *makeSkeleton(std::move(joints));
}

inline std::vector<IkGoal> ownGoals(const Skeleton& skeleton) {
    return {{.kind = PositionGoal{skeleton.find("Wrist"), {0, 0.1, 0}, {}}},
            {.kind = OrientationGoal{skeleton.find("Wrist"), {}}, .weight = 0.5},
            {.kind = PositionGoal{skeleton.find("Other"), {-0.3, 0, 0}, {}}}};
}

inline IkOptions ownOptions() {
    return {.position_tolerance = 1e-5, .angle_tolerance = 1e-5, .restarts = 10};
}

}  // namespace ulna::test
