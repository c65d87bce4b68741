// SPDX-License-Identifier: Apache-2.0

// A packed clip that was read: where everything is in its bytes, and unpacking them.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/motion/detail/packed_format.h"
#include "ulna/skeleton/float_pose.h"

namespace ulna::motion::detail {

/// What a block of tracks is: rotations by three of their four values, or by all, translations or
/// scales.
enum class PackedKind : std::uint8_t { Rotation, WholeRotation, Translation, Scale };

/// Up to kBlock tracks of one kind. Their channels follow each other: x of all tracks, y of all,
/// ...
struct PackedBlock {
    PackedKind kind = PackedKind::Rotation;
    std::size_t channel = 0;  ///< the first
    std::size_t count = 0;    ///< of tracks
    std::array<std::uint32_t, kBlock> joints = {};
    /// What a rotation of three values is relative to: x, y, z, w of all tracks.
    std::array<std::array<float, kBlock>, 4> middle = {};

    [[nodiscard]] bool ofRotations() const {
        return kind == PackedKind::Rotation || kind == PackedKind::WholeRotation;
    }
    [[nodiscard]] std::size_t components() const {
        return kind == PackedKind::WholeRotation ? 4 : 3;
    }
};

struct PackedChannel {
    float step = 0.0f;
    std::int32_t least = 0;        ///< at the ends of segments
    std::uint32_t anchor_bit = 0;  ///< in a row of anchors
    std::uint8_t anchor_width = 0;
};

struct PackedProfile {
    PackedWidths widths = {};
    std::array<std::uint16_t, kSegment + 1> bits = {};  ///< of all differences, by intervals
};

/// The components of a block's tracks at a frame.
using PackedValues = std::array<std::array<float, kBlock>, 4>;

struct PackedData {
    std::shared_ptr<const void> owner;
    std::string_view bytes;
    PackedHeader header;
    std::string name;
    FloatPose base;  ///< of joints without a track
    std::vector<PackedBlock> blocks;
    std::vector<PackedChannel> channels;
    std::vector<PackedProfile> profiles;
    std::size_t segments = 0;
    std::size_t anchor_bytes = 0;   ///< of a row
    const char* anchors = nullptr;  ///< a row for the first frame of each segment, and the last
    const char* offsets = nullptr;  ///< of segments, four bytes each
    const char* payload = nullptr;  ///< numbers of profiles, then differences, for each segment

    [[nodiscard]] std::size_t intervalsOf(std::size_t segment) const {
        return segmentStart(segment + 1, segments, header.frame_count) -
               segmentStart(segment, segments, header.frame_count);
    }
    [[nodiscard]] const char* segmentAt(std::size_t segment) const;
    /// Where the differences of a segment begin, in bits after segmentAt.
    [[nodiscard]] std::size_t firstBit() const {
        return (channels.size() * header.id_bits + 7) / 8 * 8;
    }
};

/// Reads and checks everything.
[[nodiscard]] Result<std::shared_ptr<const PackedData>> readPacked(
    std::string_view bytes, const Skeleton& skeleton, std::shared_ptr<const void> owner);

/// A time in a clip: between two frames of a segment.
struct PackedTime {
    std::size_t segment = 0;
    std::size_t frame = 0;  ///< the earlier one, counted from the segment's first
    float share = 0.0f;     ///< how far it is to the next
};
[[nodiscard]] PackedTime packedTime(const PackedData& data, double time);

/// sin(t angle) / sin(angle) as a series in cos(angle) - 1, exact to 2e-8 down to kEnd.
struct PackedSeries {
    static constexpr std::size_t kTerms = 9;
    static constexpr float kEnd = -0.3f;
    float t = 0.0f;
    std::array<float, kTerms> factors = {};
};
/// What slerp needs of a time between two frames.
struct PackedBlend {
    float share = 0.0f;
    PackedSeries back = {}, on = {};  ///< of the earlier frame, of the later one
};
[[nodiscard]] PackedBlend packedBlend(float share);

/// A component of a block's tracks: where its bits are.
struct PackedLanes {
    alignas(64) std::array<std::int32_t, kBlock> bit = {};
    alignas(64) std::array<std::int32_t, kBlock> least = {};
    alignas(64) std::array<std::int32_t, kBlock> anchor_bit = {};
    alignas(64) std::array<std::int32_t, kBlock> anchor_width = {};
    alignas(64) std::array<float, kBlock> step = {};
    alignas(64) std::array<std::array<std::int32_t, kBlock>, kLevels> width = {};
};

/// From the ends of a segment to the two frames about a time.
struct PackedWay {
    const char* segment = nullptr;
    const char* low_row = nullptr;  ///< of anchors
    const char* high_row = nullptr;
    std::size_t steps = 0;
    std::array<const PackedSplit*, kLevels> splits = {};
    std::array<bool, kLevels> is_high = {};  ///< the frame is the later end of what is left
};

/// Unpacks the blocks of a segment one after the other.
class PackedCursor {
  public:
    PackedCursor(const PackedData& data, const PackedTime& time);
    [[nodiscard]] const PackedBlock& block() const { return data_->blocks[block_]; }
    [[nodiscard]] bool done() const { return block_ == data_->blocks.size(); }
    /// The present block at the two frames about the time; goes to the next.
    void take(PackedValues& earlier, PackedValues& later);
    /// The present block at all frames of the segment: kBlock numbers for each component, a row for
    /// each frame. Goes to the next.
    void takeAll(float* rows, std::size_t stride);
    /// Goes to the next block without unpacking the present one.
    void skip();

  private:
    void nextLanes();

    const PackedData* data_;
    PackedWay way_;
    PackedLanes lanes_;
    std::size_t intervals_;
    std::size_t block_ = 0;
    std::size_t channel_ = 0;
    std::size_t bit_;  // of the present channel's differences
};

/// A block at a time between two frames, into a pose.
void assemble(const PackedBlock& block, const PackedValues& earlier, const PackedValues& later,
              const PackedBlend& blend, FloatPose& pose);

}  // namespace ulna::motion::detail
