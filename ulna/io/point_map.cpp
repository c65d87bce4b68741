// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/point_map.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ulna/core/text.h"
#include "ulna/io/detail/json_cursor.h"
#include "ulna/io/file.h"

namespace ulna::io {
namespace {

using detail::Json;
using detail::JsonCursor;
using detail::JsonErrors;

void readLandmark(const JsonCursor& json, PointRole& role) {
    const std::string word = json.at("landmark").text();
    const std::optional<Landmark> landmark = landmarkFromName(word);
    const std::vector<std::string> known = landmarkNames();
    if (!landmark || *landmark == Landmark::Joint) {
        std::string advice = suggestNames(word, known);
        if (advice.empty()) advice = "the landmarks are listed in docs/retarget/points.md";
        json.at("landmark").fail("'" + excerpt(word) + "' is not a landmark", advice);
        return;
    }
    role.landmark = *landmark;
    if (json.has("side"))
        role.side =
            json.at("side").oneOf({"left", "right"}) == "left" ? BodySide::Left : BodySide::Right;
    if (isSided(*landmark) && !json.has("side"))
        json.fail("the landmark is on both sides of a body", "add \"side\": \"left\" or \"right\"");
    if (!isSided(*landmark) && json.has("side"))
        json.at("side").fail("the landmark is in the middle of a body, and has no side");
}

PointMapEntry readEntry(const JsonCursor& json) {
    json.expectKeys({"name", "of", "landmark", "side", "joint", "offset"});
    PointMapEntry out{.name = json.at("name").text(), .location = json.location()};
    if (json.has("joint")) {
        out.role = {.landmark = Landmark::Joint, .joint = json.at("joint").text()};
        if (json.has("offset")) out.role.offset = json.at("offset").vec3();
        if (json.has("landmark") || json.has("side"))
            json.fail("'joint' and 'landmark' both say what the point is");
    } else {
        readLandmark(json, out.role);
        if (json.has("offset")) json.at("offset").fail("only a joint has an offset");
    }
    if (json.has("of")) {
        const JsonCursor list = json.at("of");
        for (std::size_t i = 0; i < list.size(); ++i) out.of.push_back(list[i].text());
        if (out.of.empty()) list.fail("the list is empty");
    } else {
        out.of = {out.name};
    }
    return out;
}

}  // namespace

Result<PointMap> readPointMap(std::string_view text, std::string_view source) {
    const Result<Json> document = detail::parseJson(text, source);
    if (!document) return document.error();
    JsonErrors errors{std::string(source), {}};
    const JsonCursor json(*document, "", errors);
    json.expectKeys({"ulna", "name", "up", "metres_per_unit", "points"});
    if (json.has("ulna") && json.at("ulna").number() != 1.0)
        json.at("ulna").fail("this version of the format is unknown",
                             "this program reads version 1");
    PointMap out;
    out.layout.name = json.has("name") ? json.at("name").text() : std::string(source);
    if (json.has("up"))
        out.layout.up = pointUpFromName(json.at("up").oneOf({"x", "-x", "y", "-y", "z", "-z"}));
    if (json.has("metres_per_unit")) {
        out.layout.metres = json.at("metres_per_unit").number();
        constexpr double kLeast = 1e-9, kMost = 1e9;
        if (!(*out.layout.metres >= kLeast && *out.layout.metres <= kMost))
            json.at("metres_per_unit").fail("a length above 0 was expected");
    }
    const JsonCursor list = json.at("points");
    const std::size_t count = list.size();
    for (std::size_t i = 0; i < count && !errors.first; ++i) {
        PointMapEntry entry = readEntry(list[i]);
        entry.location.file = std::string(source);
        out.layout.names.push_back(entry.name);
        out.layout.roles.push_back(entry.role);
        out.entries.push_back(std::move(entry));
    }
    if (!errors.first && count == 0) list.fail("the list is empty");
    if (errors.first) return *std::move(errors.first);
    return out;
}

Result<PointMap> loadPointMap(const std::string& path) {
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    return readPointMap(bytes->view(), path);
}

Result<PointClip> mappedPoints(const PointMap& map, const PointClip& clip) {
    std::vector<std::string> names = clip.names;
    for (std::size_t i = names.size(); i < clip.point_count; ++i)
        names.push_back(std::to_string(i));
    std::unordered_map<std::string_view, std::size_t> known;
    for (std::size_t i = 0; i < names.size(); ++i) known.emplace(names[i], i);
    PointClip out{.name = clip.name,
                  .names = map.layout.names,
                  .point_count = map.entries.size(),
                  .frame_time = clip.frame_time};
    std::vector<std::vector<std::size_t>> sources;
    for (const PointMapEntry& entry : map.entries) {
        std::vector<std::size_t>& of = sources.emplace_back();
        for (const std::string& name : entry.of) {
            const auto found = known.find(name);
            if (found == known.end())
                return Diagnostic{.what = "the points have none called '" + excerpt(name) + "'",
                                  .location = entry.location,
                                  .advice = suggestNames(name, names)};
            of.push_back(found->second);
        }
    }
    const std::size_t frames = clip.frameCount();
    out.positions.reserve(frames * sources.size());
    out.weights.reserve(frames * sources.size());
    for (std::size_t f = 0; f < frames; ++f) {
        for (const std::vector<std::size_t>& of : sources) {
            Vec3 sum;
            double weight = 1.0;
            for (const std::size_t i : of) {
                sum += clip.positions[f * clip.point_count + i];
                weight = std::min(weight, clip.weights[f * clip.point_count + i]);
            }
            out.positions.push_back(weight > 0.0 ? sum / static_cast<double>(of.size()) : Vec3{});
            out.weights.push_back(weight);
        }
    }
    return out;
}

}  // namespace ulna::io
