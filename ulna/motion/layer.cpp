// SPDX-License-Identifier: Apache-2.0
//
// Between keys the shares are those of a cubic Hermite curve whose slopes inside are Catmull-Rom's
// for uneven times, and zero at the first and the last key; a falloff is the same curve to a key
// that adds nothing. So value and speed are continuous everywhere.
#include "ulna/motion/layer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ulna/core/assert.h"
#include "ulna/math/quat.h"

namespace ulna {
namespace {

constexpr double kSameTime = 1e-6;  // seconds: rounding of times in files
constexpr double kSame = 1e-9;      // radians, or of a length: rounding of what made the pose

// The cubic that goes from 0 to 1 with no slope at either end.
double eased(double share) {
    return share * share * (3.0 - 2.0 * share);
}

// The rotation vector of the same rotation that is nearest to another one.
Vec3 nearestTo(const Vec3& rotation, const Vec3& other) {
    const double angle = length(rotation);
    if (angle < 1e-12) return rotation;
    const Vec3 axis = rotation / angle;
    const double whole = 2.0 * std::numbers::pi;
    return axis * (angle + whole * std::round((dot(axis, other) - angle) / whole));
}

bool isZero(const Vec3& v) {
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

}  // namespace

bool isHeard(const Layer& layer) {
    return !layer.muted && layer.weight != 0.0 && !layer.keys.empty();
}

double startOf(const Layer& layer) {
    ULNA_ASSERT(!layer.keys.empty(), "a layer without keys begins nowhere");
    return layer.keys.front().time - layer.in;
}

double endOf(const Layer& layer) {
    ULNA_ASSERT(!layer.keys.empty(), "a layer without keys ends nowhere");
    return layer.keys.back().time + layer.out;
}

LayerShares sharesAt(const Layer& layer, double time) {
    const std::vector<LayerKey>& keys = layer.keys;
    ULNA_ASSERT(!keys.empty(), "a layer without keys has no shares");
    const std::size_t last = keys.size() - 1;
    if (!(time > keys.front().time)) {
        const double away = keys.front().time - time;
        if (away == 0.0) return {0, {1.0}};
        return {0, {away < layer.in ? eased(1.0 - away / layer.in) : 0.0}};
    }
    if (!(time < keys[last].time)) {
        const double away = time - keys[last].time;
        if (away == 0.0) return {last, {1.0}};
        return {last, {away < layer.out ? eased(1.0 - away / layer.out) : 0.0}};
    }
    const auto after = std::upper_bound(keys.begin(), keys.end(), time,
                                        [](double t, const LayerKey& key) { return t < key.time; });
    const auto i = static_cast<std::size_t>(after - keys.begin()) - 1;
    const double span = keys[i + 1].time - keys[i].time;
    const double s = (time - keys[i].time) / span;
    // Hermite's four: values, then slopes times the span.
    const double value1 = eased(s), value0 = 1.0 - value1;
    const double slope0 = s * (1.0 - s) * (1.0 - s), slope1 = s * s * (s - 1.0);
    LayerShares out{i == 0 ? 0 : i - 1, {}};
    const std::size_t at = i - out.first;  // of key i among the shares
    out.shares[at] = value0;
    out.shares[at + 1] = value1;
    // The slope at an inner key, from the three keys around it.
    const auto addSlope = [&](std::size_t key, double amount) {
        if (key == 0 || key == last) return;
        const double before = keys[key].time - keys[key - 1].time;
        const double behind = keys[key + 1].time - keys[key].time;
        const double whole = before + behind;
        const double from = -behind / (before * whole), to = before / (behind * whole);
        const std::size_t k = key - out.first;
        out.shares[k - 1] += amount * span * from;
        out.shares[k] += amount * span * -(from + to);
        out.shares[k + 1] += amount * span * to;
    };
    addSlope(i, slope0);
    addSlope(i + 1, slope1);
    return out;
}

void addLayer(const Layer& layer, double time, Pose& pose) {
    if (!isHeard(layer) || time < startOf(layer) || time > endOf(layer)) return;
    const LayerShares at = sharesAt(layer, time);
    for (std::size_t j = 0; j < pose.parent_from_joint.size(); ++j) {
        Vec3 rotation, translation;
        for (std::size_t i = 0; i < 4 && at.first + i < layer.keys.size(); ++i) {
            if (at.shares[i] == 0.0) continue;
            const LayerKey& key = layer.keys[at.first + i];
            rotation += key.rotations[j] * at.shares[i];
            translation += key.translations[j] * at.shares[i];
        }
        Trs& joint = pose.parent_from_joint[j];
        if (!isZero(rotation)) joint.rotation = joint.rotation * quatExp(rotation * layer.weight);
        if (!isZero(translation)) joint.translation += translation * layer.weight;
    }
}

void setKey(Layer& layer, double time, const Pose& below, const Pose& wanted) {
    ULNA_ASSERT(layer.weight != 0.0, "a layer of weight 0 cannot be keyed");
    const std::size_t joints = below.parent_from_joint.size();
    ULNA_ASSERT(wanted.parent_from_joint.size() == joints, "the poses are of different skeletons");
    auto at = std::find_if(layer.keys.begin(), layer.keys.end(), [&](const LayerKey& key) {
        return std::abs(key.time - time) <= kSameTime;
    });
    if (at == layer.keys.end()) {
        at = std::find_if(layer.keys.begin(), layer.keys.end(),
                          [&](const LayerKey& key) { return key.time > time; });
        at = layer.keys.insert(at, LayerKey{});
    }
    const LayerKey* near = at != layer.keys.begin()     ? &*(at - 1)
                           : at + 1 != layer.keys.end() ? &*(at + 1)
                                                        : nullptr;
    LayerKey key{time, std::vector<Vec3>(joints), std::vector<Vec3>(joints)};
    for (std::size_t j = 0; j < joints; ++j) {
        const Trs& from = below.parent_from_joint[j];
        const Trs& to = wanted.parent_from_joint[j];
        // What is the same but for rounding stays as it is: it needs no track in any file.
        const Vec3 rotation = quatLog(normalized(conjugate(from.rotation) * to.rotation));
        if (length(rotation) > kSame) {
            const Vec3 other = near != nullptr ? near->rotations[j] * layer.weight : Vec3{};
            key.rotations[j] = nearestTo(rotation, other) / layer.weight;
        }
        const Vec3 shift = to.translation - from.translation;
        if (length(shift) > kSame * (length(from.translation) + length(to.translation)))
            key.translations[j] = shift / layer.weight;
    }
    *at = std::move(key);
}

}  // namespace ulna
