// SPDX-License-Identifier: Apache-2.0

// What the vertices leave open of rotations and positions.
#include <algorithm>

#include "ulna/fit/detail/rank.h"
#include "ulna/fit/detail/solver.h"

namespace ulna::fit::detail {

void FitSolver::findRank(const FitLayout& layout, const FitValues& values, FitReport& report) {
    const std::vector<std::uint32_t>& rotations = moments_.unknowns().rotations;
    const std::vector<std::uint32_t>& translations = moments_.unknowns().translations;
    const std::size_t turning = 3 * rotations.size();
    const std::size_t along = options_.planar ? 2 : 3;
    const bool weighed = moments_.mass() > 0.0;
    report.undetermined.clear();
    report.freedoms = rotations.size() * (options_.planar ? 1 : 3) + translations.size() * along;
    report.rank = report.freedoms;
    // The last matrix of the iteration serves, if only what nothing determines was damped in it.
    const std::optional<NormalSystem::Factored>& factored = system_.factored();
    const bool serves = weighed && factored && factored->curvature == Curvature::GaussNewton &&
                        factored->damping == kSettlingDamping;
    if (!serves) {
        static_cast<void>(
            system_.factor(moments_, values, residual_, Curvature::GaussNewton, kSettlingDamping));
    }
    for (std::size_t k = 0; k < descent_.size(); ++k) {
        if (options_.planar && (k < turning) != (k % 3 == 2)) continue;
        if (weighed && system_.independence(k) > kDetermined) continue;
        --report.rank;
        system_.nullVector(k, step_);
        for (std::size_t i = turning; i < step_.size(); ++i) step_[i] /= size_;
        addParticipants(
            step_,
            [&](std::size_t i) {
                return i < turning ? layout.rotations[rotations[i / 3]].point
                                   : layout.translations[translations[(i - turning) / 3]].point;
            },
            report.undetermined);
    }
    if (moments_.eliminated()) {
        report.rank -= (translations.size() - moments_.translations().rank()) * along;
        for (std::size_t t = 0; t < translations.size(); ++t) {
            if (moments_.translations().isOpen(t))
                addOnce(layout.translations[translations[t]].point, report.undetermined);
        }
    }
    std::sort(report.undetermined.begin(), report.undetermined.end());
}

}  // namespace ulna::fit::detail
