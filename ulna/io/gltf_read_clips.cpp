// SPDX-License-Identifier: Apache-2.0

// From glTF animations to keyed clips: a channel is a track, key by key.
#include <cmath>
#include <unordered_map>

#include "ulna/io/detail/gltf_reader.h"
#include "ulna/io/detail/unique_names.h"

namespace ulna::io::detail {
namespace {

Vec3 vectorAt(const float* from) {
    return {static_cast<double>(from[0]), static_cast<double>(from[1]),
            static_cast<double>(from[2])};
}
Quat quatAt(const float* from) {
    return {static_cast<double>(from[0]), static_cast<double>(from[1]),
            static_cast<double>(from[2]), static_cast<double>(from[3])};
}

template <class V>
V valueAt(const float* from) {
    if constexpr (std::is_same_v<V, Quat>)
        return quatAt(from);
    else
        return vectorAt(from);
}

// One channel's location in the file, and its sampler.
struct Channel {
    std::string path;  // of its sampler, for messages
    const tinygltf::AnimationSampler* sampler = nullptr;
};

bool readInterpolation(GltfReader& reader, const Channel& channel, Interpolation& out) {
    const std::string& name = channel.sampler->interpolation;
    if (name == "LINEAR" || name.empty()) {
        out = Interpolation::Linear;
    } else if (name == "STEP") {
        out = Interpolation::Step;
    } else if (name == "CUBICSPLINE") {
        out = Interpolation::Hermite;
    } else {
        return reader.fail(channel.path + ".interpolation",
                           "'" + excerpt(name) + "' is not an interpolation",
                           "one of LINEAR STEP CUBICSPLINE");
    }
    return true;
}

bool readTimes(GltfReader& reader, const Channel& channel, std::vector<float>& times) {
    if (!readNumbers(reader, channel.sampler->input, 1, times)) return false;
    const std::string path = at("accessors", static_cast<std::size_t>(channel.sampler->input));
    for (std::size_t i = 1; i < times.size(); ++i) {
        if (times[i] < times[i - 1]) {
            return reader.fail(path, "key " + std::to_string(i) + " is before the one it follows",
                               "key times must increase");
        }
        if (times[i] == times[i - 1])
            reader.warn("keys share a time; the curve jumps there", path, channel.path);
    }
    return true;
}

template <class V>
bool readTrack(GltfReader& reader, const Channel& channel, Track<V>& out) {
    constexpr std::size_t kWidth = std::is_same_v<V, Quat> ? 4 : 3;
    Interpolation how = Interpolation::Linear;
    std::vector<float> times, values;
    if (!readInterpolation(reader, channel, how) || !readTimes(reader, channel, times) ||
        !readNumbers(reader, channel.sampler->output, kWidth, values)) {
        return false;
    }
    const std::size_t per_key = how == Interpolation::Hermite ? 3 : 1;
    if (values.size() != times.size() * per_key * kWidth) {
        return reader.fail(channel.path,
                           std::to_string(times.size()) + " key times need " +
                               std::to_string(times.size() * per_key) + " values, but there are " +
                               std::to_string(values.size() / kWidth),
                           "CUBICSPLINE has three values per key");
    }
    std::vector<Key<V>> keys(times.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const float* from = values.data() + i * per_key * kWidth;
        Key<V>& key = keys[i];
        key.time = static_cast<double>(times[i]);
        key.value = valueAt<V>(per_key == 3 ? from + kWidth : from);
        if (per_key == 3) {
            key.in = valueAt<V>(from);
            key.out = valueAt<V>(from + 2 * kWidth);
        }
        if constexpr (std::is_same_v<V, Quat>) {
            const double size = std::sqrt(dot(key.value, key.value));
            if (!(size > 1e-6)) {  // below this its direction is rounding noise
                return reader.fail(
                    at("accessors", static_cast<std::size_t>(channel.sampler->output)),
                    "the rotation of key " + std::to_string(i) + " has no length",
                    "no rotation is 0, 0, 0, 1");
            }
            if (std::abs(size - 1.0) > 1e-3)
                reader.warn("a key's rotation is not a unit quaternion; it is normalised",
                            channel.path);
            // Tangents belong to the numbers as they stand; otherwise the length means nothing.
            if (per_key == 1) key.value = normalized(key.value);
        }
    }
    out = Track<V>(std::move(keys), how);
    return true;
}

bool readScales(GltfReader& reader, const Channel& channel, Track<Vec3>& out) {
    if (!readTrack(reader, channel, out)) return false;
    std::vector<Key<Vec3>> keys(out.keys().begin(), out.keys().end());
    for (Key<Vec3>& key : keys) key.value = withoutRounding(key.value);
    out = Track<Vec3>(std::move(keys), out.interpolation);
    return true;
}

// Reads one clip's channels into tracks, each joint's together.
class ClipReader {
  public:
    ClipReader(GltfReader& reader, std::size_t animation, std::size_t clip_index, KeyedMotion& clip)
        : reader_(reader),
          clip_index_(clip_index),
          animation_(reader.model.animations[animation]),
          path_(at("animations", animation)),
          clip_(clip) {}

    bool read() {
        for (const tinygltf::AnimationChannel& channel : animation_.channels) {
            if (!readChannel(channel)) return false;
        }
        return true;
    }

  private:
    bool readChannel(const tinygltf::AnimationChannel& channel) {
        if (channel.target_node < 0) return true;  // of an extension; to be passed over
        const auto node = static_cast<std::size_t>(channel.target_node);
        if (channel.sampler < 0 ||
            static_cast<std::size_t>(channel.sampler) >= animation_.samplers.size()) {
            return reader_.fail(
                path_ + ".channels",
                "there is no samplers[" + std::to_string(channel.sampler) + "] in the animation");
        }
        const auto sampler = static_cast<std::size_t>(channel.sampler);
        const Channel from{path_ + '.' + at("samplers", sampler), &animation_.samplers[sampler]};
        const std::string& what = channel.target_path;
        if (what == "weights" && reader_.morphs_wanted) return readWeights(from, node);
        if (what == "weights") {
            reader_.warn("animated weights of morph targets are left out", path_, animation_.name);
            return true;
        }
        if (what != "translation" && what != "rotation" && what != "scale") {
            reader_.warn("an animation of something unknown is left out", path_, what);
            return true;
        }
        if (reader_.joint_of_node[node] == JointId::None) {
            reader_.warn("animations of nodes outside the scene are left out", at("nodes", node));
            return true;
        }
        return readInto(from, what, tracksOf(reader_.joint_of_node[node]));
    }

    JointTracks& tracksOf(JointId joint) {
        const auto [found, added] = places_.try_emplace(index(joint), clip_.joints.size());
        if (added) clip_.joints.push_back({joint});
        return clip_.joints[found->second];
    }

    bool readInto(const Channel& from, const std::string& what, JointTracks& tracks) {
        const bool again =
            (what == "translation" && !tracks.translation.empty()) ||
            (what == "rotation" && !std::get<Track<Quat>>(tracks.rotation).empty()) ||
            (what == "scale" && !tracks.scale.empty());
        if (again) {
            reader_.warn("a node is animated twice in one animation; the first counts", path_,
                         animation_.name);
            return true;
        }
        if (what == "translation") return readTrack(reader_, from, tracks.translation);
        if (what == "scale") return readScales(reader_, from, tracks.scale);
        return readTrack(reader_, from, std::get<Track<Quat>>(tracks.rotation));
    }

    // Values come key by key, of all targets each time; with tangents, those of all targets first.
    bool readWeights(const Channel& channel, std::size_t node) {
        const int mesh = reader_.model.nodes[node].mesh;
        const std::size_t width =
            mesh < 0 ? 0 : morphTargetCount(reader_.model.meshes[static_cast<std::size_t>(mesh)]);
        if (width == 0) {
            reader_.warn("weights of a node without morph targets are left out", path_);
            return true;
        }
        Interpolation how = Interpolation::Linear;
        std::vector<float> times, values;
        if (!readInterpolation(reader_, channel, how) || !readTimes(reader_, channel, times) ||
            !readNumbers(reader_, channel.sampler->output, 1, values))
            return false;
        const std::size_t parts = how == Interpolation::Hermite ? 3 : 1;
        if (values.size() != times.size() * parts * width)
            return reader_.fail(channel.path, std::to_string(times.size()) + " key times and " +
                                                  std::to_string(width) + " targets need " +
                                                  std::to_string(times.size() * parts * width) +
                                                  " values, but there are " +
                                                  std::to_string(values.size()));
        const auto [tracks, added] = reader_.morph_tracks.try_emplace({node, clip_index_});
        if (!added) {
            reader_.warn("a node is animated twice in one animation; the first counts", path_,
                         animation_.name);
            return true;
        }
        for (std::size_t t = 0; t < width; ++t) {
            std::vector<Key<double>> keys(times.size());
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const auto value = [&](std::size_t part) {
                    return static_cast<double>(values[(i * parts + part) * width + t]);
                };
                keys[i].time = static_cast<double>(times[i]);
                keys[i].value = value(parts / 2);
                if (parts == 3) {
                    keys[i].in = value(0);
                    keys[i].out = value(2);
                }
            }
            tracks->second.emplace_back(std::move(keys), how);
        }
        return true;
    }

    GltfReader& reader_;
    std::size_t clip_index_;
    const tinygltf::Animation& animation_;
    std::string path_;
    KeyedMotion& clip_;
    std::unordered_map<std::size_t, std::size_t> places_;  // of each joint in clip_.joints
};

}  // namespace

bool readGltfClips(GltfReader& reader, const Skeleton& skeleton, std::vector<KeyedMotion>& clips) {
    const Pose rest = restPose(skeleton);
    UniqueNames unique;
    for (std::size_t i = 0; i < reader.model.animations.size(); ++i) {
        const std::string path = at("animations", i);
        if (!reader.spend(skeleton.jointCount(), path)) return false;
        KeyedMotion clip;
        const std::size_t before = reader.morph_tracks.size();
        if (!ClipReader(reader, i, clips.size(), clip).read()) return false;
        const bool morphs = reader.morph_tracks.size() > before;
        if (clip.joints.empty() && !morphs) {
            reader.warn("an animation that moves no joint is left out", path,
                        reader.model.animations[i].name);
            continue;
        }
        const std::string& name = reader.model.animations[i].name;
        clip.name = unique.take(name.empty() ? "animation_" + std::to_string(i) : name);
        clip.base = rest;
        clips.push_back(std::move(clip));
    }
    return true;
}

}  // namespace ulna::io::detail
