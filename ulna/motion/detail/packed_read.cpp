// SPDX-License-Identifier: Apache-2.0
//
// Nothing in the bytes is believed: counts are compared with what is left before anything is made
// of them, and the last bit of every segment with where the segment ends.
#include <cmath>
#include <optional>
#include <utility>

#include "ulna/motion/detail/packed_data.h"

namespace ulna::motion::detail {
namespace {

constexpr std::size_t kMostFrames = 100'000'000;
// A place in a segment is an integer of four bytes.
constexpr std::size_t kMostSegmentBits = std::size_t{1} << 30U;
// No integer times these, nor its square for rotations, is too large for a float.
constexpr float kWidestTurn = 1.0f;
constexpr float kWidestStep = 1e18f;

Diagnostic damaged(std::string what) {
    return {.what = "this is no packed clip, or it is damaged: " + std::move(what)};
}

// Takes values off the front of bytes. After the end everything is zero.
class Front {
  public:
    explicit Front(std::string_view bytes) : left_(bytes) {}

    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] std::size_t left() const { return left_.size(); }
    // @pre so many are left
    void drop(std::size_t from_the_end) { left_.remove_suffix(from_the_end); }
    void fail() {
        good_ = false;
        left_ = {};
    }
    std::string_view take(std::size_t count) {
        if (count > left_.size()) {
            fail();
            return {};
        }
        const std::string_view out = left_.substr(0, count);
        left_.remove_prefix(count);
        return out;
    }
    template <class T>
    T raw() {
        T out = {};
        const std::string_view from = take(sizeof out);
        if (!from.empty()) std::memcpy(&out, from.data(), sizeof out);
        return out;
    }
    float number() {
        const auto out = raw<float>();
        if (!std::isfinite(out)) fail();
        return good_ ? out : 0.0f;
    }
    Vec3f vector() {
        const float x = number(), y = number();
        return {x, y, number()};
    }
    // Seven bits a byte, the least first; odd is negative.
    std::int32_t integer() {
        std::uint64_t zigzag = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = raw<std::uint8_t>();
            zigzag |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
            if ((byte & 0x80U) == 0) break;
            if (shift >= 28) {
                fail();
                return 0;
            }
        }
        const auto half = static_cast<std::int64_t>(zigzag >> 1U);
        const std::int64_t out = (zigzag & 1U) != 0 ? -half - 1 : half;
        if (out < -kLargest || out > kLargest) fail();
        return good_ ? static_cast<std::int32_t>(out) : 0;
    }

  private:
    std::string_view left_;
    bool good_ = true;
};

PackedHow howOf(std::uint8_t byte, unsigned component) {
    return static_cast<PackedHow>((byte >> (2 * component)) & 3U);
}

// One step after the other; each says what is wrong, or nothing.
class PackedReader {
  public:
    PackedReader(std::string_view bytes, const Skeleton& skeleton, PackedData& out)
        : skeleton_(skeleton), out_(out), front_(bytes) {
        out_.bytes = bytes;
    }

    std::optional<Diagnostic> read() {
        if (auto wrong = readHeader()) return wrong;
        if (auto wrong = readJoints()) return wrong;
        if (auto wrong = readTracks()) return wrong;
        if (auto wrong = readWidths()) return wrong;
        return readSegments();
    }

  private:
    std::optional<Diagnostic> readHeader() {
        PackedHeader& header = out_.header;
        header = front_.raw<PackedHeader>();
        if (!front_.good() || std::string_view(header.magic, sizeof header.magic) != kPackedMagic)
            return damaged("it does not begin as one");
        if (header.version != kPackedVersion)
            return Diagnostic{.what = "the packed clip is of version " +
                                      std::to_string(header.version) + ", and only version " +
                                      std::to_string(kPackedVersion) + " is known"};
        if (header.byte_count != out_.bytes.size())
            return damaged("its size is another one than it says");
        if (front_.left() < kPackedPadding) return damaged("it is cut off");
        front_.drop(kPackedPadding);
        if (header.joint_count != skeleton_.jointCount() ||
            header.joints_hash != packedHash(skeleton_))
            return Diagnostic{.what = "the packed clip is of another skeleton",
                              .advice = "names and parents of all joints have to be the same"};
        const auto isPositive = [](double v) { return std::isfinite(v) && v > 0.0; };
        if (header.frame_count == 0 || header.frame_count > kMostFrames ||
            !isPositive(header.frame_time) || !isPositive(header.tolerance) ||
            !isPositive(header.reach) || !isPositive(static_cast<double>(header.grid)))
            return damaged("a number of its header cannot be");
        if (header.id_bits > 8 || header.profile_count > (1U << header.id_bits))
            return damaged("it has more widths than it can name");
        out_.name = front_.take(header.name_bytes);
        return std::nullopt;
    }

    std::optional<Diagnostic> readJoints() {
        hows_ = front_.take(skeleton_.jointCount());
        if (!front_.good()) return damaged("it is cut off");
        out_.base = FloatPose(restPose(skeleton_));
        for (const JointId j : skeleton_.joints()) {
            const std::uint8_t how = howByte(index(j));
            const PackedHow rotation = howOf(how, 0), translation = howOf(how, 1),
                            scale = howOf(how, 2);
            if ((how & 0x80U) != 0 || translation == PackedHow::Whole ||
                scale == PackedHow::Whole ||
                ((how & kPackedHasMiddle) != 0 && rotation != PackedHow::Track))
                return damaged("a joint has what it cannot have");
            if (rotation == PackedHow::Constant) {
                const Vec3f v = front_.vector();
                out_.base.setRotation(j, {v.x, v.y, v.z, front_.number()});
            }
            if (translation == PackedHow::Constant) out_.base.setTranslation(j, front_.vector());
            if (scale == PackedHow::Constant) out_.base.setScale(j, front_.vector());
        }
        return std::nullopt;
    }

    std::optional<Diagnostic> readTracks() {
        addTracks(PackedKind::Rotation, 0, PackedHow::Track);
        addTracks(PackedKind::WholeRotation, 0, PackedHow::Whole);
        addTracks(PackedKind::Translation, 1, PackedHow::Track);
        addTracks(PackedKind::Scale, 2, PackedHow::Track);
        for (PackedBlock& block : out_.blocks) {
            block.channel = out_.channels.size();
            out_.channels.resize(block.channel + block.components() * block.count);
            for (std::size_t i = 0; i < block.count; ++i) {
                const float step = packedStep(front_.raw<std::uint8_t>(), out_.header.grid);
                if (!(step <= (block.ofRotations() ? kWidestTurn : kWidestStep)))
                    return damaged("a step is too wide");
                for (std::size_t c = 0; c < block.components(); ++c)
                    out_.channels[block.channel + c * block.count + i].step = step;
                if (block.kind == PackedKind::Rotation && !readMiddle(block, i))
                    return damaged("a rotation is zero");
            }
        }
        return std::nullopt;
    }

    void addTracks(PackedKind kind, unsigned component, PackedHow how) {
        std::vector<PackedBlock>& blocks = out_.blocks;
        for (std::size_t j = 0; j < skeleton_.jointCount(); ++j) {
            if (howOf(howByte(j), component) != how) continue;
            if (blocks.empty() || blocks.back().kind != kind || blocks.back().count == kBlock) {
                blocks.emplace_back();
                blocks.back().kind = kind;
            }
            blocks.back().joints[blocks.back().count++] = static_cast<std::uint32_t>(j);
        }
    }

    bool readMiddle(PackedBlock& block, std::size_t lane) {
        const std::size_t joint = block.joints[lane];
        Quat middle = skeleton_.rest(jointId(joint)).rotation;
        if ((howByte(joint) & kPackedHasMiddle) != 0) {
            const double x = front_.raw<std::int8_t>(), y = front_.raw<std::int8_t>(),
                         z = front_.raw<std::int8_t>();
            middle = {x, y, z, static_cast<double>(front_.raw<std::int8_t>())};
            if (!(dot(middle, middle) > 0.0)) return false;
        }
        middle = normalized(middle);
        block.middle[0][lane] = static_cast<float>(middle.x);
        block.middle[1][lane] = static_cast<float>(middle.y);
        block.middle[2][lane] = static_cast<float>(middle.z);
        block.middle[3][lane] = static_cast<float>(middle.w);
        return true;
    }

    std::optional<Diagnostic> readWidths() {
        std::size_t anchor_bits = 0;
        for (PackedChannel& channel : out_.channels) {
            channel.least = front_.integer();
            channel.anchor_width = front_.raw<std::uint8_t>();
            if (channel.anchor_width > kMostBits) return damaged("a value has too many bits");
            channel.anchor_bit = static_cast<std::uint32_t>(anchor_bits);
            anchor_bits += channel.anchor_width;
        }
        out_.anchor_bytes = (anchor_bits + 7) / 8;
        for (std::size_t p = 0; p < out_.header.profile_count; ++p) {
            std::uint32_t five_each = front_.raw<std::uint8_t>();
            five_each |= std::uint32_t{front_.raw<std::uint8_t>()} << 8U;
            five_each |= std::uint32_t{front_.raw<std::uint8_t>()} << 16U;
            PackedProfile& profile = out_.profiles.emplace_back();
            for (std::size_t level = 0; level < kLevels; ++level) {
                const auto width = static_cast<std::uint8_t>((five_each >> (5 * level)) & 31U);
                if (width > kMostBits) return damaged("a difference has too many bits");
                profile.widths[level] = width;
                for (std::size_t n = 0; n <= kSegment; ++n)
                    profile.bits[n] = static_cast<std::uint16_t>(
                        profile.bits[n] + unsigned{width} * packedSplits(n).count[level]);
            }
        }
        if (!front_.good()) return damaged("it is cut off");
        if (!out_.channels.empty() && out_.profiles.empty()) return damaged("it has no widths");
        return std::nullopt;
    }

    std::optional<Diagnostic> readSegments() {
        out_.segments = segmentCount(out_.header.frame_count);
        if (out_.segments > front_.left() / sizeof(std::uint32_t)) return damaged("it is cut off");
        out_.offsets = front_.take(out_.segments * sizeof(std::uint32_t)).data();
        if (out_.anchor_bytes > front_.left() / (out_.segments + 1))
            return damaged("it is cut off");
        out_.anchors = front_.take(out_.anchor_bytes * (out_.segments + 1)).data();
        const std::size_t size = front_.left();
        out_.payload = front_.take(size).data();
        for (std::size_t s = 0; s < out_.segments; ++s) {
            const auto offset = static_cast<std::size_t>(out_.segmentAt(s) - out_.payload);
            if (offset > size || out_.firstBit() / 8 > size - offset)
                return damaged("a segment is cut off");
            const std::optional<std::size_t> bits = differenceBits(s);
            if (bits && *bits > kMostSegmentBits) return damaged("a segment is too large");
            if (!bits) return damaged("a width is not known");
            if ((*bits + 7) / 8 > size - offset - out_.firstBit() / 8)
                return damaged("a segment is cut off");
        }
        return std::nullopt;
    }

    // The bits that the differences of a segment take.
    [[nodiscard]] std::optional<std::size_t> differenceBits(std::size_t segment) const {
        const std::size_t intervals = out_.intervalsOf(segment);
        const char* from = out_.segmentAt(segment);
        const unsigned id_bits = out_.header.id_bits;
        std::size_t out = 0;
        for (std::size_t c = 0; c < out_.channels.size(); ++c) {
            const std::uint32_t id = bitsAt(from, c * id_bits, id_bits);
            if (id >= out_.profiles.size()) return std::nullopt;
            out += out_.profiles[id].bits[intervals];
        }
        return out;
    }

    [[nodiscard]] std::uint8_t howByte(std::size_t joint) const {
        return static_cast<std::uint8_t>(hows_[joint]);
    }

    const Skeleton& skeleton_;
    PackedData& out_;
    Front front_;
    std::string_view hows_;
};

}  // namespace

const char* PackedData::segmentAt(std::size_t segment) const {
    std::uint32_t offset = 0;
    std::memcpy(&offset, offsets + segment * sizeof offset, sizeof offset);
    return payload + offset;
}

Result<std::shared_ptr<const PackedData>> readPacked(std::string_view bytes,
                                                     const Skeleton& skeleton,
                                                     std::shared_ptr<const void> owner) {
    auto out = std::make_shared<PackedData>();
    out->owner = std::move(owner);
    if (auto wrong = PackedReader(bytes, skeleton, *out).read()) return *std::move(wrong);
    return std::shared_ptr<const PackedData>(std::move(out));
}

}  // namespace ulna::motion::detail
