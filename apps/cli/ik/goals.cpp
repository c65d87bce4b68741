// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ik/goals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "apps/cli/arguments.h"
#include "ulna/core/text.h"
#include "ulna/io/bounds.h"
#include "ulna/io/goals_json.h"

namespace ulna::cli {
namespace {

// One goal as it was written, without the `,key=value` pairs at its end.
struct Written {
    const char* option;
    const char* form;  // how it should have been written
    std::string whole;
    std::string head = whole;
    std::string bound = {};
    std::optional<GoalSpan> span = {};
    double weight = 1.0;
    int level = 1;
    bool planar = false;  // the third coordinate of a point may be left out

    [[nodiscard]] bool takesBound() const {
        return std::string_view(form).find("bound=") != std::string_view::npos;
    }
    [[noreturn]] void refuse(const std::string& what) const {
        failUsage(fmt::format("{} '{}': {}", option, whole, what),
                  fmt::format("write {} {}", option, form));
    }
    template <std::size_t N>
    [[nodiscard]] std::array<double, N> numbers(std::string_view text) const {
        const auto out = numbersOf<N>(text);
        if (out) return *out;
        refuse(N == 1 ? "a finite number was expected"
                      : fmt::format("{} finite numbers with commas between were expected", N));
    }
    [[nodiscard]] Vec3 point(std::string_view text) const {
        if (const auto flat = planar ? numbersOf<2>(text) : std::nullopt)
            return {(*flat)[0], (*flat)[1], 0.0};
        const auto v = numbers<3>(text);
        return {v[0], v[1], v[2]};
    }
    [[nodiscard]] Assignment assignment() const {
        const std::size_t at = head.rfind('=');
        if (at == std::string::npos || at == 0) refuse("there is no joint and '='");
        return {std::string(trimmed(head.substr(0, at))), head.substr(at + 1)};
    }
    [[nodiscard]] io::GoalEntry entry(GoalKind goal, std::vector<std::string> joints) const {
        io::GoalEntry out;
        out.goal.goal = {std::move(goal), weight, level, true};
        out.joints = std::move(joints);
        out.location.file = option;
        out.goal.span = span;
        return out;
    }
};

// A time of a range: seconds such as 1.2, or frames such as 36f.
struct RangeTime {
    double value = 0.0;
    bool frames = false;
};
std::optional<RangeTime> rangeTimeOf(std::string_view text) {
    RangeTime out;
    out.frames = text.ends_with('f');
    if (out.frames) text.remove_suffix(1);
    const std::optional<double> value = numberOf(text);
    if (value) out.value = *value;
    return value ? std::optional(out) : std::nullopt;
}

// Takes `@1.2..1.8`, `@36f..54f` or `@1.2..1.8~0.3` off the end of a goal. Names may have an `@`,
// but hardly two dots behind it.
void takeSpan(Written& out) {
    const std::size_t at = out.head.rfind('@');
    if (at == std::string::npos || out.span) return;
    const std::string range(trimmed(std::string_view(out.head).substr(at + 1)));
    const std::size_t tilde = range.find('~');
    const std::string ends = range.substr(0, tilde);
    const std::size_t dots = ends.find("..");
    if (dots == std::string::npos || range.find(',') != std::string::npos) return;
    const auto first = rangeTimeOf(ends.substr(0, dots)), last = rangeTimeOf(ends.substr(dots + 2));
    const auto ease = tilde == std::string::npos ? std::optional(RangeTime{})
                                                 : rangeTimeOf(range.substr(tilde + 1));
    if (!first || !last || !ease)
        out.refuse("'@" + range +
                   "' is no range of time such as @1.2..1.8, @36f..54f or "
                   "@1.2..1.8~0.3");
    if (first->frames != last->frames ||
        (tilde != std::string::npos && ease->frames != first->frames))
        out.refuse("'@" + range + "' has seconds and frames");
    GoalSpan span{.first = first->value, .last = last->value, .frames = first->frames};
    if (tilde != std::string::npos) span.ease = ease->value;
    if (const Status status = checkSpan(span); !status) out.refuse(status.error().what);
    out.span = span;
    out.head.erase(at);
}

Written readWritten(const char* option, const char* form, const std::string& text, bool planar) {
    Written out{option, form, text};
    out.planar = planar;
    for (;;) {
        takeSpan(out);
        const std::size_t comma = out.head.rfind(',');
        if (comma == std::string::npos) return out;
        const std::string last(trimmed(std::string_view(out.head).substr(comma + 1)));
        const std::size_t equals = last.find('=');
        if (equals == std::string::npos) return out;
        const std::string key = last.substr(0, equals);
        const std::string value = last.substr(equals + 1);
        if (key == "weight") {
            out.weight = out.numbers<1>(value)[0];
            if (out.weight < 0.0) out.refuse("a weight cannot be negative");
        } else if (key == "level") {
            if (value != "1" && value != "2") out.refuse("a level is 1 or 2");
            out.level = value == "2" ? 2 : 1;
        } else if (key == "bound" && out.takesBound()) {
            out.bound = value;
        } else {
            // With another '=' before it this can be no joint, only a key.
            if (out.head.find('=') < comma) out.refuse("'" + key + "' is not known here");
            return out;
        }
        out.head.erase(comma);
    }
}

// What the goals are about.
struct Scene {
    const Skeleton& skeleton;
    Vec3 up;
    std::vector<io::GoalEntry> known;  // those of the file, and those stated by earlier options
};

io::GoalEntry readPosition(const Written& written, const Scene&) {
    const Assignment a = written.assignment();
    return written.entry(PositionGoal{JointId::None, {}, written.point(a.value)}, {a.name});
}

io::GoalEntry readOrientation(const Written& written, const Scene&) {
    const Assignment a = written.assignment();
    const auto v = written.numbers<4>(a.value);
    const Quat q{v[0], v[1], v[2], v[3]};
    if (!(dot(q, q) > 1e-24)) written.refuse("a quaternion cannot be zero");
    return written.entry(OrientationGoal{JointId::None, normalized(q)}, {a.name});
}

io::GoalEntry readAim(const Written& written, const Scene& scene) {
    Assignment a = written.assignment();
    AimGoal goal;
    goal.target = written.point(a.value);
    // Names may have colons; three coordinates behind the last one are an axis.
    const std::size_t colon = a.name.rfind(':');
    const bool is_name = scene.skeleton.find(a.name) != JointId::None;
    const auto axis = colon == std::string::npos || is_name
                          ? std::nullopt
                          : numbersOf<3>(std::string_view(a.name).substr(colon + 1));
    if (axis) {
        const Vec3 v{(*axis)[0], (*axis)[1], (*axis)[2]};
        if (length(v) < 1e-12) written.refuse("an axis cannot be zero");
        goal.axis = normalizedOr(v, Vec3{0, 0, 1});
        a.name.erase(colon);
    }
    io::GoalEntry out = written.entry(goal, {a.name});
    out.axis_stated = axis.has_value();
    return out;
}

// The child of a joint on the way to a position goal, or its only child that is no End Site.
JointId childTowardsAGoal(const Skeleton& skeleton, JointId mid,
                          const std::vector<io::GoalEntry>& entries) {
    std::vector<JointId> children = skeleton.children(mid);
    for (const JointId child : children) {
        for (const io::GoalEntry& entry : entries) {
            if (!std::holds_alternative<PositionGoal>(entry.goal.goal.kind)) continue;
            const JointId goal = skeleton.find(entry.joints[0]);
            if (goal != JointId::None && (goal == child || skeleton.isAncestor(child, goal)))
                return child;
        }
    }
    const bool several = children.size() > 1;
    const auto is_end = [&](JointId j) { return several && skeleton.isEndSite(j); };
    children.erase(std::remove_if(children.begin(), children.end(), is_end), children.end());
    return children.size() == 1 ? children[0] : JointId::None;
}

io::GoalEntry readPole(const Written& written, const Scene& scene) {
    const Skeleton& skeleton = scene.skeleton;
    const Assignment a = written.assignment();
    const PoleGoal goal{JointId::None, JointId::None, JointId::None, written.point(a.value)};
    std::vector<std::string> names = split(a.name, ',');
    if (names.size() == 1) {
        const JointId mid = findJoint(skeleton, names[0], "--pole");
        const JointId start = skeleton.parent(mid);
        const JointId end = childTowardsAGoal(skeleton, mid, scene.known);
        if (start == JointId::None) written.refuse("'" + names[0] + "' has no joint above it");
        if (end == JointId::None)
            written.refuse("which joint below '" + names[0] + "' ends the limb is not clear");
        names = {skeleton.name(start), names[0], skeleton.name(end)};
    }
    if (names.size() != 3) written.refuse("one joint or three were expected");
    return written.entry(goal, std::move(names));
}

io::GoalEntry readAbove(const Written& written, const Scene& scene) {
    const Assignment a = written.assignment();
    PlaneGoal goal;
    goal.normal = scene.up;
    goal.offset = written.numbers<1>(a.value)[0];
    return written.entry(goal, {a.name});
}

io::GoalEntry readDistance(const Written& written, const Scene&) {
    const Assignment a = written.assignment();
    std::vector<std::string> names = split(a.name, ',');
    if (names.size() != 2) written.refuse("two joints were expected");
    DistanceGoal goal;
    goal.distance = written.numbers<1>(a.value)[0];
    if (goal.distance < 0.0) written.refuse("a distance cannot be negative");
    if (written.bound == "at-least")
        goal.bound = DistanceBound::AtLeast;
    else if (written.bound == "at-most")
        goal.bound = DistanceBound::AtMost;
    else if (!written.bound.empty() && written.bound != "exactly")
        written.refuse("'" + written.bound + "' is not a bound");
    return written.entry(goal, std::move(names));
}

io::GoalEntry readPin(const Written& written, const Scene&) {
    io::GoalEntry out = written.entry(PositionGoal{}, {std::string(trimmed(written.head))});
    out.goal.pinned = true;
    return out;
}

// `JOINT:full` is two goals: its position, which is the entry itself from here on, and its
// rotation, which is the result. Names may have colons.
std::optional<io::GoalEntry> splitFullPin(const Skeleton& skeleton, io::GoalEntry& entry) {
    constexpr std::string_view kFull = ":full";
    std::string& name = entry.joints.front();
    if (!entry.goal.pinned || !name.ends_with(kFull) || skeleton.find(name) != JointId::None)
        return std::nullopt;
    name.erase(name.size() - kFull.size());
    io::GoalEntry out = entry;
    out.goal.goal.kind = OrientationGoal{};
    return out;
}

// An option that states goals. Kinds without one are stated in a file.
struct GoalOption {
    const char* name;
    const char* type;  // in help
    const char* form;  // in full
    const char* description;
    io::GoalEntry (*read)(const Written& written, const Scene& scene);
    const char* open = nullptr;  // what stands for a target that is left out
};

// In the order in which the goals are listed; poles look for positions among those before them.
constexpr GoalOption kGoalOptions[] = {
    {"--goal", "JOINT=x,y,z", "JOINT=x,y,z[@RANGE][,weight=W][,level=1|2]",
     "Which position a joint should have, in model space; repeatable. With --all, this and every "
     "other goal may hold over a range: @1.2..1.8 (seconds) or @36f..54f (frames), with ~0.3 for "
     "how long it eases in and out",
     readPosition, "0,0,0"},
    {"--orient", "JOINT=x,y,z,w", "JOINT=x,y,z,w[@RANGE][,weight=W][,level=1|2]",
     "Which rotation a joint should have in model space: a quaternion", readOrientation, "0,0,0,1"},
    {"--aim", "JOINT[:ax,ay,az]=x,y,z", "JOINT[:ax,ay,az]=x,y,z[@RANGE][,weight=W][,level=1|2]",
     "Which point a joint should look at; its axis is where the model faces at rest, or stated",
     readAim},
    {"--pole", "START,MID,END=x,y,z",
     "START,MID,END=x,y,z or MID=x,y,z [@RANGE][,weight=W][,level=1|2]",
     "Which point a limb should bend towards, at its knee or elbow", readPole},
    {"--above", "JOINT=h", "JOINT=height[@RANGE][,weight=W][,level=1|2]",
     "Which height a joint should not be below", readAbove},
    {"--distance", "A,B=d", "A,B=d[@RANGE][,bound=exactly|at-least|at-most][,weight=W][,level=1|2]",
     "How far apart two joints should be; ',bound=at-least' or ',bound=at-most' for a bound",
     readDistance},
    {"--pin", "JOINT[:full]", "JOINT[:full][@RANGE][,weight=W][,level=1|2]",
     "Keep a joint where it is, in each frame at its position in that frame; JOINT:full keeps its "
     "rotation too",
     readPin}};

}  // namespace

void addGoalOptions(Tool& tool, CLI::App* verb, GoalOptions& options) {
    options.stated.resize(std::size(kGoalOptions));
    for (std::size_t i = 0; i < options.stated.size(); ++i) {
        const GoalOption& option = kGoalOptions[i];
        // One value per option: what follows may be the file.
        verb->add_option(option.name, options.stated[i], option.description)
            ->allow_extra_args(false)
            ->type_name(option.type);
    }
    verb->add_option("--posture", options.posture,
                     "How strongly all joints are held near their pose, such as 1e-3")
        ->type_name("WEIGHT");
    isFile(tool, verb->add_option(
                     "--goals", options.file,
                     "Read goals of every kind, also with moving targets, from a JSON file"));
}

StatedGoals makeGoals(const GoalOptions& options, const Skeleton& skeleton, const Vec3& up,
                      const Vec3& forward) {
    StatedGoals out;
    std::vector<io::GoalEntry> in_file;
    if (!options.file.empty()) {
        Result<std::vector<io::GoalEntry>> read = io::loadGoals(options.file);
        if (!read) fail(kBadInput, read.error());
        in_file = *std::move(read);
    }
    std::vector<io::GoalEntry> entries;
    for (std::size_t i = 0; i < options.stated.size(); ++i) {
        const GoalOption& option = kGoalOptions[i];
        Scene scene{skeleton, up, entries};
        scene.known.insert(scene.known.end(), in_file.begin(), in_file.end());
        for (const std::string& text : options.stated[i]) {
            Written written = readWritten(option.name, option.form, text, skeleton.planar());
            if (options.batch && option.open != nullptr &&
                written.head.find('=') == std::string::npos) {
                written.head += std::string("=") + option.open;
                out.open.push_back(entries.size());
            }
            io::GoalEntry entry = option.read(written, scene);
            std::optional<io::GoalEntry> rotation = splitFullPin(skeleton, entry);
            entries.push_back(std::move(entry));
            if (rotation) entries.push_back(*std::move(rotation));
        }
    }
    if (!options.posture.empty()) {
        io::GoalEntry posture;
        posture.goal.goal = {PostureGoal{}, parseNumber(options.posture, "--posture"), 1, true};
        if (posture.goal.goal.weight < 0.0) failUsage("--posture cannot be negative");
        posture.goal.pinned = true;
        entries.push_back(std::move(posture));
    }
    entries.insert(entries.end(), in_file.begin(), in_file.end());
    if (entries.empty()) {
        failUsage("no goal was given",
                  "--goal JOINT=x,y,z states one; 'ulna ik --help' lists the others");
    }
    Result<std::vector<IkClipGoal>> goals = io::bindGoals(entries, skeleton, forward);
    if (!goals) fail(kUsage, goals.error());
    for (std::size_t i = 0; i < goals->size(); ++i) {
        const Status status = checkGoal(skeleton, (*goals)[i].goal);
        if (status) continue;
        Diagnostic error = status.error();
        error.location = entries[i].location;
        fail(kUsage, std::move(error));
    }
    out.goals = *std::move(goals);
    return out;
}

}  // namespace ulna::cli
