// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/clip_window.h"

#include <algorithm>
#include <utility>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::motion::detail {
namespace {

std::ptrdiff_t offset(std::size_t at) {
    return static_cast<std::ptrdiff_t>(at);
}

}  // namespace

ClipWindow::ClipWindow(const ReduceProblem& problem, const std::vector<KeyCurve>& curves,
                       std::size_t begin, std::size_t end, std::size_t per_frame)
    : problem_(problem),
      begin_(begin),
      end_(end),
      rate_(per_frame),
      samples_((end - begin) * per_frame + 1) {
    for (const KeyCurve& whole : curves) {
        Curve c;
        // A segment depends on the knots up to two before and after it.
        const std::size_t low = segmentAt(whole, static_cast<double>(begin));
        const std::size_t high = segmentAt(whole, static_cast<double>(end)) + 4;
        const std::size_t first = low < 2 ? 0 : low - 2;
        const std::size_t last = std::min(high, whole.knots.size());
        c.at_start = first == 0;
        c.at_end = last == whole.knots.size();
        c.curve.joint = whole.joint;
        c.curve.part = whole.part;
        c.curve.smooth = whole.smooth;
        c.curve.knots.assign(whole.knots.begin() + offset(first),
                             whole.knots.begin() + offset(last));
        curves_.push_back(std::move(c));
    }
    for (const MovingBody& body : problem.bodies) {
        if (body.rotation != kNoIndex) curves_[body.rotation].moves = true;
        if (body.translation != kNoIndex) curves_[body.translation].moves = true;
    }
    const std::size_t points = samples_ * problem.points.size();
    goals_.resize(points);
    at_.resize(points);
    weights_.resize(points);
    along_.resize(points);
    const std::size_t bodies = samples_ * problem.bodies.size();
    pivots_.resize(bodies);
    frames_.resize(bodies);
    scales_.resize(bodies);
    gradients_.resize(samples_ * curves_.size());
    stiffness_.resize(samples_ * curves_.size());
    setGoals();
    setLimits();
}

// The tolerance, less a margin for what is between the samples and for rounding. Near an end of the
// window that is none of the clip's, where knots are out of reach, no less than what is there; that
// is for another window to mend.
void ClipWindow::setLimits() {
    constexpr std::size_t kEdge = 32;  // frames
    limits_.assign(samples_, 0.97 * problem_.tolerance);
    prepare();
    evaluate();
    const std::size_t points = problem_.points.size();
    for (std::size_t i = 0; i < at_.size(); ++i) {
        const std::size_t s = i / points;
        const std::size_t f = s / rate_;
        const bool edge = (begin_ > 0 && f < kEdge) ||
                          (end_ + 1 < problem_.motion->frameCount() && f + kEdge > end_ - begin_);
        if (edge) limits_[s] = std::max(limits_[s], errorAt(i));
    }
}

void ClipWindow::setGoals() {
    ModelPose model;
    Vec3* goal = goals_.data();
    for (std::size_t s = 0; s < samples_; ++s) {
        const double time = frameOf(s) * problem_.motion->frameTime();
        computeModelPose(*problem_.skeleton, samplePose(*problem_.motion, time), model);
        for (const MeasuredPoint& point : problem_.points)
            *goal++ = model[point.joint] * point.position;
    }
}

void ClipWindow::putBack(std::vector<KeyCurve>& curves) const {
    const auto before = [](const Knot& knot, std::size_t frame) { return knot.frame < frame; };
    const auto inside = [&](auto& knots) {
        return std::pair(std::lower_bound(knots.begin(), knots.end(), begin_, before),
                         std::lower_bound(knots.begin(), knots.end(), end_ + 1, before));
    };
    for (std::size_t i = 0; i < curves.size(); ++i) {
        if (!curves_[i].moves) continue;
        auto& knots = curves[i].knots;
        const auto [from, to] = inside(knots);
        const auto at = knots.erase(from, to);
        const auto [first, last] = inside(curves_[i].curve.knots);
        knots.insert(at, first, last);
    }
}

// Whether a change between these two knots is felt within the window only. The slopes of smooth
// curves change the segments beyond, too.
bool ClipWindow::isFree(const Curve& c, std::size_t first, std::size_t last) const {
    const auto& knots = c.curve.knots;
    if (knots.size() < 2 || !c.moves) return false;
    const std::size_t more = c.curve.smooth ? 1 : 0;
    const bool after =
        first >= more ? knots[first - more].frame >= begin_ : c.at_start && begin_ == 0;
    const bool before = last + more < knots.size() ? knots[last + more].frame <= end_
                                                   : c.at_end && knots.back().frame <= end_;
    return after && before;
}

std::size_t ClipWindow::floatCount() const {
    std::size_t out = 0;
    for (const Curve& c : curves_) out += c.curve.floatCount();
    return out;
}

// After knots came or went: their indices in the solve.
void ClipWindow::prepare() {
    free_.clear();
    for (Curve& c : curves_) {
        c.first_value = free_.size();
        const std::size_t last = c.curve.knots.size() - 1;
        for (std::size_t k = 0; k <= last; ++k) {
            const bool is_free = isFree(c, k == 0 ? 0 : k - 1, std::min(k + 1, last));
            free_.push_back(is_free ? 1 : 0);
        }
    }
    values_.assign(free_.size(), {});
    blocks_.resize(free_.size());
}

void ClipWindow::evaluate() {
    for (Curve& c : curves_)
        sampleCurve(c.curve, static_cast<double>(begin_), 1.0 / static_cast<double>(rate_),
                    samples_, c.now);
    Pose pose = problem_.motion->base();
    ModelPose model;
    for (std::size_t s = 0; s < samples_; ++s) evaluateSample(s, pose, model);
    within_ = true;
    for (std::size_t i = 0; i < at_.size() && within_; ++i)
        within_ = errorAt(i) <= limits_[i / problem_.points.size()];
}

void ClipWindow::evaluateSample(std::size_t s, Pose& pose, ModelPose& model) {
    for (const Curve& c : curves_) {
        Trs& at = pose[c.curve.joint];
        if (c.curve.part == CurvePart::Rotation) at.rotation = c.now.rotations[s];
        if (c.curve.part == CurvePart::Translation) at.translation = c.now.vectors[s];
        if (c.curve.part == CurvePart::Scale) at.scale = c.now.vectors[s];
    }
    computeModelPose(*problem_.skeleton, pose, model);
    for (std::size_t b = 0; b < problem_.bodies.size(); ++b) {
        const JointId joint = problem_.bodies[b].joint;
        const JointId parent = problem_.skeleton->parent(joint);
        const Affine frame = parent == JointId::None ? Affine{} : model[parent];
        const std::size_t at = s * problem_.bodies.size() + b;
        // Of a scale that is not uniform the first axis' counts: the step is then less good, which
        // the check of its cost sees.
        const double scale = std::max(length(frame.column(0)), 1e-12);
        Mat3 axes = frame.linear();
        for (Vec3& row : axes.rows) row *= 1.0 / scale;
        pivots_[at] = model.position(joint);
        frames_[at] = axes;
        scales_[at] = scale;
    }
    Vec3* at = at_.data() + s * problem_.points.size();
    for (const MeasuredPoint& point : problem_.points) *at++ = model[point.joint] * point.position;
}

}  // namespace ulna::motion::detail
