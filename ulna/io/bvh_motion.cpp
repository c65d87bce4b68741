// SPDX-License-Identifier: Apache-2.0

// What a BVH file means: from BvhFile to a skeleton with a clip.
#include <algorithm>

#include "ulna/core/text.h"
#include "ulna/io/bvh.h"
#include "ulna/io/detail/bvh_text.h"
#include "ulna/io/detail/unique_names.h"

namespace ulna::io {
namespace {

using detail::suffixed;
using detail::UniqueNames;

// Warnings about joints, with the joint's location.
class JointWarnings {
  public:
    explicit JointWarnings(const BvhFile& file) : file_(file) {}

    void add(std::string_view kind, const BvhJoint& joint, const std::string& what,
             const std::string& advice = {}) {
        if (!collector_.isFirst(kind)) return;
        collector_.keep(
            {what, {file_.source, joint.line, joint.column, {}}, excerpt(joint.name), advice});
    }
    [[nodiscard]] Warnings take() { return collector_.take(); }

  private:
    const BvhFile& file_;
    WarningCollector collector_;
};

bool hasPositions(const BvhJoint& joint) {
    return std::any_of(joint.channels.begin(), joint.channels.end(),
                       [](BvhChannel c) { return !isRotation(c); });
}

std::vector<int> rotationAxes(const BvhJoint& joint) {
    std::vector<int> out;
    for (const BvhChannel c : joint.channels) {
        if (isRotation(c)) out.push_back(axisOf(c));
    }
    return out;
}

void chooseKind(const BvhJoint& joint, JointDef& def, JointWarnings& warnings) {
    const std::vector<int> axes = rotationAxes(joint);
    for (std::size_t i = 0; i < std::min<std::size_t>(axes.size(), 2); ++i) {
        def.axes[i] = unitAxis<double>(axes[i]);
    }
    std::optional<EulerOrder> order;
    if (axes.size() == 3) order = eulerOrderFromAxes({axes[0], axes[1], axes[2]});
    def.order = order.value_or(EulerOrder::Zxy);
    if (axes.empty()) {
        def.kind = JointKind::Fixed;
    } else if (std::all_of(axes.begin(), axes.end(), [&](int a) { return a == axes[0]; })) {
        def.kind = JointKind::Hinge;
    } else if (axes.size() == 2) {
        def.kind = JointKind::Universal;
    } else {
        def.kind = JointKind::Ball;
        if (!order) {
            warnings.add(
                "order", joint,
                "the rotation channels are no Euler order; their product is taken as listed");
        }
    }
    if (joint.parent < 0 && hasPositions(joint)) def.kind = JointKind::Free;
}

// What each joint will be called. Joints choose before End Sites, which have no name of their own.
std::vector<std::string> chooseNames(const BvhFile& file, JointWarnings& warnings) {
    UniqueNames unique;
    std::vector<std::string> out(file.joints.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const BvhJoint& joint = file.joints[i];
        if (joint.end_site) continue;
        const std::string readable = readableText(joint.name);
        if (readable != joint.name) {
            warnings.add("encoding", joint,
                         "a name is not UTF-8 text; its bytes are read as Latin-1");
        }
        out[i] = unique.take(readable);
        if (out[i] != readable) {
            warnings.add("name", joint,
                         "a joint's name is used before; it is renamed '" + excerpt(out[i]) + "'");
        }
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        const BvhJoint& joint = file.joints[i];
        if (joint.end_site)
            out[i] = unique.take(suffixed(out[static_cast<std::size_t>(joint.parent)], "_end"));
    }
    return out;
}

std::vector<JointDef> makeJoints(const BvhFile& file, JointWarnings& warnings) {
    const std::vector<std::string> names = chooseNames(file, warnings);
    std::vector<JointDef> out;
    out.reserve(file.joints.size());
    for (std::size_t i = 0; i < file.joints.size(); ++i) {
        const BvhJoint& joint = file.joints[i];
        JointDef def;
        def.name = names[i];
        if (joint.parent >= 0) def.parent = names[static_cast<std::size_t>(joint.parent)];
        def.end_site = joint.end_site;
        def.rest.translation = joint.offset;
        chooseKind(joint, def, warnings);
        out.push_back(std::move(def));
    }
    return out;
}

// Where a joint's numbers are in a row, and what they are added to.
struct ChannelPlan {
    std::size_t first = 0;
    std::vector<BvhChannel> channels;
    Vec3 offset;
};

Trs poseJoint(const ChannelPlan& plan, const double* row, PositionChannels positions) {
    Trs out{.translation = plan.offset};
    for (std::size_t i = 0; i < plan.channels.size(); ++i) {
        const BvhChannel channel = plan.channels[i];
        const double value = row[plan.first + i];
        if (isRotation(channel)) {
            out.rotation = out.rotation * quatAboutAxis(axisOf(channel), radians(value));
        } else {
            double& component = out.translation[static_cast<std::size_t>(axisOf(channel))];
            component = positions == PositionChannels::Replace ? value : component + value;
        }
    }
    return out;
}

// Whether the values of a joint below another are its OFFSET, give or take a tenth: then they
// replace it, because bones of twice the length are in no file.
bool repeatOffset(const BvhJoint& joint, const double* values) {
    constexpr double kStretch = 0.1;
    if (joint.parent < 0 || values == nullptr) return false;
    Vec3 place = joint.offset;
    for (std::size_t i = 0; i < joint.channels.size(); ++i)
        if (!isRotation(joint.channels[i]))
            place[static_cast<std::size_t>(axisOf(joint.channels[i]))] = values[i];
    return distance(place, joint.offset) <= kStretch * length(joint.offset);
}

// `values` are those of the joint in the first frame; null where there is none.
void warnAboutPositions(const BvhJoint& joint, PositionChannels positions, const double* values,
                        JointWarnings& warnings) {
    bool differs = false;
    bool seen[3] = {};
    for (const BvhChannel c : joint.channels) {
        if (isRotation(c)) continue;
        const auto axis = static_cast<std::size_t>(axisOf(c));
        differs = differs || joint.offset[axis] != 0.0;
        if (seen[axis]) {
            warnings.add("position twice", joint, "a position channel stands twice in one joint");
        }
        seen[axis] = true;
    }
    if (!differs) return;
    if (positions == PositionChannels::Replace) {
        if (repeatOffset(joint, values)) return;
        warnings.add("positions", joint, "position channels replace a non-zero OFFSET",
                     "--position-channels=add adds them instead");
    } else {
        warnings.add("positions", joint, "position channels are added to a non-zero OFFSET",
                     "--position-channels=replace puts them in its place");
    }
}

}  // namespace

Result<BvhFrames> detail::framesFrom(const BvhFile& file, const BvhMotionOptions& options,
                                     std::function<const double*(std::size_t frame)> row) {
    BvhFrames out;
    out.warnings = file.warnings;
    JointWarnings warnings(file);
    Result<Skeleton> skeleton = makeSkeleton(makeJoints(file, warnings));
    if (!skeleton) {
        Diagnostic error = skeleton.error();
        error.location.file = file.source;
        return error;
    }
    out.skeleton = *std::move(skeleton);

    std::vector<ChannelPlan> plans;
    std::size_t first = 0;
    for (std::size_t i = 0; i < file.joints.size(); ++i) {
        const BvhJoint& joint = file.joints[i];
        // A file's joints are depth first already, so makeSkeleton kept their order.
        const JointId id = jointId(i);
        plans.push_back({first, joint.channels, joint.offset});
        const double* const start = file.frame_count > 0 ? row(0) + first : nullptr;
        first += joint.channels.size();
        if (!rotationAxes(joint).empty()) out.clip.tracks.rotated.push_back(id);
        if (hasPositions(joint)) out.clip.tracks.translated.push_back(id);
        warnAboutPositions(joint, options.position_channels, start, warnings);
    }
    for (Diagnostic& warning : warnings.take()) out.warnings.push_back(std::move(warning));

    out.clip.base = restPose(out.skeleton);
    out.clip.frame_count = file.frame_count;
    out.clip.frame_time = file.frame_time;
    out.clip.at = [row = std::move(row), plans = std::move(plans),
                   positions = options.position_channels](std::size_t frame, JointId joint) {
        return poseJoint(plans[index(joint)], row(frame), positions);
    };
    return out;
}

Result<BvhFrames> toFrames(const BvhFile& file, const BvhMotionOptions& options) {
    return detail::framesFrom(file, options, [&file](std::size_t frame) {
        return file.values.data() + frame * file.channel_count;
    });
}

Result<BvhMotion> toMotion(const BvhFile& file, const BvhMotionOptions& options) {
    Result<BvhFrames> frames = toFrames(file, options);
    if (!frames) return frames.error();
    return BvhMotion{std::move(frames->skeleton), makeMotion(frames->clip, options.threads),
                     std::move(frames->warnings)};
}

}  // namespace ulna::io
