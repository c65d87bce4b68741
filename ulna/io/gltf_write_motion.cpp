// SPDX-License-Identifier: Apache-2.0

// A clip of frames as a glTF animation. Frames lie one after the other in the clip and joints one
// after the other in the file: a few joints at a time are gathered over all frames, so that the
// clip is never in memory twice.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ulna/io/detail/gltf_writer.h"

namespace ulna::io::detail {
namespace {

// About what is gathered at a time, in floats.
constexpr std::size_t kGathered = 4U << 20U;

enum class Part : std::uint8_t { Translation, Rotation, Scale };

constexpr std::size_t widthOf(Part part) {
    return part == Part::Rotation ? 4 : 3;
}
constexpr const char* pathOf(Part part) {
    return part == Part::Rotation ? "rotation" : part == Part::Scale ? "scale" : "translation";
}

constexpr const char* typeOf(Part part) {
    return part == Part::Rotation ? "VEC4" : "VEC3";
}

// A value of any part, rounded.
using Value = std::array<float, 4>;

bool rounded(const Vec3& v, Value& out) {
    const double numbers[] = {v.x, v.y, v.z};
    return narrow(numbers, 3, out.data());
}
bool rounded(const Quat& raw, Value& out) {
    const Quat q = normalized(raw);
    const double numbers[] = {q.x, q.y, q.z, q.w};
    return narrow(numbers, 4, out.data());
}
bool rounded(const Trs& joint, Part part, Value& out) {
    if (part == Part::Rotation) return rounded(joint.rotation, out);
    return rounded(part == Part::Scale ? joint.scale : joint.translation, out);
}

Value opposite(const Value& a) {
    return {-a[0], -a[1], -a[2], -a[3]};
}

// One joint's track of a clip, and what was found of its numbers.
struct Column {
    JointId joint = JointId::None;
    Part part = Part::Rotation;
    bool constant = true;  // every frame is as the first
    Value last = {};       // the value of the frame before
};

// The value of a frame. A quaternion takes the sign nearer to the one before, so that programs
// which interpolate its components alone see no jump.
bool roundedFrame(const FrameClip& clip, const Column& column, std::size_t frame,
                  const float* before, Value& out) {
    if (!rounded(clip.at(frame, column.joint), column.part, out)) return false;
    if (column.part != Part::Rotation) return true;
    const float along =
        out[0] * before[0] + out[1] * before[1] + out[2] * before[2] + out[3] * before[3];
    if (along < 0.0f) out = opposite(out);
    return true;
}

std::vector<Column> columnsOf(const FrameClip& clip) {
    std::vector<Column> out;
    const auto append = [&](const std::vector<JointId>& joints, Part part) {
        for (const JointId joint : joints) out.push_back({joint, part});
    };
    append(clip.tracks.translated, Part::Translation);
    append(clip.tracks.rotated, Part::Rotation);
    append(clip.tracks.scaled, Part::Scale);
    return out;
}

// Which tracks change at all.
bool scan(GltfWriter& writer, const FrameClip& clip, std::vector<Column>& columns) {
    for (std::size_t frame = 0; frame < clip.frame_count; ++frame) {
        if (frame % 1024 == 0 && writer.progress && !writer.progress(0.0)) return false;
        for (Column& column : columns) {
            Value value = {};
            if (!roundedFrame(clip, column, frame, column.last.data(), value)) {
                return writer.fail("joint '" + writer.content.skeleton.name(column.joint) +
                                   "': frame " + std::to_string(frame) +
                                   " has a value too large for a float");
            }
            column.constant = column.constant && (frame == 0 || value == column.last);
            column.last = value;
        }
    }
    return true;
}

// Whether a joint that does not move is where its node already is.
bool isAtRest(const GltfWriter& writer, const Column& column) {
    Value rest = {};
    if (!rounded(writer.content.skeleton.rest(column.joint), column.part, rest)) return false;
    return column.last == rest || (column.part == Part::Rotation && column.last == opposite(rest));
}

// Parts without a track keep the base pose, which may differ from rest.
bool appendBase(GltfWriter& writer, const FrameClip& clip, std::vector<Column>& columns) {
    std::vector<bool> tracked(3 * clip.base.parent_from_joint.size(), false);
    const auto place = [](JointId joint, Part part) {
        return 3 * index(joint) + static_cast<std::size_t>(part);
    };
    for (const Column& column : columnsOf(clip)) tracked[place(column.joint, column.part)] = true;
    for (std::size_t i = 0; i < clip.base.parent_from_joint.size(); ++i) {
        for (const Part part : {Part::Translation, Part::Rotation, Part::Scale}) {
            Column column{jointId(i), part};
            if (tracked[place(column.joint, part)]) continue;
            if (!rounded(clip.base[column.joint], part, column.last)) {
                return writer.fail("joint '" + writer.content.skeleton.name(column.joint) +
                                   "' has a value too large for a float");
            }
            columns.push_back(column);
        }
    }
    return true;
}

std::vector<float> frameTimes(GltfWriter& writer, const FrameClip& clip) {
    std::vector<float> out(clip.frame_count);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<float>(clip.timeOf(i));
        if (i == 0 || out[i] > out[i - 1]) continue;
        out[i] = std::nextafter(out[i - 1], std::numeric_limits<float>::infinity());
        writer.warn("frames are closer in time than glTF's floats can tell; they are moved apart",
                    clip.name);
    }
    return out;
}

// Gathers the columns over all frames, some at a time.
bool writeColumns(const FrameClip& clip, const std::vector<Column>& columns, const GltfSink& sink) {
    std::vector<float> gathered;
    for (std::size_t begin = 0; begin < columns.size();) {
        std::size_t end = begin, width = 0;
        while (end < columns.size() &&
               (end == begin || (width + 4) * clip.frame_count <= kGathered)) {
            width += widthOf(columns[end++].part);
        }
        gathered.resize(width * clip.frame_count);
        for (std::size_t frame = 0; frame < clip.frame_count; ++frame) {
            float* block = gathered.data();
            for (std::size_t c = begin; c < end; ++c) {
                const std::size_t w = widthOf(columns[c].part);
                float* to = block + frame * w;
                Value value = {};
                const Value none = {};
                if (!roundedFrame(clip, columns[c], frame, frame == 0 ? none.data() : to - w,
                                  value)) {
                    return false;
                }
                std::copy_n(value.begin(), w, to);
                block += w * clip.frame_count;
            }
        }
        const auto* bytes = reinterpret_cast<const char*>(gathered.data());
        constexpr std::size_t kPiece = 1U << 20U;
        const std::size_t size = gathered.size() * sizeof(float);
        for (std::size_t i = 0; i < size; i += kPiece) {
            if (!sink({bytes + i, std::min(kPiece, size - i)})) return false;
        }
        begin = end;
    }
    return true;
}

// Tracks that change, a key for every frame.
void planMoving(GltfWriter& writer, const FrameClip& clip, const std::vector<Column>& columns,
                GltfAnimation& animation) {
    if (columns.empty()) return;
    std::size_t floats = 0;
    for (const Column& column : columns) floats += widthOf(column.part) * clip.frame_count;
    const std::size_t input = writer.timesAccessor(frameTimes(writer, clip));
    const std::size_t view = writer.addView(
        floats * sizeof(float), 0,
        [clip, columns](const GltfSink& sink) { return writeColumns(clip, columns, sink); });
    std::size_t offset = 0;
    for (const Column& column : columns) {
        const std::size_t output =
            writer.addAccessor(view, offset, kGltfFloat, clip.frame_count, typeOf(column.part));
        animation.add(column.joint, pathOf(column.part), "LINEAR", input, output);
        offset += widthOf(column.part) * clip.frame_count * sizeof(float);
    }
}

// Tracks that stand still, with a key at each of these times.
void planStill(GltfWriter& writer, const std::vector<float>& times,
               const std::vector<Column>& columns, GltfAnimation& animation) {
    if (columns.empty()) return;
    std::vector<float> values;
    std::vector<std::size_t> offsets;
    for (const Column& column : columns) {
        offsets.push_back(values.size() * sizeof(float));
        for (std::size_t k = 0; k < times.size(); ++k)
            values.insert(values.end(), column.last.begin(),
                          column.last.begin() + static_cast<std::ptrdiff_t>(widthOf(column.part)));
    }
    const std::size_t input = writer.timesAccessor(times);
    const std::size_t view = writer.addView(std::move(values), 0);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::size_t output =
            writer.addAccessor(view, offsets[i], kGltfFloat, times.size(), typeOf(columns[i].part));
        animation.add(columns[i].joint, pathOf(columns[i].part), "LINEAR", input, output);
    }
}

}  // namespace

bool planFrames(GltfWriter& writer, const FrameClip& clip) {
    if (clip.frame_count == 0 || clip.base.parent_from_joint.size() == 0) {
        writer.warn("a clip without frames or joints is left out", clip.name);
        return true;
    }
    std::vector<Column> moving = columnsOf(clip);
    if (!scan(writer, clip, moving)) return false;
    std::vector<Column> still;
    for (const Column& column : moving) {
        if (column.constant) still.push_back(column);
    }
    std::erase_if(moving, [](const Column& column) { return column.constant; });
    if (!appendBase(writer, clip, still)) return false;
    // What stands still where its node has it need not be said, unless the clip would be empty.
    const Column any = still.empty() ? Column{} : still.front();
    std::erase_if(still, [&](const Column& column) { return isAtRest(writer, column); });
    if (moving.empty() && still.empty()) still.push_back(any);
    std::vector<float> still_times = {0.0f};
    if (moving.empty() && clip.frame_count > 1)
        still_times.push_back(frameTimes(writer, clip).back());  // the clip keeps its length
    GltfAnimation animation;
    planMoving(writer, clip, moving, animation);
    planStill(writer, still_times, still, animation);
    writer.addAnimation(clip.name, std::move(animation));
    return true;
}

}  // namespace ulna::io::detail
