// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/skeleton.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ulna/core/text.h"

namespace ulna {
namespace {

constexpr std::string_view kKindNames[] = {"fixed", "hinge", "universal",
                                           "ball",  "free",  "prismatic"};

Diagnostic jointError(const std::string& joint, std::string what, std::string advice = {}) {
    return {"joint '" + joint + "': " + std::move(what), {}, {}, std::move(advice)};
}

bool isFinite(const Trs& t) {
    const Quat& q = t.rotation;
    return ulna::isFinite(t.translation) && ulna::isFinite(t.scale) && std::isfinite(q.x) &&
           std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}

std::size_t axisCount(JointKind kind) {
    if (kind == JointKind::Universal) return 2;
    return kind == JointKind::Hinge || kind == JointKind::Prismatic ? 1 : 0;
}

bool hasBall(JointKind kind) {
    return kind == JointKind::Ball || kind == JointKind::Free;
}

// Where the joint leaves the plane, in words; empty when it stays.
std::string leavesPlane(const JointDef& j) {
    if (j.rest.translation.z != 0.0) return "its rest offset leaves the plane z = 0";
    if (j.rest.rotation.x != 0.0 || j.rest.rotation.y != 0.0)
        return "its rest rotation is not about z";
    if (j.tip && j.tip->z != 0.0) return "its tip leaves the plane z = 0";
    if (j.rest.scale != Vec3{1, 1, 1}) return "a planar joint has no scale";
    switch (j.kind) {
        case JointKind::Fixed:
        case JointKind::Free:
            return {};
        case JointKind::Hinge:
            return j.axes[0].x == 0.0 && j.axes[0].y == 0.0 ? "" : "its axis is not z";
        case JointKind::Prismatic:
            return j.axes[0].z == 0.0 ? "" : "its axis leaves the plane";
        case JointKind::Universal:
        case JointKind::Ball:
            break;
    }
    return "a joint of this kind leaves the plane";
}

// Normalises what should be a unit vector; the error in words, or empty.
std::string normalizeAxis(Vec3& axis, const char* name) {
    const double len = ulna::isFinite(axis) ? length(axis) : 0.0;
    if (!(len > 1e-12)) return std::string(name) + " is not a direction";
    // A unit vector stays as it was written, to the bit.
    if (std::abs(len - 1.0) > 1e-15) axis = axis / len;
    return {};
}

bool hasOneCoordinate(JointKind kind) {
    return kind == JointKind::Hinge || kind == JointKind::Prismatic;
}

std::string checkCoupling(const JointDef& j) {
    if (!j.coupling) return {};
    if (!hasOneCoordinate(j.kind)) return "only hinges and prismatic joints follow another joint";
    if (!std::isfinite(j.coupling->factor) || !std::isfinite(j.coupling->offset))
        return "its coupling is not finite";
    return {};
}

// The values of a leader for which what follows it is within its own limits.
DofLimit leaderLimit(const DofLimit& follower, const JointCoupling& coupling) {
    if (coupling.factor == 0.0) {
        const bool inside = coupling.offset >= follower.min && coupling.offset <= follower.max;
        return inside ? DofLimit{} : DofLimit{1.0, 0.0};
    }
    const double a = (follower.min - coupling.offset) / coupling.factor;
    const double b = (follower.max - coupling.offset) / coupling.factor;
    return {std::min(a, b), std::max(a, b)};
}

std::string checkLimits(const JointDef& j, std::size_t dofs) {
    for (std::size_t i = 0; i < dofs; ++i) {
        const DofLimit& limit = j.limits[i];
        if (std::isnan(limit.min) || std::isnan(limit.max)) return "a limit is not a number";
        if (limit.min > limit.max) return "a limit has its minimum above its maximum";
    }
    if (!j.cone) return {};
    const std::size_t angles = j.kind == JointKind::Free ? 3 : 0;
    for (std::size_t i = angles; i < angles + 3; ++i) {
        if (j.limits[i].bounded()) return "it has both a cone and limits on its angles";
    }
    const ConeLimit& cone = *j.cone;
    if (!(cone.swing_max >= 0.0 && cone.swing_max <= kPi))
        return "the cone's swing is not in 0 to 180 degrees";
    if (!(cone.twist_min <= cone.twist_max))
        return "the cone's twist has its minimum above its maximum";
    if (!(cone.twist_min >= -kPi && cone.twist_max <= kPi))
        return "the cone's twist leaves -180 to 180 degrees";
    return {};
}

// Checks one joint by itself and normalises it; the error in words, or empty.
std::string checkAndNormalize(JointDef& j, bool planar) {
    if (!isFinite(j.rest)) return "its rest transform is not finite";
    if (j.tip && !ulna::isFinite(*j.tip)) return "its tip is not finite";
    if (!(j.radius >= 0.0) || !std::isfinite(j.radius)) return "its radius is not zero or more";
    if (!(j.stiffness >= 0.0) || !std::isfinite(j.stiffness))
        return "its stiffness is not zero or more";
    const double norm = std::sqrt(dot(j.rest.rotation, j.rest.rotation));
    if (!(norm > 1e-12)) return "its rest rotation has length zero";
    if (std::abs(norm - 1.0) > 1e-15) j.rest.rotation = normalized(j.rest.rotation);
    for (std::size_t i = 0; i < axisCount(j.kind); ++i) {
        if (std::string error = normalizeAxis(j.axes[i], "its axis"); !error.empty()) return error;
    }
    if (j.kind == JointKind::Universal && length(cross(j.axes[0], j.axes[1])) < 1e-6) {
        return "its two axes are parallel";
    }
    if (std::string error = checkCoupling(j); !error.empty()) return error;
    if (j.cone && !hasBall(j.kind)) return "only ball and free joints have a cone limit";
    if (j.cone) {
        if (std::string error = normalizeAxis(j.cone->axis, "its cone's axis"); !error.empty())
            return error;
    }
    if (planar) {
        if (std::string error = leavesPlane(j); !error.empty())
            return error + " (the skeleton is planar)";
        if (j.cone) return "a planar joint has no cone";
    }
    return checkLimits(j, dofCountOf(j.kind, planar));
}

// Input positions in depth-first order, siblings as they came. Fewer than all means a cycle.
std::vector<std::size_t> depthFirst(const std::vector<std::size_t>& parents, std::size_t none) {
    const std::size_t n = parents.size();
    std::vector<std::size_t> first_child(n, none), next_sibling(n, none), order, stack;
    for (std::size_t i = n; i-- > 0;) {
        if (parents[i] == none) {
            stack.push_back(i);  // pushed in reverse, so the first root is popped first
        } else {
            next_sibling[i] = first_child[parents[i]];
            first_child[parents[i]] = i;
        }
    }
    order.reserve(n);
    // The stack holds nodes still to visit; popping one pushes its sibling, then its first child.
    while (!stack.empty()) {
        const std::size_t node = stack.back();
        stack.pop_back();
        order.push_back(node);
        if (next_sibling[node] != none) stack.push_back(next_sibling[node]);
        if (first_child[node] != none) stack.push_back(first_child[node]);
    }
    return order;
}

using IndexByName = std::unordered_map<std::string, std::size_t>;

// Checks each joint by itself and normalises its values; the joints by name.
Result<IndexByName> checkJoints(std::vector<JointDef>& joints, bool planar) {
    IndexByName by_name;
    by_name.reserve(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (joints[i].name.empty()) {
            return Diagnostic{"joint number " + std::to_string(i) + " has no name", {}, {}, {}};
        }
        if (!by_name.emplace(joints[i].name, i).second) {
            return jointError(joints[i].name, "the name is used twice", "joint names are unique");
        }
        if (std::string error = checkAndNormalize(joints[i], planar); !error.empty()) {
            return jointError(joints[i].name, std::move(error));
        }
    }
    return by_name;
}

// The index of each joint's parent, or their number for roots.
Result<std::vector<std::size_t>> findParents(const std::vector<JointDef>& joints,
                                             const IndexByName& by_name) {
    const std::size_t n = joints.size();
    std::vector<std::size_t> parents(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        if (joints[i].parent.empty()) continue;
        const auto found = by_name.find(joints[i].parent);
        if (found == by_name.end()) {
            std::vector<std::string> names;
            for (const JointDef& j : joints) names.push_back(j.name);
            return jointError(joints[i].name, "its parent '" + joints[i].parent + "' is unknown",
                              suggestNames(joints[i].parent, names));
        }
        parents[i] = found->second;
    }
    return parents;
}

}  // namespace

bool isAngle(JointKind kind, bool planar, std::size_t i) {
    if (kind == JointKind::Free) return i >= (planar ? 2U : 3U);
    return kind != JointKind::Prismatic;
}

std::string_view jointKindName(JointKind kind) {
    return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<JointKind> jointKindFromName(std::string_view name) {
    for (std::size_t i = 0; i < std::size(kKindNames); ++i) {
        if (kKindNames[i] == name) return static_cast<JointKind>(i);
    }
    return std::nullopt;
}

Result<Skeleton> makeSkeleton(std::vector<JointDef> joints, SkeletonOptions options) {
    Result<OrderedSkeleton> made = makeOrderedSkeleton(std::move(joints), options);
    if (!made) return made.error();
    return std::move(made->skeleton);
}

Result<OrderedSkeleton> makeOrderedSkeleton(std::vector<JointDef> joints, SkeletonOptions options) {
    const Result<IndexByName> by_name = checkJoints(joints, options.planar);
    if (!by_name) return by_name.error();
    const Result<std::vector<std::size_t>> parents = findParents(joints, *by_name);
    if (!parents) return parents.error();
    return Skeleton::assemble(std::move(joints), *parents, options);
}

Result<OrderedSkeleton> makeOrderedSkeleton(std::vector<JointDef> joints,
                                            std::span<const int> parents, SkeletonOptions options) {
    const std::size_t n = joints.size();
    ULNA_ASSERT(parents.size() == n, "one index of a parent per joint is needed");
    if (const Result<IndexByName> by_name = checkJoints(joints, options.planar); !by_name)
        return by_name.error();
    std::vector<std::size_t> found(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        joints[i].parent.clear();
        if (parents[i] == -1) continue;
        if (parents[i] < 0 || static_cast<std::size_t>(parents[i]) >= n)
            return jointError(
                joints[i].name,
                "its parent's index " + std::to_string(parents[i]) + " is that of no joint",
                "there are " + std::to_string(n) + " joints; -1 is for roots");
        found[i] = static_cast<std::size_t>(parents[i]);
        joints[i].parent = joints[found[i]].name;
    }
    return Skeleton::assemble(std::move(joints), found, options);
}

Result<OrderedSkeleton> Skeleton::assemble(std::vector<JointDef> joints,
                                           const std::vector<std::size_t>& parents,
                                           SkeletonOptions options) {
    const std::size_t n = joints.size();
    const std::size_t none = n;
    const std::vector<std::size_t> order = depthFirst(parents, none);
    std::vector<std::size_t> position(n, none);  // of each input joint in the stored order
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    for (std::size_t i = 0; i < n; ++i) {
        if (position[i] == none) {
            return jointError(joints[i].name, "it is below itself, or below a joint that is",
                              "parents must lead to a root");
        }
    }

    OrderedSkeleton out;
    for (const std::size_t at : position) out.ids.push_back(jointId(at));
    Skeleton& s = out.skeleton;
    s.planar_ = options.planar;
    s.joints_.reserve(n);
    s.names_.reserve(n);
    s.subtree_ends_.assign(n, 0);
    for (const std::size_t i : order) {
        const std::size_t at = s.joints_.size();
        s.parents_.push_back(parents[i] == none ? JointId::None : jointId(position[parents[i]]));
        s.joints_.push_back(std::move(joints[i]));
        const JointDef& j = s.joints_.back();
        s.names_.push_back(j.name);
        s.by_name_.emplace(j.name, jointId(at));
        const std::size_t dofs = dofCountOf(j.kind, options.planar);
        for (std::size_t d = 0; d < dofs; ++d) {
            s.dof_joints_.push_back(jointId(at));
            s.dof_limits_.push_back(j.limits[d]);
        }
        s.first_dofs_.push_back(s.dof_limits_.size());
    }
    std::vector<Vec3> child_sum(n);
    std::vector<double> child_count(n, 0.0);
    for (std::size_t i = n; i-- > 0;) {
        s.subtree_ends_[i] = std::max(s.subtree_ends_[i], i + 1);
        if (!s.joints_[i].tip) {
            s.joints_[i].tip = child_count[i] > 0.0 ? child_sum[i] / child_count[i] : Vec3{};
        }
        if (s.parents_[i] == JointId::None) continue;
        const std::size_t p = index(s.parents_[i]);
        s.subtree_ends_[p] = std::max(s.subtree_ends_[p], s.subtree_ends_[i]);
        child_sum[p] += s.joints_[i].rest.translation;
        child_count[p] += 1.0;
    }
    if (const Status status = s.coupleJoints(); !status) return status.error();
    return out;
}

Status Skeleton::coupleJoints() {
    for (const JointId j : joints()) {
        const std::optional<JointCoupling>& coupling = joint(j).coupling;
        if (!coupling) continue;
        const JointId leader = find(coupling->leader);
        const auto error = [&](const std::string& what, std::string advice = {}) {
            return jointError(name(j), "it follows '" + coupling->leader + "', " + what,
                              std::move(advice));
        };
        if (leader == JointId::None)
            return error("which is no joint", suggestNames(coupling->leader, names_));
        if (!hasOneCoordinate(kind(leader))) return error("which is no hinge or prismatic joint");
        if (joint(leader).coupling)
            return error("which follows another joint itself",
                         "let both follow '" + joint(leader).coupling->leader + "'");
        const std::size_t dof = firstDof(j);
        DofLimit& limit = dof_limits_[firstDof(leader)];
        const DofLimit allowed = leaderLimit(joint(j).limits[0], *coupling);
        limit = {std::max(limit.min, allowed.min), std::min(limit.max, allowed.max)};
        if (limit.min > limit.max) return error("and the limits of both have no value in common");
        couplings_.push_back({dof, firstDof(leader), coupling->factor, coupling->offset});
    }
    return Done{};
}

JointId Skeleton::find(std::string_view name) const {
    const auto found = by_name_.find(std::string(name));
    return found == by_name_.end() ? JointId::None : found->second;
}

std::vector<JointId> Skeleton::roots() const {
    std::vector<JointId> out;
    for (std::size_t i = 0; i < jointCount(); i = subtree_ends_[i]) out.push_back(jointId(i));
    return out;
}

std::vector<JointId> Skeleton::children(JointId j) const {
    std::vector<JointId> out;
    const std::size_t end = subtree_ends_[at(j)];
    for (std::size_t i = index(j) + 1; i < end; i = subtree_ends_[i]) out.push_back(jointId(i));
    return out;
}

std::vector<JointId> Skeleton::ancestors(JointId j) const {
    std::vector<JointId> out;
    for (JointId p = parent(j); p != JointId::None; p = parent(p)) out.push_back(p);
    return out;
}

std::vector<JointId> Skeleton::chain(JointId from, JointId to) const {
    if (from != to && !isAncestor(from, to)) return {};
    std::vector<JointId> out;
    for (JointId j = to; j != from; j = parent(j)) out.push_back(j);
    out.push_back(from);
    std::reverse(out.begin(), out.end());
    return out;
}

std::string Skeleton::dofName(std::size_t dof) const {
    const JointId j = jointOfDof(dof);
    const std::size_t local = dof - firstDof(j);
    const JointDef& def = joint(j);
    constexpr char kAxis[] = {'x', 'y', 'z'};
    const auto ballAxis = [&](std::size_t i) {
        if (def.coordinates == BallCoordinates::RotationVector) return kAxis[i];
        return kAxis[eulerAxes(def.order)[i]];
    };
    switch (def.kind) {
        case JointKind::Universal:
            return def.name + (local == 0 ? ".1" : ".2");
        case JointKind::Ball:
            return def.name + ".r" + ballAxis(local) +
                   (local == 2 && ballAxis(0) == ballAxis(2) ? "2" : "");
        case JointKind::Free:
            if (planar_) return def.name + (local == 0 ? ".tx" : local == 1 ? ".ty" : ".rz");
            if (local < 3) return def.name + ".t" + kAxis[local];
            return def.name + ".r" + ballAxis(local - 3) +
                   (local == 5 && ballAxis(0) == ballAxis(2) ? "2" : "");
        case JointKind::Fixed:
        case JointKind::Hinge:
        case JointKind::Prismatic:
            break;
    }
    return def.name;
}

}  // namespace ulna
