// SPDX-License-Identifier: Apache-2.0

// Handles: the few joints that a body is posed by, among all that it has.
//
// A person poses a body by its hands, feet, elbows, knees, shoulders, hips, chest and head;
// fingers, the joints of the spine and helpers come after these. Bodies that are surely recognised
// (skeleton/body_roles.h) have the handles of their roles, others those of their shape: where limbs
// end, where they branch, and the middles of long chains.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

enum class HandleRank : std::uint8_t {
    Hidden,  ///< nobody poses a body by it: an eye
    Minor,   ///< shown when somebody looks closer
    Major,   ///< a joint inside the body
    End,     ///< where a limb ends: a hand, a foot, the head, the tip of a tail
};

/// The most joints that are Major or End.
inline constexpr std::size_t kMostHandles = 16;

/// The rank of every joint. In a skeleton of at most kMostHandles joints that are no End Sites all
/// of these are handles.
/// @param map roles that overrule names and shape; may be null.
/// @pre for the map see findBodyRoles.
[[nodiscard]] std::vector<HandleRank> handleRanks(const Skeleton& skeleton,
                                                  const BodyMap* map = nullptr);

}  // namespace ulna
