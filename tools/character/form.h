// SPDX-License-Identifier: Apache-2.0

// Forms: solids given by a signed distance, negative inside. Sculpting is joining them softly.
//
// Distances are right to first order near the surface, which is all that polygonising and
// projecting need.
#pragma once

#include <memory>
#include <vector>

#include "ulna/math/vec.h"

namespace ulna::maker {

class Form {
  public:
    virtual ~Form() = default;
    [[nodiscard]] virtual double distance(const Vec3& p) const = 0;
    /// Nothing of the form is nearer than this: a ball around it, cheap to ask.
    [[nodiscard]] double atLeast(const Vec3& p) const { return length(p - centre_) - reach_; }

  protected:
    void bound(const Vec3& centre, double reach) {
        centre_ = centre;
        reach_ = reach;
    }

  private:
    Vec3 centre_;
    double reach_ = 1e9;
};

using FormPtr = std::unique_ptr<const Form>;

/// A ball with half-axes along the model's axes, turned by `pitch` about x.
FormPtr ellipsoid(const Vec3& centre, const Vec3& radii, double pitch = 0.0);
/// Two balls and all between them.
FormPtr roundCone(const Vec3& a, double radius_a, const Vec3& b, double radius_b);

/// A cross-section of a loft: an ellipse with a front and a back of their own.
struct Ring {
    double t = 0.0;                                ///< along the axis
    double side = 0.0;                             ///< half the width
    double front = 0.0, back = 0.0;                ///< from the centre
    double offset_side = 0.0, offset_front = 0.0;  ///< of the centre
};

/// Which model axes a loft runs along, is wide along, and has its front along.
struct LoftAxes {
    std::size_t along = 1, side = 0, front = 2;
};

/// Smooth between its rings and flat at its ends.
FormPtr loft(const LoftAxes& axes, std::vector<Ring> rings);

/// Forms joined with a seam of the width `softness`.
class Blend {
  public:
    explicit Blend(double softness) : softness_(softness) {}
    Blend& add(FormPtr form) {
        forms_.push_back(std::move(form));
        return *this;
    }
    [[nodiscard]] double distance(const Vec3& p) const;

  private:
    double softness_;
    std::vector<FormPtr> forms_;
};

/// The smaller of two distances with the corner rounded over the width k; and the larger.
double softMin(double a, double b, double k);
double softMax(double a, double b, double k);
/// 0 below 0, 1 above 1, smooth between.
double smoothStep(double t);

}  // namespace ulna::maker
