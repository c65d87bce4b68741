// SPDX-License-Identifier: Apache-2.0

// Levenberg-Marquardt with an active set of limits, as in ulna/solve, on dense systems of a dozen
// unknowns.
#include "ulna/retarget/detail/chain_solver.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/math/dense.h"

namespace ulna::retarget::detail {
namespace {

constexpr int kMostSteps = 20;
// Steps below this are rounding, in radians (or lengths, of sliding joints).
constexpr double kRest = 1e-8;
// What pulls towards the frame before: it decides what nothing else does, and nothing more.
constexpr double kStay = 1e-5;

bool limited(const Skeleton& skeleton, JointId j) {
    const JointDef& def = skeleton.joint(j);
    if (def.kind == JointKind::Fixed) return false;
    if (def.kind != JointKind::Ball && def.kind != JointKind::Free) return true;
    bool any = def.cone.has_value();
    for (std::size_t k = 0; k < skeleton.dofCount(j); ++k) any = any || def.limits[k].bounded();
    return any;
}

}  // namespace

ChainSolver::ChainSolver(const Skeleton& skeleton, JointId first, JointId last)
    : skeleton_(skeleton), joints_(skeleton.chain(first, last)) {
    for (const JointId j : joints_) {
        free_ = free_ && !limited(skeleton, j);
        cones_ = cones_ || skeleton.joint(j).cone.has_value();
    }
    origins_.resize(joints_.size());
    orientations_.resize(joints_.size());
    addVariables();
}

void ChainSolver::addVariables() {
    variable_of_.assign(skeleton_.dofCount(), -1);
    std::vector<char> follows(skeleton_.dofCount(), 0);
    for (const DofCoupling& each : skeleton_.couplings()) follows[each.dof] = 1;
    for (const JointId j : joints_) {
        const std::size_t first = skeleton_.firstDof(j);
        const bool free_joint = skeleton_.kind(j) == JointKind::Free;
        for (std::size_t k = 0; k < skeleton_.dofCount(j); ++k) {
            if (follows[first + k] || (free_joint && k < 3) || skeleton_.joint(j).locked) continue;
            variable_of_[first + k] = static_cast<std::ptrdiff_t>(variables_.size());
            variables_.push_back(first + k);
        }
    }
    const std::size_t n = variables_.size();
    for (std::vector<double>* each : {&low_, &high_, &gradient_, &step_, &row_, &start_})
        each->assign(n, 0.0);
    matrix_.assign(n * n, 0.0);
    factor_.assign(n * n, 0.0);
    fixed_.assign(n, 0);
    trial_.resize(skeleton_.dofCount());
}

// A row of three: the residual of a point or of a unit vector, at `arm` from the model's origin (or
// the vector itself), which columns up to a joint move.
void ChainSolver::addRow(const Vec3& residual, const Vec3& arm, std::size_t joint, bool position,
                         double weight) {
    const std::size_t n = variables_.size();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::fill(row_.begin(), row_.end(), 0.0);
        for (const Column& c : columns_) {
            if (c.joint > joint) break;
            const Vec3 rate = c.slides ? (position ? c.axis : Vec3{})
                                       : cross(c.axis, position ? arm - c.origin : arm);
            row_[c.variable] += c.factor * rate[axis];
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (row_[i] == 0.0) continue;
            gradient_[i] += weight * row_[i] * residual[axis];
            for (std::size_t k = 0; k <= i; ++k) matrix_[i * n + k] += weight * row_[i] * row_[k];
        }
    }
}

double ChainSolver::evaluate(const Affine& base, std::span<const SegmentTarget> targets,
                             const PointTarget& point, std::span<const double> dofs,
                             bool derivatives) {
    Quat q = rotationOf(base);
    Vec3 x = base.translation();
    double scale = length(base.column(0));
    columns_.clear();
    const auto column = [&](std::size_t dof, const Vec3& axis, std::size_t joint, bool slides) {
        if (!derivatives) return;
        std::size_t leader = dof;
        double factor = 1.0;
        if (variable_of_[dof] < 0) {
            for (const DofCoupling& each : skeleton_.couplings()) {
                if (each.dof != dof) continue;
                leader = each.leader;
                factor = each.factor;
            }
            if (variable_of_[leader] < 0 || leader == dof) return;
        }
        columns_.push_back(
            {axis, x, slides, joint, static_cast<std::size_t>(variable_of_[leader]), factor});
    };
    for (std::size_t i = 0; i < joints_.size(); ++i) {
        const JointId j = joints_[i];
        const JointDef& def = skeleton_.joint(j);
        const std::size_t dof = skeleton_.firstDof(j);
        x += rotate(q, def.rest.translation) * scale;
        q = q * def.rest.rotation;
        switch (def.kind) {
            case JointKind::Fixed:
                break;
            case JointKind::Prismatic: {
                const Vec3 axis = rotate(q, def.axes[0]) * scale;
                x += axis * dofs[dof];
                column(dof, axis, i, true);
                break;
            }
            case JointKind::Hinge:
            case JointKind::Universal:
                for (std::size_t k = 0; k < dofCountOf(def.kind, false); ++k) {
                    column(dof + k, rotate(q, def.axes[k]), i, false);
                    q = q * quatFromAxisAngle(def.axes[k], dofs[dof + k]);
                }
                break;
            case JointKind::Ball:
            case JointKind::Free: {
                const std::size_t angles = dof + (def.kind == JointKind::Free ? 3 : 0);
                const Vec3 v{dofs[angles], dofs[angles + 1], dofs[angles + 2]};
                if (def.coordinates == BallCoordinates::RotationVector) {
                    q = q * quatExp(v);
                    for (std::size_t k = 0; k < 3; ++k)
                        column(angles + k,
                               rotate(q, angularVelocity(v, unitAxis<double>(static_cast<int>(k)))),
                               i, false);
                } else {
                    const std::array<int, 3> axes = eulerAxes(def.order);
                    for (std::size_t k = 0; k < 3; ++k) {
                        column(angles + k, rotate(q, unitAxis<double>(axes[k])), i, false);
                        q = q * quatAboutAxis(axes[k], v[k]);
                    }
                }
                break;
            }
        }
        scale *= def.rest.scale.x;
        origins_[i] = x;
        orientations_[i] = q;
    }
    if (derivatives) {
        std::fill(matrix_.begin(), matrix_.end(), 0.0);
        std::fill(gradient_.begin(), gradient_.end(), 0.0);
    }
    double cost = 0.0;
    std::size_t i = 0;
    for (const SegmentTarget& target : targets) {
        while (i < joints_.size() && joints_[i] != target.joint) ++i;
        if (i == joints_.size()) break;
        const Vec3 side = anyPerpendicular(target.axis);
        const std::array<Vec3, 3> axes = {target.axis, side, cross(target.axis, side)};
        // |a - a'|^2 of the axis, and half of what the two others differ: the twist alone.
        for (std::size_t k = 0; k < 3; ++k) {
            const double weight = k == 0 ? target.axis_weight : target.twist_weight / 2.0;
            const Vec3 now = rotate(orientations_[i], axes[k]);
            const Vec3 off = now - rotate(target.orientation, axes[k]);
            cost += weight * dot(off, off);
            if (derivatives) addRow(off, now, i, false, weight);
        }
    }
    if (point.weight > 0.0) {
        std::size_t at = 0;
        while (at + 1 < joints_.size() && joints_[at] != point.joint) ++at;
        const Vec3 now = origins_[at] + rotate(orientations_[at], point.point) * scale;
        const Vec3 off = now - point.target;
        const double weight = point.weight / (point.unit * point.unit);
        cost += weight * dot(off, off);
        if (derivatives) addRow(off, now, at, true, weight);
    }
    for (std::size_t v = 0; v < variables_.size(); ++v) {
        const double moved = dofs[variables_[v]] - start_[v];
        cost += kStay * moved * moved;
        if (!derivatives) continue;
        gradient_[v] += kStay * moved;
        matrix_[v * variables_.size() + v] += kStay;
    }
    return cost;
}

// A step of the free variables; those that it takes past a limit stop there, and the others are
// solved for again.
bool ChainSolver::step(double damping, std::span<const double> dofs) {
    const std::size_t n = variables_.size();
    std::fill(step_.begin(), step_.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        const double at = dofs[variables_[i]];
        fixed_[i] = (at <= low_[i] && gradient_[i] > 0.0) || (at >= high_[i] && gradient_[i] < 0.0);
    }
    for (std::size_t round = 0; round <= n; ++round) {
        std::size_t m = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (fixed_[i]) continue;
            double right = -gradient_[i];
            for (std::size_t k = 0; k < n; ++k)
                if (fixed_[k])
                    right -= (k <= i ? matrix_[i * n + k] : matrix_[k * n + i]) * step_[k];
            row_[m++] = right;
        }
        if (m == 0) return true;
        std::size_t a = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (fixed_[i]) continue;
            std::size_t b = 0;
            for (std::size_t k = 0; k <= i; ++k) {
                if (fixed_[k]) continue;
                factor_[a * m + b++] = matrix_[i * n + k];
            }
            factor_[a * m + a] *= 1.0 + damping;
            ++a;
        }
        if (!factorCholesky(std::span(factor_).first(m * m), m, 1e-14)) return false;
        solveCholesky(std::span<const double>(factor_).first(m * m), m, std::span(row_).first(m));
        bool stopped = false;
        a = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (fixed_[i]) continue;
            const double at = dofs[variables_[i]];
            const double to = std::clamp(at + row_[a], low_[i], high_[i]);
            step_[i] = to - at;
            if (to != at + row_[a]) {
                fixed_[i] = 1;
                stopped = true;
            }
            ++a;
        }
        if (!stopped) return true;
    }
    return true;
}

// Lets coordinates follow that are coupled, and brings cones inside.
void ChainSolver::spread(std::span<double> dofs) const {
    for (const DofCoupling& each : skeleton_.couplings())
        dofs[each.dof] = each.factor * dofs[each.leader] + each.offset;
    if (!cones_) return;
    for (const JointId j : joints_)
        if (skeleton_.joint(j).cone)
            (void)clampJointToLimits(skeleton_, j, jointDofs(skeleton_, j, dofs));
}

double ChainSolver::solve(const Affine& base, std::span<const SegmentTarget> targets,
                          const PointTarget& point, double largest_move, std::span<double> dofs) {
    const std::size_t n = variables_.size();
    if (n == 0) return 0.0;
    const std::span<const DofLimit> limits = skeleton_.dofLimits();
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t dof = variables_[i];
        dofs[dof] = std::clamp(dofs[dof], limits[dof].min, limits[dof].max);
        start_[i] = dofs[dof];
        low_[i] = std::max(limits[dof].min, dofs[dof] - largest_move);
        high_[i] = std::min(limits[dof].max, dofs[dof] + largest_move);
    }
    std::copy(dofs.begin(), dofs.end(), trial_.begin());
    double damping = 1e-6;
    double cost = evaluate(base, targets, point, dofs, true);
    for (int k = 0; k < kMostSteps; ++k) {
        if (!step(damping, dofs)) {
            damping = std::max(damping * 10.0, 1e-3);
            continue;
        }
        double longest = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            trial_[variables_[i]] = dofs[variables_[i]] + step_[i];
            longest = std::max(longest, std::abs(step_[i]));
        }
        if (longest < kRest) break;
        spread(trial_);
        const double now = evaluate(base, targets, point, trial_, false);
        if (!(now < cost)) {
            damping = std::max(damping * 8.0, 1e-3);
            if (damping > 1e6) break;
            continue;
        }
        const bool settled = cost - now < 1e-10 * cost;
        cost = now;
        std::copy(trial_.begin(), trial_.end(), dofs.begin());
        if (settled) break;
        damping = std::max(damping * 0.1, 1e-9);
        cost = evaluate(base, targets, point, dofs, true);
    }
    return cost;
}

}  // namespace ulna::retarget::detail
