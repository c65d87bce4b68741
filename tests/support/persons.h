// SPDX-License-Identifier: Apache-2.0

// People and animals of any proportions whose joints are called by their roles, and the same
// disguised: without their names, with other axes, in another order, size and direction.
#pragma once

#include <string>

#include "support/humanoid.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::test {

/// Lengths are in metres, angles in radians.
struct Person {
    double thigh = 0.43, shin = 0.42, ankle = 0.08, foot = 0.13, hip_half = 0.09;
    double trunk = 0.46, shoulder_half = 0.17, upper_arm = 0.28, forearm = 0.25, hand = 0.1;
    double neck = 0.12, head = 0.2;
    double arms_down = 0.0;  ///< 0: T-pose; pi/2: arms hang
    double legs_apart = 0.0;
    double bent = 0.05;  ///< knees forwards and elbows backwards, of straight ones
    int spine = 3, necks = 1, fingers = 0;
    bool collars = true, toes = true, foot_ends = true, left_arm = true;
    bool pelvis = false;         ///< a joint between the hips and each leg
    bool twists = false;         ///< helper joints beside elbows and knees
    bool twists_in_row = false;  ///< helper joints between shoulder and elbow, hip and knee
    bool head_top = false;       ///< a joint at the top of the head
    bool face = false;           ///< eyes and a jaw
    bool tail = false;
    bool sword = false;  ///< in the right hand, as long as a leg
};

/// Any person: proportions 20 per cent off the usual ones, and each of the above by chance.
[[nodiscard]] Person randomPerson(Random& random);

/// y up, facing z; each joint is called by its role ("left.knee", of chains "spine.0"), helpers by
/// words that are none.
[[nodiscard]] Skeleton makePerson(const Person& person);

struct Animal {
    double trunk = 0.5, height = 0.5, half = 0.09, tail = 0.4, head = 0.25;
    int spine = 3;
};
/// The same of an animal on four legs.
[[nodiscard]] Skeleton makeAnimal(const Animal& animal);

/// The same body with joints called bone_<index in `named`>, axes by chance at every joint, in
/// another order of children, turned about and scaled.
[[nodiscard]] Skeleton disguised(const Skeleton& named, Random& random);
/// A joint of the disguised skeleton by its name in the other.
[[nodiscard]] std::string trueName(const Skeleton& named, const Skeleton& other, JointId joint);

}  // namespace ulna::test
