// SPDX-License-Identifier: Apache-2.0

// Layers on clips.
#include <algorithm>
#include <utility>

#include "bindings/wasm/native/protocol.h"

namespace ulna::engine {
namespace {

std::vector<Vec3> vectorsOf(const std::vector<double>& numbers) {
    std::vector<Vec3> out(numbers.size() / 3);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    return out;
}

std::vector<double> numbersOf(const std::vector<Vec3>& vectors) {
    std::vector<double> out;
    for (const Vec3& v : vectors) out.insert(out.end(), {v.x, v.y, v.z});
    return out;
}

PinnedLayer layerOf(const LayerRequest& request) {
    PinnedLayer out{.layer = {.weight = request.weight,
                              .muted = request.muted,
                              .in = request.in,
                              .out = request.out},
                    .pins = request.pins};
    for (const LayerKeyRequest& key : request.keys)
        out.layer.keys.push_back({key.time, vectorsOf(key.rotations), vectorsOf(key.translations)});
    std::stable_sort(out.layer.keys.begin(), out.layer.keys.end(),
                     [](const LayerKey& a, const LayerKey& b) { return a.time < b.time; });
    return out;
}

}  // namespace

/// The layers are in the input.
ClipObject* clipLayered(ClipObject& object) {
    const auto request = readRequest<LayersRequest>();
    std::vector<PinnedLayer> layers;
    for (const LayerRequest& each : request.layers) layers.push_back(layerOf(each));
    return new ClipObject{.skeleton = object.skeleton,
                          .clip = Motion(),
                          .interpolation = object.interpolation,
                          .pose = object.pose,
                          .frame_rate = object.frame_rate,
                          .layered = LayeredClip::make(object.skeleton, object.clip,
                                                       std::move(layers), object.frame_rate),
                          .whole = false};
}

/// The pose is in the input.
LayerKeysReply clipLayerKeys(ClipObject& object, std::size_t layer, double time) {
    Pose wanted = object.pose;
    readPose(0, wanted);
    object.layered->sampleBelow(layer, time, object.pose);
    Layer keyed = object.layered->layer(layer);
    setKey(keyed, time, object.pose, wanted);
    LayerKeysReply out;
    for (const LayerKey& key : keyed.keys)
        out.keys.push_back({.time = key.time,
                            .rotations = numbersOf(key.rotations),
                            .translations = numbersOf(key.translations)});
    return out;
}

std::size_t clipCompose(ClipObject& object, std::size_t frames) {
    return object.layered ? object.layered->compose(frames) : 0;
}

ClipObject* clipMerged(ClipObject& object) {
    return new ClipObject{.skeleton = object.skeleton,
                          .clip = wholeClip(object),
                          .interpolation = object.interpolation,
                          .pose = object.pose,
                          .frame_rate = object.frame_rate};
}

}  // namespace ulna::engine
