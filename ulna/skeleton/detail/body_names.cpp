// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/body_names.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "ulna/core/text.h"

namespace ulna::skeleton::detail {
namespace {

// A name without its side, in small letters. Where another joint of the side has a plain name for
// `part`, a word that could mean either means `otherwise`.
struct Alias {
    std::string_view text;
    BodyPart part = BodyPart::None;
    BodyPart otherwise = BodyPart::None;
};

constexpr Alias kCentre[] = {
    {"hips", BodyPart::Hips},
    {"hip", BodyPart::Hips},
    {"pelvis", BodyPart::Hips},
    {"spine", BodyPart::Spine},
    {"lowerspine", BodyPart::Spine},
    {"middlespine", BodyPart::Spine},
    {"upperspine", BodyPart::Spine},
    {"spinelower", BodyPart::Spine},
    {"spinemiddle", BodyPart::Spine},
    {"spineupper", BodyPart::Spine},
    {"back", BodyPart::Spine},
    {"lowerback", BodyPart::Spine},
    {"upperback", BodyPart::Spine},
    {"waist", BodyPart::Spine},
    {"abdomen", BodyPart::Spine},
    {"ab", BodyPart::Spine},
    {"stomach", BodyPart::Spine},
    {"trunk", BodyPart::Spine},
    {"ribcage", BodyPart::Spine},
    {"abdomenlower", BodyPart::Spine},
    {"abdomenupper", BodyPart::Spine},
    {"torso", BodyPart::Spine},
    {"thorax", BodyPart::Spine},
    {"chest", BodyPart::Spine},
    {"lowerchest", BodyPart::Spine},
    {"upperchest", BodyPart::Spine},
    {"chestlower", BodyPart::Spine},
    {"chestupper", BodyPart::Spine},
    {"pelvislowerback", BodyPart::Spine},
    {"lowerbacktorso", BodyPart::Spine},
    {"neck", BodyPart::Neck},
    {"lowerneck", BodyPart::Neck},
    {"upperneck", BodyPart::Neck},
    {"necklower", BodyPart::Neck},
    {"neckupper", BodyPart::Neck},
    {"torsohead", BodyPart::Neck},
    {"head", BodyPart::Head},
};

constexpr Alias kSided[] = {
    {"buttock", BodyPart::Pelvis},
    {"hip", BodyPart::Hip, BodyPart::Pelvis},
    {"hipjoint", BodyPart::Hip, BodyPart::Pelvis},
    {"upleg", BodyPart::Hip},
    {"upperleg", BodyPart::Hip},
    {"legupper", BodyPart::Hip},
    {"thigh", BodyPart::Hip},
    {"thighbend", BodyPart::Hip},
    {"femur", BodyPart::Hip},
    {"leg", BodyPart::Hip, BodyPart::Knee},
    {"lowleg", BodyPart::Knee},
    {"lowerleg", BodyPart::Knee},
    {"leglower", BodyPart::Knee},
    {"knee", BodyPart::Knee},
    {"shin", BodyPart::Knee},
    {"shank", BodyPart::Knee},
    {"calf", BodyPart::Knee},
    {"tibia", BodyPart::Knee},
    {"foot", BodyPart::Ankle, BodyPart::Toes},
    {"ankle", BodyPart::Ankle},
    {"ank", BodyPart::Ankle},
    {"toe", BodyPart::Toes},
    {"toes", BodyPart::Toes},
    {"toebase", BodyPart::Toes},
    {"ball", BodyPart::Toes},
    {"collar", BodyPart::Collarbone},
    {"collarbone", BodyPart::Collarbone},
    {"clavicle", BodyPart::Collarbone},
    {"torsoclavicle", BodyPart::Collarbone},
    {"shoulder", BodyPart::Shoulder, BodyPart::Collarbone},
    {"shldr", BodyPart::Shoulder},
    {"sho", BodyPart::Shoulder},
    {"shldrbend", BodyPart::Shoulder},
    {"arm", BodyPart::Shoulder},
    {"uparm", BodyPart::Shoulder},
    {"uarm", BodyPart::Shoulder},
    {"upperarm", BodyPart::Shoulder},
    {"armupper", BodyPart::Shoulder},
    {"humerus", BodyPart::Shoulder},
    {"elbow", BodyPart::Elbow},
    {"forearm", BodyPart::Elbow},
    {"farm", BodyPart::Elbow},
    {"forearmbend", BodyPart::Elbow},
    {"lowarm", BodyPart::Elbow},
    {"lowerarm", BodyPart::Elbow},
    {"armlower", BodyPart::Elbow},
    {"radius", BodyPart::Elbow},
    {"wrist", BodyPart::Wrist},
    {"hand", BodyPart::Wrist, BodyPart::Fingers},
    {"fingers", BodyPart::Fingers},
    {"fingerbase", BodyPart::Fingers},
};

// After "Hand" or nothing, before what finger bones are called.
constexpr Alias kFingers[] = {
    {"thumb", BodyPart::Thumb},         {"index", BodyPart::IndexFinger},
    {"middle", BodyPart::MiddleFinger}, {"mid", BodyPart::MiddleFinger},
    {"ring", BodyPart::RingFinger},     {"pinky", BodyPart::LittleFinger},
    {"little", BodyPart::LittleFinger},
};
constexpr std::string_view kFingerStarts[] = {"inhand", "hand", "f"};
constexpr std::string_view kFingerEnds[] = {"proximal", "intermediate", "distal", "metacarpal",
                                            "finger"};

// Words that tell the tool, the file or the type of thing, not the part. The first kind stands at
// the start, often with a number of its own; the second anywhere.
constexpr std::string_view kPrefixes[] = {"mixamorig", "j",        "bip",      "valve",
                                          "biped",     "armature", "skeleton", "character",
                                          "def",       "cc",       "base",     "c"};
constexpr std::string_view kFillers[] = {"joint", "jnt", "bone", "link"};
// Of one articulation that is built of several hinges, which one it is.
constexpr std::string_view kAxisWords[] = {"pitch", "roll", "yaw", "x", "y", "z"};

template <std::size_t N>
bool contains(const std::string_view (&list)[N], std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool startsWith(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}
bool endsWith(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool isUpper(char c) {
    return c >= 'A' && c <= 'Z';
}
bool isLower(char c) {
    return c >= 'a' && c <= 'z';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isSeparator(char c) {
    return c == '_' || c == '-' || c == '.' || c == ' ';
}

// Whether a word starts at `i` without a separator: fooBar, FOOBar, foo1, 1foo.
bool startsWord(std::string_view name, std::size_t i) {
    const char before = name[i - 1], c = name[i];
    if (isDigit(c) != isDigit(before)) return true;
    if (!isUpper(c)) return false;
    return isLower(before) || (isUpper(before) && i + 1 < name.size() && isLower(name[i + 1]));
}

// The words of a name in small letters, without its namespace ("mixamorig:", "Armature|") and the
// number that made it unique ("#2").
std::vector<std::string> wordsOf(std::string_view name) {
    if (const std::size_t at = name.find_last_of(":|/"); at != std::string_view::npos)
        name.remove_prefix(at + 1);
    name = name.substr(0, name.find('#'));
    std::vector<std::string> words;
    bool fresh = true;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (isSeparator(name[i])) {
            fresh = true;
            continue;
        }
        if (fresh || startsWord(name, i)) words.emplace_back();
        words.back() += name[i];
        fresh = false;
    }
    for (std::string& word : words) word = lowerCase(word);
    return words;
}

// A name taken apart: letters without prefix and side, and the digits at its end.
struct ParsedName {
    std::string letters;
    std::string number;
    BodySide side = BodySide::Centre;
};

// Nothing for names with two sides or with digits in the middle.
std::optional<ParsedName> parseName(const std::vector<std::string>& words, bool hinge) {
    ParsedName out;
    bool in_prefix = true;
    for (const std::string& word : words) {
        const bool digits = isDigit(word[0]);
        if (in_prefix && (digits || contains(kPrefixes, word))) continue;
        if (contains(kFillers, word) || (hinge && contains(kAxisWords, word))) continue;
        if (const BodySide side = sideOfWord(word); side != BodySide::Centre) {
            if (out.side != BodySide::Centre) return std::nullopt;
            out.side = side;
            continue;
        }
        in_prefix = false;
        if (digits) {
            if (!out.number.empty()) return std::nullopt;
            out.number = word;
        } else {
            if (!out.number.empty()) return std::nullopt;
            out.letters += word;
        }
    }
    if (out.letters.empty()) return std::nullopt;
    return out;
}

std::optional<Alias> findIn(const Alias* begin, const Alias* end, std::string_view text) {
    const Alias* found = std::find_if(begin, end, [&](const Alias& a) { return a.text == text; });
    return found == end ? std::nullopt : std::optional<Alias>(*found);
}

std::optional<Alias> findFinger(std::string_view text, std::string_view number) {
    // 3ds Max numbers fingers from the thumb and their bones by a second digit: Finger0, Finger01.
    if (text == "finger" && !number.empty()) {
        return Alias{text, number[0] == '0' ? BodyPart::Thumb : BodyPart::Fingers};
    }
    for (const std::string_view start : kFingerStarts) {
        if (!startsWith(text, start)) continue;
        text.remove_prefix(start.size());
        break;
    }
    for (const std::string_view end : kFingerEnds) {
        if (endsWith(text, end)) text.remove_suffix(end.size());
    }
    return findIn(std::begin(kFingers), std::end(kFingers), text);
}

std::optional<Alias> findSided(std::string_view text, std::string_view number) {
    if (std::optional<Alias> finger = findFinger(text, number)) return finger;
    std::optional<Alias> found = findIn(std::begin(kSided), std::end(kSided), text);
    // One joint of a limb has no number; those that have are twist and helper bones.
    if (found && !number.empty() && found->part != BodyPart::Toes) return std::nullopt;
    return found;
}

std::optional<Alias> findCentre(std::string_view text, std::string_view number) {
    std::optional<Alias> found = findIn(std::begin(kCentre), std::end(kCentre), text);
    const bool numbered =
        found && (found->part == BodyPart::Spine || found->part == BodyPart::Neck);
    if (!numbered && !number.empty()) return std::nullopt;
    return found;
}

struct Reading {
    Alias alias;
    BodySide side = BodySide::Centre;
};

std::optional<Reading> readWords(const std::vector<std::string>& words, bool hinge) {
    const std::optional<ParsedName> parsed = parseName(words, hinge);
    if (!parsed) return std::nullopt;
    const std::string_view letters = parsed->letters;
    if (parsed->side != BodySide::Centre) {
        if (const std::optional<Alias> a = findSided(letters, parsed->number))
            return Reading{*a, parsed->side};
        return std::nullopt;
    }
    if (const std::optional<Alias> a = findCentre(letters, parsed->number))
        return Reading{*a, BodySide::Centre};
    // The side written without a boundary: LEFTUPLEG, armleft, lfemur.
    for (const SideWord& mark : kSideWords) {
        const std::size_t n = mark.text.size();
        if (startsWith(letters, mark.text)) {
            if (const auto a = findSided(letters.substr(n), parsed->number))
                return Reading{*a, mark.side};
        }
        if (n > 1 && endsWith(letters, mark.text)) {
            if (const auto a = findSided(letters.substr(0, letters.size() - n), parsed->number))
                return Reading{*a, mark.side};
        }
    }
    return std::nullopt;
}

// Vertebrae, as suits of inertial sensors name the joints of the spine: L5, L3, T12, T8.
bool isVertebra(std::string_view name, char region) {
    const std::vector<std::string> words = wordsOf(name);
    if (words.size() != 2 || words[0] != std::string_view(&region, 1)) return false;
    return words[1].size() <= 2 && isDigit(words[1][0]);
}

// How many words all names begin with: the name of a person or a scene ("Bob_LThigh").
std::size_t commonWords(const std::vector<std::vector<std::string>>& names) {
    constexpr std::size_t kFew = 8;  // so many names do not begin alike by chance
    if (names.size() < kFew) return 0;
    std::size_t count = 0;
    while (true) {
        for (const std::vector<std::string>& words : names) {
            if (words.size() <= count || words[count] != names.front()[count]) return count;
        }
        if (sideOfWord(names.front()[count]) != BodySide::Centre) return count;
        ++count;
    }
}

// The names of a body, read one by one.
std::vector<std::optional<Reading>> readNames(const Skeleton& skeleton, JointRange range) {
    std::vector<std::vector<std::string>> names;
    bool lumbar = false, thoracic = false;
    for (const JointId j : range) {
        if (skeleton.isEndSite(j)) continue;
        names.push_back(wordsOf(skeleton.name(j)));
        lumbar = lumbar || isVertebra(skeleton.name(j), 'l');
        thoracic = thoracic || isVertebra(skeleton.name(j), 't');
    }
    const auto common = static_cast<std::ptrdiff_t>(commonWords(names));
    std::vector<std::optional<Reading>> out;
    for (const JointId j : range) {
        out.emplace_back();
        if (skeleton.isEndSite(j)) continue;
        std::vector<std::string> words = wordsOf(skeleton.name(j));
        const bool hinge = skeleton.kind(j) == JointKind::Hinge;
        out.back() = readWords(words, hinge);
        if (!out.back() && common > 0) {
            words.erase(words.begin(), words.begin() + common);
            out.back() = readWords(words, hinge);
        }
        const bool vertebra =
            isVertebra(skeleton.name(j), 'l') || isVertebra(skeleton.name(j), 't');
        if (!out.back() && lumbar && thoracic && vertebra)
            out.back() = Reading{{"vertebra", BodyPart::Spine}, BodySide::Centre};
    }
    return out;
}

// What hangs from a joint, End Sites aside.
bool isLeaf(const Skeleton& skeleton, JointId joint) {
    for (const JointId j : skeleton.subtree(joint))
        if (j != joint && !skeleton.isEndSite(j)) return false;
    return true;
}

}  // namespace

NamedParts recogniseBody(const Skeleton& skeleton, JointRange range) {
    NamedParts out{std::vector<NamedPart>(range.size()), std::vector<bool>(range.size(), false)};
    std::vector<NamedPart>& parts = out.parts;
    std::vector<std::optional<Reading>> doubtful = readNames(skeleton, range);
    // The words that a part has its joints by: hinges in series share one.
    std::map<std::pair<BodyPart, BodySide>, std::vector<std::string_view>> words;
    // On either side: both are of one family, also where one of them lacks an arm.
    const auto taken = [&](BodyPart part, std::string_view word) {
        return std::any_of(words.begin(), words.end(), [&](const auto& each) {
            return each.first.first == part &&
                   std::any_of(each.second.begin(), each.second.end(),
                               [&](std::string_view by) { return by != word; });
        });
    };
    const auto take = [&](std::size_t i, BodyPart part, BodySide side, std::string_view word) {
        parts[i] = {part, side};
        std::vector<std::string_view>& by = words[{part, side}];
        if (std::find(by.begin(), by.end(), word) == by.end()) by.push_back(word);
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!doubtful[i]) continue;
        const auto [alias, side] = *doubtful[i];
        if (alias.otherwise != BodyPart::None) continue;
        doubtful[i].reset();
        if (alias.part == BodyPart::Hips && taken(BodyPart::Hips, {})) continue;
        take(i, alias.part, side, alias.text);
    }
    // Parents first, so that of two doubtful names the upper one takes the upper part.
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!doubtful[i]) continue;
        const auto [alias, side] = *doubtful[i];
        const JointId joint = jointId(range.firstIndex() + i);
        bool other = taken(alias.part, alias.text);
        if (alias.part == BodyPart::Ankle || alias.part == BodyPart::Wrist) {
            // "L_Foot" below "L_Ankle" is where the toes begin, unless toes of their own follow.
            if (other && skeleton.kind(joint) == JointKind::Fixed) continue;
            other = other && isLeaf(skeleton, joint);
        }
        take(i, other ? alias.otherwise : alias.part, side, alias.text);
        out.ambiguous[i] = true;
    }
    return out;
}

}  // namespace ulna::skeleton::detail
