// SPDX-License-Identifier: Apache-2.0

// Layer: what somebody changed about a clip, kept beside the clip and added to it.
//
// A captured motion has a value in every frame; one key among them would be a jerk. A layer has few
// keys, and each says how much the pose differs from the clip there. Before its first and behind
// its last key the difference fades over a time of its own, so that the clip goes over into the
// changed part and back without a jump in its speed, and is untouched everywhere else.
//
//     Layer layer{.in = 0.5, .out = 0.5};
//     setKey(layer, time, below, wanted);   // below: the pose that the layer is added to
//     addLayer(layer, time, pose);          // pose becomes what is wanted at that time
//
// Layers of a whole clip, with feet that stay on the clip's path, are character/layered_clip.h.
#pragma once

#include <string>
#include <vector>

#include "ulna/math/vec.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

/// How much a pose differs at a moment, joint by joint. Scales are always those of the clip.
struct LayerKey {
    double time = 0.0;                    ///< in seconds
    std::vector<Vec3> rotations = {};     ///< rotation vectors, in the frames of the clip's joints
    std::vector<Vec3> translations = {};  ///< of parent_from_joint

    friend bool operator==(const LayerKey&, const LayerKey&) = default;
};

struct Layer {
    std::string name = {};
    double weight = 1.0;  ///< of what it adds: 0 adds nothing, 2 twice as much
    bool muted = false;
    double in = 0.5;   ///< seconds before the first key in which it fades in; at least 0
    double out = 0.5;  ///< seconds behind the last key in which it fades out; at least 0
    std::vector<LayerKey> keys = {};  ///< by time; all for the same joints
};

/// Whether it changes anything at all.
[[nodiscard]] bool isHeard(const Layer& layer);

/// The times between which the layer changes poses, falloff included; at both ends it adds nothing,
/// where there is a falloff.
/// @pre the layer has keys.
[[nodiscard]] double startOf(const Layer& layer);
[[nodiscard]] double endOf(const Layer& layer);

/// What the layer's keys amount to at a time, for weight 1: the share of each key. Shares are
/// continuous in value and speed, but where a falloff takes no time. At a key its own share is 1,
/// and those of others are 0.
/// @pre the layer has keys.
struct LayerShares {
    std::size_t first = 0;            ///< index of the first key with a share
    double shares[4] = {0, 0, 0, 0};  ///< of this key and those that follow it
};
[[nodiscard]] LayerShares sharesAt(const Layer& layer, double time);

/// Adds what the layer has at a time to a pose of the clip below it. Where it adds nothing, the
/// pose stays as it is to the bit.
void addLayer(const Layer& layer, double time, Pose& pose);

/// Gives the layer a key, such that it turns `below` into `wanted` at that time, whatever its
/// weight; a key within 1e-6 s of that time is replaced. A rotation of more than half a revolution
/// goes the way of the keys around it. Differences below 1e-9, in radians or of the length, are
/// none.
/// @pre the weight is not 0; the poses have the joints of the layer's keys.
void setKey(Layer& layer, double time, const Pose& below, const Pose& wanted);

}  // namespace ulna
