// SPDX-License-Identifier: Apache-2.0

// What one joint of a skeleton is: its kind, its rest transform, its limits.
//
// A joint's transform is  parent_from_joint = T(l + t) * B * R(dofs) * S  with the rest offset l,
// the rest rotation B, the rest scale S, and t = B * (displacement) for joints that slide. The
// joint's axes and limits live in B's frame. For the tree of joints see skeleton/skeleton.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "ulna/math/euler.h"
#include "ulna/math/transform.h"

namespace ulna {

/// The index of a joint within its skeleton.
enum class JointId : std::int32_t { None = -1 };

[[nodiscard]] constexpr std::size_t index(JointId joint) {
    return static_cast<std::size_t>(joint);
}
[[nodiscard]] constexpr JointId jointId(std::size_t index) {
    return static_cast<JointId>(index);
}

/// Joints of consecutive indices: `for (const JointId j : skeleton.joints())`. A plain value:
/// threads may share one that is const.
class JointRange {
  public:
    class Iterator {
      public:
        using value_type = JointId;
        using difference_type = std::ptrdiff_t;
        constexpr Iterator() = default;
        constexpr explicit Iterator(std::size_t i) : index_(i) {}
        [[nodiscard]] constexpr JointId operator*() const { return jointId(index_); }
        constexpr Iterator& operator++() {
            ++index_;
            return *this;
        }
        constexpr Iterator operator++(int) { return Iterator(index_++); }
        friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

      private:
        std::size_t index_ = 0;
    };

    constexpr JointRange() = default;
    /// The joints from index `first` up to, but not including, index `end`.
    constexpr JointRange(std::size_t first, std::size_t end) : first_(first), end_(end) {}

    [[nodiscard]] constexpr Iterator begin() const { return Iterator(first_); }
    [[nodiscard]] constexpr Iterator end() const { return Iterator(end_); }
    [[nodiscard]] constexpr std::size_t firstIndex() const { return first_; }
    [[nodiscard]] constexpr std::size_t endIndex() const { return end_; }
    [[nodiscard]] constexpr std::size_t size() const { return end_ - first_; }
    [[nodiscard]] constexpr bool contains(JointId j) const {
        return first_ <= index(j) && index(j) < end_;
    }

  private:
    std::size_t first_ = 0, end_ = 0;
};

enum class JointKind : std::uint8_t {
    Fixed,      ///< no degree of freedom
    Hinge,      ///< 1: an angle about `axes[0]`
    Universal,  ///< 2: R = R(axes[0], first) * R(axes[1], second)
    Ball,       ///< 3: Euler angles in `order`, or a rotation vector
    Free,       ///< 6: displacement x, y, z, then as Ball; in the plane 3: x, y, angle
    Prismatic,  ///< 1: a displacement along `axes[0]`
};

/// True for kinds whose degrees of freedom move the joint's origin.
[[nodiscard]] constexpr bool slides(JointKind kind) {
    return kind == JointKind::Free || kind == JointKind::Prismatic;
}

/// How many degrees of freedom a joint of this kind has.
[[nodiscard]] constexpr std::size_t dofCountOf(JointKind kind, bool planar) {
    switch (kind) {
        case JointKind::Fixed:
            return 0;
        case JointKind::Hinge:
        case JointKind::Prismatic:
            return 1;
        case JointKind::Universal:
            return 2;
        case JointKind::Ball:
            return 3;
        case JointKind::Free:
            return planar ? 3 : 6;
    }
    return 0;
}
/// Whether the i-th of them is an angle; otherwise it is a length.
[[nodiscard]] bool isAngle(JointKind kind, bool planar, std::size_t i);

/// "fixed", "hinge", ...
[[nodiscard]] std::string_view jointKindName(JointKind kind);
[[nodiscard]] std::optional<JointKind> jointKindFromName(std::string_view name);

/// How the three rotational coordinates of a Ball or Free joint are read.
enum class BallCoordinates : std::uint8_t { Euler, RotationVector };

/// Bounds of one degree of freedom, in radians or units of length.
struct DofLimit {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool bounded() const { return min > -kInfinity || max < kInfinity; }
    friend bool operator==(const DofLimit&, const DofLimit&) = default;

  private:
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
};

/// Bounds of a ball's rotation split as swing * twist about `axis`.
struct ConeLimit {
    Vec3 axis = {0, 1, 0};   ///< the twist axis, usually along the bone; unit, in the joint's frame
    double swing_max = kPi;  ///< half the opening of the cone, in [0, pi]
    double twist_min = -kPi;
    double twist_max = kPi;

    /// Whether the range of the twist is less than a whole revolution.
    [[nodiscard]] bool limitsTwist() const { return twist_max - twist_min < kTwoPi - 1e-9; }

    friend bool operator==(const ConeLimit&, const ConeLimit&) = default;
};

/// Ties a hinge or prismatic joint to another one: its coordinate is `factor` times the leader's,
/// plus `offset`. Grippers and the fingers of robots have such joints; their files call them mimic
/// joints.
struct JointCoupling {
    std::string leader = {};  ///< the name of a hinge or prismatic joint that follows none itself
    double factor = 1.0;
    double offset = 0.0;  ///< in radians or units of length

    friend bool operator==(const JointCoupling&, const JointCoupling&) = default;
};

/// One joint as it is handed to makeSkeleton. Only the name is required.
struct JointDef {
    std::string name = {};
    std::string parent = {};  ///< name of the parent joint; empty for a root
    JointKind kind = JointKind::Ball;
    Trs rest = {};  ///< parent_from_joint at rest: l, S and B of the formula above
    std::array<Vec3, 2> axes = {Vec3{1, 0, 0}, Vec3{0, 0, 1}};  ///< unit; see JointKind
    EulerOrder order = EulerOrder::Xyz;
    BallCoordinates coordinates = BallCoordinates::Euler;
    std::array<DofLimit, 6> limits = {};  ///< one per degree of freedom, the rest unused
    std::optional<ConeLimit> cone = {};   ///< Ball and Free only, instead of limits on the angles
    std::optional<JointCoupling> coupling = {};  ///< Hinge and Prismatic only
    std::optional<Vec3> tip = {};  ///< the far end of the bone, in the joint's frame; by default
                                   ///< the position of the only child, or the mean of several
    double radius = 0.0;           ///< of the bone, for drawing and skinning; 0 when not known
    bool end_site = false;         ///< a BVH End Site: marks a bone's tip, moves nothing
    bool locked = false;           ///< inverse kinematics leaves the joint as it is
    double stiffness = 0.0;  ///< 0 or more: inverse kinematics moves the joint 1 / (1 + it) as
                             ///< willingly as others
};

}  // namespace ulna
