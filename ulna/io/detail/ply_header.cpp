// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/ply_header.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ulna::io::detail {
namespace {

using MaybeError = std::optional<Diagnostic>;

std::optional<PlyType> typeFromName(std::string_view name) {
    constexpr std::pair<std::string_view, PlyType> kTypes[] = {
        {"char", PlyType::Int8},      {"int8", PlyType::Int8},       {"uchar", PlyType::UInt8},
        {"uint8", PlyType::UInt8},    {"short", PlyType::Int16},     {"int16", PlyType::Int16},
        {"ushort", PlyType::UInt16},  {"uint16", PlyType::UInt16},   {"int", PlyType::Int32},
        {"int32", PlyType::Int32},    {"uint", PlyType::UInt32},     {"uint32", PlyType::UInt32},
        {"float", PlyType::Float32},  {"float32", PlyType::Float32}, {"double", PlyType::Float64},
        {"float64", PlyType::Float64}};
    for (const auto& [known, type] : kTypes)
        if (name == known) return type;
    return std::nullopt;
}

class HeaderReader {
  public:
    HeaderReader(std::string_view bytes, std::string_view source)
        : bytes_(bytes), source_(source) {}

    MaybeError read(PlyHeader& out) {
        if (!bytes_.starts_with("ply") || bytes_.size() < 4 ||
            (bytes_[3] != '\n' && bytes_[3] != '\r'))
            return error(bytes_.substr(0, 4), "a PLY file begins with a line 'ply'");
        // The first line says how all end; binary values begin right behind the last.
        ending_ = bytes_.substr(3, bytes_.substr(3).starts_with("\r\n") ? 2 : 1);
        at_ = 3 + ending_.size();
        bool has_format = false;
        while (nextLine()) {
            const std::string_view keyword = word();
            MaybeError failed;
            if (keyword == "end_header") {
                out.size = at_;
                if (has_format) return std::nullopt;
                return error(keyword, "the header has no line 'format'");
            }
            if (keyword == "format") {
                failed = readFormat(out);
                has_format = true;
            } else if (keyword == "element") {
                failed = readElement(out);
            } else if (keyword == "property") {
                failed = readProperty(out);
            } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
                failed = error(keyword, "the header has an unknown line",
                               "known are format, element, property, comment and end_header");
            }
            if (failed) return failed;
        }
        return error(bytes_.substr(bytes_.size()), "the header does not end",
                     "a line 'end_header' is missing");
    }

  private:
    bool nextLine() {
        if (at_ >= bytes_.size()) return false;
        const std::size_t end = bytes_.find(ending_, at_);
        if (end == std::string_view::npos) return false;
        line_ = bytes_.substr(at_, end - at_);
        at_ = end + ending_.size();
        return true;
    }
    // The next word of the line; empty at its end.
    std::string_view word() {
        constexpr std::string_view kBlank = " \t\r\v\f";
        line_.remove_prefix(std::min(line_.find_first_not_of(kBlank), line_.size()));
        const std::string_view out = line_.substr(0, line_.find_first_of(kBlank));
        line_.remove_prefix(out.size());
        return out;
    }

    [[nodiscard]] Diagnostic error(std::string_view text, std::string what,
                                   std::string advice = {}) const {
        const auto offset = static_cast<std::size_t>(text.data() - bytes_.data());
        return {.what = std::move(what),
                .location = locationAt(bytes_, offset, source_),
                .text = excerpt(text),
                .advice = std::move(advice)};
    }

    MaybeError readFormat(PlyHeader& out) {
        const std::string_view name = word();
        if (name == "ascii")
            out.encoding = PlyEncoding::Text;
        else if (name == "binary_little_endian")
            out.encoding = PlyEncoding::LittleEndian;
        else if (name == "binary_big_endian")
            out.encoding = PlyEncoding::BigEndian;
        else
            return error(name, "the format is unknown",
                         "one of ascii, binary_little_endian and binary_big_endian");
        return std::nullopt;
    }

    MaybeError readElement(PlyHeader& out) {
        const std::string_view name = word();
        const std::string_view digits = word();
        if (name.empty()) return error(name, "an element has no name");
        std::size_t count = 0;
        for (const char c : digits) {
            if (c < '0' || c > '9' || count > std::numeric_limits<std::size_t>::max() / 16)
                return error(digits, "a number of elements was expected");
            count = 10 * count + static_cast<std::size_t>(c - '0');
        }
        if (digits.empty()) return error(digits, "a number of elements was expected");
        out.elements.push_back({std::string(name), count, {}});
        return std::nullopt;
    }

    MaybeError readProperty(PlyHeader& out) {
        PlyProperty property;
        std::string_view type = word();
        if (out.elements.empty()) return error(type, "a property belongs to no element");
        if (type == "list") {
            const std::string_view count = word();
            property.count_type = typeFromName(count);
            if (!property.count_type) return badType(count);
            type = word();
        }
        const std::optional<PlyType> known = typeFromName(type);
        if (!known) return badType(type);
        property.type = *known;
        property.name = std::string(word());
        out.elements.back().properties.push_back(std::move(property));
        return std::nullopt;
    }

    [[nodiscard]] Diagnostic badType(std::string_view type) const {
        return error(type, "the type of a property is unknown",
                     "such as uchar, int, float, double, or list uchar int");
    }

    std::string_view bytes_, source_, ending_, line_;
    std::size_t at_ = 0;
};

}  // namespace

std::size_t plySize(PlyType type) {
    constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return kSizes[static_cast<std::size_t>(type)];
}

Result<PlyHeader> readPlyHeader(std::string_view bytes, std::string_view source) {
    PlyHeader header;
    if (MaybeError error = HeaderReader(bytes, source).read(header)) return *std::move(error);
    return header;
}

}  // namespace ulna::io::detail
