// SPDX-License-Identifier: Apache-2.0

// BVH motion-capture files, in every dialect met in the wild.
//
// Reading has two steps. readBvh turns bytes into a BvhFile, which keeps what the file said:
// hierarchy, channels and raw numbers, so that writing it back is exact. toMotion interprets it:
// degrees become rotations, channels become joint kinds, and every doubt becomes a warning with its
// place, the text, and the option that changes the behaviour. makeBvh goes the other way.
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

/// ROOT, JOINT or End Site, as it stands in the file.
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
    std::string source;            ///< the name it was read under
    std::vector<BvhJoint> joints;  ///< in the order of the file, parents first
    std::size_t channel_count = 0;
    std::size_t frame_count = 0;
    double frame_time = 1.0 / 30.0;
    std::vector<double> values;  ///< frame by frame, channel_count numbers each; angles in degrees
    Warnings warnings;           ///< what reading had to decide
};

struct BvhReadOptions {
    bool strict = false;   ///< every warning is an error
    bool lenient = false;  ///< rows of the wrong length are dropped with a warning, not an error
};

/// Reads BVH text. `source` is the name used in messages.
///
/// Takes linear time and memory on any input; at most the numbers' own size plus the hierarchy.
[[nodiscard]] Result<BvhFile> readBvh(std::string_view text, std::string_view source,
                                      const BvhReadOptions& options = {});

/// Reads a file; `-` is standard input.
[[nodiscard]] Result<BvhFile> loadBvh(const std::string& path, const BvhReadOptions& options = {});

/// The text of a BVH file in pieces. Hierarchy, channels and the value of every number are exactly
/// those of `file`. Stops when `sink` returns false.
void writeBvh(const BvhFile& file, const std::function<bool(std::string_view)>& sink);
[[nodiscard]] std::string writeBvh(const BvhFile& file);

/// Writes to a path, whole or not at all. Cancelling is an error too.
[[nodiscard]] Status saveBvh(const BvhFile& file, const std::string& path,
                             const Progress& progress = {});

/// What a joint's position channels mean; tools disagree.
enum class PositionChannels : std::uint8_t {
    Replace,  ///< they are the joint's place, instead of OFFSET (Blender, assimp)
    Add,      ///< they are added to OFFSET (three.js)
};

struct BvhMotionOptions {
    PositionChannels position_channels = PositionChannels::Replace;
    unsigned threads = 0;  ///< 0 means one per core; the result is the same
};

/// A skeleton with its clip, and what had to be decided about them.
struct BvhMotion {
    Skeleton skeleton;
    Motion motion;
    Warnings warnings;  ///< reading's and interpreting's
};

/// Interprets a file: names made unique (`Knee#2`), End Sites as fixed joints `<joint>_end`, roots
/// with position channels as free joints, others by the number of their rotation channels. Position
/// channels of other joints are stretch: they move the pose, not the degrees of freedom.
[[nodiscard]] Result<BvhMotion> toMotion(const BvhFile& file, const BvhMotionOptions& options = {});

/// The same with frames that are found from the file's numbers when asked for: the file must
/// outlive them. For going through a long clip once, without a Motion in memory beside the numbers.
struct BvhFrames {
    Skeleton skeleton;
    FrameClip clip;
    Warnings warnings;
};
[[nodiscard]] Result<BvhFrames> toFrames(const BvhFile& file, const BvhMotionOptions& options = {});

/// The same without the numbers in memory: the file is read through once, which finds every error
/// and warning, and its rows are read again when frames are asked for, by one thread at a time.
/// Going forward is cheap, going back starts from the first row. Not for `-`, which is held whole.
[[nodiscard]] Result<BvhFrames> streamBvh(const std::string& path,
                                          const BvhReadOptions& options = {},
                                          const BvhMotionOptions& meaning = {});

struct BvhWriteOptions {
    /// Order of the rotation channels; by default each joint's own where its axes are all
    /// different, else zxy.
    std::optional<EulerOrder> order = {};
    /// Position channels on the roots alone; stretch of other joints is lost with a warning.
    bool root_only_positions = false;
};

/// A BVH of a skeleton and its clip. Rest rotations are folded into offsets, so that the rest pose
/// has all angles zero; a root's place is in its channels alone, its OFFSET zero, so that no
/// program misreads it; angles follow the branch nearest to the previous frame, free of jumps.
/// Every moving joint gets three rotation channels, because some programs read nothing else. A
/// fixed joint without children becomes an End Site. What BVH cannot hold (limits, scale) is said
/// in `warnings` of the result. Cancelled by `progress`, it has the frames made so far.
[[nodiscard]] BvhFile makeBvh(const Skeleton& skeleton, const Motion& motion,
                              const BvhWriteOptions& options = {}, const Progress& progress = {});

}  // namespace ulna::io
