// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/pair_moments.h"

#include <algorithm>

#include "ulna/fit/detail/layout.h"

namespace ulna::fit::detail {

void PairMoments::build(const VertexPack& pack) {
    points_ = pack.points;
    pairs_.clear();
    at_.assign(points_ * points_, kNone);
    for (std::size_t i = 0; i < pack.vertexCount(); ++i) {
        for (std::uint32_t p = pack.first[i]; p < pack.first[i + 1]; ++p) {
            for (std::uint32_t q = pack.first[i]; q < pack.first[i + 1]; ++q) {
                const std::uint32_t j = pack.point[p], k = pack.point[q];
                std::uint32_t& at = at_[j * points_ + k];
                if (j > k || at != kNone) continue;
                at = static_cast<std::uint32_t>(pairs_.size());
                at_[k * points_ + j] = at;
                pairs_.push_back({j, k});
            }
        }
    }
    moments_.assign(pairs_.size(), {});
}

void PairMoments::weigh(const VertexPack& pack, std::span<const double> masses) {
    std::fill(moments_.begin(), moments_.end(), Sym4{});
    mass_ = 0.0;
    for (std::size_t i = 0; i < pack.vertexCount(); ++i) {
        mass_ += masses[i];
        if (!(masses[i] > 0.0)) continue;
        const Row4& x = pack.rest[i];
        const Sym4 square = {x[0] * x[0], x[0] * x[1], x[0] * x[2], x[0], x[1] * x[1],
                             x[1] * x[2], x[1],        x[2] * x[2], x[2], 1.0};
        for (std::uint32_t p = pack.first[i]; p < pack.first[i + 1]; ++p) {
            const double mass = masses[i] * pack.weight[p];
            const std::uint32_t* row = at_.data() + pack.point[p] * points_;
            for (std::uint32_t q = pack.first[i]; q <= p; ++q) {
                const double factor = mass * pack.weight[q];
                Sym4& sum = moments_[row[pack.point[q]]];
                for (std::size_t e = 0; e < 10; ++e) sum[e] += factor * square[e];
            }
        }
    }
}

}  // namespace ulna::fit::detail
