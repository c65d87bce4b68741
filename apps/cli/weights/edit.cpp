// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/weights/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/arguments.h"
#include "apps/cli/save.h"
#include "ulna/character/warnings.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"
#include "ulna/skin/paint.h"

namespace ulna::cli {
namespace {

struct Stroke {
    JointId joint = JointId::None;
    PaintOptions how = {};
    Vec3 centre = {};
    double radius = 0.0;
    float strength = 1.0f;
};

[[noreturn]] void refuse(const std::string& text, const std::string& what) {
    failUsage("--paint '" + text + "': " + what,
              "such as LeftArm:add:0.2,1.4,0:0.1 or Hips:replace=0.5:0,1,0:0.2:0.8");
}

std::optional<PaintOptions> modeOf(const std::string& word, const std::string& text) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    PaintOptions out;
    if (name == "add")
        out.mode = PaintMode::Add;
    else if (name == "subtract")
        out.mode = PaintMode::Subtract;
    else if (name == "replace")
        out.mode = PaintMode::Replace;
    else if (name == "smooth")
        out.mode = PaintMode::Smooth;
    else
        return std::nullopt;
    if (equals == std::string::npos) return out;
    if (out.mode != PaintMode::Replace) refuse(text, "only the mode replace takes a value");
    const std::optional<double> value = numberOf(word.substr(equals + 1));
    if (!value || *value < 0.0 || *value > 1.0) refuse(text, "a weight must be 0 to 1");
    out.value = static_cast<float>(*value);
    return out;
}

// Joints may have colons in their names, so the mode is looked for from the end.
Stroke parseStroke(const std::string& text, const Skeleton& skeleton) {
    const std::vector<std::string> fields = split(text, ':');
    for (const std::size_t after : {std::size_t{2}, std::size_t{3}}) {
        if (fields.size() < after + 2) break;
        const std::size_t at = fields.size() - after - 1;
        const std::optional<PaintOptions> mode = modeOf(fields[at], text);
        if (!mode) continue;
        std::string name = fields[0];
        for (std::size_t i = 1; i < at; ++i) name += ":" + fields[i];
        Stroke out{.joint = findJoint(skeleton, name, "--paint"), .how = *mode};
        const std::optional<std::array<double, 3>> centre = numbersOf<3>(fields[at + 1]);
        if (!centre) refuse(text, "the centre must be x,y,z");
        out.centre = {(*centre)[0], (*centre)[1], (*centre)[2]};
        const std::optional<double> radius = numberOf(fields[at + 2]);
        if (!radius || *radius <= 0.0) refuse(text, "the radius must be above 0");
        out.radius = *radius;
        if (after == 3) {
            const std::optional<double> strength = numberOf(fields[at + 3]);
            if (!strength || *strength < 0.0 || *strength > 1.0)
                refuse(text, "the strength must be 0 to 1");
            out.strength = static_cast<float>(*strength);
        }
        return out;
    }
    refuse(text, "it should be JOINT:add|subtract|replace|smooth:x,y,z:radius[:strength]");
}

// The mesh where people see it: at rest in the model, which need not be its own space.
Mesh atRest(const Skeleton& skeleton, const Mesh& mesh) {
    return posedMesh(skeleton, mesh, computeModelPose(skeleton, restPose(skeleton)));
}

void paintAll(const EditOptions& options, const Skeleton& skeleton, const MeshTopology& topology,
              Mesh& mesh, Warnings& warnings) {
    const Mesh seen = atRest(skeleton, mesh);
    std::vector<JointId> locked;
    for (const std::string& name : options.lock)
        locked.push_back(findJoint(skeleton, name, "--lock"));
    for (const std::string& text : options.paint) {
        Stroke stroke = parseStroke(text, skeleton);
        std::vector<Dab> dabs = makeBrush(seen, topology, stroke.centre, stroke.radius);
        if (dabs.empty())
            warnings.push_back({.what = "a stroke of paint touches no vertex", .text = text});
        for (Dab& dab : dabs) dab.strength *= stroke.strength;
        stroke.how.locked = locked;
        paint(topology, stroke.joint, dabs, stroke.how, mesh.weights);
    }
}

double sizeOf(const Mesh& mesh) {
    Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3f& p : mesh.positions) {
        const Vec3 at{p.x, p.y, p.z};
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], at[i]);
            high[i] = std::max(high[i], at[i]);
        }
    }
    return mesh.positions.empty() ? 0.0 : length(high - low);
}

}  // namespace

void addEditOptions(Tool& tool, CLI::App* verb, EditOptions& options) {
    verb->add_option("--smooth", options.smooth, "Smooth weights over the surface this many times")
        ->check(CLI::Range(0, 10000))
        ->type_name("N");
    verb->add_option(
            "--paint", options.paint,
            "Paint a joint's weights around a point of the model in its rest pose; repeatable: "
            "JOINT:add|subtract|replace[=W]|smooth:x,y,z:radius[:strength]")
        ->allow_extra_args(false)
        ->type_name("STROKE");
    verb->add_option("--lock", options.lock,
                     "Painting does not change the weights of this joint; repeatable")
        ->allow_extra_args(false)
        ->type_name("JOINT")
        ->needs(verb->get_option("--paint"));
    oneOf(tool,
          verb->add_option("--mirror", options.mirror, "Copy the weights of one side to the other"),
          {"left-to-right", "right-to-left"});
    verb->add_option("--most", options.most,
                     "Largest number of influences per vertex (default 4 for new weights)")
        ->check(CLI::Range(1, 1000))
        ->type_name("K");
    verb->add_option("--least", options.least, "Remove weights below this")->type_name("W");
}

void checkEdits(const EditOptions& options, const Skeleton& skeleton) {
    if (!(options.least >= 0.0 && options.least < 1.0)) failUsage("--least must be 0 to below 1");
    for (const std::string& name : options.lock)
        static_cast<void>(findJoint(skeleton, name, "--lock"));
    for (const std::string& text : options.paint) {
        const std::string& name = skeleton.name(parseStroke(text, skeleton).joint);
        if (std::find(options.lock.begin(), options.lock.end(), name) != options.lock.end())
            failUsage("--paint '" + text + "': '" + name + "' is locked");
    }
}

void editWeights(const EditOptions& options, const Skeleton& skeleton, Mesh& mesh,
                 WeightsWork& work, Warnings& warnings) {
    if (options.smooth > 0 || !options.paint.empty()) {
        const MeshTopology topology = computeTopology(mesh);
        if (options.smooth > 0)
            mesh.weights = smoothed(mesh.weights, topology, 0.5, options.smooth);
        paintAll(options, skeleton, topology, mesh, warnings);
    }
    if (!options.mirror.empty()) {
        // Counterparts of a mesh made symmetric by hand are this close.
        constexpr double kTolerance = 1e-3;
        const MirrorPairs pairs = must(findMirrorPairs(skeleton));
        append(pairs.warnings, warnings);
        MirroredWeights mirrored = mirroredWeights(
            skeleton, mesh, pairs,
            options.mirror == "left-to-right" ? MirrorSide::LeftToRight : MirrorSide::RightToLeft,
            kTolerance * sizeOf(atRest(skeleton, mesh)));
        mesh.weights = std::move(mirrored.weights);
        if (10 * mirrored.unmatched.size() > mesh.positions.size())
            warnings.push_back(
                {.what = fmt::format("{} of {} vertices have no counterpart on the other side",
                                     mirrored.unmatched.size(), mesh.positions.size()),
                 .text = mesh.name,
                 .advice = "the mesh should be symmetric about the middle of the model"});
        work.unmatched = mirrored.unmatched.size();
    }
    // What was made varies smoothly and stays so; what somebody made by hand loses the least.
    const bool made = work.source != "file";
    if (options.most || options.least > 0.0 || (made && options.any())) {
        const std::size_t most = options.most.value_or(made ? kMostMade : skeleton.jointCount());
        const auto least = static_cast<float>(options.least);
        PrunedWeights few =
            made ? prunedSmoothly(mesh.weights, most, least) : pruned(mesh.weights, most, least);
        mesh.weights = std::move(few.weights);
        work.loss = few.loss;
    }
}

}  // namespace ulna::cli
