// SPDX-License-Identifier: Apache-2.0

// From glTF nodes to a skeleton; clips and meshes follow in files of their own.
#include <algorithm>
#include <cmath>

#include "ulna/core/text.h"
#include "ulna/io/detail/gltf_reader.h"
#include "ulna/io/detail/unique_names.h"

namespace ulna::io {
namespace detail {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::size_t unsignedIndex(int i) {
    return i < 0 ? kNone : static_cast<std::size_t>(i);
}

// Who is above whom, and in which order the scene has its nodes.
struct Tree {
    std::vector<std::size_t> parents;
    std::vector<std::size_t> order;  // depth first; the scene's nodes, then all others
};

bool findParents(GltfReader& reader, Tree& tree) {
    const std::vector<tinygltf::Node>& nodes = reader.model.nodes;
    tree.parents.assign(nodes.size(), kNone);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const int child : nodes[i].children) {
            std::size_t& parent = tree.parents[static_cast<std::size_t>(child)];
            if (parent != kNone) {
                return reader.fail(at("nodes", i) + ".children",
                                   "nodes[" + std::to_string(child) +
                                       "] is the child of two nodes; the other is nodes[" +
                                       std::to_string(parent) + "]",
                                   "a node has one place in the hierarchy");
            }
            parent = i;
        }
    }
    return true;
}

void appendSubtree(const GltfReader& reader, std::size_t root, std::vector<bool>& seen,
                   std::vector<std::size_t>& order) {
    if (seen[root]) return;
    seen[root] = true;
    std::vector<std::size_t> open = {root};
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        order.push_back(node);
        const std::vector<int>& children = reader.model.nodes[node].children;
        for (std::size_t k = children.size(); k-- > 0;) {
            const auto child = static_cast<std::size_t>(children[k]);
            seen[child] = true;
            open.push_back(child);
        }
    }
}

bool makeTree(GltfReader& reader, Tree& tree) {
    if (!findParents(reader, tree)) return false;
    const tinygltf::Model& model = reader.model;
    std::vector<bool> seen(model.nodes.size(), false);
    if (model.scenes.size() > 1) {
        reader.warn("only one scene is read, the others are left out",
                    at("scenes", model.defaultScene == 0 ? 1 : 0));
    }
    if (!model.scenes.empty()) {
        for (const int node : model.scenes[unsignedIndex(std::max(0, model.defaultScene))].nodes) {
            if (tree.parents[unsignedIndex(node)] != kNone) {
                return reader.fail(at("nodes", unsignedIndex(node)),
                                   "a scene lists a node that has a parent",
                                   "scenes list the nodes at the top");
            }
            appendSubtree(reader, unsignedIndex(node), seen, tree.order);
        }
    }
    reader.in_scene = model.scenes.empty() ? std::vector<bool>(seen.size(), true) : seen;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (tree.parents[i] == kNone) appendSubtree(reader, i, seen, tree.order);
    }
    if (tree.order.size() == seen.size()) return true;
    const auto lost = std::find(seen.begin(), seen.end(), false);
    return reader.fail(at("nodes", static_cast<std::size_t>(lost - seen.begin())),
                       "the node is its own ancestor");
}

// ---- which nodes become joints

struct NodeRoles {
    std::vector<bool> joint;     // becomes a joint
    std::vector<bool> skin;      // is a joint of some skin
    std::vector<bool> animated;  // in any way
    std::vector<bool> turned;    // animated in its rotation
    std::vector<bool> carries;   // a mesh without a skin
};

NodeRoles findRoles(const GltfReader& reader, const Tree& tree) {
    const tinygltf::Model& model = reader.model;
    const std::size_t count = model.nodes.size();
    NodeRoles out;
    for (auto* flags : {&out.joint, &out.skin, &out.animated, &out.turned, &out.carries})
        flags->assign(count, false);
    for (const tinygltf::Skin& skin : model.skins) {
        for (const int node : skin.joints) out.skin[unsignedIndex(node)] = true;
    }
    for (const tinygltf::Animation& animation : model.animations) {
        for (const tinygltf::AnimationChannel& channel : animation.channels) {
            if (channel.target_node < 0) continue;
            const std::string& path = channel.target_path;
            if (path == "rotation") out.turned[unsignedIndex(channel.target_node)] = true;
            if (path == "rotation" || path == "translation" || path == "scale")
                out.animated[unsignedIndex(channel.target_node)] = true;
        }
    }
    for (std::size_t i = 0; i < count; ++i)
        out.carries[i] = model.nodes[i].mesh >= 0 && !isSkinned(reader, model.nodes[i]);
    for (std::size_t i = 0; i < count; ++i) {
        const bool wanted = out.animated[i] || out.carries[i] || model.skins.empty();
        out.joint[i] = out.skin[i] || (wanted && reader.in_scene[i]);
    }
    for (std::size_t k = tree.order.size(); k-- > 0;) {  // children before parents
        const std::size_t i = tree.order[k];
        if (out.joint[i] && tree.parents[i] != kNone) out.joint[tree.parents[i]] = true;
    }
    return out;
}

// ---- what a joint is like

Trs decomposed(GltfReader& reader, std::size_t node, const std::vector<double>& m) {
    Affine given;
    for (std::size_t k = 0; k < 4; ++k) {
        for (std::size_t i = 0; i < 3; ++i) given.columns[k][i] = m[4 * k + i];
    }
    Trs out;
    out.translation = given.translation();
    out.scale = {length(given.column(0)), length(given.column(1)), length(given.column(2))};
    // A mirrored frame is a rotation only after one axis is reversed.
    Affine upright = given;
    if (determinant(given.linear()) < 0.0) {
        out.scale.x = -out.scale.x;
        for (double& c : upright.columns[0]) c = -c;
    }
    out.rotation = rotationOf(upright);
    const Affine made = toAffine(out);
    const double size = std::max({std::abs(out.scale.x), out.scale.y, out.scale.z});
    for (std::size_t k = 0; k < 3; ++k) {
        // Matrices are written as floats at best, and often with six digits.
        if (distance(made.column(k), given.column(k)) <= 1e-4 * size) continue;
        reader.warn("a node's matrix shears; the nearest rotation and scale are taken",
                    at("nodes", node) + ".matrix", reader.model.nodes[node].name);
    }
    return out;
}

bool readRest(GltfReader& reader, std::size_t i, Trs& out) {
    const tinygltf::Node& node = reader.model.nodes[i];
    if (node.matrix.size() == 16) {
        out = decomposed(reader, i, node.matrix);
    } else {
        const auto vec = [](const std::vector<double>& v) { return Vec3{v[0], v[1], v[2]}; };
        if (node.translation.size() == 3) out.translation = vec(node.translation);
        if (node.scale.size() == 3) out.scale = vec(node.scale);
        if (node.rotation.size() == 4) {
            const std::vector<double>& q = node.rotation;
            const Quat raw{q[0], q[1], q[2], q[3]};
            const double size = std::sqrt(dot(raw, raw));
            if (!(size > 1e-6))  // below this its direction is rounding noise
                return reader.fail(at("nodes", i) + ".rotation", "the rotation is zero",
                                   "no rotation is [0, 0, 0, 1]");
            if (std::abs(size - 1.0) > 1e-3) {
                reader.warn("a rotation is not a unit quaternion; it is normalised",
                            at("nodes", i) + ".rotation", node.name);
            }
            out.rotation = normalized(raw);
        }
    }
    out.scale = withoutRounding(out.scale);
    return true;
}

// Names as they stand, each used once; nodes without a name get one after their index.
bool chooseNames(GltfReader& reader, const std::vector<std::size_t>& joints,
                 std::vector<std::string>& out) {
    UniqueNames unique;
    out.resize(joints.size());
    for (std::size_t k = 0; k < joints.size(); ++k) {
        const std::string& name = reader.model.nodes[joints[k]].name;
        if (name.empty()) continue;
        const std::string path = at("nodes", joints[k]) + ".name";
        const std::string readable = readableText(name);
        if (readable.size() > kLongestName) return reader.fail(path, "the name has over 255 bytes");
        if (readable != name)
            reader.warn("a name has control characters; they are made underscores", path, name);
        out[k] = unique.take(readable);
        if (out[k] != readable)
            reader.warn("two nodes have the same name; the second gets a number", path, name);
    }
    for (std::size_t k = 0; k < joints.size(); ++k) {
        if (out[k].empty()) out[k] = unique.take("node_" + std::to_string(joints[k]));
    }
    return true;
}

bool isEndSite(const NodeRoles& roles, const tinygltf::Model& model, std::size_t node,
               std::size_t parent) {
    return parent != kNone && model.nodes[node].children.empty() && !roles.animated[node] &&
           !roles.carries[node] && !model.nodes[node].name.empty() &&
           model.nodes[node].name == model.nodes[parent].name + "_end";
}

JointKind kindOf(const NodeRoles& roles, const tinygltf::Model& model, std::size_t node,
                 std::size_t parent) {
    if (parent == kNone) return JointKind::Free;
    const bool moves = roles.skin[node] || roles.turned[node] || model.skins.empty();
    return moves ? JointKind::Ball : JointKind::Fixed;
}

bool hasWeights(const tinygltf::Mesh& mesh) {
    return std::all_of(mesh.primitives.begin(), mesh.primitives.end(), [](const auto& primitive) {
        return primitive.attributes.count("JOINTS_0") > 0 &&
               primitive.attributes.count("WEIGHTS_0") > 0;
    });
}

}  // namespace

Vec3 withoutRounding(const Vec3& scale) {
    constexpr double kRounding = 2e-6;  // a few products of floats
    const double mean = (scale.x + scale.y + scale.z) / 3.0;
    const double even = std::abs(mean - 1.0) <= kRounding ? 1.0 : mean;
    for (std::size_t i = 0; i < 3; ++i) {
        if (!(std::abs(scale[i] - even) <= kRounding * std::abs(even))) return scale;
    }
    return {even, even, even};
}

bool isSkinned(const GltfReader& reader, const tinygltf::Node& node) {
    return node.mesh >= 0 && node.skin >= 0 && reader.weighted[unsignedIndex(node.mesh)] &&
           !reader.model.skins[unsignedIndex(node.skin)].joints.empty();
}

bool readGltfJoints(GltfReader& reader, Skeleton& skeleton) {
    Tree tree;
    if (!makeTree(reader, tree)) return false;
    for (const tinygltf::Mesh& mesh : reader.model.meshes)
        reader.weighted.push_back(hasWeights(mesh));
    const NodeRoles roles = findRoles(reader, tree);
    std::vector<std::size_t> joints;  // their nodes
    for (const std::size_t i : tree.order) {
        if (roles.joint[i]) joints.push_back(i);
    }
    std::vector<std::string> names;
    if (!chooseNames(reader, joints, names)) return false;
    reader.joint_of_node.assign(reader.model.nodes.size(), JointId::None);
    std::vector<JointDef> defs(joints.size());
    for (std::size_t k = 0; k < joints.size(); ++k) {
        const std::size_t node = joints[k], parent = tree.parents[node];
        reader.joint_of_node[node] = jointId(k);
        JointDef& def = defs[k];
        def.name = names[k];
        if (parent != kNone) def.parent = names[index(reader.joint_of_node[parent])];
        if (!readRest(reader, node, def.rest)) return false;
        def.kind = kindOf(roles, reader.model, node, parent);
        def.end_site = isEndSite(roles, reader.model, node, parent);
        if (def.end_site) def.kind = JointKind::Fixed;
    }
    if (defs.empty()) reader.warn("the file has no nodes, hence no joints", "nodes");
    Result<Skeleton> made = makeSkeleton(std::move(defs));
    if (!made) return reader.fail("nodes", made.error().what);
    skeleton = *std::move(made);
    return true;
}

}  // namespace detail

Result<GltfFile> readGltf(std::string_view bytes, std::string_view source,
                          const GltfReadOptions& options) {
    detail::GltfReader reader;
    reader.source = source;
    GltfFile out;
    reader.morphs_wanted = options.morphs;
    detail::openGltf(bytes, options, reader);
    if (!reader.error && detail::readGltfJoints(reader, out.skeleton) &&
        detail::readGltfClips(reader, out.skeleton, out.clips)) {
        static_cast<void>(detail::readGltfMeshes(reader, out));
    }
    if (reader.error) return *std::move(reader.error);
    out.material_set = std::move(reader.material_set);
    out.warnings = reader.warnings.take();
    return out;
}

Result<GltfFile> loadGltf(const std::string& path, GltfReadOptions options) {
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    options.folder.clear();
    if (path != "-") {
        const std::size_t slash = path.rfind('/');
        options.folder = slash == path.npos ? "." : path.substr(0, slash + 1);
    }
    return readGltf(bytes->view(), path, options);
}

}  // namespace ulna::io
