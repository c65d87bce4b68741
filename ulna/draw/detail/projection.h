// SPDX-License-Identifier: Apache-2.0

// The camera of pictures: without perspective, from one of a few directions.
#pragma once

#include "ulna/draw/view.h"
#include "ulna/math/vec.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna::draw::detail {

/// The directions of the picture in model space: to the right, up, and towards the viewer. They are
/// orthogonal unit vectors.
struct Projection {
    Vec3 right, up, towards;

    [[nodiscard]] Vec3 operator()(const Vec3& p) const {
        return {dot(right, p), dot(up, p), dot(towards, p)};
    }
};

[[nodiscard]] Projection makeProjection(View view, UpAxis up);

}  // namespace ulna::draw::detail
