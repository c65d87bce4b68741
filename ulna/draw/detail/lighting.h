// SPDX-License-Identifier: Apache-2.0

// Lighting: the lights of shaded pictures, and what of them reaches a point.
//
// A warm key light from the upper left, a cool fill from the right, an edge light from behind and
// the light of the whole room. Key and room are crowds of far lamps, each with a picture of the
// figure as it sees it (Williams, "Casting curved shadows on curved surfaces", 1978): a point is
// lit by the lamps that see it. So shadows are soft and folds and armpits dark, without noise and
// without a ray. The ground is dark where much is close above it: feet stand, hands cast nothing.
#pragma once

#include <vector>

#include "ulna/draw/detail/surface.h"

namespace ulna::draw::detail {

/// A picture of depths, seen from far away: what a lamp sees, or the ground.
class DepthMap {
  public:
    /// @param texels along the longer side of the picture.
    DepthMap(const Surface& surface, const Vec3& towards, double texels);

    /// Towards the eye.
    [[nodiscard]] const Vec3& towards() const { return towards_; }
    /// The share of `p` that the eye sees, in [0, 1].
    [[nodiscard]] float sees(const Vec3& p) const {
        const float z = depthOf(p);
        return over(p, 1.0f, [z](float depth) { return depth <= z ? 1.0f : 0.0f; });
    }
    /// How close behind `p`, away from the eye, the surface is: 1 at once, less with the distance
    /// in lengths of `fade`, 0 where there is none.
    [[nodiscard]] float closeBehind(const Vec3& p, float fade) const;

  private:
    [[nodiscard]] float depthOf(const Vec3& p) const {
        return static_cast<float>(dot(towards_, p));
    }
    // The mean of `value` of the four depths around a point; `outside` beyond the picture.
    template <class Value>
    [[nodiscard]] float over(const Vec3& p, float outside, const Value& value) const {
        if (depths_.empty()) return outside;  // of what has no extent
        const double x = (dot(right_, p) - left_) * texels_ - 0.5;
        const double y = (dot(up_, p) - low_) * texels_ - 0.5;
        if (!(x > -1.0 && y > -1.0 && x < static_cast<double>(width_) &&
              y < static_cast<double>(height_))) {
            return outside;
        }
        // The map has an empty rim, so that all four are there.
        const auto column = static_cast<std::size_t>(x + 1.0),
                   row = static_cast<std::size_t>(y + 1.0);
        const auto fx = static_cast<float>(x + 1.0 - static_cast<double>(column));
        const auto fy = static_cast<float>(y + 1.0 - static_cast<double>(row));
        const float* at = depths_.data() + row * (width_ + 2) + column;
        const float* above = at + width_ + 2;
        return (value(at[0]) * (1.0f - fx) + value(at[1]) * fx) * (1.0f - fy) +
               (value(above[0]) * (1.0f - fx) + value(above[1]) * fx) * fy;
    }

    Vec3 right_, up_, towards_;
    double left_ = 0.0, low_ = 0.0, texels_ = 1.0;  // the map's corner, and its texels per length
    std::size_t width_ = 0, height_ = 0;            // without the rim
    std::vector<float> depths_;
};

class Lighting {
  public:
    /// @param up: the model's vertical as the picture has it; never to the side.
    /// @param texels: how fine shadows are, along the longer side of what a lamp sees.
    Lighting(const Surface& surface, const Vec3& up, bool ground, double texels, unsigned threads);

    [[nodiscard]] const Vec3& up() const { return up_; }
    /// The horizontal direction to the viewer.
    [[nodiscard]] const Vec3& front() const { return front_; }
    /// The light that a point of the surface sends to the viewer. @pre normal is a unit vector.
    [[nodiscard]] Light shade(const Vec3& p, const Vec3& normal, const Light& surface) const;
    /// How dark the ground is at `p`: 0 far from the figure, up to 1.
    [[nodiscard]] float groundShadow(const Vec3& p) const;

  private:
    struct Lamp {
        DepthMap map;
        Light light;
    };
    std::vector<Lamp> key_, room_;
    std::vector<DepthMap> ground_;
    Vec3 up_, front_, fill_, edge_;
    double off_;  // how far a point is moved off its surface
    Vec3 gloss_;  // the normal that mirrors the key to the viewer
};

}  // namespace ulna::draw::detail
