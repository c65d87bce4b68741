// SPDX-License-Identifier: Apache-2.0
#include "ulna/core/diagnostic.h"

#include <gtest/gtest.h>

#include "ulna/math/random.h"

namespace ulna {
namespace {

TEST(WarningCollector, KeepsTheFirstOfAKindAndCountsTheOthers) {
    WarningCollector warnings;
    const auto warn = [&](std::string_view kind, const char* what) {
        if (warnings.isFirst(kind)) warnings.keep({.what = what});
    };
    warn("short", "row 3 is short");
    warn("comma", "a comma stands for a point");
    warn("short", "row 9 is short");
    warn("short", "row 12 is short");
    const Warnings out = warnings.take();
    ASSERT_EQ(out.size(), 2U);
    EXPECT_EQ(out[0].what, "row 3 is short (and 2 more times)");
    EXPECT_EQ(out[1].what, "a comma stands for a point");
    EXPECT_TRUE(warnings.take().empty()) << "what was taken is gone";
}

// Lines by looking at the whole text before the offset, each time anew.
std::pair<std::size_t, std::size_t> countedByHand(std::string_view text, std::size_t offset) {
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
        const bool ends = text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n");
        line += ends ? 1 : 0;
        column = ends ? 1 : column + 1;
    }
    return {line, column};
}

TEST(LineCounter, AgreesWithCountingFromTheStartInAnyOrderOfOffsets) {
    Random random(8);
    for (int i = 0; i < 300; ++i) {
        std::string text;
        const std::uint64_t size = random.below(40);
        for (std::uint64_t k = 0; k < size; ++k) text += "ab\n\r"[random.below(4)];
        LineCounter counter;
        for (int ask = 0; ask < 10; ++ask) {
            const std::size_t offset = random.below(size + 3);
            const auto [line, column] = countedByHand(text, offset);
            const auto at = counter.locate(text, offset, "f");
            EXPECT_EQ(at.line, line) << "sample " << i << " offset " << offset;
            EXPECT_EQ(at.column, column) << "sample " << i << " offset " << offset;
            EXPECT_EQ(at.file, "f");
        }
    }
}

TEST(Excerpt, IsNeverCutInsideACharacter) {
    for (std::size_t before = 55; before < 62; ++before) {
        const std::string text = std::string(before, 'a') + "手手手手";
        const std::string out = excerpt(text);
        ASSERT_TRUE(out.ends_with("...")) << before;
        const std::string kept = out.substr(0, out.size() - 3);
        EXPECT_EQ(text.substr(0, kept.size()), kept) << before;
        EXPECT_EQ((kept.size() - std::min(kept.size(), before)) % 3, 0U) << before;
    }
}

}  // namespace
}  // namespace ulna
