// SPDX-License-Identifier: Apache-2.0
#include "stress/problem.h"

#include <algorithm>
#include <cmath>

#include "support/random_fits.h"
#include "support/skeletons.h"

namespace ulna::test::stress {
namespace {

// A goal is met when its error is within its tolerance; at its very end rounding decides.
constexpr double kRounding = 1e-6;

double toleranceOf(const Problem& problem, const IkSolver& solver, const GoalKind& kind) {
    return errorIsAngle(kind) ? problem.options.angle_tolerance : solver.positionTolerance();
}

double movedBetween(const PlainMatrix& a, const PlainMatrix& b, double reach) {
    return std::max(plainAngle(withoutScale(a), withoutScale(b)),
                    distance(a.origin(), b.origin()) / reach);
}

// What of a goal is a length.
struct ScaleGoal {
    const Skeleton& rig;
    double factor;

    void operator()(PositionGoal& goal) const { goal.point *= factor, goal.target *= factor; }
    void operator()(OrientationGoal& /*goal*/) const {}
    void operator()(RelativePositionGoal& goal) const {
        goal.point *= factor, goal.target *= factor;
    }
    void operator()(RelativeOrientationGoal& /*goal*/) const {}
    void operator()(AimGoal& goal) const { goal.eye *= factor, goal.target *= factor; }
    void operator()(PoleGoal& goal) const { goal.pole *= factor; }
    void operator()(PlaneGoal& goal) const { goal.point *= factor, goal.offset *= factor; }
    void operator()(DistanceGoal& goal) const {
        goal.point_a *= factor, goal.point_b *= factor, goal.distance *= factor;
    }
    void operator()(KeepApartGoal& goal) const {
        for (Capsule* capsule : {&goal.a, &goal.b})
            capsule->start *= factor, capsule->end *= factor, capsule->radius *= factor;
        goal.margin *= factor;
    }
    void operator()(BalanceGoal& goal) const {
        for (ContactPoint& each : goal.contacts) each.point *= factor;
        for (JointMass& each : goal.masses) each.centre *= factor;
        goal.margin *= factor;
    }
    void operator()(CustomGoal& /*goal*/) const {}
    void operator()(PostureGoal& goal) const {
        for (std::size_t d = 0; d < goal.rest.size(); ++d)
            if (!rig.isAngle(d)) goal.rest[d] *= factor;
    }
};

Skeleton scaledRig(const Skeleton& rig, double factor) {
    std::vector<JointDef> joints(rig.definitions().begin(), rig.definitions().end());
    for (JointDef& joint : joints) {
        joint.rest.translation *= factor;
        if (joint.tip) *joint.tip *= factor;
        for (std::size_t d = 0; d < dofCountOf(joint.kind, rig.planar()); ++d) {
            if (isAngle(joint.kind, rig.planar(), d)) continue;
            joint.limits[d].min *= factor;
            joint.limits[d].max *= factor;
        }
        if (!joint.coupling) continue;
        if (joint.kind == JointKind::Prismatic)
            joint.coupling->factor *= factor, joint.coupling->offset *= factor;
        if (rig.kind(rig.find(joint.coupling->leader)) == JointKind::Prismatic)
            joint.coupling->factor /= factor;
    }
    return build(std::move(joints), {.planar = rig.planar()});
}

}  // namespace

JointId randomJoint(Random& random, const Skeleton& rig) {
    return jointId(random.below(rig.jointCount()));
}

DofVector randomStart(Random& random, const Skeleton& rig) {
    DofVector start(rig.dofCount());
    const std::uint64_t roll = random.below(10);
    if (roll < 3) return start;
    if (roll < 8) return randomAllowedDofs(random, rig);
    for (double& x : start) x = random.between(-4.0, 4.0);
    return start;
}

namespace {

bool hasOneCoordinate(const JointDef& joint) {
    return joint.kind == JointKind::Hinge || joint.kind == JointKind::Prismatic;
}

// Lets joints of one coordinate follow others, each so that some value suits both.
Skeleton coupledRig(Random& random, const Skeleton& rig) {
    std::vector<JointDef> joints(rig.definitions().begin(), rig.definitions().end());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const std::size_t other = random.below(joints.size());
        if (!hasOneCoordinate(joints[i]) || !hasOneCoordinate(joints[other]) || other == i ||
            joints[other].coupling)
            continue;
        const bool leads = std::any_of(joints.begin(), joints.end(), [&](const JointDef& joint) {
            return joint.coupling && joint.coupling->leader == joints[i].name;
        });
        if (leads) continue;
        const DofVector at = randomAllowedDofs(random, rig);
        const double factor = random.between(0.2, 2.0) * (chance(random, 0.5) ? 1.0 : -1.0);
        const double offset =
            at[rig.firstDof(jointId(i))] - factor * at[rig.firstDof(jointId(other))];
        joints[i].coupling = JointCoupling{joints[other].name, factor, offset};
        // Another follower may have left the leader other values.
        if (!makeSkeleton(joints, {.planar = rig.planar()})) joints[i].coupling.reset();
    }
    return build(std::move(joints), {.planar = rig.planar()});
}

Problem randomProblemOn(Random& random, Skeleton rig) {
    Problem out{.rig = std::move(rig)};
    out.goals = randomGoals(random, out.rig,
                            {.most = 5, .reachable = chance(random, 0.5), .every_goal = true});
    if (chance(random, 0.25)) out.options.restarts = 3;
    if (chance(random, 0.1)) {
        out.options.continuity = true;
        out.options.restarts = 0;
    }
    if (chance(random, 0.2)) out.options.locked = {randomJoint(random, out.rig)};
    if (chance(random, 0.1)) out.options.chain = randomJoint(random, out.rig);
    if (chance(random, 0.1)) {
        const JointId joint = randomJoint(random, out.rig);
        out.options.stiffness = {{joint, random.between(0.0, 100.0)}};
    }
    out.start = randomStart(random, out.rig);
    return out;
}

}  // namespace

Problem randomProblem(Random& random) {
    return randomProblemOn(random, randomRig(random, randomRigOptions(random)));
}

Problem randomCoupledProblem(Random& random) {
    const Skeleton rig = randomRig(random, randomRigOptions(random));
    return randomProblemOn(random, coupledRig(random, rig));
}

Problem scaled(const Problem& problem, double factor) {
    Problem out = problem;
    out.rig = scaledRig(problem.rig, factor);
    for (IkGoal& goal : out.goals) std::visit(ScaleGoal{problem.rig, factor}, goal.kind);
    for (std::size_t d = 0; d < out.start.size(); ++d)
        if (!problem.rig.isAngle(d)) out.start[d] *= factor;
    return out;
}

bool hasPosture(std::span<const IkGoal> goals) {
    return std::any_of(goals.begin(), goals.end(), [](const IkGoal& goal) {
        return std::holds_alternative<PostureGoal>(goal.kind);
    });
}

namespace {

bool isHeld(const Problem& problem, JointId j) {
    const std::vector<JointId>& locked = problem.options.locked;
    const JointId chain = problem.options.chain;
    return problem.rig.joint(j).locked ||
           std::find(locked.begin(), locked.end(), j) != locked.end() ||
           (chain != JointId::None && !problem.rig.subtree(chain).contains(j));
}

// Coupled joints move where one of them may, and none is held; what is above them may move too.
std::vector<bool> coupledToo(const Problem& problem, std::vector<bool> moves) {
    const Skeleton& rig = problem.rig;
    for (std::size_t leader = 0; leader < rig.dofCount(); ++leader) {
        std::vector<JointId> group;
        for (const DofCoupling& c : rig.couplings())
            if (c.leader == leader) group.push_back(rig.jointOfDof(c.dof));
        if (group.empty()) continue;
        group.push_back(rig.jointOfDof(leader));
        const auto may = [&](JointId j) { return moves[index(j)]; };
        const auto held = [&](JointId j) { return isHeld(problem, j); };
        const bool any = std::any_of(group.begin(), group.end(), may);
        const bool none = std::any_of(group.begin(), group.end(), held);
        for (const JointId j : group) moves[index(j)] = any && !none;
    }
    return moves;
}

}  // namespace

std::vector<bool> movableJoints(const Problem& problem) {
    const Skeleton& rig = problem.rig;
    std::vector<bool> moves(rig.jointCount(), hasPosture(problem.goals));
    for (const IkGoal& goal : problem.goals) {
        for (const JointId body : jointsOf(goal.kind)) {
            moves[index(body)] = true;
            for (const JointId above : rig.ancestors(body)) moves[index(above)] = true;
        }
    }
    const JointId chain = problem.options.chain;
    for (const JointId j : rig.joints()) {
        const bool inside = chain == JointId::None || rig.subtree(chain).contains(j);
        if (rig.joint(j).locked || !inside) moves[index(j)] = false;
    }
    for (const JointId j : problem.options.locked) moves[index(j)] = false;
    return coupledToo(problem, std::move(moves));
}

double movedBetween(const Skeleton& rig, std::span<const double> a, std::span<const double> b,
                    double reach) {
    double most = 0.0;
    for (const JointId j : rig.joints()) {
        most = std::max(most, movedBetween(plainJoint(rig, j, ownDofs(rig, j, a)),
                                           plainJoint(rig, j, ownDofs(rig, j, b)), reach));
    }
    return most;
}

double movedBetween(const Skeleton& rig, const Pose& a, const Pose& b, double reach) {
    return largestMotion(rig, a, b, reach);
}

double poseExcess(const Skeleton& rig, const Pose& pose) {
    double most = 0.0;
    for (const JointId j : rig.joints()) {
        const Quat allowed = allowedRotation(rig, j, pose[j].rotation);
        most = std::max(most, plainAngle(plainRotation(pose[j].rotation), plainRotation(allowed)));
    }
    return most;
}

bool isDetermined(const Problem& problem, std::span<const PlainMatrix> model) {
    return std::none_of(problem.goals.begin(), problem.goals.end(), [&](const IkGoal& goal) {
        const auto* aim = std::get_if<AimGoal>(&goal.kind);
        return aim != nullptr &&
               distance(model[index(aim->joint)].point(aim->eye), aim->target) < 1e-6;
    });
}

bool allMet(const Problem& problem, const IkSolver& solver, std::span<const PlainMatrix> model) {
    return std::all_of(problem.goals.begin(), problem.goals.end(), [&](const IkGoal& goal) {
        const double tolerance = toleranceOf(problem, solver, goal.kind);
        return !goal.enabled || plainError(goal.kind, model) <= tolerance * (1.0 + kRounding);
    });
}

std::string describe(const Problem& problem, const IkReport& report) {
    std::string out = "[" + std::string(ikStatusName(report.status)) + ", " +
                      std::to_string(problem.rig.jointCount()) + " joints, " +
                      std::to_string(problem.rig.dofCount()) + " degrees of freedom";
    if (problem.rig.planar()) out += ", planar";
    if (problem.options.restarts > 0) out += ", restarts";
    if (problem.options.continuity) out += ", continuity";
    if (problem.options.chain != JointId::None) out += ", chain";
    out += ":";
    for (const IkGoal& goal : problem.goals) {
        out += " " + std::string(goalKindName(goal.kind));
        if (goal.level == 2) out += "/2";
        if (!goal.enabled) out += "-off";
    }
    return out + "]";
}

void lookAtAnswer(const Problem& problem, const IkSolver& solver, const IkReport& report,
                  const DofVector& answer, Ledger& ledger, const std::string& suffix) {
    const std::string about = describe(problem, report);
    ledger.look(
        "answers are finite" + suffix,
        std::all_of(answer.begin(), answer.end(), [](double x) { return std::isfinite(x); }),
        about);
    ledger.look("limits hold" + suffix, plainExcess(problem.rig, answer), 1e-9, about);
    const std::vector<PlainMatrix> model = plainModel(problem.rig, answer);
    if (!isDetermined(problem, model)) {
        ledger.count("not judged: an eye is at its target");
        return;
    }
    bool surely_met = true;
    for (std::size_t g = 0; g < problem.goals.size(); ++g) {
        const IkGoal& goal = problem.goals[g];
        if (!goal.enabled) {
            ledger.look("a goal that is switched off has no error" + suffix, report.goal_errors[g],
                        0.0, about);
            continue;
        }
        const double error = plainError(goal.kind, model);
        ledger.look("goal errors are true" + suffix, std::abs(error - report.goal_errors[g]), 1e-7,
                    about);
        if (error > toleranceOf(problem, solver, goal.kind) * (1.0 - kRounding)) surely_met = false;
    }
    if (report.status == IkStatus::Reached)
        ledger.look("reached is true" + suffix, allMet(problem, solver, model), about);
    else
        ledger.look("what is met is called reached" + suffix, !surely_met, about);
    const double cost = plainCost(problem.goals, model, solver.reach());
    ledger.look("the cost is true" + suffix, std::abs(cost - report.cost) / std::max(1.0, cost),
                1e-9, about);
}

void lookAtStillness(const Problem& problem, IkSolver& solver, const IkReport& report,
                     const DofVector& answer, Ledger& ledger) {
    const std::string about = describe(problem, report);
    DofVector again = answer;
    solver.solve(again);
    ledger.look("solved again, it stays: " + std::string(ikStatusName(report.status)),
                movedBetween(problem.rig, answer, again, solver.reach()), 1e-6, about);
}

}  // namespace ulna::test::stress
