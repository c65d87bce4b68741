// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/sides.h"

namespace ulna {
namespace {

bool isUpper(char c) {
    return c >= 'A' && c <= 'Z';
}
bool isLetter(char c) {
    return isUpper(c) || (c >= 'a' && c <= 'z');
}
char lower(char c) {
    return isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

bool hasWordAt(std::string_view name, std::size_t at, std::string_view word) {
    if (at + word.size() > name.size()) return false;
    for (std::size_t k = 0; k < word.size(); ++k)
        if (lower(name[at + k]) != word[k]) return false;
    return true;
}

// Whether the single letter at `at` is a mark of its own: set off by what is not a letter on both
// sides, or first in a word and followed by a capitalised one (LArm, lThigh). In capitals alone
// (ROOT, LEG) it is a letter like the others.
bool standsAlone(std::string_view name, std::size_t at) {
    if (at > 0 && isLetter(name[at - 1])) return false;
    if (at + 1 == name.size() || !isLetter(name[at + 1])) return true;
    if (!isUpper(name[at + 1])) return false;
    const bool capitals = isUpper(name[at]) && at + 2 < name.size() && isUpper(name[at + 2]);
    return !capitals;
}

}  // namespace

BodySide sideOfWord(std::string_view word) {
    for (const SideWord& each : kSideWords)
        if (word == each.text) return each.side;
    return BodySide::Centre;
}

std::vector<SideMark> findSideMarks(std::string_view name) {
    std::vector<SideMark> out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool alone = standsAlone(name, i);
        for (const auto& [text, side] : kSideWords) {
            if (!hasWordAt(name, i, text)) continue;
            const bool letter = text.size() == 1;
            if (letter && !alone && i > 0) continue;
            out.push_back(
                {.first = i, .length = text.size(), .side = side, .certain = !letter || alone});
        }
    }
    return out;
}

BodySide sideOfName(std::string_view name) {
    if (const std::size_t at = name.find_last_of(":|/"); at != std::string_view::npos)
        name.remove_prefix(at + 1);
    for (const SideMark& mark : findSideMarks(name))
        if (mark.certain) return mark.side;
    return BodySide::Centre;
}

std::string withOtherSide(std::string_view name, const SideMark& mark) {
    const bool to_right = mark.side == BodySide::Left;
    std::string with = mark.length == 1 ? (to_right ? "r" : "l") : (to_right ? "right" : "left");
    const bool first = isUpper(name[mark.first]);
    const bool rest = mark.length > 1 && isUpper(name[mark.first + 1]);
    for (std::size_t i = 0; i < with.size(); ++i)
        if (i == 0 ? first : rest) with[i] = static_cast<char>(with[i] - 'a' + 'A');
    return std::string(name.substr(0, mark.first)) + with +
           std::string(name.substr(mark.first + mark.length));
}

}  // namespace ulna
