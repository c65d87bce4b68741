// SPDX-License-Identifier: Apache-2.0

// ulna info: what is in a file, and every warning about it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "apps/cli/info/body.h"
#include "apps/cli/info/mesh.h"
#include "apps/cli/info/natural.h"
#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/gpu/device.h"
#include "ulna/io/body_map_json.h"

namespace ulna::cli {
namespace {

struct InfoOptions {
    std::string file;
    InputOptions input;
    bool natural = false;
    std::optional<long long> rest_frame;
    std::string map_out;
    bool gpu = false;
};

// What is said of a body beyond what the file holds.
struct BodyFacts {
    Result<BodyRoles> roles;
    std::vector<ClipScore> scores;
};

std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string channelList(const io::BvhJoint& joint) {
    std::string out;
    for (const io::BvhChannel channel : joint.channels) {
        if (!out.empty()) out += ' ';
        out += io::bvhChannelName(channel);
    }
    return out;
}

std::string limitsText(const Skeleton& skeleton, JointId j) {
    const JointDef& def = skeleton.joint(j);
    if (def.cone) {
        return fmt::format("cone {}, twist {}..{}", shortNumber(degrees(def.cone->swing_max), 4),
                           shortNumber(degrees(def.cone->twist_min), 4),
                           shortNumber(degrees(def.cone->twist_max), 4));
    }
    std::string out;
    for (std::size_t d = skeleton.firstDof(j); d < skeleton.firstDof(j) + skeleton.dofCount(j);
         ++d) {
        const DofLimit& limit = skeleton.dofLimits()[d];
        if (!out.empty()) out += ' ';
        const double unit = skeleton.isAngle(d) ? degrees(1.0) : 1.0;
        out += limit.bounded()
                   ? shortNumber(limit.min * unit, 4) + ".." + shortNumber(limit.max * unit, 4)
                   : "free";
    }
    return out.find("..") == std::string::npos ? "" : out;
}

std::string orderText(const JointDef& joint) {
    if (joint.kind != JointKind::Ball && joint.kind != JointKind::Free) return {};
    return joint.coordinates == BallCoordinates::RotationVector
               ? "rotation vector"
               : std::string(eulerOrderName(joint.order));
}

std::string jointsText(const Skeleton& s) {
    std::size_t ends = 0;
    std::map<std::string_view, std::size_t> kinds;
    for (const JointDef& joint : s.definitions()) {
        ends += joint.end_site ? 1 : 0;
        if (!joint.end_site) ++kinds[jointKindName(joint.kind)];
    }
    std::string kind_text;
    for (const auto& [name, count] : kinds)
        kind_text += fmt::format("{}{} {}", kind_text.empty() ? "" : ", ", count, name);
    return fmt::format("  joints    {} ({}{})\n  freedom   {} of freedom\n", s.jointCount() - ends,
                       kind_text, ends == 0 ? "" : "; and " + counted(ends, "End Site"),
                       counted(s.dofCount(), "degree"));
}

// What the file is about as a whole.
std::string headText(const Input& input, const BodyFacts& body) {
    const Skeleton& s = input.skeleton;
    std::string out;
    auto to = std::back_inserter(out);
    fmt::format_to(to, "{}\n", input.path);
    fmt::format_to(to, "  format    {}{}\n", formatInfo(input.format).name,
                   s.planar() ? ", planar" : "");
    if (isSurface(formatInfo(input.format))) return out + meshText(input.meshes.front());
    out += jointsText(s);
    if (input.bvh) fmt::format_to(to, "  channels  {}\n", input.bvh->channel_count);
    if (input.motions.empty()) fmt::format_to(to, "  motion    none: a skeleton only\n");
    for (const Motion& motion : input.motions) {
        fmt::format_to(to, "  motion    {}{} at {} fps ({} s a frame), {} s\n",
                       motion.name.empty() ? "" : "'" + motion.name + "', ",
                       counted(motion.frameCount(), "frame"), shortNumber(1.0 / motion.frameTime()),
                       shortNumber(motion.frameTime()), shortNumber(motion.duration()));
    }
    for (const Mesh& mesh : input.meshes) out += meshText(mesh);
    const HeightGuess g = guessHeight(input);
    const char* up = g.up == UpAxis::Z ? "z" : "y";
    fmt::format_to(to, "  height    {} at rest, if {} is up\n", shortNumber(g.height), up);
    fmt::format_to(
        to, "  guess     {} is up, {} % sure; {}\n", up, shortDecimals(100.0 * g.confidence, 0),
        g.unit.empty()
            ? "the unit is not clear"
            : fmt::format("{} (a person would be {} m tall)", g.unit, shortDecimals(g.metres, 2)));
    return out + bodyText(body.roles) + scoreText(body.scores) + "\n";
}

void printText(const Input& input, const BodyFacts& body) {
    const Skeleton& s = input.skeleton;
    std::string out = headText(input, body);
    auto to = std::back_inserter(out);
    constexpr std::size_t kMostLines = 400;
    std::vector<std::size_t> depth(s.jointCount(), 0);
    std::size_t width = 0;
    for (std::size_t i = 0; i < s.jointCount(); ++i) {
        const JointId parent = s.parents()[i];
        if (parent != JointId::None) depth[i] = depth[index(parent)] + 1;
        if (i < kMostLines)
            width = std::max(width,
                             std::min<std::size_t>(60, s.name(jointId(i)).size() + 2 * depth[i]));
    }
    for (std::size_t i = 0; i < std::min(s.jointCount(), kMostLines); ++i) {
        const JointId j = jointId(i);
        const JointDef& def = s.joint(j);
        const std::string name =
            std::string(std::min<std::size_t>(2 * depth[i], 40), ' ') + def.name;
        std::string detail = def.end_site ? "end site" : std::string(jointKindName(def.kind));
        if (const std::string order = orderText(def); !order.empty()) detail += " " + order;
        if (def.coupling) detail += " follows " + def.coupling->leader;
        if (const std::string limits = limitsText(s, j); !limits.empty())
            detail += "  [" + limits + "]";
        if (input.bvh && !input.bvh->joints[i].channels.empty())
            detail += "  " + channelList(input.bvh->joints[i]);
        fmt::format_to(to, "  {:<{}}  {}\n", name, width, detail);
    }
    if (s.jointCount() > kMostLines) {
        fmt::format_to(to, "  ... and {} more; --json lists them all\n",
                       s.jointCount() - kMostLines);
    }
    out += rolesText(s, body.roles);
    if (!input.warnings.empty())
        fmt::format_to(to, "\n{}:\n", counted(input.warnings.size(), "warning"));
    for (const Diagnostic& warning : input.warnings)
        fmt::format_to(to, "  {}\n", describe(warning));
    print(out);
}

void writeLimits(const Skeleton& s, JointId j, JsonWriter& json) {
    json.beginArray("limits");
    for (std::size_t d = s.firstDof(j); d < s.firstDof(j) + s.dofCount(j); ++d) {
        const DofLimit& limit = s.dofLimits()[d];
        const double unit = s.isAngle(d) ? degrees(1.0) : 1.0;
        json.value(std::array{limit.min * unit, limit.max * unit});  // unbounded is null
    }
    json.endArray();
}

void writeGuess(const Input& input, JsonWriter& json) {
    if (isSurface(formatInfo(input.format))) {
        json.null("guess");
        return;
    }
    const HeightGuess g = guessHeight(input);
    json.beginObject("guess")
        .member("up", g.up == UpAxis::Z ? "z" : "y")
        .member("up_confidence", g.confidence)
        .member("height", g.height)
        .member("unit", unlessEmpty(g.unit))
        .endObject();
}

void writeJoint(const Input& input, JointId j, JsonWriter& json) {
    const Skeleton& s = input.skeleton;
    const JointDef& def = s.joint(j);
    json.beginObject()
        .member("name", def.name)
        .member("parent", static_cast<int>(s.parent(j)))
        .member("kind", jointKindName(def.kind))
        .member("order", unlessEmpty(orderText(def)))
        .member("end_site", def.end_site)
        .member("offset", def.rest.translation)
        .member("tip", s.tip(j))
        .member("radius", def.radius);
    writeLimits(s, j, json);
    if (def.cone) {
        json.beginObject("cone")
            .member("axis", def.cone->axis)
            .member("swing", degrees(def.cone->swing_max))
            .member("twist", std::array{degrees(def.cone->twist_min), degrees(def.cone->twist_max)})
            .endObject();
    }
    if (def.kind == JointKind::Hinge || def.kind == JointKind::Prismatic)
        json.member("axis", def.axes[0]);
    if (input.bvh) {
        json.beginArray("channels");
        for (const io::BvhChannel c : input.bvh->joints[index(j)].channels)
            json.value(io::bvhChannelName(c));
        json.endArray();
    }
    json.endObject();
}

void printJson(const Input& input, const BodyFacts& body) {
    const Skeleton& s = input.skeleton;
    JsonWriter json = beginDocument();
    json.member("file", input.path)
        .member("format", formatInfo(input.format).word)
        .member("planar", s.planar())
        .member("dofs", s.dofCount());
    if (input.bvh)
        json.member("channels", input.bvh->channel_count);
    else
        json.null("channels");
    json.beginArray("clips");
    for (const Motion& m : input.motions) {
        json.beginObject()
            .member("name", m.name)
            .member("frames", m.frameCount())
            .member("frame_time", m.frameTime())
            .member("fps", 1.0 / m.frameTime())
            .member("duration", m.duration())
            .endObject();
    }
    json.endArray().beginArray("meshes");
    for (const Mesh& mesh : input.meshes) writeMesh(mesh, json);
    json.endArray();
    writeGuess(input, json);
    writeBody(s, body.roles, json);
    if (!body.scores.empty()) writeScores(body.scores, json);
    json.beginArray("joints");
    for (const JointId j : s.joints()) writeJoint(input, j, json);
    json.endArray().member("warnings", input.warnings);
    print(endDocument(json));
}

}  // namespace

namespace {

Result<BodyRoles> findRoles(const Input& input, const Pose& pose) {
    if (isSurface(formatInfo(input.format)))
        return Diagnostic{.what = "a mesh without a skeleton has no body"};
    return findBodyRoles(input.skeleton, pose, input.bodyMap());
}

// The GPUs of this machine, or a failure that says why there are none.
int showGpus(bool as_json) {
    const Result<std::vector<GpuInfo>> gpus = findGpus();
    if (!gpus) fail(kFailed, gpus.error());
    std::string text;
    JsonWriter json = beginDocument();
    json.beginArray("gpus");
    for (const GpuInfo& gpu : *gpus) {
        const std::string compute = fmt::format("{}.{}", gpu.compute_major, gpu.compute_minor);
        const std::string driver =
            fmt::format("{}.{}", gpu.driver_version / 1000, gpu.driver_version % 1000 / 10);
        text += fmt::format(
            "GPU {}: {}, {} MiB, {} multiprocessors, compute capability {}, driver "
            "of CUDA {}{}\n",
            gpu.index, gpu.name, gpu.memory >> 20U, gpu.multiprocessors, compute, driver,
            gpu.compiles ? ", NVRTC" : ", no NVRTC");
        json.beginObject()
            .member("index", gpu.index)
            .member("name", gpu.name)
            .member("memory", gpu.memory)
            .member("multiprocessors", gpu.multiprocessors)
            .member("compute", compute)
            .member("cuda", driver)
            .member("nvrtc", gpu.compiles)
            .endObject();
    }
    json.endArray();
    print(as_json ? endDocument(json) : text);
    return kDone;
}

int runInfo(const InfoOptions& options, const Common& common) {
    if (options.gpu) return showGpus(common.json);
    if (options.file.empty()) failUsage("file is required", "or --gpu, for the GPUs that are here");
    Input input = load(options.file, options.input, common);
    const Pose t_pose = tPoseOf(input, options.rest_frame);
    BodyFacts body{findRoles(input, t_pose), {}};
    if (options.natural) body.scores = scoreClips(input, t_pose);
    if (body.roles) append(body.roles->warnings, input.warnings);
    if (!options.map_out.empty()) {
        if (!body.roles) fail(kFailed, body.roles.error());
        writeOutput(options.map_out, io::writeBodyMap(mapOf(*body.roles), input.skeleton));
    }
    if (common.json)
        printJson(input, body);
    else
        printText(input, body);
    return kDone;
}

}  // namespace

void addInfo(Tool& tool, Common& common) {
    auto options = std::make_shared<InfoOptions>();
    CLI::App* verb =
        addVerb(tool, "info",
                "Show what is in a file: joints, channels, frames, meshes, unit, up axis, warnings",
                "  ulna info walk.bvh\n"
                "  ulna info walk.bvh --json\n"
                "  ulna info figure.glb --map-out figure.map.json\n"
                "  ulna info body.obj\n"
                "  ulna info --gpu\n"
                "  ulna info broken.bvh --lenient");
    addFileArgument(tool, verb, options->file,
                    "A .bvh, .glb, .gltf, .rig.json, .urdf, .xml, .obj or .ply file")
        ->required(false);
    verb->add_flag("--gpu", options->gpu, "List the NVIDIA GPUs of this machine instead");
    verb->add_flag(
        "--natural", options->natural,
        "Say how usual the poses of a human body are: how far joints are from what people "
        "would do with hands, feet, hips and head there, 1 as far as people are");
    verb->add_option("--rest-frame", options->rest_frame,
                     "The frame that is a T-pose, where the rest pose is not one: for the roles "
                     "of a body, and --natural")
        ->type_name("N");
    isOutput(tool, verb->add_option("--map-out", options->map_out,
                                    "Write the roles of the joints that were found as a map, to "
                                    "be corrected and given to --map"));
    addMapOption(tool, verb, options->input);
    addInputOptions(tool, verb, options->input);
    options->input.surfaces = true;
    tool.runs[verb] = [options, &common] { return runInfo(*options, common); };
}

}  // namespace ulna::cli
