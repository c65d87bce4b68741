// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/packed_format.h"

#include <cmath>

namespace ulna::motion::detail {
namespace {

PackedSplits makeSplits(std::size_t intervals) {
    PackedSplits out;
    struct Piece {
        std::size_t low, high;
    };
    std::array<Piece, 2 * kSegment> pieces = {};
    std::size_t first = 0, last = 0, known = 0;
    pieces[last++] = {0, intervals};
    for (std::uint8_t level = 0; first < last; ++level) {
        const std::size_t end = last;
        for (; first < end; ++first) {
            const auto [low, high] = pieces[first];
            if (high - low < 2) continue;
            const std::size_t middle = (low + high) / 2;
            PackedSplit& split = out.at[middle];
            split.level = level;
            split.low = static_cast<std::uint8_t>(low);
            split.high = static_cast<std::uint8_t>(high);
            split.share = static_cast<float>(middle - low) / static_cast<float>(high - low);
            out.order[known++] = static_cast<std::uint8_t>(middle);
            ++out.count[level];
            pieces[last++] = {low, middle};
            pieces[last++] = {middle, high};
        }
    }
    for (std::size_t frame = 2; frame < intervals; ++frame) {
        out.at[frame].before = out.at[frame - 1].before;
        ++out.at[frame].before[out.at[frame - 1].level];
    }
    return out;
}

}  // namespace

const PackedSplits& packedSplits(std::size_t intervals) {
    static const std::array<PackedSplits, kSegment + 1> all = [] {
        std::array<PackedSplits, kSegment + 1> out = {};
        for (std::size_t n = 0; n <= kSegment; ++n) out[n] = makeSplits(n);
        return out;
    }();
    return all[intervals];
}

float packedStep(std::uint8_t code, float grid) {
    // Powers of the sixteenth root of two: by products, because exp2 is not the same everywhere.
    constexpr double kRoot = 1.0442737824274138;
    double part = 1.0;
    for (int i = 0; i < code % 16; ++i) part *= kRoot;
    return static_cast<float>(static_cast<double>(grid) * std::ldexp(part, code / 16 - 8));
}

std::uint8_t packedCode(double step, float grid) {
    std::uint8_t code = 0;
    for (unsigned bit = 128; bit > 0; bit /= 2)
        if (static_cast<double>(packedStep(static_cast<std::uint8_t>(code + bit), grid)) <= step)
            code = static_cast<std::uint8_t>(code + bit);
    return code;
}

std::uint64_t packedHash(const Skeleton& skeleton) {
    // FNV-1a.
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    const auto add = [&hash](std::uint8_t byte) { hash = (hash ^ byte) * 0x100000001B3ULL; };
    for (const JointId j : skeleton.joints()) {
        for (const char c : skeleton.name(j)) add(static_cast<std::uint8_t>(c));
        const auto parent = static_cast<std::uint32_t>(skeleton.parent(j));
        for (unsigned shift = 0; shift <= 24; shift += 8)
            add(static_cast<std::uint8_t>(parent >> shift));
    }
    return hash;
}

}  // namespace ulna::motion::detail
