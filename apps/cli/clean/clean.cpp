// SPDX-License-Identifier: Apache-2.0

// ulna clean: a clip without spikes, noise and sliding feet, on its floor.
#include <fmt/format.h>

#include "apps/cli/arguments.h"
#include "apps/cli/clean/report.h"
#include "apps/cli/contacts.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/character/warnings.h"

namespace ulna::cli {
namespace {

struct CleanVerb {
    std::string file, out, clip, smooth;
    InputOptions input;
    ContactFiles contacts;
    std::optional<double> floor;
    const CLI::Option* to_floor = nullptr;  // --floor, also where it has no height
    bool feet = false, spikes = false, report = false;
    std::optional<double> floor_from, most_rotation, most_move;
    std::optional<long long> rest_frame;
};

// A width in seconds, or a cutoff such as 6Hz.
double widthOf(const std::string& text) {
    std::string_view number = trimmed(text);
    const bool cutoff = number.size() > 2 && (number.ends_with("Hz") || number.ends_with("hz"));
    if (cutoff) number.remove_suffix(2);
    const double value = parseNumber(trimmed(number), "--smooth");
    constexpr double kLeast = 1e-6, kMost = 1e6;
    if (!(value >= kLeast && value <= kMost))
        failUsage("--smooth '" + text + "' is not above 0",
                  "write a width in seconds such as 0.1, or a cutoff such as 6Hz");
    return cutoff ? smoothingWidth(value) : value;
}

double positive(std::optional<double> value, const char* option) {
    if (!(*value > 0.0 && *value <= 1e100)) failUsage(std::string(option) + " must be above 0");
    return *value;
}

CleanOptions optionsOf(const CleanVerb& verb, const Input& input, std::size_t frames) {
    CleanOptions out;
    out.spikes = verb.spikes;
    out.feet = verb.feet;
    if (verb.to_floor->count() > 0) out.floor = verb.floor.value_or(0.0);
    if (verb.smooth.empty() && (verb.most_rotation || verb.most_move))
        failUsage(fmt::format("{} has no effect without --smooth",
                              verb.most_rotation ? "--smooth-rotation" : "--smooth-move"));
    if (!verb.smooth.empty()) {
        SmoothOptions smooth = usualSmoothing(input.skeleton, widthOf(verb.smooth));
        if (verb.most_rotation)
            smooth.most_rotation = radians(positive(verb.most_rotation, "--smooth-rotation"));
        if (verb.most_move) smooth.most_translation = positive(verb.most_move, "--smooth-move");
        out.smooth = smooth;
    }
    out.contact.floor = verb.floor_from;
    out.contacts = readContacts(verb.contacts, frames);
    if (out.contacts && verb.floor_from) out.contacts->floor = *verb.floor_from;
    return out;
}

Warnings saveClip(const Input& input, const Motion& motion, const std::string& path) {
    const Clip clip = motion;
    SaveContent content{.skeleton = input.skeleton,
                        .clips = std::span(&clip, 1),
                        .name = input.rig ? std::string_view(input.rig->name) : std::string_view(),
                        .robot = input.robot ? &*input.robot : nullptr};
    if (outputFormat(path).surfaces) {
        content.meshes = input.meshes;
        content.material_set = &input.material_set;
    }
    return save(content, path);
}

int run(const CleanVerb& verb, const Common& common) {
    const Input input = load(verb.file, verb.input, common);
    Warnings warnings = input.warnings;
    printWarnings(warnings);
    const Motion& motion = input.clip(verb.clip);
    if (motion.frameCount() == 0) failUsage("'" + verb.file + "' has no clip to clean");
    const CleanOptions options = optionsOf(verb, input, motion.frameCount());
    const bool changes = options.spikes || options.smooth || options.floor || options.feet;
    if (!verb.out.empty() && !changes)
        failUsage("--out is given, and no step that would change the clip",
                  "--spikes, --smooth, --floor and --feet are the steps");
    const Pose rest = restPoseOf(input, verb.rest_frame, "--rest-frame");
    ProgressBar bar("cleaning");
    const Result<CleanResult> result = cleanClip(input, motion, options, &rest, bar.callback());
    if (!result) fail(kUsage, result.error());
    if (!verb.contacts.out.empty() && !result->report.legs)
        failUsage("--contacts-out has nothing to write: no legs are recognised");
    const Warnings about = cleanWarnings(input.skeleton, options, result->report);
    printWarnings(about);
    append(about, warnings);
    if (!verb.out.empty()) {
        const Warnings lost = saveClip(input, result->motion, verb.out);
        printWarnings(lost);
        append(lost, warnings);
    }
    saveContacts(verb.contacts, result->contacts);
    const CleanRun said{input, options, *result, verb.out, std::move(warnings)};
    print(common.json ? jsonOf(said) : textOf(said, verb.report));
    return kDone;
}

}  // namespace

void addClean(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<CleanVerb>(
        tool, common, "clean",
        "Clean a clip: spikes, noise, feet that slide, a floor that is elsewhere",
        "  ulna clean walk.bvh --report\n"
        "  ulna clean walk.bvh --feet --floor --out clean.bvh\n"
        "  ulna clean take.bvh --spikes --smooth 6Hz --feet --out clean.bvh\n"
        "  ulna clean take.bvh --contacts-out take.contacts.json\n"
        "  ulna clean take.bvh --feet --contacts take.contacts.json --out clean.bvh",
        run);
    addFileArgument(tool, verb, options->file);
    addOutOption(tool, verb, options->out, "The cleaned clip");
    addClipOption(verb, options->clip);
    verb->add_flag("--spikes", options->spikes,
                   "Repair spikes: one to three frames in which a joint is somewhere else");
    verb->add_option("--smooth", options->smooth,
                     "Smooth rotations and the root without delay, over so many seconds (0.1), or "
                     "with a cutoff (6Hz)")
        ->type_name("WIDTH");
    verb->add_option("--smooth-rotation", options->most_rotation,
                     "No joint is rotated by more degrees than this by --smooth (default: 10)")
        ->type_name("DEGREES");
    verb->add_option("--smooth-move", options->most_move,
                     "Nothing is moved by more than this by --smooth (default: 2 % of the body)")
        ->type_name("LENGTH");
    options->to_floor = verb->add_option("--floor", options->floor,
                                         "Move the body so that its floor is at height H "
                                         "(default: 0), soles not below it")
                            ->expected(0, 1)
                            ->type_name("H");
    verb->add_option("--floor-from", options->floor_from,
                     "The height of the clip's floor (default: found by where slow soles are)")
        ->type_name("H");
    verb->add_flag("--feet", options->feet,
                   "Lock feet while they are in contact with the floor, with ease in and out");
    addContactFiles(tool, verb, options->contacts);
    verb->add_option("--rest-frame", options->rest_frame,
                     "Frame that stands in a T-pose with flat feet, where the rest pose does not")
        ->type_name("N");
    verb->add_flag("--report", options->report, "Print the tables of spikes and of contacts");
    addMapOption(tool, verb, options->input);
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
