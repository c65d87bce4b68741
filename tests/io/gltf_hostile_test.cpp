// SPDX-License-Identifier: Apache-2.0

// Input made to break a reader: nothing may crash, hang or take more than linear time and memory,
// and what is wrong is named by its place.
#include <gtest/gtest.h>

#include <limits>

#include "support/bvh_texts.h"
#include "support/command.h"
#include "support/gltf_samples.h"
#include "support/gltf_texts.h"
#include "support/meshes.h"
#include "support/text.h"
#include "ulna/io/gltf.h"
#include "ulna/math/random.h"

namespace ulna::io {
namespace {

using test::accessor;
using test::contains;
using test::glb;
using test::GltfBuffer;
using test::gltfErrorOf;
using test::gltfText;
using test::replaced;
using test::smallCharacter;
using test::wholeView;

// Reads and writes; returns whether the bytes were a glTF file.
bool survives(std::string_view bytes) {
    const Result<GltfFile> file = readGltf(bytes, "hostile.glb");
    if (!file) {
        EXPECT_FALSE(file.error().what.empty());
        return false;
    }
    const Result<GltfBytes> written = writeGltf({.skeleton = file->skeleton,
                                                 .clips = file->clips,
                                                 .meshes = file->meshes,
                                                 .material_set = &file->material_set});
    if (written) {
        EXPECT_TRUE(readGltf(written->bytes, "again.glb").ok());
    }
    return true;
}

// The error of the small character with a text in it replaced by one of the same length.
std::string brokenError(std::string_view from, std::string_view to) {
    std::string padded(to);
    padded.resize(from.size(), ' ');
    return gltfErrorOf(replaced(smallCharacter(), from, padded));
}

TEST(HostileGltf, TruncationAtEveryByteIsAnError) {
    const std::string whole = smallCharacter();
    EXPECT_TRUE(survives(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        // A copy of its own, so that a read past the end is seen by the sanitizers.
        const std::string cut(whole.substr(0, size));
        EXPECT_FALSE(survives(cut)) << size;
        // And with a header that says so.
        if (size < 12) continue;
        std::string stated = cut;
        for (std::size_t i = 0; i < 4; ++i)
            stated[8 + i] = static_cast<char>(size >> (8 * i) & 0xFFU);
        EXPECT_FALSE(survives(stated)) << size;
    }
}

TEST(HostileGltf, EveryByteReplacedIsSurvived) {
    const std::string whole = smallCharacter();
    std::size_t read = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const char c : {'\0', '"', '9', '\xFF'}) {
            std::string bytes = whole;
            bytes[i] = c;
            read += survives(bytes) ? 1U : 0U;
        }
    }
    EXPECT_GT(read, 500U);
}

TEST(HostileGltf, MaterialsWithBrokenWordsAndNumbersAreSurvived) {
    const Skeleton nothing;
    Mesh mesh = test::box({1, 1, 1});
    mesh.texcoords.resize(mesh.positions.size());
    mesh.parts = {{4, 0}, {4, 1}, {4, 2}};
    const MaterialSet material_set = test::gltfMaterials();
    const std::string whole =
        writeGltf(
            {.skeleton = nothing, .meshes = std::span(&mesh, 1), .material_set = &material_set})
            ->bytes;
    std::size_t read = 0;
    const std::size_t begin = whole.find("\"materials\""), end = whole.find("\"accessors\"");
    for (std::size_t i = begin; i < end; ++i) {
        for (const char c : {'"', '9', '-', '\xFF'}) {
            std::string bytes = whole;
            bytes[i] = c;
            read += survives(bytes) ? 1U : 0U;
        }
    }
    EXPECT_GT(read, 500U);
}

TEST(HostileGltf, RandomBytesAreSurvived) {
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        std::string noise = i % 2 == 0 ? "glTF" : "{";
        for (std::uint64_t k = random.below(200); k-- > 0;)
            noise += static_cast<char>(random.below(256));
        survives(noise);
    }
}

TEST(HostileGltf, IndicesThatPointNowhereAreNamed) {
    EXPECT_TRUE(contains(brokenError(R"("mesh":0)", R"("mesh":7)"),
                         "test.glb: nodes[2].mesh: there are no meshes[7]; there are 1"));
    EXPECT_TRUE(contains(brokenError(R"("skin":0)", R"("skin":9)"), "nodes[2].skin"));
    EXPECT_TRUE(contains(brokenError(R"("children":[1])", R"("children":[8])"),
                         "nodes[0].children[0]: there are no nodes[8]; there are 3"));
    EXPECT_TRUE(
        contains(brokenError(R"("joints":[0,1])", R"("joints":[0,5])"), "skins[0].joints[1]"));
    EXPECT_TRUE(contains(brokenError(R"("POSITION":0)", R"("POSITION":9)"),
                         "meshes[0].primitives[0].attributes.POSITION: there are no accessors[9]"));
    EXPECT_TRUE(
        contains(brokenError(R"("input":5)", R"("input":9)"), "animations[0].samplers[0].input"));
    EXPECT_TRUE(
        contains(brokenError(R"("sampler":0)", R"("sampler":3)"), "there is no samplers[3]"));
    EXPECT_TRUE(contains(brokenError(R"("node":1)", R"("node":3)"),
                         "animations[0].channels[0].target.node"));
    EXPECT_TRUE(
        contains(brokenError(R"("scene":0)", R"("scene":1)"), "scene: there are no scenes[1]"));
    EXPECT_TRUE(contains(brokenError(R"("buffer":0)", R"("buffer":1)"), "bufferViews[0].buffer"));
    EXPECT_TRUE(contains(brokenError(R"("node":1)", R"("node":-)"), "not JSON"));
}

TEST(HostileGltf, ValuesOfTheWrongTypeAreNamed) {
    EXPECT_TRUE(contains(brokenError(R"("name":"hip")", R"("name":3)"), "nodes[0].name: a string"));
    EXPECT_TRUE(contains(brokenError(R"("translation":[0,1,0])", R"("translation":[0,1])"),
                         "nodes[0].translation: an array of 3 numbers was expected"));
    EXPECT_TRUE(contains(brokenError(R"("rotation":[0,0,0,1])", R"("rotation":[0,0,0])"),
                         "nodes[1].rotation: an array of 4"));
    EXPECT_TRUE(contains(gltfErrorOf("[]"), "an object was expected"));
    EXPECT_TRUE(contains(gltfErrorOf("{}"), "the key 'asset' is missing"));
    EXPECT_TRUE(contains(gltfErrorOf(R"({"asset":{"version":"1.0"}})"),
                         "asset.version: this is glTF 1.0 (glTF 2.0 is read)"));
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("nodes":{})")), "nodes: an array was expected"));
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("nodes":[1])")), "nodes[0]: an object"));
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("scene":-1,"scenes":[{}])")), "scene: an index"));
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("skins":[{}])")), "'joints' is missing"));
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("nodes":[{"translation":[0,1e101,0]}])")),
                         "nodes[0].translation: a number is too large"));
}

TEST(HostileGltf, NodesThatAreNoTreeAreNamed) {
    EXPECT_TRUE(contains(
        gltfErrorOf(gltfText(R"("nodes":[{"children":[1]},{"children":[2]},{"children":[1]}])")),
        "nodes[2].children: nodes[1] is the child of two nodes"));
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("nodes":[{},{"children":[2]},{"children":[1]}])")),
                         "nodes[1]: the node is its own ancestor"));
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("nodes":[{"children":[0]}])")),
                         "nodes[0]: the node is its own ancestor"));
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("nodes":[{"children":[1,1]},{}])")),
                         "is the child of two nodes"));
    EXPECT_TRUE(
        contains(gltfErrorOf(gltfText(R"("scenes":[{"nodes":[1]}],"nodes":[{"children":[1]},{}])")),
                 "nodes[1]: a scene lists a node that has a parent"));
}

// The error of one triangle whose accessor and view have these members.
std::string meshError(const std::string& accessor_members, const std::string& view_members) {
    GltfBuffer b;
    b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0});
    return gltfErrorOf(
        glb(R"("nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
            R"("accessors":[{)" +
                accessor_members + R"(}],"bufferViews":[{)" + view_members + "}]",
            b));
}

TEST(HostileGltf, AccessorsAndViewsBeyondTheirBytesAreNamed) {
    const std::string good = R"("bufferView":0,"componentType":5126,"type":"VEC3","count":)";
    const std::string view = R"("buffer":0,"byteLength":36)";
    EXPECT_TRUE(contains(meshError(good + "4", view), "accessors[0]: 4 elements reach beyond"));
    EXPECT_TRUE(contains(meshError(good + "0", view), "accessors[0].count: a whole number from 1"));
    EXPECT_TRUE(contains(meshError(good + "-1", view), "accessors[0].count"));
    EXPECT_TRUE(contains(meshError(good + "1.5", view), "accessors[0].count"));
    EXPECT_TRUE(contains(meshError(good + "1e300", view), "accessors[0].count"));
    // Products and sums that would overflow.
    for (const char* count : {"1537228672809129302", "4611686018427387905", "9007199254740991"})
        EXPECT_FALSE(meshError(good + count, view).empty());
    EXPECT_TRUE(contains(meshError(good + R"(3,"byteOffset":4)", view), "reach beyond"));
    EXPECT_TRUE(
        contains(meshError(good + R"(3,"byteOffset":9007199254740991)", view), "reach beyond"));
    EXPECT_TRUE(contains(meshError(good + "3", R"("buffer":0,"byteLength":40)"),
                         "bufferViews[0]: the view reaches beyond its buffer"));
    EXPECT_TRUE(contains(meshError(good + "3", R"("buffer":0,"byteOffset":4,"byteLength":36)"),
                         "bufferViews[0]"));
    EXPECT_TRUE(contains(
        meshError(good + "3", R"("buffer":0,"byteOffset":9007199254740991,"byteLength":36)"),
        "bufferViews[0]"));
    EXPECT_TRUE(contains(meshError(good + "3", view + R"(,"byteStride":4)"),
                         "bufferViews[0].byteStride: elements of 12 bytes lie 4 bytes apart"));
    for (const char* stride : {"0", "3", "256", "-4", "1e9"})
        EXPECT_TRUE(contains(meshError(good + "3", view + R"(,"byteStride":)" + stride),
                             "bufferViews[0].byteStride"));
    EXPECT_TRUE(
        contains(meshError(R"("bufferView":0,"componentType":-5126,"type":"VEC3","count":3)", view),
                 "accessors[0].componentType"));
    EXPECT_FALSE(
        meshError(R"("bufferView":0,"componentType":5130,"type":"VEC3","count":3)", view).empty());
    EXPECT_FALSE(
        meshError(R"("bufferView":0,"componentType":5124,"type":"VEC3","count":3)", view).empty());
    EXPECT_TRUE(
        contains(meshError(R"("bufferView":0,"componentType":5126,"type":"VEC4","count":2)", view),
                 "accessors[0].type: VEC3 was expected"));
    EXPECT_TRUE(
        contains(meshError(good + "3", R"("byteLength":36)"), "bufferViews[0]: the key 'buffer'"));
}

TEST(HostileGltf, BuffersWithoutTheirBytesAreNamed) {
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("buffers":[{"byteLength":4}])")),
                         "buffers[0]: the buffer has no bytes"));
    EXPECT_TRUE(contains(
        gltfErrorOf(gltfText(
            R"("buffers":[{"byteLength":4,"uri":"data:application/octet-stream;base64,AAA="}])")),
        "buffers[0].byteLength: the buffer has 2 bytes of the 4 stated"));
    EXPECT_TRUE(
        contains(gltfErrorOf(gltfText(R"("buffers":[{"byteLength":3,"uri":"data:;base64,A*AA"}])")),
                 "buffers[0].uri: the data URI has invalid base64"));
    EXPECT_TRUE(
        contains(gltfErrorOf(gltfText(R"("buffers":[{"byteLength":3,"uri":"data:x,abc"}])")),
                 "buffers[0].uri: the data URI is not base64"));
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("buffers":[{"byteLength":0,"uri":"x"}])")),
                         "buffers[0].byteLength"));
}

// The error of an animation of one rotation with these times and values.
std::string animationError(std::initializer_list<float> times, std::initializer_list<float> values,
                           const std::string& how = "LINEAR") {
    GltfBuffer b;
    const std::size_t t = b.floats(times), v = b.floats(values);
    return gltfErrorOf(
        glb(R"("nodes":[{}],"animations":[{"samplers":[{"input":0,"output":1,)"
            R"("interpolation":")" +
                how +
                R"("}],"channels":[{"sampler":0,"target":{"node":0,"path":"rotation"}}]}],)"
                R"("accessors":[)" +
                accessor(t, 5126, times.size(), "SCALAR") + "," +
                accessor(v, 5126, values.size() / 4, "VEC4") + "]," + wholeView(b),
            b));
}

TEST(HostileGltf, KeysThatMakeNoCurveAreNamed) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(contains(animationError({0, 2, 1}, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}),
                         "accessors[0]: key 2 is before the one it follows"));
    EXPECT_TRUE(contains(animationError({0, kNan}, {0, 0, 0, 1, 0, 0, 0, 1}),
                         "accessors[0]: element 1 is not finite"));
    EXPECT_TRUE(contains(animationError({0, 1}, {0, 0, 0, 1, 0, kInfinity, 0, 1}),
                         "accessors[1]: element 1 is not finite"));
    EXPECT_TRUE(contains(animationError({0, 1}, {0, 0, 0, 1, 0, 0, 0, 0}),
                         "accessors[1]: the rotation of key 1 has no length"));
    EXPECT_TRUE(contains(animationError({0, 1}, {0, 0, 0, 1}),
                         "animations[0].samplers[0]: 2 key times need 2 values, but there are 1"));
    EXPECT_TRUE(contains(animationError({0}, {0, 0, 0, 1}, "CUBICSPLINE"), "1 key times need 3"));
    EXPECT_TRUE(
        contains(animationError({0}, {0, 0, 0, 1}, "SMOOTH"),
                 "animations[0].samplers[0].interpolation: 'SMOOTH' is not an interpolation"));
    EXPECT_TRUE(contains(gltfErrorOf(gltfText(R"("nodes":[{"rotation":[0,0,0,0]}])")),
                         "nodes[0].rotation: the rotation is zero"));
}

TEST(HostileGltf, MeshesThatPointNowhereAreNamed) {
    EXPECT_TRUE(
        contains(brokenError(R"("WEIGHTS_0":2)", R"("WEIGHTS_0":6)"), "not as many weights"));
    std::string bytes = smallCharacter();
    const std::size_t json = bytes.find("BIN");
    const std::size_t joints = json + 4 + 36;
    bytes[joints + 8] = 9;  // vertex 2, which has all its weight there
    EXPECT_TRUE(
        contains(gltfErrorOf(bytes), "vertex 2 has a weight for joint 9, but the skin has 2"));
    bytes = smallCharacter();
    bytes[json + 4 + 36 + 12 + 48] = 3;
    EXPECT_TRUE(
        contains(gltfErrorOf(bytes), "primitives[0].indices: vertex 3 is used, but there are 3"));
}

// ---- size

TEST(HostileGltf, AHundredThousandNestedNodesTakeLinearTime) {
    constexpr int kDepth = 100000;
    std::string nodes;
    for (int i = 0; i < kDepth; ++i) {
        nodes += i == 0 ? "{" : ",{";
        if (i + 1 < kDepth) nodes += R"("children":[)" + std::to_string(i + 1) + "],";
        nodes += R"("name":"bone"})";
    }
    const std::string text = gltfText(R"("nodes":[)" + nodes + "]");
    const Result<GltfFile> file = readGltf(text, "deep.gltf");
    ASSERT_TRUE(file.ok()) << describe(file.error());
    EXPECT_EQ(file->skeleton.jointCount(), static_cast<std::size_t>(kDepth));
    EXPECT_EQ(file->skeleton.name(jointId(kDepth - 1)), "bone#100000");
    EXPECT_TRUE(survives(text));
}

TEST(HostileGltf, DeeplyNestedJsonIsRefused) {
    for (const char* open : {"[", R"({"a":)"}) {
        std::string deep;
        for (int i = 0; i < 100000; ++i) deep += open;
        EXPECT_TRUE(
            contains(gltfErrorOf(gltfText(R"("extras":)" + deep)), "nested more than 200 deep"));
    }
    EXPECT_TRUE(survives(gltfText(R"("extras":"[[[[[[[[{{{{{{\"[[[[")")));
}

TEST(HostileGltf, CountsWithoutBytesAreNotBelieved) {
    const std::string count = R"("componentType":5126,"type":"VEC3","count":)";
    EXPECT_TRUE(contains(meshError(count + "4000000000", R"("buffer":0,"byteLength":36)"),
                         "accessors[0]: the file describes far more data than it has bytes"));
}

TEST(HostileGltf, TheSameDataNamedAgainAndAgainIsRefused) {
    GltfBuffer b;
    b.bytes.assign(12 * 10000, '\0');
    std::string nodes;
    for (int i = 0; i < 10000; ++i) nodes += i == 0 ? R"({"mesh":0})" : R"(,{"mesh":0})";
    EXPECT_TRUE(contains(
        gltfErrorOf(glb(R"("nodes":[)" + nodes +
                            R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
                            R"("accessors":[)" +
                            accessor(0, 5126, 10000, "VEC3") + "]," + wholeView(b),
                        b)),
        "describes far more data than it has bytes"));
}

TEST(HostileGltf, AFileThatSeveralBuffersNameCountsOnce) {
    const std::string folder = test::scratchFolder();
    test::writeText(folder + "/zeros.bin", std::string(1 << 20, '\0'));
    // Positions without bytes of their own, within sixteen times the file but not within the file.
    std::string buffers;
    for (int i = 0; i < 16; ++i)
        buffers += std::string(i == 0 ? "" : ",") + R"({"uri":"zeros.bin","byteLength":1048576})";
    const std::string text =
        gltfText(R"("nodes":[{"mesh":0}],"buffers":[)" + buffers +
                 R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[)"
                 R"({"componentType":5126,"count":4000000,"type":"VEC3"}])");
    const Result<GltfFile> file = readGltf(text, "many.gltf", {.folder = folder});
    ASSERT_FALSE(file.ok());
    EXPECT_TRUE(contains(file.error().what, "far more data")) << file.error().what;
}

TEST(HostileGltf, LongNamesAreRefusedSoThatMemoryStaysLinear) {
    EXPECT_TRUE(
        contains(gltfErrorOf(gltfText(R"("nodes":[{"name":")" + test::repeated('n', 300) + "\"}]")),
                 "nodes[0].name: the name has over 255 bytes"));
}

}  // namespace
}  // namespace ulna::io
