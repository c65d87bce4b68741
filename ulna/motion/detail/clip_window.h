// SPDX-License-Identifier: Apache-2.0

// All curves of a clip together over a stretch of its frames: where they put every point of the
// skeleton, the knots' values that put the points best, and which knots can go or are missing.
#pragma once

#include <span>
#include <vector>

#include "ulna/motion/detail/key_curve.h"
#include "ulna/motion/detail/measure.h"

namespace ulna::detail {

/// The reduction works on every frame and the middle between frames; the final check is finer.
inline constexpr std::size_t kSamplesPerFrame = 2;

/// A joint that moves by curves.
struct MovingBody {
    JointId joint = JointId::None;
    std::size_t parent = kNone;  ///< the nearest body above
    std::size_t rotation = kNone;
    std::size_t translation = kNone;  ///< curves
};

/// What stays the same during a reduction.
struct ReduceProblem {
    const Skeleton* skeleton = nullptr;
    const Motion* motion = nullptr;
    double tolerance = 0.0;
    unsigned threads = 0;
    std::vector<double> reach;  ///< per joint: how far the points it turns are from it
    std::vector<MovingBody> bodies;
    std::vector<MeasuredPoint> points;
};

class ClipWindow {
  public:
    /// From frame `begin` to `end`, both included, sampled so many times per frame.
    ClipWindow(const ReduceProblem& problem, const std::vector<KeyCurve>& curves, std::size_t begin,
               std::size_t end, std::size_t per_frame);

    /// Values and knots, added where they are missing, that keep the points within the tolerance;
    /// false where that cannot be had.
    bool mend(int rounds);
    /// Fewer knots: takes some away as long as the points can be kept within the tolerance.
    void reduce(int rounds);
    /// Puts the window's knots in place of those of the clip.
    void putBack(std::vector<KeyCurve>& curves) const;

  private:
    struct Curve {
        KeyCurve curve;         // the knots that matter here
        std::size_t first = 0;  // which of the clip's they are
        std::size_t count = 0;
        bool at_start = false, at_end = false;  // of the clip
        std::size_t body = kNone;
        std::size_t first_value = 0;  // of its first knot, in the vectors of the solve
        CurveSamples now;
        std::vector<KnotInfluence> influence;
    };
    // How a body moves in a step: a point at x goes by shift + turn cross x; and what pulls at it
    // and all below.
    struct BodyStep {
        Vec3 turn, shift, torque, force;
    };

    void prepare();
    void evaluate();
    void computeInfluences();
    void setWeights();
    [[nodiscard]] double cost() const;
    void pull(std::size_t sample, std::vector<BodyStep>& bodies, std::vector<Vec3>* out);
    void computeGradient();
    void multiply(const std::vector<Vec3>& by, std::vector<Vec3>& out);
    void computeBlocks();
    void solve(int iterations);
    void step(double factor);
    bool optimise(int steps);
    [[nodiscard]] bool isFree(const Curve& c, std::size_t knot) const;
    [[nodiscard]] bool isFreeSegment(const Curve& c, std::size_t segment) const;
    std::size_t addKnots();
    bool addKnotFor(std::size_t sample, std::size_t point, std::size_t& until);
    std::size_t removeKnots(double budget);
    [[nodiscard]] std::size_t floatCount() const;

    const ReduceProblem& problem_;
    Pose base_;
    std::size_t begin_;
    std::size_t end_;
    std::size_t rate_;  // samples per frame
    std::size_t samples_;
    double worst_ = 0.0;

    std::vector<Curve> curves_;
    std::vector<Vec3> goals_;  // per sample and point
    std::vector<Vec3> at_;     // where they are
    std::vector<double> weights_;
    std::vector<Vec3> along_;
    std::vector<Vec3> pivots_;     // per sample and body: its origin
    std::vector<Mat3> frames_;     // its parent's axes
    std::vector<double> scales_;   // its parent's scale
    std::vector<Vec3> gradients_;  // per sample and curve
    std::vector<double> stiffness_;

    std::vector<Vec3> values_, residual_, direction_, product_, scaled_;
    std::vector<Mat3> blocks_;  // inverse diagonal blocks
    std::vector<std::uint8_t> free_;
};

}  // namespace ulna::detail
