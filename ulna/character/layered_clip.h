// SPDX-License-Identifier: Apache-2.0

// LayeredClip: a clip and the layers on it, as the clip that they make together.
//
// The clip below is never changed. Frames that a layer changes are made when they are asked for,
// and kept, so that a key on a long clip costs no more than what is looked at.
//
//     LayeredClip clip = LayeredClip::make(skeleton, captured, {{.layer = edit, .pins = feet}});
//     clip.sample(time, pose);
//     while (clip.compose(10) > 0) ...   // the rest, in slices
//     save(clip.whole());
//
// What a layer is: motion/layer.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ulna/character/clip.h"
#include "ulna/character/hold.h"
#include "ulna/motion/layer.h"

namespace ulna {

/// A joint that a layer keeps on the path that it has below the layer, between keys too. Where a
/// key has moved it away from there, it is as far away at that key, and less on the way to it.
struct LayerPin {
    JointId joint = JointId::None;
    bool orientation = false;  ///< whether its orientation is kept as well
};

struct PinnedLayer {
    Layer layer = {};
    std::vector<LayerPin> pins = {};
};

/// For one thread at a time.
class LayeredClip {
  public:
    /// Layers apply one after the other, each to what those before it have made of the clip.
    /// @param frame_rate of a clip of keys, in frames per second; 0 means frameRateOf.
    /// @pre pins and keys have the joints of the skeleton.
    [[nodiscard]] static LayeredClip make(std::shared_ptr<const Skeleton> skeleton, Clip base,
                                          std::vector<PinnedLayer> layers, double frame_rate = 0.0);

    [[nodiscard]] const Clip& base() const { return base_; }
    [[nodiscard]] const Layer& layer(std::size_t layer) const { return layers_[layer].layer; }
    [[nodiscard]] double frameTime() const { return frame_time_; }
    [[nodiscard]] std::size_t frameCount() const { return frames_; }
    [[nodiscard]] double duration() const { return durationOf(base_); }
    void rename(const std::string& name);

    /// The pose at a time. Outside the frames that layers change it is the base's, to the bit.
    void sample(double time, Pose& pose);
    /// What the layer of that index is added to, at a time; with the number of layers: the pose.
    void sampleBelow(std::size_t layer, double time, Pose& pose) const;

    /// Makes up to so many frames of those that are not made yet; returns how many are left.
    std::size_t compose(std::size_t most);
    /// All frames, as a clip of its own with the base's name and rate.
    [[nodiscard]] Motion whole();

  private:
    LayeredClip(std::shared_ptr<const Skeleton> skeleton, Clip base,
                std::vector<PinnedLayer> layers, double frame_time);

    // How far a pinned joint is from its path at a key.
    struct Offset {
        Vec3 position, rotation;
    };
    void measureOffsets();
    void findChangedFrames();
    void addTo(std::size_t layer, double time, Pose& pose) const;
    [[nodiscard]] bool isChanged(std::size_t frame) const;
    void makeFrame(std::size_t frame);
    [[nodiscard]] MotionTracks changedTracks() const;

    std::shared_ptr<const Skeleton> skeleton_;
    Clip base_;
    std::vector<PinnedLayer> layers_;
    double frame_time_ = 0.0;
    std::vector<std::vector<Offset>> offsets_;  // of each layer: key by key, pin by pin
    std::size_t frames_ = 0;                    // of the whole clip
    std::size_t first_ = 0;                     // of the frames that may be changed
    std::vector<bool> changed_, made_;          // from there on
    std::size_t left_ = 0, next_ = 0;           // to be made; where to look for one
    Motion part_;                               // the frames from `first_` on
};

}  // namespace ulna
