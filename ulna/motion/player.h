// SPDX-License-Identifier: Apache-2.0

// Playing keyed clips fast: a clip is prepared once, and each running instance has a Player.
//
// A Player gives the poses of samplePose(KeyedMotion), in float and many times faster. Curves are
// evaluated in double and only the result is rounded: the error of a rotation is at most 1e-7 rad,
// about that of rounding alone. To blend poses see motion/float_blend.h; docs/motion/playing.md
// shows both in a game loop.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ulna/motion/keyed_motion.h"
#include "ulna/skeleton/float_pose.h"

namespace ulna {

namespace motion::detail {
struct PlayableData;
struct PlayGroup;
}  // namespace motion::detail

/// A prepared clip: every track as polynomials over segments of time. It never changes; copies
/// share the data, also between threads, and any number of threads may use one.
class PlayableClip {
  public:
    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] std::size_t jointCount() const;
    /// The first and the last time of any key, as in the clip it was made from.
    [[nodiscard]] double startTime() const;
    [[nodiscard]] double endTime() const;
    /// The number of curve segments, and the memory they take together with their index.
    [[nodiscard]] std::size_t pieceCount() const;
    [[nodiscard]] std::size_t byteCount() const;

  private:
    friend class Player;
    friend PlayableClip makePlayable(const KeyedMotion& motion);
    std::shared_ptr<const motion::detail::PlayableData> data_;
};

/// Prepares a clip. Each pair of neighbouring keys of a track becomes one segment, or more where
/// the rotation between them is large. Where eight neighbouring joints have rotations of different
/// kinds (about axes, Hermite, others), all of them become cubics in the logarithm, within 3e-9
/// rad. Quaternions are normalised.
///
/// @pre motion.base has every joint that has tracks.
[[nodiscard]] PlayableClip makePlayable(const KeyedMotion& motion);

/// One running instance of a clip. It remembers its current segments, so that the next frame costs
/// little at any time, and least shortly after the last one. The result depends on the time alone,
/// never on earlier calls. Sampling changes it: each thread needs a Player of its own, of one clip.
class Player {
  public:
    explicit Player(PlayableClip clip);

    [[nodiscard]] const PlayableClip& clip() const { return clip_; }

    /// Computes the pose at a time, by the same rules as samplePose: each track has its own rule
    /// outside its keys; at a discontinuity the later value counts; NaN counts as the time of each
    /// track's first key. Writes every joint; allocates nothing.
    ///
    /// @pre pose.jointCount() == clip().jointCount()
    void sample(double time, FloatPose& pose);

  private:
    void moveTo(std::size_t group, double time);
    void jumpTo(std::size_t group, double time);
    void loadPieces();
    void sampleExactly(double time);

    PlayableClip clip_;
    std::vector<std::size_t> cursors_;     // per group: the events up to the current time
    std::vector<std::uint32_t> current_;   // per lane: the index of its segment
    std::vector<std::uint32_t> outdated_;  // lanes whose segment is not in `coefficients_` yet
    AlignedVector<double> times_;          // per lane
    AlignedVector<double> coefficients_;   // of the current segments, interleaved by lane
};

}  // namespace ulna
