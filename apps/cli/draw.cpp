// SPDX-License-Identifier: Apache-2.0

// ulna draw: a picture of a pose, a strip of frames, or the curves of a joint.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/curve_options.h"
#include "apps/cli/input.h"
#include "apps/cli/output.h"
#include "ulna/core/text.h"
#include "ulna/draw/curves.h"
#include "ulna/draw/figure.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

struct DrawOptions {
    std::string file, out;
    InputOptions input;
    FrameOptions frames;
    std::size_t strip = 0;
    std::string view = "three-quarter";
    std::string up;
    bool names = false;
    double height = 640.0;
    std::string curves, keys;
    CurveOptions curve;
};

// So many figures still make a picture; more would be a page nobody can open.
constexpr std::size_t kMostFigures = 200;

// `count` frames from the first to the last, or all of them where there are fewer.
std::vector<Moment> evenly(const Motion& motion, std::size_t count) {
    std::vector<Moment> out;
    count = std::min(count, motion.frameCount());
    const double last = static_cast<double>(motion.frameCount()) - 1.0;
    for (std::size_t i = 0; i < count; ++i) {
        const double t = count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
        const auto frame = static_cast<std::size_t>(std::lround(t * last));
        out.push_back({frame, motion.timeOf(frame), false});
    }
    return out;
}

std::string caption(const Moment& moment) {
    if (moment.rest) return "rest pose";
    return moment.frame ? fmt::format("frame {}", *moment.frame)
                        : fmt::format("{:.3f} s", moment.time);
}

std::string drawCurvesOf(const Input& input, const Motion& motion, const DrawOptions& options) {
    const JointId joint = input.skeleton.find(options.curves);
    if (joint == JointId::None)
        failUsage("there is no joint '" + options.curves + "'",
                  suggestNames(options.curves, input.skeleton.names()));
    if (options.keys.empty() && motion.frameCount() == 0)
        failUsage("the file has no clip to draw curves of");
    const KeyedMotion keyed = chooseKeys(input, motion, options.keys, options.curve);
    const std::string title =
        options.curves + (keyed.name.empty() ? "" : " in '" + keyed.name + "'");
    return draw::drawCurves(input.skeleton, keyed, joint,
                            {.title = title, .height = options.height / 2.0});
}

int run(const DrawOptions& options, const Common& common) {
    if (!(options.height >= 100.0 && options.height <= 10000.0))
        failUsage("--height must be 100 to 10000");
    const bool to_stdout = options.out.empty() || options.out == "-";
    if (common.json && to_stdout) failUsage("--json needs --out for the picture");
    if (!to_stdout && !lowerCase(options.out).ends_with(".svg") &&
        options.out.rfind("/dev/", 0) != 0) {
        failUsage("the picture is SVG; '" + options.out + "' should end in .svg");
    }
    if (options.strip > kMostFigures)
        failUsage(fmt::format("--strip takes at most {}", kMostFigures));
    const Input input = load(options.file, options.input, common);
    printWarnings(input.warnings);
    const Motion& motion = input.clip(options.frames.clip);
    if (!options.curves.empty()) {
        writeOutput(options.out, drawCurvesOf(input, motion, options));
        if (common.json)
            print(fmt::format(
                "{{\"ulna\":1,\"input\":{},\"output\":{},\"curves\":{},\"warnings\":{}}}\n",
                jsonString(options.file), jsonString(options.out), jsonString(options.curves),
                jsonWarnings(input.warnings)));
        return kDone;
    }
    std::vector<Moment> moments;
    if (options.strip > 0 && motion.frameCount() > 0)
        moments = evenly(motion, options.strip);
    else
        moments = chooseMoments(input, motion, options.frames);
    if (moments.size() > kMostFigures) {
        failUsage(fmt::format("{} frames are too many for one picture", moments.size()),
                  "--strip N draws N of them");
    }
    std::vector<draw::FigurePose> poses;
    for (const Moment& moment : moments) {
        poses.push_back(
            {computeModelPose(input.skeleton, poseAt(input, motion, moment)), caption(moment)});
    }
    draw::FigureOptions how;
    how.view = options.view == "front"  ? draw::View::Front
               : options.view == "side" ? draw::View::Side
                                        : draw::View::ThreeQuarter;
    if (input.skeleton.planar()) how.view = draw::View::Front;
    how.up = options.up == "z"   ? draw::UpAxis::Z
             : options.up == "y" ? draw::UpAxis::Y
                                 : upAxisOf(input);
    how.names = options.names;
    how.height = options.height;
    how.title = input.path.substr(input.path.rfind('/') + 1);
    const std::string svg = draw::drawFigures(input.skeleton, poses, how);
    writeOutput(options.out, svg);
    if (common.json) {
        print(
            fmt::format("{{\"ulna\":1,\"input\":{},\"output\":{},\"figures\":{},\"up\":\"{}\","
                        "\"warnings\":{}}}\n",
                        jsonString(options.file), jsonString(options.out), poses.size(),
                        how.up == draw::UpAxis::Z ? "z" : "y", jsonWarnings(input.warnings)));
    }
    return kDone;
}

}  // namespace

void addDraw(Tool& tool, Common& common) {
    auto options = std::make_shared<DrawOptions>();
    CLI::App* verb = addVerb(tool, common, "draw",
                             "An SVG picture of a pose, a strip of frames, or a joint's curves",
                             "  ulna draw walk.bvh --out walk.svg\n"
                             "  ulna draw walk.bvh --strip 8 --view side --out strip.svg\n"
                             "  ulna draw walk.bvh --frame 12 --names --out named.svg\n"
                             "  ulna draw walk.glb --curves LeftArm --out curves.svg");
    isFile(tool, verb->add_option("file", options->file, "A .bvh, .glb, .gltf or .rig.json file")
                     ->required());
    isFile(tool,
           verb->add_option("--out,-o", options->out, "The picture to write; stdout without it"));
    CLI::Option* strip =
        verb->add_option("--strip", options->strip, "So many frames, evenly spread over the clip")
            ->type_name("N");
    oneOf(
        tool,
        verb->add_option("--view", options->view, "Where it is seen from (default three-quarter)"),
        {"front", "side", "three-quarter"});
    oneOf(tool, verb->add_option("--up", options->up, "Which axis is up, where the guess is wrong"),
          {"y", "z"});
    verb->add_flag("--names", options->names, "Write the joints' names");
    verb->add_option("--height", options->height, "Height of the picture in pixels (default 640)")
        ->type_name("PX");
    addFrameOptions(verb, options->frames);
    CLI::Option* curves =
        verb->add_option("--curves", options->curves,
                         "This joint's angles and offset over time, with the keys, instead")
            ->type_name("JOINT")
            ->excludes(strip);
    for (const char* other : {"--frame", "--frames", "--times", "--all", "--rest"}) {
        strip->excludes(verb->get_option(other));
        curves->excludes(verb->get_option(other));
    }
    isFile(tool, verb->add_option("--keys", options->keys,
                                  "A .json or .csv file with the keys to draw the curves of"))
        ->needs(curves)
        ->excludes(verb->get_option("--clip"));
    addCurveOptions(tool, verb, options->curve);
    for (const char* other : {"--interpolation", "--ends", "--outside"})
        verb->get_option(other)->needs(curves);
    for (const char* other : {"--view", "--up", "--names"})
        curves->excludes(verb->get_option(other));
    addInputOptions(tool, verb, options->input);
    tool.runs[verb] = [options, &common] { return run(*options, common); };
}

}  // namespace ulna::cli
