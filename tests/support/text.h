// SPDX-License-Identifier: Apache-2.0

// Looking for words in what a program says.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace ulna::test {

/// Whether a part stands in a text; the failure shows both.
inline testing::AssertionResult contains(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "no '" << part << "' in: " << text;
}

}  // namespace ulna::test
