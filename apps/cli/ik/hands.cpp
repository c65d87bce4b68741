// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ik/hands.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <variant>

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

// A number of a list, and what is behind its comma; none behind the last.
std::optional<double> takeNumber(std::optional<std::string>& list) {
    if (!list) return std::nullopt;
    const std::size_t comma = list->find(',');
    const double out = parseNumber(list->substr(0, comma), "--hand");
    list = comma == std::string::npos ? std::nullopt : std::optional(list->substr(comma + 1));
    return out;
}

// A word, or how far fingers are curled and, after commas, spread and the thumb opposed.
std::variant<HandShape, HandPose> poseOf(const std::string& value) {
    if (const auto shape = handShapeFromName(value)) return *shape;
    if (!value.empty() && std::isalpha(static_cast<unsigned char>(value.front())) != 0) {
        std::string words;
        for (std::size_t i = 0; i < kHandShapes; ++i)
            words +=
                fmt::format("{}{}", i > 0 ? ", " : "", handShapeName(static_cast<HandShape>(i)));
        failUsage(fmt::format("'{}' is no way to hold a hand", value),
                  "there are " + words + ", or a number from 0, straight, to 1, a fist");
    }
    std::optional<std::string> list = value;
    const double curl = *takeNumber(list);
    const double spread = takeNumber(list).value_or(0.0);
    const double oppose = takeNumber(list).value_or(0.0);
    if (list)
        failUsage(
            fmt::format("--hand {}: a hand has three numbers: curl, spread and oppose", value));
    if (curl < -0.2 || curl > 1.0)
        failUsage(fmt::format("--hand {}: fingers are curled by -0.2 to 1", value));
    if (spread < -1.0 || spread > 1.0)
        failUsage(fmt::format("--hand {}: fingers are spread by -1 to 1", value));
    if (oppose < 0.0 || oppose > 1.0)
        failUsage(fmt::format("--hand {}: a thumb is opposed by 0 to 1", value));
    return handPose(curl, spread, oppose);
}

}  // namespace

std::vector<HandChoice> chooseHands(const std::vector<std::string>& texts, const Input& input) {
    const Skeleton& skeleton = input.skeleton;
    std::vector<HandChoice> out;
    for (const std::string& text : texts) {
        const Assignment a = splitAssignment(text, "--hand", "SIDE=SHAPE");
        const std::variant<HandShape, HandPose> wanted = poseOf(a.value);
        for (const BodySide side : sidesOf(a.name, text)) {
            Result<Hand> hand = findHand(skeleton, restPose(skeleton), side, input.bodyMap());
            if (!hand)
                failUsage("--hand '" + text + "': " + hand.error().what, hand.error().advice);
            for (const HandChoice& other : out)
                if (other.hand.wrist == hand->wrist)
                    failUsage("--hand '" + text + "' names a hand for the second time");
            const auto* shape = std::get_if<HandShape>(&wanted);
            const HandPose how = shape ? handPose(*shape, *hand) : std::get<HandPose>(wanted);
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
