// SPDX-License-Identifier: Apache-2.0

// Left and right in the names of joints: the one place that knows how tools write a side.
//
// A side is a word (LeftArm, arm_right, LEFTUPLEG), a letter set off from the rest (arm_l, L_Arm,
// arm.L, "Bip01 L Arm", LArm, lThigh), or perhaps the first letter (lfemur), which only the other
// names of the skeleton can tell. Pairs of joints are in skeleton/mirror_pairs.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ulna {

enum class BodySide : std::uint8_t { Centre, Left, Right };

/// How a side is written, in small letters.
struct SideWord {
    std::string_view text;
    BodySide side;
};
inline constexpr SideWord kSideWords[] = {{"left", BodySide::Left},
                                          {"right", BodySide::Right},
                                          {"l", BodySide::Left},
                                          {"r", BodySide::Right}};

/// The side that a whole word in small letters says; Centre where it says none.
[[nodiscard]] BodySide sideOfWord(std::string_view word);

/// A part of a name that says a side.
struct SideMark {
    std::size_t first = 0;   ///< index of its first letter
    std::size_t length = 0;  ///< in letters
    BodySide side = BodySide::Centre;
    bool certain = true;  ///< false for a first letter that may belong to a word: `lfemur`, `leg`
};

/// Every part of a name that says a side or may say one, in the order of the name.
[[nodiscard]] std::vector<SideMark> findSideMarks(std::string_view name);

/// The side that a name certainly says, its namespace ("mixamorig:") left aside; Centre where it
/// says none.
[[nodiscard]] BodySide sideOfName(std::string_view name);

/// The name with a mark changed to the other side's, in the same case of letters: RightArm, arm_R.
[[nodiscard]] std::string withOtherSide(std::string_view name, const SideMark& mark);

}  // namespace ulna
