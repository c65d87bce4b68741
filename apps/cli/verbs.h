// SPDX-License-Identifier: Apache-2.0

// The verbs of the tool, in the order in which help lists them.
//
// A new verb is a folder with a source that defines `void addNAME(Tool&, Common&)`, and its line
// here. Help, completion, the manual page and the build find it by themselves.
#pragma once

#include "apps/cli/command.h"

// clang-format off
#define ULNA_VERBS(verb) \
    verb(Info)           \
    verb(Fk)             \
    verb(Ik)             \
    verb(Convert)        \
    verb(Clip)           \
    verb(Retarget)       \
    verb(Clean)          \
    verb(Pose)           \
    verb(Key)            \
    verb(Sample)         \
    verb(Pack)           \
    verb(Diff)           \
    verb(Skin)           \
    verb(Weights)        \
    verb(Fit)            \
    verb(Draw)           \
    verb(View)           \
    verb(Completion)     \
    verb(Man)
// clang-format on

namespace ulna::cli {

#define ULNA_DECLARE_VERB(name) void add##name(Tool& tool, Common& common);
ULNA_VERBS(ULNA_DECLARE_VERB)
#undef ULNA_DECLARE_VERB

/// Declares every verb of the list, in its order.
inline void addVerbs(Tool& tool, Common& common) {
#define ULNA_ADD_VERB(name) add##name(tool, common);
    ULNA_VERBS(ULNA_ADD_VERB)
#undef ULNA_ADD_VERB
}

}  // namespace ulna::cli
