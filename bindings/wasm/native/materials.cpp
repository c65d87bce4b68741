// SPDX-License-Identifier: Apache-2.0

// Materials and their images, put together for a file.
#include <map>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"

namespace ulna::engine {

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
