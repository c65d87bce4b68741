// SPDX-License-Identifier: Apache-2.0

// What is lost where a pose becomes numbers per degree of freedom.
#pragma once

#include "ulna/core/diagnostic.h"
#include "ulna/skeleton/state.h"

namespace ulna::cli {

/// Adds a warning for each part of a pose that the numbers could not express.
void warnAboutResidual(const Skeleton& skeleton, const DofFit& worst, Warnings& warnings);

}  // namespace ulna::cli
