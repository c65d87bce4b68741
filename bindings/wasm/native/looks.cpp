// SPDX-License-Identifier: Apache-2.0

// Materials and their images: told to engine.js, and put together for a file.
#include <map>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"

namespace ulna::engine {
namespace {

void putTexture(const io::Texture& texture) {
    put(static_cast<double>(texture.image));
    for (const int number :
         {texture.wrap_s, texture.wrap_t, texture.mag_filter, texture.min_filter})
        put(static_cast<double>(number));
    for (const double number : texture.offset) put(number);
    put(texture.rotation);
    for (const double number : texture.scale) put(number);
}

void putMaterial(const io::Material& material) {
    put(std::string_view(material.name));
    for (const double share : material.base_color) put(share);
    put(material.metallic);
    put(material.roughness);
    put(static_cast<double>(material.alpha_mode));
    put(material.alpha_cutoff);
    put(material.double_sided ? 1.0 : 0.0);
    put(material.unlit ? 1.0 : 0.0);
    put(material.texture ? 1.0 : 0.0);
    if (material.texture) putTexture(*material.texture);
}

}  // namespace

void putMaterials(const io::MaterialSet& material_set) {
    put(static_cast<double>(material_set.images.size()));
    for (const io::Image& image : material_set.images) {
        put(std::string_view(image.name));
        put(std::string_view(image.mime_type));
        // Where they are: pictures are large, and the reply would be a copy for nothing.
        put(static_cast<double>(reinterpret_cast<std::uintptr_t>(image.bytes.data())));
        put(static_cast<double>(image.bytes.size()));
    }
    put(static_cast<double>(material_set.materials.size()));
    for (const io::Material& material : material_set.materials) putMaterial(material);
}

SharedMaterials joinMaterials(std::span<const MeshObject* const> objects,
                              std::vector<Mesh>& meshes) {
    std::map<const io::MaterialSet*, std::uint32_t> first_material;
    for (const MeshObject* object : objects) first_material.emplace(object->material_set.get(), 0);
    if (first_material.size() <= 1)
        return objects.empty() ? nullptr : objects.front()->material_set;
    auto joined = std::make_shared<io::MaterialSet>();
    first_material.clear();
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const io::MaterialSet* material_set = objects[i]->material_set.get();
        if (material_set == nullptr) continue;
        const auto [known, added] = first_material.emplace(
            material_set, static_cast<std::uint32_t>(joined->materials.size()));
        if (added) {
            const std::size_t first_image = joined->images.size();
            joined->images.insert(joined->images.end(), material_set->images.begin(),
                                  material_set->images.end());
            for (io::Material material : material_set->materials) {
                if (material.texture) material.texture->image += first_image;
                joined->materials.push_back(std::move(material));
            }
        }
        for (MeshPart& part : meshes[i].parts)
            if (part.material != kNoMaterial) part.material += known->second;
    }
    return joined;
}

}  // namespace ulna::engine
