// SPDX-License-Identifier: Apache-2.0

// What the tool reads: files of any known format, and which of their frames are meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/command.h"
#include "ulna/character/open.h"

namespace ulna::cli {

/// The format that the name of a file says, `-` being BVH; fails with the known ones listed.
[[nodiscard]] const FormatInfo& formatOf(const std::string& path);
/// The same for an output, which must have a name.
[[nodiscard]] const FormatInfo& outputFormat(const std::string& path);
/// Whether files of a format are meshes without a skeleton.
[[nodiscard]] bool isSurface(const FormatInfo& format);

/// Advice for a name that no clip or mesh of a file has: similar names, and what there is. `noun`
/// is what they are.
[[nodiscard]] std::string adviseNames(const std::string& name,
                                      const std::vector<std::string>& names, const char* noun);

/// Options of every verb that reads a motion file.
struct InputOptions {
    bool strict = false;
    bool lenient = false;
    std::string position_channels = "replace";
    std::string map = {};   ///< a file with roles of the joints; empty: none
    bool surfaces = false;  ///< the verb takes .obj and .ply files too, which have no skeleton
};
void addInputOptions(Tool& tool, CLI::App* verb, InputOptions& options);
/// --map, of verbs that know a body.
void addMapOption(Tool& tool, CLI::App* verb, InputOptions& options);

/// A character as the verbs see it: every clip counted in frames. The clips themselves are in
/// `motions` and `keyed`, and `clips` is empty: long ones should not be in memory twice.
struct Input : Character {
    std::vector<Motion> motions = {};     ///< every clip; keys are sampled
    std::vector<KeyedMotion> keyed = {};  ///< as many, where the file holds keys

    /// The clip of that name, or the only or first one; an empty Motion when there is none.
    [[nodiscard]] const Motion& clip(const std::string& name) const;
    /// The file's own keys of one of its clips, or null where it holds frames.
    [[nodiscard]] const KeyedMotion* keysOf(const Motion& motion) const;
    /// The clip itself, taken out: its keys, or its frames where the file holds frames.
    [[nodiscard]] Clip takeClip(std::size_t i);
};

/// Reads a file or fails with exit code 3. Warnings are not printed.
[[nodiscard]] Input load(const std::string& path, const InputOptions& options,
                         const Common& common);

/// A BVH file's frames without a clip in memory; fails with exit code 3 too.
[[nodiscard]] io::BvhFrames streamBvhFile(const std::string& path, const InputOptions& options);

/// Which frames of a clip a verb works on.
struct FrameOptions {
    std::optional<long long> frame;
    std::vector<long long> frames;
    std::vector<double> times;
    bool all = false;
    bool rest = false;
    std::string clip;
};
void addFrameOptions(CLI::App* verb, FrameOptions& options);

/// One chosen moment: a frame, a time between frames, or the rest pose.
struct Moment {
    std::optional<std::size_t> frame;
    double time = 0.0;
    bool rest = false;
};

/// The chosen moments; by default frame 0, or the rest pose of a file without motion. Fails with
/// exit code 2 on a frame that is not there.
[[nodiscard]] std::vector<Moment> chooseMoments(const Input& input, const Motion& motion,
                                                const FrameOptions& options);
/// The pose of one of the input's clips: of its keys between frames, where the file holds keys.
[[nodiscard]] Pose poseAt(const Input& input, const Motion& motion, const Moment& moment);

/// The rest pose, or the frame of the first clip that stands for it. Fails with exit code 2 where
/// that frame is not there. `option` is the one that names it.
[[nodiscard]] Pose restPoseOf(const Input& input, std::optional<long long> frame,
                              const char* option);

}  // namespace ulna::cli
