// SPDX-License-Identifier: Apache-2.0
#include "tools/character/keys.h"

#include <utility>
#include <vector>

namespace ulna::maker {
namespace {

template <class V>
Track<V> closed(double period, std::vector<Key<V>> keys) {
    keys.push_back({.time = keys.front().time + period, .value = keys.front().value});
    Track<V> track(std::move(keys));
    track.outside = Outside::Loop;
    return track;
}

std::vector<Key<double>> inRadians(AngleKeys keys, double factor, double later) {
    std::vector<Key<double>> out;
    for (const AngleKey& key : keys)
        out.push_back({.time = key.time + later, .value = radians(key.angle_degrees * factor)});
    return out;
}

}  // namespace

Track<double> angles(AngleKeys keys, double factor) {
    return Track<double>(inRadians(keys, factor, 0.0));
}

Track<double> loop(double period, AngleKeys keys, double factor, double later) {
    return closed(period, inRadians(keys, factor, later));
}

Track<Vec3> loop(double period, std::initializer_list<Key<Vec3>> keys) {
    return closed(period, std::vector<Key<Vec3>>(keys));
}

void addTurn(const Skeleton& skeleton, const std::string& joint, const Vec3& axis,
             Track<double> angle, KeyedMotion& motion) {
    JointTracks& tracks = motion.at(skeleton.find(joint));
    if (!std::holds_alternative<AngleTracks>(tracks.rotation)) tracks.rotation = AngleTracks{};
    std::get<AngleTracks>(tracks.rotation).rotations.push_back({axis, std::move(angle)});
}

}  // namespace ulna::maker
