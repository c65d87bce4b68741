// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/residual.h"

#include <fmt/format.h>

namespace ulna::cli {

void warnAboutResidual(const Skeleton& skeleton, const DofFit& worst, Warnings& warnings) {
    constexpr double kNoticeable = 1e-9;  // beyond rounding of the numbers themselves
    const auto lost = [&](double residual, JointId joint, const char* what) {
        if (residual <= kNoticeable) return;
        warnings.push_back(
            {fmt::format("degrees of freedom cannot hold the {}; up to {:.3g} is left out", what,
                         residual),
             {},
             skeleton.name(joint),
             {}});
    };
    lost(worst.translation_residual, worst.translation_joint, "stretch of a joint");
    lost(worst.rotation_residual, worst.rotation_joint, "rotation of a joint");
    lost(worst.scale_residual, worst.scale_joint, "scale of a joint");
}

}  // namespace ulna::cli
