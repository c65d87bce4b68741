// SPDX-License-Identifier: Apache-2.0

// PackedClip: a motion made small for playing, to be sampled at any time without unpacking it.
//
// Packing (motion/pack.h) states a distance that no point near the body is farther from the motion,
// at any time. Bytes are the same in memory and in a file (`.ulnaclip`, docs/motion/packed.md):
// they are read where they lie, so that a file can be mapped.
//
//     Result<PackedClip> clip = packClip(skeleton, motion, {.tolerance = 1e-4});
//     PackedPlayer player(*clip);
//     player.sample(time, pose);                       // forward, or
//     samplePose(*clip, time, pose);                   // any time, keeps nothing
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/motion/motion.h"
#include "ulna/skeleton/float_pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

namespace motion::detail {
struct PackedData;
}  // namespace motion::detail

/// A packed clip of one skeleton. It never changes; copies share the bytes, also between threads,
/// and any number of threads may sample one.
class PackedClip {
  public:
    /// Reads the bytes of a packed clip. Every count and every offset is checked: after that
    /// sampling reads nothing outside them. The error says that they are no packed clip, that they
    /// are damaged, or that they are for a skeleton with other joints; joints have the same names
    /// and parents, their rest poses may differ.
    /// @param owner keeps the bytes alive and unchanged, such as a mapped file; without one they
    /// are copied.
    [[nodiscard]] static Result<PackedClip> read(std::string_view bytes, const Skeleton& skeleton,
                                                 std::shared_ptr<const void> owner = nullptr);

    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] std::size_t jointCount() const;
    [[nodiscard]] std::size_t frameCount() const;
    [[nodiscard]] double frameTime() const;
    /// Seconds from the first frame to the last.
    [[nodiscard]] double duration() const;
    /// How far points are from the motion at most, and how far around each joint those points are.
    [[nodiscard]] double tolerance() const;
    [[nodiscard]] double reach() const;
    /// The clip as it is in memory and in a file.
    [[nodiscard]] std::string_view bytes() const;

  private:
    friend class PackedPlayer;
    friend Motion unpacked(const PackedClip& clip);
    friend void samplePose(const PackedClip& clip, double time, FloatPose& pose);
    friend void sampleJoints(const PackedClip& clip, double time, std::span<const JointId> joints,
                             FloatPose& pose);
    std::shared_ptr<const motion::detail::PackedData> data_;
};

/// The pose at a time in seconds, at random: nothing is remembered and nothing allocated. Times
/// outside the clip are clamped to it, and NaN counts as 0. Rotations are interpolated by slerp
/// between frames, the rest linearly, as in a Motion.
/// @pre pose.jointCount() == clip.jointCount()
void samplePose(const PackedClip& clip, double time, FloatPose& pose);

/// The same for some joints; what others have in `pose` stays.
void sampleJoints(const PackedClip& clip, double time, std::span<const JointId> joints,
                  FloatPose& pose);

/// The frames of the clip, and its name.
[[nodiscard]] Motion unpacked(const PackedClip& clip);

/// One running instance of a clip. It keeps the frames about the present time unpacked, so that the
/// next frame costs little. The result is that of samplePose, to the bit. Each thread needs its
/// own.
class PackedPlayer {
  public:
    explicit PackedPlayer(PackedClip clip);

    [[nodiscard]] const PackedClip& clip() const { return clip_; }

    /// Allocates nothing. @pre pose.jointCount() == clip().jointCount()
    void sample(double time, FloatPose& pose);

  private:
    PackedClip clip_;
    std::size_t segment_;        // whose frames are unpacked
    std::size_t stride_ = 0;     // of its rows
    AlignedVector<float> rows_;  // one for every frame of it: the blocks' channels
};

}  // namespace ulna
