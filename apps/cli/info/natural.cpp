// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/info/natural.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/command.h"
#include "ulna/core/number_text.h"
#include "ulna/ik/natural.h"

namespace ulna::cli {
namespace {

// Less is hardly seen, in degrees.
constexpr double kOutside = 1.0;

ClipScore scoreOf(const NaturalBody& body, const Motion& motion) {
    ClipScore out{.clip = motion.name};
    double sum = 0.0;
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        const NaturalScore score = body.score(motion.pose(f));
        sum += score.mean * score.mean;
        if (degrees(score.outside) > std::max(out.outside_degrees, kOutside)) {
            out.outside_degrees = degrees(score.outside);
            out.outside_frame = f;
            out.pair = fmt::format("{} {} and {}", score.side == BodySide::Left ? "left" : "right",
                                   limbAngleName(score.a), limbAngleName(score.b));
        }
        if (f > 0 && score.worst <= out.worst) continue;
        out.worst = score.worst;
        out.frame = f;
        out.joint = body.skeleton().name(score.joint);
    }
    out.mean = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(motion.frameCount(), 1)));
    return out;
}

}  // namespace

Pose tPoseOf(const Input& input, std::optional<long long> rest_frame) {
    if (!rest_frame) return restPose(input.skeleton);
    if (input.motions.empty()) failUsage("--rest-frame names a frame, and there is no motion");
    FrameOptions frame;
    frame.frame = rest_frame;
    const Motion& motion = input.motions.front();
    return poseAt(input, motion, chooseMoments(input, motion, frame).front());
}

std::vector<ClipScore> scoreClips(const Input& input, const Pose& t_pose) {
    const Skeleton& skeleton = input.skeleton;
    const Result<NaturalBody> body =
        NaturalBody::make(skeleton, t_pose, PosePrior::human(), input.bodyMap());
    if (!body) failUsage("--natural: " + body.error().what, body.error().advice);
    std::vector<ClipScore> out;
    for (const Motion& motion : input.motions) out.push_back(scoreOf(*body, motion));
    if (out.empty()) out.push_back(scoreOf(*body, Motion(t_pose, 1, 1.0, usualTracks(skeleton))));
    return out;
}

std::string scoreText(const std::vector<ClipScore>& scores) {
    std::string out;
    for (const ClipScore& score : scores) {
        out += fmt::format(
            "  natural   {}{} (1 is usual, above 2 is rare); most unusual is {}, {}, at "
            "frame {}\n",
            score.clip.empty() ? "" : "'" + score.clip + "' ", shortDecimals(score.mean, 2),
            score.joint, shortDecimals(score.worst, 1), score.frame);
        if (!score.pair.empty())
            out += fmt::format(
                "            {} are {} degrees outside what people take together, at frame {}\n",
                score.pair, shortDecimals(score.outside_degrees, 1), score.outside_frame);
    }
    return out;
}

void writeScores(const std::vector<ClipScore>& scores, JsonWriter& json) {
    json.beginArray("natural");
    for (const ClipScore& score : scores)
        json.beginObject()
            .member("clip", score.clip)
            .member("mean", score.mean)
            .member("worst", score.worst)
            .member("joint", score.joint)
            .member("frame", score.frame)
            .member("pair", score.pair)
            .member("outside_degrees", score.outside_degrees)
            .member("outside_frame", score.outside_frame)
            .endObject();
    json.endArray();
}

}  // namespace ulna::cli
