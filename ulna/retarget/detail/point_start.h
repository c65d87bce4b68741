// SPDX-License-Identifier: Apache-2.0

// PointStart: the pose of a body that points show, in closed form.
//
// Pelvis, chest, head, hands and feet are oriented by the points that are fixed to them (Kabsch's
// rotation); limbs point from joint to joint. The rotation of an upper arm or a thigh about itself
// is that of the plane in which elbow or knee bends. A straight limb does not show it: then it is
// carried through time between the frames that do.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ulna/retarget/detail/point_body.h"

namespace ulna::retarget::detail {

/// The rotation of a limb about itself, from where its parent alone would bring it.
struct LimbTwist {
    double cosine = 1.0, sine = 0.0;
    double weight = 0.0;  ///< the squared sine of the angle at its hinge; 0: not seen
};
/// Left arm, left leg, right arm, right leg.
using LimbTwists = std::array<LimbTwist, 4>;

/// How much of a bone's direction is that of its points, instead of the body's rest pose: noise of
/// this standard deviation makes the directions of short bones differ by more than joints bend.
[[nodiscard]] double trustOfBone(double length, double noise);

/// Constant once made: threads may share one.
class PointStart {
  public:
    /// @param used per attachment: whether it is ever seen
    /// @param noise of a coordinate: its standard deviation
    /// @pre body outlives the start
    PointStart(const PointBody& body, std::vector<char> used, double noise);

    /// What a frame shows of twists. @param at of the attachments, in model space
    [[nodiscard]] LimbTwists observe(std::span<const Vec3> at) const;

    /// The pose of a frame. @pre pose has the translations of the body's rest pose
    void pose(std::span<const Vec3> at, const LimbTwists& twists, Pose& pose) const;

  private:
    struct Tie {
        std::size_t attachment = 0;
        Vec3 place = {};  // in the canonical axes of the segment, from any fixed origin
    };
    struct Limb {
        int upper = -1, lower = -1;          // segments
        int top = -1, hinge = -1, end = -1;  // attachments
        Vec3 direction = {}, axis = {};      // canonical: along it, and of the hinge
    };

    [[nodiscard]] int seen(JointId joint) const;
    void addLimb(std::size_t side, bool leg);
    void addTies();
    [[nodiscard]] Quat fallback(std::size_t segment, std::span<const Quat> d) const;
    [[nodiscard]] Quat fitted(std::size_t segment, const Quat& near,
                              std::span<const Vec3> at) const;
    [[nodiscard]] Quat upright(std::span<const Vec3> at, const std::array<int, 2>& first,
                               const std::array<int, 2>& second) const;
    void orientTrunk(std::span<const Vec3> at, std::span<Quat> d) const;
    void pointChain(const std::vector<int>& chain, const Quat& base, const Quat& end,
                    std::span<const Vec3> at, std::span<Quat> d) const;
    [[nodiscard]] Quat along(std::size_t segment, const Quat& d, std::span<const Vec3> at) const;
    [[nodiscard]] std::vector<Quat> orient(std::span<const Vec3> at, const LimbTwists* twists,
                                           LimbTwists* seen) const;

    const PointBody& body_;
    std::vector<char> used_;
    double noise_ = 0.0;
    std::array<Limb, 4> limbs_;
    std::vector<std::vector<Tie>> ties_;          // per segment
    std::vector<Quat> parent_from_rest_;          // per segment: D at rest relative to the parent's
    std::vector<Quat> frame_from_first_;          // per segment, at rest, inverse
    std::vector<std::array<int, 2>> directions_;  // per segment: attachments at its ends, or -1
    std::array<int, 2> hips_ = {-1, -1}, shoulders_ = {-1, -1};
    std::vector<int> low_, high_;  // attachments at the pelvis, and at the chest and above
    Vec3 up_ = {};                 // from one to the other at rest, in body axes
    Affine model_from_parent_;     // of the hips, at rest
};

/// Smooths twists in time, those that are seen well counting most; what no frame shows is zero.
/// @param deviation of an angle that is seen at a right angle, in radians
void smoothTwists(double frame_time, double deviation, std::span<LimbTwists> twists);

}  // namespace ulna::retarget::detail
