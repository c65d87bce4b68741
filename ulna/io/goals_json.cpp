// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/goals_json.h"

#include <optional>

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

Vec3 readDirection(const JsonCursor& json) {
    // Shorter than this, a direction is rounding noise of whatever wrote it.
    constexpr double kShortest = 1e-12;
    const Vec3 v = json.vec3();
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

void readPoints(const JsonCursor& json, bool pinned, Vec3& target, IkClipGoal& goal) {
    readTargets(json, pinned, target, goal.points, [](const JsonCursor& j) { return j.vec3(); });
}

void readJoint(const JsonCursor& json, GoalEntry& entry) {
    entry.joints.push_back(json.at("joint").text());
}

bool readJoints(const JsonCursor& json, std::size_t count, GoalEntry& entry) {
    const JsonCursor list = json.at("joints");
    if (!list.expectSize(count)) return false;
    for (std::size_t i = 0; i < count; ++i) entry.joints.push_back(list[i].text());
    return true;
}

bool readPin(const JsonCursor& json) {
    return json.has("pin") && json.at("pin").boolean();
}

void readPosition(const JsonCursor& json, GoalEntry& entry) {
    json.expectKeys({"kind", "joint", "point", "target", "targets", "pin", "weight", "level",
                     "enabled", "position", "distance", "met"});
    PositionGoal kind;
    readJoint(json, entry);
    if (json.has("point")) kind.point = json.at("point").vec3();
    entry.goal.pinned = readPin(json);
    readPoints(json, entry.goal.pinned, kind.target, entry.goal);
    entry.goal.goal.kind = kind;
}

void readOrientation(const JsonCursor& json, GoalEntry& entry) {
    json.expectKeys({"kind", "joint", "target", "targets", "pin", "weight", "level", "enabled",
                     "rotation", "angle_degrees", "met"});
    OrientationGoal kind;
    readJoint(json, entry);
    entry.goal.pinned = readPin(json);
    readTargets(json, entry.goal.pinned, kind.target, entry.goal.orientations,
                [](const JsonCursor& j) { return j.quat(); });
    entry.goal.goal.kind = kind;
}

void readAim(const JsonCursor& json, GoalEntry& entry) {
    json.expectKeys({"kind", "joint", "axis", "eye", "target", "targets", "weight", "level",
                     "enabled", "direction", "angle_degrees", "met"});
    AimGoal kind;
    readJoint(json, entry);
    entry.axis_stated = json.has("axis");
    if (entry.axis_stated) kind.axis = readDirection(json.at("axis"));
    if (json.has("eye")) kind.eye = json.at("eye").vec3();
    readPoints(json, false, kind.target, entry.goal);
    entry.goal.goal.kind = kind;
}

void readPole(const JsonCursor& json, GoalEntry& entry) {
    json.expectKeys({"kind", "joints", "target", "targets", "weight", "level", "enabled",
                     "position", "distance", "met"});
    PoleGoal kind;
    readJoints(json, 3, entry);
    readPoints(json, false, kind.pole, entry.goal);
    entry.goal.goal.kind = kind;
}

void readPlane(const JsonCursor& json, GoalEntry& entry) {
    json.expectKeys({"kind", "joint", "point", "normal", "offset", "side", "weight", "level",
                     "enabled", "position", "distance", "met"});
    PlaneGoal kind;
    readJoint(json, entry);
    if (json.has("point")) kind.point = json.at("point").vec3();
    if (json.has("normal")) kind.normal = readDirection(json.at("normal"));
    if (json.has("offset")) kind.offset = json.at("offset").number();
    if (json.has("side") && json.at("side").oneOf({"above", "on"}) == "on")
        kind.side = PlaneSide::On;
    entry.goal.goal.kind = kind;
}

void readDistance(const JsonCursor& json, GoalEntry& entry) {
    json.expectKeys({"kind", "joints", "points", "distance", "bound", "weight", "level", "enabled",
                     "measured", "met"});
    DistanceGoal kind;
    readJoints(json, 2, entry);
    if (json.has("points") && json.at("points").expectSize(2)) {
        kind.point_a = json.at("points")[0].vec3();
        kind.point_b = json.at("points")[1].vec3();
    }
    kind.distance = json.at("distance").number();
    if (kind.distance < 0.0) json.at("distance").fail("a distance cannot be negative");
    if (json.has("bound")) {
        const std::string bound = json.at("bound").oneOf({"exactly", "at_least", "at_most"});
        if (bound == "at_least") kind.bound = DistanceBound::AtLeast;
        if (bound == "at_most") kind.bound = DistanceBound::AtMost;
    }
    entry.goal.goal.kind = kind;
}

void readPosture(const JsonCursor& json, GoalEntry& entry) {
    json.expectKeys({"kind", "joints", "near", "weight", "level", "enabled"});
    entry.goal.pinned = true;
    if (json.has("near")) entry.goal.pinned = json.at("near").oneOf({"start", "rest"}) == "start";
    if (json.has("joints")) {
        const JsonCursor list = json.at("joints");
        for (std::size_t i = 0; i < list.size(); ++i) entry.joints.push_back(list[i].text());
    }
    entry.goal.goal.kind = PostureGoal{};
}

struct Kind {
    std::string_view name;
    void (*read)(const JsonCursor& json, GoalEntry& entry);
};

constexpr Kind kKinds[] = {{"position", readPosition}, {"orientation", readOrientation},
                           {"aim", readAim},           {"pole", readPole},
                           {"plane", readPlane},       {"distance", readDistance},
                           {"posture", readPosture}};

GoalEntry readGoal(const JsonCursor& json) {
    GoalEntry entry;
    const JsonCursor kind = json.at("kind");
    const std::string name = kind.text();
    const Kind* found = nullptr;
    std::vector<std::string> known;
    for (const Kind& candidate : kKinds) {
        if (candidate.name == name) found = &candidate;
        known.emplace_back(candidate.name);
    }
    if (found == nullptr) {
        std::string advice = suggestNames(name, known);
        if (advice.empty()) advice = "one of position orientation aim pole plane distance posture";
        kind.fail("'" + excerpt(name) + "' is no kind of goal", advice);
        return entry;
    }
    found->read(json, entry);
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
    return entry;
}

// ---- finding joints

// The direction of `forward` at rest in a joint's coordinates.
Vec3 axisAtRest(const Skeleton& skeleton, JointId joint, const Vec3& forward) {
    const std::vector<Quat> rest = computeOrientations(skeleton, restPose(skeleton));
    return rotate(conjugate(rest[index(joint)]), forward);
}

void setJoints(GoalKind& kind, const std::vector<JointId>& joints) {
    if (auto* position = std::get_if<PositionGoal>(&kind)) position->joint = joints[0];
    if (auto* orientation = std::get_if<OrientationGoal>(&kind)) orientation->joint = joints[0];
    if (auto* aim = std::get_if<AimGoal>(&kind)) aim->joint = joints[0];
    if (auto* plane = std::get_if<PlaneGoal>(&kind)) plane->joint = joints[0];
    if (auto* pole = std::get_if<PoleGoal>(&kind)) {
        pole->start = joints[0];
        pole->mid = joints[1];
        pole->end = joints[2];
    }
    if (auto* distance = std::get_if<DistanceGoal>(&kind)) {
        distance->joint_a = joints[0];
        distance->joint_b = joints[1];
    }
    if (auto* posture = std::get_if<PostureGoal>(&kind)) posture->joints = joints;
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

struct KindWriter {
    const Skeleton& skeleton;
    const IkClipGoal& goal;
    OrderedJson& out;

    void operator()(const PositionGoal& kind) const {
        out["joint"] = skeleton.name(kind.joint);
        if (kind.point != Vec3{}) out["point"] = toJson(kind.point);
        writeTargets(kind.target, goal.points, goal.pinned, out);
    }
    void operator()(const OrientationGoal& kind) const {
        out["joint"] = skeleton.name(kind.joint);
        writeTargets(kind.target, goal.orientations, goal.pinned, out);
    }
    void operator()(const AimGoal& kind) const {
        out["joint"] = skeleton.name(kind.joint);
        out["axis"] = toJson(kind.axis);
        if (kind.eye != Vec3{}) out["eye"] = toJson(kind.eye);
        writeTargets(kind.target, goal.points, false, out);
    }
    void operator()(const PoleGoal& kind) const {
        out["joints"] = OrderedJson::array(
            {skeleton.name(kind.start), skeleton.name(kind.mid), skeleton.name(kind.end)});
        writeTargets(kind.pole, goal.points, false, out);
    }
    void operator()(const PlaneGoal& kind) const {
        out["joint"] = skeleton.name(kind.joint);
        if (kind.point != Vec3{}) out["point"] = toJson(kind.point);
        out["normal"] = toJson(kind.normal);
        out["offset"] = kind.offset;
        out["side"] = kind.side == PlaneSide::On ? "on" : "above";
    }
    void operator()(const DistanceGoal& kind) const {
        out["joints"] =
            OrderedJson::array({skeleton.name(kind.joint_a), skeleton.name(kind.joint_b)});
        if (kind.point_a != Vec3{} || kind.point_b != Vec3{})
            out["points"] = OrderedJson::array({toJson(kind.point_a), toJson(kind.point_b)});
        out["distance"] = kind.distance;
        out["bound"] = kind.bound == DistanceBound::AtLeast  ? "at_least"
                       : kind.bound == DistanceBound::AtMost ? "at_most"
                                                             : "exactly";
    }
    void operator()(const PostureGoal& kind) const {
        out["near"] = goal.pinned ? "start" : "rest";
        if (kind.joints.empty()) return;
        OrderedJson list = OrderedJson::array();
        for (const JointId joint : kind.joints) list.push_back(skeleton.name(joint));
        out["joints"] = std::move(list);
    }
};

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
                         "clamped", "warnings"});
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
        std::vector<JointId> joints;
        for (const std::string& name : entry.joints) {
            joints.push_back(skeleton.find(name));
            if (joints.back() != JointId::None) continue;
            return Diagnostic{.what = "there is no joint '" + excerpt(name) + "'",
                              .location = entry.location,
                              .advice = suggestNames(name, skeleton.names())};
        }
        IkClipGoal goal = entry.goal;
        setJoints(goal.goal.kind, joints);
        if (auto* aim = std::get_if<AimGoal>(&goal.goal.kind); aim != nullptr && !entry.axis_stated)
            aim->axis = axisAtRest(skeleton, aim->joint, forward);
        goals.push_back(std::move(goal));
    }
    return goals;
}

std::string writeGoal(const Skeleton& skeleton, const IkClipGoal& goal, std::string_view results) {
    OrderedJson out;
    out["kind"] = goalKindName(goal.goal.kind);
    std::visit(KindWriter{skeleton, goal, out}, goal.goal.kind);
    out["weight"] = goal.goal.weight;
    out["level"] = goal.goal.level;
    if (!goal.goal.enabled) out["enabled"] = false;
    std::string text = detail::dumpJson(out);
    if (!results.empty()) {
        text.back() = ',';
        text += results;
        text += '}';
    }
    return text;
}

std::string writeGoals(const Skeleton& skeleton, std::span<const IkClipGoal> goals) {
    std::string out = "{\n  \"ulna\": 1,\n  \"goals\": [";
    for (std::size_t i = 0; i < goals.size(); ++i)
        out += (i == 0 ? "\n    " : ",\n    ") + writeGoal(skeleton, goals[i]);
    return out + "\n  ]\n}\n";
}

}  // namespace ulna::io
