// SPDX-License-Identifier: Apache-2.0

// Skeletons, clips and meshes that between them have everything a glTF file of ours can have.
#pragma once

#include <string>
#include <vector>

#include "ulna/io/materials.h"
#include "ulna/motion/keyed_motion.h"
#include "ulna/skin/mesh.h"

namespace ulna::test {

struct GltfSample {
    std::string name;
    Skeleton skeleton = {};
    std::vector<KeyedMotion> clips = {};
    std::vector<Motion> motions = {};
    std::vector<Mesh> meshes = {};
    io::MaterialSet material_set = {};
};

std::vector<GltfSample> gltfSamples();

/// An arm of three joints, root, elbow and hand, each one above the last.
Skeleton gltfArm();

/// A strip of quads around that arm, tied to its joints with one to three weights a vertex.
Mesh gltfSleeve(const Skeleton& arm);
/// The same with tangents, texture coordinates and colours.
Mesh gltfDressedSleeve(const Skeleton& arm);

/// A picture of two by two pixels: red and green, blue and white.
std::string tinyPng();
/// Materials that between them have everything; they share tinyPng().
io::MaterialSet gltfMaterials();
/// The dressed sleeve in four parts, the last without a material.
Mesh gltfPaintedSleeve(const Skeleton& arm);

}  // namespace ulna::test
