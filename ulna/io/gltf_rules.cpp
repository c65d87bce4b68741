// SPDX-License-Identifier: Apache-2.0

// The shape a glTF document must have, as a table: what is used of it, of which type, and where its
// indices point. tinygltf passes over what is of the wrong type; here it is an error with its path.
#include <cmath>
#include <cstdint>

#include "ulna/io/bounds.h"
#include "ulna/io/detail/gltf_reader.h"

namespace ulna::io::detail {
namespace {

enum class Shape : std::uint8_t {
    Object,
    Array,
    Text,
    Boolean,
    Count,   // a whole number from 0
    Size,    // a whole number from 1
    Index,   // of an element of the array `target`
    Stride,  // 4 to 252, a multiple of 4
    Number,
    Numbers,  // `count` of them; any number where it is 0
};

struct Rule {
    const char* path;  // `[]` stands for every element, `*` for every member
    Shape shape;
    bool required = false;
    const char* target = "";
    std::size_t count = 0;
};

#define ULNA_TEXTURE "materials[].pbrMetallicRoughness.baseColorTexture"

constexpr bool kRequired = true;
constexpr Rule kRules[] = {
    {"asset", Shape::Object, kRequired},
    {"asset.version", Shape::Text, kRequired},
    {"extensionsUsed", Shape::Array},
    {"extensionsUsed[]", Shape::Text},
    {"extensionsRequired", Shape::Array},
    {"extensionsRequired[]", Shape::Text},

    {"buffers", Shape::Array},
    {"buffers[]", Shape::Object},
    {"buffers[].byteLength", Shape::Size, kRequired},
    {"buffers[].uri", Shape::Text},

    {"bufferViews", Shape::Array},
    {"bufferViews[]", Shape::Object},
    {"bufferViews[].buffer", Shape::Index, kRequired, "buffers"},
    {"bufferViews[].byteOffset", Shape::Count},
    {"bufferViews[].byteLength", Shape::Size, kRequired},
    {"bufferViews[].byteStride", Shape::Stride},

    {"accessors", Shape::Array},
    {"accessors[]", Shape::Object},
    {"accessors[].bufferView", Shape::Index, false, "bufferViews"},
    {"accessors[].byteOffset", Shape::Count},
    {"accessors[].componentType", Shape::Count, kRequired},
    {"accessors[].normalized", Shape::Boolean},
    {"accessors[].count", Shape::Size, kRequired},
    {"accessors[].type", Shape::Text, kRequired},
    {"accessors[].sparse", Shape::Object},
    {"accessors[].sparse.count", Shape::Size, kRequired},
    {"accessors[].sparse.indices", Shape::Object, kRequired},
    {"accessors[].sparse.indices.bufferView", Shape::Index, kRequired, "bufferViews"},
    {"accessors[].sparse.indices.byteOffset", Shape::Count},
    {"accessors[].sparse.indices.componentType", Shape::Count, kRequired},
    {"accessors[].sparse.values", Shape::Object, kRequired},
    {"accessors[].sparse.values.bufferView", Shape::Index, kRequired, "bufferViews"},
    {"accessors[].sparse.values.byteOffset", Shape::Count},

    {"meshes", Shape::Array},
    {"meshes[]", Shape::Object},
    {"meshes[].name", Shape::Text},
    {"meshes[].primitives", Shape::Array, kRequired},
    {"meshes[].primitives[]", Shape::Object},
    {"meshes[].primitives[].mode", Shape::Count},
    {"meshes[].primitives[].indices", Shape::Index, false, "accessors"},
    {"meshes[].primitives[].material", Shape::Index, false, "materials"},
    {"meshes[].primitives[].attributes", Shape::Object, kRequired},
    {"meshes[].primitives[].attributes.*", Shape::Index, false, "accessors"},
    {"meshes[].primitives[].targets", Shape::Array},
    {"meshes[].primitives[].targets[]", Shape::Object},
    {"meshes[].primitives[].targets[].*", Shape::Index, false, "accessors"},
    {"meshes[].weights", Shape::Numbers},

    {"nodes", Shape::Array},
    {"nodes[]", Shape::Object},
    {"nodes[].name", Shape::Text},
    {"nodes[].children", Shape::Array},
    {"nodes[].children[]", Shape::Index, false, "nodes"},
    {"nodes[].mesh", Shape::Index, false, "meshes"},
    {"nodes[].skin", Shape::Index, false, "skins"},
    {"nodes[].matrix", Shape::Numbers, false, "", 16},
    {"nodes[].translation", Shape::Numbers, false, "", 3},
    {"nodes[].rotation", Shape::Numbers, false, "", 4},
    {"nodes[].scale", Shape::Numbers, false, "", 3},
    {"nodes[].weights", Shape::Numbers},

    {"materials", Shape::Array},
    {"materials[]", Shape::Object},
    {"materials[].name", Shape::Text},
    {"materials[].alphaMode", Shape::Text},
    {"materials[].alphaCutoff", Shape::Number},
    {"materials[].doubleSided", Shape::Boolean},
    {"materials[].emissiveFactor", Shape::Numbers, false, "", 3},
    {"materials[].extensions", Shape::Object},
    {"materials[].pbrMetallicRoughness", Shape::Object},
    {"materials[].pbrMetallicRoughness.baseColorFactor", Shape::Numbers, false, "", 4},
    {"materials[].pbrMetallicRoughness.metallicFactor", Shape::Number},
    {"materials[].pbrMetallicRoughness.roughnessFactor", Shape::Number},
    {ULNA_TEXTURE, Shape::Object},
    {ULNA_TEXTURE ".index", Shape::Index, kRequired, "textures"},
    {ULNA_TEXTURE ".texCoord", Shape::Count},
    {ULNA_TEXTURE ".extensions", Shape::Object},
    {ULNA_TEXTURE ".extensions.KHR_texture_transform", Shape::Object},
    {ULNA_TEXTURE ".extensions.KHR_texture_transform.offset", Shape::Numbers, false, "", 2},
    {ULNA_TEXTURE ".extensions.KHR_texture_transform.rotation", Shape::Number},
    {ULNA_TEXTURE ".extensions.KHR_texture_transform.scale", Shape::Numbers, false, "", 2},
    {ULNA_TEXTURE ".extensions.KHR_texture_transform.texCoord", Shape::Count},

    {"textures", Shape::Array},
    {"textures[]", Shape::Object},
    {"textures[].source", Shape::Index, false, "images"},
    {"textures[].sampler", Shape::Index, false, "samplers"},
    {"images", Shape::Array},
    {"images[]", Shape::Object},
    {"images[].name", Shape::Text},
    {"images[].uri", Shape::Text},
    {"images[].bufferView", Shape::Index, false, "bufferViews"},
    {"samplers", Shape::Array},
    {"samplers[]", Shape::Object},
    {"samplers[].wrapS", Shape::Count},
    {"samplers[].wrapT", Shape::Count},
    {"samplers[].magFilter", Shape::Count},
    {"samplers[].minFilter", Shape::Count},

    {"skins", Shape::Array},
    {"skins[]", Shape::Object},
    {"skins[].inverseBindMatrices", Shape::Index, false, "accessors"},
    {"skins[].joints", Shape::Array, kRequired},
    {"skins[].joints[]", Shape::Index, false, "nodes"},
    {"skins[].skeleton", Shape::Index, false, "nodes"},

    {"animations", Shape::Array},
    {"animations[]", Shape::Object},
    {"animations[].name", Shape::Text},
    {"animations[].samplers", Shape::Array, kRequired},
    {"animations[].samplers[]", Shape::Object},
    {"animations[].samplers[].input", Shape::Index, kRequired, "accessors"},
    {"animations[].samplers[].output", Shape::Index, kRequired, "accessors"},
    {"animations[].samplers[].interpolation", Shape::Text},
    {"animations[].channels", Shape::Array, kRequired},
    {"animations[].channels[]", Shape::Object},
    {"animations[].channels[].sampler", Shape::Count, kRequired},
    {"animations[].channels[].target", Shape::Object, kRequired},
    {"animations[].channels[].target.node", Shape::Index, false, "nodes"},
    {"animations[].channels[].target.path", Shape::Text, kRequired},

    {"scene", Shape::Index, false, "scenes"},
    {"scenes", Shape::Array},
    {"scenes[]", Shape::Object},
    {"scenes[].nodes", Shape::Array},
    {"scenes[].nodes[]", Shape::Index, false, "nodes"},
};

#undef ULNA_TEXTURE

// Above this no count fits a file.
constexpr double kLargestCount = 9007199254740992.0;  // 2^53

// tinygltf takes unsigned integers only, but 3.0 is a whole number too.
bool makeCount(Json& value, double from, double below) {
    if (!value.is_number()) return false;
    const double number = value.get<double>();
    if (!(number >= from) || !(number < below) || number != std::floor(number)) return false;
    value = static_cast<std::uint64_t>(number);
    return true;
}

class Checker {
  public:
    Checker(Json& document, JsonErrors& errors) : document_(document), errors_(errors) {}

    void check(const Rule& rule) {
        rule_ = &rule;
        target_size_ = 0;
        if (rule.shape == Shape::Index) {
            const auto found = document_.find(rule.target);
            if (found != document_.end() && found->is_array()) target_size_ = found->size();
        }
        visit(document_, rule.path);
    }

  private:
    // The path from the root, made text only for an error.
    struct Step {
        std::string_view member;
        std::size_t element = 0;
    };

    void visit(Json& value, std::string_view rest) {
        if (errors_.first) return;
        if (rest.empty()) return checkValue(value);
        if (rest.starts_with("[]")) {
            if (!value.is_array()) return;  // an error of its own rule
            rest.remove_prefix(rest.starts_with("[].") ? 3 : 2);
            for (std::size_t i = 0; i < value.size(); ++i) descend({{}, i}, value[i], rest);
            return;
        }
        if (!value.is_object()) return;
        if (rest == "*") {
            for (auto& [key, member] : value.items()) descend({key, 0}, member, "");
            return;
        }
        const std::size_t end = std::min(rest.find_first_of(".["), rest.size());
        const std::string_view key = rest.substr(0, end);
        rest.remove_prefix(end);
        if (rest.starts_with('.')) rest.remove_prefix(1);
        const auto found = value.find(key);
        if (found != value.end()) return descend({key, 0}, *found, rest);
        if (rest.empty() && rule_->required) fail("the key '" + std::string(key) + "' is missing");
    }

    void descend(Step step, Json& value, std::string_view rest) {
        steps_.push_back(step);
        visit(value, rest);
        steps_.pop_back();
    }

    void fail(const std::string& what, const std::string& advice = {}) {
        std::string path;
        for (const Step& step : steps_) {
            if (step.member.empty()) {
                path += '[' + std::to_string(step.element) + ']';
            } else {
                path += (path.empty() ? "" : ".") + excerpt(step.member);
            }
        }
        errors_.first = Diagnostic{.what = what,
                                   .location = {.file = errors_.source, .json_path = path},
                                   .advice = advice};
    }

    void checkValue(Json& value) {
        switch (rule_->shape) {
            case Shape::Object:
                return value.is_object() ? void() : fail("an object was expected");
            case Shape::Array:
                return value.is_array() ? void() : fail("an array was expected");
            case Shape::Text:
                return value.is_string() ? void() : fail("a string was expected");
            case Shape::Boolean:
                return value.is_boolean() ? void() : fail("true or false was expected");
            case Shape::Count:
                if (!makeCount(value, 0, kLargestCount)) fail("a whole number was expected");
                return;
            case Shape::Size:
                if (!makeCount(value, 1, kLargestCount)) fail("a whole number from 1 was expected");
                return;
            case Shape::Stride:
                if (!makeCount(value, 4, 253) || value.get<std::uint64_t>() % 4 != 0)
                    fail("a multiple of 4 from 4 to 252 was expected");
                return;
            case Shape::Index:
                return checkIndex(value);
            case Shape::Number:
                return checkNumber(value);
            case Shape::Numbers:
                return checkNumbers(value);
        }
    }

    void checkIndex(Json& value) {
        if (!makeCount(value, 0, kLargestCount)) return fail("an index was expected");
        if (value.get<std::uint64_t>() < target_size_) return;
        fail("there are no " + std::string(rule_->target) + "[" + value.dump() + "]; there are " +
             std::to_string(target_size_));
    }

    void checkNumber(const Json& value) {
        if (!value.is_number()) return fail("a number was expected");
        if (!(std::abs(value.get<double>()) <= kLargestNumber)) fail("a number is too large");
    }

    void checkNumbers(const Json& value) {
        if (!value.is_array()) return fail("an array of numbers was expected");
        if (rule_->count > 0 && value.size() != rule_->count)
            return fail("an array of " + std::to_string(rule_->count) + " numbers was expected");
        for (const Json& number : value) {
            if (!number.is_number()) return fail("every element must be a number");
            if (!(std::abs(number.get<double>()) <= kLargestNumber))
                return fail("a number is too large");
        }
    }

    Json& document_;
    JsonErrors& errors_;
    const Rule* rule_ = nullptr;
    std::size_t target_size_ = 0;
    std::vector<Step> steps_;
};

}  // namespace

void checkGltfShape(Json& document, JsonErrors& errors) {
    if (!document.is_object()) {
        errors.first =
            Diagnostic{.what = "an object was expected", .location = {.file = errors.source}};
        return;
    }
    Checker checker(document, errors);
    for (const Rule& rule : kRules) {
        checker.check(rule);
        if (errors.first) return;
    }
}

}  // namespace ulna::io::detail
