// SPDX-License-Identifier: Apache-2.0

// Materials out: those that some part of a mesh has, with their images inside the buffer.
#include "ulna/core/assert.h"
#include "ulna/io/detail/gltf_writer.h"

namespace ulna::io::detail {
namespace {

std::size_t planImage(GltfWriter& writer, std::size_t image) {
    const auto [known, added] = writer.planned.images.try_emplace(image, writer.images.size());
    if (!added) return known->second;
    ULNA_ASSERT(image < writer.content.material_set->images.size(), "there is no such image");
    const Image& from = writer.content.material_set->images[image];
    const std::string& bytes = from.bytes;
    OrderedJson out = OrderedJson::object();
    if (!from.name.empty()) out["name"] = from.name;
    out["mimeType"] = from.mime_type;
    out["bufferView"] =
        writer.addView(bytes.size(), 0, [&bytes](const GltfSink& sink) { return sink(bytes); });
    writer.images.push_back(std::move(out));
    return known->second;
}

// The index of an element of a list, which is put there where it is not yet.
std::size_t listed(std::map<std::string, std::size_t>& known, OrderedJson& list,
                   OrderedJson element) {
    const auto [found, added] = known.try_emplace(dumpJson(element), list.size());
    if (added) list.push_back(std::move(element));
    return found->second;
}

OrderedJson planTexture(GltfWriter& writer, const Texture& texture) {
    OrderedJson sampler = OrderedJson::object();
    if (texture.mag_filter != 0) sampler["magFilter"] = texture.mag_filter;
    if (texture.min_filter != 0) sampler["minFilter"] = texture.min_filter;
    if (texture.wrap_s != kWrapRepeat) sampler["wrapS"] = texture.wrap_s;
    if (texture.wrap_t != kWrapRepeat) sampler["wrapT"] = texture.wrap_t;
    OrderedJson out = {{"source", planImage(writer, texture.image)}};
    if (!sampler.empty())
        out["sampler"] = listed(writer.planned.samplers, writer.samplers, std::move(sampler));
    OrderedJson reference = {
        {"index", listed(writer.planned.textures, writer.textures, std::move(out))}};
    OrderedJson transform = OrderedJson::object();
    if (texture.offset != Texture{}.offset) transform["offset"] = texture.offset;
    if (texture.rotation != 0.0) transform["rotation"] = texture.rotation;
    if (texture.scale != Texture{}.scale) transform["scale"] = texture.scale;
    if (!transform.empty()) {
        writer.extensions.insert("KHR_texture_transform");
        reference["extensions"]["KHR_texture_transform"] = std::move(transform);
    }
    return reference;
}

OrderedJson materialJson(GltfWriter& writer, const Material& from, bool textured) {
    OrderedJson out = OrderedJson::object();
    if (!from.name.empty()) out["name"] = from.name;
    OrderedJson surface = OrderedJson::object();
    if (from.base_color != Material{}.base_color) surface["baseColorFactor"] = from.base_color;
    if (from.texture && textured) surface["baseColorTexture"] = planTexture(writer, *from.texture);
    if (from.metallic != 1.0) surface["metallicFactor"] = from.metallic;
    if (from.roughness != 1.0) surface["roughnessFactor"] = from.roughness;
    if (!surface.empty()) out["pbrMetallicRoughness"] = std::move(surface);
    if (from.alpha_mode == AlphaMode::Blend) out["alphaMode"] = "BLEND";
    if (from.alpha_mode == AlphaMode::Mask) {
        out["alphaMode"] = "MASK";
        out["alphaCutoff"] = from.alpha_cutoff;
    }
    if (from.double_sided) out["doubleSided"] = true;
    if (from.unlit) {
        writer.extensions.insert("KHR_materials_unlit");
        out["extensions"]["KHR_materials_unlit"] = OrderedJson::object();
    }
    return out;
}

}  // namespace

std::size_t planMaterial(GltfWriter& writer, std::uint32_t material, bool textured) {
    ULNA_ASSERT(material < writer.content.material_set->materials.size(),
                "there is no such material");
    const Material& from = writer.content.material_set->materials[material];
    if (from.texture && !textured)
        writer.warn("a texture without texture coordinates is left out", from.name);
    const std::pair key(material, textured || !from.texture);
    const auto [known, added] = writer.planned.materials.try_emplace(key, writer.materials.size());
    if (added) writer.materials.push_back(materialJson(writer, from, textured));
    return known->second;
}

}  // namespace ulna::io::detail
