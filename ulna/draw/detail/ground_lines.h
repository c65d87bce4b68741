// SPDX-License-Identifier: Apache-2.0

// GroundLines: a grid on the ground of shaded pictures, fixed to the model, so that one sees how
// figures move over it.
#pragma once

#include "ulna/draw/detail/projection.h"
#include "ulna/math/vec.h"

namespace ulna::draw::detail {

/// A figure's part of a picture, in lengths of its figures, from the figure's spot.
struct GroundFrame {
    double size = 1.0;        ///< of a length, in the model
    double pixels = 1.0;      ///< of a length, in the picture
    double middle = 0.0;      ///< where the middle of the part is, to the right
    double half_width = 1.0;  ///< of the part
    double tilt = 0.0;        ///< the share of up that is towards the viewer; 0: the ground is
                              ///< seen as a line
};

class GroundLines {
  public:
    /// @param spot: on the ground, in model space; it is what the figure stands over.
    /// @param distance: of the lines, in the model. @pre distance > 0
    GroundLines(const Projection& projection, UpAxis up, const Vec3& spot, double distance,
                const GroundFrame& frame);

    /// How much of a line is seen, in [0, 1], at a point of the picture: to the right of the spot,
    /// and below it in the picture.
    [[nodiscard]] float at(double right, double below) const;

  private:
    // A family of parallel lines: where its coordinate is whole.
    struct Family {
        double start = 0.0;                     // the coordinate at the spot
        double by_right = 0.0, by_front = 0.0;  // what a length in these directions adds to it
    };
    [[nodiscard]] float line(const Family& family, double right, double front) const;
    [[nodiscard]] float tick(double right, double below) const;

    GroundFrame frame_;
    Family families_[2];
};

}  // namespace ulna::draw::detail
