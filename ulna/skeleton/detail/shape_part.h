// SPDX-License-Identifier: Apache-2.0

// What one joint is by shape, how sure that is, and why.
#pragma once

#include <string>

#include "ulna/skeleton/detail/body_names.h"

namespace ulna::skeleton::detail {

struct ShapePart {
    JointId joint = JointId::None;
    NamedPart part = {};
    double confidence = 0.0;
    std::string reason = {};
};

}  // namespace ulna::skeleton::detail
