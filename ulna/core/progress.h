// SPDX-License-Identifier: Apache-2.0

// Progress: a callback by which a long function reports how far it is and can be cancelled.
#pragma once

#include <functional>

namespace ulna {

/// Called in the caller's thread with the completed fraction, in [0, 1]. Returning false cancels.
/// It may be empty.
using Progress = std::function<bool(double fraction)>;

}  // namespace ulna
