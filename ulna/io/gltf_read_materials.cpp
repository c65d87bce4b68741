// SPDX-License-Identifier: Apache-2.0

// Materials in: base colours, and the images that are theirs. A surface is complete without its
// materials, so an image that cannot be had is a warning; a document that contradicts itself stays
// an error.
#include <algorithm>
#include <map>
#include <set>

#include "ulna/io/detail/gltf_files.h"
#include "ulna/io/detail/gltf_reader.h"

namespace ulna::io::detail {
namespace {

// No picture that a screen could show is larger.
constexpr std::size_t kLargestImage = std::size_t{1} << 28U;

// The member, or one without members.
const Json& member(const Json& object, const char* key) {
    static const Json nothing = Json::object();
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
}

std::size_t indexOf(const Json& index) {
    return index.get<std::size_t>();
}

const Json& baseTexture(const Json& material) {
    return member(member(material, "pbrMetallicRoughness"), "baseColorTexture");
}

std::string textOf(const Json& object, const char* key) {
    return object.value(key, std::string());
}

// What the bytes are, whatever the file calls them.
const char* mimeTypeOf(std::string_view bytes) {
    if (bytes.starts_with("\x89PNG\r\n\x1A\n")) return "image/png";
    return bytes.starts_with("\xFF\xD8\xFF") ? "image/jpeg" : nullptr;
}

// A warning names so many losses at most.
constexpr std::size_t kMostNames = 12;

class MaterialReader {
  public:
    MaterialReader(const Json& document, const std::string& folder, GltfReader& reader)
        : document_(document), folder_(folder), reader_(reader) {}

    void read() {
        const Json& materials = member(document_, "materials");
        for (std::size_t i = 0; i < materials.size() && !reader_.error; ++i) {
            reader_.texcoord_sets.push_back(0);
            reader_.material_set.materials.push_back(
                readMaterial(materials[i], at("materials", i)));
        }
        if (lost_.empty()) return;
        std::string names;
        for (const std::string& name : lost_) names += (names.empty() ? "" : ", ") + name;
        reader_.warn("materials keep their base colour; left out: " + names, "materials");
    }

  private:
    Material readMaterial(const Json& from, const std::string& path) {
        Material out;
        out.name = textOf(from, "name");
        const Json& surface = member(from, "pbrMetallicRoughness");
        const Json& color = member(surface, "baseColorFactor");
        for (std::size_t k = 0; k < color.size(); ++k)
            out.base_color[k] = share(color[k].get<double>(), path);
        // A texture would have told where a surface is metal; without it, it is none.
        const bool metal_known = !surface.contains("metallicRoughnessTexture");
        out.metallic = metal_known ? share(surface.value("metallicFactor", 1.0), path) : 0.0;
        out.roughness = share(surface.value("roughnessFactor", 1.0), path);
        out.alpha_mode = alphaModeOf(from, path);
        out.alpha_cutoff = std::max(0.0, from.value("alphaCutoff", 0.5));
        out.double_sided = from.value("doubleSided", false);
        out.unlit = member(from, "extensions").contains("KHR_materials_unlit");
        if (const Json& texture = baseTexture(from); !texture.empty())
            out.texture = readTexture(texture);
        noteLosses(from);
        return out;
    }

    double share(double value, const std::string& path) {
        const double out = std::clamp(value, 0.0, 1.0);
        if (out != value)
            reader_.warn("a colour or factor is not from 0 to 1; it is clamped", path);
        return out;
    }

    AlphaMode alphaModeOf(const Json& material, const std::string& path) {
        const std::string mode = material.value("alphaMode", std::string("OPAQUE"));
        if (mode == "MASK") return AlphaMode::Mask;
        if (mode == "BLEND") return AlphaMode::Blend;
        if (mode != "OPAQUE")
            reader_.warn("the alpha mode is unknown; the material is opaque", path + ".alphaMode",
                         mode);
        return AlphaMode::Opaque;
    }

    std::optional<Texture> readTexture(const Json& reference) {
        const std::size_t index = indexOf(reference.at("index"));
        const Json& texture = document_.at("textures")[index];
        if (!texture.contains("source")) {
            leaveOut(at("textures", index), {.what = "the texture has no PNG or JPEG image"});
            return {};
        }
        const std::optional<std::size_t> image = findImage(indexOf(texture.at("source")));
        if (!image) return {};
        Texture out;
        out.image = *image;
        if (texture.contains("sampler")) readSampler(indexOf(texture.at("sampler")), out);
        reader_.texcoord_sets.back() = reference.value("texCoord", std::uint64_t{0});
        const Json& transform = member(member(reference, "extensions"), "KHR_texture_transform");
        const Json &offset = member(transform, "offset"), &scale = member(transform, "scale");
        for (std::size_t k = 0; k < offset.size(); ++k) out.offset[k] = offset[k].get<double>();
        for (std::size_t k = 0; k < scale.size(); ++k) out.scale[k] = scale[k].get<double>();
        out.rotation = transform.value("rotation", 0.0);
        if (transform.contains("texCoord"))
            reader_.texcoord_sets.back() = transform.at("texCoord").get<std::uint64_t>();
        return out;
    }

    void readSampler(std::size_t index, Texture& out) {
        const Json& sampler = document_.at("samplers")[index];
        const auto read = [&](const char* key, std::initializer_list<int> known, int& to) {
            if (!sampler.contains(key)) return;
            const auto value = sampler.at(key).get<std::uint64_t>();
            for (const int each : known)
                if (value == static_cast<std::uint64_t>(each)) to = each;
            if (static_cast<std::uint64_t>(to) != value)
                reader_.warn("a sampler has an unknown value; the default is used",
                             at("samplers", index) + '.' + key, std::to_string(value));
        };
        read("wrapS", {kWrapClamp, kWrapMirror, kWrapRepeat}, out.wrap_s);
        read("wrapT", {kWrapClamp, kWrapMirror, kWrapRepeat}, out.wrap_t);
        read("magFilter", {9728, 9729}, out.mag_filter);
        read("minFilter", {9728, 9729, 9984, 9985, 9986, 9987}, out.min_filter);
    }

    // The index of an image in material_set.images; images that are the same bytes of the same file
    // or view share one, so that few bytes named often stay few.
    std::optional<std::size_t> findImage(std::size_t index) {
        const auto [known, added] = images_.try_emplace(index);
        if (!added) return known->second;
        const Json& image = document_.at("images")[index];
        const std::string path = at("images", index);
        if (image.contains("bufferView"))
            known->second = fromView(image, indexOf(image.at("bufferView")), path);
        else if (!image.contains("uri"))
            leaveOut(path, {.what = "the image has neither bytes nor a URI"});
        else if (isDataUri(image.at("uri").get_ref<const std::string&>()))
            known->second = fromDataUri(image, path);
        else
            known->second = fromFile(image, path);
        return known->second;
    }

    std::optional<std::size_t> fromView(const Json& image, std::size_t v, const std::string& path) {
        const auto [known, added] = views_.try_emplace(v);
        if (!added) return known->second;
        const Json& view = document_.at("bufferViews")[v];
        const std::string_view buffer = reader_.buffers[indexOf(view.at("buffer"))];
        const auto offset = view.value("byteOffset", std::uint64_t{0});
        const auto length = view.at("byteLength").get<std::uint64_t>();
        if (offset > buffer.size() || length > buffer.size() - offset) {
            reader_.fail(at("bufferViews", v), "the view reaches beyond its buffer",
                         "the buffer has " + std::to_string(buffer.size()) + " bytes");
            return {};
        }
        const std::string_view bytes =
            buffer.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
        if (reader_.spend(bytes.size(), path)) known->second = keep(image, bytes, path);
        return known->second;
    }

    std::optional<std::size_t> fromDataUri(const Json& image, const std::string& path) {
        const Result<std::string> bytes =
            decodeDataUri(image.at("uri").get_ref<const std::string&>());
        if (bytes) return keep(image, *bytes, path);
        leaveOut(path + ".uri", bytes.error());
        return {};
    }

    std::optional<std::size_t> fromFile(const Json& image, const std::string& path) {
        const Result<std::string> real =
            findFileBeside("image", image.at("uri").get_ref<const std::string&>(), folder_);
        if (!real) {
            leaveOut(path + ".uri", real.error());
            return {};
        }
        const auto [known, added] = files_.try_emplace(*real);
        if (!added) return known->second;
        const Result<FileBytes> bytes = readFile(*real);
        if (bytes)
            known->second = keep(image, bytes->view(), path);
        else
            leaveOut(path + ".uri", bytes.error());
        return known->second;
    }

    std::optional<std::size_t> keep(const Json& image, std::string_view bytes,
                                    const std::string& path) {
        const char* mime_type = mimeTypeOf(bytes);
        if (mime_type == nullptr || bytes.size() > kLargestImage) {
            leaveOut(path, {.what = mime_type == nullptr ? "the image is neither PNG nor JPEG"
                                                         : "the image has over 256 megabytes"});
            return {};
        }
        reader_.material_set.images.push_back(
            {textOf(image, "name"), mime_type, std::string(bytes)});
        return reader_.material_set.images.size() - 1;
    }

    void leaveOut(const std::string& path, const Diagnostic& why) {
        if (!reader_.warnings.isFirst("texture")) return;
        reader_.warnings.keep({.what = why.what + "; the texture is left out",
                               .location = {.file = reader_.source, .json_path = path},
                               .advice = why.advice});
    }

    void noteLosses(const Json& material) {
        for (const char* key : {"normalTexture", "occlusionTexture", "emissiveTexture"})
            if (material.contains(key)) lost_.emplace(key);
        for (const Json& light : member(material, "emissiveFactor"))
            if (light != 0.0) lost_.emplace("emissiveFactor");
        if (member(material, "pbrMetallicRoughness").contains("metallicRoughnessTexture"))
            lost_.emplace("metallicRoughnessTexture");
        for (const auto& [name, extension] : member(material, "extensions").items())
            if (name != "KHR_materials_unlit" && lost_.size() < kMostNames)
                lost_.insert(excerpt(name));
    }

    const Json& document_;
    const std::string& folder_;
    GltfReader& reader_;
    std::map<std::size_t, std::optional<std::size_t>> images_;  // by their index in the file
    std::map<std::size_t, std::optional<std::size_t>> views_;
    std::map<std::string, std::optional<std::size_t>> files_;
    std::set<std::string> lost_;
};

}  // namespace

void readGltfMaterials(const Json& document, const std::string& folder, GltfReader& reader) {
    MaterialReader(document, folder, reader).read();
}

std::vector<std::string> imageUris(const Json& document) {
    std::set<std::size_t> used;
    for (const Json& material : member(document, "materials")) {
        const Json& reference = baseTexture(material);
        if (reference.empty()) continue;
        const Json& texture = document.at("textures")[indexOf(reference.at("index"))];
        if (texture.contains("source")) used.insert(indexOf(texture.at("source")));
    }
    std::vector<std::string> out;
    for (const std::size_t i : used) {
        const Json& image = document.at("images")[i];
        if (image.contains("uri") && !image.contains("bufferView"))
            out.push_back(image.at("uri").get<std::string>());
    }
    return out;
}

}  // namespace ulna::io::detail
