// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/clip_window.h"

#include <algorithm>
#include <utility>

#include "ulna/motion/detail/clip_cost.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::motion::detail {
namespace {

constexpr Affine kModelFrame{};

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
      samples_((end - begin) * per_frame + 1),
      blocks_((samples_ + Lanes::kCount - 1) / Lanes::kCount) {
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
        if (whole.smooth) effort_ = kSmooth;
        c.curve.knots.assign(whole.knots.begin() + offset(first),
                             whole.knots.begin() + offset(last));
        curves_.push_back(std::move(c));
    }
    for (const MovingBody& body : problem.bodies) {
        if (body.rotation != kNoIndex) curves_[body.rotation].moves = true;
        if (body.translation != kNoIndex) curves_[body.translation].moves = true;
    }
    const double reach =
        problem.reach.empty() ? 0.0 : *std::max_element(problem.reach.begin(), problem.reach.end());
    if (reach > 0.0) unit_ = reach;
    goals_.resize(samples_ * problem.points.size());
    points_.resize(blocks_ * problem.points.size());
    stale_.assign(samples_, 1);
    off_.resize(samples_);
    costs_.resize(samples_);
    active_.resize(blocks_);
    linear_.assign(blocks_, 0);
    places_.resize(blocks_ * problem.bodies.size());
    stiffness_.resize(places_.size());
    pulls_.resize(places_.size());
    gradients_.resize(blocks_ * curves_.size());
    resistances_.resize(gradients_.size());
    now_.resize(curves_.size());
    setGoals();
    setLimits();
}

// The tolerance, less a margin for what is between the samples and for rounding. Near an end of the
// window that is none of the clip's, where knots are out of reach, no less than what is there; that
// is for another window to mend.
void ClipWindow::setLimits() {
    constexpr std::size_t kEdge = 32;  // frames
    limits_.assign(samples_, 0.97 * problem_.tolerance);
    evaluateStale();
    const std::size_t points = problem_.points.size();
    for (std::size_t s = 0; s < samples_; ++s) {
        if (!isNearEdge(s, kEdge)) continue;
        for (std::size_t p = 0; p < points; ++p) allowError(s, p);
        off_[s] = 0;
    }
}

void ClipWindow::tighten(std::size_t frame, double factor) {
    const std::size_t last = sampleAt(std::min(frame + 1, end_));
    for (std::size_t s = sampleAt(frame); s <= last; ++s)
        limits_[s] = std::min(limits_[s], 0.97 * factor * problem_.tolerance);
    markStale(frame, frame + 1);
}

void ClipWindow::allowError(std::size_t sample, std::size_t point) {
    // A little more, since the errors are rounded to float.
    limits_[sample] = std::max(limits_[sample], (1.0 + 1e-6) * errorAt(sample, point));
}

// Whether a sample is within so many frames of an end of the window that is none of the clip's.
bool ClipWindow::isNearEdge(std::size_t sample, std::size_t frames) const {
    const std::size_t f = sample / rate_;
    return (begin_ > 0 && f < frames) ||
           (end_ + 1 < problem_.motion->frameCount() && f + frames > end_ - begin_);
}

void ClipWindow::setGoals() {
    Pose pose;
    Vec3* goal = goals_.data();
    for (std::size_t s = 0; s < samples_; ++s) {
        if (s % rate_ == 0)
            problem_.motion->getPose(begin_ + s / rate_, pose);
        else
            pose = samplePose(*problem_.motion, frameOf(s) * problem_.motion->frameTime());
        computeModelPose(*problem_.skeleton, pose, model_);
        for (const MeasuredPoint& point : problem_.points)
            *goal++ = model_[point.joint] * point.position;
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

// After knots came or went: their indices in the solve, and how much they count where.
void ClipWindow::prepare() {
    free_.clear();
    for (Curve& c : curves_) {
        c.first_value = free_.size();
        const std::size_t last = c.curve.knots.size() - 1;
        for (std::size_t k = 0; k <= last; ++k) {
            const bool is_free =
                !c.curve.knots[k].fixed && isFree(c, k == 0 ? 0 : k - 1, std::min(k + 1, last));
            free_.push_back(is_free ? 1 : 0);
        }
        if (c.moves) setSampleWeights(c);
    }
}

void ClipWindow::setSampleWeights(Curve& c) const {
    c.weights.resize(blocks_ * Lanes::kCount);
    const auto& knots = c.curve.knots;
    std::size_t segment = segmentAt(c.curve, static_cast<double>(begin_));
    for (std::size_t s = 0; s < samples_; ++s) {
        const double frame = frameOf(s);
        while (segment + 2 < knots.size() && frame >= static_cast<double>(knots[segment + 1].frame))
            ++segment;
        const KnotWeights w = knotWeights(c.curve, segment, frame);
        SampleWeights& out = c.weights[s];
        out.first = static_cast<std::uint32_t>(w.first);
        out.count = static_cast<std::uint32_t>(w.count);
        for (std::size_t k = 0; k < w.count; ++k) out.weight[k] = static_cast<float>(w.weight[k]);
    }
}

// The samples between two frames, as far as they are in the window.
void ClipWindow::markStale(std::size_t first_frame, std::size_t last_frame) {
    const std::size_t first = sampleAt(std::max(first_frame, begin_));
    const std::size_t last = sampleAt(std::min(last_frame, end_));
    for (std::size_t s = first; s <= last; ++s) stale_[s] = 1;
}

void ClipWindow::evaluateStale() {
    for (std::size_t s = 0; s < samples_; ++s) {
        if (stale_[s] == 0) continue;
        std::size_t end = s + 1;
        while (end < samples_ && stale_[end] != 0) ++end;
        evaluate(s, end);
        s = end;
    }
}

void ClipWindow::evaluate(std::size_t begin, std::size_t end) {
    for (std::size_t c = 0; c < curves_.size(); ++c)
        sampleCurve(curves_[c].curve, frameOf(begin), 1.0 / static_cast<double>(rate_), end - begin,
                    now_[c]);
    Pose pose = problem_.motion->base();
    for (std::size_t s = begin; s < end; ++s) {
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const KeyCurve& curve = curves_[c].curve;
            Trs& at = pose[curve.joint];
            if (curve.part == CurvePart::Rotation) at.rotation = now_[c].rotations[s - begin];
            if (curve.part == CurvePart::Translation) at.translation = now_[c].vectors[s - begin];
            if (curve.part == CurvePart::Scale) at.scale = now_[c].vectors[s - begin];
        }
        evaluateSample(s, pose);
    }
    poses_computed_ += end - begin;
}

void ClipWindow::evaluateSample(std::size_t s, const Pose& pose) {
    computeModelPose(*problem_.skeleton, pose, model_);
    const std::size_t bodies = problem_.bodies.size();
    const std::size_t block = s / Lanes::kCount;
    const std::size_t lane = s % Lanes::kCount;
    const double per_unit = 1.0 / unit_;
    // The lanes' coordinates begin at the first body, where float is most precise.
    const Vec3 centre = bodies == 0 ? Vec3{} : model_.position(problem_.bodies.front().joint);
    for (std::size_t b = 0; b < bodies; ++b) {
        const JointId joint = problem_.bodies[b].joint;
        const JointId parent = problem_.skeleton->parent(joint);
        const Affine& frame = parent == JointId::None ? kModelFrame : model_[parent];
        // Of a scale that is not uniform the first axis' counts: the step is then less good, which
        // the check of its cost sees.
        const double scale = std::max(length(frame.column(0)), 1e-12);
        const double per_scale = 1.0 / scale;
        BodyPlace& place = places_[block * bodies + b];
        for (std::size_t i = 0; i < 3; ++i)
            setLane(Vec3{frame.columns[0][i], frame.columns[1][i], frame.columns[2][i]} * per_scale,
                    lane, place.axes.rows[i]);
        setLane((model_.position(joint) - centre) * per_unit, lane, place.pivot);
        place.scale.set(lane, scale);
    }
    const std::size_t points = problem_.points.size();
    const Vec3* goal = goals_.data() + s * points;
    PointPlace* place = points_.data() + block * points;
    double worst = 0.0;
    double cost = 0.0;
    const double per_tolerance = 1.0 / problem_.tolerance;
    for (std::size_t p = 0; p < points; ++p) {
        const MeasuredPoint& point = problem_.points[p];
        const Vec3 at = model_[point.joint] * point.position;
        const Vec3 error = goal[p] - at;
        setLane((at - centre) * per_unit, lane, place[p].at);
        setLane(error * per_unit, lane, place[p].error);
        const double size = length(error);
        // Written so that what is not a number counts as off.
        if (!(size <= worst)) worst = size;
        cost += pointCost(size * per_tolerance);
    }
    off_[s] = worst <= limits_[s] ? 0 : 1;
    costs_[s] = cost;
    stale_[s] = 0;
    linear_[block] = 0;
}

double ClipWindow::errorAt(std::size_t sample, std::size_t point) const {
    const std::size_t at = sample / Lanes::kCount * problem_.points.size() + point;
    return length(laneOf(points_[at].error, sample % Lanes::kCount)) * unit_;
}

}  // namespace ulna::motion::detail
