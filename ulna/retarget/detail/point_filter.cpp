// SPDX-License-Identifier: Apache-2.0

// The normal equations of a path have five diagonals; they are factored in place, L D Lt.
#include "ulna/retarget/detail/point_filter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/retarget/detail/statistics.h"

namespace ulna::retarget::detail {
namespace {

// How fast people accelerate their elbows and knees, in leg lengths per second squared, and how
// much faster or slower other points (PointPace).
constexpr double kAcceleration = 12.0;
constexpr double kPaces[] = {1.0, 0.6, 1.2, 2.5};
// Over longer gaps than this a path is straight rather than smooth, in seconds.
constexpr double kLongGap = 0.25;
// The least that paths are smoothed, relative to their points: enough to fill gaps.
constexpr double kFill = 1e-9;
// Residuals over this many standard deviations count less (Huber).
constexpr double kHuber = 2.5;
constexpr int kReweightings = 2;
// A bone that is this much longer or shorter than it should be has a wrong end: standard deviations
// and leg lengths.
constexpr double kWrongDeviations = 6.0, kWrongLength = 0.06;
// What a position is known to where nothing is noisy, in leg lengths, beside one that is filled in;
// and the least that the latter counts.
constexpr double kKnown = 0.01, kLeastWeight = 1e-3;

// How far paths bend from frame to frame.
double naturalStep(const FilterOptions& options) {
    return kAcceleration * options.size * options.frame_time * options.frame_time;
}

// How far a path surely bends from frame to frame, more than its noise does: quick limbs bend more
// than most do.
double quickStep(std::span<const double> w, std::span<const Vec3> y, double noise) {
    std::vector<double> squares;
    for (std::size_t f = 2; f < y.size(); ++f) {
        if (!(w[f] > 0.0 && w[f - 1] > 0.0 && w[f - 2] > 0.0)) continue;
        const Vec3 bend = y[f] - y[f - 1] * 2.0 + y[f - 2];
        squares.push_back(dot(bend, bend));
    }
    if (squares.empty()) return 0.0;
    // The median of the chi-squared distribution of three degrees of freedom; of n values it is
    // known to about 2 / sqrt(n) of it.
    constexpr double kMedian = 2.366;
    const double unsure = 1.0 + 2.0 / std::sqrt(static_cast<double>(squares.size()));
    const double variance = median(squares) / kMedian / unsure - 6.0 * noise * noise;
    return std::sqrt(std::max(variance, 0.0));
}

}  // namespace

void smoothPath(std::span<const double> w, double bend, double pull, std::span<Vec3> y) {
    const std::size_t n = y.size();
    double any = 0.0;
    for (const double each : w) any += each;
    if (!(any > 0.0)) {
        std::fill(y.begin(), y.end(), Vec3{});
        return;
    }
    // Rows of the lower triangle: the diagonal, one and two below it.
    std::vector<std::array<double, 3>> a(n);
    for (std::size_t i = 0; i < n; ++i) {
        a[i][0] += w[i];
        y[i] *= w[i];
    }
    for (std::size_t i = 1; i < n; ++i) {
        a[i][0] += pull;
        a[i - 1][0] += pull;
        a[i][1] -= pull;
    }
    for (std::size_t i = 2; i < n; ++i) {
        a[i][0] += bend;
        a[i][1] -= 2.0 * bend;
        a[i][2] += bend;
        a[i - 1][0] += 4.0 * bend;
        a[i - 1][1] -= 2.0 * bend;
        a[i - 2][0] += bend;
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (i >= 2) {
            const double l2 = a[i][2] / a[i - 2][0];
            a[i][1] -= l2 * a[i - 1][1] * a[i - 2][0];
            a[i][0] -= l2 * a[i][2];
            y[i] -= y[i - 2] * l2;
            a[i][2] = l2;
        }
        if (i >= 1) {
            const double l1 = a[i][1] / a[i - 1][0];
            a[i][0] -= l1 * a[i][1];
            y[i] -= y[i - 1] * l1;
            a[i][1] = l1;
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        y[i] = y[i] / a[i][0];
        if (i + 1 < n) y[i] -= y[i + 1] * a[i + 1][1];
        if (i + 2 < n) y[i] -= y[i + 2] * a[i + 2][2];
    }
}

double remainingNoise(const FilterOptions& options) {
    if (!options.smooth || !(options.noise > 0.0)) return options.noise;
    // The sum of the squares of the spline's kernel, which is bend^(1/4) frames wide.
    constexpr double kWidth = 2.8;
    const double ratio = options.noise / naturalStep(options);
    return options.noise / std::sqrt(1.0 + kWidth * std::sqrt(ratio));
}

std::vector<double> filledWeights(std::size_t width, const FilterOptions& options,
                                  std::span<const double> weights) {
    const std::size_t frames = weights.size() / width;
    const double natural = naturalStep(options);
    const double known = std::max(remainingNoise(options), kKnown * options.size);
    std::vector<double> out(weights.begin(), weights.end());
    std::vector<std::size_t> gap(frames);
    for (std::size_t i = 0; i < width; ++i) {
        for (std::size_t f = 0; f < frames; ++f)
            gap[f] = weights[f * width + i] > 0.0 ? 0 : f > 0 ? gap[f - 1] + 1 : frames;
        for (std::size_t f = frames - 1; f-- > 0;) gap[f] = std::min(gap[f], gap[f + 1] + 1);
        for (std::size_t f = 0; f < frames; ++f) {
            if (gap[f] == 0) continue;
            const double far = static_cast<double>(gap[f]);
            const double off = natural * far * far / known;
            out[f * width + i] = std::max(1.0 / (1.0 + off * off), kLeastWeight);
        }
    }
    return out;
}

std::size_t leaveOutliers(std::span<const PointBone> bones, const FilterOptions& options,
                          std::size_t width, std::span<const Vec3> positions,
                          std::span<double> weights) {
    const double allowed = std::max(kWrongDeviations * options.noise, kWrongLength * options.size);
    std::size_t out = 0;
    // A point is wrong where all of its bones are: its neighbours have others that are right.
    std::vector<int> bones_of(width), wrong(width);
    for (std::size_t f = 0; f < positions.size(); f += width) {
        std::fill(bones_of.begin(), bones_of.end(), 0);
        std::fill(wrong.begin(), wrong.end(), 0);
        for (const PointBone& bone : bones) {
            if (!(weights[f + bone.a] > 0.0 && weights[f + bone.b] > 0.0)) continue;
            const double off =
                std::abs(distance(positions[f + bone.a], positions[f + bone.b]) - bone.length);
            const int bad = off > std::max(allowed, kWrongDeviations * bone.spread) ? 1 : 0;
            for (const std::size_t end : {bone.a, bone.b}) {
                ++bones_of[end];
                wrong[end] += bad;
            }
        }
        for (std::size_t i = 0; i < width; ++i) {
            if (bones_of[i] == 0 || wrong[i] < bones_of[i]) continue;
            weights[f + i] = 0.0;
            ++out;
        }
    }
    return out;
}

void filterPoints(std::span<const PointPace> paces, const FilterOptions& options,
                  std::span<const double> weights, std::span<Vec3> positions) {
    const std::size_t width = paces.size(), frames = positions.size() / width;
    const double dt = options.frame_time;
    std::vector<double> w(frames), own(frames);
    std::vector<Vec3> y(frames), given(frames), base(frames, Vec3{});
    const auto smooth = [&](std::size_t i) {
        bool gaps = false;
        for (std::size_t f = 0; f < frames; ++f) {
            w[f] = weights[f * width + i];
            gaps = gaps || !(w[f] > 0.0);
            given[f] = positions[f * width + i] - base[f];
        }
        const double step = naturalStep(options) * kPaces[static_cast<std::size_t>(paces[i])];
        const double ratio = options.noise / std::max(step, quickStep(w, given, options.noise));
        const double bend = options.smooth ? std::max(ratio * ratio, kFill) : kFill;
        const double pull = bend * (dt / kLongGap) * (dt / kLongGap);
        if (!gaps && bend <= kFill) return;
        y = given;
        own = w;
        smoothPath(own, bend, pull, y);
        for (int k = 0; k < kReweightings && bend > kFill; ++k) {
            const double most = kHuber * std::sqrt(3.0) * options.noise;
            for (std::size_t f = 0; f < frames; ++f) {
                const double off = distance(y[f], given[f]);
                own[f] = off > most ? w[f] * most / off : w[f];
            }
            y = given;
            smoothPath(own, bend, pull, y);
        }
        for (std::size_t f = 0; f < frames; ++f) positions[f * width + i] = y[f] + base[f];
    };
    double hips = 0.0;
    for (std::size_t i = 0; i < width; ++i) {
        if (paces[i] != PointPace::Hips) continue;
        smooth(i);
        hips += 1.0;
    }
    for (std::size_t f = 0; f < frames && hips > 0.0; ++f)
        for (std::size_t i = 0; i < width; ++i)
            if (paces[i] == PointPace::Hips) base[f] += positions[f * width + i] / hips;
    for (std::size_t i = 0; i < width; ++i)
        if (paces[i] != PointPace::Hips) smooth(i);
}

}  // namespace ulna::retarget::detail
