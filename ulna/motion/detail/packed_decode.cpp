// SPDX-License-Identifier: Apache-2.0
//
// Every value is computed by the same operations, in the same order, however many are computed at
// once: a player and a single sample agree to the bit.
#include <algorithm>
#include <cmath>

#include "ulna/math/quat.h"
#include "ulna/motion/detail/packed_data.h"

namespace ulna::motion::detail {
namespace {

std::int32_t anchorAt(const PackedChannel& channel, const char* row) {
    return channel.least +
           static_cast<std::int32_t>(bitsAt(row, channel.anchor_bit, channel.anchor_width));
}

std::size_t bitsOf(const PackedWidths& widths, const std::array<std::uint8_t, kLevels>& count) {
    std::size_t out = 0;
    for (std::size_t level = 0; level < kLevels; ++level)
        out += std::size_t{widths[level]} * count[level];
    return out;
}

using Row = std::array<float, kBlock>;

// sin(t angle) / sin(angle) by y = cos(angle) - 1: a series in y, exact to 2e-8 for y >=
// kSeriesEnd.
constexpr float kSeriesEnd = -0.3f;
float sineRatio(float t, float y) {
    const float tt = t * t;
    float sum = 1.0f;
    for (int i = 9; i >= 1; --i) {
        const float n = static_cast<float>(i);
        sum = 1.0f + (tt / (n * (2.0f * n + 1.0f)) - n / (2.0f * n + 1.0f)) * y * sum;
    }
    return t * sum;
}

void interpolate(Row (&q)[4], const Row (&to)[4], float share, std::size_t lane) {
    const Quat a = {q[0][lane], q[1][lane], q[2][lane], q[3][lane]};
    const Quat b = {to[0][lane], to[1][lane], to[2][lane], to[3][lane]};
    const Quat out = slerp(normalized(a), normalized(b), static_cast<double>(share));
    q[0][lane] = static_cast<float>(out.x);
    q[1][lane] = static_cast<float>(out.y);
    q[2][lane] = static_cast<float>(out.z);
    q[3][lane] = static_cast<float>(out.w);
}

// Unit quaternions of what is stored, whatever that is.
void completeRotations(PackedKind kind, const PackedValues& values, Row (&q)[4]) {
    if (kind == PackedKind::Rotation) {
        for (std::size_t i = 0; i < kBlock; ++i) {
            const float x = values[0][i], y = values[1][i], z = values[2][i];
            const float square = x * x + y * y + z * z;
            const float rest = 1.0f - square;
            const float scale = rest < 0.0f ? 1.0f / std::sqrt(square) : 1.0f;
            q[0][i] = x * scale;
            q[1][i] = y * scale;
            q[2][i] = z * scale;
            q[3][i] = std::sqrt(rest > 0.0f ? rest : 0.0f);
        }
        return;
    }
    for (std::size_t i = 0; i < kBlock; ++i) {
        const float x = values[0][i], y = values[1][i], z = values[2][i], w = values[3][i];
        const float square = x * x + y * y + z * z + w * w;
        const float scale = square > 0.0f ? 1.0f / std::sqrt(square) : 0.0f;
        q[0][i] = x * scale;
        q[1][i] = y * scale;
        q[2][i] = z * scale;
        q[3][i] = square > 0.0f ? w * scale : 1.0f;
    }
}

void assembleRotations(const PackedBlock& block, const PackedValues& earlier,
                       const PackedValues& later, float share, FloatPose& pose) {
    alignas(64) Row q[4], to[4];
    completeRotations(block.kind, earlier, q);
    completeRotations(block.kind, later, to);
    alignas(64) Row cosine, wide;
    for (std::size_t i = 0; i < kBlock; ++i) {
        const float d =
            q[0][i] * to[0][i] + q[1][i] * to[1][i] + q[2][i] * to[2][i] + q[3][i] * to[3][i];
        const float sign = d < 0.0f ? -1.0f : 1.0f;
        const float y = std::min(d * sign - 1.0f, 0.0f);
        wide[i] = y < kSeriesEnd ? 1.0f : 0.0f;
        cosine[i] = y;
        to[0][i] *= sign;
        to[1][i] *= sign;
        to[2][i] *= sign;
        to[3][i] *= sign;
    }
    for (std::size_t i = 0; i < block.count; ++i) {
        if (wide[i] != 0.0f) interpolate(q, to, share, i);
    }
    for (std::size_t i = 0; i < kBlock; ++i) {
        // One that is interpolated already stays: it is the whole of itself.
        const bool done = wide[i] != 0.0f;
        const float a = done ? 1.0f : sineRatio(1.0f - share, cosine[i]);
        const float b = done ? 0.0f : sineRatio(share, cosine[i]);
        for (std::size_t c = 0; c < 4; ++c) q[c][i] = a * q[c][i] + b * to[c][i];
    }
    if (block.kind == PackedKind::Rotation) {
        for (std::size_t i = 0; i < kBlock; ++i) {
            const float mx = block.middle[0][i], my = block.middle[1][i], mz = block.middle[2][i],
                        mw = block.middle[3][i];
            const float x = q[0][i], y = q[1][i], z = q[2][i], w = q[3][i];
            q[0][i] = mw * x + mx * w + my * z - mz * y;
            q[1][i] = mw * y - mx * z + my * w + mz * x;
            q[2][i] = mw * z + mx * y - my * x + mz * w;
            q[3][i] = mw * w - mx * x - my * y - mz * z;
        }
    }
    for (std::size_t c = 0; c < 4; ++c) {
        float* row = pose.row(FloatPose::kRotationRow + c);
        for (std::size_t i = 0; i < block.count; ++i) row[block.joints[i]] = q[c][i];
    }
}

}  // namespace

PackedTime packedTime(const PackedData& data, double time) {
    PackedTime out;
    const double last = static_cast<double>(data.header.frame_count - 1);
    const double at = std::min(time > 0.0 ? time / data.header.frame_time : 0.0, last);
    auto frame = static_cast<std::size_t>(at);
    if (data.header.frame_count > 1)
        frame = std::min(frame, data.header.frame_count - std::size_t{2});
    // Segments are as long as each other to a frame, so the first guess is off by one at most.
    std::size_t segment =
        frame * data.segments / std::max<std::size_t>(data.header.frame_count - 1, 1);
    while (segment + 1 < data.segments &&
           segmentStart(segment + 1, data.segments, data.header.frame_count) <= frame)
        ++segment;
    while (segmentStart(segment, data.segments, data.header.frame_count) > frame) --segment;
    out.segment = segment;
    out.frame = frame - segmentStart(segment, data.segments, data.header.frame_count);
    out.share = static_cast<float>(at - static_cast<double>(frame));
    return out;
}

PackedCursor::PackedCursor(const PackedData& data, const PackedTime& time)
    : data_(&data),
      time_(time),
      splits_(&packedSplits(data.intervalsOf(time.segment))),
      segment_(data.segmentAt(time.segment)),
      low_row_(data.anchors + time.segment * data.anchor_bytes),
      bit_(data.firstBit()) {}

const PackedWidths& PackedCursor::nextWidths() {
    const auto width = static_cast<unsigned>(data_->header.id_bits);
    return data_->profiles[bitsAt(segment_, channel_++ * width, width)].widths;
}

void PackedCursor::skip() {
    const PackedBlock& now = block();
    for (std::size_t i = 0; i < now.components() * now.count; ++i)
        bit_ += bitsOf(nextWidths(), splits_->count);
    ++block_;
}

void PackedCursor::take(PackedValues& earlier, PackedValues& later) {
    const PackedBlock& now = block();
    const std::size_t intervals = data_->intervalsOf(time_.segment);
    // The frames that become known on the way to the wanted two.
    std::array<const PackedSplit*, kLevels> way = {};
    std::array<bool, kLevels> is_high = {};
    std::size_t steps = 0;
    for (std::size_t low = 0, high = intervals; high > low + 1;) {
        const std::size_t middle = (low + high) / 2;
        way[steps] = &splits_->at[middle];
        is_high[steps++] = time_.frame < middle;
        (time_.frame < middle ? high : low) = middle;
    }
    for (std::size_t c = 0; c < now.components(); ++c)
        for (std::size_t i = 0; i < now.count; ++i) {
            const PackedChannel& channel = data_->channels[channel_];
            const PackedWidths& widths = nextWidths();
            std::int32_t low = anchorAt(channel, low_row_);
            std::int32_t high = anchorAt(channel, low_row_ + data_->anchor_bytes);
            for (std::size_t step = 0; step < steps; ++step) {
                const PackedSplit& split = *way[step];
                const std::int32_t value =
                    packedGuess(low, high, split.share) +
                    signedBitsAt(segment_, bit_ + bitsOf(widths, split.before),
                                 widths[split.level]);
                (is_high[step] ? high : low) = value;
            }
            bit_ += bitsOf(widths, splits_->count);
            earlier[c][i] = static_cast<float>(low) * channel.step;
            later[c][i] = static_cast<float>(intervals == 0 ? low : high) * channel.step;
        }
    ++block_;
}

void unpackSegment(const PackedData& data, std::size_t segment, float* rows, std::size_t stride) {
    const std::size_t intervals = data.intervalsOf(segment);
    const PackedSplits& splits = packedSplits(intervals);
    const char* from = data.segmentAt(segment);
    const char* low_row = data.anchors + segment * data.anchor_bytes;
    const auto id_bits = static_cast<unsigned>(data.header.id_bits);
    std::size_t bit = data.firstBit();
    std::array<std::int32_t, kSegment + 1> values = {};
    for (std::size_t c = 0; c < data.channels.size(); ++c) {
        const PackedChannel& channel = data.channels[c];
        const PackedWidths& widths = data.profiles[bitsAt(from, c * id_bits, id_bits)].widths;
        std::array<std::int32_t, kSegment + 1> differences = {};
        for (std::size_t frame = 1; frame < intervals; ++frame) {
            const unsigned width = widths[splits.at[frame].level];
            differences[frame] = signedBitsAt(from, bit, width);
            bit += width;
        }
        values[0] = anchorAt(channel, low_row);
        if (intervals > 0) values[intervals] = anchorAt(channel, low_row + data.anchor_bytes);
        for (std::size_t k = 0; k + 1 < intervals; ++k) {
            const std::size_t frame = splits.order[k];
            const PackedSplit& split = splits.at[frame];
            values[frame] = packedGuess(values[split.low], values[split.high], split.share) +
                            differences[frame];
        }
        for (std::size_t frame = 0; frame <= intervals; ++frame)
            rows[frame * stride + c] = static_cast<float>(values[frame]) * channel.step;
    }
}

void assemble(const PackedBlock& block, const PackedValues& earlier, const PackedValues& later,
              float share, FloatPose& pose) {
    if (block.ofRotations()) return assembleRotations(block, earlier, later, share, pose);
    const std::size_t first =
        block.kind == PackedKind::Scale ? FloatPose::kScaleRow : FloatPose::kTranslationRow;
    for (std::size_t c = 0; c < 3; ++c) {
        float* row = pose.row(first + c);
        for (std::size_t i = 0; i < block.count; ++i)
            row[block.joints[i]] = earlier[c][i] * (1.0f - share) + later[c][i] * share;
    }
}

}  // namespace ulna::motion::detail
