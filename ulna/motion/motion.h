// SPDX-License-Identifier: Apache-2.0

// Motion: a clip of poses at a constant frame rate, sampled at any time.
//
// Only what changes is stored per frame, so a clip takes little more memory than the file it came
// from. Between frames, rotations are interpolated by slerp, translations and scales linearly. The
// skeleton is not part of the clip.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ulna/skeleton/pose.h"

namespace ulna {

/// Which components of which joints change in a clip. All others are as in the base pose.
struct MotionTracks {
    std::vector<JointId> rotated;
    std::vector<JointId> translated;
    std::vector<JointId> scaled;
};

/// Threads may read one at once; one that changes belongs to one thread.
class Motion {
  public:
    Motion() = default;
    /// A clip of `frame_count` copies of `base`, to be filled by setPose. @pre frame_time > 0
    Motion(Pose base, std::size_t frame_count, double frame_time, MotionTracks tracks);

    std::string name;

    [[nodiscard]] std::size_t frameCount() const { return frame_count_; }
    [[nodiscard]] std::size_t jointCount() const { return base_.parent_from_joint.size(); }
    [[nodiscard]] double frameTime() const { return frame_time_; }
    /// Seconds from the first frame to the last.
    [[nodiscard]] double duration() const {
        return frame_count_ < 2 ? 0.0 : static_cast<double>(frame_count_ - 1) * frame_time_;
    }
    [[nodiscard]] double timeOf(std::size_t frame) const {
        return static_cast<double>(frame) * frame_time_;
    }

    /// The pose of a frame. @pre frame < frameCount()
    [[nodiscard]] Pose pose(std::size_t frame) const;
    void getPose(std::size_t frame, Pose& pose) const;
    /// Stores those components of a pose that have a track.
    void setPose(std::size_t frame, const Pose& pose);

    [[nodiscard]] const MotionTracks& tracks() const { return tracks_; }
    /// The stored components of a frame: one rotation per joint of tracks().rotated, in that order;
    /// likewise translations and scales. @pre frame < frameCount()
    [[nodiscard]] std::span<const Quat> rotations(std::size_t frame) const {
        return row(rotations_, frame, tracks_.rotated.size());
    }
    [[nodiscard]] std::span<const Vec3> translations(std::size_t frame) const {
        return row(translations_, frame, tracks_.translated.size());
    }
    [[nodiscard]] std::span<const Vec3> scales(std::size_t frame) const {
        return row(scales_, frame, tracks_.scaled.size());
    }
    /// The transforms of joints without a track.
    [[nodiscard]] const Pose& base() const { return base_; }

  private:
    template <class V>
    [[nodiscard]] static std::span<const V> row(const std::vector<V>& values, std::size_t frame,
                                                std::size_t width) {
        ULNA_ASSERT((frame + 1) * width <= values.size(), "the motion has no such frame");
        return {values.data() + frame * width, width};
    }

    Pose base_;
    std::size_t frame_count_ = 0;
    double frame_time_ = 1.0 / 30.0;
    MotionTracks tracks_;
    std::vector<Quat> rotations_;  // frame by frame, one per rotated joint; likewise the others
    std::vector<Vec3> translations_;
    std::vector<Vec3> scales_;
};

/// The rotations of joints that rotate and the translations of roots and sliding joints: the tracks
/// that a clip made from degrees of freedom needs.
[[nodiscard]] MotionTracks usualTracks(const Skeleton& skeleton);

/// The union of both sets of tracks.
[[nodiscard]] MotionTracks united(MotionTracks a, const MotionTracks& b);

/// A clip of these poses. Joints that are not fixed have a rotation track, and roots a translation
/// track. Any other joint has a rotation track if it is ever rotated by more than 1e-6 rad from its
/// rest rotation, and a translation track if it is ever farther than `noticed` from its rest
/// offset.
/// @pre poses is not empty, frame_time > 0
[[nodiscard]] Motion makeMotion(const Skeleton& skeleton, std::span<const Pose> poses,
                                double frame_time, double noticed);

/// The pose at `time` in seconds; times outside the clip are clamped to it.
/// @pre motion.frameCount() > 0
[[nodiscard]] Pose samplePose(const Motion& motion, double time);

/// The motion at another frame rate, sampled by samplePose from its first frame on; an end of less
/// than a frame is cut off. More than ten million frames are an error. @pre frame_time > 0
[[nodiscard]] Result<Motion> resampled(const Motion& motion, double frame_time);

}  // namespace ulna
