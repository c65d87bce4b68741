// SPDX-License-Identifier: Apache-2.0

// Progress: how a long function tells its caller how far it is, and asks whether to go on.
#pragma once

#include <functional>

namespace ulna {

/// Called from the calling thread with the fraction done, in [0, 1]. Returning false cancels.
/// An empty function means nobody is watching.
using Progress = std::function<bool(double fraction)>;

}  // namespace ulna
