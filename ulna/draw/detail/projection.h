// SPDX-License-Identifier: Apache-2.0

// The camera of pictures: without perspective, from one of a few directions.
#pragma once

#include "ulna/draw/figure.h"
#include "ulna/math/vec.h"

namespace ulna::draw::detail {

/// Model directions as the picture has them: to the right, up, and towards the viewer. All one
/// long and at right angles.
struct Projection {
    Vec3 right, up, towards;

    [[nodiscard]] Vec3 operator()(const Vec3& p) const {
        return {dot(right, p), dot(up, p), dot(towards, p)};
    }
};

[[nodiscard]] Projection makeProjection(View view, UpAxis up);

}  // namespace ulna::draw::detail
