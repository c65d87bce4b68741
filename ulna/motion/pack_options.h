// SPDX-License-Identifier: Apache-2.0

// What a packed clip keeps of a motion (motion/pack.h).
#pragma once

namespace ulna {

struct PackOptions {
    /// The largest distance of a point from where the motion has it, in units of length; > 0.
    double tolerance = 1e-4;
    /// Points are so far from each joint along its axes: as far as skin is from bones; > 0.
    double reach = 0.03;
    unsigned threads = 0;  ///< 0: one per core. The result is the same for any number.
};

}  // namespace ulna
