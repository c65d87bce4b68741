// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/body_solver.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/math/random.h"

namespace ulna::retarget::detail {
namespace {

// The first frame may be far from where it starts, later ones are near.
constexpr int kMostIterations = 30;
// What is left to move when a solve ends, in radians, as root mean square of all coordinates.
constexpr double kTolerance = 1e-6;
// What pulls towards the frame before: it decides what nothing else does, and nothing more.
constexpr double kStay = 1e-5;

}  // namespace

BodySolver::BodySolver(const Skeleton& skeleton, const Pose& rest, std::span<const JointId> bodies,
                       std::span<const JointId> locked)
    : skeleton_(&skeleton) {
    mechanism_.build(skeleton, bodies, {.locked = locked, .free_roots = true});
    mechanism_.refresh(rest);
    root_ = mechanism_.active().front();
    const std::size_t n = mechanism_.columnCount();
    bounded_ = BoundedStep(n);
    matrix_.assign(n * n, 0.0);
    descent_.assign(n, 0.0);
    twists_.resize(n);
    above_.resize(skeleton.jointCount());
    known_.assign(skeleton.jointCount(), 0);
    begin(rest);
}

void BodySolver::begin(const Pose& pose) {
    mechanism_.load(pose, now_);
    mechanism_.couple(now_);
    mechanism_.clamp(now_);
}

void BodySolver::placeRoot(const Trs& model_from_root) {
    const Trs& rest = skeleton_->rest(root_);
    const Vec3 offset =
        rotate(conjugate(rest.rotation), model_from_root.translation - rest.translation);
    const Mechanism::Link& slide = mechanism_.links().front();
    for (std::size_t k = 0; k < 3; ++k) now_.values[slide.column + k] = offset[k];
    now_.rotations[1] = normalized(conjugate(rest.rotation) * model_from_root.rotation);
}

const std::vector<BodySolver::Above>& BodySolver::above(JointId joint) {
    std::vector<Above>& out = above_[index(joint)];
    if (known_[index(joint)]) return out;
    known_[index(joint)] = 1;
    const std::span<const Mechanism::Link> links = mechanism_.links();
    for (int i = mechanism_.mount(joint).link; i >= 0;
         i = links[static_cast<std::size_t>(i)].parent) {
        const Mechanism::Link& link = links[static_cast<std::size_t>(i)];
        for (std::uint32_t k = 0; k < link.columns; ++k)
            out.push_back({link.column + k, link.column + k, static_cast<std::uint32_t>(i), 1.0});
    }
    for (Above& each : out) {
        for (const Mechanism::Coupling& coupling : mechanism_.couplings())
            if (coupling.column == each.column)
                each.variable = coupling.leader, each.factor = coupling.factor;
    }
    // Entries are of the lower triangle: larger variables first.
    std::sort(out.begin(), out.end(),
              [](const Above& a, const Above& b) { return a.variable > b.variable; });
    return out;
}

double BodySolver::evaluate(const MechanismState& state) {
    mechanism_.computeFrames(state, frames_);
    double cost = 0.0;
    for (const OrientationTarget& target : orientations_) {
        const RigidFrame f = mechanism_.jointFrame(target.joint, frames_);
        const Vec3 side = anyPerpendicular(target.axis);
        const std::array<Vec3, 3> axes = {target.axis, side, cross(target.axis, side)};
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 off = f.direction(axes[k]) - rotate(target.orientation, axes[k]);
            cost += (k == 0 ? target.axis_weight : 0.5 * target.twist_weight) * dot(off, off);
        }
    }
    for (const PositionTarget& target : positions_) {
        const RigidFrame f = mechanism_.jointFrame(target.joint, frames_);
        const Vec3 off = f.point(target.point * mechanism_.mount(target.joint).scale) +
                         mechanism_.origin() - target.target;
        cost += target.weight * dot(off, off);
    }
    for (std::size_t c = 0; c < state.values.size(); ++c) {
        const double moved = state.values[c] - before_.values[c];
        if (mechanism_.columns()[c].angle) cost += kStay * moved * moved;
    }
    return 0.5 * cost;
}

// The cost of an orientation is the sum of w (1 - n . t) over the axes n of the frame and what they
// should be, t. Rotations about a and then, further down, about b change n by a x (b x n), so that
// the second derivative is (a . b) S - b^T B a with S = sum of w n . t, and B = sum of w t n^T.
// Gauss-Newton has n in the place of t.
void BodySolver::addOrientation(const OrientationTarget& target, Curvature curvature) {
    const RigidFrame f = mechanism_.jointFrame(target.joint, frames_);
    const Vec3 side = anyPerpendicular(target.axis);
    const std::array<Vec3, 3> axes = {target.axis, side, cross(target.axis, side)};
    const std::vector<Above>& columns = above(target.joint);
    bent_.resize(columns.size());
    for (Bent& each : bent_) each = {};
    Vec3 pull;
    std::array<Vec3, 3> now, other;
    std::array<double, 3> weights = {};
    double all = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        weights[k] = k == 0 ? target.axis_weight : 0.5 * target.twist_weight;
        now[k] = f.direction(axes[k]);
        const Vec3 to = rotate(target.orientation, axes[k]);
        pull += cross(now[k], to) * weights[k];
        other[k] = curvature == Curvature::Newton ? to : now[k];
        all += weights[k] * dot(now[k], other[k]);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::size_t c = columns[i].column;
        Bent& bent = bent_[i];
        bent.rate = Vec3{twists_.ax[c], twists_.ay[c], twists_.az[c]} * columns[i].factor;
        descent_[columns[i].variable] += dot(bent.rate, pull);
        bent.lower = bent.rate * all;
        for (std::size_t k = 0; k < 3; ++k)
            bent.lower -= now[k] * (weights[k] * dot(other[k], bent.rate));
        bent.upper = bent.rate;
    }
    addProducts(columns, 0.0);
}

// A point p moves by a x p + b; what lies above rotates how it moves below.
void BodySolver::addPosition(const PositionTarget& target, Curvature curvature) {
    const RigidFrame f = mechanism_.jointFrame(target.joint, frames_);
    const Vec3 at = f.point(target.point * mechanism_.mount(target.joint).scale);
    const Vec3 off = at + mechanism_.origin() - target.target;
    const std::vector<Above>& columns = above(target.joint);
    bent_.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::size_t c = columns[i].column;
        const Vec3 angular = Vec3{twists_.ax[c], twists_.ay[c], twists_.az[c]} * columns[i].factor;
        Bent& bent = bent_[i];
        bent.rate = cross(angular, at) +
                    Vec3{twists_.bx[c], twists_.by[c], twists_.bz[c]} * columns[i].factor;
        descent_[columns[i].variable] -= target.weight * dot(bent.rate, off);
        // off . (a x rate) = a . (rate x off)
        bent.lower =
            curvature == Curvature::Newton ? cross(bent.rate, off) * target.weight : Vec3{};
        bent.upper = angular;
    }
    addProducts(columns, target.weight);
}

// Adds the second derivatives of pairs of coordinates: `lower` of the one further down times
// `upper` of the other, and `weight` times the product of their rates.
void BodySolver::addProducts(const std::vector<Above>& columns, double weight) {
    const std::size_t n = descent_.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        double* row = matrix_.data() + columns[i].variable * n;
        for (std::size_t k = i; k < columns.size(); ++k) {
            const bool deeper = columns[i].column >= columns[k].column;
            double value =
                deeper ? dot(bent_[i].lower, bent_[k].upper) : dot(bent_[k].lower, bent_[i].upper);
            // The three coordinates of a ball are one small rotation: neither is further down.
            if (i != k && columns[i].link == columns[k].link)
                value = 0.5 *
                        (dot(bent_[i].lower, bent_[k].upper) + dot(bent_[k].lower, bent_[i].upper));
            value += weight * dot(bent_[i].rate, bent_[k].rate);
            const bool twice = k != i && columns[k].variable == columns[i].variable;
            row[columns[k].variable] += twice ? 2.0 * value : value;
        }
    }
}

// No angle goes further in a frame than it may, besides its limits.
void BodySolver::narrowRoom() {
    mechanism_.computeRoom(now_, bounded_.down(), bounded_.up());
    const std::span<double> down = bounded_.down(), up = bounded_.up();
    for (const Mechanism::Link& link : mechanism_.links()) {
        const bool angle = link.kind == LinkKind::RotateX || link.kind == LinkKind::RotateY ||
                           link.kind == LinkKind::RotateZ;
        if (!angle) continue;
        const std::size_t c = link.column;
        const double moved = now_.values[c] - before_.values[c];
        const Mechanism::Column& column = mechanism_.columns()[c];
        down[c] = std::max(column.min - now_.values[c], std::min(-largest_move_ - moved, 0.0));
        up[c] = std::min(column.max - now_.values[c], std::max(largest_move_ - moved, 0.0));
    }
    for (const Mechanism::Coupling& each : mechanism_.couplings())
        down[each.column] = up[each.column] = 0.0;
}

void BodySolver::linearize(Curvature curvature) {
    mechanism_.computeFrames(now_, frames_);
    mechanism_.computeTwists(now_, frames_, twists_);
    std::fill(matrix_.begin(), matrix_.end(), 0.0);
    std::fill(descent_.begin(), descent_.end(), 0.0);
    for (const OrientationTarget& target : orientations_) addOrientation(target, curvature);
    for (const PositionTarget& target : positions_) addPosition(target, curvature);
    const std::size_t n = descent_.size();
    for (std::size_t c = 0; c < n; ++c) {
        matrix_[c * n + c] += kStay;
        if (mechanism_.columns()[c].angle)
            descent_[c] -= kStay * (now_.values[c] - before_.values[c]);
    }
    narrowRoom();
    linear_ = curvature;
}

std::optional<TriedStep> BodySolver::tryStep(Curvature curvature, double damping) {
    if (linear_ != curvature) linearize(curvature);
    if (!bounded_.compute(matrix_, descent_, damping)) return std::nullopt;
    mechanism_.retract(now_, bounded_.step(), trial_);
    trial_cost_ = evaluate(trial_);
    double sum = 0.0;
    for (const double each : bounded_.step()) sum += each * each;
    return TriedStep{.length = std::sqrt(sum / static_cast<double>(descent_.size())),
                     .cost_change = trial_cost_ - cost_};
}

void BodySolver::acceptStep() {
    std::swap(now_, trial_);
    cost_ = trial_cost_;
    linear_.reset();
}

void BodySolver::solve(std::span<const OrientationTarget> orientations,
                       std::span<const PositionTarget> positions, double largest_move) {
    orientations_ = orientations;
    positions_ = positions;
    largest_move_ = largest_move;
    before_ = now_;
    linear_.reset();
    cost_ = evaluate(now_);
    int iterations = 0;
    (void)runDampedNewton(*this, kTolerance, kMostIterations, iterations);
}

void BodySolver::solveAfresh(std::span<const OrientationTarget> orientations,
                             std::span<const PositionTarget> positions) {
    constexpr int kStarts = 8, kRounds = 4;  // far from where it begins, one round may not arrive
    Random random(1);
    const MechanismState first = now_;
    std::optional<MechanismState> best;
    double least = 0.0;
    for (int start = 0; start < kStarts; ++start) {
        now_ = first;
        for (const Mechanism::Column& column : mechanism_.columns()) {
            const auto c = static_cast<std::size_t>(&column - mechanism_.columns().data());
            if (start > 0 && std::isfinite(column.min) && std::isfinite(column.max))
                now_.values[c] = random.between(column.min, column.max);
        }
        mechanism_.couple(now_);
        for (int round = 0; round < kRounds; ++round) solve(orientations, positions);
        if (best && !(cost_ < least)) continue;
        best = now_;
        least = cost_;
    }
    now_ = *best;
}

}  // namespace ulna::retarget::detail
