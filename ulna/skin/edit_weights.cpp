// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/edit_weights.h"

#include <algorithm>

#include "ulna/core/assert.h"
#include "ulna/skin/detail/rows.h"

namespace ulna {

SkinWeights normalized(const SkinWeights& weights) {
    SkinWeights out;
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        detail::Shares row = detail::sharesOf(weights[v]);
        detail::tidy(row);
        detail::normalize(row);
        detail::append(row, out);
    }
    return out;
}

SkinWeights pruned(const SkinWeights& weights, std::size_t most, float least, PruneLoss* loss) {
    ULNA_ASSERT(most > 0, "pruning keeps at least one influence");
    ULNA_ASSERT(least >= 0.0f && least < 1.0f, "the least weight to keep is in [0, 1)");
    SkinWeights out;
    PruneLoss taken;
    double sum = 0.0;
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        detail::Shares row = detail::sharesOf(weights[v]);
        detail::tidy(row);
        detail::normalize(row);
        const std::size_t before = row.size();
        const double lost = detail::prune(row, most, static_cast<double>(least));
        taken.worst = std::max(taken.worst, lost);
        taken.vertices += row.size() < before ? 1 : 0;
        sum += lost;
        detail::append(row, out);
    }
    if (weights.rowCount() > 0) taken.mean = sum / static_cast<double>(weights.rowCount());
    if (loss != nullptr) *loss = taken;
    return out;
}

}  // namespace ulna
