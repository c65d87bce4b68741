// SPDX-License-Identifier: Apache-2.0

// ulna convert: from one format to another, with other units, axes, orders and rates when asked.
#include <fmt/format.h>

#include "apps/cli/input.h"
#include "apps/cli/output.h"
#include "apps/cli/residual.h"
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
    std::string csv;
    bool root_only_positions = false;
};

// Options that would say nothing about this conversion are refused rather than ignored.
void checkOptions(const ConvertOptions& options, Format target) {
    if (options.fps && !(*options.fps > 0.0 && *options.fps <= 1e6)) {
        failUsage("--fps must be above 0 and at most 1000000");
    }
    if (options.scale && !(*options.scale > 0.0 && *options.scale < 1e12))
        failUsage("--scale must be above 0");
    if (!options.from_up.empty() && options.up.empty()) failUsage("--from-up needs --up");
    if (!options.csv.empty() && target != Format::Csv) failUsage("--csv is for .csv files");
    if (options.root_only_positions && target != Format::Bvh)
        failUsage("--root-only-positions is for .bvh files");
    if (!options.order.empty() && target == Format::Csv)
        failUsage("--order is for .bvh and .rig.json files");
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

template <class T>
T must(Result<T> result) {
    if (!result) fail(kFailed, result.error());
    return *std::move(result);
}

// The turn from the input's up axis to the one asked for, if any.
std::optional<Quat> upTurn(const Input& input, const ConvertOptions& options) {
    if (options.up.empty()) return std::nullopt;
    std::string from = options.from_up;
    if (from.empty()) {
        from = draw::guessUpAxis(input.skeleton) == draw::UpAxis::Z ? "z" : "y";
        printNote("the input's up axis is taken to be " + from + "; --from-up says otherwise");
    }
    if (from == options.up) return std::nullopt;
    if (input.skeleton.planar()) failUsage("a planar skeleton has no other up axis");
    // y up to z up is a quarter turn about x; back is the same turn the other way.
    return quatAboutAxis(0, options.up == "z" ? kPi / 2.0 : -kPi / 2.0);
}

// The input's skeleton and the clips to write, in the units, axes and rate asked for.
struct Content {
    Skeleton skeleton;
    std::vector<Motion> motions;
};

Content prepare(const Input& input, const ConvertOptions& options) {
    Content out{input.skeleton, {}};
    if (!options.clip.empty())
        out.motions.push_back(input.clip(options.clip));
    else
        out.motions = input.motions;
    const std::optional<Quat> turn = upTurn(input, options);
    for (Motion& motion : out.motions) {
        if (options.scale) motion = scaledMotion(motion, *options.scale);
        if (turn) motion = turnedMotion(out.skeleton, motion, *turn);
        if (options.fps) motion = must(resampled(motion, 1.0 / *options.fps));
    }
    if (options.scale) out.skeleton = must(scaledSkeleton(out.skeleton, *options.scale));
    if (turn) out.skeleton = turnedSkeleton(out.skeleton, *turn);
    return out;
}

// The one clip of a format that holds one.
Motion onlyClip(const Content& content, Warnings& warnings) {
    if (content.motions.size() > 1) {
        warnings.push_back(
            {fmt::format("one clip of {} is written; --clip chooses it", content.motions.size()),
             {},
             content.motions[0].name,
             {}});
    }
    return content.motions.empty() ? Motion{} : content.motions[0];
}

Warnings writeBvhFile(const Input& input, const ConvertOptions& options) {
    if (input.skeleton.jointCount() == 0)
        fail(kFailed, {"a BVH file has at least one joint", {}, {}, {}});
    ProgressBar progress("converting");
    const bool same_meaning = options.order.empty() && options.up.empty() && !options.fps &&
                              !options.root_only_positions &&
                              options.input.position_channels == "replace";
    if (input.bvh && same_meaning) {
        io::BvhFile file = *input.bvh;
        if (options.scale) scaleBvh(file, *options.scale);
        must(io::saveBvh(file, options.out, progress.callback()));
        return {};
    }
    const Content content = prepare(input, options);
    io::BvhWriteOptions how;
    how.root_only_positions = options.root_only_positions;
    if (!options.order.empty()) how.order = eulerOrderFromName(options.order);
    Warnings warnings;
    const Motion motion = onlyClip(content, warnings);
    const io::BvhFile file = io::makeBvh(content.skeleton, motion, how, progress.callback());
    warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
    must(io::saveBvh(file, options.out));
    return warnings;
}

// The same joints with another rotation order. Limits on angles belong to the order they were
// stated in, so they are dropped where it changes.
Skeleton reordered(const Skeleton& skeleton, EulerOrder order, Warnings& warnings) {
    WarningCollector dropped;
    std::vector<JointDef> joints(skeleton.definitions().begin(), skeleton.definitions().end());
    for (JointDef& joint : joints) {
        const bool ball =
            joint.kind == JointKind::Ball || (joint.kind == JointKind::Free && !skeleton.planar());
        if (!ball || (joint.order == order && joint.coordinates == BallCoordinates::Euler))
            continue;
        joint.order = order;
        joint.coordinates = BallCoordinates::Euler;
        bool bounded = false;
        for (std::size_t i = joint.kind == JointKind::Free ? 3 : 0;
             i < dofCountOf(joint.kind, false); ++i) {
            bounded = bounded || joint.limits[i].bounded();
            joint.limits[i] = {};
        }
        if (bounded && dropped.isFirst("limits")) {
            dropped.keep(
                {"limits on angles are dropped where the order changes", {}, joint.name, {}});
        }
    }
    for (Diagnostic& warning : dropped.take()) warnings.push_back(std::move(warning));
    return must(makeSkeleton(std::move(joints), {.planar = skeleton.planar()}));
}

// A rig's own clips, to the number: only lengths change with the scale, and a turned model has the
// same degrees of freedom.
std::vector<DofClip> ownClips(const Input& input, const ConvertOptions& options) {
    std::vector<DofClip> out;
    for (const DofClip& clip : input.rig->clips) {
        if (!options.clip.empty() && clip.name != options.clip) continue;
        out.push_back(clip);
        for (DofVector& frame : out.back().frames) {
            for (std::size_t d = 0; options.scale && d < frame.size(); ++d) {
                if (!input.skeleton.isAngle(d)) frame[d] *= *options.scale;
            }
        }
    }
    return out;
}

Warnings writeRigFile(const Input& input, const ConvertOptions& options) {
    Warnings warnings;
    ProgressBar progress("converting");
    Content content = prepare(input, options);
    if (!options.order.empty()) {
        content.skeleton =
            reordered(content.skeleton, *eulerOrderFromName(options.order), warnings);
    }
    io::RigFile rig;
    rig.skeleton = content.skeleton;
    if (input.rig) rig.name = input.rig->name;
    if (input.rig && !options.fps && options.order.empty()) {
        rig.clips = ownClips(input, options);
    } else {
        for (const Motion& motion : content.motions) {
            DofClipFit fit = computeDofClip(content.skeleton, motion, {}, progress.callback());
            warnAboutResidual(content.skeleton, fit.worst, warnings);
            rig.clips.push_back(std::move(fit.clip));
        }
    }
    must(io::saveRig(rig, options.out));
    return warnings;
}

Warnings writeCsvFile(const Input& input, const ConvertOptions& options) {
    Warnings warnings;
    ProgressBar progress("converting");
    const Content content = prepare(input, options);
    const Motion motion = onlyClip(content, warnings);
    const io::CsvContent what = options.csv == "rotations" ? io::CsvContent::Rotations
                                : options.csv == "dofs"    ? io::CsvContent::Dofs
                                                           : io::CsvContent::Positions;
    if (what == io::CsvContent::Dofs) {
        warnAboutResidual(content.skeleton, computeDofClip(content.skeleton, motion).worst,
                          warnings);
    }
    io::AtomicFile file = must(io::AtomicFile::create(options.out));
    const auto sink = [&](std::string_view piece) {
        file.write(piece);
        return true;
    };
    io::writeCsv(content.skeleton, motion, what, sink, progress.callback());
    must(file.finish());
    return warnings;
}

int run(const ConvertOptions& options, const Common& common) {
    const Format target = outputFormat(options.out);
    checkOptions(options, target);
    const Input input = load(options.in, options.input, common);
    if (!options.clip.empty())
        static_cast<void>(input.clip(options.clip));  // fails when it is not there
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
