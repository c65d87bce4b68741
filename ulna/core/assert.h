// SPDX-License-Identifier: Apache-2.0

// Assertions for the caller's mistakes: a violated precondition stops the program with a message,
// in every build. They are cheap: comparisons of sizes and indices where the library is entered.
//
// ULNA_UNCHECKED leaves them out, for programs that check before they call, as the WebAssembly
// module does. Input from outside (files, arguments) is never checked by an assertion: see
// core/result.h.
#pragma once

namespace ulna {

/// Prints the location and the message, then aborts. Called by ULNA_ASSERT only; cold, so that the
/// compiler keeps the call out of the way of what is right.
[[noreturn, gnu::cold]] void assertionFailed(const char* condition, const char* sentence,
                                             const char* file, int line);

}  // namespace ulna

#ifdef ULNA_UNCHECKED
#define ULNA_ASSERT(condition, sentence) static_cast<void>(0)
#else
#define ULNA_ASSERT(condition, sentence) \
    ((condition) ? static_cast<void>(0)  \
                 : ::ulna::assertionFailed(#condition, sentence, __FILE__, __LINE__))
#endif
