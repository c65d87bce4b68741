// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/licences.h"

// By the assembler, which takes no time for it. apps/cli/CMakeLists.txt says where NOTICE is.
asm(".pushsection .rodata\n"
    "ulna_notice:\n"
    ".incbin \"" ULNA_NOTICE
    "\"\n"
    "ulna_notice_end:\n"
    ".popsection\n");

extern "C" {
extern const char ulna_notice[], ulna_notice_end[];
}

namespace ulna::cli {

std::string_view licences() {
    return {ulna_notice, static_cast<std::size_t>(ulna_notice_end - ulna_notice)};
}

}  // namespace ulna::cli
