// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/lighting.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ulna/core/parallel.h"
#include "ulna/draw/detail/depth_buffer.h"
#include "ulna/math/scalar.h"

namespace ulna::draw::detail {
namespace {

constexpr std::size_t kKeyLamps = 16, kRoomLamps = 64, kGroundEyes = 128;
// A point is moved off its surface before a lamp is asked, by so many texels: a map is too coarse
// to tell a surface from itself.
constexpr double kOffTexels = 1.5;

constexpr Light kKey{0.98f, 0.90f, 0.81f};
constexpr Light kFill{0.09f, 0.12f, 0.16f};
constexpr Light kEdge{0.34f, 0.36f, 0.40f};
constexpr float kRoom = 0.44f;
constexpr float kGloss = 0.07f;
constexpr double kGlossPower = 22.0;
constexpr float kGroundFade = 0.11f;

// Points of a spiral spread evenly: of a sphere, and of a disc (Vogel, "A better way to construct
// the sunflower head", 1979).
constexpr double kGoldenAngle = 2.39996322972865332;
Vec2 onDisc(std::size_t i, std::size_t count) {
    const double radius = std::sqrt((static_cast<double>(i) + 0.5) / static_cast<double>(count));
    const double angle = kGoldenAngle * static_cast<double>(i);
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

// The room: brighter above than below, where the floor gives a little back, and before than behind.
Light roomLight(double height, double front) {
    const Light floor{0.42f, 0.39f, 0.36f}, wall{0.80f, 0.83f, 0.88f}, ceiling{1.22f, 1.24f, 1.28f};
    const Light out = height < 0.0
                          ? lerp(wall, floor, static_cast<float>(std::min(1.0, -2.0 * height)))
                          : lerp(wall, ceiling, static_cast<float>(height));
    return out * static_cast<float>(1.0 + 0.18 * front);
}

float clampedDot(const Vec3& a, const Vec3& b) {
    return static_cast<float>(std::max(0.0, dot(a, b)));
}

// Bends what is brighter than a screen towards white; darker light stays as it is.
float bend(float light) {
    constexpr float kKnee = 0.65f;
    if (light <= kKnee) return light;
    return kKnee + (1.0f - kKnee) * (1.0f - std::exp((kKnee - light) / (1.0f - kKnee)));
}

}  // namespace

DepthMap::DepthMap(const Surface& surface, const Vec3& towards, double texels)
    : right_(anyPerpendicular(towards)), up_(cross(towards, right_)), towards_(towards) {
    std::vector<Vec3> seen;
    seen.reserve(surface.positions.size());
    for (const Vec3& p : surface.positions)
        seen.push_back({dot(right_, p), dot(up_, p), dot(towards_, p)});
    Box box;
    for (const auto& triangle : surface.triangles) {
        for (const std::uint32_t corner : triangle) box.add(seen[corner]);
    }
    const double longer = std::max(box.size().x, box.size().y);
    if (!(longer > 0.0)) return;
    left_ = box.low.x;
    low_ = box.low.y;
    texels_ = texels / longer;
    width_ = static_cast<std::size_t>(box.size().x * texels_) + 1;
    height_ = static_cast<std::size_t>(box.size().y * texels_) + 1;
    for (Vec3& p : seen) p = {(p.x - left_) * texels_ + 1.0, (p.y - low_) * texels_ + 1.0, p.z};
    static constexpr Vec2 kMiddle{0.5, 0.5};
    DepthBuffer map(width_ + 2, height_ + 2, std::span(&kMiddle, 1), false);
    for (const auto& [a, b, c] : surface.triangles) map.draw(seen[a], seen[b], seen[c], 0);
    depths_ = std::move(map).takeDepths();
}

float DepthMap::closeBehind(const Vec3& p, float fade) const {
    const float z = depthOf(p);
    return over(p, 0.0f, [z, fade](float depth) {
        if (depth <= DepthBuffer::kFarthest) return 0.0f;
        const float away = std::max(0.0f, z - depth) / fade;
        return 1.0f / (1.0f + away * away);
    });
}

Lighting::Lighting(const Surface& surface, const Vec3& up, bool ground, double texels,
                   unsigned threads)
    : up_(up), front_{0.0, -up.z, up.y}, off_(kOffTexels / texels) {
    const Vec3 right{1, 0, 0};
    const auto direction = [&](double r, double u, double f) {
        return normalizedOr(right * r + up_ * u + front_ * f, up_);
    };
    fill_ = direction(0.9, 0.2, 0.6);
    edge_ = direction(0.7, 0.6, -0.9);
    std::vector<Vec3> eyes;
    std::vector<Light> lights;
    const Vec3 key = direction(-0.62, 1.0, 0.62);
    gloss_ = normalizedOr(key + Vec3{0, 0, 1}, key);
    const Vec3 across = anyPerpendicular(key), along = cross(key, across);
    for (std::size_t i = 0; i < kKeyLamps; ++i) {
        const Vec2 at = onDisc(i, kKeyLamps) * 0.16;
        eyes.push_back(normalizedOr(key + across * at.x + along * at.y, key));
        lights.push_back(kKey * (1.0f / kKeyLamps));
    }
    for (std::size_t i = 0; i < kRoomLamps; ++i) {
        const double height = 1.0 - (2.0 * static_cast<double>(i) + 1.0) / kRoomLamps;
        const double radius = std::sqrt(1.0 - height * height);
        const double angle = kGoldenAngle * static_cast<double>(i);
        const double f = radius * std::cos(angle);
        eyes.push_back(direction(radius * std::sin(angle), height, f));
        // Light of 1 from everywhere lights a surface with 1.
        lights.push_back(roomLight(height, f) * (4.0f / kRoomLamps));
    }
    // From below, each as often as the ground faces its direction.
    for (std::size_t i = 0; ground && i < kGroundEyes; ++i) {
        const Vec2 at = onDisc(i, kGroundEyes) * 0.95;
        eyes.push_back(direction(at.x, -std::sqrt(1.0 - dot(at, at)), at.y));
    }
    std::vector<std::optional<DepthMap>> maps(eyes.size());
    parallelFor(eyes.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
        // What the ground sees is blurred anyway.
        for (std::size_t i = begin; i < end; ++i)
            maps[i].emplace(surface, eyes[i], i < lights.size() ? texels : texels / 2.0);
    });
    for (std::size_t i = 0; i < maps.size(); ++i) {
        if (i < lights.size())
            (i < kKeyLamps ? key_ : room_).push_back({*std::move(maps[i]), lights[i]});
        else
            ground_.push_back(*std::move(maps[i]));
    }
}

Light Lighting::shade(const Vec3& p, const Vec3& normal, const Light& surface) const {
    const Vec3 at = p + normal * off_;
    Light sum = kFill * clampedDot(normal, fill_) + kEdge * clampedDot(normal, edge_);
    for (const auto& [map, light] : room_) {
        const float facing = clampedDot(normal, map.towards());
        if (facing > 0.0f) sum += light * (kRoom * facing * map.sees(at + map.towards() * off_));
    }
    float lit = 0.0f;  // the share of the key that gets here
    for (const auto& [map, light] : key_) {
        const float facing = clampedDot(normal, map.towards());
        if (facing <= 0.0f) continue;
        const float share = map.sees(at + map.towards() * off_);
        lit += share / kKeyLamps;
        sum += light * (facing * share);
    }
    const double shine = lit > 0.0f ? std::pow(clampedDot(normal, gloss_), kGlossPower) : 0.0;
    const Light gloss = kKey * (lit * kGloss * static_cast<float>(shine));
    const Light out = scaled(surface, sum) + gloss;
    return {bend(out.x), bend(out.y), bend(out.z)};
}

float Lighting::groundShadow(const Vec3& p) const {
    float dark = 0.0f;
    for (const DepthMap& eye : ground_) dark += eye.closeBehind(p, kGroundFade);
    return ground_.empty() ? 0.0f : dark / static_cast<float>(ground_.size());
}

}  // namespace ulna::draw::detail
