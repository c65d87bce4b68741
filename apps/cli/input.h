// SPDX-License-Identifier: Apache-2.0

// What the tool reads: files of any known format, and which of their frames are meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/command.h"
#include "ulna/draw/figure.h"
#include "ulna/io/bvh.h"
#include "ulna/io/materials.h"
#include "ulna/io/rig_json.h"
#include "ulna/motion/keyed_motion.h"
#include "ulna/skin/mesh.h"

namespace ulna::cli {

enum class Format { Bvh, Gltf, Rig, Csv, Keys, Mesh };

/// The format that the name of a file says, `-` being BVH; fails with the known ones listed.
[[nodiscard]] Format formatOf(const std::string& path);
/// The same for an output, which must have a name.
[[nodiscard]] Format outputFormat(const std::string& path);

/// Options of every verb that reads a motion file.
struct InputOptions {
    bool strict = false;
    bool lenient = false;
    std::string position_channels = "replace";
    bool surfaces = false;  ///< the verb takes .obj and .ply files too, which have no skeleton
};
void addInputOptions(Tool& tool, CLI::App* verb, InputOptions& options);

/// A file as the verbs see it, whatever its format.
struct Input {
    std::string path;
    Format format = Format::Bvh;
    Skeleton skeleton;            ///< without joints where the file is a surface
    std::vector<Motion> motions;  ///< may be empty
    Warnings warnings;
    std::vector<KeyedMotion> keyed;  ///< as many, where the file holds keys; `motions` samples them
    std::vector<Mesh> meshes;
    io::MaterialSet material_set;    ///< of the meshes
    std::optional<io::BvhFile> bvh;  ///< what a BVH file said, to the number
    std::optional<io::RigFile> rig;

    /// The clip of that name, or the only or first one; an empty Motion when there is none.
    [[nodiscard]] const Motion& clip(const std::string& name) const;
    /// The file's own keys of one of its clips, or null where it holds frames.
    [[nodiscard]] const KeyedMotion* keysOf(const Motion& motion) const;
};

/// Reads a file or fails with exit code 3. Warnings are not printed.
[[nodiscard]] Input load(const std::string& path, const InputOptions& options,
                         const Common& common);

/// A BVH file's frames without a clip in memory; fails with exit code 3 too.
[[nodiscard]] io::BvhFrames streamBvhFile(const std::string& path, const InputOptions& options);

/// The rate at which a clip of keys is counted in frames: the keys' own, or 60 a second with a
/// warning. Warns of keys before time 0 too, which no frame has.
[[nodiscard]] double frameRateOf(const KeyedMotion& clip, const std::string& path,
                                 Warnings& warnings);

/// Warns where frames are not what the keys are: curves other than straight ones, or keys between
/// frames.
void warnAboutSampling(const KeyedMotion& keys, const Motion& frames, Warnings& warnings);

/// Which axis is up: glTF says so itself; elsewhere it is guessed from the rest pose.
[[nodiscard]] UpAxis upAxisOf(const Input& input);

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

}  // namespace ulna::cli
