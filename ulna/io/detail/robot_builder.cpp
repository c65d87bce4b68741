// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/robot_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ulna/core/text.h"
#include "ulna/io/bounds.h"
#include "ulna/io/detail/unique_names.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io::detail {
namespace {

// Angles are up to 57 times as large in files that have them in degrees.
constexpr double kFarthest = kLargestNumber / 100.0;

bool isMoving(const JointDef& def) {
    return def.kind != JointKind::Fixed && def.kind != JointKind::Free;
}
bool hasOneCoordinate(const JointDef& def) {
    return def.kind == JointKind::Hinge || def.kind == JointKind::Prismatic;
}

// The farthest that a primitive reaches from its own origin.
double reachOf(const Primitive& primitive) {
    return length(primitive.size) + primitive.size.x;
}

}  // namespace

void LeftOut::addTo(std::string_view source, Warnings& warnings) const {
    std::string list;
    for (const auto& [thing, count] : counts_)
        list +=
            fmt::format("{}{} {}{}", list.empty() ? "" : ", ", count, thing, count == 1 ? "" : "s");
    if (list.empty()) return;
    warnings.push_back({.what = "left out, because joints and primitive shapes are read: " + list,
                        .location = {.file = std::string(source)}});
}

std::size_t RobotBuilder::add(JointDef def, std::size_t parent) {
    if (isMoving(def)) moving_.emplace(def.name, defs_.size());
    defs_.push_back(std::move(def));
    parents_.push_back(parent);
    extras_.emplace_back();
    return defs_.size() - 1;
}

std::optional<std::size_t> RobotBuilder::findMoving(const std::string& name) const {
    const auto found = moving_.find(name);
    return found == moving_.end() ? std::nullopt : std::optional(found->second);
}

void RobotBuilder::addShape(RobotShape shape, std::size_t joint) {
    constexpr std::size_t kMost = 20000;
    if (joint == kRoot) return left_out_.count("world shape");
    if (shapes_.size() == kMost) return left_out_.count("further shape");
    const Vec3& size = shape.primitive.size;
    if (!(size.x > 0.0 && size.y > 0.0 && size.z > 0.0)) return left_out_.count("empty shape");
    shapes_.emplace_back(std::move(shape), joint);
}

// Joints that move come first: people know them, and tables of motions have them. What is welded
// gives way where it has the same name.
void RobotBuilder::nameJoints() {
    UniqueNames names;
    for (const bool moving : {true, false}) {
        for (JointDef& def : defs_) {
            if (isMoving(def) != moving) continue;
            const std::string name = shortened(readableText(def.name), kLongestName);
            def.name = names.take(name.empty() ? (moving ? "joint" : "body") : name);
        }
    }
}

// What the range of a follower leaves of its leader's. Ranges that exclude each other would be a
// joint that cannot be anywhere: the follower's is then dropped.
void RobotBuilder::narrow(const Follow& follow, std::size_t leader) {
    DofLimit& range = defs_[follow.follower].limits[0];
    DofLimit& left = narrowed_[leader];
    DofLimit next = left;
    if (follow.factor != 0.0) {
        const double a = (range.min - follow.offset) / follow.factor;
        const double b = (range.max - follow.offset) / follow.factor;
        next = {std::max(left.min, std::min(a, b)), std::min(left.max, std::max(a, b))};
    } else if (follow.offset < range.min || follow.offset > range.max) {
        next = {1.0, 0.0};
    }
    if (next.min <= next.max) {
        left = next;
        return;
    }
    range = {};
    if (!warnings_.isFirst("range")) return;
    warnings_.keep({.what =
                        "the range of a joint that follows another is dropped: the range of the "
                        "other never leads into it",
                    .location = follow.element.location(),
                    .text = defs_[follow.follower].name});
}

Status RobotBuilder::couple() {
    std::unordered_map<std::size_t, const Follow*> by_follower;
    for (const Follow& follow : follows_) {
        if (by_follower.emplace(follow.follower, &follow).second) continue;
        return Diagnostic{.what = "the joint follows two others",
                          .location = follow.element.location(),
                          .text = defs_[follow.follower].name};
    }
    narrowed_.clear();
    for (const JointDef& def : defs_) narrowed_.push_back(def.limits[0]);
    // Where leaders follow others, the products of their factors. A chain that is longer than there
    // are followers is a cycle.
    std::unordered_map<std::size_t, Follow> resolved;
    for (const Follow& start : follows_) {
        std::vector<const Follow*> chain;
        std::size_t at = start.follower;
        while (by_follower.contains(at) && !resolved.contains(at)) {
            if (chain.size() > follows_.size())
                return Diagnostic{.what = "the joint follows itself",
                                  .location = start.element.location(),
                                  .text = defs_[start.follower].name};
            chain.push_back(by_follower[at]);
            at = chain.back()->leader;
        }
        while (!chain.empty()) {
            Follow each = *chain.back();
            chain.pop_back();
            if (const auto leader = resolved.find(each.leader); leader != resolved.end()) {
                each.offset += each.factor * leader->second.offset;
                each.factor *= leader->second.factor;
                each.leader = leader->second.leader;
            }
            resolved.emplace(each.follower, each);
        }
    }
    for (const Follow& start : follows_) {
        const Follow& each = resolved.at(start.follower);
        if (!hasOneCoordinate(defs_[each.follower]) || !hasOneCoordinate(defs_[each.leader]) ||
            !(std::abs(each.factor) <= kFarthest) || !(std::abs(each.offset) <= kFarthest)) {
            left_out_.count("joint coupling");
            continue;
        }
        narrow(each, each.leader);
        defs_[each.follower].coupling = JointCoupling{
            .leader = defs_[each.leader].name, .factor = each.factor, .offset = each.offset};
    }
    return Done{};
}

void RobotBuilder::addShapes(const std::vector<JointId>& ids, RobotFile& out) {
    const ModelPose rest = computeModelPose(out.skeleton, restPose(out.skeleton));
    for (auto& [shape, joint] : shapes_) {
        shape.joint = ids[joint];
        const Vec3 centre = rest[shape.joint] * shape.joint_from_shape.translation;
        const double farthest =
            std::max({std::abs(centre.x), std::abs(centre.y), std::abs(centre.z)}) +
            reachOf(shape.primitive);
        if (farthest <= kLargestCoordinate)
            out.shapes.push_back(std::move(shape));
        else
            left_out_.count("distant shape");
    }
}

// Bounds that nothing reaches are none.
void RobotBuilder::dropFarLimits() {
    for (JointDef& def : defs_) {
        for (DofLimit& limit : def.limits) {
            if (limit.min > kFarthest || limit.max < -kFarthest) limit = {};
            if (limit.min < -kFarthest) limit.min = DofLimit{}.min;
            if (limit.max > kFarthest) limit.max = DofLimit{}.max;
        }
    }
}

Result<RobotFile> RobotBuilder::finish(const std::string& name) {
    nameJoints();
    if (const Status status = couple(); !status) return status.error();
    dropFarLimits();
    std::vector<int> parents;
    for (const std::size_t parent : parents_)
        parents.push_back(parent == kRoot ? -1 : static_cast<int>(parent));
    const std::vector<JointDef> defs = defs_;
    Result<OrderedSkeleton> made = makeOrderedSkeleton(defs, parents);
    if (!made) {
        Diagnostic error = made.error();
        error.location.file = source_;
        return error;
    }
    RobotFile out;
    out.name = readableText(name);
    out.skeleton = std::move(made->skeleton);
    if (order_.empty()) {
        order_.resize(defs_.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }
    for (const std::size_t i : order_) {
        if (isMoving(defs_[i]))
            out.joints.push_back({.joint = made->ids[i],
                                  .reference = extras_[i].reference,
                                  .speed_limit = extras_[i].speed_limit});
    }
    addShapes(made->ids, out);
    out.warnings = warnings_.take();
    left_out_.addTo(source_, out.warnings);
    return out;
}

}  // namespace ulna::io::detail
