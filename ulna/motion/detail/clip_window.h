// SPDX-License-Identifier: Apache-2.0

// All curves of a clip together over an interval of its frames: where they put every measured
// point, the knots' values that put the points best, and which knots can go or are missing.
//
// Long clips are reduced window by window, so that the work grows with the length of the clip and
// no faster.
#pragma once

#include <vector>

#include "ulna/motion/detail/key_curve.h"
#include "ulna/motion/detail/measure.h"

namespace ulna::motion::detail {

/// A joint that moves by curves.
struct MovingBody {
    JointId joint = JointId::None;
    std::size_t parent = kNoIndex;    ///< the nearest body above
    std::size_t rotation = kNoIndex;  ///< its curves
    std::size_t translation = kNoIndex;
};

/// What stays the same during a reduction.
struct ReduceProblem {
    const Skeleton* skeleton = nullptr;
    const Motion* motion = nullptr;
    double tolerance = 0.0;
    std::vector<double> reach;          ///< per joint: the distance of the points that it rotates
    std::vector<MovingBody> bodies;     ///< parents first
    std::vector<MeasuredPoint> points;  ///< those that a body carries
};

class ClipWindow {
  public:
    /// From frame `begin` to `end`, both included, sampled so many times per frame. The problem
    /// outlives the window.
    ClipWindow(const ReduceProblem& problem, const std::vector<KeyCurve>& curves, std::size_t begin,
               std::size_t end, std::size_t per_frame);

    /// Finds values for the knots, and adds knots where they are missing, until every point is
    /// within the tolerance at every sample; false where that is not reached.
    bool mend(int rounds);
    /// Fewer knots: takes many away, adds what is missing, and keeps the best of it.
    void reduce(int rounds);
    /// Puts the window's knots in place of those of the clip. Only knots have changed whose change
    /// is not felt outside the window, so windows that share no more than an end frame do not
    /// depend on each other.
    void putBack(std::vector<KeyCurve>& curves) const;

  private:
    struct Curve {
        KeyCurve curve;         // the knots that matter here,
        bool at_start = false;  // and whether they begin or end the clip's
        bool at_end = false;
        bool moves = false;           // some body
        std::size_t first_value = 0;  // of its first knot, in the vectors of the solve
        CurveSamples now;
        std::vector<KnotInfluence> influence;
    };
    // How a body moves in a step: a point at x goes by shift + turn cross x. And what pulls at it
    // and at all below.
    struct BodyStep {
        Vec3 turn, shift, torque, force;
    };
    // The weights of a body's points: their sum, and the sums times x and times x x^T.
    struct BodyMass {
        double weight = 0.0;
        Vec3 first;
        Mat3 second = kZero;
    };
    static constexpr Mat3 kZero = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};

    // Where everything is: clip_window.cpp
    [[nodiscard]] double frameOf(std::size_t sample) const {
        return static_cast<double>(begin_) +
               static_cast<double>(sample) / static_cast<double>(rate_);
    }
    void setGoals();
    void setLimits();
    void prepare();
    void evaluate();
    void evaluateSample(std::size_t sample, Pose& pose, ModelPose& model);
    [[nodiscard]] double errorAt(std::size_t point) const {
        return distance(at_[point], goals_[point]);
    }
    [[nodiscard]] bool isFree(const Curve& c, std::size_t first, std::size_t last) const;
    [[nodiscard]] std::size_t floatCount() const;

    // The best values: clip_solve.cpp
    bool optimise(int steps);
    void chooseActive();
    [[nodiscard]] bool isActive(std::size_t sample) const { return active_[sample] != 0; }
    void setWeights();
    [[nodiscard]] double cost() const;
    void computeInfluences();
    void computeGradient();
    void pull(std::size_t sample, std::vector<BodyStep>& bodies, std::vector<Vec3>& out) const;
    void multiply(const std::vector<Vec3>& by, std::vector<Vec3>& out) const;
    void multiplySample(std::size_t sample, const std::vector<Vec3>& by,
                        std::vector<BodyStep>& bodies, std::vector<Vec3>& pulls,
                        std::vector<Vec3>& out) const;
    void computeBlocks();
    void addBlocks(std::size_t sample, std::vector<BodyMass>& masses);
    void solve();
    void step(double factor);

    // Which knots: clip_knots.cpp
    struct Addition {
        std::size_t curve = kNoIndex;
        std::size_t segment = 0;
        std::size_t frame = 0;
        double gain = 0.0;
    };
    std::size_t addKnots();
    void chooseAdditions(std::size_t begin, std::size_t end, std::vector<std::size_t>& busy,
                         std::vector<Addition>& additions) const;
    [[nodiscard]] Addition bestAddition(std::size_t sample, std::size_t point) const;
    [[nodiscard]] Addition judgeAddition(std::size_t curve, double frame) const;
    void add(const Addition& addition);
    std::size_t removeKnots(double budget);
    void restoreAround(const std::vector<Curve>& state, std::size_t frames);

    const ReduceProblem& problem_;
    std::size_t begin_;
    std::size_t end_;
    std::size_t rate_;  // samples per frame
    std::size_t samples_;
    std::vector<double> limits_;  // per sample: how far off its points may be
    bool within_ = false;         // whether they are no farther
    // Samples that are worked on: those near points that are off. Knots that other samples depend
    // on keep their values. So the work grows with what is left to do, not with the window.
    std::vector<std::uint8_t> active_;
    std::vector<Curve> curves_;

    // Per sample and point.
    std::vector<Vec3> goals_;
    std::vector<Vec3> at_;
    std::vector<double> weights_;  // the second derivative of the cost: this times the identity,
    std::vector<Vec3> along_;      // and this times itself transposed
    // Per sample and body: its origin, and its parent's axes and scale.
    std::vector<Vec3> pivots_;
    std::vector<Mat3> frames_;
    std::vector<double> scales_;
    // Per sample and curve: how much the points want it to change, and how much they resist.
    std::vector<Vec3> gradients_;
    std::vector<double> stiffness_;
    // Per knot.
    std::vector<std::uint8_t> free_;
    std::vector<Mat3> blocks_;
    std::vector<Vec3> values_, residual_, direction_, product_, scaled_;
};

}  // namespace ulna::motion::detail
