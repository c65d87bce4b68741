// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include "ulna/core/text.h"
#include "ulna/io/detail/json_cursor.h"
#include "ulna/io/file.h"
#include "ulna/io/keys.h"
#include "ulna/motion/dof_tracks.h"

namespace ulna::io {
namespace {

using detail::Json;
using detail::JsonCursor;
using detail::JsonErrors;
using detail::OrderedJson;

constexpr std::string_view kParts[] = {"rotation", "translation", "scale"};

// ---- reading

// What a file or a track says of its curve; the rest stays.
void readCurve(const JsonCursor& json, KeysOptions& options) {
    if (json.has("interpolation")) {
        const std::string name =
            json.at("interpolation")
                .oneOf({"step", "linear", "catmull-rom", "uniform-catmull-rom", "hermite"});
        for (const Interpolation how : kAllInterpolations)
            if (interpolationName(how) == name) options.interpolation = how;
    }
    if (json.has("ends"))
        options.ends = json.at("ends").oneOf({"mirrored", "duplicated"}) == "mirrored"
                           ? TrackEnds::Mirrored
                           : TrackEnds::Duplicated;
    if (json.has("outside")) {
        const std::string word = json.at("outside").oneOf({"hold", "loop", "extrapolate"});
        options.outside = word == "hold"   ? Outside::Hold
                          : word == "loop" ? Outside::Loop
                                           : Outside::Extrapolate;
    }
}

Quat readComponents(const JsonCursor& json) {
    const auto v = json.numbers<4>();
    return {v[0], v[1], v[2], v[3]};
}

// `read` takes a value; `readTangent` a derivative, whose length may be anything.
template <class V, class Read, class ReadTangent>
Track<V> readTrack(const JsonCursor& json, const KeysOptions& options, const Read& read,
                   const ReadTangent& readTangent) {
    std::vector<Key<V>> keys;
    const JsonCursor list = json.at("keys");
    const bool hermite = options.interpolation == Interpolation::Hermite;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonCursor item = list[i];
        item.expectKeys({"time", "value", "in", "out"});
        if (!hermite && (item.has("in") || item.has("out")))
            item.fail("tangents are for hermite interpolation");
        Key<V> key{item.at("time").number(), read(item.at("value"))};
        if (item.has("in")) key.in = readTangent(item.at("in"));
        if (item.has("out")) key.out = readTangent(item.at("out"));
        keys.push_back(key);
    }
    Track<V> out(std::move(keys), options.interpolation);
    out.ends = options.ends;
    out.outside = options.outside;
    return out;
}

Track<Vec3> readVectors(const JsonCursor& json, const KeysOptions& options) {
    const auto read = [](const JsonCursor& value) { return value.vec3(); };
    return readTrack<Vec3>(json, options, read, read);
}

class KeysReader {
  public:
    KeysReader(const Skeleton& skeleton, const KeysOptions& options)
        : skeleton_(skeleton), options_(options) {
        for (std::size_t d = 0; d < skeleton.dofCount(); ++d)
            dof_names_.push_back(skeleton.dofName(d));
    }

    Result<KeyedMotion> read(const JsonCursor& json, const JsonErrors& errors) {
        json.expectKeys({"ulna", "name", "interpolation", "ends", "outside", "tracks"});
        if (json.has("ulna") && json.at("ulna").number() != 1.0)
            json.at("ulna").fail("this version of the format is unknown", "version 1 is known");
        readCurve(json, options_);
        const JsonCursor list = json.at("tracks");
        for (std::size_t i = 0; i < list.size() && !errors.first; ++i) readOne(list[i]);
        if (errors.first) return *errors.first;
        Result<KeyedMotion> out = makeKeyedMotion(skeleton_, dofs_);
        if (!out) return out.error();
        for (JointTracks& tracks : whole_.joints) merge(std::move(tracks), *out);
        if (json.has("name")) out->name = json.at("name").text();
        if (errors.first) return *errors.first;
        return out;
    }

  private:
    void readOne(const JsonCursor& json) {
        json.expectKeys({"joint", "part", "dof", "interpolation", "ends", "outside", "keys"});
        KeysOptions options = options_;
        readCurve(json, options);
        if (json.has("dof")) return readDof(json, options);
        const std::string name = json.at("joint").text();
        const JointId joint = skeleton_.find(name);
        if (joint == JointId::None)
            return json.at("joint").fail("there is no joint '" + excerpt(name) + "'",
                                         suggestNames(name, skeleton_.names()));
        const std::string part = json.at("part").oneOf({kParts[0], kParts[1], kParts[2]});
        once(json, name + '\n' + part);
        JointTracks& tracks = whole_.at(joint);
        if (part == "translation") {
            tracks.translation = readVectors(json, options);
        } else if (part == "scale") {
            tracks.scale = readVectors(json, options);
        } else {
            const bool hermite = options.interpolation == Interpolation::Hermite;
            const auto read = [hermite](const JsonCursor& value) {
                const Quat one_long = value.quat();
                return hermite ? readComponents(value) : one_long;
            };
            tracks.rotation = readTrack<Quat>(json, options, read, readComponents);
        }
    }

    void readDof(const JsonCursor& json, const KeysOptions& options) {
        if (json.has("joint") || json.has("part"))
            json.fail("'dof' and 'joint' both say what the keys are of");
        const std::string name = json.at("dof").text();
        const auto found = std::find(dof_names_.begin(), dof_names_.end(), name);
        if (found == dof_names_.end())
            return json.at("dof").fail("there is no degree of freedom '" + excerpt(name) + "'",
                                       suggestNames(name, dof_names_));
        const auto dof = static_cast<std::size_t>(found - dof_names_.begin());
        const bool angle = skeleton_.isAngle(dof);
        const std::string& joint = skeleton_.name(skeleton_.jointOfDof(dof));
        dof_parts_.insert(joint + '\n' + std::string(kParts[angle ? 0 : 1]));
        once(json, name);
        const auto read = [angle](const JsonCursor& value) {
            return angle ? radians(value.number()) : value.number();
        };
        dofs_.push_back({dof, readTrack<double>(json, options, read, read)});
    }

    // What is keyed as a whole and by degrees of freedom has no one meaning.
    void once(const JsonCursor& json, const std::string& what) {
        if (!seen_.insert(what).second) json.fail("these keys are there twice");
        for (const std::string& part : dof_parts_)
            if (seen_.count(part) > 0)
                json.fail("a joint is keyed as a whole and by its degrees of freedom");
    }

    static void merge(JointTracks tracks, KeyedMotion& out) {
        JointTracks& at = out.at(tracks.joint);
        if (!tracks.translation.empty()) at.translation = std::move(tracks.translation);
        if (!tracks.scale.empty()) at.scale = std::move(tracks.scale);
        if (!std::get<Track<Quat>>(tracks.rotation).empty())
            at.rotation = std::move(tracks.rotation);
    }

    const Skeleton& skeleton_;
    KeysOptions options_;
    std::vector<std::string> dof_names_;
    std::vector<DofTrack> dofs_;
    KeyedMotion whole_;
    std::set<std::string> seen_, dof_parts_;
};

// ---- writing

OrderedJson toJson(double v) {
    return v;
}
OrderedJson toJson(const Vec3& v) {
    return OrderedJson::array({v.x, v.y, v.z});
}
OrderedJson toJson(const Quat& q) {
    return OrderedJson::array({q.x, q.y, q.z, q.w});
}

template <class V, class Convert>
std::string writeTrack(OrderedJson head, const Track<V>& track, const Convert& convert) {
    head["interpolation"] = interpolationName(track.interpolation);
    if (track.ends == TrackEnds::Duplicated) head["ends"] = "duplicated";
    if (track.outside != Outside::Hold)
        head["outside"] = track.outside == Outside::Loop ? "loop" : "extrapolate";
    std::string out = detail::dumpJson(head);
    out.pop_back();
    out += ", \"keys\": [";
    bool first = true;
    for (const Key<V>& key : track.keys()) {
        OrderedJson item = {{"time", key.time}, {"value", toJson(convert(key.value))}};
        if (track.interpolation == Interpolation::Hermite) {
            item["in"] = toJson(convert(key.in));
            item["out"] = toJson(convert(key.out));
        }
        out += (first ? "\n      " : ",\n      ") + detail::dumpJson(item);
        first = false;
    }
    return out + "]}";
}

std::vector<std::string> writeTracks(const Skeleton& skeleton, const JointTracks& tracks) {
    std::vector<std::string> out;
    const auto same = [](const auto& value) { return value; };
    const auto head = [&](std::string_view part) {
        return OrderedJson{{"joint", skeleton.name(tracks.joint)}, {"part", part}};
    };
    if (!tracks.translation.empty())
        out.push_back(writeTrack(head("translation"), tracks.translation, same));
    if (const auto* whole = std::get_if<Track<Quat>>(&tracks.rotation)) {
        if (!whole->empty()) out.push_back(writeTrack(head("rotation"), *whole, same));
    } else {
        const auto& rotations = std::get<AngleTracks>(tracks.rotation).rotations;
        const std::size_t end = skeleton.firstDof(tracks.joint) + skeleton.dofCount(tracks.joint);
        for (std::size_t i = 0; i < rotations.size(); ++i) {
            if (rotations[i].angle.empty()) continue;
            const OrderedJson dof = {{"dof", skeleton.dofName(end - rotations.size() + i)}};
            out.push_back(writeTrack(dof, rotations[i].angle, [](double v) { return degrees(v); }));
        }
    }
    if (!tracks.scale.empty()) out.push_back(writeTrack(head("scale"), tracks.scale, same));
    return out;
}

}  // namespace

Result<KeyedMotion> readKeysJson(std::string_view text, std::string_view source,
                                 const Skeleton& skeleton, const KeysOptions& options) {
    const Result<Json> json = detail::parseJson(text, source);
    if (!json) return json.error();
    JsonErrors errors{std::string(source), std::nullopt};
    return KeysReader(skeleton, options).read({*json, {}, errors}, errors);
}

Result<KeyedMotion> loadKeys(const std::string& path, const Skeleton& skeleton,
                             const KeysOptions& options) {
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    if (lowerCase(path).ends_with(".csv"))
        return readKeysCsv(bytes->view(), path, skeleton, options);
    return readKeysJson(bytes->view(), path, skeleton, options);
}

std::string writeKeysJson(const Skeleton& skeleton, const KeyedMotion& motion) {
    std::string out =
        "{\n  \"ulna\": 1,\n  \"name\": " + detail::dumpJson(motion.name) + ",\n  \"tracks\": [";
    bool first = true;
    for (const JointTracks& tracks : motion.joints) {
        for (const std::string& track : writeTracks(skeleton, tracks)) {
            out += (first ? "\n    " : ",\n    ") + track;
            first = false;
        }
    }
    return out + "\n  ]\n}\n";
}

}  // namespace ulna::io
