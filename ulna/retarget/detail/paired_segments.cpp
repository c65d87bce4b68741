// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/paired_segments.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna::retarget::detail {
namespace {

// Joints of the source and of the target that are alike: chains that share their bends.
struct LikeChains {
    std::vector<JointId> source, target;
};

struct PlacedBody {
    const Skeleton& skeleton;
    ModelPose model;
    std::vector<Quat> orientations;

    PlacedBody(const Skeleton& s, const Pose& rest)
        : skeleton(s),
          model(computeModelPose(s, rest)),
          orientations(computeOrientations(s, rest)) {}
};

// One segment per joint, in the order of the tree.
void addSegments(const PlacedBody& body, const Quat& axes, std::vector<JointId> joints,
                 BodySegments& out) {
    std::sort(joints.begin(), joints.end(),
              [](JointId a, JointId b) { return index(a) < index(b); });
    out.of.assign(body.skeleton.jointCount(), -1);
    for (auto& side : out.parts) side.fill(-1);
    out.model_from_body = out.model_from_ground = axes;
    for (const JointId j : joints) {
        if (out.of[index(j)] >= 0) continue;
        JointId up = body.skeleton.parent(j);
        while (up != JointId::None && out.of[index(up)] < 0) up = body.skeleton.parent(up);
        out.of[index(j)] = static_cast<int>(out.segments.size());
        out.segments.push_back(
            {.first = j, .frame = j, .parent = up == JointId::None ? -1 : out.of[index(up)]});
    }
}

// Where the only segment below one is, from it, in body axes; zero where there are none or several.
Vec3 boneOf(const PlacedBody& body, const BodySegments& segments, std::size_t i) {
    Vec3 out;
    int count = 0;
    for (const Segment& each : segments.segments) {
        if (each.parent != static_cast<int>(i)) continue;
        out = body.model.position(each.first) - body.model.position(segments.segments[i].first);
        ++count;
    }
    if (count != 1) return {};
    return normalizedOr(rotate(conjugate(segments.model_from_body), out), Vec3{});
}

void setCanonical(const PlacedBody& body, const Quat& c, BodySegments& out, std::size_t i) {
    Segment& segment = out.segments[i];
    segment.body_from_canonical = c;
    segment.joint_from_canonical =
        normalized(conjugate(body.orientations[index(segment.frame)]) * out.model_from_body * c);
}

// The length of the bones that a body has in common with another, to compare sizes by.
double sizeOf(const PlacedBody& body, const BodySegments& segments) {
    double sum = 0.0;
    for (const Segment& each : segments.segments) {
        if (each.parent < 0) continue;
        const Segment& up = segments.segments[static_cast<std::size_t>(each.parent)];
        sum += distance(body.model.position(each.first), body.model.position(up.first));
    }
    return sum;
}

PairedBodies pairChains(const PlacedBody& source, const Quat& source_axes, const PlacedBody& target,
                        const Quat& target_axes, const std::vector<LikeChains>& alike) {
    PairedBodies out;
    std::vector<JointId> from, to;
    for (const LikeChains& each : alike) {
        from.insert(from.end(), each.source.begin(), each.source.end());
        to.insert(to.end(), each.target.begin(), each.target.end());
    }
    if (from.empty() || to.empty()) return out;
    addSegments(source, source_axes, from, out.from);
    addSegments(target, target_axes, to, out.to);
    out.shares.resize(out.to.segments.size());
    for (const LikeChains& each : alike) {
        std::vector<int> a, b;
        for (const JointId j : each.source) a.push_back(out.from.of[index(j)]);
        for (const JointId j : each.target) b.push_back(out.to.of[index(j)]);
        const int base = out.from.segments[static_cast<std::size_t>(a.front())].parent;
        shareChain(a, base < 0 || a.size() == b.size() ? a.front() : base, b, out.shares);
        if (a.size() == b.size())
            for (std::size_t k = 0; k < a.size(); ++k)
                out.shares[static_cast<std::size_t>(b[k])] = {a[k], a[k], 0.0};
    }
    for (std::size_t i = 0; i < out.from.segments.size(); ++i)
        setCanonical(source, {}, out.from, i);
    for (std::size_t i = 0; i < out.to.segments.size(); ++i) {
        const int parent = out.to.segments[i].parent;
        Quat c = parent < 0 ? Quat{}
                            : out.to.segments[static_cast<std::size_t>(parent)].body_from_canonical;
        const int like = out.shares[i].to;
        const Vec3 own = boneOf(target, out.to, i);
        const Vec3 other =
            like < 0 ? Vec3{} : boneOf(source, out.from, static_cast<std::size_t>(like));
        if (length(own) > 0.0 && length(other) > 0.0)
            c = normalized(quatBetween(rotate(c, other), own) * c);
        setCanonical(target, c, out.to, i);
        out.to.segments[i].direction = other;
    }
    out.from.trunk = sizeOf(source, out.from);
    out.to.trunk = sizeOf(target, out.to);
    return out;
}

std::string_view ownName(std::string_view name) {
    const std::size_t at = name.find_last_of(":|/");
    return at == std::string_view::npos ? name : name.substr(at + 1);
}

Quat upright(const Skeleton& skeleton) {
    // Left, up and forward of a body that looks along the next axis.
    return guessUpAxis(skeleton) == UpAxis::Y
               ? Quat{}
               : quatFromMatrix(Mat3::fromColumns(Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}));
}

}  // namespace

PairedBodies pairByRoles(const Skeleton& source, const Pose& source_rest,
                         const BodyRoles& source_roles, const Skeleton& target,
                         const Pose& target_rest, const BodyRoles& target_roles) {
    std::vector<LikeChains> alike;
    for (const BodyRole& role : target_roles.roles) {
        // The chest is the last of the spine, and hands and feet are the last of their hinges.
        if (role.name == "chest" || role.joints.empty()) continue;
        const std::vector<JointId> like = source_roles.find(role.name);
        if (!like.empty()) alike.push_back({like, role.joints});
    }
    return pairChains(PlacedBody(source, source_rest), quatFromMatrix(source_roles.model_from_body),
                      PlacedBody(target, target_rest), quatFromMatrix(target_roles.model_from_body),
                      alike);
}

PairedBodies pairByNames(const Skeleton& source, const Pose& source_rest, const Skeleton& target,
                         const Pose& target_rest) {
    std::vector<LikeChains> alike;
    for (const JointId j : target.joints()) {
        if (target.isEndSite(j)) continue;
        for (const JointId k : source.joints()) {
            if (source.isEndSite(k) || ownName(source.name(k)) != ownName(target.name(j))) continue;
            alike.push_back({{k}, {j}});
            break;
        }
    }
    if (alike.size() < kFewestNames) return {};
    return pairChains(PlacedBody(source, source_rest), upright(source),
                      PlacedBody(target, target_rest), upright(target), alike);
}

}  // namespace ulna::retarget::detail
