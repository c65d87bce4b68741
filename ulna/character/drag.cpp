// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/drag.h"

#include <algorithm>
#include <utility>

#include "ulna/motion/blend.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

// Pins outweigh the hand, and the hand the pull towards the pose that the drag began in. So slight
// a pull moves no goal by its tolerance, and yet a hand that comes back finds the body as it was.
constexpr double kHandWeight = 1e-3;
constexpr double kPostureWeight = 1e-10;
// The classical methods know no such differences: pins are merely heavier.
constexpr double kClassicalPinWeight = 20.0;
// People reach with an arm before they bend their back: what carries more of the body is moved less
// willingly.
constexpr double kTrunkFactor = 100.0;
constexpr double kCollarFactor = 30.0;
// What is pulled beyond reach pulls at the pins in proportion, and so does a leap of the hand until
// the body has followed: this share of the body's size moves them by fractions of a millimetre.
constexpr double kLongestPull = 0.05;
// A leap is followed in so many such pulls a frame, for as long as the held point moves by this
// share of each.
constexpr int kPullsPerFrame = 4;
constexpr double kLeastProgress = 0.05;
// A frame of a drag goes on where the last one ended, so each may end early.
constexpr int kIterationsPerFrame = 6;
constexpr int kTraceIterations = 120;
// A natural drag begins every frame anew, so each must end.
constexpr int kNaturalIterations = 60;
// In a natural drag no joint moves from frame to frame by more than so many times what the hand
// moved, and this share of the body's size beside it: where the pose for a target is farther away,
// frames go there one by one.
constexpr double kMostMoves = 10.0;
constexpr double kMostAtRest = 0.01;
// A hand this near to its target, as a share of the body's size, has reached it.
constexpr double kReached = 1e-3;
// Keeps the share of a pull finite where the hand is there already.
constexpr double kNoDistance = 1e-12;

bool followsOneChain(IkMethod method) {
    return method == IkMethod::TwoBone || method == IkMethod::Ccd || method == IkMethod::Fabrik;
}

// One way to state the problem, from all goals to the hand alone.
struct Attempt {
    std::vector<IkGoal> goals;
    IkOptions options;
    std::string note;
};

double farthestMove(const Skeleton& skeleton, const Pose& a, const Pose& b) {
    const ModelPose one = computeModelPose(skeleton, a), other = computeModelPose(skeleton, b);
    double out = 0.0;
    for (const JointId j : skeleton.joints())
        out = std::max(out, distance(one.position(j), other.position(j)));
    return out;
}

class AttemptMaker {
  public:
    AttemptMaker(const Stage& stage, const Pose& pose, const DragGrab& grab,
                 std::span<const DragPin> pins, std::span<const DragPole> poles,
                 const DragOptions& options)
        : stage_(stage), pose_(pose), grab_(grab), pins_(pins), poles_(poles), options_(options) {
        others_pinned_ = std::any_of(pins.begin(), pins.end(),
                                     [&](const DragPin& pin) { return pin.joint != grab.joint; });
        root_dragged_ = stage.skeleton.parent(grab.joint) == JointId::None;
    }

    /// Whether every frame is solved from what people would do, not from the last one.
    bool natural() const {
        return options_.natural && automatic() && options_.continuity && stage_.natural != nullptr;
    }

    std::vector<Attempt> make() const {
        const std::string method(ikMethodName(options_.method));
        const bool chained = followsOneChain(options_.method);
        std::vector<Attempt> out;
        if (!chained) out.push_back({allGoals(), settings(others_pinned_ || root_dragged_), {}});
        // FABRIK leaves a free root where it is, so that pins below it would only hold the hand
        // back.
        const bool placed = options_.method == IkMethod::Fabrik && hasFreeRoot();
        if (options_.method != IkMethod::TwoBone && !placed) {
            const bool partly =
                !poles_.empty() || std::any_of(pins_.begin(), pins_.end(), [](const DragPin& pin) {
                    return pin.orientation.has_value();
                });
            out.push_back({positionGoals(), settings(others_pinned_ || root_dragged_),
                           partly ? method + " takes positions alone: orientations and poles are "
                                             "left out"
                                  : std::string()});
        }
        Attempt alone{{hand(1.0)}, settings(root_dragged_), {}};
        alone.options.chain = chainStart();
        if (others_pinned_) alone.note = method + " follows one chain: the pins are left out";
        out.push_back(std::move(alone));
        return out;
    }

  private:
    bool automatic() const { return options_.method == IkMethod::Auto; }

    IkOptions settings(bool free_root) const {
        IkOptions out;
        out.method = options_.method;
        out.continuity = automatic() && options_.continuity;
        out.record_history = true;
        out.max_iterations = options_.max_iterations;
        if (natural()) {
            const auto usual = stage_.natural->stiffness();
            out.stiffness.assign(usual.begin(), usual.end());
            if (out.max_iterations <= 0) out.max_iterations = kNaturalIterations;
        }
        if (out.max_iterations <= 0) out.max_iterations = automatic() ? kIterationsPerFrame : 0;
        out.locked = options_.locked;
        if (!free_root) {
            const std::vector<JointId> held = heldRoots(stage_.skeleton);
            out.locked.insert(out.locked.end(), held.begin(), held.end());
        }
        return out;
    }

    IkGoal goal(GoalKind kind, double weight) const {
        return {.kind = stage_.toStage(std::move(kind)), .weight = weight};
    }
    IkGoal hand(double weight) const {
        return goal(PositionGoal{.joint = grab_.joint, .point = grab_.point, .target = grab_.start},
                    weight);
    }
    IkGoal hand() const { return hand(automatic() && others_pinned_ ? kHandWeight : 1.0); }

    // A pin whose target could not be reached pulls from near by: a natural drag has one frame to
    // balance all pulls.
    Vec3 targetOf(const DragPin& pin) const {
        if (!natural() || pin.reached) return pin.target;
        const double size = options_.size > 0.0 ? options_.size : bodySize(stage_.skeleton);
        const Vec3 at = computeModelPoint(stage_.skeleton, pose_, pin.joint, {});
        const double away = std::max(distance(at, pin.target), kNoDistance);
        return at + (pin.target - at) * std::min(1.0, kLongestPull * size / away);
    }

    double weightOf(const DragPin& pin) const {
        if (!automatic()) return kClassicalPinWeight;
        return pin.reached ? 1.0 : kHandWeight;
    }

    std::vector<IkGoal> positionGoals() const {
        std::vector<IkGoal> out = {hand()};
        for (const DragPin& pin : pins_)
            if (pin.joint != grab_.joint)
                out.push_back(
                    goal(PositionGoal{.joint = pin.joint, .target = targetOf(pin)}, weightOf(pin)));
        return out;
    }

    std::vector<IkGoal> allGoals() const {
        std::vector<IkGoal> out = {hand()};
        for (const DragPin& pin : pins_) {
            if (pin.joint != grab_.joint)
                out.push_back(
                    goal(PositionGoal{.joint = pin.joint, .target = targetOf(pin)}, weightOf(pin)));
            if (pin.orientation)
                out.push_back(goal(OrientationGoal{.joint = pin.joint, .target = *pin.orientation},
                                   weightOf(pin)));
        }
        for (const DragPole& pole : poles_)
            out.push_back(goal(
                PoleGoal{
                    .start = pole.start, .mid = pole.mid, .end = pole.end, .pole = pole.target},
                kHandWeight));
        if (automatic() && !natural()) addPosture(out);
        return out;
    }

    // The joints that goals can move: those above what they hold.
    std::vector<bool> movingJoints() const {
        std::vector<bool> above(stage_.skeleton.jointCount(), false);
        const auto add = [&](JointId joint) {
            for (JointId j = joint; j != JointId::None && !above[index(j)];
                 j = stage_.skeleton.parent(j))
                above[index(j)] = true;
        };
        add(grab_.joint);
        for (const DragPin& pin : pins_) add(pin.joint);
        for (const DragPole& pole : poles_) add(pole.mid);
        return above;
    }

    // A slight pull towards the pose of the start, stronger for the trunk and the collarbones.
    void addPosture(std::vector<IkGoal>& goals) const {
        const Skeleton& skeleton = stage_.skeleton;
        const std::vector<bool> moving = movingJoints();
        std::vector<bool> collars(skeleton.jointCount(), false);
        for (const RecognisedJoint& each : stage_.recognised())
            collars[index(each.joint)] = each.part.ends_with("collarbone");
        std::vector<JointId> trunk, collar, rest;
        for (const JointId j : skeleton.joints()) {
            if (!moving[index(j)] || skeleton.dofCount(j) == 0) continue;
            const std::size_t carried = skeleton.subtree(j).size();
            const bool in_trunk =
                2 * carried > skeleton.jointCount() && carried > 1 && !skeleton.planar();
            if (in_trunk) trunk.push_back(j);
            if (collars[index(j)]) collar.push_back(j);
            if (!in_trunk && !collars[index(j)]) rest.push_back(j);
        }
        const DofVector start = computeDofs(skeleton, stage_.toStage(pose_)).dofs;
        const auto add = [&](std::vector<JointId> joints, double factor) {
            if (joints.empty()) return;
            goals.push_back({.kind = PostureGoal{.rest = start, .joints = std::move(joints)},
                             .weight = kPostureWeight * factor});
        };
        add(std::move(trunk), kTrunkFactor);
        add(std::move(collar), kCollarFactor);
        add(std::move(rest), 1.0);
    }

    bool hasFreeRoot() const {
        const std::vector<JointId> roots = stage_.skeleton.roots();
        return std::any_of(roots.begin(), roots.end(), [&](JointId root) {
            return stage_.skeleton.kind(root) == JointKind::Free;
        });
    }

    // The first joint of the chain to the grabbed one: two joints up for a limb of two bones, else
    // the root's child on the way, and in the plane the root.
    JointId chainStart() const {
        const Skeleton& skeleton = stage_.skeleton;
        const bool limb = options_.method == IkMethod::TwoBone;
        JointId start = grab_.joint;
        for (int up = 0; !limb || up < 2; ++up) {
            const JointId parent = skeleton.parent(start);
            if (parent == JointId::None) break;
            if (!limb && skeleton.parent(parent) == JointId::None && !skeleton.planar()) break;
            start = parent;
        }
        return start;
    }

    const Stage& stage_;
    const Pose& pose_;
    const DragGrab& grab_;
    std::span<const DragPin> pins_;
    std::span<const DragPole> poles_;
    const DragOptions& options_;
    bool others_pinned_ = false;
    bool root_dragged_ = false;
};

}  // namespace

Drag::Drag(const Stage& stage, const DragGrab& grab, IkSolver solver, IkOptions options,
           std::string note, double size)
    : stage_(&stage),
      grab_(grab),
      solver_(std::move(solver)),
      options_(std::move(options)),
      note_(std::move(note)),
      size_(size) {}

Result<Drag> Drag::make(const Stage& stage, const Pose& pose, const DragGrab& grab,
                        std::span<const DragPin> pins, std::span<const DragPole> poles,
                        const DragOptions& options) {
    const double size = options.size > 0.0 ? options.size : bodySize(stage.skeleton);
    std::optional<Diagnostic> why;
    const AttemptMaker maker(stage, pose, grab, pins, poles, options);
    for (Attempt& attempt : maker.make()) {
        Result<IkSolver> solver = IkSolver::make(stage.skeleton, attempt.goals, attempt.options);
        if (solver) {
            Drag drag(stage, grab, *std::move(solver), std::move(attempt.options),
                      std::move(attempt.note), size);
            if (maker.natural()) {
                const Pose start = stage.toStage(pose);
                drag.natural_ = Natural{
                    {stage.natural, attempt.goals, drag.options_.locked, start, NaturalStart::Pose},
                    {stage.natural, attempt.goals, drag.options_.locked, start, options.rules},
                    start};
            }
            return drag;
        }
        if (!why) why = solver.error();
    }
    return *std::move(why);
}

Vec3 Drag::heldPoint(const Pose& pose) const {
    Vec3 out = grab_.point;
    for (JointId j = grab_.joint; j != JointId::None; j = stage_->skeleton.parent(j))
        out = pose[j] * out;
    return out;
}

// From what people would do with such targets. A target that the hand cannot reach pulls at the
// pins in proportion to its distance, so it is brought near to where the hand comes.
void Drag::findNaturalPose(const Vec3& target, Pose& pose) {
    constexpr int kPulls = 3;
    auto& hand = *std::get_if<PositionGoal>(&solver_.goals()[0].kind);
    hand.target = target;
    natural_->suggestion.suggest(solver_.goals(), pose);
    for (int pull = 1;; ++pull) {
        solver_.solve(pose);
        const Vec3 held = computeModelPoint(stage_->skeleton, pose, grab_.joint, hand.point);
        const double pulled = distance(hand.target, held);
        const double longest = kLongestPull * size_;
        if (pull == kPulls || pulled <= longest) break;
        hand.target = held + (target - held) * (longest / distance(target, held));
    }
    const Pose found = pose;
    const bool reached = solver_.report().status == IkStatus::Reached;
    if (!natural_->rules.mend(solver_.goals(), options_, pose)) return;
    if (solver_.solve(pose).status == IkStatus::Reached || !reached) return;
    // Goals come first.
    pose = found;
    solver_.solve(pose);
}

// Where the pose for a target is far from the one that is shown, because a knee had to choose
// another side, it is gone to over several frames: with the goals met where that leads there, else
// straight.
bool Drag::goSlowly(const Vec3& target, Pose& pose) {
    constexpr int kTries = 4;
    const Skeleton& skeleton = stage_->skeleton;
    if (!natural_->target) return false;
    const Pose& shown = natural_->shown;
    const double allowed = kMostMoves * distance(target, *natural_->target) + kMostAtRest * size_;
    const double far = farthestMove(skeleton, shown, pose);
    if (far <= allowed) return false;
    const auto between = [&](double share) {
        const PoseLayer layers[] = {{&shown, 1.0 - share}, {&pose, share}};
        return blendPoses(layers);
    };
    double share = allowed / far;
    for (int i = 0; i < kTries; ++i) {
        Pose on_the_way = between(share);
        solver_.solve(on_the_way);
        const double moved = farthestMove(skeleton, shown, on_the_way);
        if (moved > allowed) {
            share *= 0.7 * allowed / moved;
            continue;
        }
        if (farthestMove(skeleton, on_the_way, pose) > far - 0.1 * allowed) break;
        pose = std::move(on_the_way);
        return true;
    }
    share = allowed / far;
    for (int i = 0; i < kTries; ++i, share *= 0.7)
        if (farthestMove(skeleton, shown, between(share)) <= allowed) break;
    pose = between(share);
    return true;
}

DragStep Drag::solveNaturally(const Vec3& target, Pose& pose) {
    bool more = false;
    if (isFinite(target)) {
        findNaturalPose(target, pose);
        more = goSlowly(target, pose);
        natural_->shown = pose;
        natural_->target = target;
    } else {
        std::get_if<PositionGoal>(&solver_.goals()[0].kind)->target = target;
        stage_->enter(pose);
        solver_.solve(pose);  // which refuses it
    }
    stage_->leave(pose);
    const IkReport& report = solver_.report();
    return {report, more,
            report.status == IkStatus::MaxIterations ? IkStatus::OutOfReach : report.status};
}

DragStep Drag::solve(const Vec3& target, Pose& pose) {
    if (natural_) return solveNaturally(target, pose);
    auto& hand = *std::get_if<PositionGoal>(&solver_.goals()[0].kind);
    const double longest_pull = kLongestPull * size_;
    const double least = kLeastProgress * longest_pull;
    const double at_first = distance(target, heldPoint(pose));
    for (int pull = 1;; ++pull) {
        const Vec3 held = heldPoint(pose);
        const double away = distance(target, held);
        const double share = std::min(1.0, longest_pull / std::max(away, kNoDistance));
        const bool whole = share == 1.0;
        hand.target = whole ? target : held + (target - held) * share;
        stage_->enter(pose);
        const IkReport& report = solver_.solve(pose);
        stage_->leave(pose);
        const double left = distance(target, heldPoint(pose));
        if (!whole && away - left > least && pull < kPullsPerFrame) continue;
        // All pulls together tell better than the last one whether it comes nearer.
        const bool more =
            whole ? report.status == IkStatus::MaxIterations : at_first - left > least;
        const bool ended = !more && report.status == IkStatus::MaxIterations;
        return {report, more, ended ? IkStatus::OutOfReach : report.status};
    }
}

DragPin Drag::movedPin(DragPin pin, const Vec3& target, const Pose& pose) const {
    pin.reached = distance(target, heldPoint(pose)) <= kReached * size_;
    pin.target = pin.reached ? computeModelPoint(stage_->skeleton, pose, pin.joint, {})
                             : pin.target + (target - grab_.start);
    return pin;
}

DragTrace Drag::trace(const Pose& from, const Vec3& target, int iterations) const {
    const std::span<const IkGoal> now = solver_.goals();
    std::vector<IkGoal> goals(now.begin(), now.end());
    std::get_if<PositionGoal>(&goals[0].kind)->target = target;
    return traceSolver(*stage_, goals, options_, from,
                       iterations > 0 ? iterations : kTraceIterations);
}

DragTrace traceSolver(const Stage& stage, std::span<const IkGoal> goals, IkOptions options,
                      const Pose& from, int iterations) {
    const Pose start = stage.toStage(from);
    DragTrace out;
    out.poses.push_back(from);
    options.record_history = true;
    for (int i = 1; i <= iterations; ++i) {
        options.max_iterations = i;
        Result<IkSolver> solver = IkSolver::make(
            stage.skeleton, std::vector<IkGoal>(goals.begin(), goals.end()), options);
        if (!solver) break;
        Pose pose = start;
        const IkReport& report = solver->solve(pose);
        out.status = report.status;
        const bool ended = report.iterations < i;
        if (ended && i > 1) break;
        out.costs.push_back(report.cost);
        if (out.errors.empty())
            out.errors.push_back(report.history.empty() ? 0.0 : report.history.front());
        out.errors.push_back(report.history.empty() ? 0.0 : report.history.back());
        out.poses.push_back(stage.fromStage(std::move(pose)));
        if (ended) break;
    }
    return out;
}

std::optional<DragPole> makePole(const Skeleton& skeleton, const Pose& pose, JointId mid,
                                 UpAxis up) {
    // A limb whose middle is nearer than this share of its length to its line bends nowhere.
    constexpr double kStraight = 1e-3;
    const JointId start = skeleton.parent(mid);
    const std::vector<JointId> children = skeleton.children(mid);
    if (start == JointId::None || children.empty() || skeleton.planar()) return std::nullopt;
    const ModelPose model = computeModelPose(skeleton, pose);
    const Vec3 from = model.position(start), at = model.position(mid);
    const Vec3 to = model.position(children.front());
    const double reach = distance(from, to);
    const Vec3 bend = at - (from + to) * 0.5;
    const Vec3 forward = up == UpAxis::Z ? Vec3{0, -1, 0} : Vec3{0, 0, 1};
    const bool straight = length(cross(bend, to - from)) < kStraight * reach * reach;
    const Vec3 away = straight ? forward : normalizedOr(bend, forward);
    return DragPole{
        .start = start, .mid = mid, .end = children.front(), .target = at + away * reach};
}

}  // namespace ulna
