// SPDX-License-Identifier: Apache-2.0

// One person under the names of every family, and in any convention of axes, units and rest pose.
#pragma once

#include <string>
#include <vector>

#include "ulna/math/random.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::test {

/// What a family of tools calls the joint that Ulna calls `part`.
struct FamilyName {
    std::string name;
    std::string part;  ///< "left knee", "neck"; empty for a joint that is to be left alone
    std::string parent;
    Vec3 place;  ///< in metres: x left, y up, z forward
};

struct NameFamily {
    std::string name;
    std::vector<FamilyName> joints;  ///< parents first, both sides
};

/// Mixamo first; Biovision, CMU, VRM, Unreal, 3ds Max, Poser, Blender, Xsens, OptiTrack, SMPL,
/// LAFAN1, Rigify.
std::vector<NameFamily> nameFamilies();

/// The family's person in a T-pose: metres, y up, facing z, every joint's axes the model's.
Skeleton makeHumanoid(const NameFamily& family);

/// The same person told differently: other names, other axes by chance at every joint, other Euler
/// orders, another rest pose. Poses go over with everything in the same place, after `turn` (such
/// as y-up to z-up) and `scale`.
class OtherConvention {
  public:
    /// @pre names has one name per joint; rest is a pose of plain.
    OtherConvention(const Skeleton& plain, const Pose& rest, const std::vector<std::string>& names,
                    const Quat& turn, double scale, Random& random);

    [[nodiscard]] const Skeleton& skeleton() const { return skeleton_; }
    [[nodiscard]] Pose pose(const Pose& plain) const;

  private:
    Quat turn_;
    double scale_ = 1.0;
    std::vector<JointId> parents_;
    std::vector<Quat> plain_from_other_;  // of each joint's axes
    Skeleton skeleton_;
};

}  // namespace ulna::test
