// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/limits.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace ulna {
namespace {

std::vector<JointDef> definitionsOf(const Skeleton& skeleton) {
    return {skeleton.definitions().begin(), skeleton.definitions().end()};
}

// Why the limits of one joint say nothing about another of the same name; empty when they do.
std::string_view disagreement(const JointDef& a, const JointDef& b) {
    constexpr double kSameAxes = 1e-3;              // what files round rotations to
    constexpr double kSameBone = 20.0 * kPi / 180;  // people differ, rest poses differ by more
    if (angleBetween(a.rest.rotation, b.rest.rotation) > kSameAxes) return "its rest axes differ";
    const double lengths = length(*a.tip) * length(*b.tip);
    if (lengths > 0.0 && dot(*a.tip, *b.tip) < lengths * std::cos(kSameBone))
        return "its bone points elsewhere at rest";
    if (a.kind != b.kind && (slides(a.kind) || slides(b.kind) || a.kind == JointKind::Fixed))
        return "it is a joint of another kind";
    return "";
}

void takeLimits(const JointDef& source, JointDef& joint) {
    joint.kind = source.kind;
    joint.axes = source.axes;
    joint.order = source.order;
    joint.coordinates = source.coordinates;
    joint.limits = source.limits;
    joint.cone = source.cone;
    joint.coupling = source.coupling;
    joint.locked = source.locked;
    joint.stiffness = source.stiffness;
}

// A joint follows another only where both came along.
void dropLooseCouplings(std::vector<JointDef>& joints, const Skeleton& skeleton,
                        const std::vector<JointId>& taken, Warnings& warnings) {
    for (const JointId j : taken) {
        std::optional<JointCoupling>& coupling = joints[index(j)].coupling;
        if (!coupling) continue;
        const JointId leader = skeleton.find(coupling->leader);
        if (std::find(taken.begin(), taken.end(), leader) != taken.end()) continue;
        warnings.push_back({.what = "the coupling of a joint is not taken: the joint that it "
                                    "follows there has not the same limits here",
                            .text = joints[index(j)].name});
        coupling.reset();
    }
}

}  // namespace

Skeleton withoutLimits(const Skeleton& skeleton) {
    std::vector<JointDef> joints = definitionsOf(skeleton);
    for (JointDef& joint : joints) {
        joint.limits = {};
        joint.cone.reset();
    }
    Result<Skeleton> out = makeSkeleton(std::move(joints), {.planar = skeleton.planar()});
    ULNA_ASSERT(out.ok(), "a skeleton stays one without its limits");
    return *std::move(out);
}

Result<BorrowedLimits> withLimitsOf(const Skeleton& skeleton, const Skeleton& other) {
    if (skeleton.planar() != other.planar())
        return Diagnostic{"one skeleton is planar, the other is not", {}, {}, {}};
    std::vector<JointDef> joints = definitionsOf(skeleton);
    BorrowedLimits out;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        JointDef& joint = joints[i];
        const JointId from = other.find(joint.name);
        if (from == JointId::None) {
            if (!joint.end_site) out.without.push_back(jointId(i));
            continue;
        }
        const std::string_view why = disagreement(joint, other.joint(from));
        if (!why.empty()) {
            out.without.push_back(jointId(i));
            out.warnings.push_back(
                {"the limits of a joint are not taken: " + std::string(why), {}, joint.name, {}});
            continue;
        }
        takeLimits(other.joint(from), joint);
        out.taken.push_back(jointId(i));
    }
    if (out.taken.empty())
        return Diagnostic{
            "no joint has limits there", {}, {}, "names and rest axes of the joints must agree"};
    dropLooseCouplings(joints, skeleton, out.taken, out.warnings);
    Result<Skeleton> made = makeSkeleton(std::move(joints), {.planar = skeleton.planar()});
    if (!made) return made.error();
    out.skeleton = *std::move(made);
    return out;
}

}  // namespace ulna
