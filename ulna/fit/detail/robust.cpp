// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/robust.h"

#include <algorithm>
#include <cmath>

namespace ulna::fit::detail {
namespace {

// 95 % as good as squares where the noise is normal (Huber 1981; Zhang 1997), in units of sigma.
constexpr double kHuberScale = 1.345;
constexpr double kGemanMcClureScale = 3.0;
// What is farther is an outlier: 3 of 100 vertices where the noise is normal.
constexpr double kInlierSigmas = 3.0;

// The median length of a normal vector of sigma 1 per coordinate.
constexpr double kMedianInSpace = 1.5382;
constexpr double kMedianInPlane = 1.1774;

}  // namespace

void RobustMasses::setUp(FitLoss loss, double scale, bool planar, double least_scale) {
    loss_ = loss;
    scale_ = scale;
    least_scale_ = least_scale;
    median_per_sigma_ = planar ? kMedianInPlane : kMedianInSpace;
}

double RobustMasses::medianOf(std::span<const double> base, std::span<const double> distances) {
    sorted_.clear();
    for (std::size_t i = 0; i < base.size(); ++i)
        if (base[i] > 0.0) sorted_.push_back(distances[i]);
    if (sorted_.empty()) return 0.0;
    const auto middle = sorted_.begin() + static_cast<std::ptrdiff_t>(sorted_.size() / 2);
    std::nth_element(sorted_.begin(), middle, sorted_.end());
    return *middle;
}

double RobustMasses::scalePerSigma() const {
    return loss_ == FitLoss::Huber ? kHuberScale : kGemanMcClureScale;
}

double RobustMasses::scaleFor(double median) const {
    if (scale_ > 0.0) return scale_;
    return std::max(median / median_per_sigma_, least_scale_) * scalePerSigma();
}

double RobustMasses::factor(double ratio) const {
    if (loss_ == FitLoss::Huber) return ratio > 1.0 ? 1.0 / ratio : 1.0;
    const double fall = 1.0 / (1.0 + ratio * ratio);
    return fall * fall;
}

double RobustMasses::weigh(std::span<const double> base, std::span<const double> distances,
                           std::span<double> out) {
    const double scale = scale_ > 0.0 ? scale_ : scaleFor(medianOf(base, distances));
    const bool first = factors_.empty();
    factors_.resize(base.size(), 0.0);
    double change = first ? 1.0 : 0.0;
    for (std::size_t i = 0; i < base.size(); ++i) {
        if (!(base[i] > 0.0)) {
            out[i] = 0.0;
            continue;
        }
        const double now = factor(distances[i] / scale);
        change = std::max(change, std::abs(now - factors_[i]));
        factors_[i] = now;
        out[i] = base[i] * now;
    }
    return change;
}

RobustFit RobustMasses::examine(std::span<const double> base, std::span<const double> distances) {
    RobustFit out;
    out.median = medianOf(base, distances);
    out.scale = scaleFor(out.median);
    const double farthest = kInlierSigmas / scalePerSigma() * out.scale;
    double squares = 0.0, mass = 0.0;
    for (std::size_t i = 0; i < base.size(); ++i) {
        if (!(base[i] > 0.0)) continue;
        const double own = base[i] * factor(distances[i] / out.scale);
        squares += own * distances[i] * distances[i];
        mass += own;
        ++out.counted;
        out.inliers += distances[i] <= farthest ? 1 : 0;
    }
    if (mass > 0.0) out.weighted_rms = std::sqrt(squares / mass);
    return out;
}

}  // namespace ulna::fit::detail
