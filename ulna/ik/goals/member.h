// SPDX-License-Identifier: Apache-2.0

// What a goal of any kind says about itself, so that files, the tool and programs treat all kinds
// alike: its values by name, its target, and what a pose makes of it. See ik/goal.h for the
// functions; each kind defines its own in its source.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "ulna/ik/goals/contact.h"
#include "ulna/math/quat.h"
#include "ulna/skeleton/joint.h"
#include "ulna/skeleton/masses.h"

namespace ulna {

/// Points fixed to joints, in their coordinates; zero unless stated.
struct GoalPoints {
    std::vector<Vec3*> values;
};
/// A unit vector.
struct GoalDirection {
    Vec3* value;
    /// In the coordinates of the goal's joint; unless stated, where the model faces at rest.
    /// Otherwise it is in model space and has a default.
    bool facing = false;
};
/// A number with a default.
struct GoalNumber {
    double* value;
};
/// A length that must be stated, not negative.
struct GoalLength {
    double* value;
};
/// Lengths that are not negative; zero unless stated.
struct GoalLengths {
    std::vector<double*> values;
};
/// One of the words; an enumerator of the goal. The first is the default.
struct GoalChoice {
    std::uint8_t* value;
    std::span<const std::string_view> words;  ///< in the order of the enumerators
};
/// Any number of joints; all unless stated.
struct GoalJointList {
    std::vector<JointId>* value;
};
/// Points fixed to joints, any number from one up.
struct GoalContacts {
    std::vector<ContactPoint>* value;
};
/// Masses fixed to joints; those of a human body unless stated.
struct GoalMasses {
    std::vector<JointMass>* value;
};

/// A value of a goal beside its joints and its target. The pointers point into the goal.
struct GoalMember {
    std::string_view name;  ///< as files call it
    std::variant<GoalPoints, GoalDirection, GoalNumber, GoalLength, GoalLengths, GoalChoice,
                 GoalJointList, GoalContacts, GoalMasses>
        value;
};

/// The target of a goal, which may move over a clip or a batch: a position, a rotation, or none. It
/// points into the goal.
struct GoalTarget {
    Vec3* point = nullptr;
    Quat* rotation = nullptr;
};

/// What a pose makes of a goal, as reports print it.
struct GoalMeasure {
    std::string_view name = {};        ///< "position", "rotation", ...; empty for a posture
    std::string_view error_name = {};  ///< "distance" or "angle_degrees"; empty where `value` tells
    /// A JointId stands for the rotation of that joint in model space.
    std::variant<std::monostate, double, Vec3, Quat, JointId> value = {};
};

}  // namespace ulna
