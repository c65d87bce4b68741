// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/detail/format.h"

namespace ulna::character::detail {

const Format& formatOf(FileFormat format) {
#define ULNA_FORMAT_POINTER(name) &k##name##Format,
    static constexpr const Format* kAll[] = {ULNA_FORMATS(ULNA_FORMAT_POINTER)};
#undef ULNA_FORMAT_POINTER
    return *kAll[static_cast<std::size_t>(format)];
}

}  // namespace ulna::character::detail
