// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/ground_lines.h"

#include <algorithm>
#include <cmath>

namespace ulna::draw::detail {
namespace {

constexpr double kHalfLine = 0.6;   // of a line's width, in pixels
constexpr double kTick = 7.0;       // the length of ticks, in pixels
constexpr double kFadeFrom = 0.45;  // of the way to the edge: there lines begin to fade

double covered(double pixels_away) {
    return std::clamp(kHalfLine + 0.5 - pixels_away, 0.0, 1.0);
}

double smooth(double t) {
    t = std::clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

double fromWhole(double value) {
    return std::abs(value - std::round(value));
}

}  // namespace

GroundLines::GroundLines(const Projection& projection, UpAxis up, const Vec3& spot, double distance,
                         const GroundFrame& frame)
    : frame_(frame) {
    const Vec3 vertical = up == UpAxis::Z ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
    const Vec3 side{1, 0, 0}, other = cross(side, vertical);
    const Vec3 front = normalizedOr(
        projection.towards - vertical * dot(projection.towards, vertical), Vec3{0, 0, 1});
    const double lengths = frame.size / distance;
    for (std::size_t i = 0; i < 2; ++i) {
        const Vec3& axis = i == 0 ? side : other;
        families_[i] = {dot(axis, spot) / distance, dot(axis, projection.right) * lengths,
                        dot(axis, front) * lengths};
    }
}

float GroundLines::at(double right, double below) const {
    if (frame_.tilt <= 0.0) return tick(right, below);
    const double front = below / frame_.tilt;
    const double away = length(Vec2{right - frame_.middle, front}) / frame_.half_width;
    const double fade = 1.0 - smooth((away - kFadeFrom) / (1.0 - kFadeFrom));
    if (fade <= 0.0) return 0.0f;
    return static_cast<float>(fade) *
           std::max(line(families_[0], right, front), line(families_[1], right, front));
}

float GroundLines::line(const Family& family, double right, double front) const {
    const double value = family.start + right * family.by_right + front * family.by_front;
    // What a pixel to the right and a pixel down add to the coordinate.
    const double per_pixel =
        length(Vec2{family.by_right, family.by_front / frame_.tilt}) / frame_.pixels;
    return static_cast<float>(covered(fromWhole(value) / per_pixel));
}

float GroundLines::tick(double right, double below) const {
    const double pixels = below * frame_.pixels;
    if (pixels < -1.0 || pixels > kTick) return 0.0f;
    const double edge = (frame_.half_width - std::abs(right - frame_.middle)) / frame_.half_width;
    const double fade = smooth(edge / 0.1);
    double most = covered(std::abs(pixels));
    // Ticks of the lines that go away from the viewer.
    const Family& family = std::abs(families_[0].by_right) > std::abs(families_[1].by_right)
                               ? families_[0]
                               : families_[1];
    const double value = family.start + right * family.by_right;
    if (pixels > 0.0)
        most =
            std::max(most, covered(fromWhole(value) / std::abs(family.by_right) * frame_.pixels));
    return static_cast<float>(fade * most);
}

}  // namespace ulna::draw::detail
