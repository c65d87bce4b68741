// SPDX-License-Identifier: Apache-2.0

// A pose that meets its goals is looked at. What it breaks becomes a goal beside the others, from
// that same pose, so that where nothing is broken nothing changes and small breaches make small
// changes: the answer stays a continuous function of the targets.
#include "ulna/ik/body_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ulna/ik/detail/pose_solver.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

// Of a leg: a foot stands where its sole is as near to the floor as this, and carries nothing from
// the second height on. Between, the weight moves to the other foot.
constexpr double kStands = 0.02, kCarriesNothing = 0.14;
// How far inside its soles a body keeps its centre of mass, of a leg.
constexpr double kMargin = 0.03;
// What a rule weighs. The goals beside it weigh 1, whatever they weigh for the caller, whose solve
// comes after: in between, what is well conditioned is fast.
constexpr double kWeight = 0.1;
// Rounds in which rules are found that what was mended breaks, and iterations of each.
constexpr int kRounds = 8, kIterations = 30;
// Where no pose keeps all rules, further iterations gain little: after so many in a row that lower
// the cost by less than this fraction, what is left stays broken.
constexpr int kVainSteps = 2;
constexpr double kVainProgress = 0.02;
// So many sets of rules are remembered with their solvers.
constexpr std::size_t kSolvers = 8;
// A standing foot is flat within so many tolerances of angles.
constexpr double kSlant = 10.0;

using ik::detail::PoseSolver;
using Limb = BodyLimb;
// Limbs that can meet. What hangs together is left out.
constexpr std::array kPairs = {
    std::pair{Limb::LeftHand, Limb::LowerTrunk},
    std::pair{Limb::LeftHand, Limb::UpperTrunk},
    std::pair{Limb::LeftHand, Limb::Head},
    std::pair{Limb::LeftHand, Limb::LeftThigh},
    std::pair{Limb::LeftHand, Limb::RightThigh},
    std::pair{Limb::LeftForearm, Limb::LowerTrunk},
    std::pair{Limb::LeftForearm, Limb::UpperTrunk},
    std::pair{Limb::LeftForearm, Limb::Head},
    std::pair{Limb::LeftUpperArm, Limb::LowerTrunk},
    std::pair{Limb::LeftUpperArm, Limb::Head},
    std::pair{Limb::RightHand, Limb::LowerTrunk},
    std::pair{Limb::RightHand, Limb::UpperTrunk},
    std::pair{Limb::RightHand, Limb::Head},
    std::pair{Limb::RightHand, Limb::RightThigh},
    std::pair{Limb::RightHand, Limb::LeftThigh},
    std::pair{Limb::RightForearm, Limb::LowerTrunk},
    std::pair{Limb::RightForearm, Limb::UpperTrunk},
    std::pair{Limb::RightForearm, Limb::Head},
    std::pair{Limb::RightUpperArm, Limb::LowerTrunk},
    std::pair{Limb::RightUpperArm, Limb::Head},
    std::pair{Limb::LeftHand, Limb::RightHand},
    std::pair{Limb::LeftHand, Limb::RightForearm},
    std::pair{Limb::LeftForearm, Limb::RightHand},
    std::pair{Limb::LeftForearm, Limb::RightForearm},
    std::pair{Limb::LeftThigh, Limb::RightThigh},
    std::pair{Limb::LeftShin, Limb::RightShin},
    std::pair{Limb::LeftThigh, Limb::RightShin},
    std::pair{Limb::LeftShin, Limb::RightThigh},
    std::pair{Limb::LeftShin, Limb::RightFoot},
    std::pair{Limb::LeftFoot, Limb::RightShin},
    std::pair{Limb::LeftFoot, Limb::RightFoot},
};

std::vector<BodyFrame> framesOf(const Skeleton& skeleton, const Pose& pose,
                                const ModelPose& model) {
    const std::vector<Quat> orientations = computeOrientations(skeleton, pose);
    std::vector<BodyFrame> out(orientations.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Affine& a = model.model_from_joint[i];
        out[i] = {toMatrix(orientations[i]), a.translation(), length(a.column(0))};
    }
    return out;
}

double smoothStep(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

}  // namespace

struct BodyRules::Solver {
    std::vector<std::uint8_t> on = {};  // per rule
    PoseSolver solver = {};
};

BodyRules::BodyRules(BodyRules&&) noexcept = default;
BodyRules& BodyRules::operator=(BodyRules&&) noexcept = default;
BodyRules::~BodyRules() = default;

BodyRules::BodyRules(std::shared_ptr<const NaturalBody> body, std::span<const IkGoal> goals,
                     std::span<const JointId> held, const Pose& start, NaturalRules which)
    : body_(std::move(body)), held_(held.begin(), held.end()) {
    const Skeleton& skeleton = body_->skeleton();
    ULNA_ASSERT(start.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    const ModelPose model = computeModelPose(skeleton, start);
    const std::vector<BodyFrame> frames = framesOf(skeleton, start, model);
    if (which.floor || which.balance) addFeet(goals, model);
    const bool stands = feet_[0] || feet_[1];
    if (which.floor && stands) addFloor(goals, model);
    if (which.bulk) addBulk(frames);
    if (which.pairs) {
        pairs_ = body_->outsidePairs(start);
        for (double& allowed : pairs_) allowed = std::max(allowed, 0.0);
    }
    JointId root = body_->hips();
    while (skeleton.parent(root) != JointId::None) root = skeleton.parent(root);
    const bool root_moves = skeleton.kind(root) == JointKind::Free &&
                            !skeleton.joint(root).locked &&
                            std::find(held.begin(), held.end(), root) == held.end();
    if (which.balance && stands && root_moves) addBalance(goals, frames);
}

void BodyRules::addFeet(std::span<const IkGoal> goals, const ModelPose& start) {
    const BodyShape& shape = body_->shape();
    const Skeleton& skeleton = body_->skeleton();
    bool any = false;
    for (std::size_t f = 0; f < 2; ++f) {
        const JointId ankle = shape.soles[f].ankle;
        for (std::size_t g = 0; g < goals.size(); ++g) {
            const auto* goal = std::get_if<PositionGoal>(&goals[g].kind);
            if (!goals[g].enabled || goals[g].weight == 0.0) continue;
            if (goal == nullptr ||
                (goal->joint != ankle && !skeleton.isAncestor(ankle, goal->joint)))
                continue;
            Foot foot{.goal = g,
                      .by_toes = goal->joint != ankle,
                      .goal_start = start[goal->joint] * goal->point,
                      .ankle_from_model = inverse(start[ankle])};
            double lowest = 0.0;
            for (std::size_t i = 0; i < foot.sole.size(); ++i) {
                foot.sole[i] = start[ankle] * shape.soles[f].points[i];
                const double height = dot(foot.sole[i], shape.up);
                if (i == 0 || height < lowest) lowest = height;
            }
            foot.height = lowest;
            if (!any || lowest < floor_) floor_ = lowest;
            any = true;
            feet_[f] = foot;
            break;
        }
    }
    for (std::optional<Foot>& foot : feet_)
        if (foot) foot->height -= floor_;
}

void BodyRules::addFloor(std::span<const IkGoal> goals, const ModelPose& start) {
    const BodyShape& shape = body_->shape();
    const auto keepAbove = [&](JointId joint, const Vec3& point, double radius) {
        const double now = dot(start[joint] * point, shape.up);
        rules_.push_back({.kind = PlaneGoal{.joint = joint,
                                            .point = point,
                                            .normal = shape.up,
                                            .offset = std::min(floor_ + radius, now)}});
    };
    const auto keepEnd = [&](Limb limb, bool end) {
        const Capsule& c = shape.limb(limb);
        const double scale = length(start[c.joint].column(0));
        keepAbove(c.joint, end ? c.end : c.start, c.radius * scale);
    };
    for (const Limb limb : {Limb::LeftHand, Limb::RightHand, Limb::LeftUpperArm,
                            Limb::RightUpperArm, Limb::LeftThigh, Limb::RightThigh, Limb::Head})
        keepEnd(limb, true);
    for (const Limb limb : {Limb::LeftHand, Limb::RightHand, Limb::LowerTrunk})
        keepEnd(limb, false);
    for (const Sole& sole : shape.soles)
        for (const Vec3& point : sole.points) keepAbove(sole.ankle, point, 0.0);
    // A foot that stands stays flat, as it is, unless it is moved.
    const Skeleton& skeleton = body_->skeleton();
    for (std::size_t f = 0; f < 2; ++f) {
        if (!feet_[f] || feet_[f]->height > kStands * shape.leg) continue;
        const JointId ankle = shape.soles[f].ankle;
        if (skeleton.joint(ankle).locked || skeleton.dofCount(ankle) == 0) continue;
        const bool turned = std::any_of(goals.begin(), goals.end(), [&](const IkGoal& goal) {
            const auto* own = std::get_if<OrientationGoal>(&goal.kind);
            return own != nullptr && own->joint == ankle;
        });
        if (turned) continue;
        flat_[f] = rules_.size();
        feet_[f]->flat = rotationOf(start[ankle]);
        rules_.push_back({.kind = OrientationGoal{.joint = ankle, .target = feet_[f]->flat}});
    }
}

void BodyRules::addBulk(std::span<const BodyFrame> start) {
    for (const auto& [a, b] : kPairs) {
        KeepApartGoal goal{.a = body_->shape().limb(a), .b = body_->shape().limb(b)};
        // What overlaps in the start may go on to.
        if (const double overlap = goalError(goal, start, false); overlap > 0.0) {
            const auto scaleOf = [&](const Capsule& c) { return start[index(c.joint)].scale; };
            const double both = goal.a.radius * scaleOf(goal.a) + goal.b.radius * scaleOf(goal.b);
            const double part = std::max(0.0, 1.0 - overlap / both);
            goal.a.radius *= part;
            goal.b.radius *= part;
            if (part == 0.0) continue;
        }
        rules_.push_back({.kind = goal});
    }
}

void BodyRules::addBalance(std::span<const IkGoal> goals, std::span<const BodyFrame> start) {
    const BodyShape& shape = body_->shape();
    if (shape.masses.empty()) return;
    for (std::size_t f = 0; f < 2; ++f) {
        if (!feet_[f]) continue;
        balance_[f] = rules_.size();
        rules_.push_back({.kind = BalanceGoal{.masses = shape.masses, .up = shape.up}});
    }
    // As it stands at the start: what does not, is not brought to.
    balances_ = true;
    std::vector<IkGoal> before(goals.begin(), goals.end());
    for (const std::optional<Foot>& foot : feet_)
        if (foot) std::get_if<PositionGoal>(&before[foot->goal].kind)->target = foot->goal_start;
    place(before);
    const auto on = std::find_if(balance_.begin(), balance_.end(),
                                 [&](const auto& each) { return each && rules_[*each].enabled; });
    balances_ = on != balance_.end() && goalError(rules_[**on].kind, start, false) == 0.0;
    if (!balances_) return;
    // Of the margin as much as is kept already.
    BalanceGoal goal = *std::get_if<BalanceGoal>(&rules_[**on].kind);
    double lower = 0.0, upper = kMargin * shape.leg;
    goal.margin = upper;
    if (goalError(goal, start, false) > 0.0) {
        for (int i = 0; i < 20; ++i) {
            goal.margin = (lower + upper) / 2.0;
            (goalError(goal, start, false) > 0.0 ? upper : lower) = goal.margin;
        }
        goal.margin = lower;
    }
    for (const std::optional<std::size_t>& each : balance_)
        if (each) std::get_if<BalanceGoal>(&rules_[*each].kind)->margin = goal.margin;
}

Vec3 BodyRules::moved(const Foot& foot, std::span<const IkGoal> goals) const {
    const IkGoal& goal = goals[foot.goal];
    return goal.enabled ? std::get_if<PositionGoal>(&goal.kind)->target - foot.goal_start : Vec3{};
}

// 0 for a foot that stands, 1 for one that carries nothing.
double BodyRules::lifted(const Foot& foot, const Vec3& moved) const {
    const BodyShape& shape = body_->shape();
    const double height = foot.height + dot(moved, shape.up);
    return smoothStep(kStands * shape.leg, kCarriesNothing * shape.leg, height);
}

// Brings what follows from the targets of the feet up to date.
void BodyRules::place(std::span<const IkGoal> goals) {
    const BodyShape& shape = body_->shape();
    std::array<Vec3, 2> move = {};
    std::array<double, 2> lift = {2.0, 2.0};
    for (std::size_t f = 0; f < 2; ++f) {
        if (!feet_[f]) continue;
        move[f] = moved(*feet_[f], goals);
        lift[f] = lifted(*feet_[f], move[f]);
        // Toes that are moved lift the heel.
        feet_[f]->free = feet_[f]->by_toes && length(move[f]) > 1e-6 * shape.leg ? 1.0 : lift[f];
        if (flat_[f]) rules_[*flat_[f]].enabled = feet_[f]->free < 1.0;
    }
    const std::size_t anchor = lift[1] < lift[0] ? 1 : 0;
    for (std::size_t f = 0; f < 2; ++f) {
        if (!balance_[f]) continue;
        rules_[*balance_[f]].enabled = balances_ && f == anchor && lift[f] < 0.5;
        placeBalance(f, move, lift);
    }
}

void BodyRules::placeBalance(std::size_t anchor, const std::array<Vec3, 2>& moves,
                             const std::array<double, 2>& lifts) {
    const BodyShape& shape = body_->shape();
    const std::size_t other = 1 - anchor;
    auto& goal = *std::get_if<BalanceGoal>(&rules_[*balance_[anchor]].kind);
    goal.contacts.assign(2 * shape.soles[0].points.size(), {shape.soles[anchor].ankle, {}});
    const Foot& stands = *feet_[anchor];
    const auto horizontal = [&](const Vec3& v) { return v - shape.up * dot(v, shape.up); };
    for (std::size_t i = 0; i < stands.sole.size(); ++i) {
        goal.contacts[2 * i].point = goal.contacts[2 * i + 1].point = shape.soles[anchor].points[i];
        if (!feet_[other] || lifts[other] >= 1.0) continue;
        // The other sole where it will be, drawn to this one as it carries less.
        const Vec3 own = stands.sole[i];
        const Vec3 there =
            feet_[other]->sole[i] + horizontal(moves[other]) - horizontal(moves[anchor]);
        goal.contacts[2 * i + 1].point =
            stands.ankle_from_model * (there + (own - there) * lifts[other]);
    }
}

std::span<const IkGoal> BodyRules::rulesFor(std::span<const IkGoal> goals) {
    place(goals);
    return rules_;
}

double BodyRules::broken(std::span<const IkGoal> goals, const Pose& pose) {
    const Skeleton& skeleton = body_->skeleton();
    const std::vector<BodyFrame> frames =
        framesOf(skeleton, pose, computeModelPose(skeleton, pose));
    double out = 0.0;
    for (const IkGoal& rule : rulesFor(goals))
        if (rule.enabled && !errorIsAngle(rule.kind))
            out = std::max(out, goalError(rule.kind, frames, false));
    return out;
}

// Null where there is none for such goals.
BodyRules::Solver* BodyRules::solverFor(const std::vector<std::uint8_t>& on,
                                        std::span<const IkGoal> goals, const IkOptions& options) {
    const auto known = std::find_if(solvers_.begin(), solvers_.end(),
                                    [&](const auto& each) { return each->on == on; });
    if (known != solvers_.end()) {
        std::rotate(known, known + 1, solvers_.end());
        return solvers_.back().get();
    }
    std::vector<IkGoal> all(goals.begin(), goals.end());
    for (std::size_t r = 0; r < rules_.size(); ++r)
        if (on[r] != 0) all.push_back(rules_[r]);
    IkOptions how = options;
    how.natural = nullptr;
    how.record_history = false;
    auto solver = std::make_unique<Solver>();
    solver->on = on;
    if (!solver->solver.build(body_->skeleton(), std::move(all), std::move(how))) return nullptr;
    if (solvers_.size() == kSolvers) solvers_.erase(solvers_.begin());
    solvers_.push_back(std::move(solver));
    return solvers_.back().get();
}

// A foot that leaves the floor is flat to begin with, and then as the goals have it.
void BodyRules::turnFeet(const Pose& pose) {
    for (std::size_t f = 0; f < 2; ++f) {
        if (!flat_[f] || feet_[f]->free >= 1.0) continue;
        auto& goal = *std::get_if<OrientationGoal>(&rules_[*flat_[f]].kind);
        const Quat now = computeOrientations(body_->skeleton(), pose)[index(goal.joint)];
        goal.target = slerp(feet_[f]->flat, now, feet_[f]->free);
    }
}

bool BodyRules::mend(std::span<const IkGoal> goals, const IkOptions& options, Pose& pose) {
    const Skeleton& skeleton = body_->skeleton();
    place(goals);
    turnFeet(pose);
    const double tolerance =
        options.position_tolerance > 0.0 ? options.position_tolerance : 1e-4 * bodySize(skeleton);
    std::vector<std::uint8_t> on(rules_.size(), 0);
    for (int round = 0; round < kRounds; ++round) {
        bool more = !pairs_.empty() && body_->moveInsidePairs(pairs_, held_, pose);
        const std::vector<BodyFrame> frames =
            framesOf(skeleton, pose, computeModelPose(skeleton, pose));
        for (std::size_t r = 0; r < rules_.size(); ++r) {
            if (!rules_[r].enabled || on[r]) continue;
            const double allowed =
                errorIsAngle(rules_[r].kind) ? kSlant * options.angle_tolerance : tolerance;
            if (goalError(rules_[r].kind, frames, false) <= allowed) continue;
            on[r] = 1;
            more = true;
        }
        if (!more) return round > 0;
        Solver* chosen = solverFor(on, goals, options);
        if (chosen == nullptr) return round > 0;
        PoseSolver& solver = chosen->solver;
        const std::span<IkGoal> all = solver.goals();
        std::copy(goals.begin(), goals.end(), all.begin());
        for (std::size_t g = 0; g < goals.size(); ++g)
            if (all[g].weight > 0.0) all[g].weight = 1.0;
        auto rule = all.begin() + static_cast<std::ptrdiff_t>(goals.size());
        for (std::size_t r = 0; r < rules_.size(); ++r) {
            if (on[r] == 0) continue;
            *rule = rules_[r];
            rule->weight = kWeight;
            ++rule;
        }
        solver.solve({.max_iterations = kIterations,
                      .slow_steps = kVainSteps,
                      .slow_progress = kVainProgress},
                     pose);
    }
    return true;
}

}  // namespace ulna
