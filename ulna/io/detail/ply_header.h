// SPDX-License-Identifier: Apache-2.0

// The header of a PLY file: which elements follow, and of what values they are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"

namespace ulna::io::detail {

enum class PlyType : std::uint8_t { Int8, UInt8, Int16, UInt16, Int32, UInt32, Float32, Float64 };
enum class PlyEncoding : std::uint8_t { Text, LittleEndian, BigEndian };

[[nodiscard]] std::size_t plySize(PlyType type);  ///< in bytes

struct PlyProperty {
    std::string name = {};
    PlyType type = PlyType::Float32;
    std::optional<PlyType> count_type = {};  ///< of a list
};

struct PlyElement {
    std::string name = {};
    std::size_t count = 0;  ///< as the file claims
    std::vector<PlyProperty> properties = {};
};

struct PlyHeader {
    PlyEncoding encoding = PlyEncoding::Text;
    std::vector<PlyElement> elements = {};
    std::size_t size = 0;  ///< of the header: the values begin here
};

[[nodiscard]] Result<PlyHeader> readPlyHeader(std::string_view bytes, std::string_view source);

}  // namespace ulna::io::detail
