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

void putLooks(const io::Looks& looks) {
    put(static_cast<double>(looks.images.size()));
    for (const io::Image& image : looks.images) {
        put(std::string_view(image.name));
        put(std::string_view(image.mime_type));
        // Where they are: pictures are large, and the reply would be a copy for nothing.
        put(static_cast<double>(reinterpret_cast<std::uintptr_t>(image.bytes.data())));
        put(static_cast<double>(image.bytes.size()));
    }
    put(static_cast<double>(looks.materials.size()));
    for (const io::Material& material : looks.materials) putMaterial(material);
}

SharedLooks joinLooks(std::span<const MeshObject* const> objects, std::vector<Mesh>& meshes) {
    std::map<const io::Looks*, std::uint32_t> first_material;
    for (const MeshObject* object : objects) first_material.emplace(object->looks.get(), 0);
    if (first_material.size() <= 1) return objects.empty() ? nullptr : objects.front()->looks;
    auto joined = std::make_shared<io::Looks>();
    first_material.clear();
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const io::Looks* looks = objects[i]->looks.get();
        if (looks == nullptr) continue;
        const auto [known, added] =
            first_material.emplace(looks, static_cast<std::uint32_t>(joined->materials.size()));
        if (added) {
            const std::size_t first_image = joined->images.size();
            joined->images.insert(joined->images.end(), looks->images.begin(), looks->images.end());
            for (io::Material material : looks->materials) {
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
