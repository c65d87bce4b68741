// SPDX-License-Identifier: Apache-2.0

// ulna convert: from one format to another, with other units, axes, orders and rates when asked.
#include <fmt/format.h>

#include "apps/cli/input.h"
#include "apps/cli/output.h"
#include "ulna/draw/figure.h"
#include "ulna/io/csv.h"
#include "ulna/io/file.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/motion/units.h"

namespace ulna::cli {
namespace {

struct ConvertOptions {
    std::string in, out;
    InputOptions input;
    std::string clip;
    std::optional<double> fps;
    std::optional<double> scale;
    std::string order;
    std::string up;
    std::string from_up;
    std::string csv = "positions";
    bool root_only_positions = false;
};

void checkNumbers(const ConvertOptions& options) {
    if (options.fps && !(*options.fps > 0.0 && *options.fps <= 1e6))
        failUsage("--fps must be above 0 and at most 1000000");
    if (options.scale && !(*options.scale > 0.0 && *options.scale < 1e12))
        failUsage("--scale must be above 0");
}

// A BVH whose lengths alone change keeps its channels and angles to the bit.
void scaleBvh(io::BvhFile& file, double factor) {
    std::vector<bool> is_length;
    for (io::BvhJoint& joint : file.joints) {
        joint.offset *= factor;
        for (const io::BvhChannel c : joint.channels) is_length.push_back(!io::isRotation(c));
    }
    for (std::size_t i = 0; i < file.values.size(); ++i) {
        if (is_length[i % is_length.size()]) file.values[i] *= factor;
    }
}

// The input's skeleton and the clip to write, in the units, axes and rate asked for.
struct Content {
    Skeleton skeleton;
    Motion motion;
};

Content prepare(const Input& input, const ConvertOptions& options) {
    Content out{input.skeleton, input.clip(options.clip)};
    if (options.scale) {
        out.skeleton = scaledSkeleton(out.skeleton, *options.scale);
        out.motion = scaledMotion(out.motion, *options.scale);
    }
    if (!options.up.empty()) {
        std::string from = options.from_up;
        if (from.empty()) {
            from = draw::guessUpAxis(input.skeleton) == draw::UpAxis::Z ? "z" : "y";
            printNote("the input's up axis is taken to be " + from + "; --from-up says otherwise");
        }
        if (input.skeleton.planar() && from != options.up)
            failUsage("a planar skeleton has no other up axis");
        if (from != options.up) {
            // y up to z up is a quarter turn about x; back is the same turn the other way.
            const Quat turn = quatAboutAxis(0, options.up == "z" ? kPi / 2.0 : -kPi / 2.0);
            out.motion = turnedMotion(out.skeleton, out.motion, turn);
            out.skeleton = turnedSkeleton(out.skeleton, turn);
        }
    }
    if (options.fps) out.motion = resampled(out.motion, 1.0 / *options.fps);
    return out;
}

void write(const Status& status) {
    if (!status) fail(kFailed, status.error());
}

Warnings writeBvhFile(const Input& input, const ConvertOptions& options) {
    ProgressBar progress("writing");
    const bool same_meaning =
        options.order.empty() && options.up.empty() && !options.fps && !options.root_only_positions;
    if (input.bvh && same_meaning) {
        io::BvhFile file = *input.bvh;
        if (options.scale) scaleBvh(file, *options.scale);
        write(io::saveBvh(file, options.out, progress.callback()));
        return {};
    }
    const Content content = prepare(input, options);
    io::BvhWriteOptions how;
    how.root_only_positions = options.root_only_positions;
    if (!options.order.empty()) how.order = eulerOrderFromName(options.order);
    const io::BvhFile file = io::makeBvh(content.skeleton, content.motion, how);
    write(io::saveBvh(file, options.out, progress.callback()));
    return file.warnings;
}

Warnings writeRigFile(const Input& input, const ConvertOptions& options) {
    Warnings warnings;
    Content content = prepare(input, options);
    if (!options.order.empty()) {
        std::vector<JointDef> joints(content.skeleton.definitions().begin(),
                                     content.skeleton.definitions().end());
        for (JointDef& joint : joints) joint.order = *eulerOrderFromName(options.order);
        content.skeleton = *makeSkeleton(std::move(joints), {.planar = content.skeleton.planar()});
    }
    io::RigFile rig;
    rig.skeleton = content.skeleton;
    if (input.rig) rig.name = input.rig->name;
    if (content.motion.frameCount() > 0) {
        DofClipFit fit = computeDofClip(content.skeleton, content.motion);
        // Beyond rounding of the numbers themselves.
        constexpr double kNoticeable = 1e-9;
        const auto lost = [&](double residual, JointId joint, const char* what) {
            if (residual <= kNoticeable) return;
            warnings.push_back(
                {fmt::format("degrees of freedom cannot hold the {}; up to {:.3g} is left out",
                             what, residual),
                 {},
                 content.skeleton.name(joint),
                 {}});
        };
        lost(fit.worst.translation_residual, fit.worst.translation_joint, "stretch of a joint");
        lost(fit.worst.rotation_residual, fit.worst.rotation_joint, "rotation of a joint");
        lost(fit.worst.scale_residual, fit.worst.scale_joint, "scale of a joint");
        rig.clips.push_back(std::move(fit.clip));
    }
    if (input.motions.size() > 1) {
        warnings.push_back(
            {fmt::format("one clip of {} is written; --clip chooses it", input.motions.size()),
             {},
             {},
             {}});
    }
    write(io::saveRig(rig, options.out));
    return warnings;
}

Warnings writeCsvFile(const Input& input, const ConvertOptions& options) {
    const Content content = prepare(input, options);
    const io::CsvContent what = options.csv == "rotations" ? io::CsvContent::Rotations
                                : options.csv == "dofs"    ? io::CsvContent::Dofs
                                                           : io::CsvContent::Positions;
    Result<io::AtomicFile> file = io::AtomicFile::create(options.out);
    if (!file) fail(kFailed, file.error());
    io::writeCsv(content.skeleton, content.motion, what, [&](std::string_view piece) {
        file->write(piece);
        return true;
    });
    write(file->finish());
    return {};
}

int run(const ConvertOptions& options, const Common& common) {
    checkNumbers(options);
    const Format target = formatOf(options.out);
    const Input input = load(options.in, options.input, common);
    printWarnings(input.warnings);
    Warnings warnings;
    switch (target) {
        case Format::Bvh:
            warnings = writeBvhFile(input, options);
            break;
        case Format::Rig:
            warnings = writeRigFile(input, options);
            break;
        case Format::Csv:
            warnings = writeCsvFile(input, options);
            break;
    }
    printWarnings(warnings);
    if (common.json) {
        Warnings all = input.warnings;
        all.insert(all.end(), warnings.begin(), warnings.end());
        print(fmt::format("{{\"ulna\":1,\"input\":{},\"output\":{},\"warnings\":{}}}\n",
                          jsonString(options.in), jsonString(options.out), jsonWarnings(all)));
    }
    return kDone;
}

}  // namespace

void addConvert(Tool& tool, Common& common) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* verb = addVerb(tool, common, "convert",
                             "Convert between formats, units, axes, rotation orders and rates",
                             "  ulna convert walk.bvh walk.rig.json\n"
                             "  ulna convert walk.bvh walk.csv\n"
                             "  ulna convert walk.bvh metres.bvh --scale 0.01\n"
                             "  ulna convert walk.bvh blender.bvh --up z --order xyz --fps 60");
    isFile(tool, verb->add_option("in", options->in, "A .bvh or .rig.json file")->required());
    isFile(tool, verb->add_option("out", options->out, "A .bvh, .rig.json or .csv file to write")
                     ->required());
    verb->add_option("--fps", options->fps,
                     "Frames per second of the result; rotations are slerped")
        ->type_name("N");
    verb->add_option("--scale", options->scale, "Factor for every length")->type_name("F");
    std::vector<std::string> orders;
    for (const EulerOrder order : kAllEulerOrders) orders.emplace_back(eulerOrderName(order));
    oneOf(tool, verb->add_option("--order", options->order, "Rotation order of every joint"),
          orders);
    oneOf(tool, verb->add_option("--up", options->up, "Up axis of the result"), {"y", "z"});
    oneOf(tool,
          verb->add_option("--from-up", options->from_up,
                           "Up axis of the input, where the guess is wrong"),
          {"y", "z"});
    oneOf(tool,
          verb->add_option(
              "--csv", options->csv,
              "What a CSV holds: model positions (default), quaternions, or degrees of freedom"),
          {"positions", "rotations", "dofs"});
    verb->add_flag("--root-only-positions", options->root_only_positions,
                   "BVH position channels on the roots alone");
    verb->add_option("--clip", options->clip, "Which clip, where a file has several")
        ->type_name("NAME");
    addInputOptions(tool, verb, options->input);
    tool.runs[verb] = [options, &common] { return run(*options, common); };
}

}  // namespace ulna::cli
