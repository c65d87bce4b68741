// SPDX-License-Identifier: Apache-2.0
#include "support/gltf_samples.h"

#include <cmath>

#include "support/skeletons.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

// Keys with tangents at uneven times.
template <class V>
std::vector<Key<V>> randomKeys(Random& random, std::size_t count) {
    std::vector<Key<V>> out;
    double time = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        Key<V> key;
        key.time = time;
        time += random.between(0.05, 0.4);
        if constexpr (std::is_same_v<V, Quat>) {
            key.value = quatExp(random.direction() * random.between(0.0, 2.0));
            const Vec3 in = random.direction(), out_tangent = random.direction();
            key.in = {in.x, in.y, in.z, 0.3};
            key.out = {out_tangent.x, out_tangent.y, out_tangent.z, -0.2};
        } else {
            key.value = random.direction();
            key.in = random.direction();
            key.out = random.direction();
        }
        out.push_back(key);
    }
    return out;
}

KeyedMotion everyInterpolation(const Skeleton& skeleton) {
    KeyedMotion clip{"every interpolation", restPose(skeleton), {}};
    Random random(3);
    std::size_t j = 0;
    for (const Interpolation how : kAllInterpolations) {
        JointTracks tracks{jointId(j % skeleton.jointCount())};
        tracks.translation = Track<Vec3>(randomKeys<Vec3>(random, 5), how);
        tracks.rotation = Track<Quat>(randomKeys<Quat>(random, 6), how);
        tracks.scale = Track<Vec3>(randomKeys<Vec3>(random, 3), how);
        clip.joints.push_back(std::move(tracks));
        ++j;
    }
    return clip;
}

KeyedMotion anglesAndJumps(const Skeleton& skeleton) {
    KeyedMotion clip{"angles and jumps", restPose(skeleton), {}};
    clip.base[jointId(2)].translation = {0.5, 1.5, 0.25};  // no key, and not at rest
    JointTracks spin{jointId(0)};
    AngleTracks angles;
    angles.rotations.push_back(
        {{0, 0, 1}, Track<double>({{0.0, 0.0}, {1.0, 9.0}}, Interpolation::Linear)});
    angles.rotations.push_back(
        {{1, 0, 0},
         Track<double>({{0.0, 0.0}, {0.5, 1.0}, {1.0, 0.0}}, Interpolation::CatmullRom)});
    spin.rotation = angles;
    clip.joints.push_back(spin);
    JointTracks jump{jointId(1)};
    jump.translation =
        Track<Vec3>({{0.0, {0, 1, 0}}, {0.5, {0, 2, 0}}, {0.5, {1, 1, 0}}, {1.0, {0, 1, 0}}},
                    Interpolation::Linear);
    clip.joints.push_back(jump);
    return clip;
}

Motion wave(const Skeleton& skeleton, std::size_t frames) {
    Motion out(restPose(skeleton), frames, 1.0 / 120.0, usualTracks(skeleton));
    out.name = "wave";
    Pose pose = restPose(skeleton);
    for (std::size_t f = 0; f < frames; ++f) {
        const double phase = static_cast<double>(f) * 0.1;
        for (std::size_t j = 0; j + 1 < skeleton.jointCount(); ++j)
            pose[jointId(j)].rotation = quatExp(Vec3{0, 0.1 * phase, std::sin(phase)});
        pose[jointId(0)].translation = {phase, 0, 0};
        out.setPose(f, pose);
    }
    return out;
}

}  // namespace

Skeleton gltfArm() {
    JointDef hand = joint("mixamorig:Hand/L", "elbow", JointKind::Ball, {0, 1, 0});
    return build({joint("root", "", JointKind::Free, {0, 0, 0}),
                  joint("elbow", "root", JointKind::Ball, {0, 1, 0}), hand});
}

Mesh gltfSleeve(const Skeleton& arm) {
    Mesh mesh;
    mesh.name = "sleeve";
    mesh.weights.first = {0};
    constexpr int kRings = 9, kSides = 4;
    for (int r = 0; r < kRings; ++r) {
        for (int s = 0; s < kSides; ++s) {
            const double angle = s * kPi / 2, y = 2.5 * r / (kRings - 1);
            const auto c = static_cast<float>(std::cos(angle)),
                       d = static_cast<float>(std::sin(angle));
            mesh.positions.push_back({0.2f * c, static_cast<float>(y), 0.2f * d});
            mesh.normals.push_back({c, 0, d});
            // Tents around each joint's height.
            float sum = 0.0f;
            const std::size_t first = mesh.weights.influences.size();
            for (std::size_t j = 0; j < arm.jointCount(); ++j) {
                const auto weight =
                    static_cast<float>(std::max(0.0, 1.2 - std::abs(y - static_cast<double>(j))));
                if (weight > 0.0f) mesh.weights.influences.push_back({jointId(j), weight});
                sum += weight;
            }
            for (std::size_t i = first; i < mesh.weights.influences.size(); ++i)
                mesh.weights.influences[i].weight /= sum;
            mesh.weights.first.push_back(
                static_cast<std::uint32_t>(mesh.weights.influences.size()));
        }
    }
    for (std::uint32_t r = 0; r + 1 < kRings; ++r) {
        for (std::uint32_t s = 0; s < kSides; ++s) {
            const std::uint32_t a = r * kSides + s, b = r * kSides + (s + 1) % kSides;
            const std::uint32_t c = a + kSides, d = b + kSides;
            mesh.indices.insert(mesh.indices.end(), {a, c, b, b, c, d});
        }
    }
    return mesh;
}

Mesh gltfDressedSleeve(const Skeleton& arm) {
    Mesh mesh = gltfSleeve(arm);
    mesh.name = "dressed";
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& n = mesh.normals[v];
        mesh.tangents.push_back({{-n.z, 0, n.x}, v % 2 == 0 ? 1.0f : -1.0f});
        mesh.texcoords.push_back({static_cast<float>(v) * 0.1f, mesh.positions[v].y});
        const auto shade = static_cast<std::uint8_t>(7 * v);
        mesh.colors.push_back({shade, 255, 0, static_cast<std::uint8_t>(255 - v)});
    }
    return mesh;
}

std::string tinyPng() {
    constexpr unsigned char kBytes[] = {
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48,
        0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00,
        0x00, 0xFD, 0xD4, 0x9A, 0x73, 0x00, 0x00, 0x00, 0x16, 0x49, 0x44, 0x41, 0x54, 0x78,
        0xDA, 0x63, 0x78, 0xA6, 0x21, 0xA7, 0x71, 0xC2, 0x86, 0x41, 0xCE, 0xE6, 0xCE, 0x87,
        0x0F, 0x1F, 0x00, 0x24, 0x4E, 0x06, 0x5F, 0x1C, 0x47, 0x00, 0xB1, 0x00, 0x00, 0x00,
        0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};
    return {reinterpret_cast<const char*>(kBytes), sizeof kBytes};
}

io::MaterialSet gltfMaterials() {
    io::MaterialSet out;
    out.images = {{"four", "image/png", tinyPng()}};
    io::Material plain{.name = "plain", .base_color = {0.1, 0.2, 1.0 / 3.0, 1.0}};
    plain.metallic = 0.0;
    plain.roughness = 0.7;
    io::Material cut{.name = "cut", .texture = io::Texture{}};
    cut.texture->wrap_s = io::kWrapClamp;
    cut.texture->wrap_t = io::kWrapMirror;
    cut.texture->mag_filter = 9728;
    cut.texture->min_filter = 9987;
    cut.alpha_mode = io::AlphaMode::Mask;
    cut.alpha_cutoff = 0.25;
    cut.double_sided = true;
    io::Material glass{.base_color = {1, 1, 1, 0.5}, .texture = io::Texture{}};
    glass.texture->offset = {0.25, -0.5};
    glass.texture->rotation = 0.3;
    glass.texture->scale = {2, 3};
    glass.alpha_mode = io::AlphaMode::Blend;
    glass.unlit = true;
    out.materials = {plain, cut, glass};
    return out;
}

Mesh gltfPaintedSleeve(const Skeleton& arm) {
    Mesh mesh = gltfDressedSleeve(arm);
    mesh.name = "painted";
    const auto rest = static_cast<std::uint32_t>(mesh.indices.size() / 3 - 12);
    mesh.parts = {{3, 1}, {4, 2}, {5, 0}, {rest, kNoMaterial}};
    return mesh;
}

std::vector<GltfSample> gltfSamples() {
    std::vector<GltfSample> out;
    const Skeleton arm = gltfArm();
    out.push_back({"skeleton", arm});
    out.push_back({"wave", arm, {}, {wave(arm, 100)}});
    out.push_back({"still", arm, {}, {Motion(restPose(arm), 50, 0.1, usualTracks(arm))}});
    out.push_back({"kinds", everyKind(), {}, {wave(everyKind(), 20)}});
    const Skeleton five = build(
        {joint("a", "", JointKind::Free, {1, 2, 3}), joint("b", "a", JointKind::Ball, {0, 1, 0}),
         joint("c", "b", JointKind::Ball, {0, 1, 0}), joint("d", "c", JointKind::Ball, {0, 1, 0}),
         joint("d_end", "d", JointKind::Ball, {0, 1, 0})});
    out.push_back({"keys", five, {everyInterpolation(five), anglesAndJumps(five)}});
    Mesh bent = gltfSleeve(arm);
    bent.name = "bent";
    const ModelPose rest = computeModelPose(arm, restPose(arm));
    for (const Affine& a : rest.model_from_joint)
        bent.joint_from_bind.push_back(inverse(a) * makeAffine(Mat3{}, Vec3{0.5, 0, 0}));
    Mesh loose = gltfSleeve(arm);
    loose.name = "loose";
    loose.weights.influences.clear();
    loose.weights.first.clear();
    out.push_back({"meshes", arm, {}, {wave(arm, 30)}, {gltfSleeve(arm), bent, loose}});
    out.push_back({"dressed", arm, {}, {wave(arm, 5)}, {gltfDressedSleeve(arm)}});
    Mesh bare = gltfSleeve(arm);  // which cannot have an image
    bare.parts = {{static_cast<std::uint32_t>(bare.indices.size() / 3), 1}};
    out.push_back(
        {"painted", arm, {}, {wave(arm, 5)}, {gltfPaintedSleeve(arm), bare}, gltfMaterials()});
    return out;
}

}  // namespace ulna::test
