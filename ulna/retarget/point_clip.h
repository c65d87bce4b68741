// SPDX-License-Identifier: Apache-2.0

// PointClip: positions of points of a body over time, from a video, markers or a generative model.
//
// Points say where something is and not how it is oriented; which part of a body each one is, a
// layout says (retarget/point_layout.h). Motion is made of them by retarget/points.h; io reads
// them from files (io/points.h, io/c3d.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ulna/math/vec.h"

namespace ulna {

/// Frames of points, in the unit and the axes of whoever measured them.
struct PointClip {
    std::string name = {};
    std::vector<std::string> names = {};  ///< one per point, where the file has names; or none
    std::size_t point_count = 0;
    double frame_time = 1.0 / 30.0;    ///< in seconds
    std::vector<Vec3> positions = {};  ///< frame by frame; finite, zero where a point is missing
    std::vector<double> weights = {};  ///< one per position: confidence in [0, 1]; 0: missing

    [[nodiscard]] std::size_t frameCount() const {
        return point_count == 0 ? 0 : positions.size() / point_count;
    }
};

}  // namespace ulna
