// SPDX-License-Identifier: Apache-2.0

// MJCF: the models of MuJoCo, as skeletons with limits and primitive shapes.
//
// Bodies become joints of the skeleton: each of a body's joints is one, in series, with the joint's
// name, its origin at the joint's `pos`; a body without joints is a fixed joint of its own name,
// and one with a free joint is a base of its own name. A body at the top without a joint cannot
// move. The rest pose is the model as the file has it, in which each coordinate is its `ref`. What
// is read besides: ranges with `limited` and autolimits, default classes, frames, includes, angle
// and eulerseq of the compiler, all ways to say a rotation, joint equalities that are linear (as
// couplings), geoms that are primitives, and keyframes (as named poses).
//
// Meshes, actuators, sensors, tendons and other constraints are left out; a warning counts them.
#pragma once

#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/io/robot.h"

namespace ulna::io {

struct MjcfOptions {
    /// Where the files that it includes may lie; nothing outside of it is opened. Empty: a model
    /// that includes files is refused.
    std::string folder = {};
};

/// Reads a model; `source` names it in messages. Errors have file, line and column: text that is no
/// XML, values that are none, names used twice, an include that is not in the folder, is not there
/// or was read before.
[[nodiscard]] Result<RobotFile> readMjcf(std::string_view text, std::string_view source,
                                         const MjcfOptions& options = {});

}  // namespace ulna::io
