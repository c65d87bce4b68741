// SPDX-License-Identifier: Apache-2.0

// A mechanism as source: constants for the kernels that are compiled for it alone.
#pragma once

#include <string>

#include "ulna/gpu/detail/host_tables.h"

namespace ulna::gpu::detail {

/// A source file with a class `Program` and, for a device, its kernels. With more coordinates than
/// `most_unrolled` the numbers are read from memory, and only the room for them is exact.
[[nodiscard]] std::string programSource(const HostTables& tables, std::size_t most_unrolled);

}  // namespace ulna::gpu::detail
