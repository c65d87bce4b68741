// SPDX-License-Identifier: Apache-2.0

// ulna skin: the mesh as it is in a pose, at one moment or at many.
#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "apps/cli/sequence.h"
#include "apps/cli/surface.h"
#include "ulna/core/text.h"
#include "ulna/io/point_cache.h"

namespace ulna::cli {
namespace {

struct SkinVerb {
    std::string file, out;
    InputOptions input;
    FrameOptions frames;
    SurfaceOptions surface;
};

// The run of # in the name of a file, which stands for the number of a frame.
struct Marks {
    std::size_t begin = std::string::npos, count = 0;
};

Marks findMarks(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    const std::size_t begin = path.find('#', name);
    if (begin == std::string::npos) return {};
    const std::size_t end = std::min(path.find_first_not_of('#', begin), path.size());
    if (path.find('#', end) != std::string::npos)
        failUsage("'" + path +
                  "' has more than one run of #; only one can stand for the frame number");
    return {begin, end - begin};
}

std::string numberedPath(const std::string& path, const Marks& marks, std::size_t number) {
    if (marks.count == 0) return path;
    return path.substr(0, marks.begin) + fmt::format("{:0{}}", number, marks.count) +
           path.substr(marks.begin + marks.count);
}

// A name for each moment, by its frame or its index in the list, where the names must differ.
std::vector<std::string> nameOutputs(const std::string& out, const std::vector<Moment>& moments) {
    const Marks marks = findMarks(out);
    if (moments.size() > 1 && marks.count == 0) {
        const std::string name = out.substr(0, out.rfind('.'));
        failUsage(fmt::format("{} frames need a file each", moments.size()),
                  "put # where the frame number goes, such as " + name + "-####" +
                      out.substr(name.size()));
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < moments.size(); ++i)
        names.push_back(numberedPath(out, marks, moments[i].frame.value_or(i)));
    return names;
}

bool isCache(const std::string& path) {
    return lowerCase(path).ends_with(".pc2");
}

void checkOutput(const SkinVerb& options) {
    if (!isCache(options.out)) {
        if (!outputFormat(options.out).surfaces)
            failUsage("'" + options.out + "' cannot hold a mesh",
                      "write .obj, .ply, .glb, .gltf or .pc2");
    }
}

void saveMeshes(const std::vector<Mesh>& meshes, const io::MaterialSet& material_set,
                const std::string& path) {
    const Skeleton nothing;  // posed, they are tied to no joint
    static_cast<void>(must(saveCharacter(
        {.skeleton = nothing, .meshes = meshes, .material_set = &material_set}, path)));
}

io::PointCacheWriter startCache(const std::string& path, const Input& input,
                                const std::vector<std::size_t>& chosen,
                                const std::vector<Moment>& moments) {
    io::PointCacheHeader header{.sample_count = moments.size()};
    for (const std::size_t i : chosen) header.point_count += input.meshes[i].positions.size();
    header.start = static_cast<double>(moments.front().frame.value_or(0));
    return must(io::PointCacheWriter::create(path, header));
}

void printJson(const SkinVerb& options, const Input& input, const std::vector<std::size_t>& chosen,
               const std::vector<std::string>& tied, const std::vector<Moment>& moments,
               const std::vector<std::string>& names) {
    JsonWriter json = beginDocument();
    json.member("input", options.file)
        .member("blend", options.surface.blend)
        .member("twist", options.surface.twist)
        .beginArray("meshes");
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const Mesh& mesh = input.meshes[chosen[i]];
        json.beginObject()
            .member("name", mesh.name)
            .member("vertices", mesh.positions.size())
            .member("triangles", mesh.indices.size() / 3)
            .member("weights", tied[i])
            .endObject();
    }
    json.endArray().beginArray("outputs");
    for (std::size_t i = 0; i < names.size(); ++i) {
        json.beginObject().member("file", names[i]).member("frame", moments[i].frame);
        if (moments[i].rest)
            json.null("time");
        else
            json.member("time", moments[i].time);
        json.endObject();
    }
    json.endArray().member("warnings", input.warnings);
    print(endDocument(json));
}

int run(const SkinVerb& options, const Common& common) {
    checkOutput(options);
    Input input = load(options.file, options.input, common);
    takeMesh(options.surface, options.input, common, input);
    printWarnings(input.warnings);
    const std::vector<std::size_t> chosen = chooseMeshes(input, options.surface);
    const Motion& motion = input.clip(options.frames.clip);
    const std::vector<Moment> moments = chooseMoments(input, motion, options.frames);
    const bool cache = isCache(options.out);
    const std::vector<std::string> names =
        cache ? std::vector(moments.size(), options.out) : nameOutputs(options.out, moments);
    if (!cache) {
        std::vector<std::string> once = names;  // a frame may be asked for twice
        std::sort(once.begin(), once.end());
        once.erase(std::unique(once.begin(), once.end()), once.end());
        checkOutputs(common, once);
    }
    const std::vector<std::string> tied = tieMeshes(chosen, options.surface, common, input);
    const DeformOptions deform = deformOptions(options.surface, common);
    const std::vector<TwistBone> twists = twistBones(options.surface, input);
    std::optional<io::PointCacheWriter> writer;
    if (cache) writer.emplace(startCache(options.out, input, chosen, moments));
    FileSequence files(cache ? std::vector<std::string>{} : names);
    ProgressBar progress("skin");
    for (std::size_t i = 0; i < moments.size(); ++i) {
        const std::vector<Mesh> posed =
            posedMeshes(input, chosen, poseAt(input, motion, moments[i]), deform, twists);
        if (writer)
            writer->add(joinedMeshes(posed).positions);
        else
            saveMeshes(posed, input.material_set, files.pathToWrite(i));
        progress.update(static_cast<double>(i + 1) / static_cast<double>(moments.size()));
    }
    if (writer) must(writer->finish());
    files.finish();
    if (common.json) printJson(options, input, chosen, tied, moments, names);
    return kDone;
}

}  // namespace

void addSkin(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<SkinVerb>(
        tool, common, "skin",
        "Write the mesh in a pose: of one frame, or a file for each of several frames",
        "  ulna skin walk.glb --time 0.5 --out walk.obj\n"
        "  ulna skin walk.glb --all --out frames/walk-####.ply\n"
        "  ulna skin walk.glb --all --out walk.pc2\n"
        "  ulna skin walk.glb --frame 12 --blend dual-quaternion --out posed.glb\n"
        "  ulna skin walk.bvh --mesh body.obj --frame 12 --out posed.obj",
        run);
    addFileArgument(tool, verb, options->file);
    addOutOption(tool, verb, options->out,
                 "The .obj, .ply, .glb or .gltf file to write; # in its name "
                 "stands for the frame number. A .pc2 file holds all frames")
        ->required();
    addFrameOptions(verb, options->frames);
    addSurfaceOptions(tool, verb, options->surface);
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
