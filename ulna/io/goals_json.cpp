// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/goals_json.h"

#include <algorithm>

#include "ulna/core/text.h"
#include "ulna/io/detail/json_cursor.h"
#include "ulna/io/file.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

using detail::Json;
using detail::JsonCursor;
using detail::JsonErrors;
using detail::OrderedJson;

// ---- reading

// In the plane two numbers are a point; whether the skeleton is planar is known later.
Vec3 readPoint(const JsonCursor& json, GoalEntry& entry) {
    if (!json.isArray() || json.size() != 2) return json.vec3();
    if (!entry.planar) entry.planar = json.location();
    const auto v = json.numbers<2>();
    return {v[0], v[1], 0.0};
}

Vec3 readDirection(const JsonCursor& json, GoalEntry& entry) {
    // Shorter than this, a direction is rounding noise of whatever wrote it.
    constexpr double kShortest = 1e-12;
    const Vec3 v = readPoint(json, entry);
    if (length(v) < kShortest) json.fail("a direction cannot be zero");
    return normalizedOr(v, Vec3{0, 0, 1});
}

// `targets` frame by frame, or the one `target`; neither for a pin.
template <class T, class Read>
void readTargets(const JsonCursor& json, bool pinned, T& target, std::vector<T>& targets,
                 const Read& read) {
    if (pinned) {
        // A target beside it is what an earlier answer found there.
        if (json.has("targets")) json.fail("a pin has no targets");
        return;
    }
    if (!json.has("targets")) {
        target = read(json.at("target"));
        return;
    }
    if (json.has("target")) json.fail("'target' and 'targets' both say where to go");
    const JsonCursor list = json.at("targets");
    for (std::size_t i = 0; i < list.size(); ++i) targets.push_back(read(list[i]));
    if (targets.empty()) list.fail("there is no target");
    if (!targets.empty()) target = targets.front();
}

// Every key that a goal of this kind may have, results included.
std::vector<std::string_view> keysOf(GoalKind kind) {
    const std::size_t bodies = bodiesOf(kind).count;
    std::vector<std::string_view> keys = {"kind"};
    if (bodies > 0) keys.emplace_back(bodies == 1 ? "joint" : "joints");
    for (const GoalMember& member : membersOf(kind)) keys.push_back(member.name);
    const GoalTarget target = targetOf(kind);
    if (target.point != nullptr || target.rotation != nullptr)
        keys.insert(keys.end(), {"target", "targets"});
    if (canPin(kind)) keys.emplace_back(bodies > 0 ? "pin" : "near");
    keys.insert(keys.end(), {"weight", "level", "enabled", "span"});
    const GoalMeasure measure = measureNames(kind);
    if (!measure.name.empty()) keys.insert(keys.end(), {measure.name, "met"});
    if (!measure.error_name.empty()) keys.push_back(measure.error_name);
    return keys;
}

void readBodies(const JsonCursor& json, std::size_t count, GoalEntry& entry) {
    if (count == 1) entry.joints.push_back(json.at("joint").text());
    if (count < 2) return;
    const JsonCursor list = json.at("joints");
    if (!list.expectSize(count)) return;
    for (std::size_t i = 0; i < count; ++i) entry.joints.push_back(list[i].text());
}

// Reads the values of a goal that are stated, each as its type says.
struct MemberReader {
    const JsonCursor& json;
    std::string_view name;
    GoalEntry& entry;

    [[nodiscard]] bool isStated() const { return json.has(name); }
    [[nodiscard]] JsonCursor value() const { return json.at(name); }

    void operator()(const GoalPoints& points) const {
        const std::size_t count = points.values.size();
        if (!isStated()) return;
        if (count == 1) *points.values[0] = readPoint(value(), entry);
        if (count == 1 || !value().expectSize(count)) return;
        for (std::size_t i = 0; i < count; ++i) *points.values[i] = readPoint(value()[i], entry);
    }
    void operator()(const GoalDirection& direction) const {
        if (direction.facing) entry.axis_stated = isStated();
        if (isStated()) *direction.value = readDirection(value(), entry);
    }
    void operator()(const GoalNumber& number) const {
        if (isStated()) *number.value = value().number();
    }
    void operator()(const GoalLength& number) const {
        *number.value = value().number();
        if (*number.value < 0.0) value().fail("a " + std::string(name) + " cannot be negative");
    }
    void operator()(const GoalLengths& lengths) const {
        const std::size_t count = lengths.values.size();
        if (!isStated()) return;
        if (count > 1 && !value().expectSize(count)) return;
        for (std::size_t i = 0; i < count; ++i) {
            const JsonCursor each = count == 1 ? value() : value()[i];
            *lengths.values[i] = each.number();
            if (*lengths.values[i] < 0.0) each.fail("a length cannot be negative");
        }
    }
    void operator()(const GoalChoice& choice) const {
        if (!isStated()) return;
        const std::string word = value().oneOf(choice.words);
        const auto at = std::find(choice.words.begin(), choice.words.end(), word);
        *choice.value = static_cast<std::uint8_t>(at - choice.words.begin());
    }
    void operator()(const GoalJointList&) const {
        if (!isStated()) return;
        for (std::size_t i = 0; i < value().size(); ++i) entry.joints.push_back(value()[i].text());
    }
    void operator()(const GoalContacts& contacts) const {
        const JsonCursor list = value();
        for (std::size_t i = 0; i < list.size(); ++i) {
            list[i].expectKeys({"joint", "point"});
            entry.joints.push_back(list[i].at("joint").text());
            contacts.value->push_back({});
            if (list[i].has("point"))
                contacts.value->back().point = readPoint(list[i].at("point"), entry);
        }
        if (contacts.value->empty()) list.fail("there is no contact point");
    }
    void operator()(const GoalMasses& masses) const {
        if (!isStated()) return;
        const JsonCursor list = value();
        for (std::size_t i = 0; i < list.size(); ++i) {
            list[i].expectKeys({"joint", "mass", "centre"});
            entry.joints.push_back(list[i].at("joint").text());
            const JsonCursor mass = list[i].at("mass");
            masses.value->push_back({.mass = mass.number()});
            if (masses.value->back().mass < 0.0) mass.fail("a mass cannot be negative");
            if (list[i].has("centre"))
                masses.value->back().centre = readPoint(list[i].at("centre"), entry);
        }
        if (masses.value->empty()) list.fail("there is no mass");
    }
};

void readKind(const JsonCursor& json, GoalEntry& entry) {
    GoalKind& kind = entry.goal.goal.kind;
    json.expectKeys(keysOf(kind));
    const std::size_t bodies = bodiesOf(kind).count;
    readBodies(json, bodies, entry);
    if (canPin(kind)) {
        // A goal about the whole pose says what it is near to.
        entry.goal.pinned =
            bodies > 0 ? json.has("pin") && json.at("pin").boolean()
                       : !json.has("near") || json.at("near").oneOf({"start", "rest"}) == "start";
    }
    for (const GoalMember& member : membersOf(kind))
        std::visit(MemberReader{json, member.name, entry}, member.value);
    const GoalTarget target = targetOf(kind);
    if (target.point != nullptr)
        readTargets(json, entry.goal.pinned, *target.point, entry.goal.points,
                    [&](const JsonCursor& j) { return readPoint(j, entry); });
    if (target.rotation != nullptr)
        readTargets(json, entry.goal.pinned, *target.rotation, entry.goal.orientations,
                    [](const JsonCursor& j) { return j.quat(); });
}

GoalSpan readSpan(const JsonCursor& json) {
    json.expectKeys({"seconds", "frames", "ease"});
    GoalSpan out;
    out.frames = json.has("frames");
    if (out.frames && json.has("seconds"))
        json.fail("'seconds' and 'frames' both say when the goal holds");
    const auto ends = json.at(out.frames ? "frames" : "seconds").numbers<2>();
    out.first = ends[0];
    out.last = ends[1];
    if (json.has("ease")) out.ease = json.at("ease").number();
    if (const Status status = checkSpan(out); !status)
        json.fail(status.error().what, status.error().advice);
    return out;
}

GoalEntry readGoal(const JsonCursor& json) {
    GoalEntry entry;
    const JsonCursor kind = json.at("kind");
    const std::string name = kind.text();
    std::vector<std::string> known;
    bool found = false;
    for (const GoalKind& candidate : allGoalKinds()) {
        if (!isInFiles(candidate)) continue;
        known.emplace_back(goalKindName(candidate));
        if (known.back() != name) continue;
        entry.goal.goal.kind = candidate;
        found = true;
    }
    if (!found) {
        std::string advice = suggestNames(name, known);
        if (advice.empty()) {
            advice = "one of";
            for (const std::string& each : known) advice += ' ' + each;
        }
        kind.fail("'" + excerpt(name) + "' is no kind of goal", advice);
        return entry;
    }
    readKind(json, entry);
    IkGoal& goal = entry.goal.goal;
    if (json.has("weight")) {
        goal.weight = json.at("weight").number();
        if (goal.weight < 0.0) json.at("weight").fail("a weight cannot be negative");
    }
    if (json.has("level")) {
        const double level = json.at("level").number();
        if (level != 1.0 && level != 2.0) json.at("level").fail("a level is 1 or 2");
        goal.level = level == 2.0 ? 2 : 1;
    }
    if (json.has("enabled")) goal.enabled = json.at("enabled").boolean();
    if (json.has("span")) entry.goal.span = readSpan(json.at("span"));
    return entry;
}

// ---- finding joints

// The direction of `forward` at rest in a joint's coordinates.
Vec3 axisAtRest(const Skeleton& skeleton, JointId joint, const Vec3& forward) {
    const std::vector<Quat> rest = computeOrientations(skeleton, restPose(skeleton));
    return rotate(conjugate(rest[index(joint)]), forward);
}

// In the order in which the names were read.
void setJoints(const std::vector<JointId>& joints, GoalKind& kind) {
    setBodies(joints, kind);
    auto next = joints.begin();
    for (const GoalMember& member : membersOf(kind)) {
        if (const auto* list = std::get_if<GoalJointList>(&member.value)) *list->value = joints;
        if (const auto* contacts = std::get_if<GoalContacts>(&member.value)) {
            for (ContactPoint& contact : *contacts->value) contact.joint = *next++;
        }
        if (const auto* masses = std::get_if<GoalMasses>(&member.value)) {
            for (JointMass& each : *masses->value) each.joint = *next++;
        }
    }
}

// The masses of a human body where none are stated.
Status setMasses(const Skeleton& skeleton, GoalKind& kind) {
    for (const GoalMember& member : membersOf(kind)) {
        const auto* masses = std::get_if<GoalMasses>(&member.value);
        if (masses == nullptr || !masses->value->empty()) continue;
        Result<std::vector<JointMass>> human = humanMasses(skeleton);
        if (!human) return human.error();
        *masses->value = *std::move(human);
    }
    return Done{};
}

void setFacing(const Skeleton& skeleton, const Vec3& forward, GoalKind& kind) {
    for (const GoalMember& member : membersOf(kind)) {
        const auto* direction = std::get_if<GoalDirection>(&member.value);
        if (direction != nullptr && direction->facing)
            *direction->value = axisAtRest(skeleton, bodiesOf(kind).joint[0], forward);
    }
}

// ---- writing

OrderedJson toJson(const Vec3& v) {
    return OrderedJson::array({v.x, v.y, v.z});
}

OrderedJson toJson(const Quat& q) {
    const double sign = q.w < 0.0 ? -1.0 : 1.0;
    return OrderedJson::array({sign * q.x, sign * q.y, sign * q.z, sign * q.w});
}

template <class T>
void writeTargets(const T& target, const std::vector<T>& targets, bool pinned, OrderedJson& out) {
    if (pinned) {
        out["pin"] = true;
    } else if (targets.empty()) {
        out["target"] = toJson(target);
    } else {
        OrderedJson list = OrderedJson::array();
        for (const T& each : targets) list.push_back(toJson(each));
        out["targets"] = std::move(list);
    }
}

OrderedJson namesOf(const Skeleton& skeleton, std::span<const JointId> joints) {
    OrderedJson out = OrderedJson::array();
    for (const JointId joint : joints) out.push_back(skeleton.name(joint));
    return out;
}

// Writes a value of a goal, or nothing where that is its default and says nothing.
struct MemberWriter {
    const Skeleton& skeleton;
    std::string name;
    OrderedJson& out;

    void operator()(const GoalPoints& points) const {
        OrderedJson list = OrderedJson::array();
        bool stated = false;
        for (const Vec3* point : points.values) {
            list.push_back(toJson(*point));
            stated = stated || *point != Vec3{};
        }
        if (stated) out[name] = list.size() == 1 ? list[0] : list;
    }
    void operator()(const GoalDirection& direction) const { out[name] = toJson(*direction.value); }
    void operator()(const GoalNumber& number) const { out[name] = *number.value; }
    void operator()(const GoalLength& number) const { out[name] = *number.value; }
    void operator()(const GoalLengths& lengths) const {
        OrderedJson list = OrderedJson::array();
        bool stated = false;
        for (const double* each : lengths.values) {
            list.push_back(*each);
            stated = stated || *each != 0.0;
        }
        if (stated) out[name] = list.size() == 1 ? list[0] : list;
    }
    void operator()(const GoalChoice& choice) const { out[name] = choice.words[*choice.value]; }
    void operator()(const GoalJointList& list) const {
        if (!list.value->empty()) out[name] = namesOf(skeleton, *list.value);
    }
    void operator()(const GoalContacts& contacts) const {
        OrderedJson list = OrderedJson::array();
        for (const ContactPoint& contact : *contacts.value) {
            OrderedJson each;
            each["joint"] = skeleton.name(contact.joint);
            if (contact.point != Vec3{}) each["point"] = toJson(contact.point);
            list.push_back(std::move(each));
        }
        out[name] = std::move(list);
    }
    void operator()(const GoalMasses& masses) const {
        OrderedJson list = OrderedJson::array();
        for (const JointMass& mass : *masses.value) {
            OrderedJson each;
            each["joint"] = skeleton.name(mass.joint);
            each["mass"] = mass.mass;
            if (mass.centre != Vec3{}) each["centre"] = toJson(mass.centre);
            list.push_back(std::move(each));
        }
        out[name] = std::move(list);
    }
};

Diagnostic noTextError(const GoalKind& kind) {
    const auto* custom = std::get_if<CustomGoal>(&kind);
    const std::string name = custom != nullptr ? custom->name : std::string(goalKindName(kind));
    return {.what = "a goals file cannot hold the custom goal '" + name + "'",
            .advice = "its function has no text; make the goal where the file is read"};
}

void writeKind(const Skeleton& skeleton, const IkClipGoal& goal, OrderedJson& out) {
    GoalKind kind = goal.goal.kind;
    const GoalBodies bodies = bodiesOf(kind);
    if (bodies.count == 0 && canPin(kind)) out["near"] = goal.pinned ? "start" : "rest";
    if (bodies.count == 1) out["joint"] = skeleton.name(bodies.joint[0]);
    if (bodies.count > 1) out["joints"] = namesOf(skeleton, {bodies.joint.data(), bodies.count});
    for (const GoalMember& member : membersOf(kind))
        std::visit(MemberWriter{skeleton, std::string(member.name), out}, member.value);
    const bool pinned = goal.pinned && canPin(kind);
    const GoalTarget target = targetOf(kind);
    if (target.point != nullptr) writeTargets(*target.point, goal.points, pinned, out);
    if (target.rotation != nullptr) writeTargets(*target.rotation, goal.orientations, pinned, out);
}

}  // namespace

Result<std::vector<GoalEntry>> readGoals(std::string_view text, std::string_view source) {
    const Result<Json> document = detail::parseJson(text, source);
    if (!document) return document.error();
    JsonErrors errors{std::string(source), {}};
    const JsonCursor json(*document, "", errors);
    if (!json.isArray()) {
        // The keys beside `goals` are those of a solver's answer, so that one can be solved again.
        json.expectKeys({"ulna", "goals", "status", "method", "methods", "iterations", "attempts",
                         "gradient", "frame", "time", "pose", "joints", "history", "limits",
                         "natural", "clamped", "warnings"});
        if (json.has("ulna") && json.at("ulna").number() != 1.0) {
            json.at("ulna").fail("this version of the format is unknown",
                                 "this program reads version 1");
        }
    }
    const JsonCursor list = json.isArray() ? json : json.at("goals");
    std::vector<GoalEntry> entries;
    for (std::size_t i = 0; i < list.size() && !errors.first; ++i) {
        entries.push_back(readGoal(list[i]));
        entries.back().location = {
            .file = std::string(source),
            .json_path = (json.isArray() ? "[" : "goals[") + std::to_string(i) + ']'};
    }
    if (errors.first) return *std::move(errors.first);
    return entries;
}

Result<std::vector<GoalEntry>> loadGoals(const std::string& path) {
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    return readGoals(bytes->view(), path);
}

Result<std::vector<IkClipGoal>> bindGoals(std::span<const GoalEntry> entries,
                                          const Skeleton& skeleton, const Vec3& forward) {
    std::vector<IkClipGoal> goals;
    for (const GoalEntry& entry : entries) {
        if (entry.planar && !skeleton.planar())
            return Diagnostic{.what = "an array of 3 was expected",
                              .location = *entry.planar,
                              .advice = "two numbers are a point of a planar skeleton"};
        std::vector<JointId> joints;
        for (const std::string& name : entry.joints) {
            joints.push_back(skeleton.find(name));
            if (joints.back() != JointId::None) continue;
            return Diagnostic{.what = "there is no joint '" + excerpt(name) + "'",
                              .location = entry.location,
                              .advice = suggestNames(name, skeleton.names())};
        }
        IkClipGoal goal = entry.goal;
        setJoints(joints, goal.goal.kind);
        if (!entry.axis_stated) setFacing(skeleton, forward, goal.goal.kind);
        if (const Status status = setMasses(skeleton, goal.goal.kind); !status) {
            Diagnostic error = status.error();
            error.location = entry.location;
            return error;
        }
        goals.push_back(std::move(goal));
    }
    return goals;
}

Result<std::string> writeGoal(const Skeleton& skeleton, const IkClipGoal& goal,
                              std::string_view results) {
    if (!isInFiles(goal.goal.kind)) return noTextError(goal.goal.kind);
    OrderedJson out;
    out["kind"] = goalKindName(goal.goal.kind);
    writeKind(skeleton, goal, out);
    out["weight"] = goal.goal.weight;
    out["level"] = goal.goal.level;
    if (!goal.goal.enabled) out["enabled"] = false;
    if (goal.span) {
        OrderedJson span;
        span[goal.span->frames ? "frames" : "seconds"] = {goal.span->first, goal.span->last};
        if (goal.span->ease) span["ease"] = *goal.span->ease;
        out["span"] = std::move(span);
    }
    std::string text = detail::dumpJson(out);
    if (!results.empty()) {
        text.back() = ',';
        text += results;
        text += '}';
    }
    return text;
}

Result<std::string> writeGoals(const Skeleton& skeleton, std::span<const IkClipGoal> goals) {
    std::string out = "{\n  \"ulna\": 1,\n  \"goals\": [";
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const Result<std::string> goal = writeGoal(skeleton, goals[i]);
        if (!goal) return goal.error();
        out += (i == 0 ? "\n    " : ",\n    ") + *goal;
    }
    return out + "\n  ]\n}\n";
}

}  // namespace ulna::io
