// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/formats.h"

#include <vector>

#include "ulna/core/text.h"

namespace ulna {
namespace character::detail {

// Each is in its format's source.
#define ULNA_DECLARE_INFO(name) extern const FormatInfo k##name##Info;
ULNA_FORMATS(ULNA_DECLARE_INFO)
#undef ULNA_DECLARE_INFO

}  // namespace character::detail

namespace {

#define ULNA_INFO_POINTER(name) &character::detail::k##name##Info,
constexpr const FormatInfo* kFormats[] = {ULNA_FORMATS(ULNA_INFO_POINTER)};
#undef ULNA_INFO_POINTER

// The format with the longest ending of a name: `.keys.json` ends in `.json` too.
struct Named {
    const FormatInfo* format = nullptr;
    std::string_view ending = {};
};

Named named(std::string_view name) {
    Named out;
    const std::string lower = lowerCase(name);
    const auto offer = [&](const FormatInfo& info, std::string_view ending) {
        if (lower.ends_with(ending) && ending.size() > out.ending.size()) out = {&info, ending};
    };
    for (const FormatInfo* format : kFormats) {
        for (const std::string_view ending : format->endings) offer(*format, ending);
        offer(*format, format->shared_ending);
    }
    return out;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// Without a byte-order mark and white space.
std::string_view trimmedStart(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : bytes.substr(first);
}

std::optional<FileFormat> sniffed(std::string_view bytes) {
    if (bytes.starts_with("glTF")) return FileFormat::Gltf;
    const std::string_view text = trimmedStart(bytes);
    if (text.starts_with('{')) {
        // A rig may have a joint called asset, but no glTF document has the key of rigs.
        if (contains(text, "\"ulna\"")) return FileFormat::Rig;
        if (contains(text, "\"asset\"")) return FileFormat::Gltf;
        return std::nullopt;
    }
    constexpr std::size_t kHead = 4096;  // room for a comment or two before the first word
    if (text.starts_with('<')) {
        // The robot's may have a comment or an extension about MuJoCo inside.
        const std::string_view head = text.substr(0, kHead);
        const std::size_t robot = head.find("<robot"), model = head.find("<mujoco");
        if (robot == model) return std::nullopt;  // neither is there
        return robot < model ? FileFormat::Urdf : FileFormat::Mjcf;
    }
    if (text.starts_with("ply\n") || text.starts_with("ply\r")) return FileFormat::Ply;
    if (contains(lowerCase(text.substr(0, kHead)), "hierarchy")) return FileFormat::Bvh;
    return std::nullopt;
}

}  // namespace

const FormatInfo& formatInfo(FileFormat format) {
    return *kFormats[static_cast<std::size_t>(format)];
}

bool isReadable(FileFormat format) {
    return formatInfo(format).readable;
}

std::string knownEndings(std::optional<FileUse> use) {
    std::vector<std::string_view> endings;
    for (const FormatInfo* format : kFormats) {
        if (!use || (*use == FileUse::Read ? format->readable : format->writable))
            endings.insert(endings.end(), format->endings.begin(), format->endings.end());
    }
    std::string out;
    for (std::size_t i = 0; i < endings.size(); ++i) {
        if (i > 0) out += i + 1 == endings.size() ? " and " : ", ";
        out += endings[i];
    }
    return out;
}

std::optional<FileFormat> formatOfName(std::string_view name) {
    if (name == "-") return FileFormat::Bvh;
    const Named known = named(name);
    return known.format == nullptr ? std::nullopt : std::optional(known.format->format);
}

std::string clipNameFrom(std::string_view path) {
    if (path == "-") return {};
    path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
    path.remove_suffix(named(path).ending.size());
    return readableText(path);
}

std::optional<FileFormat> formatOfBytes(std::string_view bytes, std::string_view name) {
    const std::optional<FileFormat> format = formatOfName(name);
    const std::string_view shared = format ? formatInfo(*format).shared_ending : "";
    const bool vague = !shared.empty() && named(name).ending == shared;
    if (format && !vague) return format;
    const std::optional<FileFormat> seen = sniffed(bytes);
    return seen ? seen : format;
}

}  // namespace ulna
