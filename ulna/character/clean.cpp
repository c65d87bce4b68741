// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/clean.h"

#include <algorithm>

#include "ulna/character/retarget.h"
#include "ulna/core/number_text.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

// Feet that move by less than this many body heights a second do not slide to the eye, and depths
// below so many are not seen: 5 cm/s and 5 mm of an adult.
constexpr double kSlide = 0.03, kDepth = 0.003;

std::string times(std::size_t count, const char* one, const char* several) {
    return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

}  // namespace

Result<CleanResult> cleanClip(const Character& character, const Motion& motion,
                              const CleanOptions& options, const Pose* rest,
                              const Progress& progress) {
    const Pose pose = rest != nullptr ? *rest : restPose(character.skeleton);
    return cleanClip({.skeleton = character.skeleton,
                      .rest = pose,
                      .soles = solesOf(character, pose),
                      .map = character.bodyMap()},
                     motion, options, progress);
}

SmoothOptions usualSmoothing(const Skeleton& skeleton, double width) {
    constexpr double kMostMove = 0.02;  // in body sizes
    return {.width = width,
            .most_rotation = radians(10.0),
            .most_translation = kMostMove * bodySize(skeleton)};
}

Warnings cleanWarnings(const Skeleton& skeleton, const CleanOptions& options,
                       const CleanReport& report) {
    Warnings out;
    const auto jumps = static_cast<std::size_t>(
        std::count_if(report.spikes.begin(), report.spikes.end(),
                      [](const Spike& each) { return each.kind == SpikeKind::Jump; }));
    const std::size_t spikes = report.spikes.size() - jumps;
    if (spikes > 0 && !options.spikes)
        out.push_back({.what = times(spikes, "spike is", "spikes are") + " in the clip",
                       .advice = "--spikes repairs them"});
    if (jumps > 0) {
        const auto first =
            std::find_if(report.spikes.begin(), report.spikes.end(),
                         [](const Spike& each) { return each.kind == SpikeKind::Jump; });
        out.push_back({.what = "the pose jumps: " + times(jumps, "joint", "joints") +
                               ", the first at frame " + std::to_string(first->first) + " ('" +
                               skeleton.name(first->joint) + "')",
                       .advice = "jumps are not repaired; 'ulna clip --trim' cuts a pose off that "
                                 "is before the motion"});
    }
    const double size = bodySize(skeleton);
    if (options.feet && report.after.slide_most > kSlide * size)
        out.push_back({.what = "a foot in contact still moves by " +
                               shortNumber(report.after.slide_most, 3) + " per second",
                       .advice = "look at the contacts there: --report lists them"});
    if ((options.feet || options.floor) && report.after.penetration > kDepth * size)
        out.push_back({.what = "a sole is still " + shortNumber(report.after.penetration, 3) +
                               " below the floor",
                       .advice = "look at the height of the floor: --floor-from states it"});
    return out;
}

}  // namespace ulna
