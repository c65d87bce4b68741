// SPDX-License-Identifier: Apache-2.0

// Segments: a body as bones that rotate, whatever joints they are made of.
//
// A segment is what an articulation moves: a thigh, whose hip is one ball or three hinges in
// series. Its rotation D is measured from the T-pose with straight limbs, in the axes of the ground
// (x left, y up, z forward): D = G^-1 Q K with G = model_from_ground, Q the model orientation of
// the segment's frame and K = Q_rest^-1 B C. B are the axes of the body in its rest pose; C takes
// the direction that the segment has in a T-pose to the one that it has in the rest pose. Two
// bodies that are posed alike have equal D, whatever their rest poses, axes and names.
//
// Bodies stand upright in their rest poses, so that up is an axis of the file, and not where the
// head happens to be; forward on the ground is one too, unless the body clearly looks elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ulna/skeleton/human_body.h"
#include "ulna/skeleton/pose.h"

namespace ulna::retarget::detail {

/// The segments that a body has once, or once on each side. Of a chain (spine, neck) the last.
enum class Part : std::uint8_t {
    Pelvis,
    Chest,
    Head,
    Collar,
    UpperArm,
    Forearm,
    Hand,
    Thigh,
    Shin,
    Foot,
    Toes,
};
inline constexpr std::size_t kParts = 11;

struct Segment {
    JointId first = JointId::None;   ///< the first joint of the articulation
    JointId frame = JointId::None;   ///< the last joint of it, which carries the segment
    int parent = -1;                 ///< the segment that it hangs from; -1: of the model
    Quat joint_from_canonical = {};  ///< K
    Quat body_from_canonical = {};   ///< C
    Vec3 direction = {};    ///< where it points in the T-pose, in body axes; zero for the trunk
    bool relative = false;  ///< fingers and toes follow what their parent really does
};

/// The three points that a foot stands on, in the canonical axes of the foot (the toes' for the
/// tip), from the ankle (the tip from the toes' origin). Toes bend at the ball, which is a joint
/// then, above the sole.
struct FootPoints {
    Vec3 ankle = {};  ///< from the origin of the foot's frame: of hinges, where their axes meet
    Vec3 heel = {}, ball = {}, tip = {};
    double lift = 0.0;  ///< of the ball above the sole, where the foot is flat
    /// The outline of the sole, where it is known, from the ankle: what must not be below
    /// the floor.
    std::vector<Vec3> outline = {};
    bool toes = false;  ///< whether the tip is fixed to toes; otherwise to the foot
};

/// A body in its rest pose. Lengths are the skeleton's own.
struct BodySegments {
    std::vector<Segment> segments;                 ///< parents first
    std::array<std::array<int, kParts>, 2> parts;  ///< by side (left, right) and Part; -1: none
    std::vector<int> spine, neck;                  ///< parents first; the last is chest and head
    std::array<std::array<std::vector<int>, 5>, 2> fingers;
    std::vector<int> of;                                ///< per joint: its segment; -1: none
    Quat model_from_ground = {}, model_from_body = {};  ///< G and B
    double leg = 0.0;    ///< thigh and shin, the mean of both sides; 0 without legs
    double trunk = 0.0;  ///< from the middle of the thighs' joints to that of the upper arms'
    double arm = 0.0;    ///< upper arm and forearm, the mean of both sides; 0 without arms
    Vec3 centre = {};    ///< the middle of the thighs' joints, in the canonical axes of the pelvis,
                         ///< from the origin of the hips
    std::array<Vec3, 2> hip = {};  ///< the thighs' joints likewise
    double ankle = 0.0;            ///< of the ankles above the soles
    std::array<double, 2> thigh = {}, shin = {}, upper_arm = {}, forearm = {};
    std::array<FootPoints, 2> feet = {};

    [[nodiscard]] int part(Part part, std::size_t side = 0) const {
        return parts[side][static_cast<std::size_t>(part)];
    }
    [[nodiscard]] bool hasArm(std::size_t side) const {
        return part(Part::UpperArm, side) >= 0 && part(Part::Forearm, side) >= 0 &&
               part(Part::Hand, side) >= 0;
    }
    /// A length to judge others by.
    [[nodiscard]] double size() const { return leg > 0.0 ? leg : trunk > 0.0 ? trunk : arm; }
    [[nodiscard]] bool hasLeg(std::size_t side) const {
        return part(Part::Thigh, side) >= 0 && part(Part::Shin, side) >= 0 &&
               part(Part::Foot, side) >= 0;
    }
};

/// @param soles points under the feet of the rest pose, in model space; where empty they are
/// guessed from ankles and toes.
[[nodiscard]] BodySegments makeSegments(const Skeleton& skeleton, const Pose& rest,
                                        const HumanBody& body,
                                        const std::array<std::vector<Vec3>, 2>& soles);

/// Whether a joint has a segment above it.
[[nodiscard]] bool canAddJoint(const Skeleton& skeleton, JointId joint, const BodySegments& body);

/// Makes a joint a segment of its own, which moves with the segment above it: the index of it.
/// @pre the joint is no part of a segment, and canAddJoint.
int addJoint(const Skeleton& skeleton, const Pose& rest, JointId joint, BodySegments& body);

/// D of every segment.
/// @param orientations of the joints in model space
void computeSegmentRotations(const BodySegments& body, std::span<const Quat> orientations,
                             std::span<Quat> d);

/// The rotation C of a limb that points along `bone` (a unit vector in body axes) in the rest pose,
/// and along `direction` in a T-pose: arms and legs are first brought into the plane of left and up
/// by a rotation in it, then out of it, since rest poses differ by how far limbs are raised in it.
[[nodiscard]] Quat straightened(const Vec3& direction, const Vec3& bone);

}  // namespace ulna::retarget::detail
