// SPDX-License-Identifier: Apache-2.0

// How far a keyed clip is from the clip it was made of: the points that are measured, and the check
// that a reduction ends with.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/motion/keyed_motion.h"

namespace ulna::motion::detail {

inline constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

/// A point fixed to a joint.
struct MeasuredPoint {
    JointId joint = JointId::None;
    Vec3 position = {};           ///< in the joint's frame
    std::size_t body = kNoIndex;  ///< the moving body that carries it, where there are bodies
};

/// Every joint's origin, the tip of its bone, and for a joint that rotates a point at the distance
/// `beside` of its bone's middle, or two beside an origin without a bone.
[[nodiscard]] std::vector<MeasuredPoint> measuredPoints(const Skeleton& skeleton,
                                                        const Motion& motion, double beside);

/// Adds to `out` the points that lie farthest out of some that move as one, eight at most: the
/// others are hardly farther off than those.
void addOutermost(const std::vector<MeasuredPoint>& points, const ModelPose& model,
                  std::vector<MeasuredPoint>& out);

/// Of the bones that have a length; 0 if there is none.
[[nodiscard]] double meanBoneLength(const Skeleton& skeleton);

/// Per joint, how far from it the points at it and below get in a few frames spread over the clip.
[[nodiscard]] std::vector<double> measureReach(const Skeleton& skeleton, const Motion& motion,
                                               const std::vector<MeasuredPoint>& points);

/// The largest distance from each frame up to the next, and where it is.
class ClipCheck {
  public:
    struct Worst {
        double error = 0.0;
        JointId joint = JointId::None;
        double time = 0.0;
    };

    /// Both clips are sampled at each frame and at this many times up to the next.
    static constexpr std::size_t kBetween = 16;

    explicit ClipCheck(std::size_t frames) : worst_(frames), stale_(frames, 1) {}

    /// Says that the keyed clip has changed between two frames.
    void forget(std::size_t begin, std::size_t end);
    /// Measures where the clip has changed since the last time.
    void measure(const Skeleton& skeleton, const Motion& motion, const KeyedMotion& keyed,
                 const std::vector<MeasuredPoint>& points, unsigned threads);

    [[nodiscard]] const std::vector<Worst>& frames() const { return worst_; }
    [[nodiscard]] Worst worst() const;
    /// Of both clips together.
    [[nodiscard]] std::size_t posesComputed() const { return poses_computed_; }

  private:
    std::vector<Worst> worst_;
    std::vector<std::uint8_t> stale_;
    std::size_t poses_computed_ = 0;
};

}  // namespace ulna::motion::detail
