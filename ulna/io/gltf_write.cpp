// SPDX-License-Identifier: Apache-2.0

// glTF files out: the nodes, and the container around everything. The JSON is our own, because
// tinygltf wants the whole buffer in memory before it writes a byte.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ulna/core/text.h"
#include "ulna/core/version.h"
#include "ulna/io/detail/base64.h"
#include "ulna/io/detail/gltf_writer.h"
#include "ulna/io/file.h"

namespace ulna::io {
namespace detail {
namespace {

OrderedJson toJson(const Vec3& v) {
    return OrderedJson::array({v.x, v.y, v.z});
}

void warnAboutLosses(GltfWriter& writer) {
    const Skeleton& skeleton = writer.content.skeleton;
    for (const JointDef& joint : skeleton.definitions()) {
        const JointId j = skeleton.find(joint.name);
        const bool one_axis = joint.kind == JointKind::Hinge ||
                              joint.kind == JointKind::Universal ||
                              joint.kind == JointKind::Prismatic;
        if (one_axis)
            writer.warn("glTF holds no joint kinds; moving joints will read as balls", joint.name);
        if (joint.cone) writer.warn("glTF holds no joint limits; they are left out", joint.name);
        if (joint.radius > 0.0) writer.warn("glTF holds no radii; they are left out", joint.name);
        const JointRange subtree = skeleton.subtree(j);
        if (subtree.size() == 1 && skeleton.boneLength(j) > 0.0)
            writer.warn("glTF holds no tips of bones; they are left out", joint.name);
        if (joint.coupling)
            writer.warn("glTF holds no couplings of joints; they are left out", joint.name);
        if (joint.locked || joint.stiffness > 0.0)
            writer.warn("glTF holds no locks and no stiffness; they are left out", joint.name);
    }
    for (std::size_t d = 0; d < skeleton.dofCount(); ++d) {
        if (skeleton.dofLimits()[d].bounded())
            writer.warn("glTF holds no joint limits; they are left out",
                        skeleton.name(skeleton.jointOfDof(d)));
    }
}

void planNodes(GltfWriter& writer) {
    const Skeleton& skeleton = writer.content.skeleton;
    std::vector<std::vector<std::size_t>> children(skeleton.jointCount());
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i) {
        const JointId parent = skeleton.parent(jointId(i));
        if (parent == JointId::None)
            writer.scene.push_back(i);
        else
            children[index(parent)].push_back(i);
    }
    for (const JointId j : skeleton.joints()) {
        const Trs& rest = skeleton.rest(j);
        OrderedJson node = {{"name", skeleton.name(j)}};
        if (rest.translation != Vec3{}) node["translation"] = toJson(rest.translation);
        const Quat& q = rest.rotation;
        if (q != Quat{}) node["rotation"] = OrderedJson::array({q.x, q.y, q.z, q.w});
        if (rest.scale != Vec3{1, 1, 1}) node["scale"] = toJson(rest.scale);
        if (!children[index(j)].empty()) node["children"] = std::move(children[index(j)]);
        writer.nodes.push_back(std::move(node));
    }
}

bool planAll(GltfWriter& writer) {
    warnAboutLosses(writer);
    planNodes(writer);
    if (!planMeshes(writer)) return false;
    for (const KeyedMotion& clip : writer.content.clips) {
        if (!planClip(writer, clip)) return false;
    }
    for (const Motion& motion : writer.content.motions) {
        if (!planFrames(writer, framesOf(motion))) return false;
    }
    for (const FrameClip& frames : writer.content.frames) {
        if (!planFrames(writer, frames)) return false;
    }
    return true;
}

// The document up to the place where the buffer's bytes are stated or the file's text ends: keys at
// the left, an element of their arrays a line.
std::string makeDocument(const GltfWriter& writer, const char* uri) {
    std::string out =
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Ulna " + std::string(version()) + "\"}";
    if (!writer.extensions.empty())
        out += ",\n\"extensionsUsed\":" + dumpJson(OrderedJson(writer.extensions));
    out += ",\n\"scene\":0,\n\"scenes\":[";
    OrderedJson scene = OrderedJson::object();
    if (!writer.scene.empty()) scene["nodes"] = writer.scene;
    out += dumpJson(scene) + "]";
    const std::pair<const char*, const OrderedJson*> arrays[] = {
        {"nodes", &writer.nodes},         {"skins", &writer.skins},
        {"meshes", &writer.meshes},       {"materials", &writer.materials},
        {"textures", &writer.textures},   {"images", &writer.images},
        {"samplers", &writer.samplers},   {"animations", &writer.animations},
        {"accessors", &writer.accessors}, {"bufferViews", &writer.views}};
    for (const auto& [key, array] : arrays) {
        if (array->empty()) continue;
        out.append(",\n\"").append(key).append("\":[");
        const char* separator = "\n";
        for (const OrderedJson& element : *array) {
            out.append(separator).append(dumpJson(element));
            separator = ",\n";
        }
        out += ']';
    }
    if (writer.size > 0) {
        out += ",\n\"buffers\":[{\"byteLength\":" + std::to_string(writer.size);
        if (uri != nullptr) return out.append(",\"uri\":\"").append(uri);
        out += "}]";
    }
    return out + "}\n";
}

void appendWord(std::size_t word, std::string& out) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        out.push_back(static_cast<char>(word >> shift & 0xFFU));
}

// The buffer, section by section, through `sink`.
bool writeSections(const GltfWriter& writer, const GltfSink& sink) {
    constexpr std::string_view kZeros("\0\0\0", 3);
    std::size_t written = 0;
    const GltfSink counted = [&](std::string_view piece) {
        written += piece.size();
        const double done = static_cast<double>(written) / static_cast<double>(writer.size);
        return sink(piece) && (!writer.progress || writer.progress(std::min(1.0, done)));
    };
    for (const GltfWriter::Section& section : writer.sections) {
        if (!section.write(counted)) return false;
        const std::size_t padding = (4 - section.bytes % 4) % 4;
        if (padding > 0 && !counted(kZeros.substr(0, padding))) return false;
    }
    return true;
}

bool writeBinary(GltfWriter& writer, const GltfSink& sink) {
    std::string json = makeDocument(writer, nullptr);
    json.append((4 - json.size() % 4) % 4, ' ');
    const std::size_t total = 20 + json.size() + (writer.size > 0 ? 8 + writer.size : 0);
    if (total > std::numeric_limits<std::uint32_t>::max()) {
        return writer.fail("the file would have over four gigabytes, more than a .glb can hold",
                           "write a part of the clip, or at a lower rate");
    }
    std::string head = "glTF";
    for (const std::size_t word : {std::size_t{2}, total, json.size()}) appendWord(word, head);
    if (!sink(head + "JSON") || !sink(json)) return false;
    if (writer.size == 0) return true;
    head.clear();
    appendWord(writer.size, head);
    return sink(head.append("BIN\0", 4)) && writeSections(writer, sink);
}

bool writeText(GltfWriter& writer, const GltfSink& sink) {
    if (!sink(makeDocument(writer, "data:application/octet-stream;base64,"))) return false;
    if (writer.size == 0) return true;
    Base64Encoder encoder;
    std::string text;
    const bool done = writeSections(writer, [&](std::string_view piece) {
        constexpr std::size_t kPiece = 3U << 16U;
        for (std::size_t i = 0; i < piece.size(); i += kPiece) {
            text.clear();
            encoder.add(piece.substr(i, kPiece), text);
            if (!sink(text)) return false;
        }
        return true;
    });
    text.clear();
    encoder.finish(text);
    return done && sink(text + "\"}]}\n");
}

}  // namespace

bool GltfWriter::fail(const std::string& what, const std::string& advice) {
    if (!error) error = Diagnostic{.what = what, .advice = advice};
    return false;
}

void GltfWriter::warn(const std::string& what, std::string_view text) {
    if (warnings.isFirst(what)) warnings.keep({.what = what, .text = excerpt(text)});
}

std::size_t GltfWriter::addView(std::size_t bytes, int target,
                                std::function<bool(const GltfSink&)> write) {
    OrderedJson view = {{"buffer", 0}, {"byteOffset", size}, {"byteLength", bytes}};
    if (target != 0) view["target"] = target;
    views.push_back(std::move(view));
    sections.push_back({bytes, std::move(write)});
    size += (bytes + 3) / 4 * 4;
    return views.size() - 1;
}

std::size_t GltfWriter::addAccessor(std::size_t view, std::size_t offset, int component,
                                    std::size_t count, const char* type) {
    OrderedJson accessor = {{"bufferView", view}};
    if (offset != 0) accessor["byteOffset"] = offset;
    accessor["componentType"] = component;
    accessor["count"] = count;
    accessor["type"] = type;
    accessors.push_back(std::move(accessor));
    return accessors.size() - 1;
}

std::size_t GltfWriter::timesAccessor(std::vector<float> key_times) {
    const auto found = times.find(key_times);
    if (found != times.end()) return found->second;
    const std::size_t view = addView(key_times, 0);
    const std::size_t out = addAccessor(view, 0, kGltfFloat, key_times.size(), "SCALAR");
    accessors[out]["min"] = OrderedJson::array({static_cast<double>(key_times.front())});
    accessors[out]["max"] = OrderedJson::array({static_cast<double>(key_times.back())});
    times.emplace(std::move(key_times), out);
    return out;
}

void GltfWriter::addAnimation(const std::string& name, GltfAnimation animation) {
    OrderedJson out = OrderedJson::object();
    if (!name.empty()) out["name"] = name;
    out["channels"] = std::move(animation.channels);
    out["samplers"] = std::move(animation.samplers);
    animations.push_back(std::move(out));
}

bool narrow(const double* from, std::size_t count, float* to) {
    constexpr double kMost = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < count; ++i) {
        if (!(std::abs(from[i]) <= kMost)) return false;
        to[i] = static_cast<float>(from[i]);
    }
    return true;
}

void GltfAnimation::add(JointId joint, const char* path, const char* interpolation,
                        std::size_t input, std::size_t output) {
    channels.push_back(
        {{"sampler", samplers.size()}, {"target", {{"node", index(joint)}, {"path", path}}}});
    samplers.push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
}

}  // namespace detail

Result<Warnings> writeGltf(const GltfContent& content, GltfForm form,
                           const std::function<bool(std::string_view)>& sink,
                           const Progress& progress) {
    detail::GltfWriter writer{.content = content, .progress = progress};
    const bool done =
        detail::planAll(writer) && (form == GltfForm::Text ? detail::writeText(writer, sink)
                                                           : detail::writeBinary(writer, sink));
    if (done) return writer.warnings.take();
    if (writer.error) return *std::move(writer.error);
    return Diagnostic{.what = "cancelled"};
}

Result<GltfBytes> writeGltf(const GltfContent& content, GltfForm form) {
    GltfBytes out;
    Result<Warnings> warnings = writeGltf(content, form, [&](std::string_view piece) {
        out.bytes += piece;
        return true;
    });
    if (!warnings) return warnings.error();
    out.warnings = *std::move(warnings);
    return out;
}

Result<Warnings> saveGltf(const GltfContent& content, const std::string& path,
                          const GltfWriteOptions& options, const Progress& progress) {
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    const bool text = lowerCase(path).ends_with(".gltf");
    const GltfForm form = options.form.value_or(text ? GltfForm::Text : GltfForm::Binary);
    Result<Warnings> warnings = writeGltf(
        content, form,
        [&](std::string_view piece) {
            file->write(piece);
            return true;
        },
        progress);
    if (!warnings) {
        Diagnostic error = warnings.error();
        error.location.file = path;
        return error;
    }
    Status status = file->finish();
    if (!status) return status.error();
    return warnings;
}

}  // namespace ulna::io
