// SPDX-License-Identifier: Apache-2.0

// BatchProgram: the mechanism and the goals of a batch as plain arrays.
//
// Kernels that run many problems at once, in the lanes of a vector unit (ik/batch.h) or on a GPU
// (gpu/batch.h), need no classes: links with their parents, coordinates with their limits, goals
// with the link that carries them. For makeBatchProgram see ik/batch.h.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/solve/mechanism.h"

namespace ulna {

/// Positions are relative to the mechanism's origin; every index is into a vector of the program.
struct BatchProgram {
    /// An elementary link (solve/mechanism.h), parents first.
    struct Link {
        std::int32_t parent = -1;  ///< -1: the model's own frame
        LinkKind kind = LinkKind::RotateZ;
        bool rotated = false;      ///< the rest rotation is not the identity
        std::uint32_t column = 0;  ///< its first coordinate
        std::uint32_t ball = 0;    ///< its index among balls
        JointId joint = JointId::None;
        RigidFrame rest = {};  ///< in the parent's frame
        Vec3 axis = {};        ///< Slide: its direction; Slide3: the scale in x
        bool cone = false;     ///< a ball that its joint's cone limits
    };
    struct Column {
        double min = 0.0, max = 0.0;  ///< infinite where there is no limit
        double scale = 1.0;           ///< 1 / sqrt(W): solvers see unit weights
        std::uint32_t dof = 0;
        bool angle = true;
    };
    /// A goal of three residuals.
    struct Row {
        bool point = false;      ///< a position; else an orientation
        std::uint32_t goal = 0;  ///< its index among the caller's goals
        std::int32_t link = -1;
        Vec3 point_in_link = {};
        RigidFrame link_from_joint = {};  ///< how an orientation's joint is mounted
        double unit = 1.0;                ///< carries the residual to a length: the reach, or 1
        double tolerance = 1.0;
        bool enabled = true;
        double weight = 1.0;  ///< 0 for a goal that is off
        /// Coordinates above the goal's body, root first.
        struct Range {
            std::uint32_t begin = 0, end = 0;
        };
        std::vector<Range> above = {};
    };
    std::vector<Link> links;
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::uint32_t balls = 0;
    std::vector<JointId> bodies;  ///< that goals hold
    double reach = 1.0;
    Vec3 origin = {};  ///< of the mechanism, in model space
};

}  // namespace ulna
