// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/skeleton_shape.h"

#include <algorithm>
#include <numeric>

#include "ulna/fit/detail/fit_simd.h"

namespace ulna::fit::detail {

SkeletonShape::SkeletonShape(const SkeletonSetup& setup)
    : own_masses_(setup.masses),
      point_masses_(setup.pack.point.size()),
      targets_(setup.pack.vertexCount()),
      point_moments_(setup.skeleton->jointCount()),
      pins_(setup.options.pinned.size()),
      pin_mass_(setup.pin_mass) {
    own_masses_.resize(setup.pack.vertexCount(), 0.0);
    masses_ = own_masses_;
    if (setup.options.loss != FitLoss::Squares) distances_.resize(setup.pack.vertexCount());
}

std::size_t SkeletonShape::setTargets(const SkeletonSetup& setup, const FitTargets& targets) {
    if (!std::equal(mask_.begin(), mask_.end(), targets.mask.begin(), targets.mask.end())) {
        mask_.assign(targets.mask.begin(), targets.mask.end());
        for (std::size_t i = 0; i < setup.vertexCount(); ++i)
            own_masses_[i] = setup.masses[i] * (mask_.empty() ? 1.0 : mask_[i]);
        own_masses_are_weighed_ = false;
    }
    return centreTargets(setup.pack, targets.positions, own_masses_, targets_);
}

void SkeletonShape::use(const SkeletonSetup& setup, Masses which, SkeletonSystem& system) {
    if (which == Masses::Robust || !own_masses_are_weighed_) {
        if (which == Masses::Own)
            std::copy(own_masses_.begin(), own_masses_.end(), masses_.begin());
        const auto pins = masses_.begin() + static_cast<std::ptrdiff_t>(setup.vertexCount());
        std::fill(pins, masses_.end(), pin_mass_);
        mass_ = std::accumulate(masses_.begin(), pins, 0.0);
        if (!(mass_ > 0.0)) mass_ = std::accumulate(pins, masses_.end(), 0.0);
        weighPoints(setup.pack, masses_, point_masses_);
        system.weigh(setup.pack, masses_);
        own_masses_are_weighed_ = which == Masses::Own;
    }
    setFrame(setup, system);
}

void SkeletonShape::setFrame(const SkeletonSetup& setup, SkeletonSystem& system) {
    computePointMomentsSimd(setup.pack, point_masses_, targets_, point_moments_);
    system.setFrame(point_moments_);
}

void SkeletonShape::weighPins(const SkeletonSetup& setup, double factor) {
    pin_mass_ = factor * setup.pin_mass;
    own_masses_are_weighed_ = false;
    aimPins(setup);
}

void SkeletonShape::aimPins(const SkeletonSetup& setup) {
    for (std::size_t i = 0; i < pins_.size(); ++i)
        targets_[setup.vertexCount() + i] = {pins_[i].x, pins_[i].y, pins_[i].z, 0.0};
}

double SkeletonShape::movePins(const SkeletonSetup& setup, std::span<const Affine> model) {
    double largest = 0.0;
    for (std::size_t i = 0; i < pins_.size(); ++i) {
        const Vec3 now = model[index(setup.options.pinned[i])].translation() - setup.origin;
        const Vec3 left = pins_[i] - now;
        Row4& target = targets_[setup.vertexCount() + i];
        for (std::size_t c = 0; c < 3; ++c) target[c] += left[c];
        largest = std::max(largest, length(left));
    }
    return largest;
}

Leftover SkeletonShape::measure(const SkeletonSetup& setup, std::span<const Columns4> matrices) {
    return computeLeftoverSimd(setup.pack, own_masses_, matrices, targets_, distances_);
}

}  // namespace ulna::fit::detail
