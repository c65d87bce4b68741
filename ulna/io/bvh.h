// SPDX-License-Identifier: Apache-2.0

// BVH motion-capture files, in every dialect met in the wild.
//
// Reading has two steps. readBvh parses bytes to a BvhFile, which keeps what the file contains:
// hierarchy, channels and raw values, so that it can be written back exactly. toMotion interprets
// it: degrees become rotations, and channels become joint kinds. Whatever is ambiguous becomes a
// warning with its location, the text, and the option that changes the behaviour. makeBvh is the
// way back.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/core/result.h"
#include "ulna/motion/frame_clip.h"
#include "ulna/motion/motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::io {

enum class BvhChannel : std::uint8_t {
    Xposition,
    Yposition,
    Zposition,
    Xrotation,
    Yrotation,
    Zrotation,
};

[[nodiscard]] std::string_view bvhChannelName(BvhChannel channel);
[[nodiscard]] constexpr bool isRotation(BvhChannel channel) {
    return channel >= BvhChannel::Xrotation;
}
/// 0 for x, 1 for y, 2 for z.
[[nodiscard]] constexpr int axisOf(BvhChannel channel) {
    return static_cast<int>(channel) % 3;
}

/// A ROOT, JOINT or End Site of the file.
struct BvhJoint {
    std::string name;  ///< as written; an End Site may have none
    std::int32_t parent = -1;
    bool end_site = false;
    Vec3 offset;
    std::vector<BvhChannel> channels;
    std::size_t line = 0;  ///< of the joint's keyword; 0 when not read from a file
    std::size_t column = 0;
};

struct BvhFile {
    std::string source;            ///< the file name, for messages
    std::vector<BvhJoint> joints;  ///< in the order of the file, parents first
    std::size_t channel_count = 0;
    std::size_t frame_count = 0;
    double frame_time = 1.0 / 30.0;
    std::vector<double> values;  ///< frame by frame, channel_count values each; angles in degrees
    Warnings warnings;           ///< about what was ambiguous in the text
};

struct BvhReadOptions {
    bool strict = false;   ///< makes every warning an error
    bool lenient = false;  ///< rows of the wrong length are skipped with a warning, not an error
};

/// Reads BVH text. `source` is the name used in messages.
///
/// Takes linear time and memory on any input: no more memory than the values and the hierarchy.
[[nodiscard]] Result<BvhFile> readBvh(std::string_view text, std::string_view source,
                                      const BvhReadOptions& options = {});

/// Reads a file; `-` is standard input.
[[nodiscard]] Result<BvhFile> loadBvh(const std::string& path, const BvhReadOptions& options = {});

/// Writes the text of a BVH file in pieces. Hierarchy, channels and values read back exactly. Stops
/// when `sink` returns false.
void writeBvh(const BvhFile& file, const std::function<bool(std::string_view)>& sink);
[[nodiscard]] std::string writeBvh(const BvhFile& file);

/// Writes to a path; on an error, and when `progress` cancels, the file is left as it was.
[[nodiscard]] Status saveBvh(const BvhFile& file, const std::string& path,
                             const Progress& progress = {});

/// The meaning of position channels, on which programs disagree.
enum class PositionChannels : std::uint8_t {
    Replace,  ///< they are the joint's position and replace OFFSET (Blender, assimp)
    Add,      ///< they are added to OFFSET (three.js)
};

struct BvhMotionOptions {
    PositionChannels position_channels = PositionChannels::Replace;
    unsigned threads = 0;  ///< 0 means one per core; the result is the same
};

/// A skeleton with its clip.
struct BvhMotion {
    Skeleton skeleton;
    Motion motion;
    Warnings warnings;  ///< of reading and of interpreting
};

/// Interprets a file. Names are made unique (`Knee#2`). End Sites become fixed joints
/// `<joint>_end`, roots with position channels free joints; the kind of other joints follows from
/// their rotation channels. Position channels of joints other than roots are stretch: they change
/// the pose, but are not degrees of freedom.
[[nodiscard]] Result<BvhMotion> toMotion(const BvhFile& file, const BvhMotionOptions& options = {});

/// The same with frames that are computed from the file's values on demand; the file must outlive
/// them. For reading a long clip once, without a Motion in memory beside the values.
struct BvhFrames {
    Skeleton skeleton;
    FrameClip clip;
    Warnings warnings;
};
[[nodiscard]] Result<BvhFrames> toFrames(const BvhFile& file, const BvhMotionOptions& options = {});

/// The same without the values in memory. The file is read once to find every error and warning,
/// and its rows are read again when frames are asked for. Not thread-safe. Ascending frames are
/// cheap; to go back, reading starts again at the first row. Standard input (`-`) is kept in
/// memory.
[[nodiscard]] Result<BvhFrames> streamBvh(const std::string& path,
                                          const BvhReadOptions& options = {},
                                          const BvhMotionOptions& meaning = {});

struct BvhWriteOptions {
    /// The order of the rotation channels. By default each joint's own order if its axes are all
    /// different, otherwise zxy.
    std::optional<EulerOrder> order = {};
    /// Position channels for roots only; stretch of other joints is lost, with a warning.
    bool root_only_positions = false;
};

/// A BVH file of a skeleton and its clip. Rest rotations are applied to the offsets, so that all
/// angles are zero in the rest pose. A root's position is in its channels only and its OFFSET is
/// zero, so that no program misreads it. Euler angles are those nearest to the previous frame's, so
/// that they are continuous. Every moving joint has three rotation channels, because some programs
/// read nothing else. A fixed joint without children becomes an End Site. What BVH cannot represent
/// (limits, scale) is in the `warnings` of the result. If `progress` cancels, the file has the
/// frames computed so far.
[[nodiscard]] BvhFile makeBvh(const Skeleton& skeleton, const Motion& motion,
                              const BvhWriteOptions& options = {}, const Progress& progress = {});

}  // namespace ulna::io
