// SPDX-License-Identifier: Apache-2.0

// The bytes of a packed clip (docs/motion/packed.md), and the arithmetic that packing and unpacking
// share: integers on a grid, of which a segment's ends are stored as they are, and each frame
// between two known ones as its difference from the line between them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "ulna/skeleton/skeleton.h"

namespace ulna::motion::detail {

inline constexpr std::string_view kPackedMagic = "ulnaclip";
inline constexpr std::uint32_t kPackedVersion = 1;
/// So many bytes follow the last one that is used, so that eight can be read anywhere.
inline constexpr std::size_t kPackedPadding = 8;

/// Intervals of frames in a segment at most, and how often a segment can be halved.
inline constexpr std::size_t kSegment = 16;
inline constexpr std::size_t kLevels = 4;
/// Tracks that are unpacked side by side.
inline constexpr std::size_t kBlock = 16;
/// Bits of an integer at most: it is within four bytes wherever it begins, and no sum of those that
/// a file may hold overflows.
inline constexpr unsigned kMostBits = 25;
inline constexpr std::int32_t kLargest = std::int32_t{1} << 27U;

/// The start of a file; integers and floats have their least byte first.
struct PackedHeader {
    char magic[8] = {};
    std::uint32_t version = kPackedVersion;
    std::uint32_t name_bytes = 0;
    std::uint64_t joints_hash = 0;  ///< of the skeleton's names and parents
    std::uint64_t byte_count = 0;   ///< of everything, padding included
    std::uint32_t joint_count = 0;
    std::uint32_t frame_count = 0;
    double frame_time = 0.0;
    double tolerance = 0.0;
    double reach = 0.0;
    float grid = 0.0f;                ///< what all steps are relative to
    std::uint16_t profile_count = 0;  ///< of widths that channels have in a segment
    std::uint16_t id_bits = 0;        ///< of a number of such a profile
};
static_assert(sizeof(PackedHeader) == 72);

/// What a joint has of a component: its rest pose's, one value, or a track. Two bits each in a byte
/// per joint: rotation, translation, scale; of a rotation, kWhole is a track of four values.
enum class PackedHow : std::uint8_t { Rest, Constant, Track, Whole };
inline constexpr std::uint8_t kPackedHasMiddle = 0x40;  ///< the track is about a stored rotation

/// The widths of the differences of a channel in a segment, by how often it was halved.
using PackedWidths = std::array<std::uint8_t, kLevels>;

/// How a segment of some intervals is halved: the frames between its ends.
struct PackedSplit {
    std::uint8_t level = 0;
    std::uint8_t low = 0, high = 0;  ///< the known frames around it
    float share = 0.0f;              ///< how far it is from low to high
    /// How many frames before it, between the ends, are of each level: what lies before it in the
    /// bytes of a channel.
    std::array<std::uint8_t, kLevels> before = {};
};
struct PackedSplits {
    /// By the frame; entry 0 is not used.
    std::array<PackedSplit, kSegment> at = {};
    /// The frames in the order in which they become known.
    std::array<std::uint8_t, kSegment> order = {};
    /// How many frames are of each level.
    std::array<std::uint8_t, kLevels> count = {};
};
/// @pre intervals <= kSegment
[[nodiscard]] const PackedSplits& packedSplits(std::size_t intervals);

/// What a frame is expected to have between two known ones; the same on every machine.
[[nodiscard]] inline std::int32_t packedGuess(std::int32_t low, std::int32_t high, float share) {
    return low + static_cast<std::int32_t>(static_cast<float>(high - low) * share);
}

[[nodiscard]] inline std::size_t segmentCount(std::size_t frames) {
    const std::size_t intervals = frames - 1;
    return intervals == 0 ? 1 : (intervals + kSegment - 1) / kSegment;
}
/// The first frame of a segment, or the last frame for the one after the last: all are as long as
/// each other to a frame.
[[nodiscard]] inline std::size_t segmentStart(std::size_t segment, std::size_t segments,
                                              std::size_t frames) {
    return segment * (frames - 1) / segments;
}

/// How far neighbouring integers of a track are apart, in units of length or of a quaternion, by a
/// code: sixteen steps to a factor of two.
[[nodiscard]] float packedStep(std::uint8_t code, float grid);
/// The code of the largest step up to one; 0 where that is smaller than any.
[[nodiscard]] std::uint8_t packedCode(double step, float grid);

[[nodiscard]] inline std::uint32_t bitsAt(const char* bytes, std::size_t bit, unsigned width) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + bit / 8, sizeof word);
    return static_cast<std::uint32_t>((word >> (bit % 8)) & ((std::uint64_t{1} << width) - 1));
}
[[nodiscard]] inline std::int32_t signedBitsAt(const char* bytes, std::size_t bit, unsigned width) {
    // The sign is the highest bit of the field; a field without bits is 0.
    const std::uint32_t sign = (std::uint32_t{1} << width) >> 1U;
    return static_cast<std::int32_t>((bitsAt(bytes, bit, width) ^ sign) - sign);
}

/// Of the names and parents of joints.
[[nodiscard]] std::uint64_t packedHash(const Skeleton& skeleton);

}  // namespace ulna::motion::detail
