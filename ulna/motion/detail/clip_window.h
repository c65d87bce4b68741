// SPDX-License-Identifier: Apache-2.0

// All curves of a clip together over an interval of its frames: where they put every measured
// point, the knots' values that put the points best, and which knots can go or are missing.
//
// Long clips are reduced window by window, so that the work grows with the length of the clip and
// no faster. Within a window only the samples are computed again that a change of the knots
// reaches.
#pragma once

#include <vector>

#include "ulna/motion/detail/key_curve.h"
#include "ulna/motion/detail/lanes.h"
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
    /// Tightens the tolerance to `factor` from a frame to the next: what is between the samples is
    /// farther off than they are.
    void tighten(std::size_t frame, double factor);
    /// Fewer knots: takes many away, adds what is missing, and keeps the best of it.
    void reduce(int rounds);
    /// Puts the window's knots in place of those of the clip. Only knots have changed whose change
    /// is not felt outside the window, so windows that share no more than an end frame do not
    /// depend on each other.
    void putBack(std::vector<KeyCurve>& curves) const;
    /// How many times a pose of the skeleton was computed: the work, for those who compare it.
    [[nodiscard]] std::size_t posesComputed() const { return poses_computed_; }

  private:
    // How much is tried before a knot is added or brought back. Found by trials on walking, running
    // and standing clips. Smooth curves feel their knots farther away and settle more slowly.
    struct Effort {
        int steps;           // of Newton's method between changes of the knots
        double exactness;    // of a step: what is left of the residual's square
        std::size_t around;  // frames on both sides of what is off that are worked on
        double budget;       // tolerances that what is taken away may add up to at a time
        int mends;           // times that knots are added after some were taken away
    };
    static constexpr Effort kStraight = {2, 1e-2, 16, 25.0, 8};
    static constexpr Effort kSmooth = {4, 1e-4, 64, 12.0, 16};

    // The knots that matter at a sample.
    struct SampleWeights {
        std::uint32_t first = 0, count = 0;
        std::array<float, 4> weight = {};
    };
    struct Curve {
        KeyCurve curve;         // the knots that matter here,
        bool at_start = false;  // and whether they begin or end the clip's
        bool at_end = false;
        bool moves = false;           // some body
        std::size_t first_value = 0;  // of its first knot, in the vectors of the solve
        std::vector<SampleWeights> weights;
    };
    // Where a body is: its origin, and its parent's axes and scale.
    struct BodyPlace {
        LanesMat3 axes;
        LanesVec3 pivot;
        Lanes scale;
    };
    // How a body moves in a step: a point at x goes by shift + turn cross x. And what pulls at it
    // and at all below.
    struct BodyStep {
        LanesVec3 turn, shift, torque, force;
    };
    // What a body's points resist with: torque = rr turn + rs shift, force = rs^T turn + ss shift.
    struct BodyStiffness {
        LanesSym3 rr;
        LanesMat3 rs = zeroLanesMat3();
        LanesSym3 ss;
    };
    struct BodyPull {
        LanesVec3 torque, force;
    };
    // A measured point: where it is, and from there to where the clip has it.
    struct PointPlace {
        LanesVec3 at, error;
    };

    // Where everything is: clip_window.cpp
    [[nodiscard]] double frameOf(std::size_t sample) const {
        return static_cast<double>(begin_) +
               static_cast<double>(sample) / static_cast<double>(rate_);
    }
    [[nodiscard]] std::size_t sampleAt(std::size_t frame) const { return (frame - begin_) * rate_; }
    void setGoals();
    void setLimits();
    [[nodiscard]] bool isNearEdge(std::size_t sample, std::size_t frames) const;
    void allowError(std::size_t sample, std::size_t point);
    void prepare();
    void setSampleWeights(Curve& c) const;
    void markStale(std::size_t first_frame, std::size_t last_frame);
    void evaluateStale();
    void evaluate(std::size_t begin, std::size_t end);
    void evaluateSample(std::size_t sample, const Pose& pose);
    [[nodiscard]] double errorAt(std::size_t sample, std::size_t point) const;
    [[nodiscard]] bool isFree(const Curve& c, std::size_t first, std::size_t last) const;
    [[nodiscard]] std::size_t floatCount() const;

    // The best values: clip_solve.cpp
    bool optimise(int steps, std::size_t around);
    void chooseActive(std::size_t around);
    [[nodiscard]] bool isActive(std::size_t block) const { return active_[block] != 0; }
    [[nodiscard]] double cost() const;
    void linearise();
    void lineariseBlock(std::size_t block);
    void addPoint(const PointPlace& point, BodyStiffness& stiffness, BodyPull& pull) const;
    void pullCurves(std::size_t block);
    void stiffenCurves(std::size_t block);
    void gatherKnots();
    void multiply(const std::vector<Lanes>& by, std::vector<Lanes>& out) const;
    [[nodiscard]] static LanesVec3 changeOf(const Curve& c, std::size_t block,
                                            const std::vector<Lanes>& by);
    static void addPull(const Curve& c, std::size_t block, const LanesVec3& pull,
                        std::vector<Lanes>& out);
    void solve();
    void step(double factor);

    // Which knots: clip_knots.cpp
    struct Addition {
        std::size_t curve = kNoIndex;
        std::size_t segment = 0;
        std::size_t frame = 0;
        double gain = 0.0;
    };
    [[nodiscard]] std::size_t meanSpacing() const;
    std::size_t addKnots();
    void chooseAdditions(std::size_t begin, std::size_t end, std::vector<std::size_t>& busy,
                         std::vector<Addition>& additions) const;
    [[nodiscard]] Addition bestAddition(std::size_t sample, std::size_t point) const;
    [[nodiscard]] Addition judgeAddition(std::size_t curve, double frame) const;
    void add(const Addition& addition);
    std::size_t removeKnots(double budget);
    bool allowErrors();
    void restore(const std::vector<Curve>& state);
    void restoreAround(const std::vector<Curve>& state, std::size_t frames);

    const ReduceProblem& problem_;
    std::size_t begin_;
    std::size_t end_;
    std::size_t rate_;  // samples per frame
    std::size_t samples_;
    std::size_t blocks_;  // of Lanes::kCount samples
    double unit_ = 1.0;   // of length in the lanes, so that no file's unit is too large for float
    std::size_t poses_computed_ = 0;
    Effort effort_ = kStraight;
    std::vector<Curve> curves_;

    // Per sample.
    std::vector<double> limits_;       // how far off its points may be
    std::vector<std::uint8_t> stale_;  // whether a knot has changed that counts here
    std::vector<std::uint8_t> off_;    // whether a point is farther than the limit
    std::vector<double> costs_;
    // Per block. Active are those near points that are off; knots that other samples depend on keep
    // their values. So the work grows with what is left to do, not with the window.
    std::vector<std::uint8_t> active_;
    std::vector<std::uint8_t> linear_;  // whether what is below is that of the present pose
    std::vector<Vec3> goals_;           // per sample and point
    std::vector<PointPlace> points_;    // per block and point
    // Per block and body.
    std::vector<BodyPlace> places_;
    std::vector<BodyStiffness> stiffness_;
    std::vector<BodyPull> pulls_;
    // Per block and curve: how much the points want it to change, and how much they resist.
    std::vector<LanesVec3> gradients_;
    std::vector<LanesSym3> resistances_;
    // Per knot.
    std::vector<std::uint8_t> free_;
    std::vector<Mat3> inverses_;
    std::vector<Lanes> values_, residual_, direction_, product_, scaled_;  // x, y, z and 0
    // Kept for their memory.
    std::vector<CurveSamples> now_;
    ModelPose model_;
};

}  // namespace ulna::motion::detail
