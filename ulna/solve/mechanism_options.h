// SPDX-License-Identifier: Apache-2.0

// Which joints of a skeleton a solver may move. Used by solve/mechanism.h.
#pragma once

#include <span>

#include "ulna/skeleton/joint.h"

namespace ulna {

/// How a joint's stiffness is overridden for one problem.
struct JointStiffness {
    JointId joint = JointId::None;
    double stiffness = 0.0;
};

/// Which joints of a skeleton move, and how willingly.
struct MechanismOptions {
    std::span<const JointId> locked = {};  ///< these stay as they are, besides the skeleton's own
    std::span<const JointStiffness> stiffness = {};
    JointId chain = JointId::None;  ///< only this joint and those below it move
    bool limits = true;             ///< joints keep within their limits
    /// Roots slide and rotate without limits, whatever their kind. What such a root does is in a
    /// Pose; it has no degrees of freedom in a DofVector.
    bool free_roots = false;
};

}  // namespace ulna
