// SPDX-License-Identifier: Apache-2.0

// Playing keyed clips fast: the tracks made ready once, a player for every instance that runs.
//
// Gives what samplePose(KeyedMotion) gives, in float and many times faster. Curves are followed in
// double and only the result is rounded: a rotation is off by at most 1e-7 rad, about what rounding
// alone does to it. To mix poses see motion/float_blend.h; how to put both into a game loop is in
// docs/motion/playing.md.
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

/// A clip made ready to be played: every track as polynomials over stretches of time. Never
/// changes; copies share the numbers, also between threads.
class PlayableClip {
  public:
    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] std::size_t jointCount() const;
    /// The first and the last time of any key, as in the clip it was made from.
    [[nodiscard]] double startTime() const;
    [[nodiscard]] double endTime() const;
    /// Stretches of curve, and the memory they take with what finds them.
    [[nodiscard]] std::size_t pieceCount() const;
    [[nodiscard]] std::size_t byteCount() const;

  private:
    friend class Player;
    friend PlayableClip makePlayable(const KeyedMotion& motion);
    std::shared_ptr<const motion::detail::PlayableData> data_;
};

/// Makes a clip ready: one stretch for every two keys of a track, more only where it turns far in
/// one, and where eight neighbouring joints mix unlike rotations (turns about axes, Hermite,
/// others), which then all become cubics in the logarithm within 3e-9 rad. Rotations that are not
/// one long are made so.
///
/// @pre motion.base has every joint that has tracks.
[[nodiscard]] PlayableClip makePlayable(const KeyedMotion& motion);

/// One instance of a clip being played. Remembers where it is, so that the next frame costs little
/// wherever it lies, and least a little later; the result never depends on what came before.
class Player {
  public:
    explicit Player(PlayableClip clip);

    [[nodiscard]] const PlayableClip& clip() const { return clip_; }

    /// The pose at a time, each track by its own rule outside its keys, as samplePose: where a
    /// track jumps it has jumped at that very time, and a time that is not a number counts as each
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
    std::vector<std::size_t> cursors_;     // per group: events up to the present time
    std::vector<std::uint32_t> current_;   // per lane: where its piece stands
    std::vector<std::uint32_t> outdated_;  // lanes whose piece is not in `numbers_` yet
    AlignedVector<double> times_;          // per lane
    AlignedVector<double> numbers_;        // the present pieces, lane beside lane
};

}  // namespace ulna
