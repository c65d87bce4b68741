// SPDX-License-Identifier: Apache-2.0

// From glTF meshes to ours: one for each node that carries one, its primitives joined into a single
// list of vertices and triangles.
//
// A skinned mesh keeps its vertices and the skin's inverse bind matrices as they are; where the
// node stands means nothing for it, as glTF has it. A mesh without a skin is tied to the joint of
// its node, as a whole.
#include <map>
#include <tuple>

#include "ulna/io/detail/gltf_reader.h"
#include "ulna/io/detail/mesh_numbers.h"
#include "ulna/io/detail/unique_names.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io::detail {
namespace {

// The vertex data of a primitive: which accessors it takes, -1 for none.
struct VertexSource {
    int positions = -1;
    int normals = -1;
    int tangents = -1;
    int texcoords = -1;
    int colors = -1;
    std::vector<std::pair<int, int>> influences = {};  // joints and weights, four a time

    [[nodiscard]] auto key() const {
        return std::tie(positions, normals, tangents, texcoords, colors, influences);
    }
    friend bool operator<(const VertexSource& a, const VertexSource& b) {
        return a.key() < b.key();
    }
};

int find(const tinygltf::Primitive& primitive, const std::string& attribute) {
    const auto found = primitive.attributes.find(attribute);
    return found == primitive.attributes.end() ? -1 : found->second;
}

VertexSource sourceOf(const tinygltf::Primitive& primitive, const std::string& texcoords,
                      bool skinned) {
    VertexSource out{find(primitive, "POSITION"), find(primitive, "NORMAL"),
                     find(primitive, "TANGENT"), find(primitive, texcoords),
                     find(primitive, "COLOR_0")};
    for (std::size_t set = 0; skinned; ++set) {
        const std::string number = std::to_string(set);
        const int joints = find(primitive, "JOINTS_" + number);
        const int weights = find(primitive, "WEIGHTS_" + number);
        if (joints < 0 || weights < 0) break;
        out.influences.emplace_back(joints, weights);
    }
    return out;
}

class MeshReader {
  public:
    MeshReader(GltfReader& reader, const tinygltf::Node& node, std::size_t node_index, Mesh& mesh,
               GltfMorph& morph)
        : reader_(reader),
          source_(reader.model.meshes[static_cast<std::size_t>(node.mesh)]),
          path_(at("meshes", static_cast<std::size_t>(node.mesh))),
          skinned_(isSkinned(reader, node)),
          mesh_(mesh),
          morph_(morph) {
        if (skinned_) {
            for (const int joint : reader.model.skins[static_cast<std::size_t>(node.skin)].joints)
                joints_.push_back(reader.joint_of_node[static_cast<std::size_t>(joint)]);
        } else {
            joints_ = {reader.joint_of_node[node_index]};
            if (node.skin >= 0) {
                reader.warn("a mesh has a skin but no weights; it follows its node", path_,
                            source_.name);
            }
        }
    }

    bool read() {
        mesh_.weights.first = {0};
        for (std::size_t i = 0; i < source_.primitives.size(); ++i) {
            if (!readPrimitive(source_.primitives[i], path_ + '.' + at("primitives", i)))
                return false;
        }
        dropPartial(mesh_.normals, "only a part of a mesh has normals; they are left out");
        dropPartial(mesh_.tangents, "only a part of a mesh has tangents; they are left out");
        // A part that no image covers may do without texture coordinates.
        if (!mesh_.texcoords.empty()) mesh_.texcoords.resize(mesh_.positions.size());
        // What has no colour is white, as glTF has it.
        if (!mesh_.colors.empty()) mesh_.colors.resize(mesh_.positions.size());
        if (mesh_.parts.size() == 1 && mesh_.parts[0].material == kNoMaterial) mesh_.parts.clear();
        return true;
    }

    /// The joints that influences refer to by index.
    [[nodiscard]] const std::vector<JointId>& joints() const { return joints_; }

  private:
    void warnAboutLosses(const tinygltf::Primitive& primitive) {
        if (!primitive.targets.empty() && !reader_.morphs_wanted)
            reader_.warn("morph targets are left out", path_, source_.name);
        const std::string texcoords = texcoordsOf(primitive);
        for (const auto& [name, accessor] : primitive.attributes) {
            if (name == texcoords || name == "COLOR_0") continue;
            if (name.starts_with("TEXCOORD") || name.starts_with("COLOR") || name.starts_with('_'))
                reader_.warn("further texture coordinates, colours and attributes are left out",
                             path_, name);
        }
    }

    // The coordinates that its image is spread by.
    [[nodiscard]] std::string texcoordsOf(const tinygltf::Primitive& primitive) const {
        const std::uint64_t set =
            primitive.material < 0
                ? 0
                : reader_.texcoord_sets[static_cast<std::size_t>(primitive.material)];
        return "TEXCOORD_" + std::to_string(set);
    }

    template <class T>
    void dropPartial(std::vector<T>& attribute, const char* warning) {
        if (attribute.empty() || attribute.size() == mesh_.positions.size()) return;
        reader_.warn(warning, path_, source_.name);
        attribute.clear();
    }

    bool readPrimitive(const tinygltf::Primitive& primitive, const std::string& path) {
        warnAboutLosses(primitive);
        if (primitive.mode < TINYGLTF_MODE_TRIANGLES) {
            reader_.warn("points and lines are left out", path, source_.name);
            return true;
        }
        if (primitive.mode > TINYGLTF_MODE_TRIANGLE_FAN)
            return reader_.fail(path + ".mode", "the mode is unknown", "modes are 0 to 6");
        const VertexSource source = sourceOf(primitive, texcoordsOf(primitive), skinned_);
        if (source.positions < 0) {
            reader_.warn("a primitive without positions is left out", path, source_.name);
            return true;
        }
        // Parts with other materials often share their vertices.
        const auto [known, added] = first_vertices_.try_emplace(source, mesh_.positions.size());
        if (added && !(readVertices(source, path) && readMorphs(primitive, path))) return false;
        const std::size_t count =
            reader_.model.accessors[static_cast<std::size_t>(source.positions)].count;
        return readTriangles(primitive, path, known->second, count);
    }

    bool readVertices(const VertexSource& source, const std::string& path) {
        std::vector<float> numbers;
        if (!readNumbers(reader_, source.positions, 3, numbers)) return false;
        const std::size_t count = numbers.size() / 3;
        for (std::size_t i = 0; i < numbers.size(); i += 3)
            mesh_.positions.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
        if (mesh_.positions.size() > std::numeric_limits<std::uint32_t>::max())
            return reader_.fail(path, "the mesh has over four thousand million vertices");
        return readDirections(source, path, count) && readTexcoords(source, path, count) &&
               readColors(source, path, count) && readInfluences(source, path, count);
    }

    // Offsets of the vertices that were read last.
    bool readMorphs(const tinygltf::Primitive& primitive, const std::string& path) {
        if (!reader_.morphs_wanted) return true;
        const std::size_t before = mesh_.positions.size() - vertexCount(primitive);
        std::vector<float> numbers;
        for (std::size_t t = 0; t < std::min(primitive.targets.size(), morph_.targets.size());
             ++t) {
            const auto found = primitive.targets[t].find("POSITION");
            if (found == primitive.targets[t].end()) continue;
            if (!readAttribute(found->second, 3, vertexCount(primitive), "offsets of a target",
                               path, numbers))
                return false;
            if (!reader_.spend(before - std::min(before, morph_.targets[t].size()), path))
                return false;
            morph_.targets[t].resize(before);
            for (std::size_t i = 0; i < numbers.size(); i += 3)
                morph_.targets[t].push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
        }
        return true;
    }

    [[nodiscard]] std::size_t vertexCount(const tinygltf::Primitive& primitive) const {
        const auto accessor = static_cast<std::size_t>(primitive.attributes.at("POSITION"));
        return reader_.model.accessors[accessor].count;
    }

    // The numbers of an attribute of which there must be as many as positions.
    bool readAttribute(int accessor, std::size_t width, std::size_t count, const char* name,
                       const std::string& path, std::vector<float>& out) {
        if (!readNumbers(reader_, accessor, width, out)) return false;
        return out.size() / width == count ||
               reader_.fail(path + ".attributes",
                            std::string("there are not as many ") + name + " as positions");
    }

    bool readDirections(const VertexSource& source, const std::string& path, std::size_t count) {
        std::vector<float> numbers;
        if (source.normals >= 0) {
            if (!readAttribute(source.normals, 3, count, "normals", path, numbers)) return false;
            for (std::size_t i = 0; i < numbers.size(); i += 3)
                mesh_.normals.push_back(unitNormal({numbers[i], numbers[i + 1], numbers[i + 2]}));
        }
        if (source.tangents < 0) return true;
        if (!readAttribute(source.tangents, 4, count, "tangents", path, numbers)) return false;
        for (std::size_t i = 0; i < numbers.size(); i += 4) {
            mesh_.tangents.push_back({unitNormal({numbers[i], numbers[i + 1], numbers[i + 2]}),
                                      numbers[i + 3] < 0.0f ? -1.0f : 1.0f});
        }
        return true;
    }

    bool readTexcoords(const VertexSource& source, const std::string& path, std::size_t count) {
        if (source.texcoords < 0) return true;
        std::vector<float> numbers;
        if (!readAttribute(source.texcoords, 2, count, "texture coordinates", path, numbers))
            return false;
        mesh_.texcoords.resize(mesh_.positions.size() - count);
        for (std::size_t i = 0; i < numbers.size(); i += 2)
            mesh_.texcoords.push_back({numbers[i], numbers[i + 1]});
        return true;
    }

    bool readColors(const VertexSource& source, const std::string& path, std::size_t count) {
        if (source.colors < 0) return true;
        const auto accessor = static_cast<std::size_t>(source.colors);
        const bool opaque = reader_.model.accessors[accessor].type == TINYGLTF_TYPE_VEC3;
        const std::size_t width = opaque ? 3 : 4;
        std::vector<float> numbers;
        if (!readAttribute(source.colors, width, count, "colours", path, numbers)) return false;
        mesh_.colors.resize(mesh_.positions.size() - count);
        for (std::size_t i = 0; i < numbers.size(); i += width) {
            const auto screen = [&](std::size_t k) {
                return byteOf(screenFromLight(static_cast<double>(numbers[i + k])));
            };
            mesh_.colors.push_back(
                {screen(0), screen(1), screen(2),
                 opaque ? std::uint8_t{255} : byteOf(static_cast<double>(numbers[i + 3]))});
        }
        return true;
    }

    bool readInfluences(const VertexSource& source, const std::string& path, std::size_t count) {
        std::vector<std::vector<float>> weights(source.influences.size());
        std::vector<std::vector<std::uint32_t>> joints(source.influences.size());
        for (std::size_t set = 0; set < source.influences.size(); ++set) {
            if (!readIntegers(reader_, source.influences[set].first, 4, joints[set]) ||
                !readNumbers(reader_, source.influences[set].second, 4, weights[set])) {
                return false;
            }
            if (joints[set].size() / 4 != count || weights[set].size() / 4 != count)
                return reader_.fail(path + ".attributes",
                                    "there are not as many weights as positions");
        }
        for (std::size_t v = 0; v < count; ++v) {
            const std::size_t first = mesh_.weights.influences.size();
            double sum = 0.0;
            for (std::size_t set = 0; set < weights.size(); ++set) {
                for (std::size_t k = 4 * v; k < 4 * v + 4; ++k) {
                    if (weights[set][k] < 0.0f)
                        reader_.warn("weights below zero count as zero", path, source_.name);
                    if (!(weights[set][k] > 0.0f)) continue;
                    if (joints[set][k] >= joints_.size()) {
                        return reader_.fail(
                            path + ".attributes",
                            "vertex " + std::to_string(v) + " has a weight for joint " +
                                std::to_string(joints[set][k]) + ", but the skin has " +
                                std::to_string(joints_.size()));
                    }
                    mesh_.weights.influences.push_back({joints_[joints[set][k]], weights[set][k]});
                    sum += static_cast<double>(weights[set][k]);
                }
            }
            if (sum > 0.0) {
                for (std::size_t k = first; k < mesh_.weights.influences.size(); ++k) {
                    float& weight = mesh_.weights.influences[k].weight;
                    weight = static_cast<float>(static_cast<double>(weight) / sum);
                }
            } else {
                if (skinned_)
                    reader_.warn("a vertex without weights follows the skin's first joint", path,
                                 source_.name);
                mesh_.weights.influences.push_back({joints_.front(), 1.0f});
            }
            mesh_.weights.first.push_back(
                static_cast<std::uint32_t>(mesh_.weights.influences.size()));
        }
        return true;
    }

    bool readTriangles(const tinygltf::Primitive& primitive, const std::string& path,
                       std::size_t first_vertex, std::size_t vertex_count) {
        std::vector<std::uint32_t> corners;
        if (primitive.indices >= 0) {
            if (!readIntegers(reader_, primitive.indices, 1, corners)) return false;
        } else {
            if (!reader_.spend(vertex_count, path)) return false;
            for (std::size_t i = 0; i < vertex_count; ++i)
                corners.push_back(static_cast<std::uint32_t>(i));
        }
        for (std::uint32_t& corner : corners) {
            if (corner >= vertex_count) {
                return reader_.fail(path + ".indices", "vertex " + std::to_string(corner) +
                                                           " is used, but there are " +
                                                           std::to_string(vertex_count));
            }
            corner += static_cast<std::uint32_t>(first_vertex);
        }
        if (primitive.mode == TINYGLTF_MODE_TRIANGLES && corners.size() % 3 != 0)
            reader_.warn("an unfinished triangle is left out", path, source_.name);
        const std::size_t before = mesh_.indices.size();
        appendTriangles(primitive.mode, corners);
        appendPart((mesh_.indices.size() - before) / 3, primitive.material);
        return true;
    }

    void appendPart(std::size_t triangles, int material) {
        if (triangles == 0) return;
        const MeshPart part{static_cast<std::uint32_t>(triangles),
                            material < 0 ? kNoMaterial : static_cast<std::uint32_t>(material)};
        if (!mesh_.parts.empty() && mesh_.parts.back().material == part.material)
            mesh_.parts.back().triangles += part.triangles;
        else
            mesh_.parts.push_back(part);
    }

    void appendTriangles(int mode, const std::vector<std::uint32_t>& c) {
        std::vector<std::uint32_t>& out = mesh_.indices;
        if (mode == TINYGLTF_MODE_TRIANGLES) {
            out.insert(out.end(), c.begin(), c.end() - static_cast<std::ptrdiff_t>(c.size() % 3));
            return;
        }
        for (std::size_t i = 0; i + 2 < c.size(); ++i) {
            // Every second triangle of a strip runs the other way round.
            const std::size_t odd = i % 2;
            if (mode == TINYGLTF_MODE_TRIANGLE_STRIP)
                out.insert(out.end(), {c[i], c[i + 1 + odd], c[i + 2 - odd]});
            else
                out.insert(out.end(), {c[i + 1], c[i + 2], c[0]});
        }
    }

    GltfReader& reader_;
    const tinygltf::Mesh& source_;
    std::string path_;
    bool skinned_;
    Mesh& mesh_;
    GltfMorph& morph_;
    std::vector<JointId> joints_;
    std::map<VertexSource, std::size_t> first_vertices_;
};

// joint_from_bind of the skin's joints; the identity where the file has none.
bool readBind(GltfReader& reader, const tinygltf::Skin& skin, std::vector<Affine>& out) {
    out.assign(skin.joints.size(), Affine{});
    if (skin.inverseBindMatrices < 0) return true;
    std::vector<float> numbers;
    if (!readNumbers(reader, skin.inverseBindMatrices, 16, numbers)) return false;
    if (numbers.size() / 16 < out.size()) {
        return reader.fail(at("accessors", static_cast<std::size_t>(skin.inverseBindMatrices)),
                           "there are fewer matrices than the skin has joints");
    }
    for (std::size_t j = 0; j < out.size(); ++j) {
        for (std::size_t k = 0; k < 4; ++k) {
            for (std::size_t i = 0; i < 3; ++i)
                out[j].columns[k][i] = static_cast<double>(numbers[16 * j + 4 * k + i]);
        }
    }
    return true;
}

// The bind of every joint of the skeleton. Joints that the skin has not are bound where they are at
// rest, seen from the skin's first joint.
std::vector<Affine> spreadBind(const std::vector<JointId>& joints, const std::vector<Affine>& bind,
                               const ModelPose& rest, const std::vector<Affine>& joint_from_model) {
    const Affine model_from_bind = rest[joints.front()] * bind.front();
    std::vector<Affine> out;
    out.reserve(joint_from_model.size());
    for (const Affine& from_model : joint_from_model) out.push_back(from_model * model_from_bind);
    for (std::size_t i = 0; i < joints.size(); ++i) out[index(joints[i])] = bind[i];
    return out;
}

GltfMorph startMorph(const GltfReader& reader, const tinygltf::Node& node, std::size_t mesh) {
    GltfMorph out;
    out.mesh = mesh;
    const tinygltf::Mesh& source = reader.model.meshes[static_cast<std::size_t>(node.mesh)];
    if (!reader.morphs_wanted) return out;
    out.targets.resize(morphTargetCount(source));
    out.weights = node.weights.empty() ? source.weights : node.weights;
    out.weights.resize(out.targets.size(), 0.0);
    return out;
}

// Each node has its own tracks, which are moved.
bool takeMorphClips(GltfReader& reader, std::size_t node, std::size_t clips, GltfMorph& morph) {
    if (!reader.spend(clips, at("nodes", node))) return false;
    morph.clips.resize(clips);
    for (auto from = reader.morph_tracks.lower_bound({node, 0});
         from != reader.morph_tracks.end() && from->first.first == node; ++from)
        morph.clips[from->first.second] = std::move(from->second);
    return true;
}

// What a node costs that carries a mesh, whatever the mesh has: a bind for every joint of the
// skeleton, the joints of its skin, and the strings and look-ups of each primitive.
std::size_t costOf(const GltfReader& reader, const tinygltf::Node& node, const Skeleton& skeleton) {
    constexpr std::size_t kOfPrimitive = 16;
    const auto& mesh = reader.model.meshes[static_cast<std::size_t>(node.mesh)];
    const std::size_t joints =
        node.skin < 0 ? 0 : reader.model.skins[static_cast<std::size_t>(node.skin)].joints.size();
    return skeleton.jointCount() + joints + kOfPrimitive * mesh.primitives.size();
}

}  // namespace

std::size_t morphTargetCount(const tinygltf::Mesh& mesh) {
    return mesh.primitives.empty() ? 0 : mesh.primitives.front().targets.size();
}

bool readGltfMeshes(GltfReader& reader, GltfFile& file) {
    const Skeleton& skeleton = file.skeleton;
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    std::vector<Affine> joint_from_model;
    joint_from_model.reserve(skeleton.jointCount());
    for (const Affine& a : rest.model_from_joint) joint_from_model.push_back(inverse(a));
    UniqueNames unique;
    for (std::size_t i = 0; i < reader.model.nodes.size(); ++i) {
        const tinygltf::Node& node = reader.model.nodes[i];
        if (node.mesh < 0) continue;
        const bool skinned = isSkinned(reader, node);
        if (!reader.in_scene[i]) {
            reader.warn("meshes outside the scene are left out", at("nodes", i), node.name);
            continue;
        }
        if (!reader.spend(costOf(reader, node, skeleton), at("nodes", i))) return false;
        Mesh mesh;
        GltfMorph morph = startMorph(reader, node, file.meshes.size());
        MeshReader from(reader, node, i, mesh, morph);
        if (!from.read()) return false;
        if (mesh.indices.empty()) {
            reader.warn("a mesh without triangles is left out", at("nodes", i), node.name);
            continue;
        }
        std::vector<Affine> bind = {Affine{}};
        if (skinned &&
            !readBind(reader, reader.model.skins[static_cast<std::size_t>(node.skin)], bind)) {
            return false;
        }
        mesh.joint_from_bind = spreadBind(from.joints(), bind, rest, joint_from_model);
        const std::string& name = reader.model.meshes[static_cast<std::size_t>(node.mesh)].name;
        mesh.name = unique.take(!name.empty()        ? name
                                : !node.name.empty() ? node.name
                                                     : "mesh_" + std::to_string(node.mesh));
        if (!morph.targets.empty()) {
            if (!takeMorphClips(reader, i, file.clips.size(), morph)) return false;
            file.morphs.push_back(std::move(morph));
        }
        file.meshes.push_back(std::move(mesh));
    }
    return true;
}

}  // namespace ulna::io::detail
