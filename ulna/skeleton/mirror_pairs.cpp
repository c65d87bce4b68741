// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/mirror_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/sides.h"

namespace ulna {
namespace {

// Without a number at the end, which some programs give every joint: "b_LeftArm_09".
std::string withoutNumber(const std::string& name) {
    const std::size_t last = name.find_last_not_of("0123456789_");
    return last == std::string::npos ? name : name.substr(0, last + 1);
}

// Whether two joints may be a pair: both roots, or their parents a pair or one.
bool haveMatchingParents(const Skeleton& skeleton, const std::vector<JointId>& pairs, JointId a,
                         JointId b) {
    const JointId parent = skeleton.parent(a), other = skeleton.parent(b);
    if (parent == JointId::None || other == JointId::None) return parent == other;
    return pairs[index(parent)] == other;  // parents come first
}

// Joints whose names differ in their numbers too, found by what is before the number.
std::optional<JointId> findNumbered(const Skeleton& skeleton, const std::vector<JointId>& pairs,
                                    JointId joint, const std::string& other_name) {
    const std::string wanted = withoutNumber(other_name);
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i) {
        const JointId other = jointId(i);
        if (other == joint || withoutNumber(skeleton.name(other)) != wanted) continue;
        const bool taken = i < pairs.size() && pairs[i] != other && pairs[i] != joint;
        if (!taken && haveMatchingParents(skeleton, pairs, joint, other)) return other;
    }
    return std::nullopt;
}

// From right to left at rest, as the model axis nearest to it.
Vec3 findNormal(const ModelPose& rest, const std::vector<std::array<JointId, 2>>& left_right) {
    Vec3 across;
    for (const auto& [left, right] : left_right)
        across += rest.position(left) - rest.position(right);
    int axis = 0;
    for (int i = 1; i < 3; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (std::abs(across[at]) > std::abs(across[static_cast<std::size_t>(axis)])) axis = i;
    }
    const Vec3 out = unitAxis<double>(axis);
    return dot(across, out) < 0.0 ? -out : out;
}

// How far the rest pose is from its mirror image, relative to the skeleton's size.
void checkSymmetry(const Skeleton& skeleton, const ModelPose& rest, MirrorPairs& pairs) {
    double size = 0.0, worst = 0.0;
    JointId at = JointId::None;
    const Vec3 root = rest.position(jointId(0));
    for (const JointId j : skeleton.joints()) {
        const Vec3 here = rest.position(j) - root;
        const Vec3 there = rest.position(pairs.other[index(j)]) - root;
        size = std::max(size, length(here));
        const double off = length(here - reflect(there, pairs.normal));
        if (off > worst) {
            worst = off;
            at = j;
        }
    }
    if (worst <= 0.01 * size) return;
    pairs.warnings.push_back(
        {fmt::format("the rest pose is not symmetric: {:.1f} % of the size off",
                     100 * worst / size),
         {},
         skeleton.name(at),
         "mirrored poses will be off by as much"});
}

// Joints whose names tell no side, or hide it ("Bob_LUArm"), by what they are in a body.
void pairByRoles(const Skeleton& skeleton, MirrorPairs& out,
                 std::vector<std::array<JointId, 2>>& left_right) {
    constexpr std::string_view kLeftRoles = "left.";
    const Result<BodyRoles> roles = findBodyRoles(skeleton, restPose(skeleton));
    if (!roles || roles->confidence < kSureBody) return;
    for (const BodyRole& role : roles->roles) {
        if (role.name.rfind(kLeftRoles, 0) != 0) continue;
        const std::vector<JointId> right =
            roles->find("right." + role.name.substr(kLeftRoles.size()));
        if (right.size() != role.joints.size()) continue;
        for (std::size_t k = 0; k < right.size(); ++k) {
            JointId& left_other = out.other[index(role.joints[k])];
            JointId& right_other = out.other[index(right[k])];
            if (left_other != role.joints[k] || right_other != right[k]) continue;
            left_other = right[k];
            right_other = role.joints[k];
            left_right.push_back({role.joints[k], right[k]});
        }
    }
}

}  // namespace

Result<MirrorPairs> findMirrorPairs(const Skeleton& skeleton) {
    MirrorPairs out;
    std::vector<std::array<JointId, 2>> left_right;
    std::string sided;  // a name that says a side
    for (const JointId j : skeleton.joints()) {
        out.other.push_back(j);
        bool says_side = false;
        for (const bool numbered : {false, true}) {
            for (const SideMark& mark : findSideMarks(skeleton.name(j))) {
                says_side = says_side || mark.certain;
                if (out.other[index(j)] != j || (numbered && !mark.certain)) continue;
                const std::string other_name = withOtherSide(skeleton.name(j), mark);
                std::optional<JointId> other = skeleton.find(other_name);
                if (numbered) other = findNumbered(skeleton, out.other, j, other_name);
                if (!other || *other == JointId::None ||
                    !haveMatchingParents(skeleton, out.other, j, *other))
                    continue;
                out.other[index(j)] = *other;
                if (mark.side == BodySide::Left) left_right.push_back({j, *other});
            }
        }
        if (says_side) sided = skeleton.name(j);
        if (out.other[index(j)] == j && says_side)
            out.warnings.push_back({"a joint of one side has no counterpart; it mirrors itself",
                                    {},
                                    skeleton.name(j),
                                    {}});
    }
    pairByRoles(skeleton, out, left_right);
    if (left_right.empty()) {
        return Diagnostic{sided.empty() ? "no joint's name says left or right, so there is nothing "
                                          "to mirror by"
                                        : "no two joints' names are those of two sides",
                          {},
                          sided,
                          "names such as LeftArm, arm_l or R_Leg are understood"};
    }
    // A pair is one both ways.
    for (std::size_t i = 0; i < out.other.size(); ++i)
        if (out.other[index(out.other[i])] != jointId(i)) out.other[i] = jointId(i);
    out.pairs = left_right.size();
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    out.normal = findNormal(rest, left_right);
    checkSymmetry(skeleton, rest, out);
    return out;
}

std::vector<JointId> bodyPartOf(const Skeleton& skeleton, const MirrorPairs& pairs, JointId joint) {
    const auto has_side = [&](JointId j) { return pairs.other[index(j)] != j; };
    std::vector<JointId> out;
    if (!has_side(joint)) {
        for (const JointId j : skeleton.joints())
            if (!has_side(j)) out.push_back(j);
        return out;
    }
    JointId top = joint;
    for (JointId up = skeleton.parent(top); up != JointId::None && has_side(up);
         up = skeleton.parent(up))
        top = up;
    for (const JointId j : skeleton.subtree(top))
        if (has_side(j)) out.push_back(j);
    return out;
}

}  // namespace ulna
