// SPDX-License-Identifier: Apache-2.0
//
// Which knots a clip needs. Rounds of taking away and adding: those that the curve would miss least
// go, many at once; the values of the others are found anew; where a point is off, a knot comes
// back in the curve that would do most about it. Where that fails the round is taken back, there
// only.
#include <algorithm>
#include <cmath>

#include "ulna/motion/detail/clip_window.h"

namespace ulna::motion::detail {
namespace {

// Found by trials on walking, running and standing clips; the result depends little on them.
constexpr double kLess = 0.9;      // times the budget after a round of little use
constexpr std::size_t kApart = 6;  // frames between additions of the same round

bool isEarlier(const Knot& a, const Knot& b) {
    return a.frame < b.frame;
}

}  // namespace

void ClipWindow::reduce(int rounds) {
    bool within = mend(30) || allowErrors();
    double budget = effort_.budget * problem_.tolerance;
    std::vector<Curve> best = curves_;
    std::size_t fewest = floatCount();
    int useless = 0;
    for (int i = 0; i < rounds && useless < 3; ++i) {
        if (removeKnots(budget) == 0) break;
        bool ok = mend(effort_.mends);
        for (std::size_t frames = 8; !ok && within && frames < 100; frames *= 3) {
            restoreAround(best, frames);
            ok = mend(2);
        }
        const std::size_t floats = floatCount();
        const bool better = ok && (floats < fewest || !within);
        if (!better || static_cast<double>(floats) > 0.98 * static_cast<double>(fewest))
            budget *= kLess;
        useless = better ? 0 : useless + 1;
        if (!better) {
            restore(best);
            continue;
        }
        best = curves_;
        fewest = floats;
        within = true;
    }
    curves_ = std::move(best);
}

// Takes the errors towards the next window as they are: knots that could lower them are out of
// reach, and those elsewhere can go nevertheless. Another window mends them, or the check at the
// end. False if there are others.
bool ClipWindow::allowErrors() {
    constexpr std::size_t kEdge = 100;  // frames
    for (std::size_t s = 0; s < samples_; ++s) {
        if (off_[s] == 0) continue;
        if (!isNearEdge(s, kEdge)) return false;
        for (std::size_t p = 0; p < problem_.points.size(); ++p) allowError(s, p);
        off_[s] = 0;
    }
    return true;
}

void ClipWindow::restore(const std::vector<Curve>& state) {
    curves_ = state;
    markStale(begin_, end_);
}

bool ClipWindow::mend(int rounds) {
    // What is not mended soon may need knots that are felt farther away.
    std::size_t around = std::max(effort_.around, 3 * meanSpacing());
    for (int i = 0; i < rounds; ++i) {
        if (optimise(effort_.steps, around)) return true;
        const bool added = addKnots() > 0;
        if (!added && around > end_ - begin_) return false;
        if (!added || i >= 3) around = std::min(2 * around, end_ - begin_ + 1);
    }
    return optimise(2 * effort_.steps, around);
}

// Of the knots, in frames.
std::size_t ClipWindow::meanSpacing() const {
    std::size_t frames = 0, segments = 1;
    for (const Curve& c : curves_) {
        if (!c.moves) continue;
        frames += end_ - begin_;
        segments += c.curve.knots.size() - 1;
    }
    return frames / segments;
}

std::size_t ClipWindow::addKnots() {
    linearise();
    std::vector<Addition> additions;
    std::vector<std::size_t> busy(problem_.skeleton->jointCount(), 0);
    for (std::size_t s = 0; s < samples_; s += kApart * rate_)
        chooseAdditions(s, std::min(samples_, s + kApart * rate_), busy, additions);
    // Later ones first, so that the segments of those before stay what they were.
    for (std::size_t i = additions.size(); i-- > 0;) add(additions[i]);
    return additions.size();
}

// Additions for the points that are off at some samples, the farthest first. Those of one time are
// on limbs that do not move each other, so that each does what it is expected to: `busy` says per
// joint up to which frame it, a joint above or one below has got a knot. Bodies with many limbs
// then need no more rounds than those with few.
void ClipWindow::chooseAdditions(std::size_t begin, std::size_t end, std::vector<std::size_t>& busy,
                                 std::vector<Addition>& additions) const {
    struct Off {
        double error = 0.0;
        std::size_t sample = 0, point = 0;
    };
    const std::size_t points = problem_.points.size();
    std::vector<Off> worst(problem_.bodies.size());
    for (std::size_t s = begin; s < end; ++s) {
        for (std::size_t p = 0; p < points && off_[s] != 0; ++p) {
            const double error = errorAt(s, p);
            Off& off = worst[problem_.points[p].body];
            if (error > limits_[s] && error > off.error) off = {error, s, p};
        }
    }
    std::stable_sort(worst.begin(), worst.end(),
                     [](const Off& a, const Off& b) { return a.error > b.error; });
    for (const Off& off : worst) {
        if (!(off.error > 0.0)) return;
        const Addition addition = bestAddition(off.sample, off.point);
        if (addition.curve == kNoIndex) continue;
        const Curve& c = curves_[addition.curve];
        const JointId joint = c.curve.joint;
        if (frameOf(off.sample) < static_cast<double>(busy[index(joint)])) continue;
        additions.push_back(addition);
        const std::size_t until =
            std::max(c.curve.knots[addition.segment + 1].frame, begin_ + end / rate_);
        for (const JointId below : problem_.skeleton->subtree(joint)) busy[index(below)] = until;
        for (JointId j = joint; j != JointId::None; j = problem_.skeleton->parent(j))
            busy[index(j)] = std::max(busy[index(j)], until);
    }
}

// Among the curves that move a point, the one where a knot at about this sample would lower the
// cost most for its size.
ClipWindow::Addition ClipWindow::bestAddition(std::size_t sample, std::size_t point) const {
    Addition best;
    for (std::size_t b = problem_.points[point].body; b != kNoIndex;
         b = problem_.bodies[b].parent) {
        for (const std::size_t curve :
             {problem_.bodies[b].rotation, problem_.bodies[b].translation}) {
            if (curve == kNoIndex) continue;
            const Addition addition = judgeAddition(curve, frameOf(sample));
            if (addition.gain > best.gain) best = addition;
        }
    }
    return best;
}

// A knot adds a bump to the curve between its neighbours. The gain is what Newton's method would
// get from that bump alone.
ClipWindow::Addition ClipWindow::judgeAddition(std::size_t curve, double frame) const {
    const Curve& c = curves_[curve];
    const auto& knots = c.curve.knots;
    const std::size_t segment = segmentAt(c.curve, frame);
    if (knots.size() < 2 || !isFree(c, segment, segment + 1)) return {};
    const std::size_t low = knots[segment].frame;
    const std::size_t high = knots[segment + 1].frame;
    // Between neighbouring frames a smooth curve can still be made straight.
    const bool straighten = high - low < 2;
    if (straighten && (!c.curve.smooth || (knots[segment].corner && knots[segment + 1].corner)))
        return {};
    // Smooth curves want even knots; straight ones want them where the track bends.
    const std::size_t nearest = static_cast<std::size_t>(std::lround(frame));
    const std::size_t middle = low + (high - low) / 2;
    const std::size_t at =
        c.curve.smooth ? middle : std::clamp(nearest, low + 1, std::max(low + 1, high - 1));
    Vec3 pulls;
    double resistance = 0.0;
    for (std::size_t s = sampleAt(low); s <= sampleAt(high); ++s) {
        // What is far from points that are off hardly pulls.
        if (!isActive(s / Lanes::kCount)) continue;
        const double f = frameOf(s);
        const double from = static_cast<double>(f < static_cast<double>(at) ? low : high);
        const double span = static_cast<double>(at) - from;
        double bump = straighten ? 1.0 : (f - from) / span;
        if (c.curve.smooth) bump *= bump * (3.0 - 2.0 * bump);
        const std::size_t at_block = s / Lanes::kCount * curves_.size() + curve;
        const LanesSym3& resists = resistances_[at_block];
        pulls += laneOf(gradients_[at_block], s % Lanes::kCount) * bump;
        const Vec3 diagonal =
            laneOf({resists.xx, resists.yy, resists.zz}, s % Lanes::kCount) * (1.0 / 3.0);
        resistance += bump * bump * (diagonal.x + diagonal.y + diagonal.z);
    }
    if (!(resistance > 0.0)) return {};
    const double size = c.curve.rotates() ? 5.0 : 4.0;
    // A bump that only straightens does less than it promises.
    const double promise = straighten ? 0.25 : 1.0;
    return {curve, segment, at, promise * dot(pulls, pulls) / (resistance * size)};
}

void ClipWindow::add(const Addition& addition) {
    KeyCurve& curve = curves_[addition.curve].curve;
    auto& knots = curve.knots;
    Knot& before = knots[addition.segment];
    Knot& after = knots[addition.segment + 1];
    if (after.frame - before.frame < 2) {
        before.corner = after.corner = true;
        markStale(begin_, end_);
        return;
    }
    // A straight curve does not change by a knot on it.
    if (curve.smooth) {
        const std::size_t k = addition.segment;
        markStale(knots[k == 0 ? 0 : k - 1].frame, knots[std::min(k + 2, knots.size() - 1)].frame);
    }
    knots.insert(knots.begin() + static_cast<std::ptrdiff_t>(addition.segment + 1),
                 knotAt(curve, addition.frame));
}

std::size_t ClipWindow::removeKnots(double budget) {
    struct Candidate {
        double cost;
        std::size_t curve, knot;
    };
    std::vector<Candidate> candidates;
    std::vector<std::vector<std::uint8_t>> gone(curves_.size());
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        const KeyCurve& curve = curves_[i].curve;
        gone[i].assign(curve.knots.size(), 0);
        const double reach = curve.rotates() ? problem_.reach[index(curve.joint)] : 1.0;
        for (std::size_t k = 1; k + 1 < curve.knots.size(); ++k) {
            if (curve.knots[k].fixed || !isFree(curves_[i], k - 1, k + 1)) continue;
            const Vec3 missed = changeBetween(curve, curve.knots[k], withoutKnot(curve, k));
            candidates.push_back({length(missed) * reach, i, k});
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    // What the removals may come to, frame by frame, stays within the budget.
    std::vector<double> load(end_ - begin_ + 1, 0.0);
    std::size_t removed = 0;
    for (const Candidate& candidate : candidates) {
        const auto& knots = curves_[candidate.curve].curve.knots;
        const std::size_t k = candidate.knot;
        auto& marks = gone[candidate.curve];
        if (marks[k - 1] != 0 || marks[k + 1] != 0) continue;
        const auto low = load.begin() + static_cast<std::ptrdiff_t>(knots[k - 1].frame - begin_);
        const auto high = load.begin() + static_cast<std::ptrdiff_t>(knots[k + 1].frame - begin_);
        if (*std::max_element(low, high + 1) + candidate.cost > budget) continue;
        std::for_each(low, high + 1, [&](double& at) { at += candidate.cost; });
        marks[k] = 1;
        ++removed;
    }
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        auto& knots = curves_[i].curve.knots;
        const std::size_t more = curves_[i].curve.smooth ? 2 : 1;
        for (std::size_t k = 0; k < knots.size(); ++k)
            if (gone[i][k] != 0)
                markStale(knots[k < more ? 0 : k - more].frame,
                          knots[std::min(k + more, knots.size() - 1)].frame);
        std::size_t kept = 0;
        for (std::size_t k = 0; k < knots.size(); ++k)
            if (gone[i][k] == 0) knots[kept++] = knots[k];
        knots.resize(kept);
    }
    return removed;
}

// Takes the knots of another state back within so many frames of every time that is off.
void ClipWindow::restoreAround(const std::vector<Curve>& state, std::size_t frames) {
    std::vector<std::uint8_t> off(end_ - begin_ + 1, 0);
    for (std::size_t s = 0; s < samples_; ++s) {
        if (off_[s] == 0) continue;
        const std::size_t f = s / rate_;
        const std::size_t last = std::min(f + frames, end_ - begin_);
        for (std::size_t k = f < frames ? 0 : f - frames; k <= last; ++k) off[k] = 1;
    }
    const auto isOff = [&](const Knot& knot) {
        return knot.frame >= begin_ && knot.frame <= end_ && off[knot.frame - begin_] != 0;
    };
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        std::vector<Knot> knots;
        for (const Knot& knot : curves_[i].curve.knots)
            if (!isOff(knot)) knots.push_back(knot);
        for (const Knot& knot : state[i].curve.knots)
            if (isOff(knot)) knots.push_back(knot);
        std::sort(knots.begin(), knots.end(), isEarlier);
        curves_[i].curve.knots = std::move(knots);
    }
    markStale(begin_, end_);
}

}  // namespace ulna::motion::detail
