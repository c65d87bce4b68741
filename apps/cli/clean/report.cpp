// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/clean/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "apps/cli/contacts.h"
#include "apps/cli/json.h"
#include "ulna/core/number_text.h"

namespace ulna::cli {
namespace {

std::string_view kindName(const Spike& spike) {
    return spike.kind == SpikeKind::Jump ? "jump" : "spike";
}

std::size_t countOf(const CleanReport& report, SpikeKind kind) {
    return static_cast<std::size_t>(std::count_if(report.spikes.begin(), report.spikes.end(),
                                                  [&](const Spike& s) { return s.kind == kind; }));
}

// A step that was asked for, as it is called in text and in JSON.
struct Step {
    const char* name;
    bool asked;
    const CleanChange& change;
};

std::vector<Step> stepsOf(const CleanRun& run) {
    const CleanReport& report = run.result.report;
    return {{"spikes", run.options.spikes, report.by_spikes},
            {"smooth", run.options.smooth.has_value(), report.by_smooth},
            {"floor", run.options.floor.has_value(), report.by_floor},
            {"feet", run.options.feet, report.by_feet}};
}

void appendChange(const Skeleton& skeleton, const Step& step, std::string& out) {
    const CleanChange& change = step.change;
    fmt::format_to(std::back_inserter(out), "{:<7}", step.name);
    if (change.joint == JointId::None && change.moved_joint == JointId::None) {
        out += "changes nothing\n";
        return;
    }
    if (change.joint != JointId::None)
        fmt::format_to(std::back_inserter(out), "rotates by {} degrees at most ({}, frame {})",
                       shortNumber(degrees(change.rotation), 3), skeleton.name(change.joint),
                       change.frame);
    if (change.moved_joint != JointId::None)
        fmt::format_to(std::back_inserter(out), "{}moves by {} at most ({}, frame {})",
                       change.joint == JointId::None ? "" : "; ",
                       shortNumber(change.translation, 3), skeleton.name(change.moved_joint),
                       change.moved_frame);
    out += '\n';
}

void appendSoles(const char* when, const SoleMeasure& soles, std::string& out) {
    fmt::format_to(std::back_inserter(out),
                   "{:<7}soles in contact move {} per second on average, {} at most; {} below the "
                   "floor at most\n",
                   when, shortNumber(soles.slide_mean, 3), shortNumber(soles.slide_most, 3),
                   shortNumber(soles.penetration, 3));
}

void appendSpikes(const Skeleton& skeleton, const CleanReport& report, std::string& out) {
    if (report.spikes.empty()) return;
    fmt::format_to(std::back_inserter(out), "{:<6} {:<12} {:>7} {:>7} {:>12}  {}\n", "kind", "of",
                   "first", "last", "by", "joint");
    for (const Spike& each : report.spikes)
        fmt::format_to(std::back_inserter(out), "{:<6} {:<12} {:>7} {:>7} {:>12}  {}\n",
                       kindName(each), each.translated ? "translation" : "rotation", each.first,
                       each.last,
                       each.translated ? shortNumber(each.amount, 3)
                                       : shortNumber(degrees(each.amount), 3) + " deg",
                       skeleton.name(each.joint));
}

void writeSoles(const char* name, const SoleMeasure& soles, JsonWriter& json) {
    json.beginObject(name)
        .member("slide_mean", soles.slide_mean)
        .member("slide_most", soles.slide_most)
        .member("penetration", soles.penetration)
        .endObject();
}

std::optional<std::string> nameOf(const Skeleton& skeleton, JointId joint) {
    if (joint == JointId::None) return std::nullopt;
    return skeleton.name(joint);
}

void writeFeet(const Skeleton& skeleton, const CleanReport& report, JsonWriter& json) {
    json.beginObject("feet");
    writeSoles("before", report.before, json);
    writeSoles("after", report.after, json);
    json.member("floor_before", report.floor_before)
        .member("lowered_frames", report.lowered)
        .member("raised_frames", report.raised)
        .beginArray("soles");
    for (const SolePoints& sole : report.soles) {
        json.beginObject()
            .member("foot", skeleton.name(sole.foot))
            .member("heel", sole.heel)
            .member("ball", sole.ball)
            .member("lift", sole.lift)
            .member("toes", skeleton.name(sole.toes))
            .member("tip", sole.tip)
            .endObject();
    }
    json.endArray().endObject();
}

}  // namespace

std::string textOf(const CleanRun& run, bool tables) {
    const CleanReport& report = run.result.report;
    const Skeleton& skeleton = run.input.skeleton;
    const Motion& motion = run.result.motion;
    std::string out =
        fmt::format("{} frames, {} s; {} spikes{}, {} jumps", motion.frameCount(),
                    shortNumber(motion.duration()), countOf(report, SpikeKind::Spike),
                    run.options.spikes ? " repaired" : "", countOf(report, SpikeKind::Jump));
    if (report.legs)
        fmt::format_to(std::back_inserter(out), "; {} contacts, floor at {}",
                       run.result.contacts.contacts.size(), shortNumber(report.floor_before));
    out += '\n';
    bool asked = false;
    for (const Step& step : stepsOf(run)) {
        if (!step.asked) continue;
        appendChange(skeleton, step, out);
        asked = true;
    }
    if (report.legs) {
        appendSoles("before", report.before, out);
        if (asked) appendSoles("after", report.after, out);
    }
    if (!tables) return out;
    appendSpikes(skeleton, report, out);
    if (report.legs) out += contactTable(run.result.contacts);
    return out;
}

std::string jsonOf(const CleanRun& run) {
    const CleanReport& report = run.result.report;
    const Skeleton& skeleton = run.input.skeleton;
    const Motion& motion = run.result.motion;
    JsonWriter json = beginDocument();
    json.member("input", run.input.path)
        .member("output", unlessEmpty(run.output))
        .member("clip", motion.name)
        .member("frames", motion.frameCount())
        .member("frame_time", motion.frameTime())
        .beginArray("spikes");
    for (const Spike& each : report.spikes) {
        json.beginObject()
            .member("kind", kindName(each))
            .member("joint", skeleton.name(each.joint))
            .member("of", each.translated ? "translation" : "rotation")
            .member("first", each.first)
            .member("last", each.last)
            .member(each.translated ? "by" : "by_degrees",
                    each.translated ? each.amount : degrees(each.amount))
            .member("repaired", run.options.spikes && each.kind == SpikeKind::Spike)
            .endObject();
    }
    json.endArray().beginArray("steps");
    for (const Step& step : stepsOf(run)) {
        if (!step.asked) continue;
        json.beginObject()
            .member("step", step.name)
            .member("joint", nameOf(skeleton, step.change.joint))
            .member("frame", step.change.frame)
            .member("most_degrees", degrees(step.change.rotation))
            .member("moved_joint", nameOf(skeleton, step.change.moved_joint))
            .member("moved_frame", step.change.moved_frame)
            .member("most_moved", step.change.translation)
            .endObject();
    }
    json.endArray();
    if (report.legs) {
        writeFeet(skeleton, report, json);
        writeContacts(run.result.contacts, json);
    }
    return endDocument(json.member("warnings", run.warnings));
}

}  // namespace ulna::cli
