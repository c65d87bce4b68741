// SPDX-License-Identifier: Apache-2.0

// Meshes and skins out. Every tree of joints gets a skin, with a mesh or without: it is what makes
// viewers take nodes for bones.
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "ulna/io/detail/gltf_writer.h"
#include "ulna/io/detail/mesh_numbers.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io::detail {
namespace {

// JOINTS_n has 16 bits at most.
constexpr std::size_t kMostJoints = 65536;

struct Skin {
    std::vector<std::size_t> joints = {};
    std::vector<float> matrices = {};  // joint_from_bind, 16 numbers each, by columns

    friend bool operator<(const Skin& a, const Skin& b) {
        return std::tie(a.joints, a.matrices) < std::tie(b.joints, b.matrices);
    }
};

class MeshPlanner {
  public:
    explicit MeshPlanner(GltfWriter& writer)
        : writer_(writer),
          skeleton_(writer.content.skeleton),
          covered_(skeleton_.jointCount(), false),
          roots_(skeleton_.jointCount()) {
        const ModelPose rest = computeModelPose(skeleton_, restPose(skeleton_));
        for (const Affine& a : rest.model_from_joint) joint_from_model_.push_back(inverse(a));
        for (std::size_t i = 0; i < roots_.size(); ++i) {
            const JointId parent = skeleton_.parent(jointId(i));
            roots_[i] = parent == JointId::None ? i : roots_[index(parent)];
        }
    }

    bool plan() {
        for (const Mesh& mesh : writer_.content.meshes) {
            if (!planMesh(mesh)) return false;
        }
        for (const JointId root : skeleton_.roots()) {
            if (covered_[index(root)]) continue;
            std::size_t skin = 0;
            if (!addSkin(treeOf(index(root)), joint_from_model_, skin)) return false;
        }
        return true;
    }

  private:
    [[nodiscard]] std::vector<std::size_t> treeOf(std::size_t root) const {
        const JointRange range = skeleton_.subtree(jointId(root));
        std::vector<std::size_t> out;
        for (std::size_t i = range.firstIndex(); i < range.endIndex(); ++i) out.push_back(i);
        return out;
    }

    bool planMesh(const Mesh& mesh) {
        if (mesh.positions.empty() || mesh.indices.empty()) {
            writer_.warn("a mesh without triangles is left out", mesh.name);
            return true;
        }
        OrderedJson primitive = {{"attributes", OrderedJson::object()}};
        if (!planVertices(mesh, primitive["attributes"])) return false;
        OrderedJson node = OrderedJson::object();
        if (!mesh.name.empty()) node["name"] = mesh.name;
        node["mesh"] = writer_.meshes.size();
        if (!mesh.weights.influences.empty()) {
            std::vector<std::size_t> joints;
            std::size_t skin = 0;
            if (!chooseJoints(mesh, joints) ||
                !addSkin(joints,
                         mesh.joint_from_bind.empty() ? joint_from_model_ : mesh.joint_from_bind,
                         skin)) {
                return false;
            }
            node["skin"] = skin;
            planInfluences(mesh, joints, primitive["attributes"]);
        }
        OrderedJson out = OrderedJson::object();
        if (!mesh.name.empty()) out["name"] = mesh.name;
        out["primitives"] = planParts(mesh, primitive);
        writer_.meshes.push_back(std::move(out));
        writer_.scene.push_back(writer_.nodes.size());
        writer_.nodes.push_back(std::move(node));
        return true;
    }

    bool planVertices(const Mesh& mesh, OrderedJson& attributes) {
        std::vector<float> numbers;
        Vec3f low = mesh.positions.front(), high = low;
        for (const Vec3f& p : mesh.positions) {
            for (std::size_t k = 0; k < 3; ++k) {
                if (!std::isfinite(p[k]))
                    return writer_.fail("a vertex of mesh '" + mesh.name + "' is not finite");
                numbers.push_back(p[k]);
                low[k] = std::min(low[k], p[k]);
                high[k] = std::max(high[k], p[k]);
            }
        }
        const std::size_t count = mesh.positions.size();
        const auto bound = [](const Vec3f& v) {
            return OrderedJson::array(
                {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)});
        };
        const std::size_t positions = writer_.addAccessor(
            writer_.addView(std::move(numbers), kGltfVertices), 0, kGltfFloat, count, "VEC3");
        writer_.accessors[positions]["min"] = bound(low);
        writer_.accessors[positions]["max"] = bound(high);
        attributes["POSITION"] = positions;
        planDirections(mesh, attributes);
        planColors(mesh, attributes);
        return planTexcoords(mesh, attributes);
    }

    // glTF needs unit vectors, also where a vertex has no usable direction.
    static Vec3f unit(const Vec3f& direction) {
        const Vec3f out = unitNormal(direction);
        return std::isfinite(out.x + out.y + out.z) ? out : Vec3f{0, 1, 0};
    }

    void planDirections(const Mesh& mesh, OrderedJson& attributes) {
        const std::size_t count = mesh.positions.size();
        const bool normals = mesh.normals.size() == count;
        std::vector<float> numbers;
        if (normals) {
            for (const Vec3f& n : mesh.normals) {
                const Vec3f u = unit(n);
                numbers.insert(numbers.end(), {u.x, u.y, u.z});
            }
            attributes["NORMAL"] = writer_.addAccessor(
                writer_.addView(std::move(numbers), kGltfVertices), 0, kGltfFloat, count, "VEC3");
        }
        if (mesh.tangents.size() != count) return;
        if (!normals) {
            writer_.warn("tangents without normals are left out", mesh.name);
            return;
        }
        numbers.clear();
        for (const Tangent& t : mesh.tangents) {
            const Vec3f u = unit(t.direction);
            numbers.insert(numbers.end(), {u.x, u.y, u.z, t.handedness < 0.0f ? -1.0f : 1.0f});
        }
        attributes["TANGENT"] = writer_.addAccessor(
            writer_.addView(std::move(numbers), kGltfVertices), 0, kGltfFloat, count, "VEC4");
    }

    bool planTexcoords(const Mesh& mesh, OrderedJson& attributes) {
        const std::size_t count = mesh.positions.size();
        if (mesh.texcoords.size() != count) return true;
        std::vector<float> numbers;
        for (const Vec2f& t : mesh.texcoords) {
            if (!std::isfinite(t.x) || !std::isfinite(t.y))
                return writer_.fail("a texture coordinate of mesh '" + mesh.name +
                                    "' is not finite");
            numbers.insert(numbers.end(), {t.x, t.y});
        }
        attributes["TEXCOORD_0"] = writer_.addAccessor(
            writer_.addView(std::move(numbers), kGltfVertices), 0, kGltfFloat, count, "VEC2");
        return true;
    }

    // Shares of light in 16 bits: enough to tell every shade of 8 bits on a screen.
    void planColors(const Mesh& mesh, OrderedJson& attributes) {
        const std::size_t count = mesh.positions.size();
        if (mesh.colors.size() != count) return;
        std::array<std::uint16_t, 256> light;
        for (std::size_t i = 0; i < light.size(); ++i)
            light[i] = static_cast<std::uint16_t>(
                std::lround(65535.0 * lightFromScreen(static_cast<double>(i) / 255.0)));
        std::vector<std::uint16_t> shorts;
        for (const Color& c : mesh.colors)
            shorts.insert(shorts.end(), {light[c.r], light[c.g], light[c.b],
                                         static_cast<std::uint16_t>(257 * c.a)});
        const std::size_t colors = writer_.addAccessor(
            writer_.addView(std::move(shorts), kGltfVertices), 0, kGltfShort, count, "VEC4");
        writer_.accessors[colors]["normalized"] = true;
        attributes["COLOR_0"] = colors;
    }

    // A primitive for each part; they share the vertices, and the view of all triangles.
    OrderedJson planParts(const Mesh& mesh, const OrderedJson& primitive) {
        // The largest number of each type means "a new strip" in graphics interfaces.
        const bool narrow = mesh.positions.size() < 65535;
        const std::size_t view =
            narrow ? writer_.addView(
                         std::vector<std::uint16_t>(mesh.indices.begin(), mesh.indices.end()),
                         kGltfIndices)
                   : writer_.addView(mesh.indices, kGltfIndices);
        std::vector<MeshPart> parts = mesh.parts;
        if (parts.empty() || writer_.content.material_set == nullptr)
            parts = {{static_cast<std::uint32_t>(mesh.indices.size() / 3), kNoMaterial}};
        OrderedJson out = OrderedJson::array();
        std::size_t first = 0;
        for (const MeshPart& part : parts) {
            if (part.triangles == 0) continue;
            const std::size_t count = std::size_t{3} * part.triangles;
            out.push_back(primitive);
            out.back()["indices"] = writer_.addAccessor(
                view, first * (narrow ? 2 : 4), narrow ? kGltfShort : kGltfInt, count, "SCALAR");
            if (part.material != kNoMaterial)
                out.back()["material"] = planMaterial(
                    writer_, part.material, mesh.texcoords.size() == mesh.positions.size());
            first += count;
        }
        return out;
    }

    // The joints of a mesh's skin: all of the trees it is tied to, or those it is tied to where
    // these are too many.
    bool chooseJoints(const Mesh& mesh, std::vector<std::size_t>& out) {
        std::vector<bool> used(skeleton_.jointCount(), false), trees = used;
        for (const Influence& influence : mesh.weights.influences) {
            used[index(influence.joint)] = true;
            trees[roots_[index(influence.joint)]] = true;
        }
        std::size_t tree_count = 0;
        for (const JointId root : skeleton_.roots()) tree_count += trees[index(root)] ? 1U : 0U;
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (trees[roots_[i]]) out.push_back(i);
        }
        if (out.size() > kMostJoints) std::erase_if(out, [&](std::size_t i) { return !used[i]; });
        if (out.size() > kMostJoints)
            return writer_.fail("mesh '" + mesh.name + "' is tied to over 65536 joints");
        if (tree_count > 1) {
            return writer_.fail(
                "mesh '" + mesh.name + "' is tied to joints of several roots, which glTF forbids",
                "put one joint above the roots, or split the mesh");
        }
        return true;
    }

    // A skin of these joints, or the one that is there already.
    bool addSkin(const std::vector<std::size_t>& joints, const std::vector<Affine>& joint_from_bind,
                 std::size_t& out) {
        Skin skin{joints, {}};
        skin.matrices.resize(16 * joints.size());
        for (std::size_t i = 0; i < joints.size(); ++i) {
            covered_[roots_[joints[i]]] = true;
            if (!narrow(&joint_from_bind[joints[i]].columns[0][0], 16, &skin.matrices[16 * i])) {
                return writer_.fail("joint '" + skeleton_.name(jointId(joints[i])) +
                                    "': the bind matrix has a value too large for a float");
            }
        }
        const auto found = skins_.find(skin);
        if (found != skins_.end()) {
            out = found->second;
            return true;
        }
        const std::size_t matrices = writer_.addAccessor(writer_.addView(skin.matrices, 0), 0,
                                                         kGltfFloat, joints.size(), "MAT4");
        out = writer_.skins.size();
        writer_.skins.push_back({{"inverseBindMatrices", matrices},
                                 {"skeleton", roots_[joints.front()]},
                                 {"joints", joints}});
        skins_.emplace(std::move(skin), out);
        return true;
    }

    // What a vertex is tied to, each joint once.
    void mergeInfluences(const Mesh& mesh, std::size_t vertex, std::vector<Influence>& out) const {
        out.assign(mesh.weights.influences.data() + mesh.weights.first[vertex],
                   mesh.weights.influences.data() + mesh.weights.first[vertex + 1]);
        std::stable_sort(out.begin(), out.end(),
                         [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
        std::size_t kept = 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (!(out[i].weight > 0.0f)) continue;
            if (kept > 0 && out[kept - 1].joint == out[i].joint)
                out[kept - 1].weight += out[i].weight;
            else
                out[kept++] = out[i];
        }
        out.resize(kept);
        std::stable_sort(out.begin(), out.end(), [](const Influence& a, const Influence& b) {
            return a.weight > b.weight;
        });
    }

    void planInfluences(const Mesh& mesh, const std::vector<std::size_t>& joints,
                        OrderedJson& attributes) {
        const std::size_t count = mesh.positions.size();
        std::vector<std::uint16_t> place(skeleton_.jointCount(), 0);  // of each joint in the skin
        for (std::size_t i = 0; i < joints.size(); ++i)
            place[joints[i]] = static_cast<std::uint16_t>(i);
        std::vector<Influence> here;
        std::size_t most = 1;
        for (std::size_t v = 0; v < count; ++v) {
            mergeInfluences(mesh, v, here);
            most = std::max(most, here.size());
            if (here.empty())
                writer_.warn("vertices that nothing moves go with the skin's first joint",
                             mesh.name);
        }
        for (std::size_t set = 0; 4 * set < most; ++set) {
            std::vector<std::uint16_t> numbers(4 * count, 0);
            std::vector<float> weights(4 * count, 0.0f);
            for (std::size_t v = 0; v < count; ++v) {
                mergeInfluences(mesh, v, here);
                // glTF ties every vertex to something.
                if (here.empty()) here.push_back({jointId(joints.front()), 1.0f});
                for (std::size_t k = 0; k < 4 && 4 * set + k < here.size(); ++k) {
                    numbers[4 * v + k] = place[index(here[4 * set + k].joint)];
                    weights[4 * v + k] = here[4 * set + k].weight;
                }
            }
            const std::string number = std::to_string(set);
            attributes["JOINTS_" + number] =
                joints.size() <= 256
                    ? writer_.addAccessor(
                          writer_.addView(std::vector<std::uint8_t>(numbers.begin(), numbers.end()),
                                          kGltfVertices),
                          0, kGltfByte, count, "VEC4")
                    : writer_.addAccessor(writer_.addView(std::move(numbers), kGltfVertices), 0,
                                          kGltfShort, count, "VEC4");
            attributes["WEIGHTS_" + number] = writer_.addAccessor(
                writer_.addView(std::move(weights), kGltfVertices), 0, kGltfFloat, count, "VEC4");
        }
    }

    GltfWriter& writer_;
    const Skeleton& skeleton_;
    std::vector<Affine> joint_from_model_;  // at rest
    std::vector<bool> covered_;             // by root: some skin has the tree
    std::vector<std::size_t> roots_;        // of each joint
    std::map<Skin, std::size_t> skins_;
};

}  // namespace

bool planMeshes(GltfWriter& writer) {
    return MeshPlanner(writer).plan();
}

}  // namespace ulna::io::detail
