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
// A pose that is changed keeps its facing against what a single foot seems to tell.
constexpr double kKeptFacing = 1.0;
// How much of what people do with limbs that nobody asked for is done: the other arm follows a
// little, where it would move by itself.
constexpr double kUnasked = 0.35;
// Limbs that are off their goals by less stay as they are, in leg lengths.
constexpr double kLeastMove = 1e-6;
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

std::size_t at(PoseRole role) {
    return static_cast<std::size_t>(role);
}

// The horizontal direction that hips with this rotation face.
Vec3 facing(const Quat& hips) {
    Vec3 out = rotate(hips, Vec3{0, 0, 1});
    out.y = 0.0;
    return normalizedOr(out, Vec3{0, 0, 1});
}

// How far the collarbone rises from where the T-pose has it, for an arm that is raised by an angle
// from hanging: one degree for every two of the arm past 30 degrees (scapulohumeral rhythm).
double collarRise(double elevation) {
    constexpr double kFree = radians(30), kInTPose = radians(90);
    return (std::max(elevation, kFree) - kInTPose) / 3.0;
}

// How the collarbone of a side is rotated from the T-pose, seen from the chest.
Quat collarRotation(std::span<const Quat, kPoseRoles> roles, int side) {
    const PoseRole arm = side > 0 ? PoseRole::LeftUpperArm : PoseRole::RightUpperArm;
    const Vec3 direction = rotate(conjugate(roles[at(PoseRole::Chest)]) * roles[at(arm)],
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
        return {};
    }

    [[nodiscard]] NaturalBody make(std::shared_ptr<const PosePrior> prior) && {
        out_.prior_ = std::move(prior);
        out_.leg_ = legLength();
        addTrunk();
        addLimbs();
        orderLinks();
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

    [[nodiscard]] JointId jointOf(PoseRole role) const {
        for (const Limb& limb : kLimbs) {
            if (limb.left == role) return body_.left.*limb.begin;
            if (limb.right == role) return body_.right.*limb.begin;
        }
        if (role == PoseRole::Head) return body_.head;
        return role == PoseRole::Chest ? body_.spine.back() : body_.hips;
    }

    void placePoints() {
        std::array<Vec3, kPoseRoles> where;
        for (std::size_t r = 0; r < kPoseRoles; ++r) {
            const JointId joint = jointOf(static_cast<PoseRole>(r));
            if (joint != JointId::None) where[r] = inBody(joint);
        }
        const auto middle = [&](PoseRole left, PoseRole right) {
            return (where[at(left)] + where[at(right)]) / 2.0;
        };
        const Vec3 hips =
            middle(PoseRole::LeftThigh, PoseRole::RightThigh) + kHipsFromThighs * out_.leg_;
        const Vec3 chest = middle(PoseRole::LeftUpperArm, PoseRole::RightUpperArm) +
                           kChestFromShoulders * out_.leg_;
        where[at(PoseRole::Hips)] = where[at(PoseRole::LowerBack)] = hips;
        where[at(PoseRole::Spine)] = (hips + chest) / 2.0;
        where[at(PoseRole::Chest)] = where[at(PoseRole::LowerNeck)] = chest;
        where[at(PoseRole::UpperNeck)] = (chest + where[at(PoseRole::Head)]) / 2.0;
        for (std::size_t r = 1; r < kPoseRoles; ++r) {
            const auto role = static_cast<PoseRole>(r);
            out_.offsets_[r] = jointOf(role) == JointId::None
                                   ? kUsualToes
                                   : (where[r] - where[at(parentOf(role))]) / out_.leg_;
        }
        for (std::size_t p = 0; p < kPosePoints.size(); ++p) {
            const JointId joint = jointOf(kPosePoints[p]);
            out_.points_[p].joint = joint;
            if (joint == JointId::None) continue;
            const Vec3 in_model = rotate(out_.model_from_body_, where[at(kPosePoints[p])]);
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
                                      std::shared_ptr<const PosePrior> prior) {
    const Result<HumanBody> body = findHumanBody(skeleton, t_pose);
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
    return out;
}

std::array<Quat, kPoseRoles> NaturalBody::absolute(const RolePose& pose) const {
    std::array<Quat, kPoseRoles> out;
    out[0] = pose.rotations[0];
    for (std::size_t r = 1; r < kPoseRoles; ++r)
        out[r] = out[at(parentOf(static_cast<PoseRole>(r)))] * pose.rotations[r];
    return out;
}

// D of a link, where segments are rotated so.
Quat NaturalBody::rotationOf(const Link& link, std::span<const Quat, kPoseRoles> roles) const {
    if (link.collar_of != 0)
        return roles[at(PoseRole::Chest)] * collarRotation(roles, link.collar_of);
    return slerp(roles[at(link.from)], roles[at(link.to)], link.share);
}

double NaturalBody::deviationOf(const Link& link) const {
    const double own = link.collar_of != 0 ? kCollarDeviation : prior_->deviations()[at(link.to)];
    return std::max(own, kLeastDeviation);
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
    return out;
}

NaturalSuggestion::NaturalSuggestion(std::shared_ptr<const NaturalBody> natural,
                                     std::span<const IkGoal> goals, std::span<const JointId> held,
                                     const Pose& pose, NaturalStart start)
    : body_(std::move(natural)), pose_(pose), held_(body_->skeleton_.jointCount(), 0) {
    const NaturalBody& body = *body_;
    const Skeleton& skeleton = body.skeleton_;
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    for (const JointId j : held) held_[index(j)] = 1;
    for (const JointId j : skeleton.joints())
        if (skeleton.joint(j).locked || skeleton.dofCount(j) == 0) held_[index(j)] = 1;
    const JointId hips = body.links_.front().joint;
    JointId root = hips;
    while (skeleton.parent(root) != JointId::None) root = skeleton.parent(root);
    root_moves_ = skeleton.kind(root) == JointKind::Free && !held_[index(root)];

    const ModelPose model = computeModelPose(skeleton, pose);
    hips_ = body.pointIn(model, 0);
    const std::vector<Quat> d = body.linkRotations(pose);
    own_ = body.fromParents(d);
    // A pose that is taken afresh depends on the goals alone.
    const bool afresh = start == NaturalStart::Afresh;
    const ModelPose& usual = afresh ? body.t_pose_ : model;
    if (!afresh) {
        forward_ = facing(d.front());
    }

    // ---- which goals tell where a point of the prior is
    std::array<bool, kPosePoints.size()> taken = {};
    for (std::size_t g = 0; g < goals.size(); ++g) {
        const auto* goal = std::get_if<PositionGoal>(&goals[g].kind);
        if (goal == nullptr) continue;
        // The nearest point at or above the goal's joint.
        for (JointId j = goal->joint; j != JointId::None; j = skeleton.parent(j)) {
            const auto found =
                std::find_if(body.points_.begin(), body.points_.end(),
                             [&](const NaturalBody::Point& p) { return p.joint == j; });
            if (found == body.points_.end()) continue;
            const auto p = static_cast<std::size_t>(found - body.points_.begin());
            if (taken[p]) break;
            taken[p] = true;
            sources_.push_back({g, p, usual[j] * found->offset - usual[goal->joint] * goal->point});
            break;
        }
    }
    hips_given_ = !root_moves_ && !taken[0];
    needed_.assign(skeleton.jointCount(), 0);
    for (const IkGoal& goal : goals)
        for (JointId joint : jointsOf(goal.kind))
            for (; joint != JointId::None; joint = skeleton.parent(joint))
                needed_[index(joint)] = 1;
    if (!root_moves_ && !afresh)
        for (std::size_t j = 0; j < held_.size(); ++j)
            if (!needed_[j]) held_[j] = 1;
    if (sources_.empty() || afresh) return;
    PosePoints now;
    now.forward = forward_;
    now.forward_weight = kKeptFacing;
    for (const Source& source : sources_) {
        now.positions[source.point] = body.pointIn(model, source.point);
        now.given.set(source.point);
    }
    if (!hips_given_ && !taken[0]) hips_before_ = body.prior_->predict(body.offsets_, now).hips;
    if (!taken[0]) {
        now.positions[0] = hips_;
        now.given.set(0);
    }
    before_ = body.prior_->predict(body.offsets_, now);
}

// How much of the way that people's hips go with such points is needed to reach them: nothing near
// the body, all where a limb and the back would be stretched.
double NaturalSuggestion::hipsNeeded(const PosePoints& points) const {
    // Of the length from the hips through the back and an arm, or through a leg.
    constexpr double kNear = 0.6, kFar = 0.9, kBentLeg = 0.94, kStraightLeg = 1.02;
    const auto along = [&](std::initializer_list<PoseRole> roles) {
        double sum = 0.0;
        for (const PoseRole role : roles) sum += length(body_->offsets_[at(role)]);
        return sum;
    };
    const double back = along({PoseRole::Spine, PoseRole::Chest});
    const double arm =
        back + along({PoseRole::LeftUpperArm, PoseRole::LeftForearm, PoseRole::LeftHand});
    const double leg = along({PoseRole::LeftThigh, PoseRole::LeftShin, PoseRole::LeftFoot});
    double most = 0.0;
    for (const Source& source : sources_) {
        if (!points.given[source.point]) continue;
        double near = kNear, far = kFar, reach = arm;
        switch (kPosePoints[source.point]) {
            case PoseRole::LeftHand:
            case PoseRole::RightHand:
                break;
            case PoseRole::LeftFoot:
            case PoseRole::RightFoot:
            case PoseRole::LeftToes:
            case PoseRole::RightToes:
                near = kBentLeg, far = kStraightLeg, reach = leg;
                break;
            default:  // of the trunk, and what is near it: as people do
                most = 1.0;
                continue;
        }
        const double stretched = distance(points.positions[source.point], hips_) / reach;
        const double t = std::clamp((stretched - near) / (far - near), 0.0, 1.0);
        most = std::max(most, t * t * (3.0 - 2.0 * t));
    }
    return most;
}

PosePoints NaturalSuggestion::pointsFor(std::span<const IkGoal> goals) const {
    PosePoints out;
    out.forward = forward_;
    if (before_) out.forward_weight = kKeptFacing;
    const Quat body_from_model = conjugate(body_->model_from_body_);
    for (const Source& source : sources_) {
        const IkGoal& goal = goals[source.goal];
        if (!goal.enabled || goal.weight == 0.0) continue;
        const Vec3 target = std::get_if<PositionGoal>(&goal.kind)->target + source.offset;
        out.positions[source.point] = rotate(body_from_model, target) / body_->leg_;
        out.given.set(source.point);
    }
    if (hips_given_) {
        out.positions[0] = hips_;
        out.given.set(0);
    }
    return out;
}

void NaturalSuggestion::suggest(std::span<const IkGoal> goals, Pose& pose) const {
    pose = pose_;
    PosePoints points = pointsFor(goals);
    if (sources_.empty() || points.given.none()) return;
    const Skeleton& skeleton = body_->skeleton_;
    if (hips_before_) {
        // People reach with an arm before they move their hips.
        points.positions[0] = hips_;
        if (const double needed = hipsNeeded(points); needed > 0.0)
            points.positions[0] +=
                (body_->prior_->predict(body_->offsets_, points).hips - *hips_before_) * needed;
        points.given.set(0);
    }
    const RolePose after = body_->prior_->predict(body_->offsets_, points);
    const std::array<Quat, kPoseRoles> roles = body_->absolute(after);
    std::array<Quat, kPoseRoles> roles_before;
    if (before_) roles_before = body_->absolute(*before_);

    // ---- D of every link, parents first
    std::vector<Quat> d(body_->links_.size()), n(d.size()), n_before(d.size());
    std::vector<Quat> orientation(skeleton.jointCount());
    std::vector<int> link_of(skeleton.jointCount(), -1);
    for (std::size_t l = 0; l < d.size(); ++l) {
        const NaturalBody::Link& link = body_->links_[l];
        link_of[index(link.joint)] = static_cast<int>(l);
        const auto parent = static_cast<std::size_t>(link.parent);
        n[l] = body_->rotationOf(link, roles);
        Quat own = link.parent < 0 ? n[l] : conjugate(n[parent]) * n[l];
        if (before_) {
            n_before[l] = body_->rotationOf(link, roles_before);
            const Quat was =
                link.parent < 0 ? n_before[l] : conjugate(n_before[parent]) * n_before[l];
            if (!needed_[index(link.joint)]) own = slerp(was, own, kUnasked);
            // The hips turn in the axes of the model, so that a new facing is one.
            own = link.parent < 0 ? own * conjugate(was) * own_[l] : own_[l] * conjugate(was) * own;
        }
        if (held_[index(link.joint)] || (l == 0 && !root_moves_)) own = own_[l];
        d[l] = link.parent < 0 ? own : d[parent] * own;
    }

    // ---- the same as rotations of joints; the others keep theirs
    for (const JointId j : skeleton.joints()) {
        const JointId parent = skeleton.parent(j);
        const Quat above = parent == JointId::None ? Quat{} : orientation[index(parent)];
        const int l = link_of[index(j)];
        if (l >= 0 && !held_[index(j)] && (l > 0 || root_moves_)) {
            const auto link = static_cast<std::size_t>(l);
            const Quat wanted = body_->model_from_body_ * d[link] *
                                conjugate(body_->links_[link].canonical_from_joint);
            pose[j].rotation = allowedRotation(skeleton, j, normalized(conjugate(above) * wanted));
        }
        orientation[index(j)] = above * pose[j].rotation;
    }
    if (root_moves_) placeRoot(before_ ? hips_ + after.hips - before_->hips : after.hips, pose);
    // A pose that is taken afresh is better off as the prior has it.
    if (before_) placeLimbs(goals, pose);
}

// Brings the hips to where they should be, in leg lengths and body axes.
void NaturalSuggestion::placeRoot(const Vec3& wanted, Pose& pose) const {
    const Skeleton& skeleton = body_->skeleton_;
    const JointId hips = body_->links_.front().joint;
    const Vec3 wanted_hips = rotate(body_->model_from_body_, wanted) * body_->leg_;
    JointId root = hips;
    while (skeleton.parent(root) != JointId::None) root = skeleton.parent(root);
    const Vec3 now = computeModelPoint(skeleton, pose, hips, body_->points_[0].offset);
    pose[root].translation += wanted_hips - now;
}

// Arms and legs bring what goals hold to its targets by themselves, as far as they reach, so that
// the solver has little left to do and a straight knee knows which way it bends.
void NaturalSuggestion::placeLimbs(std::span<const IkGoal> goals, Pose& pose) const {
    // Bends smaller than this have no plane, in radians.
    constexpr double kLeastBend = 1e-5;
    const Skeleton& skeleton = body_->skeleton_;
    for (const auto& [chain, axis] : body_->bends_) {
        if (held_[index(chain.start)] || held_[index(chain.mid)]) continue;
        const PositionGoal* wanted = nullptr;
        bool bent = false;  // the middle has a goal of its own
        for (const IkGoal& goal : goals) {
            const auto* position = std::get_if<PositionGoal>(&goal.kind);
            if (position == nullptr || !goal.enabled || goal.weight == 0.0) continue;
            const JointId j = position->joint;
            if (j == chain.end || skeleton.isAncestor(chain.end, j))
                wanted = position;
            else if (j == chain.mid || skeleton.isAncestor(chain.mid, j))
                bent = true;
        }
        if (wanted == nullptr || bent) continue;
        const Vec3 off =
            wanted->target - computeModelPoint(skeleton, pose, wanted->joint, wanted->point);
        if (length(off) <= kLeastMove * body_->leg_) continue;
        const std::vector<Quat> orientations = computeOrientations(skeleton, pose);
        const Quat& mid = orientations[index(chain.mid)];
        const Vec3 a = computeModelPoint(skeleton, pose, chain.start, {});
        const Vec3 b = computeModelPoint(skeleton, pose, chain.mid, {});
        const Vec3 c = computeModelPoint(skeleton, pose, chain.end, {});
        const double bend = std::asin(std::clamp(
            dot(cross(normalizedOr(b - a, {}), normalizedOr(c - b, {})), rotate(mid, axis)), -1.0,
            1.0));
        Trs& joint = pose[chain.mid];
        if (bend < kLeastBend)
            joint.rotation =
                normalized(joint.rotation * quatFromAxisAngle(axis, kLeastBend - bend));
        (void)solveTwoBone(skeleton, chain, {.target = c + off}, pose);
        if (held_[index(chain.end)]) continue;
        // Hands and feet keep their orientation.
        const Quat parent = computeOrientations(skeleton, pose)[index(skeleton.parent(chain.end))];
        pose[chain.end].rotation = allowedRotation(
            skeleton, chain.end, normalized(conjugate(parent) * orientations[index(chain.end)]));
    }
}

}  // namespace ulna
