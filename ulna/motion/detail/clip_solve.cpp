// SPDX-License-Identifier: Apache-2.0
//
// The knots' best values: Newton's method on the sum, over points and samples, of the squared
// distance beyond a radius a little below the tolerance, plus a trace of the squared distance
// itself. Each step is solved by conjugate gradients without a matrix: a change of the knots goes
// through the curves and down the skeleton to the points, and what the points answer goes back up.
#include <algorithm>
#include <cmath>

#include "ulna/math/mat3_algebra.h"
#include "ulna/motion/detail/clip_window.h"

namespace ulna::motion::detail {
namespace {

constexpr double kRadius = 0.8;  // in tolerances
constexpr double kTrace = 0.01;  // of the squared distance in the cost
constexpr int kIterations = 8;   // of conjugate gradients: more of them do not make fewer keys

// The inverse of a block, after a little is added: rotations that move no point keep their value.
Mat3 invertedBlock(Mat3 m) {
    const double floor = 1e-3 * trace(m) + 1e-12;
    for (std::size_t i = 0; i < 3; ++i) m.rows[i][i] += floor;
    const Vec3 a = cross(m.rows[1], m.rows[2]);
    const double d = dot(m.rows[0], a);
    return Mat3::fromColumns(a / d, cross(m.rows[2], m.rows[0]) / d,
                             cross(m.rows[0], m.rows[1]) / d);
}

}  // namespace

// Takes the samples within so many frames of one that is off, and fixes every knot that is felt
// beyond them.
void ClipWindow::chooseActive() {
    constexpr std::size_t kAround = 32;  // frames
    const std::size_t around = kAround * rate_, points = problem_.points.size();
    active_.assign(samples_, 0);
    std::size_t until = 0;  // the samples before are decided
    for (std::size_t s = 0; s < samples_; ++s) {
        bool off = false;
        for (std::size_t p = 0; p < points && !off; ++p) off = errorAt(s * points + p) > limits_[s];
        if (!off) continue;
        const std::size_t end = std::min(samples_, s + around + 1);
        for (until = std::max(until, s < around ? 0 : s - around); until < end; ++until)
            active_[until] = 1;
    }
    for (const Curve& c : curves_) {
        for (std::size_t s = 0; s < samples_ && c.moves; ++s) {
            if (isActive(s)) continue;
            const KnotWeights w = knotWeights(c.curve, segmentAt(c.curve, frameOf(s)), frameOf(s));
            for (std::size_t k = 0; k < w.count; ++k)
                if (w.weight[k] != 0.0) free_[c.first_value + w.first + k] = 0;
        }
    }
}

bool ClipWindow::optimise(int steps) {
    prepare();
    evaluate();
    if (!within_) chooseActive();
    for (int i = 0; i < steps && !within_; ++i) {
        setWeights();
        computeInfluences();
        const double before = cost();
        computeGradient();
        computeBlocks();
        solve();
        step(1.0);
        evaluate();
        for (double factor = 0.5; cost() > before && factor > 0.1; factor *= 0.5) {
            step(-factor);
            evaluate();
        }
    }
    return within_;
}

void ClipWindow::setWeights() {
    const std::size_t points = problem_.points.size();
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        if (!isActive(i / points)) continue;
        const double off = errorAt(i) / problem_.tolerance;
        weights_[i] = kTrace;
        along_[i] = {};
        if (!(off > kRadius)) continue;
        weights_[i] += 1.0 - kRadius / off;
        along_[i] = (at_[i] - goals_[i]) * (std::sqrt(kRadius / off) / errorAt(i));
    }
}

double ClipWindow::cost() const {
    double out = 0.0;
    const std::size_t points = problem_.points.size();
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        if (!isActive(i / points)) continue;
        const double off = errorAt(i) / problem_.tolerance;
        const double beyond = std::max(0.0, off - kRadius);
        out += kTrace * off * off + beyond * beyond;
    }
    return out;
}

void ClipWindow::computeInfluences() {
    for (Curve& c : curves_)
        computeInfluence(c.curve, static_cast<double>(begin_), 1.0 / static_cast<double>(rate_),
                         samples_, c.influence);
}

// From the pull at a sample's bodies to that at the curves, leaf to root: out has one per curve.
void ClipWindow::pull(std::size_t s, std::vector<BodyStep>& bodies, std::vector<Vec3>& out) const {
    for (std::size_t b = bodies.size(); b-- > 0;) {
        const MovingBody& body = problem_.bodies[b];
        const std::size_t at = s * bodies.size() + b;
        const BodyStep& now = bodies[b];
        if (body.rotation != kNoIndex)
            out[body.rotation] =
                transposedTimes(frames_[at], now.torque - cross(pivots_[at], now.force));
        if (body.translation != kNoIndex)
            out[body.translation] = transposedTimes(frames_[at], now.force) * scales_[at];
        if (body.parent == kNoIndex) continue;
        bodies[body.parent].torque += now.torque;
        bodies[body.parent].force += now.force;
    }
}

void ClipWindow::computeGradient() {
    const std::size_t points = problem_.points.size();
    std::vector<BodyStep> bodies(problem_.bodies.size());
    std::vector<Vec3> pulls(curves_.size());
    residual_.assign(values_.size(), {});
    for (std::size_t s = 0; s < samples_; ++s) {
        if (!isActive(s)) continue;
        std::fill(bodies.begin(), bodies.end(), BodyStep{});
        for (std::size_t p = 0; p < points; ++p) {
            const std::size_t at = s * points + p;
            const Vec3 force = (goals_[at] - at_[at]) * weights_[at];
            BodyStep& body = bodies[problem_.points[p].body];
            body.force += force;
            body.torque += cross(at_[at], force);
        }
        pull(s, bodies, pulls);
        std::copy(pulls.begin(), pulls.end(),
                  gradients_.begin() + static_cast<std::ptrdiff_t>(s * curves_.size()));
        for (std::size_t i = 0; i < curves_.size(); ++i) {
            const Curve& c = curves_[i];
            const KnotInfluence& w = c.influence[s];
            for (std::size_t k = 0; k < w.count && c.moves; ++k)
                residual_[c.first_value + w.first + k] += transposedTimes(w.matrix[k], pulls[i]);
        }
    }
    for (std::size_t k = 0; k < residual_.size(); ++k)
        if (free_[k] == 0) residual_[k] = {};
}

// The cost's second derivative times a change of the knots.
void ClipWindow::multiply(const std::vector<Vec3>& by, std::vector<Vec3>& out) const {
    out.assign(by.size(), {});
    std::vector<BodyStep> bodies(problem_.bodies.size());
    std::vector<Vec3> pulls(curves_.size());
    for (std::size_t s = 0; s < samples_; ++s)
        if (isActive(s)) multiplySample(s, by, bodies, pulls, out);
    for (std::size_t k = 0; k < out.size(); ++k)
        if (free_[k] == 0) out[k] = {};
}

void ClipWindow::multiplySample(std::size_t s, const std::vector<Vec3>& by,
                                std::vector<BodyStep>& bodies, std::vector<Vec3>& pulls,
                                std::vector<Vec3>& out) const {
    const auto changeOf = [&](std::size_t curve) {
        const Curve& c = curves_[curve];
        const KnotInfluence& w = c.influence[s];
        Vec3 sum;
        for (std::size_t i = 0; i < w.count; ++i)
            sum += w.matrix[i] * by[c.first_value + w.first + i];
        return sum;
    };
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const MovingBody& body = problem_.bodies[b];
        const std::size_t at = s * bodies.size() + b;
        BodyStep& now = bodies[b];
        now = {};
        if (body.parent != kNoIndex) {
            now.turn = bodies[body.parent].turn;
            now.shift = bodies[body.parent].shift;
        }
        if (body.rotation != kNoIndex) {
            const Vec3 turn = frames_[at] * changeOf(body.rotation);
            now.turn += turn;
            now.shift -= cross(turn, pivots_[at]);
        }
        if (body.translation != kNoIndex)
            now.shift += frames_[at] * changeOf(body.translation) * scales_[at];
    }
    const std::size_t points = problem_.points.size();
    for (std::size_t p = 0; p < points; ++p) {
        const std::size_t at = s * points + p;
        BodyStep& body = bodies[problem_.points[p].body];
        const Vec3 moved = body.shift + cross(body.turn, at_[at]);
        const Vec3 force = moved * weights_[at] + along_[at] * dot(along_[at], moved);
        body.force += force;
        body.torque += cross(at_[at], force);
    }
    pull(s, bodies, pulls);
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        const Curve& c = curves_[i];
        const KnotInfluence& w = c.influence[s];
        for (std::size_t k = 0; k < w.count && c.moves; ++k)
            out[c.first_value + w.first + k] += transposedTimes(w.matrix[k], pulls[i]);
    }
}

// The knots' own blocks of the second derivative, inverted: the preconditioner.
void ClipWindow::computeBlocks() {
    blocks_.assign(values_.size(), kZero);
    std::vector<BodyMass> masses(problem_.bodies.size());
    for (std::size_t s = 0; s < samples_; ++s)
        if (isActive(s)) addBlocks(s, masses);
    for (Mat3& block : blocks_) block = invertedBlock(block);
}

void ClipWindow::addBlocks(std::size_t s, std::vector<BodyMass>& masses) {
    const std::size_t points = problem_.points.size();
    std::fill(masses.begin(), masses.end(), BodyMass{});
    for (std::size_t p = 0; p < points; ++p) {
        const std::size_t at = s * points + p;
        BodyMass& mass = masses[problem_.points[p].body];
        // Whichever way the point moves, on average.
        const double weight = weights_[at] + 0.5 * dot(along_[at], along_[at]);
        mass.weight += weight;
        mass.first += at_[at] * weight;
        mass.second += outer(at_[at] * weight, at_[at]);
    }
    const auto addTo3 = [&](std::size_t curve, const Mat3& stiffness) {
        const Curve& c = curves_[curve];
        const KnotInfluence& w = c.influence[s];
        for (std::size_t i = 0; i < w.count; ++i)
            blocks_[c.first_value + w.first + i] +=
                transpose(w.matrix[i]) * stiffness * w.matrix[i];
        stiffness_[s * curves_.size() + curve] = trace(stiffness) / 3.0;
    };
    for (std::size_t b = masses.size(); b-- > 0;) {
        const MovingBody& body = problem_.bodies[b];
        const BodyMass& mass = masses[b];
        const std::size_t at = s * masses.size() + b;
        if (body.rotation != kNoIndex) {
            const Vec3& o = pivots_[at];
            Mat3 about = mass.second;  // the sum of (x - o) (x - o)^T
            about += outer(mass.first, -o);
            about += outer(-o, mass.first);
            about += outer(o * mass.weight, o);
            addTo3(body.rotation, transpose(frames_[at]) * inertia(transpose(about)) * frames_[at]);
        }
        if (body.translation != kNoIndex) {
            const double weight = mass.weight * scales_[at] * scales_[at];
            addTo3(body.translation, {{{weight, 0, 0}, {0, weight, 0}, {0, 0, weight}}});
        }
        if (body.parent == kNoIndex) continue;
        BodyMass& up = masses[body.parent];
        up.weight += mass.weight;
        up.first += mass.first;
        up.second += mass.second;
    }
}

// Conjugate gradients from zero on; residual_ is the gradient to begin with.
void ClipWindow::solve() {
    const std::size_t n = values_.size();
    values_.assign(n, {});
    scaled_.resize(n);
    double last = 0.0;
    double first = 0.0;
    for (int i = 0; i < kIterations; ++i) {
        double now = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            scaled_[k] = blocks_[k] * residual_[k];
            now += dot(scaled_[k], residual_[k]);
        }
        if (i == 0) first = now;
        if (!(now > 1e-4 * first)) return;
        if (i == 0) direction_.assign(n, {});
        const double keep = i == 0 ? 0.0 : now / last;
        for (std::size_t k = 0; k < n; ++k) direction_[k] = scaled_[k] + direction_[k] * keep;
        last = now;
        multiply(direction_, product_);
        double curvature = 0.0;
        for (std::size_t k = 0; k < n; ++k) curvature += dot(direction_[k], product_[k]);
        if (!(curvature > 0.0)) return;
        for (std::size_t k = 0; k < n; ++k) {
            values_[k] += direction_[k] * (now / curvature);
            residual_[k] -= product_[k] * (now / curvature);
        }
    }
}

void ClipWindow::step(double factor) {
    for (Curve& c : curves_)
        for (std::size_t k = 0; k < c.curve.knots.size(); ++k)
            if (free_[c.first_value + k] != 0)
                changeBy(c.curve, values_[c.first_value + k] * factor, c.curve.knots[k]);
}

}  // namespace ulna::motion::detail
