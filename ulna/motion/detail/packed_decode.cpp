// SPDX-License-Identifier: Apache-2.0

// Lanes are tracks. Nothing passes between them and nothing is fused, so that a value is the same
// whatever the width of the vectors, in a player and in a single sample.
#include <algorithm>
#include <cmath>

#include "ulna/math/quat.h"
#include "ulna/motion/detail/packed_data.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/motion/detail/packed_decode.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ulna::motion::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kBlock>;
using I = hn::RebindToSigned<F>;
using VF = hn::Vec<F>;
using VI = hn::Vec<I>;

HWY_INLINE VF all(float x) {
    return hn::Set(F(), x);
}
HWY_INLINE VI load(const std::int32_t* from) {
    return hn::Load(I(), from);
}

// Fields of bits, one per lane: of a lane's own position and width.
HWY_INLINE VI readFields(const char* bytes, const std::int32_t* bits, std::size_t lane) {
    alignas(64) std::int32_t words[kBlock];
    const std::size_t lanes = hn::Lanes(I());
    for (std::size_t i = 0; i < lanes; ++i)
        std::memcpy(&words[i], bytes + (static_cast<std::uint32_t>(bits[lane + i]) >> 3U),
                    sizeof words[i]);
    const hn::RebindToUnsigned<I> u;
    const auto shift = hn::BitCast(u, hn::And(load(bits + lane), hn::Set(I(), 7)));
    return hn::BitCast(I(), hn::Shr(hn::BitCast(u, load(words)), shift));
}
HWY_INLINE VI shiftOne(VI by) {
    return hn::Shl(hn::Set(I(), 1), by);
}
HWY_INLINE VI readUnsigned(const char* bytes, const std::int32_t* bits, std::size_t lane,
                           VI width) {
    return hn::And(readFields(bytes, bits, lane), hn::Sub(shiftOne(width), hn::Set(I(), 1)));
}
HWY_INLINE VI readSigned(const char* bytes, const std::int32_t* bits, std::size_t lane, VI width) {
    const VI one = shiftOne(width), sign = hn::ShiftRight<1>(one);
    const VI field = hn::And(readFields(bytes, bits, lane), hn::Sub(one, hn::Set(I(), 1)));
    return hn::Sub(hn::Xor(field, sign), sign);
}
// As packedGuess.
HWY_INLINE VI guess(VI low, VI high, float share) {
    const VF span = hn::ConvertTo(F(), hn::Sub(high, low));
    return hn::Add(low, hn::ConvertTo(I(), hn::Mul(span, all(share))));
}

HWY_INLINE VI anchors(const PackedLanes& lanes, std::size_t lane, const char* row) {
    return hn::Add(
        load(lanes.least.data() + lane),
        readUnsigned(row, lanes.anchor_bit.data(), lane, load(lanes.anchor_width.data() + lane)));
}

// The differences of a frame between the ends.
HWY_INLINE VI differences(const PackedLanes& lanes, std::size_t lane, const char* segment,
                          const PackedSplit& split) {
    alignas(64) std::int32_t bits[kBlock];
    VI bit = load(lanes.bit.data() + lane);
    for (std::size_t level = 0; level < kLevels; ++level)
        if (split.before[level] != 0)
            bit =
                hn::Add(bit, hn::Mul(load(lanes.width[level].data() + lane),
                                     hn::Set(I(), static_cast<std::int32_t>(split.before[level]))));
    hn::Store(bit, I(), bits + lane);
    return readSigned(segment, bits, lane, load(lanes.width[split.level].data() + lane));
}

void two(const PackedLanes& lanes, const PackedWay& way, float* earlier, float* later) {
    const std::size_t step = hn::Lanes(I());
    for (std::size_t lane = 0; lane < kBlock; lane += step) {
        VI low = anchors(lanes, lane, way.low_row), high = anchors(lanes, lane, way.high_row);
        for (std::size_t i = 0; i < way.steps; ++i) {
            const VI value = hn::Add(guess(low, high, way.splits[i]->share),
                                     differences(lanes, lane, way.segment, *way.splits[i]));
            if (way.is_high[i])
                high = value;
            else
                low = value;
        }
        const VF scale = hn::Load(F(), lanes.step.data() + lane);
        hn::Store(hn::Mul(hn::ConvertTo(F(), low), scale), F(), earlier + lane);
        hn::Store(hn::Mul(hn::ConvertTo(F(), high), scale), F(), later + lane);
    }
}

void whole(const PackedLanes& lanes, const PackedWay& way, std::size_t intervals, float* rows,
           std::size_t stride) {
    const PackedSplits& splits = packedSplits(intervals);
    const std::size_t step = hn::Lanes(I());
    alignas(64) std::int32_t known[kSegment + 1][kBlock];
    for (std::size_t lane = 0; lane < kBlock; lane += step) {
        const VF scale = hn::Load(F(), lanes.step.data() + lane);
        const auto keep = [&](std::size_t frame, VI value) {
            hn::Store(value, I(), known[frame] + lane);
            hn::Store(hn::Mul(hn::ConvertTo(F(), value), scale), F(), rows + frame * stride + lane);
        };
        keep(0, anchors(lanes, lane, way.low_row));
        if (intervals > 0) keep(intervals, anchors(lanes, lane, way.high_row));
        for (std::size_t k = 0; k + 1 < intervals; ++k) {
            const std::size_t frame = splits.order[k];
            const PackedSplit& split = splits.at[frame];
            keep(frame, hn::Add(guess(load(known[split.low] + lane), load(known[split.high] + lane),
                                      split.share),
                                differences(lanes, lane, way.segment, split)));
        }
    }
}

struct Four {
    VF x, y, z, w;
};

HWY_INLINE VF dotOf(const Four& a, const Four& b) {
    return hn::Add(hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z)),
                   hn::Mul(a.w, b.w));
}

// Unit quaternions of what is stored, whatever that is.
HWY_INLINE Four completed(bool has_w, const float* values, std::size_t lane) {
    const VF zero = hn::Zero(F()), one = all(1.0f);
    Four q = {hn::Load(F(), values + lane), hn::Load(F(), values + kBlock + lane),
              hn::Load(F(), values + 2 * kBlock + lane), zero};
    if (has_w) q.w = hn::Load(F(), values + 3 * kBlock + lane);
    const VF square = dotOf(q, q);
    if (has_w) {
        const auto is_zero = hn::Le(square, zero);
        const VF scale = hn::IfThenElse(is_zero, zero, hn::Div(one, hn::Sqrt(square)));
        return {hn::Mul(q.x, scale), hn::Mul(q.y, scale), hn::Mul(q.z, scale),
                hn::IfThenElse(is_zero, one, hn::Mul(q.w, scale))};
    }
    const VF rest = hn::Sub(one, square);
    const auto is_long = hn::Lt(rest, zero);
    const VF scale = hn::IfThenElse(is_long, hn::Div(one, hn::Sqrt(square)), one);
    return {hn::Mul(q.x, scale), hn::Mul(q.y, scale), hn::Mul(q.z, scale),
            hn::Sqrt(hn::Max(rest, zero))};
}

// t sum of the series of sin(t angle) / sin(angle) in y = cos(angle) - 1.
HWY_INLINE VF sineRatio(const PackedSeries& series, VF y) {
    const VF one = all(1.0f);
    VF sum = one;
    for (std::size_t i = PackedSeries::kTerms; i-- > 0;)
        sum = hn::Add(one, hn::Mul(hn::Mul(all(series.factors[i]), y), sum));
    return hn::Mul(all(series.t), sum);
}

// Rotations at a share of the way; a lane of `wide` is not 0 where the angle is too large for it.
void turn(const PackedBlock& block, const float* earlier, const float* later,
          const PackedBlend& blend, float* rotations, float* wide) {
    const bool has_w = block.kind == PackedKind::WholeRotation;
    const std::size_t step = hn::Lanes(F());
    const VF zero = hn::Zero(F()), one = all(1.0f);
    for (std::size_t lane = 0; lane < kBlock; lane += step) {
        const Four a = completed(has_w, earlier, lane), b = completed(has_w, later, lane);
        const VF cosine = dotOf(a, b);
        const VF sign = hn::IfThenElse(hn::Lt(cosine, zero), all(-1.0f), one);
        const VF y = hn::Min(hn::Sub(hn::Mul(cosine, sign), one), zero);
        hn::Store(hn::IfThenElse(hn::Lt(y, all(PackedSeries::kEnd)), one, zero), F(), wide + lane);
        const VF from = sineRatio(blend.back, y), to = hn::Mul(sineRatio(blend.on, y), sign);
        Four q = {hn::Add(hn::Mul(from, a.x), hn::Mul(to, b.x)),
                  hn::Add(hn::Mul(from, a.y), hn::Mul(to, b.y)),
                  hn::Add(hn::Mul(from, a.z), hn::Mul(to, b.z)),
                  hn::Add(hn::Mul(from, a.w), hn::Mul(to, b.w))};
        if (!has_w) {
            const VF mx = hn::LoadU(F(), block.middle[0].data() + lane);
            const VF my = hn::LoadU(F(), block.middle[1].data() + lane);
            const VF mz = hn::LoadU(F(), block.middle[2].data() + lane);
            const VF mw = hn::LoadU(F(), block.middle[3].data() + lane);
            const Four r = q;
            q.x = hn::Sub(hn::Add(hn::Add(hn::Mul(mw, r.x), hn::Mul(mx, r.w)), hn::Mul(my, r.z)),
                          hn::Mul(mz, r.y));
            q.y = hn::Add(hn::Add(hn::Sub(hn::Mul(mw, r.y), hn::Mul(mx, r.z)), hn::Mul(my, r.w)),
                          hn::Mul(mz, r.x));
            q.z = hn::Add(hn::Sub(hn::Add(hn::Mul(mw, r.z), hn::Mul(mx, r.y)), hn::Mul(my, r.x)),
                          hn::Mul(mz, r.w));
            q.w = hn::Sub(hn::Sub(hn::Sub(hn::Mul(mw, r.w), hn::Mul(mx, r.x)), hn::Mul(my, r.y)),
                          hn::Mul(mz, r.z));
        }
        hn::Store(q.x, F(), rotations + lane);
        hn::Store(q.y, F(), rotations + kBlock + lane);
        hn::Store(q.z, F(), rotations + 2 * kBlock + lane);
        hn::Store(q.w, F(), rotations + 3 * kBlock + lane);
    }
}

}  // namespace ulna::motion::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::motion::detail {

HWY_EXPORT(two);
HWY_EXPORT(whole);
HWY_EXPORT(turn);

namespace {

PackedSeries seriesOf(float t) {
    PackedSeries out;
    out.t = t;
    for (std::size_t i = 0; i < PackedSeries::kTerms; ++i) {
        const float n = static_cast<float>(i + 1);
        out.factors[i] = t * t / (n * (2.0f * n + 1.0f)) - n / (2.0f * n + 1.0f);
    }
    return out;
}

// A rotation that turns far from one frame to the next, in double.
void interpolate(const PackedBlock& block, const PackedValues& earlier, const PackedValues& later,
                 float share, std::size_t lane, PackedValues& out) {
    const auto quatOf = [&](const PackedValues& v) {
        const double x = v[0][lane], y = v[1][lane], z = v[2][lane];
        const double w = block.kind == PackedKind::WholeRotation
                             ? static_cast<double>(v[3][lane])
                             : std::sqrt(std::max(0.0, 1.0 - (x * x + y * y + z * z)));
        const Quat q = {x, y, z, w};
        return dot(q, q) > 0.0 ? normalized(q) : Quat{};
    };
    Quat q = slerp(quatOf(earlier), quatOf(later), static_cast<double>(share));
    if (block.kind == PackedKind::Rotation)
        q = Quat{block.middle[0][lane], block.middle[1][lane], block.middle[2][lane],
                 block.middle[3][lane]} *
            q;
    out[0][lane] = static_cast<float>(q.x);
    out[1][lane] = static_cast<float>(q.y);
    out[2][lane] = static_cast<float>(q.z);
    out[3][lane] = static_cast<float>(q.w);
}

}  // namespace

PackedTime packedTime(const PackedData& data, double time) {
    PackedTime out;
    const std::size_t frames = data.header.frame_count, intervals = frames - 1;
    const double at =
        std::min(time > 0.0 ? time / data.header.frame_time : 0.0, static_cast<double>(intervals));
    const std::size_t frame =
        std::min(static_cast<std::size_t>(at), intervals == 0 ? 0 : intervals - 1);
    // Segments are as long as each other to a frame, so the first guess is off by one at most.
    std::size_t segment = frame * data.segments / std::max<std::size_t>(intervals, 1);
    while (segment + 1 < data.segments && segmentStart(segment + 1, data.segments, frames) <= frame)
        ++segment;
    while (segmentStart(segment, data.segments, frames) > frame) --segment;
    out.segment = segment;
    out.frame = frame - segmentStart(segment, data.segments, frames);
    out.share = static_cast<float>(at - static_cast<double>(frame));
    return out;
}

PackedBlend packedBlend(float share) {
    return {share, seriesOf(1.0f - share), seriesOf(share)};
}

PackedCursor::PackedCursor(const PackedData& data, const PackedTime& time)
    : data_(&data), intervals_(data.intervalsOf(time.segment)), bit_(data.firstBit()) {
    const PackedSplits& splits = packedSplits(intervals_);
    way_.segment = data.segmentAt(time.segment);
    way_.low_row = data.anchors + time.segment * data.anchor_bytes;
    way_.high_row = intervals_ == 0 ? way_.low_row : way_.low_row + data.anchor_bytes;
    // The frames that become known on the way to the wanted two.
    for (std::size_t low = 0, high = intervals_; high > low + 1;) {
        const std::size_t middle = (low + high) / 2;
        way_.splits[way_.steps] = &splits.at[middle];
        way_.is_high[way_.steps++] = time.frame < middle;
        (time.frame < middle ? high : low) = middle;
    }
}

void PackedCursor::skip() {
    for (std::size_t c = 0; c < block().components(); ++c) nextLanes();
    ++block_;
}

void PackedCursor::nextLanes() {
    const PackedBlock& now = block();
    const unsigned id_bits = data_->header.id_bits;
    for (std::size_t i = 0; i < now.count; ++i, ++channel_) {
        const PackedChannel& channel = data_->channels[channel_];
        const PackedProfile& profile =
            data_->profiles[bitsAt(way_.segment, channel_ * id_bits, id_bits)];
        lanes_.bit[i] = static_cast<std::int32_t>(bit_);
        bit_ += profile.bits[intervals_];
        lanes_.least[i] = channel.least;
        lanes_.anchor_bit[i] = static_cast<std::int32_t>(channel.anchor_bit);
        lanes_.anchor_width[i] = channel.anchor_width;
        lanes_.step[i] = channel.step;
        for (std::size_t level = 0; level < kLevels; ++level)
            lanes_.width[level][i] = profile.widths[level];
    }
    for (std::size_t i = now.count; i < kBlock; ++i) {
        // Lanes without a track read the first one's, which is there.
        lanes_.bit[i] = lanes_.bit[0];
        lanes_.least[i] = lanes_.least[0];
        lanes_.anchor_bit[i] = lanes_.anchor_bit[0];
        lanes_.anchor_width[i] = lanes_.anchor_width[0];
        lanes_.step[i] = lanes_.step[0];
        for (std::size_t level = 0; level < kLevels; ++level)
            lanes_.width[level][i] = lanes_.width[level][0];
    }
}

void PackedCursor::take(PackedValues& earlier, PackedValues& later) {
    for (std::size_t c = 0; c < block().components(); ++c) {
        nextLanes();
        HWY_DYNAMIC_DISPATCH(two)(lanes_, way_, earlier[c].data(), later[c].data());
    }
    ++block_;
}

void PackedCursor::takeAll(float* rows, std::size_t stride) {
    for (std::size_t c = 0; c < block().components(); ++c) {
        nextLanes();
        HWY_DYNAMIC_DISPATCH(whole)(lanes_, way_, intervals_, rows + c * kBlock, stride);
    }
    ++block_;
}

void assemble(const PackedBlock& block, const PackedValues& earlier, const PackedValues& later,
              const PackedBlend& blend, FloatPose& pose) {
    alignas(64) PackedValues values;
    std::size_t first = FloatPose::kRotationRow;
    if (block.ofRotations()) {
        alignas(64) float wide[kBlock];
        HWY_DYNAMIC_DISPATCH(turn)
        (block, earlier[0].data(), later[0].data(), blend, values[0].data(), wide);
        for (std::size_t i = 0; i < block.count; ++i)
            if (wide[i] != 0.0f) interpolate(block, earlier, later, blend.share, i, values);
    } else {
        first = block.kind == PackedKind::Scale ? FloatPose::kScaleRow : FloatPose::kTranslationRow;
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t i = 0; i < kBlock; ++i)
                values[c][i] = earlier[c][i] * (1.0f - blend.share) + later[c][i] * blend.share;
    }
    for (std::size_t c = 0; c < (block.ofRotations() ? 4 : 3); ++c) {
        float* row = pose.row(first + c);
        for (std::size_t i = 0; i < block.count; ++i) row[block.joints[i]] = values[c][i];
    }
}

}  // namespace ulna::motion::detail
#endif
