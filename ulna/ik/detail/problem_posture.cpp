// SPDX-License-Identifier: Apache-2.0

// The postures of a problem: goals for the coordinates themselves, which have no rows.
#include <algorithm>
#include <cmath>

#include "ulna/ik/detail/problem.h"
#include "ulna/skeleton/state.h"

namespace ulna::ik::detail {

void Problem::buildPostures() {
    const auto links = mechanism_.links();
    posture_.clear();
    posture_curvature_.assign(mechanism_.columnCount(), 0.0);
    for (std::size_t g = 0; g < goals_.size(); ++g) {
        const auto* posture = std::get_if<PostureGoal>(&goals_[g].kind);
        if (posture == nullptr) continue;
        const auto& listed = posture->joints;
        for (std::size_t i = 0; i < links.size();) {
            PostureEntry entry{.goal = g, .joint = links[i].joint};
            entry.links.begin = i;
            while (i < links.size() && links[i].joint == entry.joint) {
                entry.free_ball = entry.free_ball || links[i].kind == LinkKind::Ball;
                ++i;
            }
            entry.links.end = i;
            if (listed.empty() ||
                std::find(listed.begin(), listed.end(), entry.joint) != listed.end())
                posture_.push_back(entry);
        }
    }
}

void Problem::beginPostures() {
    const Skeleton& skeleton = mechanism_.skeleton();
    constexpr std::array<double, 6> kZero = {};
    std::fill(posture_curvature_.begin(), posture_curvature_.end(), 0.0);
    posture_wanted_ = false;
    for (PostureEntry& entry : posture_) {
        const IkGoal& goal = goals_[entry.goal];
        const DofVector& rest = std::get<PostureGoal>(goal.kind).rest;
        entry.weight = goal.enabled ? goal.weight : 0.0;
        entry.rest = preparePosture(
            skeleton, entry.joint,
            rest.empty() ? kZero.data() : rest.data() + skeleton.firstDof(entry.joint));
        posture_wanted_ = posture_wanted_ || entry.weight > 0.0;
        for (const Mechanism::Link& link : linksOf(entry)) {
            for (std::size_t c = link.column; c < link.column + link.columns; ++c)
                posture_curvature_[c] +=
                    entry.weight * unitOf(c) * column_scale_[c] * column_scale_[c];
        }
    }
    for (const Mechanism::Coupling& c : mechanism_.couplings()) {
        posture_curvature_[c.leader] += coupledBy(c) * coupledBy(c) * posture_curvature_[c.column];
        posture_curvature_[c.column] = 0.0;
    }
    posture_counts_ = posture_wanted_;
}

std::span<const Mechanism::Link> Problem::linksOf(const PostureEntry& entry) const {
    return mechanism_.links().subspan(entry.links.begin, entry.links.end - entry.links.begin);
}

void Problem::relaxRevolutions(MechanismState& state) const {
    const Skeleton& skeleton = mechanism_.skeleton();
    for (const PostureEntry& entry : posture_) {
        if (entry.weight == 0.0) continue;
        for (const Mechanism::Link& link : linksOf(entry)) {
            for (std::size_t c = link.column; c < link.column + link.columns; ++c) {
                const Mechanism::Column& column = mechanism_.columns()[c];
                if (column.angle && std::isinf(column.min) && std::isinf(column.max))
                    state.values[c] =
                        entry.rest.values[column.dof - skeleton.firstDof(entry.joint)];
            }
        }
    }
}

// What carries a squared coordinate to a squared length.
double Problem::unitOf(std::size_t column) const {
    return mechanism_.columns()[column].angle ? reach() * reach() : 1.0;
}

double Problem::evaluatePostures(const Evaluation& e, std::span<double> gradient) const {
    const Skeleton& skeleton = mechanism_.skeleton();
    double cost = 0.0;
    for (const PostureEntry& entry : posture_) {
        if (entry.weight == 0.0) continue;
        const std::size_t first = skeleton.firstDof(entry.joint);
        std::array<double, 6> now = {}, off = {}, slope = {};
        if (!entry.free_ball) {
            for (const Mechanism::Link& link : linksOf(entry)) {
                for (std::size_t k = 0; k < link.columns; ++k) {
                    const std::size_t c = link.column + k;
                    double& value = now[link.dof - first + k];
                    value = e.at.values[c];
                    // A pose has no revolutions: the nearest angle counts.
                    if (mechanism_.isCircular(c))
                        value = unwrapAngle(value, entry.rest.values[link.dof - first + k]);
                }
            }
            evaluatePosture(skeleton, entry.joint, now.data(), entry.rest, off.data(),
                            gradient.empty() ? nullptr : slope.data());
        }
        for (std::size_t i = entry.links.begin; i < entry.links.end; ++i) {
            const Mechanism::Link& link = mechanism_.links()[i];
            double* o = off.data() + (link.dof - first);
            double* s = slope.data() + (link.dof - first);
            if (link.kind == LinkKind::Ball) {
                const Vec3 v = quatLog(conjugate(entry.rest.rotation) * e.at.rotations[i]);
                for (std::size_t k = 0; k < 3; ++k) o[k] = v[k];
                if (!gradient.empty()) {
                    const std::array<Vec3, 3> axes = mechanism_.ballBasis(link, e.at.rotations[i]);
                    for (std::size_t k = 0; k < 3; ++k) s[k] = dot(axes[k], v);
                }
            } else if (entry.free_ball) {  // the slides of a free joint
                for (std::size_t k = 0; k < link.columns; ++k)
                    s[k] = o[k] =
                        e.at.values[link.column + k] - entry.rest.values[link.dof - first + k];
            }
            for (std::size_t k = 0; k < link.columns; ++k) {
                const std::size_t c = link.column + k;
                const double factor = entry.weight * unitOf(c);
                cost += 0.5 * factor * o[k] * o[k];
                if (!gradient.empty()) gradient[c] += factor * s[k] * column_scale_[c];
            }
        }
    }
    return cost;
}

void Problem::computePostureGradient(const Evaluation& e, std::span<double> gradient) const {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    if (!hasPosture()) return;
    evaluatePostures(e, gradient);
    coupleGradient(gradient);
}

}  // namespace ulna::ik::detail
