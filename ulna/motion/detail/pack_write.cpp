// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/pack_write.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ulna::motion::detail {
namespace {

// Of all sets of widths that occur, those that are most often needed may get a number.
constexpr std::size_t kCandidates = 128;

class Bytes {
  public:
    std::string bytes;

    template <class T>
    void raw(const T& value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void number(double value) { raw(static_cast<float>(value)); }
    void vector(const Vec3& v) {
        number(v.x);
        number(v.y);
        number(v.z);
    }
    // Seven bits a byte, the least first; odd is negative.
    void integer(std::int32_t value) {
        auto left = static_cast<std::uint32_t>(value) << 1U;
        if (value < 0) left = ~left;
        for (; left >= 0x80U; left >>= 7U) raw(static_cast<std::uint8_t>(left | 0x80U));
        raw(static_cast<std::uint8_t>(left));
    }
    void bits(std::uint32_t value, unsigned width) {
        pending_ |= (std::uint64_t{value} & ((std::uint64_t{1} << width) - 1)) << count_;
        for (count_ += width; count_ >= 8; count_ -= 8, pending_ >>= 8U)
            raw(static_cast<std::uint8_t>(pending_));
    }
    void finishByte() {
        if (count_ > 0) raw(static_cast<std::uint8_t>(pending_));
        pending_ = 0;
        count_ = 0;
    }

  private:
    std::uint64_t pending_ = 0;
    unsigned count_ = 0;
};

unsigned bitsFor(std::uint32_t largest) {
    unsigned out = 0;
    for (; largest > 0; largest >>= 1U) ++out;
    return out;
}
// Of a signed field.
unsigned widthOf(std::int32_t least, std::int32_t most) {
    if (least == 0 && most == 0) return 0;
    return 1 +
           bitsFor(static_cast<std::uint32_t>(std::max(~std::min(least, 0), std::max(most, 0))));
}

// How many differences of each level have such widths, over all segments.
using LevelCounts = std::array<std::size_t, kLevels>;

std::size_t bitsOf(const PackedWidths& widths, const LevelCounts& counts) {
    std::size_t out = 0;
    for (std::size_t level = 0; level < kLevels; ++level) out += widths[level] * counts[level];
    return out;
}
bool covers(const PackedWidths& widths, const PackedWidths& needed) {
    for (std::size_t level = 0; level < kLevels; ++level)
        if (widths[level] < needed[level]) return false;
    return true;
}

struct Need {
    LevelCounts counts = {};
    std::size_t times = 0;
};
using Needs = std::map<PackedWidths, Need>;

// The sets of widths that get a number: the one that covers all, then one after the other the one
// that saves most, until further ones cost more than they save.
std::vector<PackedWidths> chooseProfiles(const Needs& needs) {
    PackedWidths all = {};
    std::size_t times = 0;
    std::vector<std::pair<std::size_t, PackedWidths>> often;
    struct Cell {
        PackedWidths needed;
        LevelCounts counts;
        std::size_t bits;
    };
    std::vector<Cell> cells;
    for (const auto& [widths, need] : needs) {
        for (std::size_t level = 0; level < kLevels; ++level)
            all[level] = std::max(all[level], widths[level]);
        times += need.times;
        often.push_back({need.times, widths});
    }
    std::size_t bits = 0;
    for (const auto& [widths, need] : needs) {
        cells.push_back({widths, need.counts, bitsOf(all, need.counts)});
        bits += cells.back().bits;
    }
    std::stable_sort(often.begin(), often.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (often.size() > kCandidates) often.resize(kCandidates);

    std::vector<PackedWidths> out = {all}, best = out;
    std::size_t least = bits;
    for (unsigned id_bits = 1; id_bits <= 8; ++id_bits) {
        while (out.size() < (std::size_t{1} << id_bits)) {
            std::size_t most = 0;
            const PackedWidths* chosen = nullptr;
            for (const auto& [unused, candidate] : often) {
                std::size_t saved = 0;
                for (const Cell& cell : cells) {
                    if (!covers(candidate, cell.needed)) continue;
                    const std::size_t now = bitsOf(candidate, cell.counts);
                    if (now < cell.bits) saved += cell.bits - now;
                }
                if (saved > most) {
                    most = saved;
                    chosen = &candidate;
                }
            }
            if (chosen == nullptr) break;
            for (Cell& cell : cells)
                if (covers(*chosen, cell.needed))
                    cell.bits = std::min(cell.bits, bitsOf(*chosen, cell.counts));
            out.push_back(*chosen);
            bits -= most;
        }
        const std::size_t total = bits + times * id_bits + out.size() * 24;
        if (total >= least) break;
        least = total;
        best = out;
        if (out.size() < (std::size_t{1} << id_bits)) break;
    }
    return best;
}

std::uint8_t howByte(const PackedJoint& joint) {
    return static_cast<std::uint8_t>(
        static_cast<unsigned>(joint.rotation) | static_cast<unsigned>(joint.translation) << 2U |
        static_cast<unsigned>(joint.scale) << 4U | (joint.has_middle ? kPackedHasMiddle : 0U));
}

}  // namespace

std::optional<std::string> writePacked(const Skeleton& skeleton, const Motion& motion,
                                       const PackPlan& plan, const PackGrid& grid,
                                       const std::vector<std::int32_t>& integers,
                                       const PackOptions& options) {
    const std::size_t frames = motion.frameCount(), segments = segmentCount(frames);
    const auto start = [&](std::size_t s) { return segmentStart(s, segments, frames); };
    // Differences, channel by channel, and the widths they need.
    std::vector<std::int32_t> differences(integers.size());
    std::vector<PackedWidths> needed(plan.channels * segments);
    Needs needs;
    for (std::size_t c = 0; c < plan.channels; ++c) {
        for (std::size_t s = 0; s < segments; ++s) {
            const std::int32_t* values = integers.data() + c * frames + start(s);
            std::int32_t* to = differences.data() + c * frames + start(s);
            const std::size_t intervals = start(s + 1) - start(s);
            const PackedSplits& splits = packedSplits(intervals);
            std::array<std::int32_t, kLevels> least = {}, most = {};
            for (std::size_t k = 1; k < intervals; ++k) {
                const PackedSplit& split = splits.at[k];
                to[k] = values[k] - packedGuess(values[split.low], values[split.high], split.share);
                least[split.level] = std::min(least[split.level], to[k]);
                most[split.level] = std::max(most[split.level], to[k]);
            }
            PackedWidths widths = {};
            for (std::size_t level = 0; level < kLevels; ++level) {
                const unsigned width = widthOf(least[level], most[level]);
                if (width > kMostBits) return std::nullopt;
                widths[level] = static_cast<std::uint8_t>(width);
            }
            needed[s * plan.channels + c] = widths;
            Need& need = needs[widths];
            ++need.times;
            for (std::size_t level = 0; level < kLevels; ++level)
                need.counts[level] += splits.count[level];
        }
    }
    const std::vector<PackedWidths> profiles =
        plan.channels == 0 ? std::vector<PackedWidths>{} : chooseProfiles(needs);
    const unsigned id_bits =
        profiles.empty() ? 0 : bitsFor(static_cast<std::uint32_t>(profiles.size() - 1));

    PackedHeader header;
    std::copy(kPackedMagic.begin(), kPackedMagic.end(), header.magic);
    header.name_bytes = static_cast<std::uint32_t>(motion.name.size());
    header.joints_hash = packedHash(skeleton);
    header.joint_count = static_cast<std::uint32_t>(skeleton.jointCount());
    header.frame_count = static_cast<std::uint32_t>(frames);
    header.frame_time = motion.frameTime();
    header.tolerance = options.tolerance;
    header.reach = options.reach;
    header.grid = grid.grid;
    header.profile_count = static_cast<std::uint16_t>(profiles.size());
    header.id_bits = static_cast<std::uint16_t>(id_bits);

    Bytes out;
    out.raw(header);
    out.bytes += motion.name;
    for (const PackedJoint& joint : plan.joints) out.raw(howByte(joint));
    for (const PackedJoint& joint : plan.joints) {
        if (joint.rotation == PackedHow::Constant) {
            const Quat& q = joint.constant.rotation;
            out.vector({q.x, q.y, q.z});
            out.number(q.w);
        }
        if (joint.translation == PackedHow::Constant) out.vector(joint.constant.translation);
        if (joint.scale == PackedHow::Constant) out.vector(joint.constant.scale);
    }
    for (std::size_t i = 0; i < plan.tracks.size(); ++i) {
        out.raw(grid.codes[i]);
        const PackedJoint& joint = plan.joints[plan.tracks[i].joint];
        if (plan.tracks[i].component == 0 && joint.has_middle)
            for (const std::int8_t v : joint.stored_middle) out.raw(v);
    }
    std::vector<std::int32_t> leasts(plan.channels);
    std::vector<unsigned> anchor_widths(plan.channels);
    for (std::size_t c = 0; c < plan.channels; ++c) {
        std::int32_t least = std::numeric_limits<std::int32_t>::max();
        std::int32_t most = std::numeric_limits<std::int32_t>::min();
        for (std::size_t s = 0; s <= segments; ++s) {
            const std::int32_t value = integers[c * frames + start(s)];
            least = std::min(least, value);
            most = std::max(most, value);
        }
        leasts[c] = least;
        anchor_widths[c] = bitsFor(static_cast<std::uint32_t>(most - least));
        if (anchor_widths[c] > kMostBits) return std::nullopt;
        out.integer(least);
        out.raw(static_cast<std::uint8_t>(anchor_widths[c]));
    }
    for (const PackedWidths& widths : profiles) {
        for (const std::uint8_t width : widths) out.bits(width, 5);
        out.finishByte();
    }
    // Segments, to know where they begin.
    Bytes payload;
    for (std::size_t s = 0; s < segments; ++s) {
        if (payload.bytes.size() > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
        out.raw(static_cast<std::uint32_t>(payload.bytes.size()));
        std::vector<const PackedWidths*> widths(plan.channels);
        const std::size_t intervals = start(s + 1) - start(s);
        const PackedSplits& splits = packedSplits(intervals);
        LevelCounts counts = {};
        std::copy(splits.count.begin(), splits.count.end(), counts.begin());
        for (std::size_t c = 0; c < plan.channels; ++c) {
            std::size_t best = 0;
            for (std::size_t p = 1; p < profiles.size(); ++p)
                if (covers(profiles[p], needed[s * plan.channels + c]) &&
                    bitsOf(profiles[p], counts) < bitsOf(profiles[best], counts))
                    best = p;
            widths[c] = &profiles[best];
            payload.bits(static_cast<std::uint32_t>(best), id_bits);
        }
        payload.finishByte();
        for (std::size_t c = 0; c < plan.channels; ++c) {
            const std::int32_t* from = differences.data() + c * frames + start(s);
            for (std::size_t k = 1; k < intervals; ++k)
                payload.bits(static_cast<std::uint32_t>(from[k]), (*widths[c])[splits.at[k].level]);
        }
        payload.finishByte();
    }
    for (std::size_t s = 0; s <= segments; ++s) {
        for (std::size_t c = 0; c < plan.channels; ++c)
            out.bits(static_cast<std::uint32_t>(integers[c * frames + start(s)] - leasts[c]),
                     anchor_widths[c]);
        out.finishByte();
    }
    out.bytes += payload.bytes;
    out.bytes.append(kPackedPadding, '\0');
    header.byte_count = out.bytes.size();
    out.bytes.replace(0, sizeof header, reinterpret_cast<const char*>(&header), sizeof header);
    return std::move(out.bytes);
}

}  // namespace ulna::motion::detail
