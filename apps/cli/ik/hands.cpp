// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ik/hands.h"

#include <fmt/format.h>

#include <cctype>

#include "apps/cli/arguments.h"
#include "apps/cli/command.h"

namespace ulna::cli {
namespace {

std::vector<BodySide> sidesOf(const std::string& name, const std::string& text) {
    if (name == "left") return {BodySide::Left};
    if (name == "right") return {BodySide::Right};
    if (name == "both") return {BodySide::Left, BodySide::Right};
    failUsage(fmt::format("--hand '{}' is of no hand", text), "write left, right or both");
}

// A word, or how far fingers are curled and, after a comma, spread.
HandPose poseOf(const std::string& value) {
    if (const auto shape = handShapeFromName(value)) return handPose(*shape);
    if (!value.empty() && std::isalpha(static_cast<unsigned char>(value.front())) != 0) {
        std::string words;
        for (std::size_t i = 0; i < kHandShapes; ++i)
            words +=
                fmt::format("{}{}", i > 0 ? ", " : "", handShapeName(static_cast<HandShape>(i)));
        failUsage(fmt::format("'{}' is no way to hold a hand", value),
                  "there are " + words + ", or a number from 0, straight, to 1, a fist");
    }
    const std::size_t comma = value.find(',');
    const double curl = parseNumber(value.substr(0, comma), "--hand");
    const double spread =
        comma == std::string::npos ? 0.0 : parseNumber(value.substr(comma + 1), "--hand");
    if (curl < -0.2 || curl > 1.0)
        failUsage(fmt::format("--hand {}: fingers are curled by -0.2 to 1", value));
    if (spread < -1.0 || spread > 1.0)
        failUsage(fmt::format("--hand {}: fingers are spread by -1 to 1", value));
    return handPose(curl, spread);
}

}  // namespace

std::vector<HandChoice> chooseHands(const std::vector<std::string>& texts, const Input& input) {
    const Skeleton& skeleton = input.skeleton;
    std::vector<HandChoice> out;
    for (const std::string& text : texts) {
        const Assignment a = splitAssignment(text, "--hand", "SIDE=SHAPE");
        const HandPose how = poseOf(a.value);
        for (const BodySide side : sidesOf(a.name, text)) {
            Result<Hand> hand = findHand(skeleton, restPose(skeleton), side, input.bodyMap());
            if (!hand)
                failUsage("--hand '" + text + "': " + hand.error().what, hand.error().advice);
            for (const HandChoice& other : out)
                if (other.hand.wrist == hand->wrist)
                    failUsage("--hand '" + text + "' names a hand for the second time");
            out.push_back({*std::move(hand), how});
        }
    }
    return out;
}

void poseHands(const Skeleton& skeleton, const std::vector<HandChoice>& hands, Pose& pose) {
    for (const HandChoice& each : hands) poseHand(skeleton, each.hand, each.how, pose);
}

Motion withHands(const Skeleton& skeleton, const std::vector<HandChoice>& hands,
                 const Motion& motion) {
    if (hands.empty()) return motion;
    Motion out(motion.base(), motion.frameCount(), motion.frameTime(),
               united(motion.tracks(), usualTracks(skeleton)));
    out.name = motion.name;
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        Pose pose = motion.pose(f);
        poseHands(skeleton, hands, pose);
        out.setPose(f, pose);
    }
    return out;
}

}  // namespace ulna::cli
