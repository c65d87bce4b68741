// SPDX-License-Identifier: Apache-2.0

// Frames of points as JSON: an array of frames, or an object that also has names and a rate; what
// `ulna fk --json` prints is one of these. A point is [x, y, z], [x, y, z, confidence] or null.
#include <limits>
#include <utility>

#include "ulna/io/detail/json_cursor.h"
#include "ulna/io/detail/point_builder.h"

namespace ulna::io::detail {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

double numberOrMissing(const JsonCursor& json) {
    return json.isNull() ? kMissing : json.number();
}

void readPoint(const JsonCursor& json, PointClip& clip) {
    if (json.isNull()) {
        addPosition({}, 0.0, clip);
        return;
    }
    const std::size_t count = json.size();
    if (count != 3 && count != 4) {
        json.fail("a point is [x, y, z], [x, y, z, confidence] or null");
        return;
    }
    const Vec3 at{numberOrMissing(json[0]), numberOrMissing(json[1]), numberOrMissing(json[2])};
    if (tooLarge(at.x) || tooLarge(at.y) || tooLarge(at.z))
        json.fail("the coordinate is too large");
    addPosition(at, count == 4 ? numberOrMissing(json[3]) : 1.0, clip);
}

void readFrame(const JsonCursor& json, PointClip& clip) {
    const std::size_t count = json.size();
    if (clip.point_count == 0) clip.point_count = count;
    if (count == 0) json.fail("the frame has no points");
    if (count != clip.point_count)
        json.fail("the frame has " + std::to_string(count) + " points instead of " +
                  std::to_string(clip.point_count));
    for (std::size_t i = 0; i < count; ++i) readPoint(json[i], clip);
}

void readNames(const JsonCursor& json, PointClip& clip) {
    const std::size_t count = json.size();
    for (std::size_t i = 0; i < count; ++i) clip.names.push_back(json[i].text());
    clip.point_count = count;
    if (count == 0) json.fail("the list is empty");
}

}  // namespace

Result<PointFile> readPointsJson(std::string_view text, std::string_view source) {
    const Result<Json> document = parseJson(text, source);
    if (!document) return document.error();
    JsonErrors errors{std::string(source), {}};
    const JsonCursor json(*document, "", errors);
    PointFile out;
    if (!json.isArray()) {
        // Other members are those of other programs.
        if (json.has("points")) readNames(json.at("points"), out.clip);
        if (json.has("joints") && !json.has("points")) readNames(json.at("joints"), out.clip);
        const bool rate = json.has("fps"), step = json.has("frame_time");
        if (rate || step) {
            const JsonCursor value = json.at(rate ? "fps" : "frame_time");
            const double number = value.number();
            const double seconds = rate ? 1.0 / number : number;
            if (!(seconds >= kShortestFrameTime && seconds <= kLongestFrameTime))
                value.fail("a rate above 0 was expected");
            out.clip.frame_time = seconds;
            out.timed = true;
        }
    }
    const JsonCursor frames = json.isArray() ? json : json.at("frames");
    const std::size_t count = frames.size();
    if (count == 0) frames.fail("there are no frames");
    for (std::size_t f = 0; f < count && !errors.first; ++f) {
        const JsonCursor frame = frames[f];
        readFrame(frame.isArray() ? frame : frame.at("positions"), out.clip);
    }
    if (errors.first) return *std::move(errors.first);
    return out;
}

}  // namespace ulna::io::detail
