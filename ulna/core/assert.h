// SPDX-License-Identifier: Apache-2.0

// Assertions for the caller's mistakes: a violated precondition stops the program with a message.
//
// They are compiled out with NDEBUG, so they cost nothing in release builds. Input from outside
// (files, arguments) is never checked by an assertion: see core/result.h.
#pragma once

namespace ulna {

/// Prints the location and the message, then aborts. Called by ULNA_ASSERT only.
[[noreturn]] void assertionFailed(const char* condition, const char* sentence, const char* file,
                                  int line);

}  // namespace ulna

#ifdef NDEBUG
#define ULNA_ASSERT(condition, sentence) static_cast<void>(0)
#else
#define ULNA_ASSERT(condition, sentence) \
    ((condition) ? static_cast<void>(0)  \
                 : ::ulna::assertionFailed(#condition, sentence, __FILE__, __LINE__))
#endif
