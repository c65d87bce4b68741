// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/clip_window.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::detail {
namespace {
double envOr(const char* name, double v) {
    const char* e = std::getenv(name);
    return e ? std::atof(e) : v;
}
const double kHinge = envOr("RH", 0.8), kHalf = envOr("RHALF", 0.5), kEps = envOr("RE", 0.01),
             kCg = envOr("RCG", 12), kBudget = envOr("RB", 1.0), kMargin = envOr("RM", 0.97),
             kSteps = envOr("RS", 3), kLog = envOr("RLOG", 0);

Mat3 inverted(const Mat3& m) {
    const Vec3 a = cross(m.rows[1], m.rows[2]);
    const double d = dot(m.rows[0], a);
    return Mat3::fromColumns(a / d, cross(m.rows[2], m.rows[0]) / d,
                             cross(m.rows[0], m.rows[1]) / d);
}
Vec3 timesTransposed(const Mat3& m, const Vec3& v) {
    return m.rows[0] * v.x + m.rows[1] * v.y + m.rows[2] * v.z;
}

}  // namespace

ClipWindow::ClipWindow(const ReduceProblem& problem, const std::vector<KeyCurve>& curves,
                       std::size_t begin, std::size_t end, std::size_t per_frame)
    : problem_(problem),
      base_(problem.motion->base()),
      begin_(begin),
      end_(end),
      rate_(per_frame),
      samples_((end - begin) * per_frame + 1) {
    for (const KeyCurve& whole : curves) {
        Curve c;
        c.curve.joint = whole.joint;
        c.curve.part = whole.part;
        c.curve.smooth = whole.smooth;
        const std::size_t n = whole.knots.size();
        const std::size_t low = segmentAt(whole, static_cast<double>(begin));
        const std::size_t high = segmentAt(whole, static_cast<double>(end)) + 4;
        c.first = low < 2 ? 0 : low - 2;
        c.count = std::min(high, n) - c.first;
        c.at_start = c.first == 0;
        c.at_end = c.first + c.count == n;
        c.curve.knots.assign(whole.knots.begin() + static_cast<std::ptrdiff_t>(c.first),
                             whole.knots.begin() + static_cast<std::ptrdiff_t>(c.first + c.count));
        curves_.push_back(std::move(c));
    }
    for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
        const MovingBody& body = problem.bodies[b];
        if (body.rotation != kNone) curves_[body.rotation].body = b;
        if (body.translation != kNone) curves_[body.translation].body = b;
    }
    const std::size_t points = problem.points.size();
    goals_.resize(samples_ * points);
    at_.resize(goals_.size());
    weights_.assign(goals_.size(), 1.0);
    along_.resize(goals_.size());
    ModelPose model;
    for (std::size_t s = 0; s < samples_; ++s) {
        const double frame = static_cast<double>(begin) + static_cast<double>(s) / double(rate_);
        const Pose pose = samplePose(*problem.motion, frame * problem.motion->frameTime());
        computeModelPose(*problem.skeleton, pose, model);
        for (std::size_t p = 0; p < points; ++p)
            goals_[s * points + p] = model[problem.points[p].joint] * problem.points[p].place;
    }
    const std::size_t bodies = problem.bodies.size();
    pivots_.resize(samples_ * bodies);
    frames_.resize(pivots_.size());
    scales_.resize(pivots_.size());
    gradients_.resize(samples_ * curves_.size());
    stiffness_.resize(gradients_.size());
}

void ClipWindow::putBack(std::vector<KeyCurve>& curves) const {
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const Curve& c = curves_[i];
        auto& knots = curves[i].knots;
        const auto from = knots.begin() + static_cast<std::ptrdiff_t>(c.first);
        const auto at = knots.erase(from, from + static_cast<std::ptrdiff_t>(c.count));
        knots.insert(at, c.curve.knots.begin(), c.curve.knots.end());
    }
}

bool ClipWindow::isFree(const Curve& c, std::size_t knot) const {
    const auto& knots = c.curve.knots;
    if (knots.size() < 2 || c.body == kNone) return false;
    const bool after = knot >= 2 ? knots[knot - 2].frame >= begin_ : c.at_start && begin_ == 0;
    const bool before = knot + 2 < knots.size() ? knots[knot + 2].frame <= end_
                                                : c.at_end && knots.back().frame <= end_;
    return after && before;
}

bool ClipWindow::isFreeSegment(const Curve& c, std::size_t segment) const {
    const auto& knots = c.curve.knots;
    if (knots.size() < 2 || c.body == kNone) return false;
    const bool after =
        segment >= 1 ? knots[segment - 1].frame >= begin_ : c.at_start && begin_ == 0;
    const bool before = segment + 2 < knots.size() ? knots[segment + 2].frame <= end_
                                                   : c.at_end && knots.back().frame <= end_;
    return after && before;
}

// After knots came or went: their weights at every sample, and their places in the solve.
void ClipWindow::prepare() {
    std::size_t count = 0;
    free_.clear();
    for (Curve& c : curves_) {
        c.first_value = count;
        count += c.curve.knots.size();
        for (std::size_t k = 0; k < c.curve.knots.size(); ++k) free_.push_back(isFree(c, k));
    }
    values_.assign(count, {});
    blocks_.resize(count);
}

void ClipWindow::computeInfluences() {
    for (Curve& c : curves_)
        computeInfluence(c.curve, static_cast<double>(begin_), 1.0 / static_cast<double>(rate_),
                         samples_, c.influence);
}

void ClipWindow::evaluate() {
    const double step = 1.0 / static_cast<double>(rate_);
    for (Curve& c : curves_)
        sampleCurve(c.curve, static_cast<double>(begin_), step, samples_, c.now);
    Pose pose = base_;
    ModelPose model;
    const std::size_t bodies = problem_.bodies.size();
    const std::size_t points = problem_.points.size();
    worst_ = 0.0;
    for (std::size_t s = 0; s < samples_; ++s) {
        for (const Curve& c : curves_) {
            Trs& at = pose[c.curve.joint];
            if (c.curve.part == CurvePart::Rotation) at.rotation = c.now.rotations[s];
            if (c.curve.part == CurvePart::Translation) at.translation = c.now.vectors[s];
            if (c.curve.part == CurvePart::Scale) at.scale = c.now.vectors[s];
        }
        computeModelPose(*problem_.skeleton, pose, model);
        for (std::size_t b = 0; b < bodies; ++b) {
            const JointId joint = problem_.bodies[b].joint;
            const JointId parent = problem_.skeleton->parent(joint);
            const Affine frame = parent == JointId::None ? Affine{} : model[parent];
            pivots_[s * bodies + b] = model.position(joint);
            const double scale = std::max(length(frame.column(0)), 1e-12);
            Mat3 axes = frame.linear();
            for (Vec3& row : axes.rows) row *= 1.0 / scale;
            frames_[s * bodies + b] = axes;
            scales_[s * bodies + b] = scale;
        }
        for (std::size_t p = 0; p < points; ++p) {
            at_[s * points + p] = model[problem_.points[p].joint] * problem_.points[p].place;
            worst_ = std::max(worst_, distance(at_[s * points + p], goals_[s * points + p]));
        }
    }
}

void ClipWindow::setWeights() {
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const double off = distance(at_[i], goals_[i]) / problem_.tolerance;
        weights_[i] = kEps + (off > kHinge ? 1.0 - kHinge / off : 0.0);
        // Along the error the curvature is whole.
        along_[i] = off > kHinge ? (at_[i] - goals_[i]) *
                                       (std::sqrt(kHinge / off) / (off * problem_.tolerance))
                                 : Vec3{};
    }
}

double ClipWindow::cost() const {
    double out = 0.0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const double off = distance(at_[i], goals_[i]) / problem_.tolerance;
        const double over = std::max(0.0, off - kHinge);
        out += kEps * off * off + over * over;
    }
    return out;
}

// From the forces at a sample's bodies to the pull at its curves, leaf to root.
void ClipWindow::pull(std::size_t s, std::vector<BodyStep>& bodies, std::vector<Vec3>* out) {
    for (std::size_t b = bodies.size(); b-- > 0;) {
        const MovingBody& body = problem_.bodies[b];
        const std::size_t at = s * bodies.size() + b;
        const BodyStep& now = bodies[b];
        const auto hand = [&](std::size_t curve, const Vec3& g) {
            if (!out) {
                gradients_[s * curves_.size() + curve] = g;
                return;
            }
            const Curve& c = curves_[curve];
            const KnotInfluence& w = c.influence[s];
            for (std::size_t i = 0; i < w.count; ++i)
                (*out)[c.first_value + w.first + i] += timesTransposed(w.matrix[i], g);
        };
        if (body.rotation != kNone)
            hand(body.rotation,
                 timesTransposed(frames_[at], now.torque - cross(pivots_[at], now.force)));
        if (body.translation != kNone)
            hand(body.translation, timesTransposed(frames_[at], now.force) * scales_[at]);
        if (body.parent != kNone) {
            bodies[body.parent].torque += now.torque;
            bodies[body.parent].force += now.force;
        }
    }
}

void ClipWindow::computeGradient() {
    const std::size_t points = problem_.points.size();
    std::vector<BodyStep> bodies(problem_.bodies.size());
    residual_.assign(values_.size(), {});
    for (std::size_t s = 0; s < samples_; ++s) {
        std::fill(bodies.begin(), bodies.end(), BodyStep{});
        for (std::size_t p = 0; p < points; ++p) {
            const Vec3& x = at_[s * points + p];
            const Vec3 f = (goals_[s * points + p] - x) * weights_[s * points + p];
            BodyStep& body = bodies[problem_.points[p].body];
            body.force += f;
            body.torque += cross(x, f);
        }
        pull(s, bodies, nullptr);
        for (std::size_t i = 0; i < curves_.size(); ++i) {
            const Curve& c = curves_[i];
            if (c.body == kNone) continue;
            const KnotInfluence& w = c.influence[s];
            const Vec3& g = gradients_[s * curves_.size() + i];
            for (std::size_t k = 0; k < w.count; ++k)
                residual_[c.first_value + w.first + k] += timesTransposed(w.matrix[k], g);
        }
    }
    for (std::size_t k = 0; k < residual_.size(); ++k)
        if (!free_[k]) residual_[k] = {};
}

void ClipWindow::multiply(const std::vector<Vec3>& by, std::vector<Vec3>& out) {
    const std::size_t points = problem_.points.size();
    std::vector<BodyStep> bodies(problem_.bodies.size());
    out.assign(by.size(), {});
    for (std::size_t s = 0; s < samples_; ++s) {
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            const MovingBody& body = problem_.bodies[b];
            BodyStep& now = bodies[b];
            now = {};
            if (body.parent != kNone) {
                now.turn = bodies[body.parent].turn;
                now.shift = bodies[body.parent].shift;
            }
            const std::size_t at = s * bodies.size() + b;
            const auto change = [&](std::size_t curve) {
                const Curve& c = curves_[curve];
                const KnotInfluence& w = c.influence[s];
                Vec3 d;
                for (std::size_t i = 0; i < w.count; ++i)
                    d += w.matrix[i] * by[c.first_value + w.first + i];
                return frames_[at] * d;
            };
            if (body.rotation != kNone) {
                const Vec3 turn = change(body.rotation);
                now.turn += turn;
                now.shift -= cross(turn, pivots_[at]);
            }
            if (body.translation != kNone) now.shift += change(body.translation) * scales_[at];
        }
        for (std::size_t p = 0; p < points; ++p) {
            BodyStep& body = bodies[problem_.points[p].body];
            const Vec3& x = at_[s * points + p];
            const Vec3 dx = body.shift + cross(body.turn, x);
            const Vec3& along = along_[s * points + p];
            const Vec3 f = dx * weights_[s * points + p] + along * dot(along, dx);
            body.force += f;
            body.torque += cross(x, f);
        }
        pull(s, bodies, &out);
    }
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = free_[k] ? out[k] : Vec3{};
}

void ClipWindow::computeBlocks() {
    struct Mass {
        double w = 0;
        Vec3 wx;
        double xx[6] = {};
    };
    const std::size_t points = problem_.points.size();
    const std::size_t count = problem_.bodies.size();
    std::vector<Mass> mass(count);
    std::vector<Mat3> blocks(values_.size());
    for (Mat3& b : blocks)
        for (Vec3& row : b.rows) row = {};
    for (std::size_t s = 0; s < samples_; ++s) {
        std::fill(mass.begin(), mass.end(), Mass{});
        for (std::size_t p = 0; p < points; ++p) {
            const Vec3& x = at_[s * points + p];
            const Vec3& along = along_[s * points + p];
            const double w = weights_[s * points + p] + kHalf * dot(along, along);
            Mass& m = mass[problem_.points[p].body];
            m.w += w;
            m.wx += x * w;
            m.xx[0] += w * x.x * x.x;
            m.xx[1] += w * x.y * x.y;
            m.xx[2] += w * x.z * x.z;
            m.xx[3] += w * x.x * x.y;
            m.xx[4] += w * x.x * x.z;
            m.xx[5] += w * x.y * x.z;
        }
        for (std::size_t b = count; b-- > 0;) {
            const MovingBody& body = problem_.bodies[b];
            const Mass& m = mass[b];
            const std::size_t at = s * count + b;
            if (body.parent != kNone) {
                Mass& up = mass[body.parent];
                up.w += m.w;
                up.wx += m.wx;
                for (int i = 0; i < 6; ++i) up.xx[i] += m.xx[i];
            }
            const auto add = [&](std::size_t curve, const Mat3& a) {
                const Curve& c = curves_[curve];
                const KnotInfluence& w = c.influence[s];
                for (std::size_t i = 0; i < w.count; ++i) {
                    Mat3& block = blocks[c.first_value + w.first + i];
                    const Mat3 more = transpose(w.matrix[i]) * a * w.matrix[i];
                    for (int r = 0; r < 3; ++r) block.rows[r] += more.rows[r];
                }
                stiffness_[s * curves_.size() + curve] =
                    (a.rows[0].x + a.rows[1].y + a.rows[2].z) / 3.0;
            };
            if (body.rotation != kNone) {
                // Sum of w (|d|^2 - d d^T) with d = x - pivot.
                const Vec3& o = pivots_[at];
                double xx = m.xx[0] - 2 * o.x * m.wx.x + m.w * o.x * o.x;
                double yy = m.xx[1] - 2 * o.y * m.wx.y + m.w * o.y * o.y;
                double zz = m.xx[2] - 2 * o.z * m.wx.z + m.w * o.z * o.z;
                double xy = m.xx[3] - o.x * m.wx.y - o.y * m.wx.x + m.w * o.x * o.y;
                double xz = m.xx[4] - o.x * m.wx.z - o.z * m.wx.x + m.w * o.x * o.z;
                double yz = m.xx[5] - o.y * m.wx.z - o.z * m.wx.y + m.w * o.y * o.z;
                Mat3 a;
                a.rows[0] = {yy + zz, -xy, -xz};
                a.rows[1] = {-xy, xx + zz, -yz};
                a.rows[2] = {-xz, -yz, xx + yy};
                add(body.rotation, transpose(frames_[at]) * a * frames_[at]);
            }
            if (body.translation != kNone) {
                Mat3 a;
                const double w = m.w * scales_[at] * scales_[at];
                a.rows[0] = {w, 0, 0};
                a.rows[1] = {0, w, 0};
                a.rows[2] = {0, 0, w};
                add(body.translation, a);
            }
        }
    }
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        if (!free_[k]) {
            blocks_[k] = blocks[k];
            continue;
        }
        Mat3 b = blocks[k];
        const double trace = b.rows[0].x + b.rows[1].y + b.rows[2].z;
        const double floor = 1e-3 * trace + 1e-12;
        for (std::size_t i = 0; i < 3; ++i) b.rows[i][i] += floor;
        blocks_[k] = inverted(b);
    }
}

void ClipWindow::solve(int iterations) {
    values_.assign(values_.size(), {});
    const std::size_t n = values_.size();
    scaled_.assign(n, {});
    double old = 0.0;
    double first = 0.0;
    for (int it = 0; it < iterations; ++it) {
        double now = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            if (!free_[k]) continue;
            scaled_[k] = blocks_[k] * residual_[k];
            now += dot(scaled_[k], residual_[k]);
        }
        if (it == 0) first = now;
        if (!(now > 1e-4 * first)) break;
        if (it == 0) {
            direction_ = scaled_;
        } else {
            const double beta = now / old;
            for (std::size_t k = 0; k < n; ++k) direction_[k] = scaled_[k] + direction_[k] * beta;
        }
        old = now;
        multiply(direction_, product_);
        double curvature = 0.0;
        for (std::size_t k = 0; k < n; ++k) curvature += dot(direction_[k], product_[k]);
        if (!(curvature > 0.0)) break;
        const double alpha = now / curvature;
        for (std::size_t k = 0; k < n; ++k) {
            values_[k] += direction_[k] * alpha;
            residual_[k] -= product_[k] * alpha;
        }
    }
}

void ClipWindow::step(double factor) {
    for (Curve& c : curves_)
        for (std::size_t k = 0; k < c.curve.knots.size(); ++k)
            if (free_[c.first_value + k])
                changeBy(c.curve, values_[c.first_value + k] * factor, c.curve.knots[k]);
}

bool ClipWindow::optimise(int steps) {
    prepare();
    evaluate();
    for (int i = 0; i < steps; ++i) {
        setWeights();
        computeInfluences();
        const double before = cost();
        const double worst = worst_;
        computeGradient();
        computeBlocks();
        solve(int(kCg));
        step(1.0);
        evaluate();
        double factor = 1.0;
        while (cost() > before && factor > 0.1) {
            step(-factor / 2);
            factor /= 2;
            evaluate();
        }
        if (kLog > 1)
            std::printf("      opt %d cost %g -> %g worst %g -> %g f %g\n", i, before, cost(),
                        worst, worst_, factor);
        if (worst_ <= kMargin * problem_.tolerance) break;
    }
    return worst_ <= kMargin * problem_.tolerance;
}

std::size_t ClipWindow::floatCount() const {
    std::size_t out = 0;
    for (const Curve& c : curves_) out += c.curve.floatCount();
    return out;
}

bool ClipWindow::addKnotFor(std::size_t sample, std::size_t point, std::size_t& until) {
    const double frame = static_cast<double>(begin_) + static_cast<double>(sample) / double(rate_);
    double best = 0.0;
    std::size_t best_curve = kNone, best_segment = 0, best_frame = 0;
    for (std::size_t b = problem_.points[point].body; b != kNone; b = problem_.bodies[b].parent) {
        for (const std::size_t i : {problem_.bodies[b].rotation, problem_.bodies[b].translation}) {
            if (i == kNone) continue;
            const Curve& c = curves_[i];
            const std::size_t segment = segmentAt(c.curve, frame);
            if (!isFreeSegment(c, segment)) continue;
            const std::size_t low = c.curve.knots[segment].frame;
            const std::size_t high = c.curve.knots[segment + 1].frame;
            double mass = 0.0;
            Vec3 sum;
            const bool corner = high - low < 2;
            if (corner && !c.curve.smooth) continue;
            if (corner && c.curve.knots[segment].corner && c.curve.knots[segment + 1].corner)
                continue;
            const std::size_t at =
                c.curve.smooth || corner
                    ? low + (high - low) / 2
                    : std::clamp(static_cast<std::size_t>(std::lround(frame)), low + 1, high - 1);
            for (std::size_t s = std::max(low, begin_) * rate_; s <= std::min(high, end_) * rate_;
                 ++s) {
                const double f = static_cast<double>(s) / double(rate_);
                double u = f < double(at) ? (f - double(low)) / double(at - low)
                                          : (double(high) - f) / double(high - at);
                if (corner) u = f == double(low) || f == double(high) ? 0.0 : 1.0;
                const double bump = c.curve.smooth ? u * u * (3 - 2 * u) : u;
                const std::size_t g = (s - begin_ * rate_) * curves_.size() + i;
                sum += gradients_[g] * bump;
                mass += bump * bump * stiffness_[g];
            }
            const double gain = dot(sum, sum) / (mass + 1e-30) / (c.curve.turns() ? 5.0 : 4.0) *
                                (corner ? 0.25 : 1.0);
            if (gain > best) {
                best = gain;
                best_curve = i;
                best_segment = segment;
                best_frame = at;
            }
        }
    }
    if (best_curve == kNone) return false;
    Curve& c = curves_[best_curve];
    auto& knots = c.curve.knots;
    until = knots[best_segment + 1].frame;
    if (until - knots[best_segment].frame < 2) {
        knots[best_segment].corner = knots[best_segment + 1].corner = true;
        return true;
    }
    CurveSamples now;
    sampleCurve(c.curve, static_cast<double>(best_frame), 1.0, 1, now);
    Knot knot;
    knot.frame = best_frame;
    if (c.curve.turns())
        knot.rotation = now.rotations[0];
    else
        knot.vector = now.vectors[0];
    knots.insert(knots.begin() + static_cast<std::ptrdiff_t>(best_segment + 1), knot);
    return true;
}

std::size_t ClipWindow::addKnots() {
    setWeights();
    computeInfluences();
    computeGradient();
    computeBlocks();
    std::size_t added = 0;
    const std::size_t points = problem_.points.size();
    std::vector<double> off(samples_, 0.0);
    std::vector<std::size_t> who(samples_, 0);
    for (std::size_t s = 0; s < samples_; ++s) {
        for (std::size_t p = 0; p < points; ++p) {
            const double d = distance(at_[s * points + p], goals_[s * points + p]);
            if (d > off[s]) {
                off[s] = d;
                who[s] = p;
            }
        }
    }
    const double limit = kMargin * problem_.tolerance;
    for (std::size_t s = 0; s < samples_;) {
        if (!(off[s] > limit)) {
            ++s;
            continue;
        }
        // The worst of the violations that follow closely.
        std::size_t worst = s;
        const std::size_t close = std::min(samples_, s + 6 * rate_);
        for (std::size_t k = s; k < close; ++k)
            if (off[k] > off[worst]) worst = k;
        std::size_t until = 0;
        if (addKnotFor(worst, who[worst], until)) {
            ++added;
            const std::size_t next = until > begin_ ? (until - begin_) * rate_ : 0;
            s = std::max({close, worst + 1, next});
        } else {
            s = worst + 1;
        }
    }
    return added;
}

bool ClipWindow::mend(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        if (optimise(int(kSteps))) return true;
        if (addKnots() == 0) return false;
    }
    return optimise(2 * int(kSteps));
}

std::size_t ClipWindow::removeKnots(double budget) {
    struct Candidate {
        double cost;
        std::size_t curve, knot;
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        const Curve& c = curves_[i];
        if (c.body == kNone) continue;
        const double reach = c.curve.turns() ? problem_.reach[index(c.curve.joint)] : 1.0;
        const auto& knots = c.curve.knots;
        for (std::size_t k = 1; k + 1 < knots.size(); ++k) {
            if (!isFree(c, k)) continue;
            const double off = length(changeBetween(c.curve, knots[k], withoutKnot(c.curve, k)));
            candidates.push_back({off * reach, i, k});
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    std::vector<double> load(end_ - begin_ + 1, 0.0);
    std::vector<std::vector<std::uint8_t>> gone(curves_.size());
    for (std::size_t i = 0; i < curves_.size(); ++i)
        gone[i].assign(curves_[i].curve.knots.size(), 0);
    std::size_t removed = 0;
    for (const Candidate& candidate : candidates) {
        auto& knots = curves_[candidate.curve].curve.knots;
        const std::size_t k = candidate.knot;
        auto& marks = gone[candidate.curve];
        if (marks[k - 1] || marks[k + 1]) continue;
        const std::size_t low = std::max(knots[k - 1].frame, begin_) - begin_;
        const std::size_t high = std::min(knots[k + 1].frame, end_) - begin_;
        double most = 0.0;
        for (std::size_t f = low; f <= high; ++f) most = std::max(most, load[f]);
        if (most + candidate.cost > budget) continue;
        for (std::size_t f = low; f <= high; ++f) load[f] += candidate.cost;
        marks[k] = 1;
        ++removed;
    }
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        auto& knots = curves_[i].curve.knots;
        std::size_t kept = 0;
        for (std::size_t k = 0; k < knots.size(); ++k)
            if (!gone[i][k]) knots[kept++] = knots[k];
        knots.resize(kept);
    }
    return removed;
}

void ClipWindow::reduce(int rounds) {
    mend(20);
    double budget = kBudget * problem_.tolerance;
    std::vector<Curve> best = curves_;
    std::size_t best_floats = floatCount();
    bool best_ok = worst_ <= kMargin * problem_.tolerance;
    if (kLog > 0) std::printf("   start floats %zu worst %g\n", best_floats, worst_);
    for (int i = 0; i < rounds; ++i) {
        const std::size_t removed = removeKnots(budget);
        const bool ok = mend(12);
        const std::size_t floats = floatCount();
        if (kLog > 0)
            std::printf("   round %d removed %zu ok %d floats %zu worst %g\n", i, removed, ok,
                        floats, worst_);
        if (ok && (floats < best_floats || !best_ok)) {
            best = curves_;
            best_floats = floats;
            best_ok = true;
        }
    }
    curves_ = best;
    prepare();
    evaluate();
}

}  // namespace ulna::detail
