// SPDX-License-Identifier: Apache-2.0

// The tool's JSON writer, judged by another library that reads JSON, and by the bytes themselves
// where scripts may depend on them.
#include "apps/cli/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "ulna/math/random.h"

namespace ulna::cli {
namespace {

using nlohmann::json;

template <class T>
std::string written(const T& value) {
    return JsonWriter().value(value).take();
}

TEST(JsonWriter, PutsCommasBetweenValuesAndNowhereElse) {
    JsonWriter out;
    out.beginObject();
    out.beginArray("empty").endArray();
    out.beginObject("nothing").endObject();
    out.beginArray("nested").beginArray().value(1).value(2).endArray().beginArray().endArray();
    out.beginObject().member("a", true).null("b").endObject().value("text").endArray();
    out.member("last", 0.5).endObject();
    EXPECT_EQ(out.take(),
              R"({"empty":[],"nothing":{},"nested":[[1,2],[],{"a":true,"b":null},"text"],)"
              R"("last":0.5})");
}

TEST(JsonWriter, EscapesTextSoThatItIsReadBack) {
    std::string every;
    for (char c = 1; c < 127; ++c) every += c;
    every += '\0';
    every += "\xC3\xA4\xE2\x82\xAC\xF0\x9F\xA6\xB4";  // two, three and four bytes long
    EXPECT_EQ(json::parse(written(every)).get<std::string>(), every);
    JsonWriter out;
    out.beginObject().member(every, every).endObject();
    EXPECT_EQ(json::parse(out.take())[every].get<std::string>(), every);
}

TEST(JsonWriter, MakesBytesThatAreNotUtf8AReplacementCharacter) {
    EXPECT_EQ(written("a\xFFz\xC3"), "\"a\xEF\xBF\xBDz\xEF\xBF\xBD\"");
}

TEST(JsonWriter, WritesNumbersThatAreReadBackToTheBit) {
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        const double value = random.between(-1.0, 1.0) * std::pow(10.0, random.between(-300, 300));
        EXPECT_EQ(json::parse(written(value)).get<double>(), value);
        const auto single = static_cast<float>(random.between(-1.0, 1.0));
        EXPECT_EQ(json::parse(written(single)).get<float>(), single);
    }
    EXPECT_EQ(written(0.1), "0.1");
    EXPECT_EQ(written(0.1f), "0.1");
    EXPECT_EQ(written(2.0), "2");
    EXPECT_EQ(written(1e-7), "1e-07");
    EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
    EXPECT_EQ(written(-1), "-1");
}

TEST(JsonWriter, WritesNullWhereANumberIsNotFinite) {
    for (const double value : {HUGE_VAL, -HUGE_VAL, std::nan("")})
        EXPECT_EQ(written(value), "null");
    EXPECT_EQ(written(Vec3{1, HUGE_VAL, 3}), "[1,null,3]");
}

TEST(JsonWriter, WritesVectorsQuaternionsListsAndWhatMayBeAbsent) {
    EXPECT_EQ(written(Vec3{1, -2.5, 0}), "[1,-2.5,0]");
    EXPECT_EQ(written(Quat{0, 0, 0.6, 0.8}), "[0,0,0.6,0.8]");
    EXPECT_EQ(written(std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}), "[[1,2,3],[4,5,6]]");
    EXPECT_EQ(written(std::vector<std::string>{"a", "b\"c"}), R"(["a","b\"c"])");
    EXPECT_EQ(written(std::optional<std::size_t>()), "null");
    EXPECT_EQ(written(std::optional<std::size_t>(7)), "7");
    EXPECT_EQ(written(unlessEmpty("")), "null");
    EXPECT_EQ(written(unlessEmpty("walk.bvh")), "\"walk.bvh\"");
}

TEST(JsonWriter, WritesOfAWarningWhatIsKnown) {
    EXPECT_EQ(written(Warnings{{.what = "odd"}}), R"([{"message":"odd"}])");
    Diagnostic whole{.what = "odd", .text = "x", .advice = "do so"};
    whole.location.file = "walk.bvh";
    whole.location.line = 3;
    whole.location.column = 7;
    EXPECT_EQ(written(Warnings{whole, {.what = "again"}}),
              R"([{"message":"odd","file":"walk.bvh","line":3,"column":7,"text":"x",)"
              R"("advice":"do so"},{"message":"again"}])");
}

TEST(JsonWriter, GoesOnWhereItsPiecesWereTaken) {
    JsonWriter out = beginDocument();
    std::string whole = out.beginArray("frames").take();
    for (int i = 0; i < 3; ++i) whole += out.onNewLine().value(i).take();
    whole += endDocument(out.endArray());
    EXPECT_EQ(whole, "{\"ulna\":1,\"frames\":[\n0,\n1,\n2]}\n");
}

TEST(JsonWriter, TakesJsonThatIsAlreadyWritten) {
    JsonWriter members;
    members.member("a", 1).member("b", 2);
    JsonWriter out;
    out.beginObject().raw(members.take()).raw("").raw("c", "[3]").member("d", 4).endObject();
    EXPECT_EQ(out.take(), R"({"a":1,"b":2,"c":[3],"d":4})");
}

}  // namespace
}  // namespace ulna::cli
