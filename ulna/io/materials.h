// SPDX-License-Identifier: Apache-2.0

// Materials: base colours and images of surfaces, kept beside the meshes from file to file.
//
// A MeshPart has an index into MaterialSet::materials, and a Texture one into MaterialSet::images.
// Images are the bytes of their files and are never decoded here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ulna::io {

/// An image file.
struct Image {
    std::string name = {};
    std::string mime_type = {};  ///< image/png or image/jpeg
    std::string bytes = {};

    friend bool operator==(const Image&, const Image&) = default;
};

/// Wrap modes outside the image, as glTF numbers them. An image starts at its upper left corner.
inline constexpr int kWrapClamp = 33071;
inline constexpr int kWrapMirror = 33648;
inline constexpr int kWrapRepeat = 10497;

/// An image on a surface. Mesh::texcoords are first transformed to offset + rotated(scale *
/// texcoord), as in KHR_texture_transform.
struct Texture {
    std::size_t image = 0;  ///< index into MaterialSet::images
    int wrap_s = kWrapRepeat;
    int wrap_t = kWrapRepeat;
    int mag_filter = 0;  ///< as glTF numbers it; 0 leaves the choice to the viewer
    int min_filter = 0;  ///< the same
    std::array<double, 2> offset = {0, 0};
    double rotation = 0.0;  ///< (1, 0) becomes (cos, -sin)
    std::array<double, 2> scale = {1, 1};

    friend bool operator==(const Texture&, const Texture&) = default;
};

/// The meaning of alpha.
enum class AlphaMode : std::uint8_t {
    Opaque,  ///< alpha is ignored
    Mask,    ///< visible if alpha is at least alpha_cutoff
    Blend,   ///< blended with what is behind
};

struct Material {
    std::string name = {};
    /// Linear red, green, blue, and alpha; multiplied with the texture's colour.
    std::array<double, 4> base_color = {1, 1, 1, 1};
    std::optional<Texture> texture = {};
    double metallic = 1.0;
    double roughness = 1.0;
    AlphaMode alpha_mode = AlphaMode::Opaque;
    double alpha_cutoff = 0.5;
    bool double_sided = false;
    bool unlit = false;  ///< shown in its colour, without lighting

    friend bool operator==(const Material&, const Material&) = default;
};

struct MaterialSet {
    std::vector<Material> materials = {};
    std::vector<Image> images = {};
};

}  // namespace ulna::io
