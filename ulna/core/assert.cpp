// SPDX-License-Identifier: Apache-2.0
#include "ulna/core/assert.h"

#include <cstdio>
#include <cstdlib>

namespace ulna {

void assertionFailed(const char* condition, const char* sentence, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: %s (%s)\n", file, line, sentence, condition);
    std::abort();
}

}  // namespace ulna
