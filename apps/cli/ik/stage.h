// SPDX-License-Identifier: Apache-2.0

// The skeleton that `ulna ik` solves on: the file's own, with the limits that were asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "ulna/character/stage.h"

namespace ulna::cli {

struct LimitOptions {
    std::string limits;  ///< empty, "none", "anatomical" or a path
    std::optional<long long> rest_frame;
};

/// The stage, and what --limits said.
struct IkStage : Stage {
    std::string source = {};  ///< empty for the file's own limits
};

/// Fails with exit code 3 on a bad limits file, 2 on options that say nothing, and 1 where no body
/// is recognised. Says on stderr what was recognised.
[[nodiscard]] IkStage stageOf(const Input& input, const Motion& motion,
                              const LimitOptions& options);

[[nodiscard]] std::vector<std::string> namesOf(const Skeleton& skeleton,
                                               const std::vector<JointId>& joints);

/// The member `limits`, where the limits are not the file's own.
void writeLimits(const Skeleton& skeleton, const IkStage& stage, JsonWriter& json);

}  // namespace ulna::cli
