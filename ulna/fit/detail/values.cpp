// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/values.h"

namespace ulna::fit::detail {

Unknowns findUnknowns(const FitLayout& layout) {
    Unknowns out;
    out.index_of_rotation.assign(layout.rotations.size(), kNone);
    for (std::uint32_t a = 0; a < layout.rotations.size(); ++a) {
        if (layout.rotations[a].known) continue;
        out.index_of_rotation[a] = static_cast<std::uint32_t>(out.rotations.size());
        out.rotations.push_back(a);
    }
    for (std::uint32_t t = 0; t < layout.translations.size(); ++t)
        (layout.translations[t].known ? out.known_translations : out.translations).push_back(t);
    return out;
}

}  // namespace ulna::fit::detail
