// SPDX-License-Identifier: Apache-2.0

// Natural poses: what a human body does with the freedom that goals leave it.
//
// Goals alone do not make a pose: with both hands and feet in their positions, a back may still
// bend anywhere. NaturalBody ties the prior of human poses (ik/pose_prior.h) to a skeleton. From
// the positions that goals ask for it suggests a pose (ik/natural_suggestion.h), and the solver
// goes from there to the nearest pose that meets the goals inside the limits. IkOptions::natural
// does both; a drag (character/drag.h) does so in every frame.
//
//     Result<NaturalBody> body = NaturalBody::make(skeleton, restPose(skeleton));
//     options.natural = std::make_shared<const NaturalBody>(*std::move(body));
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ulna/ik/body_shape.h"
#include "ulna/ik/options.h"
#include "ulna/ik/pose_pairs.h"
#include "ulna/ik/pose_prior.h"
#include "ulna/ik/two_bone.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

/// How far a pose is from what people would do with their hands, feet, hips and head where it has
/// them, in units of how far people themselves are from it: 1 is usual.
struct NaturalScore {
    double mean = 0.0;   ///< the root mean square over joints
    double worst = 0.0;  ///< of one joint
    JointId joint = JointId::None;
    /// How far a pair of angles of a limb is outside all that people were seen to take
    /// (ik/pose_pairs.h), in radians; 0 inside.
    double outside = 0.0;
    LimbAngle a = LimbAngle::ShoulderForward, b = LimbAngle::ShoulderUp;  ///< of which pair
    BodySide side = BodySide::Left;
};

/// A human skeleton as the prior sees it. Constant once made; threads may share one.
class NaturalBody {
  public:
    /// Errors: too little of a human body is recognised (hips, a spine, a head, and both arms and
    /// legs with their three joints are needed).
    ///
    /// @param t_pose the pose that rotations are measured from: standing, with the arms out to the
    /// sides. Arms or legs that lie otherwise (an A-pose) are taken as if they lay so.
    /// @param map roles that overrule names and shape; may be null.
    /// @pre t_pose has one transform per joint of skeleton; for the map see findBodyRoles.
    [[nodiscard]] static Result<NaturalBody> make(
        const Skeleton& skeleton, const Pose& t_pose,
        std::shared_ptr<const PosePrior> prior = PosePrior::human(), const BodyMap* map = nullptr);

    /// How willingly each joint leaves what was suggested, from how much people vary there.
    [[nodiscard]] std::span<const JointStiffness> stiffness() const { return stiffness_; }

    /// @pre pose is finite and has one transform per joint.
    [[nodiscard]] NaturalScore score(const Pose& pose) const;

    /// How far pairs of angles of a pose are outside all that people were seen to take, in radians;
    /// negative inside: the pairs of the left limbs, then those of the right.
    /// @pre as of score.
    [[nodiscard]] std::vector<double> outsidePairs(const Pose& pose) const;
    /// Rotates the joints of limbs so that no pair is outside by more than it is allowed to, as far
    /// as limits let them, but for those that are held. Returns whether anything changed.
    /// @pre as of score; allowed has a value for each of outsidePairs.
    bool moveInsidePairs(std::span<const double> allowed, std::span<const JointId> held,
                         Pose& pose) const;

    /// How sure it is which joint is what (BodyRoles::confidence), from 0 to 1.
    [[nodiscard]] double confidence() const { return confidence_; }
    /// A usual pose by chance, for tests and for filling a scene: the same for the same seed. The
    /// body stands, steps, squats or kneels, its lowest sole where the T-pose has it, and does
    /// something with its hands. Joints are inside their limits; limbs may touch, and nothing
    /// holds its balance (ik/body_rules.h).
    [[nodiscard]] Pose sample(std::uint64_t seed) const;

    [[nodiscard]] const Skeleton& skeleton() const { return skeleton_; }
    [[nodiscard]] JointId hips() const { return links_.front().joint; }

    /// Its bulk, weight and soles, which ik/body_rules.h keeps.
    [[nodiscard]] const BodyShape& shape() const { return shape_; }
    void setShape(BodyShape shape) { shape_ = std::move(shape); }

  private:
    friend class NaturalSuggestion;
    class Maker;

    // A joint that the prior poses, with the segments that its rotation is between.
    struct Link {
        JointId joint = JointId::None;
        int parent = -1;  // the nearest link above
        PoseRole from = PoseRole::Hips, to = PoseRole::Hips;
        double share = 1.0;              // of the way from `from` to `to`
        Quat canonical_from_joint = {};  // D = B^-1 Q_pose canonical_from_joint
        int collar_of = 0;               // 1 for the left collarbone, -1 for the right
    };
    // A point of the prior, fixed to a joint.
    struct Point {
        JointId joint = JointId::None;
        Vec3 offset = {};  // in the joint's coordinates
    };

    // An arm or a leg, and the axis about which its middle bends, in the middle's coordinates.
    struct Bend {
        TwoBoneChain chain = {};
        Vec3 axis = {};
    };

    // The links of a side's limbs, and what the first of each is seen from.
    struct LimbLinks {
        std::size_t chest = 0, upper_arm = 0, forearm = 0, hand = 0, hips = 0, thigh = 0, shin = 0;
    };
    // The rotations of a side's limbs, split and seen from the left.
    struct LimbRotations;
    [[nodiscard]] LimbRotations limbsOf(std::span<const Quat> d, std::size_t side) const;

    [[nodiscard]] std::array<Quat, kPoseRoles> absolute(const RolePose& pose) const;
    [[nodiscard]] Quat rotationOf(const Link& link, std::span<const Quat, kPoseRoles> roles) const;
    [[nodiscard]] double deviationOf(const Link& link) const;
    [[nodiscard]] std::vector<Quat> fromParents(std::span<const Quat> d) const;
    [[nodiscard]] std::vector<Quat> linkRotations(const Pose& pose) const;
    [[nodiscard]] Vec3 pointIn(const ModelPose& model, std::size_t point) const;
    void placeOnFloor(Pose& pose) const;
    [[nodiscard]] static Vec3 facing(const Quat& hips);

    Skeleton skeleton_;
    std::shared_ptr<const PosePrior> prior_;
    ModelPose t_pose_;
    Quat model_from_body_ = {};
    double leg_ = 1.0;
    double confidence_ = 1.0;
    BodyOffsets offsets_ = {};
    std::vector<Link> links_;  // parents first; the hips are the first
    std::array<Point, kPosePoints.size()> points_ = {};
    std::array<Bend, 4> bends_ = {};
    std::array<LimbLinks, 2> limbs_ = {};  // left, right
    std::vector<JointStiffness> stiffness_;
    BodyShape shape_ = {};
};

}  // namespace ulna
