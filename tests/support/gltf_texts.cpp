// SPDX-License-Identifier: Apache-2.0
#include "support/gltf_texts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace ulna::test {
namespace {

template <class T>
std::size_t appendAll(std::string& bytes, std::size_t alignment, const T* numbers,
                      std::size_t count) {
    bytes.append((alignment - bytes.size() % alignment) % alignment, '\0');
    const std::size_t offset = bytes.size();
    bytes.append(reinterpret_cast<const char*>(numbers), count * sizeof(T));
    return offset;
}

std::string word(std::size_t number) {
    const auto value = static_cast<std::uint32_t>(number);
    std::string out(4, '\0');
    std::memcpy(out.data(), &value, 4);
    return out;
}

}  // namespace

std::size_t GltfBuffer::floats(std::initializer_list<float> numbers) {
    return appendAll(bytes, 4, numbers.begin(), numbers.size());
}

std::size_t GltfBuffer::shorts(std::initializer_list<int> numbers) {
    std::string out;
    for (const int number : numbers) {
        const auto value = static_cast<std::uint16_t>(number);
        out.append(reinterpret_cast<const char*>(&value), 2);
    }
    return appendAll(bytes, 4, out.data(), out.size());
}

std::size_t GltfBuffer::octets(std::initializer_list<int> numbers) {
    std::string out;
    for (const int number : numbers) out += static_cast<char>(number);
    return appendAll(bytes, 4, out.data(), out.size());
}

std::string gltfText(const std::string& members) {
    return R"({"asset":{"version":"2.0"})" + (members.empty() ? "" : "," + members) + "}";
}

std::string glb(const std::string& members, const GltfBuffer& buffer) {
    std::string all = members, bytes = buffer.bytes;
    bytes.append((4 - bytes.size() % 4) % 4, '\0');
    if (!bytes.empty())
        all += R"(,"buffers":[{"byteLength":)" + std::to_string(bytes.size()) + "}]";
    std::string json = gltfText(all);
    json.append((4 - json.size() % 4) % 4, ' ');
    const std::size_t tail = bytes.empty() ? 0 : bytes.size() + 8;
    std::string out = "glTF" + word(2) + word(20 + json.size() + tail);
    out += word(json.size()) + "JSON" + json;
    if (!bytes.empty()) out += word(bytes.size()) + std::string("BIN\0", 4) + bytes;
    return out;
}

std::string wholeView(const GltfBuffer& buffer) {
    return R"("bufferViews":[{"buffer":0,"byteLength":)" + std::to_string(buffer.bytes.size()) +
           "}]";
}

std::string accessor(std::size_t offset, int component, std::size_t count, const char* type) {
    return R"({"bufferView":0,"byteOffset":)" + std::to_string(offset) + R"(,"componentType":)" +
           std::to_string(component) + R"(,"count":)" + std::to_string(count) + R"(,"type":")" +
           type + "\"}";
}

io::GltfFile mustReadGltf(std::string_view bytes, const io::GltfReadOptions& options) {
    Result<io::GltfFile> file = io::readGltf(bytes, "test.glb", options);
    if (file) return *std::move(file);
    ADD_FAILURE() << describe(file.error());
    return {};
}

std::string gltfErrorOf(std::string_view bytes, const io::GltfReadOptions& options) {
    const Result<io::GltfFile> file = io::readGltf(bytes, "test.glb", options);
    if (!file) return describe(file.error());
    ADD_FAILURE() << "the file was read";
    return {};
}

Vec3 skinnedVertex(const Mesh& mesh, std::size_t vertex, const ModelPose& pose) {
    const Vec3f& p = mesh.positions[vertex];
    const Vec3 bind{static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
    Vec3 out;
    for (std::size_t i = mesh.weights.first[vertex]; i < mesh.weights.first[vertex + 1]; ++i) {
        const Influence& influence = mesh.weights.influences[i];
        out += pose[influence.joint] * (mesh.joint_from_bind[index(influence.joint)] * bind) *
               static_cast<double>(influence.weight);
    }
    return out;
}

std::string smallCharacter() {
    GltfBuffer b;
    const std::size_t positions = b.floats({0, 0, 0, 1, 0, 0, 0, 2, 0});
    const std::size_t joints = b.octets({0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0});
    const std::size_t weights = b.floats({1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0});
    const std::size_t indices = b.shorts({0, 1, 2});
    const std::size_t bind = b.floats({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,  //
                                       1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1});
    const std::size_t times = b.floats({0, 1});
    const std::size_t turns = b.floats({0, 0, 0, 1, 0, 0, 1, 0});
    const std::size_t moves = b.floats({0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0});
    const std::size_t sizes = b.floats({1, 1, 1, 2, 2, 2});
    const std::size_t places = b.octets({1});
    const std::size_t values = b.floats({0, 3, 0});
    const std::string sparse = R"(,"sparse":{"count":1,"indices":{"bufferView":0,"byteOffset":)" +
                               std::to_string(places) +
                               R"(,"componentType":5121},"values":{"bufferView":0,"byteOffset":)" +
                               std::to_string(values) + "}}}";
    std::string base = accessor(positions, 5126, 3, "VEC3");
    base.pop_back();
    return glb(
        R"("scene":0,"scenes":[{"nodes":[0,2]}],"nodes":[{"name":"hip","children":[1],)"
        R"("translation":[0,1,0]},{"name":"knee","translation":[0,1,0],"rotation":[0,0,0,1]},)"
        R"({"name":"body","mesh":0,"skin":0}],"skins":[{"joints":[0,1],"inverseBindMatrices":4}],)"
        R"("meshes":[{"name":"skin","primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,)"
        R"("WEIGHTS_0":2},"indices":3}]}],"animations":[{"name":"move","samplers":[)"
        R"({"input":5,"output":6},{"input":5,"output":7,"interpolation":"CUBICSPLINE"},)"
        R"({"input":5,"output":8,"interpolation":"STEP"}],"channels":[)"
        R"({"sampler":0,"target":{"node":1,"path":"rotation"}},)"
        R"({"sampler":1,"target":{"node":0,"path":"translation"}},)"
        R"({"sampler":2,"target":{"node":1,"path":"scale"}}]}],"accessors":[)" +
            base + sparse + "," + accessor(joints, 5121, 3, "VEC4") + "," +
            accessor(weights, 5126, 3, "VEC4") + "," + accessor(indices, 5123, 3, "SCALAR") + "," +
            accessor(bind, 5126, 2, "MAT4") + "," + accessor(times, 5126, 2, "SCALAR") + "," +
            accessor(turns, 5126, 2, "VEC4") + "," + accessor(moves, 5126, 6, "VEC3") + "," +
            accessor(sizes, 5126, 2, "VEC3") + "]," + wholeView(b),
        b);
}

}  // namespace ulna::test
