// SPDX-License-Identifier: Apache-2.0

// ulna diff: how far two files are from each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

struct DiffOptions {
    std::string a, b;
    std::string clip;
    InputOptions input;
    std::optional<double> tolerance;
    std::optional<double> angle_tolerance;
};

struct Worst {
    double value = 0.0;
    std::size_t frame = 0;

    void add(double candidate, std::size_t at) {
        if (!(candidate <= value)) *this = {candidate, at};  // a NaN is the worst there is
    }
};

struct JointDiff {
    std::string name;
    JointId a = JointId::None;
    JointId b = JointId::None;
    Worst position;
    Worst angle_degrees;
};

// Joints that both have, in a's order; the others by name.
std::vector<JointDiff> matchJoints(const Skeleton& a, const Skeleton& b,
                                   std::vector<std::string>& only_a,
                                   std::vector<std::string>& only_b) {
    std::vector<JointDiff> out;
    for (const JointId j : a.joints()) {
        const JointId other = b.find(a.name(j));
        if (other == JointId::None)
            only_a.push_back(a.name(j));
        else
            out.push_back({a.name(j), j, other, {}, {}});
    }
    for (const std::string& name : b.names()) {
        if (a.find(name) == JointId::None) only_b.push_back(name);
    }
    return out;
}

const JointDiff* largest(const std::vector<JointDiff>& joints, Worst JointDiff::*what) {
    const auto found = std::max_element(
        joints.begin(), joints.end(),
        [&](const JointDiff& x, const JointDiff& y) { return (x.*what).value < (y.*what).value; });
    return found == joints.end() ? nullptr : &*found;
}

void writeWorst(std::string_view key, const std::string& joint, const Worst& worst,
                JsonWriter& json) {
    json.beginObject(key)
        .member("max", worst.value)
        .member("joint", joint)
        .member("frame", worst.frame)
        .endObject();
}

int run(const DiffOptions& options, const Common& common) {
    const Input a = load(options.a, options.input, common);
    const Input b = load(options.b, options.input, common);
    printWarnings(a.warnings);
    printWarnings(b.warnings);
    std::vector<std::string> only_a, only_b;
    std::vector<JointDiff> joints = matchJoints(a.skeleton, b.skeleton, only_a, only_b);
    if (joints.empty()) fail(kFailed, {.what = "the files have no joint name in common"});
    const Motion& ma = a.clip(options.clip);
    const Motion& mb = b.clip(options.clip);
    const std::size_t frames = std::min(ma.frameCount(), mb.frameCount());
    const bool same_length = ma.frameCount() == mb.frameCount();
    // Files round the time of a frame to a few digits.
    const bool same_rate =
        frames == 0 || std::abs(ma.frameTime() - mb.frameTime()) <= 1e-5 * ma.frameTime();
    if (frames == 0) printNote("a file has no frames; the rest poses are compared");
    ProgressBar progress("diff");
    Pose pa = restPose(a.skeleton), pb = restPose(b.skeleton);
    // Without frames on either side, the rest poses are compared.
    for (std::size_t frame = 0; frame < std::max<std::size_t>(frames, 1); ++frame) {
        if (frames > 0) {
            ma.getPose(frame, pa);
            mb.getPose(frame, pb);
        }
        const ModelPose xa = computeModelPose(a.skeleton, pa),
                        xb = computeModelPose(b.skeleton, pb);
        const std::vector<Quat> qa = computeOrientations(a.skeleton, pa),
                                qb = computeOrientations(b.skeleton, pb);
        for (JointDiff& joint : joints) {
            joint.position.add(distance(xa.position(joint.a), xb.position(joint.b)), frame);
            joint.angle_degrees.add(degrees(angleBetween(qa[index(joint.a)], qb[index(joint.b)])),
                                    frame);
        }
        progress.update(static_cast<double>(frame) /
                        static_cast<double>(std::max<std::size_t>(frames, 1)));
    }
    const JointDiff* p = largest(joints, &JointDiff::position);
    const JointDiff* q = largest(joints, &JointDiff::angle_degrees);
    std::string out;
    auto to = std::back_inserter(out);
    if (common.json) {
        JsonWriter json = beginDocument();
        json.member("frames", frames)
            .member("frames_a", ma.frameCount())
            .member("frames_b", mb.frameCount())
            .member("frame_time_a", ma.frameTime())
            .member("frame_time_b", mb.frameTime());
        writeWorst("position", p->name, p->position, json);
        writeWorst("angle_degrees", q->name, q->angle_degrees, json);
        json.beginArray("joints");
        for (const JointDiff& j : joints) {
            json.beginObject()
                .member("name", j.name)
                .member("position", j.position.value)
                .member("position_frame", j.position.frame)
                .member("angle_degrees", j.angle_degrees.value)
                .member("angle_frame", j.angle_degrees.frame)
                .endObject();
        }
        json.endArray().member("only_in_a", only_a).member("only_in_b", only_b);
        out = endDocument(json);
    } else {
        fmt::format_to(to, "largest position difference  {:.6g}  at {}, frame {}\n",
                       p->position.value, p->name, p->position.frame);
        fmt::format_to(to, "largest angle difference     {:.6g} degrees  at {}, frame {}\n\n",
                       q->angle_degrees.value, q->name, q->angle_degrees.frame);
        std::size_t width = 5;
        for (const JointDiff& j : joints)
            width = std::max(width, std::min<std::size_t>(j.name.size(), 40));
        fmt::format_to(to, "{:<{}} {:>14} {:>7} {:>14} {:>7}\n", "joint", width, "position",
                       "frame", "degrees", "frame");
        for (const JointDiff& j : joints) {
            fmt::format_to(to, "{:<{}} {:>14.6g} {:>7} {:>14.6g} {:>7}\n", j.name, width,
                           j.position.value, j.position.frame, j.angle_degrees.value,
                           j.angle_degrees.frame);
        }
        for (const std::string& name : only_a)
            fmt::format_to(to, "only in {}: {}\n", options.a, name);
        for (const std::string& name : only_b)
            fmt::format_to(to, "only in {}: {}\n", options.b, name);
        if (!same_length) {
            fmt::format_to(to, "the files have {} and {} frames; the first {} are compared\n",
                           ma.frameCount(), mb.frameCount(), frames);
        }
    }
    if (!same_rate && !common.json) {
        out += fmt::format(
            "the files have {:.6g} and {:.6g} seconds per frame; frames are compared by their "
            "index\n",
            ma.frameTime(), mb.frameTime());
    }
    print(out);
    const bool judged = options.tolerance || options.angle_tolerance;
    const bool too_far =
        (options.tolerance && p->position.value > *options.tolerance) ||
        (options.angle_tolerance && q->angle_degrees.value > *options.angle_tolerance);
    const bool unequal = !same_length || !same_rate || !only_a.empty() || !only_b.empty();
    return judged && (too_far || unequal) ? kFailed : kDone;
}

}  // namespace

void addDiff(Tool& tool, Common& common) {
    auto options = std::make_shared<DiffOptions>();
    CLI::App* verb =
        addVerb(tool, common, "diff",
                "Compare two files: the largest position and angle difference of every joint",
                "  ulna diff a.bvh b.bvh\n"
                "  ulna diff a.bvh b.bvh --tolerance 1e-6\n"
                "  ulna diff a.bvh b.rig.json --json");
    isFile(tool, verb->add_option("a", options->a, "The first file")->required());
    isFile(tool, verb->add_option("b", options->b, "The second file")->required());
    verb->add_option(
            "--tolerance", options->tolerance,
            "Exit with code 1 where positions differ by more than this, or joints or frames differ")
        ->type_name("LENGTH");
    verb->add_option("--angle-tolerance", options->angle_tolerance,
                     "Exit with code 1 where rotations differ by more than this")
        ->type_name("DEGREES");
    verb->add_option("--clip", options->clip, "Which clip to use, where a file has several")
        ->type_name("NAME");
    addInputOptions(tool, verb, options->input);
    tool.runs[verb] = [options, &common] { return run(*options, common); };
}

}  // namespace ulna::cli
