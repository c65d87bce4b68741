// SPDX-License-Identifier: Apache-2.0

// Skeletons, clips and meshes that between them have everything a glTF file of ours can have.
#pragma once

#include <string>
#include <vector>

#include "ulna/motion/keyed_motion.h"
#include "ulna/skin/mesh.h"

namespace ulna::test {

struct GltfSample {
    std::string name;
    Skeleton skeleton = {};
    std::vector<KeyedMotion> clips = {};
    std::vector<Motion> motions = {};
    std::vector<Mesh> meshes = {};
};

std::vector<GltfSample> gltfSamples();

/// An arm of three joints, root, elbow and hand, each one above the last.
Skeleton gltfArm();

/// A strip of quads around that arm, tied to its joints with one to three weights a vertex.
Mesh gltfSleeve(const Skeleton& arm);
/// The same with tangents, texture coordinates and colours.
Mesh gltfDressedSleeve(const Skeleton& arm);

}  // namespace ulna::test
