// SPDX-License-Identifier: Apache-2.0
//
// The knots' best values: Newton's method on the cost of motion/detail/clip_cost.h. Each step is
// solved by conjugate gradients without a matrix: a change of the knots goes through the curves and
// down the skeleton to the bodies, and what their points answer goes back up. That is done for four
// samples at a time, in the precision of float: the cost decides whether a step is kept, and that
// is computed in double from the very curves.
#include <algorithm>
#include <cmath>

#include "ulna/math/mat3_algebra.h"
#include "ulna/motion/detail/clip_cost.h"
#include "ulna/motion/detail/clip_window.h"

namespace ulna::motion::detail {
namespace {

constexpr int kIterations = 8;  // of conjugate gradients: more of them do not make fewer keys

// The inverse of a block, after a little is added: rotations that move no point keep their value.
Mat3 invertedBlock(Mat3 m) {
    const double floor = 1e-3 * trace(m) + 1e-12;
    for (std::size_t i = 0; i < 3; ++i) m.rows[i][i] += floor;
    const Vec3 a = cross(m.rows[1], m.rows[2]);
    const double d = dot(m.rows[0], a);
    return Mat3::fromColumns(a / d, cross(m.rows[2], m.rows[0]) / d,
                             cross(m.rows[0], m.rows[1]) / d);
}

Vec3 vectorOf(const Lanes& row) {
    return {static_cast<double>(row[0]), static_cast<double>(row[1]), static_cast<double>(row[2])};
}
Lanes rowOf(const Vec3& v) {
    Lanes out;
    out.set(0, v.x), out.set(1, v.y), out.set(2, v.z);
    return out;
}

// R^T m R
LanesSym3 inAxes(const LanesMat3& axes, const LanesSym3& m) {
    const LanesMat3 right = m.whole() * axes;
    return upperHalf(transpose(axes) * right);
}

}  // namespace

// Takes the samples within so many frames of one that is off, and fixes every knot that is felt
// beyond them.
void ClipWindow::chooseActive(std::size_t frames) {
    const std::size_t around = frames * rate_;
    std::fill(active_.begin(), active_.end(), std::uint8_t{0});
    std::size_t until = 0;  // the blocks before are decided
    for (std::size_t s = 0; s < samples_; ++s) {
        if (off_[s] == 0) continue;
        const std::size_t first = (s < around ? 0 : s - around) / Lanes::kCount;
        const std::size_t end = std::min(blocks_, (s + around) / Lanes::kCount + 1);
        for (until = std::max(until, first); until < end; ++until) active_[until] = 1;
    }
    std::vector<std::size_t> resting(blocks_ + 1, 0);  // blocks before that are not active
    for (std::size_t b = 0; b < blocks_; ++b) resting[b + 1] = resting[b] + (isActive(b) ? 0 : 1);
    for (const Curve& c : curves_) {
        const auto& knots = c.curve.knots;
        const std::size_t more = c.curve.smooth ? 2 : 1;
        for (std::size_t k = 0; k < knots.size() && c.moves; ++k) {
            std::uint8_t& is_free = free_[c.first_value + k];
            if (is_free == 0) continue;
            // A knot counts for nothing at the neighbours where its influence ends.
            const std::size_t low = k < more ? begin_ : knots[k - more].frame;
            const std::size_t high = k + more < knots.size() ? knots[k + more].frame : end_;
            const std::size_t first = sampleAt(low) + (k < more ? 0 : 1);
            const std::size_t last = sampleAt(high) - (k + more < knots.size() ? 1 : 0);
            if (resting[last / Lanes::kCount + 1] != resting[first / Lanes::kCount]) is_free = 0;
        }
    }
}

bool ClipWindow::optimise(int steps, std::size_t around) {
    prepare();
    evaluateStale();
    const auto isWithin = [&] {
        return std::find(off_.begin(), off_.end(), std::uint8_t{1}) == off_.end();
    };
    if (isWithin()) return true;
    chooseActive(around);
    for (int i = 0; i < steps; ++i) {
        linearise();
        const double before = cost();
        gatherKnots();
        solve();
        step(1.0);
        evaluateStale();
        for (double factor = 0.5; !(cost() <= before) && factor > 0.1; factor *= 0.5) {
            step(-factor);
            evaluateStale();
        }
        if (isWithin()) return true;
    }
    return false;
}

double ClipWindow::cost() const {
    double out = 0.0;
    for (std::size_t s = 0; s < samples_; ++s)
        if (isActive(s / Lanes::kCount)) out += costs_[s];
    return out;
}

// The cost to second order around the present pose: what pulls at the bodies and the curves, and
// how stiff they are.
void ClipWindow::linearise() {
    for (std::size_t block = 0; block < blocks_; ++block) {
        if (!isActive(block) || linear_[block] != 0) continue;
        lineariseBlock(block);
        pullCurves(block);
        stiffenCurves(block);
        linear_[block] = 1;
    }
}

void ClipWindow::lineariseBlock(std::size_t block) {
    const std::size_t bodies = problem_.bodies.size();
    for (std::size_t b = block * bodies; b < (block + 1) * bodies; ++b) {
        stiffness_[b] = {};
        pulls_[b] = {};
    }
    for (std::size_t p = 0; p < problem_.points.size(); ++p) {
        const std::size_t b = block * bodies + problem_.points[p].body;
        addPoint(points_[block * problem_.points.size() + p], stiffness_[b], pulls_[b]);
    }
}

// The second derivative of a point's cost is w I + a a^T; the point goes by shift + turn cross x.
void ClipWindow::addPoint(const PointPlace& point, BodyStiffness& stiffness, BodyPull& pull) const {
    const LanesVec3& x = point.at;
    const LanesVec3& error = point.error;
    const Lanes squares = dot(error, error);
    const auto radius = static_cast<float>(kCostRadius * problem_.tolerance / unit_);
    Lanes w(static_cast<float>(kCostTrace));
    Lanes along;  // a is the error times this
    bool beyond = false;
    for (std::size_t lane = 0; lane < Lanes::kCount; ++lane) {
        if (!(squares[lane] > radius * radius)) continue;
        beyond = true;
        const float part = radius / std::sqrt(squares[lane]);
        w.v[lane] += 1.0F - part;
        along.v[lane] = std::sqrt(part / squares[lane]);
    }
    const LanesVec3 force = error * w;
    pull.force += force;
    pull.torque += cross(x, force);
    const LanesVec3 wx = x * w;
    const Lanes square_sum = dot(x, wx);
    stiffness.rr += {square_sum - x.x * wx.x, -(x.x * wx.y), -(x.x * wx.z),
                     square_sum - x.y * wx.y, -(x.y * wx.z), square_sum - x.z * wx.z};
    stiffness.rs += crossMatrix(wx);
    stiffness.ss.xx += w, stiffness.ss.yy += w, stiffness.ss.zz += w;
    if (!beyond) return;
    const LanesVec3 a = error * along;
    const LanesVec3 c = cross(x, a);
    stiffness.rr += square(c);
    stiffness.ss += square(a);
    addOuter(c, a, stiffness.rs);
}

// From the pull at the bodies to that at the curves, leaf to root.
void ClipWindow::pullCurves(std::size_t block) {
    const std::size_t bodies = problem_.bodies.size();
    std::vector<BodyPull> sums(pulls_.begin() + static_cast<std::ptrdiff_t>(block * bodies),
                               pulls_.begin() + static_cast<std::ptrdiff_t>((block + 1) * bodies));
    for (std::size_t b = bodies; b-- > 0;) {
        const MovingBody& body = problem_.bodies[b];
        const BodyPlace& place = places_[block * bodies + b];
        const BodyPull& now = sums[b];
        LanesVec3* out = gradients_.data() + block * curves_.size();
        if (body.rotation != kNoIndex)
            out[body.rotation] =
                transposedTimes(place.axes, now.torque - cross(place.pivot, now.force));
        if (body.translation != kNoIndex)
            out[body.translation] = transposedTimes(place.axes, now.force) * place.scale;
        if (body.parent == kNoIndex) continue;
        sums[body.parent].torque += now.torque;
        sums[body.parent].force += now.force;
    }
}

// How stiff each curve is by itself, with all that it carries.
void ClipWindow::stiffenCurves(std::size_t block) {
    const std::size_t bodies = problem_.bodies.size();
    const auto first = stiffness_.begin() + static_cast<std::ptrdiff_t>(block * bodies);
    std::vector<BodyStiffness> sums(first, first + static_cast<std::ptrdiff_t>(bodies));
    LanesSym3* out = resistances_.data() + block * curves_.size();
    for (std::size_t b = bodies; b-- > 0;) {
        const MovingBody& body = problem_.bodies[b];
        const BodyPlace& place = places_[block * bodies + b];
        const BodyStiffness& now = sums[b];
        if (body.rotation != kNoIndex) {
            // A turn about the pivot o shifts by o cross turn.
            const LanesMat3 pivot = crossMatrix(place.pivot);
            LanesMat3 half = pivot * now.ss.whole() * Lanes(-0.5F);
            half += now.rs;
            const LanesMat3 mixed = half * pivot;
            LanesMat3 about = now.rr.whole();
            about += mixed;
            about += transpose(mixed);
            out[body.rotation] = inAxes(place.axes, upperHalf(about));
        }
        if (body.translation != kNoIndex) {
            const Lanes square_scale = place.scale * place.scale;
            out[body.translation] = upperHalf(inAxes(place.axes, now.ss).whole() * square_scale);
        }
        if (body.parent == kNoIndex) continue;
        sums[body.parent].rr += now.rr;
        sums[body.parent].rs += now.rs;
        sums[body.parent].ss += now.ss;
    }
}

// From samples to knots: the gradient, and the knots' own blocks of the second derivative,
// inverted, which are the preconditioner.
void ClipWindow::gatherKnots() {
    residual_.assign(free_.size(), {});
    inverses_.assign(free_.size(), zeroMat3());
    for (std::size_t block = 0; block < blocks_; ++block) {
        if (!isActive(block)) continue;
        const std::size_t lanes = std::min(Lanes::kCount, samples_ - block * Lanes::kCount);
        for (std::size_t i = 0; i < curves_.size(); ++i) {
            const Curve& c = curves_[i];
            if (!c.moves) continue;
            addPull(c, block, gradients_[block * curves_.size() + i], residual_);
            const LanesSym3& m = resistances_[block * curves_.size() + i];
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const SampleWeights& w = c.weights[block * Lanes::kCount + lane];
                const Vec3 diagonal = laneOf({m.xx, m.yy, m.zz}, lane);
                const Vec3 beside = laneOf({m.xy, m.xz, m.yz}, lane);
                for (std::size_t k = 0; k < w.count; ++k) {
                    Mat3& sum = inverses_[c.first_value + w.first + k];
                    const double by = static_cast<double>(w.weight[k] * w.weight[k]);
                    sum.rows[0] += Vec3{diagonal.x, beside.x, beside.y} * by;
                    sum.rows[1] += Vec3{beside.x, diagonal.y, beside.z} * by;
                    sum.rows[2] += Vec3{beside.y, beside.z, diagonal.z} * by;
                }
            }
        }
    }
    for (std::size_t k = 0; k < free_.size(); ++k) {
        if (free_[k] == 0)
            residual_[k] = {};
        else
            inverses_[k] = invertedBlock(inverses_[k]);
    }
}

LanesVec3 ClipWindow::changeOf(const Curve& c, std::size_t block, const std::vector<Lanes>& by) {
    LanesRows out;
    const SampleWeights* w = c.weights.data() + block * Lanes::kCount;
    for (std::size_t lane = 0; lane < Lanes::kCount; ++lane, ++w) {
        const Lanes* knot = by.data() + c.first_value + w->first;
        Lanes sum;
        for (std::size_t k = 0; k < w->count; ++k) sum += knot[k] * Lanes(w->weight[k]);
        out.row[lane] = sum;
    }
    return transposed(out);
}

void ClipWindow::addPull(const Curve& c, std::size_t block, const LanesVec3& pull,
                         std::vector<Lanes>& out) {
    const LanesRows at = transposed(pull);
    const SampleWeights* w = c.weights.data() + block * Lanes::kCount;
    for (std::size_t lane = 0; lane < Lanes::kCount; ++lane, ++w) {
        Lanes* knot = out.data() + c.first_value + w->first;
        for (std::size_t k = 0; k < w->count; ++k) knot[k] += at.row[lane] * Lanes(w->weight[k]);
    }
}

// The cost's second derivative times a change of the knots.
void ClipWindow::multiply(const std::vector<Lanes>& by, std::vector<Lanes>& out) const {
    out.assign(by.size(), {});
    const std::size_t bodies = problem_.bodies.size();
    std::vector<BodyStep> steps(bodies);
    for (std::size_t block = 0; block < blocks_; ++block) {
        if (!isActive(block)) continue;
        for (std::size_t b = 0; b < bodies; ++b) {
            const MovingBody& body = problem_.bodies[b];
            const BodyPlace& place = places_[block * bodies + b];
            const BodyStiffness& stiff = stiffness_[block * bodies + b];
            BodyStep& now = steps[b];
            now = {};
            if (body.parent != kNoIndex) {
                now.turn = steps[body.parent].turn;
                now.shift = steps[body.parent].shift;
            }
            if (body.rotation != kNoIndex) {
                const LanesVec3 turn = place.axes * changeOf(curves_[body.rotation], block, by);
                now.turn += turn;
                now.shift -= cross(turn, place.pivot);
            }
            if (body.translation != kNoIndex)
                now.shift +=
                    place.axes * changeOf(curves_[body.translation], block, by) * place.scale;
            now.torque = stiff.rr * now.turn + stiff.rs * now.shift;
            now.force = transposedTimes(stiff.rs, now.turn) + stiff.ss * now.shift;
        }
        for (std::size_t b = bodies; b-- > 0;) {
            const MovingBody& body = problem_.bodies[b];
            const BodyPlace& place = places_[block * bodies + b];
            const BodyStep& now = steps[b];
            if (body.rotation != kNoIndex)
                addPull(curves_[body.rotation], block,
                        transposedTimes(place.axes, now.torque - cross(place.pivot, now.force)),
                        out);
            if (body.translation != kNoIndex)
                addPull(curves_[body.translation], block,
                        transposedTimes(place.axes, now.force) * place.scale, out);
            if (body.parent == kNoIndex) continue;
            steps[body.parent].torque += now.torque;
            steps[body.parent].force += now.force;
        }
    }
    for (std::size_t k = 0; k < out.size(); ++k)
        if (free_[k] == 0) out[k] = {};
}

// Conjugate gradients from zero on; residual_ is the gradient to begin with.
void ClipWindow::solve() {
    const std::size_t n = free_.size();
    values_.assign(n, {});
    scaled_.assign(n, {});
    direction_.assign(n, {});
    double last = 0.0;
    double first = 0.0;
    for (int i = 0; i < kIterations; ++i) {
        double now = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            if (free_[k] == 0) continue;
            const Vec3 residual = vectorOf(residual_[k]);
            const Vec3 scaled = inverses_[k] * residual;
            scaled_[k] = rowOf(scaled);
            now += dot(scaled, residual);
        }
        if (i == 0) first = now;
        if (!(now > effort_.exactness * first)) return;
        const Lanes keep(i == 0 ? 0.0F : static_cast<float>(now / last));
        for (std::size_t k = 0; k < n; ++k) direction_[k] = scaled_[k] + direction_[k] * keep;
        last = now;
        multiply(direction_, product_);
        double curvature = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            const Lanes terms = direction_[k] * product_[k];
            curvature += static_cast<double>(terms[0] + terms[1] + terms[2]);
        }
        if (!(curvature > 0.0)) return;
        const Lanes by(static_cast<float>(now / curvature));
        for (std::size_t k = 0; k < n; ++k) {
            values_[k] += direction_[k] * by;
            residual_[k] += product_[k] * -by;
        }
    }
}

void ClipWindow::step(double factor) {
    for (Curve& c : curves_) {
        const double by = c.curve.rotates() ? factor : factor * unit_;
        for (std::size_t k = 0; k < c.curve.knots.size(); ++k)
            if (free_[c.first_value + k] != 0)
                changeBy(c.curve, vectorOf(values_[c.first_value + k]) * by, c.curve.knots[k]);
    }
    for (std::size_t s = 0; s < samples_; ++s)
        if (isActive(s / Lanes::kCount)) stale_[s] = 1;
}

}  // namespace ulna::motion::detail
