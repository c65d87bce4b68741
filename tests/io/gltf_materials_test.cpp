// SPDX-License-Identifier: Apache-2.0

// Materials of glTF files and the images of their base colours, in and out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/bvh_texts.h"
#include "support/command.h"
#include "support/gltf_samples.h"
#include "support/gltf_texts.h"
#include "support/paths.h"
#include "support/text.h"
#include "ulna/io/detail/base64.h"
#include "ulna/io/file.h"
#include "ulna/io/gltf.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::test {
namespace {

using io::GltfFile;

std::string base64(const std::string& bytes) {
    io::detail::Base64Encoder encoder;
    std::string out;
    encoder.add(bytes, out);
    encoder.finish(out);
    return out;
}

nlohmann::json documentOf(std::string_view bytes) {
    if (!bytes.starts_with("glTF")) return nlohmann::json::parse(bytes);
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + 12, 4);
    return nlohmann::json::parse(bytes.substr(20, size));
}

const io::Material* materialOf(const GltfFile& file, const MeshPart& part) {
    return part.material == kNoMaterial ? nullptr : &file.material_set.materials.at(part.material);
}

// A triangle with the members of its primitive beside the attributes, and those of the document.
// The buffer has positions, two sets of texture coordinates and tinyPng(), each in a view.
std::string triangle(const std::string& document, const std::string& primitive = {},
                     const std::string& attributes = R"(,"TEXCOORD_0":1)") {
    GltfBuffer b;
    b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0});
    b.floats({0, 0, 1, 0, 0, 1});
    b.floats({0.5f, 0.5f, 1, 0.5f, 0.5f, 1});
    const std::size_t image = b.bytes.size();
    b.bytes += tinyPng();
    const auto view = [](std::size_t offset, std::size_t length) {
        return R"({"buffer":0,"byteOffset":)" + std::to_string(offset) + R"(,"byteLength":)" +
               std::to_string(length) + "}";
    };
    const auto floats = [](int index, const char* type) {
        return R"({"bufferView":)" + std::to_string(index) +
               R"(,"componentType":5126,"count":3,"type":")" + type + "\"}";
    };
    return glb(R"("nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0)" +
                   attributes + "}" + primitive + R"(}]}],"accessors":[)" + floats(0, "VEC3") +
                   "," + floats(1, "VEC2") + "," + floats(2, "VEC2") + R"(],"bufferViews":[)" +
                   view(0, 36) + "," + view(36, 24) + "," + view(60, 24) + "," +
                   view(image, tinyPng().size()) + "]," + document,
               b);
}

constexpr const char* kPainted = R"(,"material":0)";

// A material with this image.
std::string withImage(const std::string& image, const std::string& more = {}) {
    return R"("materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0)" + more +
           R"(}}}],"textures":[{"source":0}],"images":[)" + image + "]";
}

TEST(GltfMaterials, ComeBackAsTheyWereWithTheBytesOfTheirImages) {
    const Skeleton arm = gltfArm();
    const io::MaterialSet material_set = gltfMaterials();
    const Mesh mesh = gltfPaintedSleeve(arm);
    for (const io::GltfForm form : {io::GltfForm::Binary, io::GltfForm::Text}) {
        const Result<io::GltfBytes> out = io::writeGltf(
            {.skeleton = arm, .meshes = std::span(&mesh, 1), .material_set = &material_set}, form);
        ASSERT_TRUE(out.ok());
        EXPECT_TRUE(out->warnings.empty()) << lines(out->warnings);
        const GltfFile file = mustReadGltf(out->bytes);
        EXPECT_TRUE(file.warnings.empty()) << lines(file.warnings);
        const Mesh& back = file.meshes.at(0);
        ASSERT_EQ(back.parts.size(), mesh.parts.size());
        EXPECT_EQ(back.indices, mesh.indices);
        EXPECT_EQ(back.positions, mesh.positions);
        for (std::size_t i = 0; i < mesh.parts.size(); ++i) {
            EXPECT_EQ(back.parts[i].triangles, mesh.parts[i].triangles);
            const io::Material* material = materialOf(file, back.parts[i]);
            ASSERT_EQ(material == nullptr, mesh.parts[i].material == kNoMaterial);
            if (material == nullptr) continue;
            EXPECT_EQ(*material, material_set.materials[mesh.parts[i].material]) << material->name;
        }
        EXPECT_EQ(file.material_set.images, material_set.images);
    }
}

TEST(GltfMaterials, ThatNoPartHasAreNotWrittenAndEqualThingsOnlyOnce) {
    const Skeleton arm = gltfArm();
    const io::MaterialSet material_set = gltfMaterials();
    std::vector<Mesh> meshes(2, gltfPaintedSleeve(arm));
    const Result<io::GltfBytes> all =
        io::writeGltf({.skeleton = arm, .meshes = meshes, .material_set = &material_set});
    const nlohmann::json both = documentOf(all->bytes);
    EXPECT_EQ(both["materials"].size(), 3U);
    EXPECT_EQ(both["textures"].size(), 2U);  // with a sampler and without
    EXPECT_EQ(both["images"].size(), 1U);
    EXPECT_EQ(both["samplers"].size(), 1U);
    for (Mesh& mesh : meshes)
        mesh.parts = {{static_cast<std::uint32_t>(mesh.indices.size() / 3), 0}};
    const Result<io::GltfBytes> one =
        io::writeGltf({.skeleton = arm, .meshes = meshes, .material_set = &material_set});
    const nlohmann::json plain = documentOf(one->bytes);
    EXPECT_EQ(plain["materials"].size(), 1U);
    for (const char* key : {"textures", "images", "samplers", "extensionsUsed"})
        EXPECT_FALSE(plain.contains(key)) << key;
    const Result<io::GltfBytes> none = io::writeGltf({.skeleton = arm, .meshes = meshes});
    EXPECT_FALSE(documentOf(none->bytes).contains("materials"));
}

TEST(GltfMaterials, OfMeshesWithoutTextureCoordinatesHaveNoTexture) {
    const io::MaterialSet material_set = gltfMaterials();
    Mesh bare = gltfSleeve(gltfArm());
    bare.parts = {{static_cast<std::uint32_t>(bare.indices.size() / 3), 1}};
    const Result<io::GltfBytes> out = io::writeGltf(
        {.skeleton = gltfArm(), .meshes = std::span(&bare, 1), .material_set = &material_set});
    EXPECT_TRUE(contains(lines(out->warnings), "a texture without texture coordinates is left"));
    const GltfFile file = mustReadGltf(out->bytes);
    EXPECT_TRUE(file.material_set.images.empty());
    EXPECT_EQ(file.material_set.materials.at(0).alpha_cutoff, 0.25);
}

TEST(GltfMaterials, DefaultsAreThoseOfTheStandard) {
    const GltfFile file = mustReadGltf(triangle(R"("materials":[{}])", kPainted));
    EXPECT_TRUE(file.warnings.empty());
    EXPECT_EQ(file.material_set.materials.at(0), io::Material{});
    EXPECT_EQ(file.meshes.at(0).parts, (std::vector<MeshPart>{{1, 0}}));
    EXPECT_TRUE(mustReadGltf(triangle(R"("materials":[{}])")).meshes.at(0).parts.empty());
}

TEST(GltfMaterials, ImagesAreInViewsInTheTextOrBesideTheFile) {
    const std::string folder = scratchFolder() + "/gltf-images";
    std::filesystem::create_directories(folder + "/below");
    ASSERT_TRUE(io::writeFile(folder + "/below/my image.png", tinyPng()).ok());
    ASSERT_TRUE(io::writeFile(folder + "/photo.jpg", "\xFF\xD8\xFF\xE0 and so on").ok());
    const auto imageOf = [&](const std::string& image) {
        const GltfFile file =
            mustReadGltf(triangle(withImage(image), kPainted), {.folder = folder});
        EXPECT_TRUE(file.warnings.empty()) << lines(file.warnings);
        EXPECT_EQ(file.material_set.materials.at(0).texture, io::Texture{});
        return file.material_set.images.at(0);
    };
    const io::Image png{"", "image/png", tinyPng()};
    EXPECT_EQ(imageOf(R"({"bufferView":3,"mimeType":"image/png"})"), png);
    EXPECT_EQ(imageOf(R"({"uri":"data:image/png;base64,)" + base64(tinyPng()) + "\"}"), png);
    EXPECT_EQ(imageOf(R"({"uri":"below/my%20image.png"})"), png);
    EXPECT_EQ(imageOf(R"({"uri":"photo.jpg","name":"p"})"),
              (io::Image{"p", "image/jpeg", "\xFF\xD8\xFF\xE0 and so on"}));
    // The bytes say what an image is.
    EXPECT_EQ(imageOf(R"({"bufferView":3,"mimeType":"image/jpeg"})"), png);
}

TEST(GltfMaterials, AnImageThatCannotBeHadIsAWarningAndTheColourStays) {
    const std::string folder = scratchFolder();
    ASSERT_TRUE(io::writeFile(folder + "/not.png", "GIF89a").ok());
    const std::pair<const char*, const char*> cases[] = {
        {R"({"uri":"none.png"})",
         "images[0].uri: the image 'none.png' cannot be found; the texture "
         "is left out (it must be in the folder of the file)"},
        {R"({"uri":"../none.png"})", "is not in the file's folder; the texture is left out"},
        {R"({"uri":"http://localhost/a.png"})", "is not in the file's folder"},
        {R"({"uri":"%G0.png"})", "is not a URI"},
        {R"({"uri":"not.png"})", "images[0]: the image is neither PNG nor JPEG"},
        {R"({"uri":"data:image/png;base64,*"})", "images[0].uri: the data URI has invalid base64"},
        {R"({"uri":"data:image/png,abc"})", "the data URI is not base64"},
        {R"({"bufferView":0})", "images[0]: the image is neither PNG nor JPEG"},
        {R"({})", "images[0]: the image has neither bytes nor a URI"},
    };
    for (const auto& [image, warning] : cases) {
        const GltfFile file =
            mustReadGltf(triangle(withImage(image), kPainted), {.folder = folder});
        EXPECT_TRUE(contains(lines(file.warnings), warning)) << lines(file.warnings);
        EXPECT_EQ(file.material_set.materials.at(0), io::Material{});
        EXPECT_TRUE(file.material_set.images.empty());
        EXPECT_EQ(file.meshes.at(0).texcoords.size(), 3U);
    }
    const GltfFile file = mustReadGltf(triangle(withImage(R"({"uri":"a.png"})"), kPainted));
    EXPECT_TRUE(contains(lines(file.warnings), "the image 'a.png' is a separate file"));
    const std::string sourceless =
        R"("materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],)"
        R"("textures":[{"extensions":{"KHR_texture_basisu":{"source":0}}}],"images":[{}])";
    EXPECT_TRUE(contains(lines(mustReadGltf(triangle(sourceless, kPainted)).warnings),
                         "textures[0]: the texture has no PNG or JPEG image"));
}

TEST(GltfMaterials, FilesBesideAreListedWhereABaseColourUsesThem) {
    const std::string folder = scratchFolder();
    ASSERT_TRUE(io::writeFile(folder + "/a.png", tinyPng()).ok());
    ASSERT_TRUE(io::writeFile(folder + "/normals.png", tinyPng()).ok());
    const std::string images = R"({"uri":"a.png"},{"uri":"normals.png"},{"uri":"none.png"})";
    const std::vector<io::GltfPartFile> listed =
        io::listGltfPartFiles(triangle(withImage(images), kPainted), folder);
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(listed[0].uri, "a.png");
    EXPECT_EQ(readText(listed[0].path), tinyPng());
}

TEST(GltfMaterials, TheirTextureChoosesTheTextureCoordinates) {
    const std::string both = R"(,"TEXCOORD_0":1,"TEXCOORD_1":2)";
    const std::string image = R"({"bufferView":3})";
    const std::vector<Vec2f> first = {{0, 0}, {1, 0}, {0, 1}};
    const std::vector<Vec2f> second = {{0.5f, 0.5f}, {1, 0.5f}, {0.5f, 1}};
    const auto read = [&](const std::string& reference) {
        return mustReadGltf(triangle(withImage(image, reference), kPainted, both)).meshes.at(0);
    };
    EXPECT_EQ(read("").texcoords, first);
    EXPECT_EQ(read(R"(,"texCoord":1)").texcoords, second);
    EXPECT_EQ(read(R"(,"extensions":{"KHR_texture_transform":{"texCoord":1}})").texcoords, second);
    EXPECT_TRUE(read(R"(,"texCoord":7)").texcoords.empty());
}

TEST(GltfMaterials, SayInOneWarningWhatTheyLose) {
    const GltfFile file = mustReadGltf(triangle(
        R"("materials":[{"normalTexture":{"index":0},"emissiveFactor":[0,0,0]},)"
        R"({"emissiveFactor":[0,1,0],"pbrMetallicRoughness":{"metallicRoughnessTexture":)"
        R"({"index":0}},"extensions":{"KHR_materials_unlit":{},"KHR_materials_ior":{}}}])"));
    EXPECT_EQ(lines(file.warnings),
              "test.glb: materials: materials keep their base colour; left out: KHR_materials_ior, "
              "emissiveFactor, metallicRoughnessTexture, normalTexture\n");
    EXPECT_EQ(file.material_set.materials.at(0).metallic, 1.0);
    EXPECT_EQ(file.material_set.materials.at(1).metallic, 0.0);
    EXPECT_TRUE(file.material_set.materials.at(1).unlit);
}

TEST(GltfMaterials, UnknownWordsAndNumbersAreWarningsAndBrokenOnesErrors) {
    const std::string sampler = R"(,"samplers":[{"wrapS":1,"wrapT":33071,"magFilter":7}])";
    std::string text = withImage(R"({"bufferView":3})") + sampler;
    text = replaced(text, R"("textures":[{)", R"("textures":[{"sampler":0,)");
    text = replaced(text, R"("materials":[{)", R"("materials":[{"alphaMode":"GLASS",)");
    text = replaced(text, R"("baseColorTexture")",
                    R"("baseColorFactor":[2,-1,0.5,1],"baseColorTexture")");
    const GltfFile file = mustReadGltf(triangle(text, kPainted));
    const std::string said = lines(file.warnings);
    EXPECT_TRUE(contains(said, "materials[0].alphaMode: the alpha mode is unknown"));
    EXPECT_TRUE(contains(said, "samplers[0].wrapS: a sampler has an unknown value"));
    EXPECT_TRUE(contains(said, "materials[0]: a colour or factor is not from 0 to 1"));
    const io::Material& material = file.material_set.materials.at(0);
    EXPECT_EQ(material.base_color, (std::array<double, 4>{1, 0, 0.5, 1}));
    EXPECT_EQ(material.texture->wrap_s, io::kWrapRepeat);
    EXPECT_EQ(material.texture->wrap_t, io::kWrapClamp);
    EXPECT_EQ(material.texture->mag_filter, 0);

    const auto error = [](const std::string& document, const std::string& primitive = kPainted) {
        return gltfErrorOf(triangle(document, primitive));
    };
    const std::string good = withImage(R"({"bufferView":3})");
    EXPECT_TRUE(contains(error(good, R"(,"material":1)"),
                         "meshes[0].primitives[0].material: there are no materials[1]"));
    EXPECT_TRUE(contains(error(replaced(good, R"("index":0)", R"("index":3)")),
                         "baseColorTexture.index: there are no textures[3]"));
    EXPECT_TRUE(contains(error(replaced(good, R"("source":0)", R"("source":1)")),
                         "textures[0].source: there are no images[1]"));
    EXPECT_TRUE(contains(error(withImage(R"({"bufferView":9})")),
                         "images[0].bufferView: there are no bufferViews[9]"));
    EXPECT_TRUE(contains(error(R"("materials":[{"doubleSided":1}])"),
                         "materials[0].doubleSided: true or false was expected"));
    EXPECT_TRUE(contains(error(R"("materials":[{"alphaCutoff":"a"}])"),
                         "materials[0].alphaCutoff: a number was expected"));
    const std::string beyond =
        replaced(triangle(good, kPainted), R"("byteLength":79)", R"("byteLength":99)");
    EXPECT_TRUE(contains(gltfErrorOf(beyond), "bufferViews[3]: the view reaches beyond"));
}

TEST(GltfMaterials, FewBytesNamedOftenAreReadOnceOrRefused) {
    std::string materials, textures, views;
    const std::size_t size = 100000;
    for (std::size_t i = 0; i < 1000; ++i) {
        const std::string comma = i == 0 ? "" : ",", number = std::to_string(i);
        materials +=
            comma + R"({"pbrMetallicRoughness":{"baseColorTexture":{"index":)" + number + "}}}";
        textures += comma + R"({"source":)" + number + "}";
        views += comma + R"({"buffer":0,"byteLength":)" + std::to_string(size) + "}";
    }
    const auto document = [&](bool one_view) {
        std::string all;
        for (std::size_t i = 0; i < 1000; ++i)
            all += std::string(i == 0 ? "" : ",") + R"({"bufferView":)" +
                   std::to_string(one_view ? 0 : i) + "}";
        GltfBuffer b;
        b.bytes = tinyPng();
        b.bytes.resize(size);
        return glb(R"("materials":[)" + materials + R"(],"textures":[)" + textures +
                       R"(],"images":[)" + all + R"(],"bufferViews":[)" + views + "]",
                   b);
    };
    EXPECT_EQ(mustReadGltf(document(true)).material_set.images.size(), 1U);
    EXPECT_TRUE(
        contains(gltfErrorOf(document(false)), "describes far more data than it has bytes"));
}

// The bytes of an image, found in the file by its JSON alone.
std::string embeddedImage(const std::string& glb_bytes) {
    const nlohmann::json document = documentOf(glb_bytes);
    const auto& view =
        document["bufferViews"][document["images"][0]["bufferView"].get<std::size_t>()];
    std::uint32_t json_size = 0;
    std::memcpy(&json_size, glb_bytes.data() + 12, 4);
    return glb_bytes.substr(28 + json_size + view.value("byteOffset", std::size_t{0}),
                            view["byteLength"].get<std::size_t>());
}

TEST(GltfMaterials, OfOtherPeoplesFilesSurviveWritingToTheByte) {
    const std::pair<const char*, const char*> files[] = {{"Fox", "image/png"},
                                                         {"CesiumMan", "image/jpeg"}};
    for (const auto& [name, mime_type] : files) {
        const std::string path = test::sharedGltf(name);
        const Result<GltfFile> file = io::loadGltf(path);
        ASSERT_TRUE(file.ok());
        EXPECT_EQ(file->material_set.images.at(0).mime_type, mime_type);
        EXPECT_EQ(file->material_set.images[0].bytes, embeddedImage(readText(path)));
        const Result<io::GltfBytes> out = io::writeGltf({.skeleton = file->skeleton,
                                                         .clips = file->clips,
                                                         .meshes = file->meshes,
                                                         .material_set = &file->material_set});
        ASSERT_TRUE(out.ok());
        EXPECT_EQ(embeddedImage(out->bytes), embeddedImage(readText(path)));
        EXPECT_EQ(mustReadGltf(out->bytes).material_set.materials, file->material_set.materials);
    }
}

}  // namespace
}  // namespace ulna::test
