// SPDX-License-Identifier: Apache-2.0

// Makes the bundled character in the folder named on the command line: the body with its clips as
// ulna-character.rig.json, each clip as a BVH file, and the body with its skin and all clips as
// ulna-character.glb.
//
// Everything is stated here; no outside data.
#include <cstdio>
#include <string>

#include "tools/character/body.h"
#include "tools/character/clip.h"
#include "tools/character/clips.h"
#include "tools/character/skin.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/io/rig_json.h"

namespace ulna::maker {
namespace {

io::BvhFile makeBvhFile(const Skeleton& skeleton, const DofClip& clip) {
    io::BvhFile file = io::makeBvh(skeleton, computeMotion(skeleton, clip));
    for (double& value : file.values) value = rounded(value, 1e-5);
    for (io::BvhJoint& joint : file.joints) {
        for (std::size_t i = 0; i < 3; ++i) joint.offset[i] = rounded(joint.offset[i], 1e-6);
    }
    return file;
}

template <class T>
void check(const Result<T>& result) {
    if (!result.ok()) fail(describe(result.error()));
}

void makeAll(const std::string& folder) {
    io::RigFile rig;
    rig.name = "Ulna";
    rig.skeleton = makeBody();
    for (const auto make : {makeWalk, makeRun, makeIdle, makeWave})
        rig.clips.push_back(make(rig.skeleton));
    check(io::saveRig(rig, folder + "/ulna-character.rig.json"));
    std::vector<Motion> motions;
    for (const DofClip& clip : rig.clips) motions.push_back(computeMotion(rig.skeleton, clip));
    const Mesh skin = makeSkin(rig.skeleton);
    check(
        io::saveGltf({.skeleton = rig.skeleton, .motions = motions, .meshes = std::span(&skin, 1)},
                     folder + "/ulna-character.glb"));
    for (const DofClip& clip : rig.clips) {
        const std::string name = clip.name == "walk" ? "character" : clip.name;
        check(io::saveBvh(makeBvhFile(rig.skeleton, clip), folder + "/ulna-" + name + ".bvh"));
    }
}

}  // namespace
}  // namespace ulna::maker

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_character FOLDER\n");
        return 2;
    }
    ulna::maker::makeAll(argv[1]);
    return 0;
}
