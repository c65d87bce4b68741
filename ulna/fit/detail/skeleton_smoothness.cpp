// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/skeleton_smoothness.h"

#include <algorithm>

namespace ulna::fit::detail {
namespace {

// The rotation vector of a ball's rotation since the begin, in the ball's own frame.
Vec3 rotationSince(const Quat& from, const Quat& to) {
    return quatLog(conjugate(from) * to);
}

// How far each coordinate is from where it was. For a ball these are components whose squares sum
// to the squared angle.
void computeDistances(const Mechanism& mechanism, const MechanismState& from,
                      const MechanismState& to, std::vector<double>& out) {
    out.resize(mechanism.columnCount());
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = to.values[c] - from.values[c];
    for (const std::uint32_t i : mechanism.ballLinks()) {
        const Vec3 since = rotationSince(from.rotations[i], to.rotations[i]);
        for (std::size_t k = 0; k < 3; ++k) out[mechanism.links()[i].column + k] = since[k];
    }
}

// Half the slopes of the sum of squares by the coordinates at `to`. They differ from the distances
// only where a ball's coordinates are not its own axes.
void computeSlopes(const Mechanism& mechanism, const MechanismState& from, const MechanismState& to,
                   std::vector<double>& out) {
    computeDistances(mechanism, from, to, out);
    for (const std::uint32_t i : mechanism.ballLinks()) {
        const Mechanism::Link& link = mechanism.links()[i];
        if (!link.cone) continue;
        const Vec3 since = rotationSince(from.rotations[i], to.rotations[i]);
        const std::array<Vec3, 3> axes = mechanism.ballBasis(link, to.rotations[i]);
        for (std::size_t k = 0; k < 3; ++k) out[link.column + k] = dot(since, axes[k]);
    }
}

}  // namespace

void SkeletonSmoothness::begin(const MechanismState& state) {
    if (!(smoothness_ > 0.0)) return;
    begin_ = state;
    stiffness_is_measured_ = false;
}

void SkeletonSmoothness::measureStiffness(const Mechanism& mechanism,
                                          std::span<const double> matrix) {
    const std::size_t n = mechanism.columnCount();
    stiffness_.resize(n);
    for (std::size_t i = 0; i < n; ++i) stiffness_[i] = smoothness_ * matrix[i * n + i];
    // A ball is held alike about every axis: its angle counts, not its components.
    for (const std::uint32_t i : mechanism.ballLinks()) {
        double* own = stiffness_.data() + mechanism.links()[i].column;
        own[0] = own[1] = own[2] = (own[0] + own[1] + own[2]) / 3.0;
    }
    stiffness_is_measured_ = true;
}

void SkeletonSmoothness::add(const Mechanism& mechanism, const MechanismState& now,
                             std::span<double> matrix, std::span<double> descent) {
    if (!(smoothness_ > 0.0)) return;
    if (!stiffness_is_measured_) measureStiffness(mechanism, matrix);
    computeSlopes(mechanism, begin_, now, distances_);
    const std::size_t n = descent.size();
    for (std::size_t i = 0; i < n; ++i) {
        matrix[i * n + i] += stiffness_[i];
        descent[i] -= stiffness_[i] * distances_[i];
    }
}

double SkeletonSmoothness::costChange(const Mechanism& mechanism, const MechanismState& from,
                                      const MechanismState& to) {
    if (!(smoothness_ > 0.0)) return 0.0;
    computeDistances(mechanism, begin_, from, distances_);
    computeDistances(mechanism, begin_, to, other_);
    double sum = 0.0;
    for (std::size_t i = 0; i < distances_.size(); ++i)
        sum += 0.5 * stiffness_[i] * (other_[i] * other_[i] - distances_[i] * distances_[i]);
    return sum;
}

}  // namespace ulna::fit::detail
