// SPDX-License-Identifier: Apache-2.0

// How often this program has allocated, for promises not to.
#pragma once

namespace ulna::test {

long allocationCount();

}  // namespace ulna::test
