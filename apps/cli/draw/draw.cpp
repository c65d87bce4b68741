// SPDX-License-Identifier: Apache-2.0

// ulna draw: a picture of a pose, a strip of frames, the curves of a joint, or a clip as an
// animation. SVG shows bones, PNG and WebP the shaded mesh, or shaded bones where there is no mesh.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/arguments.h"
#include "apps/cli/draw/animation.h"
#include "apps/cli/draw/curve_options.h"
#include "apps/cli/draw/picture.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "ulna/core/text.h"
#include "ulna/draw/bone_mesh.h"
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
    PictureOptions picture;
    AnimationOptions animation;
    bool names = false;
    std::string curves, keys;
    CurveOptions curve;
    SurfaceOptions surface;
    std::string joint;
};

constexpr double kHeight = 640.0;

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
    const JointId joint = findJoint(input.skeleton, options.curves, "--curves");
    if (options.keys.empty() && motion.frameCount() == 0)
        failUsage("the file has no clip to draw curves of");
    const KeyedMotion keyed = chooseKeys(input, motion, options.keys, options.curve);
    const std::string title =
        options.curves + (keyed.name.empty() ? "" : " in '" + keyed.name + "'");
    return draw::drawCurves(
        input.skeleton, keyed, joint,
        {.title = title, .height = options.picture.height.value_or(kHeight) / 2.0});
}

// Whether a clip is drawn as an animation: nothing was said that chooses frames.
bool isAnimation(const DrawOptions& options) {
    const FrameOptions& frames = options.frames;
    return isWebp(options.out) && options.strip == 0 && !frames.frame && frames.frames.empty() &&
           frames.times.empty() && !frames.rest;
}

void checkOptions(const DrawOptions& options, const Common& common) {
    const double height = options.picture.height.value_or(kHeight);
    if (!(height >= 100.0 && height <= 10000.0)) failUsage("--height must be 100 to 10000");
    const bool to_stdout = options.out.empty() || options.out == "-";
    if (common.json && to_stdout) failUsage("--json needs --out for the picture");
    const bool shaded = isShaded(options.out);
    if (!to_stdout && !shaded && !lowerCase(options.out).ends_with(".svg") &&
        options.out.rfind("/dev/", 0) != 0) {
        failUsage("pictures are SVG, PNG or WebP; '" + options.out +
                  "' should end in .svg, .png or .webp");
    }
    if (shaded && (options.names || !options.curves.empty()))
        failUsage("--names and --curves are drawn as SVG", "end the picture's name in .svg");
    if (options.animation.any() && !isAnimation(options))
        failUsage("--fps and --loops are of animations",
                  "--out with a name that ends in .webp, and neither --strip nor frames");
    if (!shaded && (!options.joint.empty() || !options.surface.mesh.empty() ||
                    !options.surface.mesh_name.empty() || options.picture.transparent ||
                    options.surface.weights != "auto" || options.surface.blend != "linear" ||
                    options.surface.twist != "joint"))
        failUsage("meshes are drawn as PNG or WebP",
                  "--out with a name that ends in .png or .webp");
    if (options.strip > kMostFigures)
        failUsage(fmt::format("--strip takes at most {}", kMostFigures));
}

std::vector<Moment> momentsOf(const Input& input, const Motion& motion,
                              const DrawOptions& options) {
    std::vector<Moment> out = options.strip > 0 && motion.frameCount() > 0
                                  ? evenly(motion, options.strip)
                                  : chooseMoments(input, motion, options.frames);
    if (out.size() > kMostFigures) {
        failUsage(fmt::format("{} frames are too many for one picture", out.size()),
                  "--strip N draws N of them");
    }
    return out;
}

std::string drawBones(const Input& input, const Motion& motion, const std::vector<Moment>& moments,
                      const DrawOptions& options) {
    std::vector<draw::FigurePose> poses;
    for (const Moment& moment : moments) {
        poses.push_back(
            {computeModelPose(input.skeleton, poseAt(input, motion, moment)), caption(moment)});
    }
    draw::FigureOptions how;
    how.view = input.skeleton.planar() ? draw::View::Front : viewOf(options.picture);
    how.up = upOf(options.picture, input);
    how.names = options.names;
    how.height = options.picture.height.value_or(kHeight);
    how.title = input.path.substr(input.path.rfind('/') + 1);
    how.unit = unitSymbol(input);
    return draw::drawFigures(input.skeleton, poses, how);
}

// Whether a shaded picture shows bones: there is no mesh, and nothing was said that needs one.
bool showsBones(const Input& input, const DrawOptions& options) {
    return input.meshes.empty() && options.joint.empty() && options.surface.mesh_name.empty() &&
           options.surface.weights == "auto" && options.surface.blend == "linear" &&
           options.surface.twist == "joint";
}

std::string captionOf(const Moment& moment, const std::vector<Moment>& moments) {
    return moments.size() > 1 ? caption(moment) : "";
}

draw::Raster shadeBones(const Input& input, const Motion& motion,
                        const std::vector<Moment>& moments, const DrawOptions& options,
                        const Common& common) {
    draw::ShadedOptions how = shadedOptions(options.picture, kHeight, input, common);
    if (input.skeleton.planar()) how.view = draw::View::Front;
    std::vector<PosedFigure> figures;
    for (const Moment& moment : moments) {
        const ModelPose model = computeModelPose(input.skeleton, poseAt(input, motion, moment));
        figures.push_back(
            {{draw::makeBoneMesh(input.skeleton, model, how.up)}, captionOf(moment, moments)});
    }
    const draw::Raster image = drawGrid(figures, figures.size(), how);
    draw::Legend legend{.colors = draw::boneColors(input.skeleton)};
    if (image.pixels_per_unit > 0.0) legend.scale = {image.pixels_per_unit, unitSymbol(input)};
    return draw::withLegend(image, legend, how.background);
}

// The chosen meshes of an input in its poses, and what their colours mean.
struct MeshDrawing {
    std::function<std::vector<Mesh>(const Pose&)> meshesOf;
    draw::Legend legend;
};

MeshDrawing drawingOf(Input& input, const DrawOptions& options, const Common& common) {
    const std::vector<std::size_t> chosen = chooseMeshes(input, options.surface);
    const bool every = options.joint == "all" && input.skeleton.find("all") == JointId::None;
    const JointId joint = options.joint.empty() || every
                              ? JointId::None
                              : findJoint(input.skeleton, options.joint, "--joint");
    static_cast<void>(tieMeshes(chosen, options.surface, common, input));
    MeshDrawing out;
    const bool colored = !options.joint.empty();
    if (colored) addWeightLegend(input, chosen, joint, out.legend);
    out.meshesOf = [&input, chosen, joint, colored, size = sizeOf(input),
                    how = deformOptions(options.surface, common),
                    twists = twistBones(options.surface, input)](const Pose& pose) {
        std::vector<Mesh> meshes = posedMeshes(input, chosen, pose, how, twists);
        for (std::size_t i = 0; colored && i < chosen.size(); ++i)
            colorByWeights(input.skeleton, input.meshes[chosen[i]].weights, joint, meshes[i]);
        // Links of robots whose shape is a file have no mesh: their bones are seen.
        if (input.robot && !colored)
            meshes.push_back(draw::makeBoneMeshInPlace(
                input.skeleton, computeModelPose(input.skeleton, pose), size));
        return meshes;
    };
    return out;
}

draw::Raster drawMeshes(Input& input, const Motion& motion, const std::vector<Moment>& moments,
                        const DrawOptions& options, const Common& common) {
    const draw::ShadedOptions how = shadedOptions(options.picture, kHeight, input, common);
    const MeshDrawing drawing = drawingOf(input, options, common);
    std::vector<PosedFigure> figures;
    for (const Moment& moment : moments)
        figures.push_back(
            {drawing.meshesOf(poseAt(input, motion, moment)), captionOf(moment, moments)});
    const draw::Raster image = drawGrid(figures, figures.size(), how);
    return draw::withLegend(image, drawing.legend, how.background);
}

std::string animate(Input& input, const Motion& motion, const draw::AnimationTimes& film,
                    const DrawOptions& options, const Common& common) {
    draw::ShadedOptions how = shadedOptions(options.picture, kAnimationHeight, input, common);
    if (input.skeleton.planar()) how.view = draw::View::Front;
    std::vector<Pose> poses;
    for (const double time : film.times) poses.push_back(poseAt(input, motion, {{}, time, false}));
    const std::vector<Vec3> spots = spotsOf(input.skeleton, poses, film.fps);
    const double size = sizeOf(input);
    how.grid = gridFor(size);
    const bool bones = showsBones(input, options);
    MeshDrawing drawing;
    if (bones) {
        drawing.legend = {.scale = draw::ScaleBar{.unit = unitSymbol(input)},
                          .colors = draw::boneColors(input.skeleton)};
        drawing.meshesOf = [&](const Pose& pose) {
            return std::vector<Mesh>{draw::makeBoneMeshInPlace(
                input.skeleton, computeModelPose(input.skeleton, pose), size)};
        };
    } else {
        drawing = drawingOf(input, options, common);
    }
    const auto figuresAt = [&](std::size_t i) {
        std::vector<draw::AnimatedFigure> out(1);
        out.front() = {.meshes = drawing.meshesOf(poses[i]), .spot = spots[i]};
        return out;
    };
    return drawAnimation(film, figuresAt, how, drawing.legend, options.animation);
}

template <class Members>
void printJson(const DrawOptions& options, const Input& input, const Members& own) {
    JsonWriter json = beginDocument();
    json.member("input", options.file).member("output", options.out);
    own(json);
    json.member("warnings", input.warnings);
    print(endDocument(json));
}

void writeAnimation(Input& input, const Motion& motion, const DrawOptions& options,
                    const Common& common) {
    const draw::AnimationTimes film = animationTimes(motion, options.animation);
    writeOutput(options.out, animate(input, motion, film, options, common));
    if (!common.json) return;
    printJson(options, input, [&](JsonWriter& j) {
        j.member("frames", film.times.size())
            .member("fps", film.fps)
            .member("up", upOf(options.picture, input) == UpAxis::Z ? "z" : "y");
    });
}

int run(const DrawOptions& options, const Common& common) {
    checkOptions(options, common);
    Input input = load(options.file, options.input, common);
    takeMesh(options.surface, options.input, common, input);
    printWarnings(input.warnings);
    const bool surface = isSurface(formatInfo(input.format));
    if (surface && !isShaded(options.out))
        failUsage("'" + options.file + "' is a mesh without a skeleton: it has no bones to draw",
                  "--out with a name that ends in .png or .webp shades it");
    const FrameOptions& frames = options.frames;
    if (surface &&
        (options.strip > 0 || frames.frame || !frames.frames.empty() || !frames.times.empty() ||
         frames.all || !options.joint.empty() || options.surface.weights != "auto"))
        failUsage("'" + options.file +
                  "' is a mesh without a skeleton: it has neither frames nor joints");
    const Motion& motion = input.clip(options.frames.clip);
    if (!options.curves.empty()) {
        writeOutput(options.out, drawCurvesOf(input, motion, options));
        if (common.json)
            printJson(options, input, [&](JsonWriter& j) { j.member("curves", options.curves); });
        return kDone;
    }
    if (isAnimation(options) && motion.frameCount() > 1) {
        writeAnimation(input, motion, options, common);
        return kDone;
    }
    const std::vector<Moment> moments = surface ? std::vector<Moment>{{std::nullopt, 0.0, true}}
                                                : momentsOf(input, motion, options);
    const auto picture = [&] {
        if (!isShaded(options.out)) return drawBones(input, motion, moments, options);
        const draw::Raster image = showsBones(input, options)
                                       ? shadeBones(input, motion, moments, options, common)
                                       : drawMeshes(input, motion, moments, options, common);
        return isPng(options.out) ? draw::writePng(image) : stillWebp(image);
    };
    writeOutput(options.out, picture());
    if (common.json) {
        printJson(options, input, [&](JsonWriter& j) {
            j.member("figures", moments.size())
                .member("up", upOf(options.picture, input) == UpAxis::Z ? "z" : "y");
        });
    }
    return kDone;
}

}  // namespace

void addDraw(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<DrawOptions>(
        tool, common, "draw",
        "Draw a picture: bones or the curves of a joint as SVG, the shaded mesh or bones as PNG or "
        "WebP, a clip as an animated WebP",
        "  ulna draw walk.bvh --out walk.svg\n"
        "  ulna draw walk.bvh --strip 8 --view side --out strip.svg\n"
        "  ulna draw walk.bvh --frame 12 --names --out named.svg\n"
        "  ulna draw walk.glb --curves LeftArm --out curves.svg\n"
        "  ulna draw walk.glb --strip 6 --out walk.png\n"
        "  ulna draw walk.bvh --strip 6 --out walk.png\n"
        "  ulna draw walk.glb --out walk.webp\n"
        "  ulna draw walk.bvh --view side --fps 15 --height 320 --out walk.webp\n"
        "  ulna draw walk.glb --joint LeftArm --frame 12 --out arm.png\n"
        "  ulna draw walk.bvh --mesh body.obj --out walk.png\n"
        "  ulna draw body.obj --out body.png",
        run);
    addFileArgument(tool, verb, options->file,
                    "A .bvh, .glb, .gltf, .rig.json, .urdf, .xml, .obj or .ply file");
    addOutOption(tool, verb, options->out,
                 "The .svg, .png or .webp picture to write; SVG on stdout without it");
    CLI::Option* strip = verb->add_option("--strip", options->strip,
                                          "Draw this many frames, evenly spread over the clip")
                             ->type_name("N");
    addPictureOptions(
        tool, verb, options->picture,
        "Height of the picture in pixels, without its legend where it is shaded (default "
        "640, of an animation 480)");
    addAnimationOptions(verb, options->animation);
    verb->add_flag("--names", options->names, "Write the names of the joints");
    addFrameOptions(verb, options->frames);
    verb->add_option(
            "--joint", options->joint,
            "Colour meshes by the weights of this joint; 'all' gives every joint its colour")
        ->type_name("JOINT");
    addSurfaceOptions(tool, verb, options->surface);
    CLI::Option* curves =
        verb->add_option(
                "--curves", options->curves,
                "Draw the angles and the translation of this joint over time, with the keys")
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
    for (const char* other : {"--view", "--up", "--names", "--joint", "--mesh", "--mesh-name"})
        curves->excludes(verb->get_option(other));
    addInputOptions(tool, verb, options->input);
    options->input.surfaces = true;
}

}  // namespace ulna::cli
