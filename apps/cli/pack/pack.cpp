// SPDX-License-Identifier: Apache-2.0

// ulna pack: a clip made small for playing, and back again.
#include <fmt/format.h>

#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/character/clip.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/io/file.h"
#include "ulna/motion/pack.h"
#include "ulna/motion/packed_clip.h"
#include "ulna/skeleton/size.h"

namespace ulna::cli {
namespace {

struct PackVerbOptions {
    std::string file, clip, packed, out;
    InputOptions input;
    std::optional<double> tolerance, reach, fps;
};

constexpr std::string_view kEnding = ".ulnaclip";
// A tenth of a millimetre, and three centimetres, on a person of so many metres.
constexpr double kPerson = 1.7, kTolerance = 1e-4, kReach = 0.03;

void checkOptions(const PackVerbOptions& options) {
    const auto isLength = [](const std::optional<double>& v) {
        return !v || (*v > 0.0 && *v < 1e100);
    };
    if (!isLength(options.tolerance) || !isLength(options.reach))
        failUsage("--tolerance and --reach need a length above 0, in the unit of the file");
    if (options.fps && !(*options.fps > 0.0 && *options.fps <= 1e6))
        failUsage("--fps must be above 0 and at most 1000000");
    const bool packs = options.out.ends_with(kEnding);
    if (options.packed.empty() && !packs)
        failUsage("the output must end in .ulnaclip",
                  "'ulna convert' writes other formats; --packed FILE reads a packed clip");
    if (!options.packed.empty() && packs)
        failUsage("a packed clip is not packed again", "--out FILE with another ending unpacks it");
    if (!options.packed.empty() && (options.tolerance || options.reach || options.fps))
        failUsage("--tolerance, --reach and --fps cannot be used with --packed");
}

void writeClip(const PackedClip& clip, double ratio, JsonWriter& json) {
    json.beginObject("packed")
        .member("clip", clip.name())
        .member("frames", clip.frameCount())
        .member("frame_time", clip.frameTime())
        .member("bytes", clip.bytes().size())
        .member("ratio", ratio)
        .member("tolerance", clip.tolerance())
        .member("reach", clip.reach())
        .endObject();
}

double plainBytes(const Skeleton& skeleton, std::size_t frames) {
    std::size_t joints = 0;
    for (const JointId j : skeleton.joints()) joints += skeleton.isEndSite(j) ? 0U : 1U;
    return 40.0 * static_cast<double>(joints * frames);
}

// To a file of bytes; the ratio and the largest error are told.
PackedClip pack(const PackVerbOptions& options, const Input& input, const Common& common,
                Warnings& warnings, double& worst) {
    Motion frames = input.clip(options.clip);
    if (frames.frameCount() == 0) failUsage("the file has no clip to pack");
    const KeyedMotion* keys = input.keysOf(input.clip(options.clip));
    if (keys != nullptr) {
        const double fps = options.fps.value_or(frameRateOf(*keys));
        append(samplingWarnings(*keys, fps), warnings);
        frames = must(makeSampled(*keys, 1.0 / fps));
        append(cutWarnings(frames, keys->endTime()), warnings);
    } else if (options.fps) {
        const double duration = frames.duration();
        frames = must(resampled(frames, 1.0 / *options.fps));
        append(cutWarnings(frames, duration), warnings);
    }
    const double height = bodyHeight(input.skeleton, upAxisOf(input));
    const double size = height > 0.0 ? height : bodySize(input.skeleton);
    const double unit = size > 0.0 ? size / kPerson : 1.0;
    PackOptions how;
    how.tolerance = options.tolerance.value_or(kTolerance * unit);
    how.reach = options.reach.value_or(kReach * unit);
    how.threads = common.threads;
    ProgressBar progress("packing");
    PackedMotion packed = must(packClip(input.skeleton, frames, how, progress.callback()));
    worst = packed.report.worst_error;
    printNote(fmt::format(
        "{} frames became {} bytes: {} times fewer than ten floats per joint and "
        "frame; points {} around joints are off by {} at most",
        frames.frameCount(), packed.report.bytes, shortDecimals(packed.report.ratio(), 1),
        shortNumber(how.reach, 3), shortNumber(worst, 3)));
    return std::move(packed.clip);
}

int run(const PackVerbOptions& options, const Common& common) {
    checkOptions(options);
    Input input = load(options.file, options.input, common);
    printWarnings(input.warnings);
    Warnings about;
    std::optional<PackedClip> clip;
    double worst = 0.0;
    if (options.packed.empty()) {
        clip = pack(options, input, common, about, worst);
        writeOutput(options.out, clip->bytes());
    } else {
        auto bytes = std::make_shared<io::FileBytes>(must(io::readFile(options.packed)));
        Result<PackedClip> read = PackedClip::read(bytes->view(), input.skeleton, bytes);
        if (!read) {
            Diagnostic wrong = read.error();
            wrong.location.file = options.packed;
            fail(kBadInput, std::move(wrong));
        }
        clip = *std::move(read);
        const Clip frames = unpacked(*clip);
        append(save({.skeleton = input.skeleton,
                     .clips = {&frames, 1},
                     .meshes = input.meshes,
                     .material_set = &input.material_set,
                     .name = input.rig ? std::string_view(input.rig->name) : std::string_view()},
                    options.out),
               about);
    }
    printWarnings(about);
    if (common.json) {
        Warnings warnings = input.warnings;
        append(about, warnings);
        JsonWriter json = beginDocument();
        json.member("input", options.file).member("output", options.out);
        writeClip(*clip,
                  plainBytes(input.skeleton, clip->frameCount()) /
                      static_cast<double>(clip->bytes().size()),
                  json);
        if (options.packed.empty())
            json.member("worst_error", worst);
        else
            json.null("worst_error");
        json.member("warnings", warnings);
        print(endDocument(json));
    }
    return kDone;
}

}  // namespace

void addPack(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<PackVerbOptions>(
        tool, common, "pack", "Make a clip small for playing, and unpack it again",
        "  ulna pack walk.bvh --out walk.ulnaclip\n"
        "  ulna pack walk.bvh --tolerance 0.0005 --fps 30 --out walk.ulnaclip --json\n"
        "  ulna pack walk.bvh --packed walk.ulnaclip --out again.glb",
        run);
    addFileArgument(tool, verb, options->file,
                    "A .bvh, .glb, .gltf or .rig.json file: the skeleton, and the clip where there "
                    "is no --packed");
    CLI::Option* packed = isFile(
        tool, verb->add_option("--packed", options->packed, "A packed clip to write as --out"));
    verb->add_option("--tolerance", options->tolerance,
                     "How far a point may be off (default: 0.1 mm on a person of 1.7 m)")
        ->type_name("LENGTH");
    verb->add_option("--reach", options->reach,
                     "How far from each joint points are measured (default: 3 cm on a person)")
        ->type_name("LENGTH");
    verb->add_option("--fps", options->fps, "Frames per second to pack (default: the clip's own)")
        ->type_name("N");
    addClipOption(verb, options->clip)->excludes(packed);
    addOutOption(tool, verb, options->out, "A .ulnaclip file; with --packed, any file of a clip")
        ->required();
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
