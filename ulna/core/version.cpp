// SPDX-License-Identifier: Apache-2.0
#include "ulna/core/version.h"

namespace ulna {

const char* version() {
    return ULNA_VERSION;
}

}  // namespace ulna
