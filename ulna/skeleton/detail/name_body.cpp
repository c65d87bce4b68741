// SPDX-License-Identifier: Apache-2.0

// How a body comes by its parts: a map overrules names, names overrule shape, and what is left
// follows from where joints are among the others.
#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/skeleton/detail/body_by_shape.h"
#include "ulna/skeleton/detail/head_by_shape.h"
#include "ulna/skeleton/detail/named_body.h"
#include "ulna/skeleton/detail/role_names.h"

namespace ulna::skeleton::detail {
namespace {

constexpr std::array kBothSides = {BodySide::Left, BodySide::Right};
constexpr NamedPart kHips = {BodyPart::Hips, BodySide::Centre};
constexpr NamedPart kSpine = {BodyPart::Spine, BodySide::Centre};
constexpr NamedPart kNeck = {BodyPart::Neck, BodySide::Centre};
constexpr NamedPart kHeadParts = {BodyPart::Head, BodySide::Centre};

class Namer {
  public:
    Namer(const Skeleton& skeleton, const ModelPose& model, JointId root, const BodyMap* map)
        : skeleton_(skeleton), model_(model), map_(map) {
        body_.range = skeleton.subtree(root);
        body_.parts.resize(body_.range.size());
        body_.reasons.resize(body_.range.size());
        fixed_.resize(body_.range.size(), false);
    }

    [[nodiscard]] NamedBody name() && {
        takeNames();
        if (map_ != nullptr) takeMap();
        const BodyTree tree(skeleton_, model_, body_.range);
        if (!hasLimbs()) takeShape(tree);
        findHips();
        nameTrunk();
        if (!body_.has(BodyPart::Head, BodySide::Centre)) findHead(tree);
        findKind();
        return std::move(body_);
    }

  private:
    [[nodiscard]] JointId find(BodyPart part, BodySide side) const {
        return body_.find(part, side);
    }
    [[nodiscard]] bool isFixed(JointId j) const {
        return fixed_[index(j) - body_.range.firstIndex()];
    }
    // What a map says stays.
    void set(JointId j, NamedPart part, double confidence, std::string reason) {
        if (isFixed(j) || body_.isAbsent(part)) return;
        body_.set(j, part, {confidence, std::move(reason)});
    }

    void takeNames() {
        constexpr double kAmbiguous = 0.9;
        const NamedParts named = recogniseBody(skeleton_, body_.range);
        for (const JointId j : body_.range) {
            const std::size_t i = index(j) - body_.range.firstIndex();
            if (named.parts[i].part == BodyPart::None) continue;
            body_.set(
                j, named.parts[i],
                {named.ambiguous[i] ? kAmbiguous : 1.0, "by name '" + skeleton_.name(j) + "'"});
        }
    }

    // ---- the map

    void takeMap() {
        for (const BodyMap::Entry& entry : map_->entries) {
            const Role* role = findRole(entry.role);
            ULNA_ASSERT(role != nullptr, "the map has a role that no body has");
            std::vector<JointId> joints;
            for (const JointId j : entry.joints)
                if (body_.range.contains(j)) joints.push_back(j);
            // The part of another body in the same skeleton.
            if (joints.empty() && !entry.joints.empty()) continue;
            if (role->kind == RoleKind::Part)
                give(role->part, joints);
            else if (!joints.empty())
                *derived(*role) = joints.back();
        }
    }

    void give(NamedPart part, const std::vector<JointId>& joints) {
        for (const JointId j : body_.all(part.part, part.side))
            if (!isFixed(j)) body_.set(j, {}, {});
        if (joints.empty()) body_.absent.push_back(part);
        for (const JointId j : joints) {
            body_.set(j, part, {1.0, "by the map"});
            fixed_[index(j) - body_.range.firstIndex()] = true;
        }
    }

    [[nodiscard]] JointId* derived(const Role& role) {
        const std::size_t side = role.part.side == BodySide::Right ? 1 : 0;
        if (role.kind == RoleKind::Chest) return &body_.given_chest;
        return role.kind == RoleKind::Hand ? &body_.given_hands[side] : &body_.given_feet[side];
    }

    // ---- shape

    [[nodiscard]] bool isWhole(std::array<BodyPart, 3> limb, BodySide side) const {
        return std::all_of(limb.begin(), limb.end(), [&](BodyPart part) {
            return body_.has(part, side) || body_.isAbsent({part, side});
        });
    }
    [[nodiscard]] bool hasArm(BodySide side) const {
        return isWhole({BodyPart::Shoulder, BodyPart::Elbow, BodyPart::Wrist}, side);
    }
    [[nodiscard]] bool hasLeg(BodySide side) const {
        return isWhole({BodyPart::Hip, BodyPart::Knee, BodyPart::Ankle}, side);
    }
    [[nodiscard]] bool hasLimbs() const {
        return std::all_of(kBothSides.begin(), kBothSides.end(),
                           [&](BodySide side) { return hasArm(side) && hasLeg(side); });
    }

    // Fills what names leave. A limb whose three joints are named is known, and stays as it is.
    void takeShape(const BodyTree& tree) {
        std::optional<ShapeBody> shape = findBodyByShape(tree, body_.parts);
        if (!shape) return;
        std::array<bool, 2> arms{}, legs{};
        for (std::size_t side = 0; side < 2; ++side) {
            arms[side] = !hasArm(kBothSides[side]);
            legs[side] = !hasLeg(kBothSides[side]);
        }
        std::vector<NamedPart> named = body_.parts;
        for (ShapePart& each : shape->parts) {
            if (body_.part(each.joint).part != BodyPart::None) continue;
            if (std::find(named.begin(), named.end(), each.part) != named.end()) continue;
            const std::size_t side = each.part.side == BodySide::Right ? 1 : 0;
            const bool open = each.part.side == BodySide::Centre ||
                              (isOfLeg(each.part.part) ? legs[side] : arms[side]);
            if (open) set(each.joint, each.part, each.confidence, std::move(each.reason));
        }
        body_.kind = shape->kind;
        body_.warnings = std::move(shape->warnings);
    }

    [[nodiscard]] static bool isOfLeg(BodyPart part) {
        return part >= BodyPart::Pelvis && part <= BodyPart::Toes;
    }

    // ---- what follows from the others

    // The nearest joint above two.
    [[nodiscard]] JointId joinedAbove(JointId a, JointId b) const {
        if (a == JointId::None || b == JointId::None) return JointId::None;
        JointId up = skeleton_.parent(a);
        while (up != JointId::None && !skeleton_.isAncestor(up, b)) up = skeleton_.parent(up);
        return up;
    }

    // Files call it "root", or by no name we know.
    void findHips() {
        if (body_.has(BodyPart::Hips, BodySide::Centre)) return;
        const JointId base =
            joinedAbove(find(BodyPart::Hip, BodySide::Left), find(BodyPart::Hip, BodySide::Right));
        if (base != JointId::None) set(base, kHips, 0.95, "both legs hang from it");
    }

    // What is known by where it is among the others: the chest, whatever it is called; and, where a
    // spine is numbered up to the head or necks are hinges in series, neck and head.
    void nameTrunk() {
        const JointId chest = findChest(skeleton_, body_);
        if (chest == JointId::None || !body_.range.contains(chest)) return;
        if (body_.part(chest).part == BodyPart::None)
            set(chest, kSpine, 0.95, "both arms hang from it");
        // Towards the head: neither the legs, where a robot's tree begins at the chest, nor the
        // arms.
        const JointId hips = find(BodyPart::Hips, BodySide::Centre);
        std::vector<JointId> spines, heads;
        for (const JointId j : skeleton_.subtree(chest)) {
            if (j == chest || body_.part(j).side != BodySide::Centre) continue;
            const bool to_hips =
                hips != JointId::None &&
                (j == hips || skeleton_.isAncestor(j, hips) || skeleton_.isAncestor(hips, j));
            if (to_hips && !skeleton_.isAncestor(hips, chest)) continue;
            if (body_.part(j).part == BodyPart::Spine && !isFixed(j)) spines.push_back(j);
            if (body_.part(j).part == BodyPart::Head) heads.push_back(j);
        }
        if (!spines.empty() && heads.empty() && !body_.has(BodyPart::Neck, BodySide::Centre)) {
            renamed(spines.back(), kHeadParts, "the last joint above the arms");
            spines.pop_back();
        }
        for (const JointId j : spines) renamed(j, kNeck, "above the arms");
        // Of hinges in series the last one carries the head.
        const auto isHinge = [&](JointId j) { return skeleton_.kind(j) == JointKind::Hinge; };
        for (std::size_t i = 0; i + 1 < heads.size(); ++i)
            if (isHinge(heads[i]) && skeleton_.isAncestor(heads[i], heads[i + 1]))
                renamed(heads[i], kNeck, "below the last hinge of the head");
        const std::vector<JointId> necks = body_.all(BodyPart::Neck, BodySide::Centre);
        if (heads.empty() && necks.size() > 1 && isHinge(necks.back()))
            renamed(necks.back(), kHeadParts, "the last hinge of the neck");
    }

    // What a name says of a joint, put right by its position.
    void renamed(JointId j, NamedPart part, const std::string& why) {
        const PartReason& before = body_.reason(j);
        set(j, part, std::min(before.confidence, 0.95), before.text + ", " + why);
    }

    // Names that end at the neck: the last joint above the arms carries the head.
    void findHead(const BodyTree& tree) {
        const JointId chest = findChest(skeleton_, body_);
        const JointId hips = find(BodyPart::Hips, BodySide::Centre);
        if (chest == JointId::None || hips == JointId::None || body_.isAbsent(kHeadParts)) return;
        HeadSearch search{.chest = chest};
        for (const BodySide side : kBothSides) {
            const JointId shoulder = find(BodyPart::Shoulder, side);
            if (shoulder == JointId::None) return;
            const JointId collarbone = find(BodyPart::Collarbone, side);
            search.others.push_back(collarbone != JointId::None ? collarbone : shoulder);
            search.shoulders += model_.position(shoulder) / 2.0;
        }
        if (skeleton_.isAncestor(chest, hips)) search.others.push_back(hips);
        const Vec3 trunk = search.shoulders - model_.position(hips);
        search.trunk = length(trunk);
        search.up = normalizedOr(trunk, {});
        if (!(search.trunk > 0.0)) return;
        for (const ShapePart& each : findHeadByShape(tree, search)) {
            const NamedPart own = body_.part(each.joint);
            if (own.part == BodyPart::None)
                set(each.joint, each.part, each.confidence, each.reason);
            else if (own == kNeck && each.part == kHeadParts)
                renamed(each.joint, kHeadParts, "the last joint above the arms");
        }
    }

    // People stand on legs that go on from the trunk; four-legged animals on four that are
    // parallel, below a trunk across them, whatever their joints are called.
    void findKind() {
        if (map_ != nullptr && map_->kind) {
            body_.kind = *map_->kind;
            return;
        }
        const auto middle = [&](std::initializer_list<BodyPart> pairs) -> std::optional<Vec3> {
            for (const BodyPart part : pairs)
                if (body_.hasBoth(part))
                    return (model_.position(find(part, BodySide::Left)) +
                            model_.position(find(part, BodySide::Right))) /
                           2.0;
            return std::nullopt;
        };
        const auto hips = middle({BodyPart::Hip}), shoulders = middle({BodyPart::Shoulder});
        const auto feet = middle({BodyPart::Ankle, BodyPart::Knee});
        const auto hands = middle({BodyPart::Wrist, BodyPart::Elbow});
        if (!hips || !shoulders || !feet || !hands) return;
        const Vec3 trunk = normalizedOr(*shoulders - *hips, {});
        const Vec3 legs = normalizedOr(*feet - *hips, {}),
                   arms = normalizedOr(*hands - *shoulders, {});
        constexpr double kAcross = 0.6, kParallel = 0.8;  // within 37 degrees of either
        const bool four_legged =
            std::abs(dot(legs, trunk)) < kAcross && dot(legs, arms) > kParallel;
        body_.kind = four_legged ? BodyKind::Quadruped : BodyKind::Human;
    }

    const Skeleton& skeleton_;
    const ModelPose& model_;
    const BodyMap* map_;
    NamedBody body_;
    std::vector<bool> fixed_;  // by the map, per joint of the body
};

}  // namespace

std::vector<JointId> rootsOfBodies(const Skeleton& skeleton, const BodyMap* map) {
    std::vector<JointId> out = skeleton.roots();
    if (map == nullptr) return out;
    std::stable_partition(out.begin(), out.end(), [&](JointId root) {
        const JointRange range = skeleton.subtree(root);
        return std::any_of(map->entries.begin(), map->entries.end(),
                           [&](const BodyMap::Entry& entry) {
                               return std::any_of(entry.joints.begin(), entry.joints.end(),
                                                  [&](JointId j) { return range.contains(j); });
                           });
    });
    return out;
}

NamedBody nameBody(const Skeleton& skeleton, const ModelPose& model, JointId root,
                   const BodyMap* map) {
    return Namer(skeleton, model, root, map).name();
}

}  // namespace ulna::skeleton::detail
