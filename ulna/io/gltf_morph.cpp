// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ulna/io/gltf.h"

namespace ulna::io {

std::vector<Vec3f> morphedPositions(const Mesh& mesh, const GltfMorph& morph, std::size_t clip,
                                    double time) {
    std::vector<Vec3f> out = mesh.positions;
    const bool moves = clip < morph.clips.size() && !morph.clips[clip].empty();
    for (std::size_t t = 0; t < morph.targets.size(); ++t) {
        const double exact = moves ? sample(morph.clips[clip][t], time) : morph.weights[t];
        const auto weight = static_cast<float>(exact);
        if (weight == 0.0f) continue;
        const std::size_t count = std::min(out.size(), morph.targets[t].size());
        for (std::size_t v = 0; v < count; ++v) out[v] += morph.targets[t][v] * weight;
    }
    return out;
}

}  // namespace ulna::io
