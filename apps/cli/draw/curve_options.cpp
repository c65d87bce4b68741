// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/draw/curve_options.h"

#include "ulna/core/text.h"

namespace ulna::cli {
namespace {

template <class V>
void apply(const CurveOptions& options, const io::KeysOptions& how, Track<V>& track) {
    if (track.keys().size() < 2) return;
    if (!options.interpolation.empty()) {
        if (how.interpolation == Interpolation::Hermite &&
            track.interpolation != Interpolation::Hermite)
            failUsage("this clip has no tangents, which hermite interpolation needs");
        track.interpolation = how.interpolation;
    }
    if (!options.ends.empty()) track.ends = how.ends;
    if (!options.outside.empty()) track.outside = how.outside;
}

void apply(const CurveOptions& options, KeyedMotion& motion) {
    const io::KeysOptions how = keysOptions(options);
    for (JointTracks& tracks : motion.joints) {
        apply(options, how, tracks.translation);
        apply(options, how, tracks.scale);
        if (auto* whole = std::get_if<Track<Quat>>(&tracks.rotation))
            apply(options, how, *whole);
        else
            for (auto& rotation : std::get<AngleTracks>(tracks.rotation).rotations)
                apply(options, how, rotation.angle);
    }
}

}  // namespace

void addCurveOptions(Tool& tool, CLI::App* verb, CurveOptions& options) {
    std::vector<std::string> names;
    for (const Interpolation how : kAllInterpolations) names.emplace_back(interpolationName(how));
    oneOf(tool,
          verb->add_option("--interpolation", options.interpolation,
                           "How values between two keys are interpolated"),
          names);
    oneOf(tool,
          verb->add_option(
              "--ends", options.ends,
              "Which key Catmull-Rom assumes beyond the first and the last (default mirrored)"),
          {"mirrored", "duplicated"});
    oneOf(tool,
          verb->add_option(
              "--outside", options.outside,
              "What the value is before the first and after the last key (default hold)"),
          {"hold", "loop", "extrapolate"});
}

io::KeysOptions keysOptions(const CurveOptions& options) {
    io::KeysOptions out;
    for (const Interpolation how : kAllInterpolations)
        if (interpolationName(how) == options.interpolation) out.interpolation = how;
    if (options.ends == "duplicated") out.ends = TrackEnds::Duplicated;
    if (options.outside == "loop") out.outside = Outside::Loop;
    if (options.outside == "extrapolate") out.outside = Outside::Extrapolate;
    return out;
}

KeyedMotion chooseKeys(const Input& input, const Motion& clip, const std::string& keys_file,
                       const CurveOptions& options) {
    if (!keys_file.empty()) {
        if (options.interpolation == "hermite" && lowerCase(keys_file).ends_with(".csv"))
            failUsage("a CSV table has no tangents, which hermite interpolation needs",
                      "keys in JSON can have them");
        Result<KeyedMotion> read = io::loadKeys(keys_file, input.skeleton, keysOptions(options));
        if (!read) fail(kBadInput, read.error());
        return *std::move(read);
    }
    const KeyedMotion* own = input.keysOf(clip);
    KeyedMotion out = own != nullptr ? *own : makeKeyed(clip);
    apply(options, out);
    return out;
}

}  // namespace ulna::cli
