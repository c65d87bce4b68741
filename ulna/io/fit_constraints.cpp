// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/fit_constraints.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ulna/core/text.h"
#include "ulna/io/detail/json_cursor.h"
#include "ulna/io/file.h"

namespace ulna::io {
namespace {

using detail::Json;
using detail::JsonCursor;
using detail::JsonErrors;
using Kind = FitConstraintKind;

std::size_t readIndex(const JsonCursor& json) {
    constexpr double kMost = 4294967295.0;
    const double number = json.number();
    if (!(number >= 0.0 && number <= kMost && number == std::floor(number))) {
        json.fail("the index of a vertex or frame was expected: 0, 1, 2, ...");
        return 0;
    }
    return static_cast<std::size_t>(number);
}

// Numbers, and pairs of a first and a last one.
std::vector<IndexRange> readRanges(const JsonCursor& json) {
    std::vector<IndexRange> out;
    const std::size_t count = json.size();
    for (std::size_t i = 0; i < count; ++i) {
        const JsonCursor each = json[i];
        if (!each.isArray()) {
            const std::size_t index = readIndex(each);
            out.push_back({index, index});
        } else if (each.expectSize(2)) {
            out.push_back({readIndex(each[0]), readIndex(each[1])});
            if (out.back().last < out.back().first) each.fail("a range ends before it begins");
        }
    }
    if (out.empty()) json.fail("the list is empty");
    return out;
}

// `one` for all frames, or `many`, one a frame; none.
template <class Read>
auto readTrack(const JsonCursor& json, const char* one, const char* many, const Read& read) {
    std::vector<decltype(read(json))> out;
    if (json.has(one) && json.has(many))
        json.fail(std::string("'") + one + "' and '" + many + "' both say where it is");
    if (json.has(one)) out.push_back(read(json.at(one)));
    if (json.has(many)) {
        const JsonCursor list = json.at(many);
        for (std::size_t i = 0; i < list.size(); ++i) out.push_back(read(list[i]));
        if (out.empty()) list.fail("the list is empty");
    }
    return out;
}

void readPositions(const JsonCursor& json, FitConstraintEntry& entry) {
    entry.positions = readTrack(json, "position", "positions",
                                [](const JsonCursor& each) { return each.vec3(); });
}

void readPin(const JsonCursor& json, FitConstraintEntry& entry) {
    json.expectKeys({"kind", "joint", "position", "positions"});
    entry.joints = {json.at("joint").text()};
    readPositions(json, entry);
}

void readDrive(const JsonCursor& json, FitConstraintEntry& entry) {
    json.expectKeys({"kind", "joint", "position", "positions", "rotation", "rotations"});
    entry.joints = {json.at("joint").text()};
    readPositions(json, entry);
    entry.rotations = readTrack(json, "rotation", "rotations",
                                [](const JsonCursor& each) { return each.quat(); });
}

void readJoint(const JsonCursor& json, FitConstraintEntry& entry) {
    json.expectKeys({"kind", "joint"});
    entry.joints = {json.at("joint").text()};
}

void readRigid(const JsonCursor& json, FitConstraintEntry& entry) {
    json.expectKeys({"kind", "joints"});
    const JsonCursor list = json.at("joints");
    const std::size_t count = list.size();
    if (count < 2) list.fail("a rigid body has two joints or more");
    for (std::size_t i = 0; i < count; ++i) entry.joints.push_back(list[i].text());
}

void readMass(const JsonCursor& json, FitConstraintEntry& entry) {
    json.expectKeys({"kind", "vertices", "mass"});
    entry.vertices = readRanges(json.at("vertices"));
    entry.mass = json.at("mass").number();
    constexpr double kLeast = 1e-12, kMost = 1e12;  // beyond these nothing is left of sums
    if (entry.mass != 0.0 && !(entry.mass >= kLeast && entry.mass <= kMost))
        json.at("mass").fail("a mass is 0, or 1e-12 to 1e12");
}

void readMissing(const JsonCursor& json, FitConstraintEntry& entry) {
    json.expectKeys({"kind", "vertices", "frames"});
    entry.vertices = readRanges(json.at("vertices"));
    if (json.has("frames")) entry.frames = readRanges(json.at("frames"));
}

struct KindReader {
    std::string_view name;
    Kind kind;
    void (*read)(const JsonCursor& json, FitConstraintEntry& entry);
};

constexpr KindReader kReaders[] = {
    {"pin", Kind::Pin, readPin},       {"drive", Kind::Drive, readDrive},
    {"free", Kind::Free, readJoint},   {"cage", Kind::Cage, readJoint},
    {"rigid", Kind::Rigid, readRigid}, {"lock", Kind::Lock, readJoint},
    {"mass", Kind::Mass, readMass},    {"missing", Kind::Missing, readMissing},
};

FitConstraintEntry readEntry(const JsonCursor& json) {
    FitConstraintEntry entry;
    const std::string name = json.at("kind").text();
    std::vector<std::string> known;
    for (const KindReader& reader : kReaders) {
        known.emplace_back(reader.name);
        if (reader.name != name) continue;
        entry.kind = reader.kind;
        reader.read(json, entry);
        return entry;
    }
    std::string advice = suggestNames(name, known);
    if (advice.empty()) advice = "one of pin drive free cage rigid lock mass missing";
    json.at("kind").fail("'" + excerpt(name) + "' is not a kind of constraint", advice);
    return entry;
}

class Binder {
  public:
    Binder(const Skeleton& skeleton, std::size_t vertices, std::size_t frames)
        : skeleton_(skeleton),
          vertex_count_(vertices),
          frame_count_(frames),
          said_(skeleton.jointCount()) {}

    std::optional<Diagnostic> add(const FitConstraintEntry& entry) {
        std::vector<JointId> joints;
        for (const std::string& name : entry.joints) {
            joints.push_back(skeleton_.find(name));
            if (joints.back() == JointId::None)
                return Diagnostic{.what = "there is no joint '" + excerpt(name) + "'",
                                  .location = entry.location,
                                  .advice = suggestNames(name, skeleton_.names())};
        }
        for (std::size_t i = 1; entry.kind == Kind::Rigid && i < joints.size(); ++i) {
            if (std::find(joints.begin(), joints.begin() + static_cast<std::ptrdiff_t>(i),
                          joints[i]) != joints.begin() + static_cast<std::ptrdiff_t>(i))
                return Diagnostic{.what = "'" + entry.joints[i] + "' is named twice",
                                  .location = entry.location};
        }
        if (auto wrong = checkPlane(entry)) return wrong;
        if (auto wrong = checkCount(entry, entry.positions.size(), "positions")) return wrong;
        if (auto wrong = checkCount(entry, entry.rotations.size(), "rotations")) return wrong;
        if (auto wrong = checkRanges(entry, entry.vertices, vertex_count_, "vertex")) return wrong;
        if (auto wrong = checkRanges(entry, entry.frames, frame_count_, "frame")) return wrong;
        if (auto wrong = checkContradiction(entry, joints)) return wrong;
        put(entry, joints);
        return std::nullopt;
    }

    FitConstraints take() { return std::move(out_); }

  private:
    std::optional<Diagnostic> checkPlane(const FitConstraintEntry& entry) const {
        if (!skeleton_.planar()) return std::nullopt;
        const bool flat = std::all_of(entry.positions.begin(), entry.positions.end(),
                                      [](const Vec3& p) { return p.z == 0.0; }) &&
                          std::all_of(entry.rotations.begin(), entry.rotations.end(),
                                      [](const Quat& q) { return q.x == 0.0 && q.y == 0.0; });
        if (flat) return std::nullopt;
        return Diagnostic{
            .what =
                "the skeleton is planar: positions must have z = 0, and rotations must be about z",
            .location = entry.location};
    }

    std::optional<Diagnostic> checkCount(const FitConstraintEntry& entry, std::size_t count,
                                         const char* what) const {
        if (count <= 1 || count == frame_count_) return std::nullopt;
        return Diagnostic{.what = "there are " + std::to_string(count) + " " + what + " for " +
                                  std::to_string(frame_count_) + " frames",
                          .location = entry.location,
                          .advice = "give one, or one per frame"};
    }

    static std::optional<Diagnostic> checkRanges(const FitConstraintEntry& entry,
                                                 const std::vector<IndexRange>& ranges,
                                                 std::size_t count, const char* what) {
        for (const IndexRange& range : ranges) {
            if (range.last < count) continue;
            return Diagnostic{.what = std::string("there is no ") + what + " " +
                                      std::to_string(range.last) + "; they are 0 to " +
                                      std::to_string(count - std::min<std::size_t>(count, 1)),
                              .location = entry.location};
        }
        return std::nullopt;
    }

    // Pinned, driven, free, caged and locked: of these a joint can be one. A pinned joint may be
    // free as well.
    std::optional<Diagnostic> checkContradiction(const FitConstraintEntry& entry,
                                                 const std::vector<JointId>& joints) {
        if (entry.kind == Kind::Rigid || joints.empty()) return std::nullopt;
        std::vector<const FitConstraintEntry*>& said = said_[index(joints[0])];
        for (const FitConstraintEntry* other : said) {
            const bool both = entry.kind != other->kind &&
                              (entry.kind == Kind::Pin || entry.kind == Kind::Free) &&
                              (other->kind == Kind::Pin || other->kind == Kind::Free);
            if (both) continue;
            return Diagnostic{
                .what = "two constraints on '" + entry.joints[0] + "' contradict each other",
                .location = entry.location,
                .advice = "the other one is at " + other->location.json_path};
        }
        said.push_back(&entry);
        return std::nullopt;
    }

    void put(const FitConstraintEntry& entry, const std::vector<JointId>& joints) {
        switch (entry.kind) {
            case Kind::Pin:
                out_.pinned.push_back({joints[0], entry.positions, {}});
                break;
            case Kind::Drive:
                out_.driven.push_back({joints[0], entry.positions, entry.rotations});
                break;
            case Kind::Free:
                out_.freed.push_back(joints[0]);
                break;
            case Kind::Cage:
                out_.caged.push_back(joints[0]);
                break;
            case Kind::Lock:
                out_.locked.push_back(joints[0]);
                break;
            case Kind::Rigid:
                for (std::size_t i = 1; i < joints.size(); ++i)
                    out_.rigid.emplace_back(joints[0], joints[i]);
                break;
            case Kind::Mass:
                if (out_.masses.empty()) out_.masses.assign(vertex_count_, 1.0);
                for (const IndexRange& range : entry.vertices)
                    for (std::size_t v = range.first; v <= range.last; ++v)
                        out_.masses[v] = entry.mass;
                break;
            case Kind::Missing:
                out_.missing.push_back({entry.vertices, entry.frames});
                break;
        }
    }

    const Skeleton& skeleton_;
    std::size_t vertex_count_ = 0, frame_count_ = 0;
    std::vector<std::vector<const FitConstraintEntry*>> said_;  // per joint
    FitConstraints out_;
};

}  // namespace

Result<std::vector<FitConstraintEntry>> readFitConstraints(std::string_view text,
                                                           std::string_view source) {
    const Result<Json> document = detail::parseJson(text, source);
    if (!document) return document.error();
    JsonErrors errors{std::string(source), {}};
    const JsonCursor json(*document, "", errors);
    if (!json.isArray()) {
        json.expectKeys({"ulna", "constraints"});
        if (json.has("ulna") && json.at("ulna").number() != 1.0)
            json.at("ulna").fail("this version of the format is unknown",
                                 "this program reads version 1");
    }
    const JsonCursor list = json.isArray() ? json : json.at("constraints");
    std::vector<FitConstraintEntry> entries;
    const std::size_t count = list.size();
    for (std::size_t i = 0; i < count && !errors.first; ++i) {
        entries.push_back(readEntry(list[i]));
        entries.back().location = {
            .file = std::string(source),
            .json_path = (json.isArray() ? "[" : "constraints[") + std::to_string(i) + ']'};
    }
    if (errors.first) return *std::move(errors.first);
    return entries;
}

Result<std::vector<FitConstraintEntry>> loadFitConstraints(const std::string& path) {
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    return readFitConstraints(bytes->view(), path);
}

Result<FitConstraints> bindFitConstraints(std::span<const FitConstraintEntry> entries,
                                          const Skeleton& skeleton, std::size_t vertex_count,
                                          std::size_t frame_count) {
    Binder binder(skeleton, vertex_count, frame_count);
    for (const FitConstraintEntry& entry : entries) {
        if (std::optional<Diagnostic> wrong = binder.add(entry)) return *std::move(wrong);
    }
    return binder.take();
}

}  // namespace ulna::io
