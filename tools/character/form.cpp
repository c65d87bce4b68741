// SPDX-License-Identifier: Apache-2.0
#include "tools/character/form.h"

#include <algorithm>
#include <cmath>

namespace ulna::maker {
namespace {

// The distance to an ellipse or ellipsoid, to first order: with f = |p / r|, (f - 1) f / |grad f|.
double ellipticDistance(const Vec3& p, const Vec3& radii) {
    const Vec3 q{p.x / radii.x, p.y / radii.y, p.z / radii.z};
    const double f = length(q);
    const double slope = length(Vec3{q.x / radii.x, q.y / radii.y, q.z / radii.z});
    if (!(slope > 1e-9)) return -std::min({radii.x, radii.y, radii.z});
    return f * (f - 1.0) / slope;
}

class Ellipsoid : public Form {
  public:
    Ellipsoid(const Vec3& centre, const Vec3& radii, double pitch)
        : centre_(centre), radii_(radii), cos_(std::cos(pitch)), sin_(std::sin(pitch)) {
        bound(centre, std::max({radii.x, radii.y, radii.z}));
    }
    [[nodiscard]] double distance(const Vec3& p) const override {
        const Vec3 d = p - centre_;
        return ellipticDistance({d.x, cos_ * d.y + sin_ * d.z, cos_ * d.z - sin_ * d.y}, radii_);
    }

  private:
    Vec3 centre_, radii_;
    double cos_, sin_;
};

class RoundCone : public Form {
  public:
    RoundCone(const Vec3& a, double radius_a, const Vec3& b, double radius_b)
        : a_(a), axis_(b - a), radius_a_(radius_a), radius_b_(radius_b) {
        bound((a + b) * 0.5, 0.5 * length(axis_) + std::max(radius_a, radius_b));
    }
    [[nodiscard]] double distance(const Vec3& p) const override {
        const Vec3 d = p - a_;
        const double t = std::clamp(dot(d, axis_) / dot(axis_, axis_), 0.0, 1.0);
        return length(d - axis_ * t) - (radius_a_ + t * (radius_b_ - radius_a_));
    }

  private:
    Vec3 a_, axis_;
    double radius_a_, radius_b_;
};

class Loft : public Form {
  public:
    Loft(const LoftAxes& axes, std::vector<Ring> rings) : axes_(axes), rings_(std::move(rings)) {
        const Ring& first = rings_.front();
        const Ring& last = rings_.back();
        double reach = 0.0;
        for (const Ring& ring : rings_)
            reach = std::max({reach, ring.side + std::abs(ring.offset_side),
                              std::max(ring.front, ring.back) + std::abs(ring.offset_front)});
        Vec3 centre;
        centre[axes.along] = 0.5 * (first.t + last.t);
        bound(centre, length(Vec3{reach, reach, 0.5 * (last.t - first.t)}));
    }

    [[nodiscard]] double distance(const Vec3& p) const override {
        const double t = p[axes_.along];
        const double inside = std::clamp(t, rings_.front().t, rings_.back().t);
        const Ring ring = at(inside);
        const double side = p[axes_.side] - ring.offset_side;
        const double front = p[axes_.front] - ring.offset_front;
        const double depth = front > 0.0 ? ring.front : ring.back;
        const double around = ellipticDistance({side, front, 0.0}, {ring.side, depth, 1.0});
        const double beyond = std::abs(t - inside);
        if (beyond == 0.0) return around;
        return around > 0.0 ? std::sqrt(around * around + beyond * beyond)
                            : std::max(around, beyond);
    }

  private:
    static double cubic(double a, double b, double slope_a, double slope_b, double u) {
        const double v = 1.0 - u;
        return v * v * (1.0 + 2.0 * u) * a + u * u * (1.0 + 2.0 * v) * b + u * v * v * slope_a -
               u * u * v * slope_b;
    }

    [[nodiscard]] Ring at(double t) const {
        std::size_t i = 1;
        while (i + 1 < rings_.size() && rings_[i].t < t) ++i;
        const Ring& a = rings_[i - 1];
        const Ring& b = rings_[i];
        const Ring& before = rings_[i > 1 ? i - 2 : i - 1];
        const Ring& after = rings_[std::min(i + 1, rings_.size() - 1)];
        const double step = b.t - a.t;
        const double u = (t - a.t) / step;
        Ring out;
        for (const auto field :
             {&Ring::side, &Ring::front, &Ring::back, &Ring::offset_side, &Ring::offset_front}) {
            const double slope_a = (b.*field - before.*field) / (b.t - before.t) * step;
            const double slope_b = (after.*field - a.*field) / (after.t - a.t) * step;
            out.*field = cubic(a.*field, b.*field, slope_a, slope_b, u);
        }
        return out;
    }

    LoftAxes axes_;
    std::vector<Ring> rings_;
};

}  // namespace

FormPtr ellipsoid(const Vec3& centre, const Vec3& radii, double pitch) {
    return std::make_unique<Ellipsoid>(centre, radii, pitch);
}

FormPtr roundCone(const Vec3& a, double radius_a, const Vec3& b, double radius_b) {
    return std::make_unique<RoundCone>(a, radius_a, b, radius_b);
}

FormPtr loft(const LoftAxes& axes, std::vector<Ring> rings) {
    return std::make_unique<Loft>(axes, std::move(rings));
}

double softMin(double a, double b, double k) {
    const double h = std::max(k - std::abs(a - b), 0.0);
    return std::min(a, b) - h * h / (4.0 * k);
}

double softMax(double a, double b, double k) {
    return -softMin(-a, -b, k);
}

double smoothStep(double t) {
    const double u = std::clamp(t, 0.0, 1.0);
    return u * u * (3.0 - 2.0 * u);
}

double Blend::distance(const Vec3& p) const {
    double out = 1e9;
    for (const FormPtr& form : forms_) {
        // Beyond the seam a form changes nothing.
        if (form->atLeast(p) > out + softness_) continue;
        out = softMin(out, form->distance(p), softness_);
    }
    return out;
}

}  // namespace ulna::maker
