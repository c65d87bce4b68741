// SPDX-License-Identifier: Apache-2.0
#include "ulna/core/text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ulna/math/random.h"

namespace ulna {
namespace {

// The UTF-8 of a code point by the definition of the encoding, surrogates included.
std::string encoded(unsigned code) {
    const auto byte = [](unsigned value) { return static_cast<char>(value); };
    if (code < 0x80U) return {byte(code)};
    if (code < 0x800U) return {byte(0xC0U | (code >> 6U)), byte(0x80U | (code & 0x3FU))};
    if (code < 0x10000U)
        return {byte(0xE0U | (code >> 12U)), byte(0x80U | ((code >> 6U) & 0x3FU)),
                byte(0x80U | (code & 0x3FU))};
    return {byte(0xF0U | (code >> 18U)), byte(0x80U | ((code >> 12U) & 0x3FU)),
            byte(0x80U | ((code >> 6U) & 0x3FU)), byte(0x80U | (code & 0x3FU))};
}

TEST(Utf8, EveryCodePointIsAsLongAsItsEncodingAndSurrogatesAreNone) {
    for (unsigned code = 0; code <= 0x10FFFFU; code += code < 0x11000U ? 1 : 257) {
        const std::string text = encoded(code);
        const bool surrogate = code >= 0xD800U && code <= 0xDFFFU;
        ASSERT_EQ(utf8Length(text, 0), surrogate ? 0U : text.size()) << std::hex << code;
    }
    EXPECT_EQ(utf8Length(encoded(0x110000U), 0), 0U) << "beyond the last code point";
    EXPECT_EQ(utf8Length(encoded(0x1FFFFFU), 0), 0U);
}

TEST(Utf8, ACharacterCutShortIsNone) {
    for (const unsigned code : {0x80U, 0x7FFU, 0x800U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
        const std::string text = encoded(code);
        for (std::size_t n = 1; n < text.size(); ++n) {
            EXPECT_EQ(utf8Length(text.substr(0, n), 0), 0U) << std::hex << code;
            EXPECT_EQ(utf8Length(text.substr(0, n) + "a", 0), 0U) << std::hex << code;
        }
    }
}

TEST(Utf8, OverlongFormsAndStrayBytesAreNoCharacters) {
    for (const char* text : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\x80",
                             "\xBF", "\xFE", "\xFF", "\xF5\x80\x80\x80"})
        EXPECT_EQ(utf8Length(text, 0), 0U) << text;
}

TEST(Utf8, AnOffsetPointsIntoTheText) {
    const std::string text = "a\xC3\xA9z";  // aéz
    EXPECT_EQ(utf8Length(text, 0), 1U);
    EXPECT_EQ(utf8Length(text, 1), 2U);
    EXPECT_EQ(utf8Length(text, 2), 0U) << "the middle of a character";
    EXPECT_EQ(utf8Length(text, 3), 1U);
}

TEST(ReadableText, KeepsUtf8AndReadsOtherBytesAsLatin1) {
    EXPECT_EQ(readableText("Füße 手"), "Füße 手");
    EXPECT_EQ(readableText("F\xFC\xDF"
                           "e"),
              "Füße");
    EXPECT_EQ(readableText("a\tb\n\x7F"), "a_b__");
    EXPECT_EQ(readableText(""), "");
}

TEST(ReadableText, IsAlwaysUtf8WithoutControlCharacters) {
    Random random(3);
    for (int i = 0; i < 2000; ++i) {
        std::string bytes;
        const std::uint64_t count = random.below(12);
        for (std::uint64_t k = 0; k < count; ++k) bytes += static_cast<char>(random.below(256));
        const std::string text = readableText(bytes);
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t n = utf8Length(text, at);
            ASSERT_GT(n, 0U) << "sample " << i;
            ASSERT_GE(static_cast<unsigned char>(text[at]), 0x20U) << "sample " << i;
            ASSERT_NE(text[at], 0x7F) << "sample " << i;
            at += n;
        }
        EXPECT_EQ(readableText(text), text) << "sample " << i << ": what is readable stays";
    }
}

TEST(VisibleText, ShowsWhatWouldActOnATerminal) {
    EXPECT_EQ(visibleText("Hüfte 左 'x' \\"), "Hüfte 左 'x' \\");
    EXPECT_EQ(visibleText("a\x1b[2Jb\x7f"), "a\\x1b[2Jb\\x7f");
    EXPECT_EQ(visibleText("\xc2\x9b"), "\\xc2\\x9b") << "a control sequence in one character";
    EXPECT_EQ(visibleText("\x9b"), "\\x9b") << "the same in Latin-1";
    EXPECT_EQ(visibleText("\xe2\x80\xae"), "\\xe2\\x80\\xae") << "text from right to left";
    EXPECT_EQ(visibleText("a\nb\tc\r"), "a\\x0ab\\x09c\\x0d");
    EXPECT_EQ(visibleText("a\nb\tc\r", true), "a\nb\tc\\x0d");
}

TEST(CodePoint, IsThatOfItsBytes) {
    const auto of = [](std::string_view c) { return codePointAt(c, 0, utf8Length(c, 0)); };
    EXPECT_EQ(of("a"), 0x61U);
    EXPECT_EQ(of("ü"), 0xFCU);
    EXPECT_EQ(of("左"), 0x5DE6U);
    EXPECT_EQ(of("\xf0\x9f\xa6\xb4"), 0x1F9B4U);
}

TEST(Case, OnlyAsciiLettersHaveOne) {
    EXPECT_EQ(lowerCase("LeftÄrm_[@Z]"), "leftÄrm_[@z]");
    EXPECT_TRUE(equalIgnoringCase("HIPS", "hips"));
    EXPECT_TRUE(equalIgnoringCase("", ""));
    EXPECT_FALSE(equalIgnoringCase("hips", "hip"));
    EXPECT_FALSE(equalIgnoringCase("[", "{"))
        << "these differ in the bit that makes a letter small";
}

// ---- misspelt names

TEST(ClosestNames, OneSlipOfEveryKindIsUnderstood) {
    const std::vector<std::string> names = {"Head", "RightUpLeg", "Spine"};
    for (const char* slip :
         {"RightUpLge", "RightUpLe", "RightUppLeg", "RightUbLeg", "rightupleg"}) {
        const std::vector<std::string> close = closestNames(slip, names);
        ASSERT_FALSE(close.empty()) << slip;
        EXPECT_EQ(close.front(), "RightUpLeg") << slip;
    }
}

TEST(ClosestNames, TypingErrorsComeBeforePartsOfNames) {
    const std::vector<std::string> names = {"LeftHandThumb", "Hands", "RightHandThumb", "LeftHand"};
    const std::vector<std::string> close = closestNames("Hand", names);
    ASSERT_EQ(close.size(), 3U) << "never more than three";
    EXPECT_EQ(close[0], "Hands");
    EXPECT_EQ(close[1], "LeftHand");
}

TEST(ClosestNames, EqualSlipsKeepTheOrderOfTheFile) {
    const std::vector<std::string> names = {"Toe_b", "Toe_a", "Toe_c"};
    EXPECT_EQ(closestNames("Toe_x", names), names);
}

TEST(SuggestNames, ListsOneTwoOrThreeInASentence) {
    const std::vector<std::string> names = {"Toe_b", "Toe_a", "Toe_c"};
    const auto first = [&](std::size_t n) { return std::span(names).first(n); };
    EXPECT_EQ(suggestNames("Toe_x", first(0)), "");
    EXPECT_EQ(suggestNames("Toe_x", first(1)), "did you mean 'Toe_b'?");
    EXPECT_EQ(suggestNames("Toe_x", first(2)), "did you mean 'Toe_b' or 'Toe_a'?");
    EXPECT_EQ(suggestNames("Toe_x", first(3)), "did you mean 'Toe_b', 'Toe_a' or 'Toe_c'?");
}

}  // namespace
}  // namespace ulna
