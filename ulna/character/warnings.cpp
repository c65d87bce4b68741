// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/warnings.h"

#include <fmt/format.h>

#include "ulna/core/number_text.h"
#include "ulna/skeleton/size.h"

namespace ulna {

Warnings residualWarnings(const Skeleton& skeleton, const DofFit& worst) {
    Warnings out;
    const auto lost = [&](double residual, double least, JointId joint, const char* what) {
        if (!(residual > least) || joint == JointId::None) return;
        out.push_back({.what = fmt::format("degrees of freedom cannot hold the {}; up to {} is "
                                           "left out",
                                           what, shortNumber(residual, 3)),
                       .text = skeleton.name(joint)});
    };
    lost(worst.translation_residual, kNoticeable * bodySize(skeleton), worst.translation_joint,
         "stretch of a joint");
    lost(worst.rotation_residual, kNoticeable, worst.rotation_joint, "rotation of a joint");
    lost(worst.scale_residual, kNoticeable, worst.scale_joint, "scale of a joint");
    return out;
}

void append(const Warnings& more, Warnings& warnings) {
    warnings.insert(warnings.end(), more.begin(), more.end());
}

}  // namespace ulna
