// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/smooth.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "ulna/motion/detail/tangent.h"

namespace ulna {
namespace {

using motion::detail::differenceNear;
using motion::detail::moved;

// A Gaussian curve is so much wider at half its height than its standard deviation.
const double kWidth = 2.0 * std::sqrt(2.0 * std::numbers::ln2);
// Beyond so many standard deviations its weights are below a thousandth.
constexpr double kEnd = 3.7;

// The weights of the frames 0, 1, 2, … before and after; those of all frames sum to 1.
std::vector<double> weightsOf(double width, double frame_time) {
    const double deviation = width / kWidth / frame_time;
    std::vector<double> out(static_cast<std::size_t>(std::ceil(kEnd * deviation)) + 1);
    double sum = 0.0;
    for (std::size_t k = 0; k < out.size(); ++k) {
        const double x = static_cast<double>(k) / deviation;
        out[k] = std::exp(-0.5 * x * x);
        sum += k == 0 ? out[k] : 2.0 * out[k];
    }
    for (double& each : out) each /= sum;
    return out;
}

// A correction that never reaches the bound, and below half of it is as it was to 2 per cent.
Vec3 bounded(const Vec3& v, double most) {
    const double x = length(v) / most;
    return v / std::sqrt(std::sqrt(1.0 + x * x * x * x));
}

// The mean around a frame, as a step from its value. Beyond an end the clip is continued by
// rotating its end half about the last value: speeds stay, and the last value stays too.
template <class V>
Vec3 meanStep(const std::vector<V>& track, std::size_t f, const std::vector<double>& weights) {
    const std::size_t last = track.size() - 1;
    Vec3 sum;
    for (const bool forward : {false, true}) {
        const std::size_t room = forward ? last - f : f;
        const V& end = track[forward ? last : 0];
        Vec3 before, at_end, back;
        for (std::size_t k = 1; k < weights.size(); ++k) {
            Vec3 v;
            if (k <= room) {
                v = differenceNear(track[f], track[forward ? f + k : f - k], before);
                if (k == room) at_end = v;
                before = v;
            } else {
                const std::size_t beyond = std::min(k - room, last);
                back = differenceNear(end, track[forward ? last - beyond : beyond], back);
                v = at_end - back;
            }
            sum += v * weights[k];
        }
    }
    return sum;
}

// What does not move keeps its bits.
template <class At>
auto smoothedTrack(std::size_t frames, const At& at, const std::vector<double>& weights,
                   double most) {
    std::vector<std::decay_t<decltype(at(0))>> track(frames);
    for (std::size_t f = 0; f < frames; ++f) track[f] = at(f);
    auto out = track;
    for (std::size_t f = 1; f + 1 < frames; ++f) {
        const Vec3 step = bounded(meanStep(track, f, weights), most);
        if (length(step) > 0.0) out[f] = moved(track[f], step);
    }
    return out;
}

}  // namespace

double smoothingWidth(double cutoff) {
    ULNA_ASSERT(cutoff > 0.0, "a cutoff is above 0");
    return kWidth * std::sqrt(std::numbers::ln2) / (2.0 * std::numbers::pi * cutoff);
}

Motion smoothed(const Motion& motion, const SmoothOptions& options) {
    ULNA_ASSERT(
        options.width > 0.0 && options.most_rotation > 0.0 && options.most_translation > 0.0,
        "the width and the bounds of smoothing are above 0");
    Motion out = motion;
    const std::size_t frames = motion.frameCount();
    if (frames < 3) return out;
    const std::vector<double> weights = weightsOf(options.width, motion.frameTime());
    const MotionTracks& tracks = motion.tracks();
    std::vector<std::vector<Quat>> rotations;
    for (std::size_t i = 0; i < tracks.rotated.size(); ++i)
        rotations.push_back(smoothedTrack(
            frames, [&](std::size_t f) { return motion.rotations(f)[i]; }, weights,
            options.most_rotation));
    std::vector<std::vector<Vec3>> translations;
    for (std::size_t i = 0; i < tracks.translated.size(); ++i)
        translations.push_back(smoothedTrack(
            frames, [&](std::size_t f) { return motion.translations(f)[i]; }, weights,
            options.most_translation));
    Pose pose;
    for (std::size_t f = 0; f < frames; ++f) {
        out.getPose(f, pose);
        for (std::size_t i = 0; i < rotations.size(); ++i)
            pose[tracks.rotated[i]].rotation = rotations[i][f];
        for (std::size_t i = 0; i < translations.size(); ++i)
            pose[tracks.translated[i]].translation = translations[i][f];
        out.setPose(f, pose);
    }
    return out;
}

}  // namespace ulna
