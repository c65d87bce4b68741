// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/match.h"

#include <fmt/format.h>

#include <algorithm>

namespace ulna {

std::optional<Diagnostic> findJointMismatch(const Skeleton& skeleton, const Skeleton& other) {
    const std::size_t both = std::min(skeleton.jointCount(), other.jointCount());
    for (const JointId j : JointRange(0, both)) {
        if (skeleton.name(j) != other.name(j))
            return Diagnostic{.what = fmt::format("joint {} is '{}' here and '{}' there", index(j),
                                                  other.name(j), skeleton.name(j))};
        if (skeleton.parent(j) != other.parent(j))
            return Diagnostic{.what = "a joint has another parent", .text = skeleton.name(j)};
    }
    if (skeleton.jointCount() != other.jointCount())
        return Diagnostic{.what = fmt::format("there are {} joints here and {} there",
                                              other.jointCount(), skeleton.jointCount())};
    return std::nullopt;
}

}  // namespace ulna
