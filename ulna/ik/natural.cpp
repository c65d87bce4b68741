// SPDX-License-Identifier: Apache-2.0

// Notation: B = model_from_body; Q is a joint's orientation in model space, Q(T) in the T-pose; C
// takes the direction that a limb has in a T-pose with straight limbs to the one it really has. A
// segment's rotation is D = B^-1 Q Q(T)^-1 B C: the same for all skeletons that are posed alike.
#include "ulna/ik/natural.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

constexpr Vec3 kLeft{1, 0, 0}, kDown{0, -1, 0};

// Where the prior's own body has its hips above the middle of the thighs' joints, and its chest
// below the middle of the shoulders, in leg lengths: skeletons have these joints at any height.
constexpr Vec3 kHipsFromThighs{0, 0.118, -0.057};
constexpr Vec3 kChestFromShoulders{0, -0.080, 0.0075};
// The toes of a foot that has none.
constexpr Vec3 kUsualToes{0, -0.037, 0.136};
// A joint that varies less than this is no stiffer for it, in radians.
constexpr double kLeastDeviation = 0.05;
// Joints that the prior knows nothing of, against those that it does: they hardly move.
constexpr double kCollarDeviation = 0.08;

// A segment of a limb, the joint that it begins at and the one that it ends at, and where it points
// in a T-pose (on the left).
struct Limb {
    JointId HumanSide::*begin;
    JointId HumanSide::*end;
    PoseRole left, right;
    Vec3 direction;
};
constexpr std::array kLimbs = {
    Limb{&HumanSide::shoulder, &HumanSide::elbow, PoseRole::LeftUpperArm, PoseRole::RightUpperArm,
         kLeft},
    Limb{&HumanSide::elbow, &HumanSide::wrist, PoseRole::LeftForearm, PoseRole::RightForearm,
         kLeft},
    Limb{&HumanSide::wrist, nullptr, PoseRole::LeftHand, PoseRole::RightHand, kLeft},
    Limb{&HumanSide::hip, &HumanSide::knee, PoseRole::LeftThigh, PoseRole::RightThigh, kDown},
    Limb{&HumanSide::knee, &HumanSide::ankle, PoseRole::LeftShin, PoseRole::RightShin, kDown},
    Limb{&HumanSide::ankle, nullptr, PoseRole::LeftFoot, PoseRole::RightFoot, Vec3{}},
    Limb{&HumanSide::toes, nullptr, PoseRole::LeftToes, PoseRole::RightToes, Vec3{}},
};
constexpr std::array kSides = {BodySide::Left, BodySide::Right};

// The segments that the joints of a back or a neck share the bends of.
constexpr std::array kBack = {PoseRole::Hips, PoseRole::LowerBack, PoseRole::Spine,
                              PoseRole::Chest};
constexpr std::array kNeck = {PoseRole::Chest, PoseRole::LowerNeck, PoseRole::UpperNeck};

// How far the collarbone rises from where the T-pose has it, for an arm that is raised by an angle
// from hanging: one degree for every two of the arm past 30 degrees (scapulohumeral rhythm).
double collarRise(double elevation) {
    constexpr double kFree = radians(30), kInTPose = radians(90);
    return (std::max(elevation, kFree) - kInTPose) / 3.0;
}

// How the collarbone of a side is rotated from the T-pose, seen from the chest.
Quat collarRotation(std::span<const Quat, kPoseRoles> roles, int side) {
    const PoseRole arm = side > 0 ? PoseRole::LeftUpperArm : PoseRole::RightUpperArm;
    const Vec3 direction = rotate(conjugate(roles[index(PoseRole::Chest)]) * roles[index(arm)],
                                  kLeft * static_cast<double>(side));
    const double elevation = std::acos(std::clamp(-direction.y, -1.0, 1.0));
    return quatFromAxisAngle(Vec3{0, 0, 1}, collarRise(elevation) * side);
}

}  // namespace

class NaturalBody::Maker {
  public:
    Maker(const Skeleton& skeleton, const Pose& t_pose, const HumanBody& body)
        : skeleton_(skeleton),
          body_(body),
          model_(computeModelPose(skeleton, t_pose)),
          orientations_(computeOrientations(skeleton, t_pose)),
          links_(skeleton.jointCount()) {
        out_.skeleton_ = skeleton;
        out_.model_from_body_ = quatFromMatrix(body.model_from_body);
    }

    /// What is missing for a whole body, in words; empty where nothing is.
    [[nodiscard]] std::string missing() const {
        if (body_.spine.empty()) return "there is no spine";
        if (body_.head == JointId::None) return "there is no head";
        for (const HumanSide* side : {&body_.left, &body_.right})
            for (const Limb& limb : kLimbs)
                if (limb.begin != &HumanSide::toes && side->*limb.begin == JointId::None)
                    return "an arm or a leg is not whole";
        if (!(legLength() > 0.0)) return "the legs have no length";
        if (!skeleton_.isAncestor(body_.hips, body_.chest))
            return "the chest does not hang from the hips";
        for (const HumanSide* side : {&body_.left, &body_.right})
            for (const JointId joint : {side->shoulder, side->hip})
                if (skeleton_.kind(joint) == JointKind::Hinge)
                    return "the joint '" + skeleton_.name(joint) + "' is a hinge, not a ball";
        return {};
    }

    [[nodiscard]] NaturalBody make(std::shared_ptr<const PosePrior> prior) && {
        out_.prior_ = std::move(prior);
        out_.leg_ = legLength();
        addTrunk();
        addLimbs();
        orderLinks();
        findLimbs();
        placePoints();
        addBends();
        weighJoints();
        out_.t_pose_ = std::move(model_);
        return std::move(out_);
    }

  private:
    [[nodiscard]] Vec3 inBody(JointId joint) const {
        return rotate(conjugate(out_.model_from_body_), model_.position(joint));
    }
    [[nodiscard]] double legLength() const {
        double sum = 0.0;
        for (const HumanSide* side : {&body_.left, &body_.right})
            sum += distance(model_.position(side->hip), model_.position(side->knee)) +
                   distance(model_.position(side->knee), model_.position(side->ankle));
        return sum / 2.0;
    }

    // The i-th of n joints that share the bends of a chain of segments.
    [[nodiscard]] static Link alongChain(std::span<const PoseRole> chain, std::size_t i,
                                         std::size_t n) {
        const double t = static_cast<double>((chain.size() - 1) * i) / static_cast<double>(n);
        const std::size_t first = std::min(static_cast<std::size_t>(t), chain.size() - 2);
        return {
            .from = chain[first], .to = chain[first + 1], .share = t - static_cast<double>(first)};
    }

    // C is from a limb that points where limbs point in a T-pose to where this one does.
    void add(JointId joint, Link link, const Quat& c = {}) {
        link.joint = joint;
        link.canonical_from_joint =
            normalized(conjugate(orientations_[index(joint)]) * out_.model_from_body_ * c);
        links_[index(joint)] = link;
    }

    void addTrunk() {
        add(body_.hips, {});
        for (std::size_t i = 0; i < body_.spine.size(); ++i)
            add(body_.spine[i], alongChain(kBack, i + 1, body_.spine.size()));
        for (std::size_t i = 0; i < body_.neck.size(); ++i)
            add(body_.neck[i], alongChain(kNeck, i + 1, body_.neck.size()));
        add(body_.head, {.from = PoseRole::Head, .to = PoseRole::Head});
    }

    void addLimbs() {
        for (const BodySide which : kSides) {
            const HumanSide& side = body_.side(which);
            const bool right = which == BodySide::Right;
            if (side.collarbone != JointId::None)
                add(side.collarbone,
                    {.from = PoseRole::Chest, .to = PoseRole::Chest, .collar_of = right ? -1 : 1});
            for (const Limb& limb : kLimbs) {
                const JointId joint = side.*limb.begin;
                if (joint == JointId::None) continue;
                const PoseRole role = right ? limb.right : limb.left;
                Vec3 direction = limb.direction;
                if (right) direction.x = -direction.x;
                const JointId end =
                    limb.end == nullptr ? farthestBelow(skeleton_, model_, joint) : side.*limb.end;
                const Vec3 tip = end == JointId::None ? model_[joint] * skeleton_.tip(joint)
                                                      : model_.position(end);
                const Vec3 bone =
                    rotate(conjugate(out_.model_from_body_), tip - model_.position(joint));
                const bool straight = length(direction) == 0.0 || length(bone) == 0.0;
                add(joint, {.from = role, .to = role},
                    straight ? Quat{} : quatBetween(direction, normalizedOr(bone, direction)));
            }
        }
    }

    // Parents first, each with the nearest one above it; what is not below the hips is left out.
    void orderLinks() {
        std::vector<int> place(links_.size(), -1);
        for (const JointId j : skeleton_.joints()) {
            if (!links_[index(j)]) continue;
            JointId up = skeleton_.parent(j);
            while (up != JointId::None && place[index(up)] < 0) up = skeleton_.parent(up);
            if (up == JointId::None && j != body_.hips) continue;
            links_[index(j)]->parent = up == JointId::None ? -1 : place[index(up)];
            place[index(j)] = static_cast<int>(out_.links_.size());
            out_.links_.push_back(*links_[index(j)]);
        }
    }

    void findLimbs() {
        const auto linkOf = [&](PoseRole role) {
            std::size_t found = 0;
            for (std::size_t l = 0; l < out_.links_.size(); ++l) {
                const Link& link = out_.links_[l];
                if (link.collar_of == 0 && link.to == role && link.share == 1.0) found = l;
            }
            return found;
        };
        for (const std::size_t side : {0U, 1U}) {
            const auto of = [&](PoseRole left, PoseRole right) {
                return linkOf(side == 0 ? left : right);
            };
            out_.limbs_[side] = {linkOf(PoseRole::Chest),
                                 of(PoseRole::LeftUpperArm, PoseRole::RightUpperArm),
                                 of(PoseRole::LeftForearm, PoseRole::RightForearm),
                                 of(PoseRole::LeftHand, PoseRole::RightHand),
                                 0,
                                 of(PoseRole::LeftThigh, PoseRole::RightThigh),
                                 of(PoseRole::LeftShin, PoseRole::RightShin)};
        }
    }

    [[nodiscard]] JointId jointOf(PoseRole role) const {
        for (const Limb& limb : kLimbs) {
            if (limb.left == role) return body_.left.*limb.begin;
            if (limb.right == role) return body_.right.*limb.begin;
        }
        if (role == PoseRole::Head) return body_.head;
        return role == PoseRole::Chest ? body_.chest : body_.hips;
    }

    void placePoints() {
        std::array<Vec3, kPoseRoles> where;
        for (std::size_t r = 0; r < kPoseRoles; ++r) {
            const JointId joint = jointOf(static_cast<PoseRole>(r));
            if (joint != JointId::None) where[r] = inBody(joint);
        }
        const auto middle = [&](PoseRole left, PoseRole right) {
            return (where[index(left)] + where[index(right)]) / 2.0;
        };
        const Vec3 hips =
            middle(PoseRole::LeftThigh, PoseRole::RightThigh) + kHipsFromThighs * out_.leg_;
        const Vec3 chest = middle(PoseRole::LeftUpperArm, PoseRole::RightUpperArm) +
                           kChestFromShoulders * out_.leg_;
        where[index(PoseRole::Hips)] = where[index(PoseRole::LowerBack)] = hips;
        where[index(PoseRole::Spine)] = (hips + chest) / 2.0;
        where[index(PoseRole::Chest)] = where[index(PoseRole::LowerNeck)] = chest;
        where[index(PoseRole::UpperNeck)] = (chest + where[index(PoseRole::Head)]) / 2.0;
        for (std::size_t r = 1; r < kPoseRoles; ++r) {
            const auto role = static_cast<PoseRole>(r);
            out_.offsets_[r] = jointOf(role) == JointId::None
                                   ? kUsualToes
                                   : (where[r] - where[index(parentOf(role))]) / out_.leg_;
        }
        for (std::size_t p = 0; p < kPosePoints.size(); ++p) {
            const JointId joint = jointOf(kPosePoints[p]);
            out_.points_[p].joint = joint;
            if (joint == JointId::None) continue;
            const Vec3 in_model = rotate(out_.model_from_body_, where[index(kPosePoints[p])]);
            out_.points_[p].offset = inverse(model_[joint]) * in_model;
        }
    }

    // Knees bend shins backwards, elbows forearms forwards.
    void addBends() {
        std::size_t n = 0;
        const auto add_bend = [&](const TwoBoneChain& chain, const Vec3& axis) {
            const Quat joint_from_body =
                conjugate(orientations_[index(chain.mid)]) * out_.model_from_body_;
            out_.bends_[n++] = {chain, rotate(joint_from_body, axis)};
        };
        for (const BodySide which : kSides) {
            const HumanSide& side = body_.side(which);
            const double sign = which == BodySide::Left ? 1.0 : -1.0;
            const Vec3 arm = rotate(conjugate(out_.model_from_body_),
                                    model_.position(side.wrist) - model_.position(side.elbow));
            // Of an arm that hangs in the rest pose too.
            const Vec3 elbow = normalizedOr(cross(arm, Vec3{0, 0, 1}), Vec3{0, -sign, 0});
            add_bend({side.shoulder, side.elbow, side.wrist}, elbow);
            add_bend({side.hip, side.knee, side.ankle}, Vec3{1, 0, 0});
        }
    }

    void weighJoints() {
        const std::span<const double, kPoseRoles> deviations = out_.prior_->deviations();
        const double most = *std::max_element(deviations.begin(), deviations.end());
        for (const Link& link : out_.links_) {
            const double part = most / out_.deviationOf(link);
            out_.stiffness_.push_back({link.joint, std::max(part * part - 1.0, 0.0)});
        }
    }

    const Skeleton& skeleton_;
    const HumanBody& body_;
    ModelPose model_;
    std::vector<Quat> orientations_;
    std::vector<std::optional<Link>> links_;  // per joint
    NaturalBody out_;
};

Result<NaturalBody> NaturalBody::make(const Skeleton& skeleton, const Pose& t_pose,
                                      std::shared_ptr<const PosePrior> prior, const BodyMap* map) {
    const Result<HumanBody> body = findHumanBody(skeleton, t_pose, map);
    if (!body) return body.error();
    Maker maker(skeleton, t_pose, *body);
    if (const std::string missing = maker.missing(); !missing.empty())
        return Diagnostic{
            .what = "too little of a human body is recognised for natural poses: " + missing,
            .advice =
                "hips, a spine, a head, and both arms and legs are needed; other bodies are "
                "solved by their goals alone"};
    NaturalBody out = std::move(maker).make(std::move(prior));
    out.shape_ = makeBodyShape(skeleton, t_pose, *body);
    out.confidence_ = body->roles.confidence;
    return out;
}

std::array<Quat, kPoseRoles> NaturalBody::absolute(const RolePose& pose) const {
    std::array<Quat, kPoseRoles> out;
    out[0] = pose.rotations[0];
    for (std::size_t r = 1; r < kPoseRoles; ++r)
        out[r] = out[index(parentOf(static_cast<PoseRole>(r)))] * pose.rotations[r];
    return out;
}

// D of a link, where segments are rotated so.
Quat NaturalBody::rotationOf(const Link& link, std::span<const Quat, kPoseRoles> roles) const {
    if (link.collar_of != 0)
        return roles[index(PoseRole::Chest)] * collarRotation(roles, link.collar_of);
    return slerp(roles[index(link.from)], roles[index(link.to)], link.share);
}

double NaturalBody::deviationOf(const Link& link) const {
    const double own =
        link.collar_of != 0 ? kCollarDeviation : prior_->deviations()[index(link.to)];
    return std::max(own, kLeastDeviation);
}

// The horizontal direction that hips with this rotation face.
Vec3 NaturalBody::facing(const Quat& hips) {
    Vec3 out = rotate(hips, Vec3{0, 0, 1});
    out.y = 0.0;
    return normalizedOr(out, Vec3{0, 0, 1});
}

// D of every link in a pose.
std::vector<Quat> NaturalBody::linkRotations(const Pose& pose) const {
    const Quat body_from_model = conjugate(model_from_body_);
    const std::vector<Quat> orientations = computeOrientations(skeleton_, pose);
    std::vector<Quat> out;
    for (const Link& link : links_)
        out.push_back(body_from_model * orientations[index(link.joint)] *
                      link.canonical_from_joint);
    return out;
}

// The same, each from its parent link.
std::vector<Quat> NaturalBody::fromParents(std::span<const Quat> d) const {
    std::vector<Quat> out;
    for (std::size_t l = 0; l < d.size(); ++l) {
        const int parent = links_[l].parent;
        out.push_back(parent < 0 ? d[l] : conjugate(d[static_cast<std::size_t>(parent)]) * d[l]);
    }
    return out;
}

// Where a pose has a point of the prior, in leg lengths and body axes.
Vec3 NaturalBody::pointIn(const ModelPose& model, std::size_t point) const {
    const Point& p = points_[point];
    return rotate(conjugate(model_from_body_), model[p.joint] * p.offset) / leg_;
}

NaturalScore NaturalBody::score(const Pose& pose) const {
    constexpr std::array kTold = {PoseRole::Hips,     PoseRole::LeftHand,  PoseRole::RightHand,
                                  PoseRole::LeftFoot, PoseRole::RightFoot, PoseRole::Head};
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton_.jointCount(),
                "the pose needs one transform per joint");
    const ModelPose model = computeModelPose(skeleton_, pose);
    PosePoints points;
    for (std::size_t p = 0; p < kPosePoints.size(); ++p) {
        if (std::find(kTold.begin(), kTold.end(), kPosePoints[p]) == kTold.end()) continue;
        points.positions[p] = pointIn(model, p);
        points.given.set(p);
    }
    const std::vector<Quat> d = linkRotations(pose);
    points.forward = facing(d.front());
    const std::vector<Quat> is = fromParents(d);
    const std::array<Quat, kPoseRoles> roles = absolute(prior_->predict(offsets_, points));
    std::vector<Quat> usual;
    for (const Link& link : links_) usual.push_back(rotationOf(link, roles));
    usual = fromParents(usual);
    NaturalScore out{.joint = hips()};
    double sum = 0.0;
    int count = 0;
    for (std::size_t l = 0; l < is.size(); ++l) {
        if (links_[l].collar_of != 0) continue;  // a rule, not what people were seen to do
        const double off = angleBetween(is[l], usual[l]) / deviationOf(links_[l]);
        sum += off * off;
        ++count;
        if (off <= out.worst) continue;
        out.worst = off;
        out.joint = links_[l].joint;
    }
    out.mean = std::sqrt(sum / count);
    const std::vector<double> outside = outsidePairs(pose);
    const std::span<const PosePair> pairs = prior_->pairs();
    for (std::size_t i = 0; i < outside.size(); ++i) {
        if (outside[i] <= out.outside) continue;
        out.outside = outside[i];
        out.a = pairs[i % pairs.size()].a;
        out.b = pairs[i % pairs.size()].b;
        out.side = i < pairs.size() ? BodySide::Left : BodySide::Right;
    }
    return out;
}

}  // namespace ulna
