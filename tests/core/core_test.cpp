// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "support/paths.h"
#include "ulna/core/diagnostic.h"
#include "ulna/core/parallel.h"
#include "ulna/core/result.h"
#include "ulna/core/text.h"
#include "ulna/core/version.h"

namespace ulna {
namespace {

TEST(Diagnostic, IsOneLineWithPlaceTextAndAdvice) {
    const Diagnostic d{"a number was expected", {"walk.bvh", 3, 7, {}}, "abc", "try --lenient"};
    EXPECT_EQ(describe(d), "walk.bvh:3:7: a number was expected: 'abc' (try --lenient)");
    EXPECT_EQ(describe(Diagnostic{"no joints", {"a.json", 0, 0, "joints[2]"}, "", ""}),
              "a.json: joints[2]: no joints");
    EXPECT_EQ(describe(Diagnostic{"bad", {}, "", ""}), "bad");
}

TEST(Diagnostic, LinesEndWithLfCrlfOrCr) {
    const std::string_view text = "a\nb\r\nc\rd";
    EXPECT_EQ(locationAt(text, 0, "").line, 1U);
    EXPECT_EQ(locationAt(text, 2, "").line, 2U);
    EXPECT_EQ(locationAt(text, 5, "").line, 3U);
    EXPECT_EQ(locationAt(text, 7, "").line, 4U);
    EXPECT_EQ(locationAt(text, 7, "").column, 1U);
    EXPECT_EQ(locationAt(text, 99, "").line, 4U);
}

TEST(Diagnostic, ExcerptsAreShortAndPrintable) {
    EXPECT_EQ(excerpt("a\x01z"), "a\\x01z");
    EXPECT_EQ(excerpt(std::string(100, 'a')).size(), 63U);
    EXPECT_EQ(excerpt("Füße"), "Füße");
}

TEST(Result, HoldsAValueOrAnError) {
    const Result<int> good = 3;
    EXPECT_TRUE(good.ok());
    EXPECT_EQ(*good, 3);
    const Result<int> bad = Diagnostic{"no", {}, {}, {}};
    EXPECT_FALSE(bad);
    EXPECT_EQ(bad.error().what, "no");
}

#ifndef ULNA_UNCHECKED
TEST(ResultDeathTest, ReadingTheValueOfAnErrorStopsWithASentence) {
    const Result<int> bad = Diagnostic{"no", {}, {}, {}};
    EXPECT_DEATH(static_cast<void>(*bad), "holds an error has no value");
}
#endif

TEST(Text, SuggestsTheNamesThatAreClose) {
    const std::vector<std::string> names = {"LeftArm", "RightArm", "LeftForeArm", "Hips"};
    EXPECT_EQ(closestNames("leftarm", names).front(), "LeftArm");
    EXPECT_EQ(closestNames("LeftAmr", names).front(), "LeftArm");
    EXPECT_EQ(closestNames("fore", names).front(), "LeftForeArm");
    EXPECT_TRUE(closestNames("Tail", names).empty());
    EXPECT_TRUE(closestNames("", names).empty());
    EXPECT_TRUE(closestNames(std::string(100000, 'a'), names).empty());
    EXPECT_EQ(suggestNames("Hip", names), "did you mean 'Hips'?");
}

TEST(Parallel, CoversEveryItemOnceWhateverTheThreads) {
    for (const unsigned threads : {0U, 1U, 2U, 7U}) {
        for (const std::size_t count : {0U, 1U, 63U, 64U, 1000U}) {
            std::vector<std::atomic<int>> seen(count);
            std::atomic<bool> chunks_as_promised{true};
            parallelFor(count, 64, threads, [&](std::size_t begin, std::size_t end) {
                if (begin % 64 != 0 || end > count || end - begin > 64) chunks_as_promised = false;
                for (std::size_t i = begin; i < end; ++i) ++seen[i];
            });
            EXPECT_TRUE(chunks_as_promised);
            for (const std::atomic<int>& times : seen) EXPECT_EQ(times.load(), 1);
        }
    }
}

TEST(Version, IsThatOfTheVersionFile) {
    EXPECT_EQ(version(), test::expectedVersion());
}

}  // namespace
}  // namespace ulna
