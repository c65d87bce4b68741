// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/normal_system.h"

#include <algorithm>

#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {
namespace {

// More free positions than this are always eliminated: their matrix is large and constant.
constexpr std::size_t kMostKept = 64;

Mat3 scaledIdentity(double factor) {
    Mat3 out;
    for (std::size_t k = 0; k < 3; ++k) out.rows[k][k] = factor;
    return out;
}

}  // namespace

BlockCholesky::Pattern NormalSystem::pattern(const Moments& moments, bool with_translations) {
    BlockCholesky::Pattern out;
    cross_pairs_.clear();
    translation_pairs_.clear();
    for (const Pair& pair : moments.blocks().pairs()) out.push_back({pair.a, pair.b});
    if (!with_translations) return out;
    cross_pairs_ = moments.crossPairs();
    translation_pairs_ = moments.translationPairs();
    const auto first = static_cast<std::uint32_t>(moments.unknowns().rotations.size());
    for (const Pair& pair : cross_pairs_) out.push_back({pair.a, first + pair.b});
    for (const Pair& pair : translation_pairs_) out.push_back({first + pair.a, first + pair.b});
    return out;
}

void NormalSystem::build(const FitLayout& layout, const VertexPack& pack, bool must_keep,
                         Moments& moments) {
    moments.build(layout, pack, TranslationsAre::Kept);
    const std::size_t rotations = moments.unknowns().rotations.size();
    const std::size_t translations = moments.unknowns().translations.size();
    const auto analyze = [&](std::size_t blocks) {
        blocks_ = blocks;
        scales_.assign(blocks, 0.0);
        factored_.reset();
        return cholesky_.analyze(blocks, pattern(moments, blocks > rotations));
    };
    if (must_keep || translations <= kMostKept) {
        const std::size_t kept_products = analyze(rotations + translations);
        const std::size_t dense_products =
            rotations < 1 ? 0 : (rotations - 1) * rotations * (rotations + 1) / 6;
        if (must_keep || translations == 0 || kept_products <= dense_products) return;
    }
    moments.build(layout, pack, TranslationsAre::Eliminated);
    static_cast<void>(analyze(rotations));
}

void NormalSystem::weigh(const Moments& moments) {
    factored_.reset();
    const std::size_t rotations = moments.unknowns().rotations.size();
    double largest = 0.0;
    for (std::size_t b = 0; b < blocks_; ++b) {
        scales_[b] = b < rotations ? moments.rotationScale(b)
                                   : moments.translationPair(b - rotations, b - rotations);
        if (b < rotations) largest = std::max(largest, scales_[b]);
    }
    // What is not weighted at all still has to have a scale.
    for (double& scale : scales_) scale = std::max(scale, 1e-12 * largest);
}

void NormalSystem::assemble(const Moments& moments, const FitValues& values,
                            const ResidualMoments& residual, Curvature curvature) {
    const std::vector<std::uint32_t>& rotations = moments.unknowns().rotations;
    const RotationBlocks& blocks = moments.blocks();
    cholesky_.clear();
    for (std::size_t a = 0; a < rotations.size(); ++a) {
        const Mat3& rotation = values.rotations[rotations[a]];
        Mat3 block = inertia(timesTransposed(rotation * blocks.own(a), rotation));
        if (curvature == Curvature::Newton) {
            const Mat3 pull = timesTransposed(residual.rotations[a], rotation);
            block += inertia(pull) * 0.5;
            block += inertia(transpose(pull)) * 0.5;
        }
        cholesky_.set(cholesky_.diagonalSlot(a), block);
    }
    const std::span<const Pair> pairs = blocks.pairs();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Mat3 product =
            timesTransposed(values.rotations[rotations[pairs[i].a]] * blocks.pair(i),
                            values.rotations[rotations[pairs[i].b]]);
        cholesky_.set(cholesky_.pairSlot(i), inertia(product));
    }
    if (blocks_ > rotations.size()) assembleTranslations(moments, values);
}

void NormalSystem::assembleTranslations(const Moments& moments, const FitValues& values) {
    const std::vector<std::uint32_t>& rotations = moments.unknowns().rotations;
    std::size_t slot = moments.blocks().pairs().size();
    for (const Pair& pair : cross_pairs_) {
        const Vec3 arm = values.rotations[rotations[pair.a]] * moments.cross(pair.a, pair.b);
        cholesky_.set(cholesky_.pairSlot(slot++), crossMatrix(arm));
    }
    for (const Pair& pair : translation_pairs_) {
        cholesky_.set(cholesky_.pairSlot(slot++),
                      scaledIdentity(moments.translationPair(pair.a, pair.b)));
    }
    for (std::size_t t = 0; rotations.size() + t < blocks_; ++t) {
        cholesky_.set(cholesky_.diagonalSlot(rotations.size() + t),
                      scaledIdentity(moments.translationPair(t, t)));
    }
}

bool NormalSystem::factor(const Moments& moments, const FitValues& values,
                          const ResidualMoments& residual, Curvature curvature, double damping) {
    assemble(moments, values, residual, curvature);
    factored_ = Factored{curvature, damping};
    return cholesky_.factor(damping, scales_);
}

}  // namespace ulna::fit::detail
