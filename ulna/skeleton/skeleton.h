// SPDX-License-Identifier: Apache-2.0

// Skeleton: an immutable tree of joints in flat arrays.
//
// Joints are stored depth first, so a parent comes before its children and a subtree is a range of
// indices. A file may hold several characters, so there may be several roots. The state of a
// skeleton lives elsewhere: skeleton/state.h (coordinates per degree of freedom) and
// skeleton/pose.h (transforms per joint).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

struct SkeletonOptions {
    /// A skeleton of the plane: z-hinges, sliders within the plane, free roots of 3 degrees of
    /// freedom, and every z exactly 0.
    bool planar = false;
};

struct OrderedSkeleton;

/// A degree of freedom that follows another: dofs[dof] = factor * dofs[leader] + offset.
struct DofCoupling {
    std::size_t dof = 0;
    std::size_t leader = 0;
    double factor = 1.0;
    double offset = 0.0;
};

/// Never changes once it is made: any number of threads may use one.
class Skeleton {
  public:
    [[nodiscard]] std::size_t jointCount() const { return joints_.size(); }
    /// All joints, parents before their children.
    [[nodiscard]] JointRange joints() const { return {0, joints_.size()}; }
    [[nodiscard]] std::size_t dofCount() const { return dof_limits_.size(); }
    [[nodiscard]] bool planar() const { return planar_; }

    [[nodiscard]] const std::string& name(JointId j) const { return joints_[at(j)].name; }
    [[nodiscard]] std::span<const std::string> names() const { return names_; }
    /// The joint of that name, or JointId::None, which stops every function that is given it as a
    /// joint.
    [[nodiscard]] JointId find(std::string_view name) const;

    [[nodiscard]] JointId parent(JointId j) const { return parents_[at(j)]; }
    [[nodiscard]] std::span<const JointId> parents() const { return parents_; }
    /// The joint and, depth first, all below it.
    [[nodiscard]] JointRange subtree(JointId j) const { return {at(j), subtree_ends_[at(j)]}; }
    [[nodiscard]] std::vector<JointId> roots() const;
    [[nodiscard]] std::vector<JointId> children(JointId j) const;
    /// From the parent of `j` up to its root.
    [[nodiscard]] std::vector<JointId> ancestors(JointId j) const;
    /// True for strict ancestors along the tree.
    [[nodiscard]] bool isAncestor(JointId ancestor, JointId j) const {
        return index(ancestor) < index(j) && index(j) < parents_.size() &&
               index(j) < subtree_ends_[index(ancestor)];
    }
    /// From `from` down to `to`, both included; empty when `from` is not above `to`.
    [[nodiscard]] std::vector<JointId> chain(JointId from, JointId to) const;

    [[nodiscard]] JointKind kind(JointId j) const { return joints_[at(j)].kind; }
    /// Whether the joint's origin can move relative to its parent: roots and sliding joints.
    [[nodiscard]] bool translates(JointId j) const {
        return parent(j) == JointId::None || slides(kind(j));
    }
    [[nodiscard]] const Trs& rest(JointId j) const { return joints_[at(j)].rest; }
    /// Everything that was said about the joint, with `tip` filled in.
    [[nodiscard]] const JointDef& joint(JointId j) const { return joints_[at(j)]; }

    /// The bone's far end in the joint's frame; zero when the joint has no bone.
    [[nodiscard]] const Vec3& tip(JointId j) const { return *joints_[at(j)].tip; }
    [[nodiscard]] double boneLength(JointId j) const { return length(tip(j)); }
    [[nodiscard]] double radius(JointId j) const { return joints_[at(j)].radius; }
    [[nodiscard]] bool isEndSite(JointId j) const { return joints_[at(j)].end_site; }

    /// Index of the joint's first coordinate in a DofVector.
    [[nodiscard]] std::size_t firstDof(JointId j) const { return first_dofs_[at(j)]; }
    [[nodiscard]] std::size_t dofCount(JointId j) const {
        return first_dofs_[at(j) + 1] - first_dofs_[at(j)];
    }
    /// Which joint a degree of freedom belongs to.
    [[nodiscard]] JointId jointOfDof(std::size_t dof) const {
        ULNA_ASSERT(dof < dof_joints_.size(), "the skeleton has no such degree of freedom");
        return dof_joints_[dof];
    }
    /// Whether a degree of freedom is an angle; otherwise it is a length.
    [[nodiscard]] bool isAngle(std::size_t dof) const {
        const JointId j = jointOfDof(dof);
        return ulna::isAngle(kind(j), planar_, dof - firstDof(j));
    }
    /// Those of a degree of freedom that others follow are narrowed to what their limits allow.
    [[nodiscard]] std::span<const DofLimit> dofLimits() const { return dof_limits_; }
    /// The degrees of freedom that follow others, ascending. Inverse kinematics keeps them exactly;
    /// for coordinates of other origin see applyCouplings of skeleton/state.h.
    [[nodiscard]] std::span<const DofCoupling> couplings() const { return couplings_; }
    /// "LeftKnee", "Hips.tx", "Hips.rz": how people name a degree of freedom.
    [[nodiscard]] std::string dofName(std::size_t dof) const;

    /// The joints as makeSkeleton would take them, in stored order.
    [[nodiscard]] std::span<const JointDef> definitions() const { return joints_; }

  private:
    friend Result<OrderedSkeleton> makeOrderedSkeleton(std::vector<JointDef>, SkeletonOptions);
    friend Result<OrderedSkeleton> makeOrderedSkeleton(std::vector<JointDef>, std::span<const int>,
                                                       SkeletonOptions);

    // From joints that are checked, with the index of each one's parent, or their number for roots.
    static Result<OrderedSkeleton> assemble(std::vector<JointDef> joints,
                                            const std::vector<std::size_t>& parents,
                                            SkeletonOptions options);

    [[nodiscard]] Status coupleJoints();

    [[nodiscard]] std::size_t at(JointId j) const {
        ULNA_ASSERT(index(j) < parents_.size(), "the skeleton has no such joint");
        return index(j);
    }

    std::vector<JointDef> joints_;
    std::vector<std::string> names_;
    std::vector<JointId> parents_;
    std::vector<std::size_t> subtree_ends_;
    std::vector<std::size_t> first_dofs_ = {0};  // one more than joints
    std::vector<JointId> dof_joints_;
    std::vector<DofLimit> dof_limits_;
    std::vector<DofCoupling> couplings_;
    std::unordered_map<std::string, JointId> by_name_;
    bool planar_ = false;
};

/// Builds a skeleton from joints in any order; siblings keep theirs.
///
/// Errors name the joint: no name, a name used twice, an unknown parent, a cycle, values that are
/// not finite, an axis that is zero, a limit with min above max, a cone on a joint without one, a
/// coupling that cannot hold, and in the plane anything that leaves it. Axes and rest rotations are
/// normalised.
[[nodiscard]] Result<Skeleton> makeSkeleton(std::vector<JointDef> joints,
                                            SkeletonOptions options = {});

/// A skeleton, and what became of the joints that it was made from.
struct OrderedSkeleton {
    Skeleton skeleton = {};
    std::vector<JointId> ids = {};  ///< of each joint, in the order in which joints were passed in
};

/// The same as makeSkeleton, for programs that know their joints by index.
[[nodiscard]] Result<OrderedSkeleton> makeOrderedSkeleton(std::vector<JointDef> joints,
                                                          SkeletonOptions options = {});
/// The same with parents by index: parents[i] is where in `joints` the parent of joint i is, or -1
/// for a root. JointDef::parent is not read, and is the parent's name in the result. Names must
/// still differ. Errors name the joint: those of makeSkeleton, and an index that is neither -1 nor
/// that of a joint.
/// @pre parents has one index per joint.
[[nodiscard]] Result<OrderedSkeleton> makeOrderedSkeleton(std::vector<JointDef> joints,
                                                          std::span<const int> parents,
                                                          SkeletonOptions options = {});

}  // namespace ulna
