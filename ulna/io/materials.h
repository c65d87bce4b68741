// SPDX-License-Identifier: Apache-2.0

// How surfaces look: base colours and their images, carried from file to file beside the meshes.
//
// A MeshPart names its material by its place in MaterialSet::materials, a material its image by its
// place in MaterialSet::images. Images are the bytes of their files: nothing here decodes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ulna::io {

/// A picture as its file has it.
struct Image {
    std::string name = {};
    std::string mime_type = {};  ///< image/png or image/jpeg
    std::string bytes = {};

    friend bool operator==(const Image&, const Image&) = default;
};

/// How glTF numbers what happens outside an image. It starts at its upper left corner.
inline constexpr int kWrapClamp = 33071;
inline constexpr int kWrapMirror = 33648;
inline constexpr int kWrapRepeat = 10497;

/// An image spread over a surface by Mesh::texcoords, which are moved first: to offset +
/// rotated(scale * texcoord), as KHR_texture_transform has it.
struct Texture {
    std::size_t image = 0;  ///< in MaterialSet::images
    int wrap_s = kWrapRepeat;
    int wrap_t = kWrapRepeat;
    int mag_filter = 0;  ///< glTF's number; 0 leaves it to the viewer
    int min_filter = 0;  ///< the same
    std::array<double, 2> offset = {0, 0};
    double rotation = 0.0;  ///< (1, 0) becomes (cos, -sin)
    std::array<double, 2> scale = {1, 1};

    friend bool operator==(const Texture&, const Texture&) = default;
};

/// What a surface's alpha means.
enum class AlphaMode : std::uint8_t {
    Opaque,  ///< nothing
    Mask,    ///< there from alpha_cutoff on, else not
    Blend,   ///< mixed with what is behind
};

struct Material {
    std::string name = {};
    /// Red, green, blue as shares of light (linear), and alpha; times the texture's colour.
    std::array<double, 4> base_color = {1, 1, 1, 1};
    std::optional<Texture> texture = {};
    double metallic = 1.0;
    double roughness = 1.0;
    AlphaMode alpha_mode = AlphaMode::Opaque;
    double alpha_cutoff = 0.5;
    bool double_sided = false;
    bool unlit = false;  ///< shown in its colour, whatever the light

    friend bool operator==(const Material&, const Material&) = default;
};

struct MaterialSet {
    std::vector<Material> materials = {};
    std::vector<Image> images = {};
};

}  // namespace ulna::io
