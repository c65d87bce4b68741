// SPDX-License-Identifier: Apache-2.0

// Pairs of limbs in a tree of joints, whatever they are called: two ways out of one joint whose
// bones are equally long.
//
// Lengths of bones are the same in every pose, so that left and right are found in rest poses that
// are not symmetric too. What only one side has (a sword, a pocket) is not of the pair.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "ulna/skeleton/detail/body_names.h"
#include "ulna/skeleton/pose.h"

namespace ulna::skeleton::detail {

/// The joints of one body without its End Sites, and how far each leads.
class BodyTree {
  public:
    BodyTree(const Skeleton& skeleton, const ModelPose& model, JointRange range);

    [[nodiscard]] const Skeleton& skeleton() const { return skeleton_; }
    [[nodiscard]] JointRange range() const { return range_; }
    [[nodiscard]] Vec3 at(JointId j) const { return model_.position(j); }
    /// Without End Sites.
    [[nodiscard]] const std::vector<JointId>& children(JointId j) const {
        return children_[index(j) - range_.firstIndex()];
    }
    /// The longest way down from a joint along its bones, End Sites included.
    [[nodiscard]] double reach(JointId j) const { return reach_[index(j) - range_.firstIndex()]; }
    /// The same from its parent: with the bone that leads to it.
    [[nodiscard]] double extent(JointId j) const;
    /// The farther end of that way: a joint or an End Site; the joint itself where nothing follows.
    [[nodiscard]] JointId tip(JointId j) const { return tips_[index(j) - range_.firstIndex()]; }
    /// The joints on that way, without an End Site; at most as many as a limb has.
    [[nodiscard]] std::vector<JointId> longestChain(JointId from) const;

  private:
    const Skeleton& skeleton_;
    const ModelPose& model_;
    JointRange range_;
    std::vector<std::vector<JointId>> children_;
    std::vector<double> reach_;
    std::vector<JointId> tips_;
};

/// Two chains of as many joints.
struct LimbPair {
    JointId trunk = JointId::None;  ///< the joint that both hang from
    std::array<std::vector<JointId>, 2> joints = {};
    double length = 0.0;  ///< from the first joint along the bones to the end, of the shorter one
};

/// The longest pairs of a tree, the longest first; pairs that are short beside them (fingers, ears)
/// are left out.
[[nodiscard]] std::vector<LimbPair> findLimbPairs(const BodyTree& tree);

/// Of which limb a chain is judged.
enum class LimbKind : std::uint8_t { Arm, Leg };

/// Which joints of a chain are shoulder, elbow and wrist, or hip, knee and ankle.
struct LimbFit {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t upper = kNone;  ///< as indices of the chain
    std::size_t middle = kNone;
    std::size_t lower = kNone;  ///< none where the chain ends before
    double length = 0.0;        ///< from the upper joint over the middle one to the lower one
    double cost = 0.0;  ///< 0: like the limbs of people; grows with the square of deviations
};

/// The joints that are most like a limb's by the lengths between them. Chains of one joint have no
/// fit: `upper` is none.
/// @param chains of one limb, or of the two of a pair, whose lengths are averaged.
/// @param hints the part that a name says per joint of the body; a fit that contradicts one costs.
[[nodiscard]] LimbFit fitLimb(const BodyTree& tree, LimbKind kind, JointId trunk,
                              const std::vector<std::vector<JointId>>& chains,
                              const std::vector<NamedPart>& hints);

}  // namespace ulna::skeleton::detail
