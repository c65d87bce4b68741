// SPDX-License-Identifier: Apache-2.0

// Animations and pictures of retargeting on the command line.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/png.h"
#include "support/text.h"
#include "support/webp.h"

namespace ulna::test {
namespace {

using Json = nlohmann::json;

std::string bytesOf(const std::string& name) {
    return readText(scratchFolder() + "/" + name);
}

TEST(CliAnimation, DrawsAClipAsAnAnimatedWebp) {
    const CommandResult r = shell(
        "$ULNA draw $ASSETS/ulna-run.bvh --fps 4 --loops 2 --height 100 --out run.webp --json");
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_TRUE(contains(r.err, "3 of 21 frames are shown, 4 per second"));
    const Json json = Json::parse(r.out);
    EXPECT_EQ(json["frames"], 3);
    EXPECT_EQ(json["fps"], 4.0);
    const WebpFile file = readWebp(bytesOf("run.webp"));
    ASSERT_EQ(file.frames.size(), 3U);
    EXPECT_EQ(file.loops, 2U);
    EXPECT_EQ(file.ends.back(), 750);
    EXPECT_NE(file.frames[0].pixels, file.frames[2].pixels);
    EXPECT_GT(file.frames[0].height, 100U) << "the legend is below";
    // The same bytes again, over the file of its own kind.
    const std::string first = bytesOf("run.webp");
    EXPECT_EQ(shell("$ULNA draw $ASSETS/ulna-run.bvh --fps 4 --loops 2 --height 100 --threads 2 "
                    "--out run.webp --quiet")
                  .exit_code,
              0);
    EXPECT_EQ(bytesOf("run.webp"), first);
}

TEST(CliAnimation, FramesAndStripsAreStillPicturesThatPngHasToo) {
    for (const char* choice : {"--frame 3", "--strip 2"}) {
        for (const char* name : {"still.webp", "still.png"}) {
            const CommandResult r =
                shell(std::string("$ULNA draw $ASSETS/ulna-run.bvh --height 100 ") + choice +
                      " --out " + name);
            EXPECT_EQ(r.exit_code, 0) << r.err;
        }
        const WebpFile file = readWebp(bytesOf("still.webp"));
        ASSERT_EQ(file.frames.size(), 1U);
        EXPECT_EQ(file.frames[0].pixels, readPng(bytesOf("still.png")).pixels);
    }
}

TEST(CliAnimation, SaysWhatItCannotDraw) {
    const struct {
        const char *arguments, *message;
    } cases[] = {
        {"--out run.png --fps 12", "--fps and --loops are of animations"},
        {"--out run.webp --strip 3 --loops 1", "--fps and --loops are of animations"},
        {"--out run.webp --fps 0", "--fps of an animation must be 1 to 100"},
        {"--out run.webp --fps nan", "--fps"},
        {"--out run.webp --names", "are drawn as SVG"},
        {"--out run.gif", "should end in .svg, .png or .webp"},
        {"--out run.webp --height 20", "--height must be 100"},
    };
    std::filesystem::remove(scratchFolder() + "/run.webp");
    for (const auto& each : cases) {
        const CommandResult r =
            shell(std::string("$ULNA draw $ASSETS/ulna-run.bvh ") + each.arguments);
        EXPECT_EQ(r.exit_code, 2) << each.arguments;
        EXPECT_TRUE(contains(r.err, each.message)) << each.arguments << ": " << r.err;
        EXPECT_FALSE(std::filesystem::exists(scratchFolder() + "/run.webp")) << each.arguments;
    }
}

TEST(CliRetargetPicture, OfEveryKindIsWritten) {
    const std::string verb =
        "$ULNA retarget $ASSETS/ulna-run.bvh --to $ASSETS/ulna-character.bvh --feet lock "
        "--height 100 ";
    const CommandResult svg = shell(verb + "--picture run.svg --strip 3 --json");
    EXPECT_EQ(svg.exit_code, 0) << svg.err;
    EXPECT_EQ(Json::parse(svg.out)["picture"], "run.svg");
    const std::string picture = bytesOf("run.svg");
    for (const char* text :
         {">ulna-run.bvh<", ">ulna-character.bvh<", ">0.33 s<", ">left foot<",
          ">height of the sole (cm)<", ">speed over the ground (cm/s)<", ">soles in contact move "})
        EXPECT_TRUE(contains(picture, std::string(text).substr(0, 60))) << text;
    EXPECT_EQ(shell("rsvg-convert run.svg -o from_svg.png").exit_code, 0);
    ASSERT_EQ(shell(verb + "--picture run.png --strip 2").exit_code, 0);
    EXPECT_GT(readPng(bytesOf("run.png")).height, 400U) << "two rows and the plot";
    ASSERT_EQ(shell(verb + "--picture run.webp --fps 3").exit_code, 0);
    EXPECT_EQ(readWebp(bytesOf("run.webp")).frames.size(), 3U);
}

TEST(CliRetargetPicture, ReportsWhatItMeasures) {
    const CommandResult r = shell(
        "$ULNA retarget $ASSETS/ulna-run.bvh --to $ASSETS/ulna-character.glb --feet lock --json");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    const Json json = Json::parse(r.out);
    EXPECT_EQ(json["unit"], "m");
    EXPECT_TRUE(json["picture"].is_null());
    for (const char* name :
         {"mean_degrees", "median_degrees", "percentile_95_degrees", "most_degrees"})
        EXPECT_TRUE(json["limbs"][name].is_number()) << name;
    for (const char* name :
         {"slide_mean", "slide_most", "penetration", "floating_mean", "floating_most"})
        EXPECT_TRUE(json["feet"][name].is_number()) << name;
    EXPECT_NEAR(json["pelvis"]["path_ratio"].get<double>(), 1.0, 0.05);
    EXPECT_NEAR(json["pelvis"]["height_ratio"].get<double>(), 1.0, 0.05);
    EXPECT_EQ(json["limits"]["frames"], 0);
    EXPECT_EQ(json["limits"]["share"], 0.0);
    EXPECT_TRUE(json["limits"]["joint"].is_null());
    const CommandResult text =
        shell("$ULNA retarget $ASSETS/ulna-run.bvh --to $ASSETS/ulna-character.glb --feet lock");
    EXPECT_TRUE(contains(text.out, "cm/s on average"));
    EXPECT_TRUE(contains(text.out, "in proportion to the legs"));
}

TEST(CliRetargetPicture, SaysWhatDoesNotGoTogether) {
    const struct {
        const char *arguments, *message;
    } cases[] = {
        {"--picture run.gif", "should end in .svg, .png or .webp"},
        {"--picture run.webp --strip 4", "--strip is of strips"},
        {"--picture run.svg --fps 10", "--fps and --loops are of animations"},
        {"--picture run.svg --strip 99", "--strip takes at most 50"},
        {"--picture run.svg --height 3", "--height must be 100 to 2000"},
        {"--strip 4", "--strip requires --picture"},
        {"--picture a.svg --out a.svg", "a.svg"},
    };
    for (const auto& each : cases) {
        const CommandResult r = shell(
            std::string("$ULNA retarget $ASSETS/ulna-run.bvh --to $ASSETS/ulna-character.bvh ") +
            each.arguments);
        EXPECT_EQ(r.exit_code, 2) << each.arguments;
        EXPECT_TRUE(contains(r.err, each.message)) << each.arguments << ": " << r.err;
    }
}

}  // namespace
}  // namespace ulna::test
