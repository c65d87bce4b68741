// SPDX-License-Identifier: Apache-2.0

// From a skeleton with a clip to a BVH file.
#include <algorithm>
#include <span>

#include "ulna/io/bvh.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/size.h"

namespace ulna::io {
namespace {

constexpr BvhChannel kPositions[] = {BvhChannel::Xposition, BvhChannel::Yposition,
                                     BvhChannel::Zposition};
constexpr BvhChannel kRotations[] = {BvhChannel::Xrotation, BvhChannel::Yrotation,
                                     BvhChannel::Zrotation};

// A fixed leaf that the clip does not move.
bool isEndSite(const Skeleton& skeleton, JointId j, bool moves) {
    const JointRange subtree = skeleton.subtree(j);
    return skeleton.kind(j) == JointKind::Fixed && !moves && skeleton.parent(j) != JointId::None &&
           subtree.size() == 1;
}

EulerOrder orderOf(const JointDef& joint, const BvhWriteOptions& options) {
    if (options.order) return *options.order;
    const std::array<int, 3> axes = eulerAxes(joint.order);
    const bool usable = joint.coordinates == BallCoordinates::Euler && axes[0] != axes[2] &&
                        (joint.kind == JointKind::Ball || joint.kind == JointKind::Free);
    return usable ? joint.order : EulerOrder::Zxy;
}

void warn(WarningCollector& warnings, std::string what, std::string_view text = {}) {
    if (warnings.isFirst(what)) warnings.keep({.what = std::move(what), .text = excerpt(text)});
}

// A name BVH can hold: braces and line breaks would end it.
std::string writableName(const std::string& name, WarningCollector& warnings) {
    std::string out = name;
    for (char& c : out) {
        if (c == '{' || c == '}' || static_cast<unsigned char>(c) < 0x20U) c = '_';
    }
    const auto not_blank = [](char c) { return c != ' '; };
    if (out != name || !not_blank(out.front()) || !not_blank(out.back())) {
        if (!not_blank(out.front())) out.front() = '_';
        if (!not_blank(out.back())) out.back() = '_';
        warn(warnings, "a name that BVH cannot hold is changed", name);
    }
    return out;
}

void warnAboutLosses(const Skeleton& skeleton, const Motion& motion, const BvhWriteOptions& options,
                     WarningCollector& warnings) {
    for (const JointDef& joint : skeleton.definitions()) {
        const bool one_axis = joint.kind == JointKind::Hinge ||
                              joint.kind == JointKind::Universal ||
                              joint.kind == JointKind::Prismatic;
        const Vec3& s = joint.rest.scale;
        if (joint.cone) warn(warnings, "BVH holds no joint limits; they are left out", joint.name);
        if (joint.coupling)
            warn(warnings, "BVH holds no couplings of joints; they are left out", joint.name);
        if (one_axis) {
            warn(warnings,
                 "BVH holds no joint kinds; every moving joint gets three rotation channels",
                 joint.name);
        }
        if (s.x != s.y || s.y != s.z) {
            warn(warnings,
                 "BVH holds no scale; descendants of a joint with uneven scale may have wrong "
                 "positions",
                 joint.name);
        }
    }
    for (std::size_t d = 0; d < skeleton.dofCount(); ++d) {
        if (!skeleton.dofLimits()[d].bounded()) continue;
        warn(warnings, "BVH holds no joint limits; they are left out",
             skeleton.name(skeleton.jointOfDof(d)));
    }
    for (const JointId j : motion.tracks().scaled) {
        warn(warnings, "BVH holds no scale; its changes are left out", skeleton.name(j));
    }
    for (const JointId j : motion.tracks().translated) {
        if (!options.root_only_positions || skeleton.parent(j) == JointId::None) continue;
        warn(warnings, "only roots have position channels; the stretch of a joint is left out",
             skeleton.name(j));
    }
}

// Which joints the clip moves away from their offsets. Files of other formats often have a track of
// translations for every joint that keeps what the rest pose says, but for the rounding to floats.
std::vector<bool> findStretched(const Skeleton& skeleton, const Motion& motion) {
    constexpr double kRounding = 1e-6;  // of the body's size: floats have seven digits
    const double noticed = kRounding * bodySize(skeleton);
    std::vector<bool> out(skeleton.jointCount(), false);
    const std::vector<JointId>& joints = motion.tracks().translated;
    for (std::size_t frame = 0; frame < motion.frameCount(); ++frame) {
        const std::span<const Vec3> now = motion.translations(frame);
        for (std::size_t i = 0; i < joints.size(); ++i)
            if (distance(now[i], skeleton.joint(joints[i]).rest.translation) > noticed)
                out[index(joints[i])] = true;
    }
    return out;
}

// One joint's index in the file and in a row.
struct Column {
    JointId joint = JointId::None;
    bool positions = false;
    EulerOrder order = EulerOrder::Zxy;
};

std::vector<Column> makeHierarchy(const Skeleton& skeleton, const Motion& motion,
                                  const ModelPose& rest, const BvhWriteOptions& options,
                                  WarningCollector& warnings, BvhFile& file) {
    const std::vector<bool> translated = findStretched(skeleton, motion);
    std::vector<bool> moves = translated;
    for (const JointId j : motion.tracks().rotated) moves[index(j)] = true;
    std::vector<Column> columns;
    std::vector<std::int32_t> place(skeleton.jointCount(), -1);  // of each joint in the file
    for (const JointId j : skeleton.joints()) {
        const JointId parent = skeleton.parent(j);
        BvhJoint out;
        out.parent = parent == JointId::None ? -1 : place[index(parent)];
        out.offset = rest.position(j) - (parent == JointId::None ? Vec3{} : rest.position(parent));
        out.end_site = isEndSite(skeleton, j, moves[index(j)]);
        place[index(j)] = static_cast<std::int32_t>(file.joints.size());
        if (out.end_site) {
            if (skeleton.name(j) != skeleton.name(parent) + "_end") {
                warn(warnings, "an End Site has no name of its own; it will read as <joint>_end",
                     skeleton.name(j));
            }
            file.joints.push_back(std::move(out));
            continue;
        }
        out.name = writableName(skeleton.name(j), warnings);
        Column column{j, false, orderOf(skeleton.joint(j), options)};
        // A root's position is in its channels; with OFFSET zero, programs that add them and
        // programs that replace it agree.
        if (parent == JointId::None) out.offset = {};
        column.positions =
            parent == JointId::None || (translated[index(j)] && !options.root_only_positions);
        if (column.positions) out.channels.assign(std::begin(kPositions), std::end(kPositions));
        for (const int axis : eulerAxes(column.order)) {
            out.channels.push_back(kRotations[static_cast<std::size_t>(axis)]);
        }
        file.channel_count += out.channels.size();
        file.joints.push_back(std::move(out));
        columns.push_back(column);
        const JointRange subtree = skeleton.subtree(j);
        // Every branch ends in an End Site, of no length where the bone's is not known: programs
        // that go by the grammar refuse files without.
        if (subtree.size() == 1) {
            BvhJoint tip;
            tip.parent = place[index(j)];
            tip.end_site = true;
            tip.offset = rest[j] * skeleton.tip(j) - rest.position(j);
            file.joints.push_back(std::move(tip));
        }
    }
    return columns;
}

}  // namespace

BvhFile makeBvh(const Skeleton& skeleton, const Motion& motion, const BvhWriteOptions& options,
                const Progress& progress) {
    BvhFile file;
    file.frame_time = motion.frameTime();
    file.frame_count = std::max<std::size_t>(1, motion.frameCount());  // at least the rest pose
    WarningCollector warnings;
    warnAboutLosses(skeleton, motion, options, warnings);
    const Pose rest_pose = restPose(skeleton);
    const ModelPose rest = computeModelPose(skeleton, rest_pose);
    std::vector<Quat> rest_back;  // BVH's axes at rest are the model's: this folds ours away
    for (const Affine& a : rest.model_from_joint) rest_back.push_back(conjugate(rotationOf(a)));
    const std::vector<Column> columns =
        makeHierarchy(skeleton, motion, rest, options, warnings, file);
    file.warnings = warnings.take();

    file.values.reserve(file.frame_count * file.channel_count);
    std::vector<Vec3> previous(skeleton.jointCount());
    std::vector<Quat> turned(skeleton.jointCount());  // rest to posed, in model axes
    Pose pose = rest_pose;
    ModelPose model;
    for (std::size_t frame = 0; frame < file.frame_count; ++frame) {
        if (progress &&
            !progress(static_cast<double>(frame) / static_cast<double>(file.frame_count))) {
            file.frame_count = frame;
            break;
        }
        if (motion.frameCount() > 0) motion.getPose(frame, pose);
        computeModelPose(skeleton, pose, model);
        for (std::size_t i = 0; i < turned.size(); ++i) {
            turned[i] = rotationOf(model.model_from_joint[i]) * rest_back[i];
        }
        for (const Column& column : columns) {
            const std::size_t i = index(column.joint);
            const JointId parent = skeleton.parent(column.joint);
            const bool root = parent == JointId::None;
            const Quat back = root ? Quat{} : conjugate(turned[index(parent)]);
            if (column.positions) {
                const Vec3 from = root ? Vec3{} : model.position(parent);
                const Vec3 place = rotate(back, model.position(column.joint) - from);
                file.values.insert(file.values.end(), {place.x, place.y, place.z});
            }
            previous[i] = eulerFromQuat(column.order, back * turned[i], previous[i]);
            for (std::size_t k = 0; k < 3; ++k) file.values.push_back(degrees(previous[i][k]));
        }
    }
    return file;
}

}  // namespace ulna::io
