// SPDX-License-Identifier: Apache-2.0

// What other programs are asked to judge:
//   gltf_program convert IN OUT    a BVH, rig or glTF file as glTF
//   gltf_program samples FOLDER    files with everything we can write
//   gltf_program dump FILE         JSON: joints and vertices at several times of every clip
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "support/gltf_samples.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace {

using namespace ulna;
using Json = nlohmann::ordered_json;

int fail(const Diagnostic& error) {
    std::fprintf(stderr, "%s\n", describe(error).c_str());
    return 3;
}

int report(const Result<Warnings>& written) {
    if (!written) return fail(written.error());
    for (const Diagnostic& warning : *written)
        std::fprintf(stderr, "warning: %s\n", describe(warning).c_str());
    return 0;
}

int convert(const std::string& in, const std::string& out) {
    if (in.ends_with(".bvh")) {
        Result<io::BvhMotion> clip = Diagnostic{};
        {
            const Result<io::BvhFile> file = io::loadBvh(in);
            if (!file) return fail(file.error());
            clip = io::toMotion(*file);
            if (!clip) return fail(clip.error());
        }
        return report(io::saveGltf(
            {.skeleton = clip->skeleton, .motions = std::span(&clip->motion, 1)}, out));
    }
    if (in.ends_with(".json")) {
        const Result<io::RigFile> rig = io::loadRig(in);
        if (!rig) return fail(rig.error());
        std::vector<Motion> motions;
        for (const DofClip& clip : rig->clips)
            motions.push_back(computeMotion(rig->skeleton, clip));
        return report(io::saveGltf({.skeleton = rig->skeleton, .motions = motions}, out));
    }
    const Result<io::GltfFile> file = io::loadGltf(in);
    if (!file) return fail(file.error());
    return report(io::saveGltf({.skeleton = file->skeleton,
                                .clips = file->clips,
                                .meshes = file->meshes,
                                .material_set = &file->material_set},
                               out));
}

int samples(const std::string& folder) {
    for (const test::GltfSample& sample : test::gltfSamples()) {
        for (const char* ending : {".glb", ".gltf"}) {
            const int code = report(io::saveGltf({.skeleton = sample.skeleton,
                                                  .clips = sample.clips,
                                                  .motions = sample.motions,
                                                  .meshes = sample.meshes,
                                                  .material_set = &sample.material_set},
                                                 folder + '/' + sample.name + ending));
            if (code != 0) return code;
        }
    }
    return 0;
}

Json toJson(const Vec3& v) {
    return Json::array({v.x, v.y, v.z});
}

// Every vertex of small meshes, at least two thousand of large ones.
Json dumpMesh(const Mesh& mesh, const DeformedVertices& posed) {
    constexpr std::size_t kEnough = 4000;
    const std::size_t step = mesh.positions.size() / kEnough + 1;
    Json positions = Json::array(), normals = Json::array();
    const auto add = [](const std::vector<Vec3f>& from, std::size_t v, Json& to) {
        if (v >= from.size()) return;
        for (std::size_t k = 0; k < 3; ++k) to.push_back(from[v][k]);
    };
    for (std::size_t v = 0; v < mesh.positions.size(); v += step) {
        add(posed.positions, v, positions);
        add(posed.normals, v, normals);
    }
    return {{"name", mesh.name},
            {"count", mesh.positions.size()},
            {"step", step},
            {"positions", std::move(positions)},
            {"normals", std::move(normals)}};
}

// A file whose meshes are ready to be posed.
struct Posable {
    const io::GltfFile& file;
    std::vector<Deformer> deformers = {};

    explicit Posable(const io::GltfFile& of) : file(of) {
        for (const Mesh& mesh : file.meshes) deformers.emplace_back(file.skeleton, mesh);
    }
};

Json dumpPose(const Posable& posable, const Pose& pose, double time) {
    const Skeleton& skeleton = posable.file.skeleton;
    const ModelPose model = computeModelPose(skeleton, pose);
    Json out = {{"time", time}, {"positions", Json::array()}, {"meshes", Json::array()}};
    for (std::size_t j = 0; j < skeleton.jointCount(); ++j)
        out["positions"].push_back(toJson(model.position(jointId(j))));
    for (std::size_t m = 0; m < posable.deformers.size(); ++m) {
        DeformedVertices posed;
        // Normals as shaders turn them.
        posable.deformers[m].deform(model, {.normals = NormalRule::Plain}, posed);
        out["meshes"].push_back(dumpMesh(posable.file.meshes[m], posed));
    }
    return out;
}

int dump(const std::string& path) {
    const Result<io::GltfFile> file = io::loadGltf(path);
    if (!file) return fail(file.error());
    for (const Diagnostic& warning : file->warnings)
        std::fprintf(stderr, "warning: %s\n", describe(warning).c_str());
    const Posable posable(*file);
    Json out = {{"joints", file->skeleton.names()},
                {"parents", Json::array()},
                {"kinds", Json::array()},
                {"rest", dumpPose(posable, restPose(file->skeleton), 0.0)},
                {"clips", Json::array()}};
    for (std::size_t j = 0; j < file->skeleton.jointCount(); ++j) {
        out["parents"].push_back(static_cast<int>(file->skeleton.parent(jointId(j))));
        out["kinds"].push_back(jointKindName(file->skeleton.kind(jointId(j))));
    }
    for (const KeyedMotion& clip : file->clips) {
        Json frames = Json::array();
        constexpr int kTimes = 12;
        for (int i = 0; i <= kTimes; ++i) {
            const double time = clip.endTime() * i / kTimes;
            frames.push_back(dumpPose(posable, samplePose(clip, time), time));
        }
        out["clips"].push_back(
            {{"name", clip.name}, {"keys", clip.keyCount()}, {"frames", std::move(frames)}});
    }
    std::printf("%s\n", out.dump().c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string verb = argc > 1 ? argv[1] : "";
    if (verb == "convert" && argc == 4) return convert(argv[2], argv[3]);
    if (verb == "samples" && argc == 3) return samples(argv[2]);
    if (verb == "dump" && argc == 3) return dump(argv[2]);
    std::fprintf(stderr, "usage: gltf_program convert IN OUT | samples FOLDER | dump FILE\n");
    return 2;
}
