// SPDX-License-Identifier: Apache-2.0

// Gauss-Newton with Levenberg's damping on a skeleton's coordinates. A pin is a vertex of its own,
// much heavier than the shape, whose target moves on until the joint is where it should be (the
// method of multipliers).
#include "ulna/fit/skeleton_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/fit/detail/bounded_step.h"
#include "ulna/fit/detail/fit_simd.h"
#include "ulna/fit/detail/layout.h"
#include "ulna/fit/detail/rank.h"
#include "ulna/fit/detail/report_start.h"
#include "ulna/fit/detail/robust.h"
#include "ulna/fit/detail/skeleton_moves.h"
#include "ulna/fit/detail/skeleton_system.h"
#include "ulna/fit/detail/solver.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace fit::detail;

constexpr double kSettled = 1e-5;  // robust rounds end when no factor changes by more
constexpr double kRounding = 1e-10, kRoundingOfCost = 1e-7;  // of gradients; the root of 1e-16
constexpr double kFirstDamping = 1e-3;
constexpr double kMostDamping = 1e8;
constexpr double kDampingStep = 10.0;
constexpr double kNear = 0.02, kSlow = 0.02;  // as in the solver of control points
constexpr double kPinMass = 3.0;  // of all vertices together: heavier ones make narrow valleys
constexpr double kPinLoose =
    0.3;  // of what pins are off: how far a round is solved before the next
constexpr int kPinRounds = 200;
constexpr int kPinStuck = 3;            // rounds that gain next to nothing
constexpr double kPinRounding = 3e-9;   // of the size: pins this near are in place
constexpr double kHeavierPins = 100.0;  // times the mass

struct Setup {
    const Skeleton* skeleton = nullptr;
    Mesh mesh;
    SkeletonFitOptions options;
    std::vector<Affine> joint_from_bind;
    FitRig rig;
    Vec3 origin;
    double size = 1.0;
    VertexPack pack;
    SkeletonMoves moves;
    std::vector<double> masses;  // of the vertices; pins follow behind
    double pin_mass = 0.0;       // of each pin
};

// A state with everything that follows from it.
struct Placed {
    MoveState state;
    std::vector<Affine> model;
    std::vector<Quat> orientations;
    std::vector<Columns4> matrices, residual;
};

Status checkScales(const Skeleton& skeleton) {
    for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
        const Vec3& scale = skeleton.rest(jointId(j)).scale;
        const bool uniform = std::abs(scale.x - scale.y) <= 1e-9 * std::abs(scale.x) &&
                             std::abs(scale.x - scale.z) <= 1e-9 * std::abs(scale.x);
        if (uniform && scale.x > 0.0) continue;
        if (uniform || !skeleton.children(jointId(j)).empty())
            return Diagnostic{"a joint is scaled differently along its axes, or not at all",
                              {},
                              skeleton.name(jointId(j)),
                              "fits turn joints inside uniform scales only"};
    }
    return Done{};
}

}  // namespace

struct SkeletonFitter::State {
    explicit State(std::shared_ptr<const Setup> shared, Fitter cold_fitter);

    const FitReport& fit(const FitTargets& targets, FitStart start, Pose& pose);

    std::shared_ptr<const Setup> setup;

  private:
    void takeMask(const FitTargets& targets);
    void useMasses(bool shape);
    void place(Placed& at) const;
    void evaluate(Placed& at);
    [[nodiscard]] double dataChange(const Placed& from, const Placed& to) const;
    [[nodiscard]] double costChange(const Placed& from, const Placed& to);
    void linearize();
    void solveFrame(FitReport& report);
    [[nodiscard]] double solveRounds(double loose);
    void solvePinned(bool shape);
    void aimPins();
    void weighPins(double heavier, bool shape);
    void takePins(const FitTargets& targets, const Pose& pose);
    [[nodiscard]] double movePins();
    void solveRobust(bool cold);
    void startCold(const FitTargets& targets, const Pose& pose);
    Leftover measure(const Placed& at);

    Fitter cold_;
    ControlPose cold_pose_;
    Pose cold_start_;
    SkeletonSystem system_;
    BoundedStep bounded_;
    RankFinder rank_;
    RobustMasses robust_;
    // In what is by vertex, pins follow behind the vertices. Those of the shape are 0 there.
    std::vector<double> mask_, shape_masses_, masses_, point_masses_, distances_;
    bool weighed_shape_ = false;
    double shape_mass_ = 0.0;  // of what is in use; of pins alone where all else is missing
    double loose_ = 0.0;       // what may be left to move while pins are not in place
    std::vector<Row4> targets_;
    std::vector<Vec3> pin_places_;
    double pin_mass_ = 0.0;  // of each pin, now
    std::vector<Rows4> point_moments_;
    Placed now_, trial_;
    MoveState begin_, pin_start_;
    std::vector<Twist> twists_;
    std::vector<double> descent_, matrix_, bent_, way_, trial_way_, pull_;
    FitReport report_;
};

SkeletonFitter::State::State(std::shared_ptr<const Setup> shared, Fitter cold_fitter)
    : setup(std::move(shared)), cold_(std::move(cold_fitter)) {
    const Setup& s = *setup;
    const std::size_t joints = s.skeleton->jointCount();
    const std::size_t n = s.moves.moves().size();
    system_.build(*s.skeleton, s.pack);
    robust_.setUp(s.options.loss, s.options.loss_scale, s.skeleton->planar(), 1e-12 * s.size);
    masses_ = s.masses;
    masses_.resize(s.pack.vertexCount(), 0.0);
    shape_masses_ = masses_;
    pin_places_.resize(s.options.pinned.size());
    pin_mass_ = s.pin_mass;
    point_masses_.resize(s.pack.point.size());
    targets_.resize(s.pack.vertexCount());
    point_moments_.resize(joints);
    if (s.options.loss != FitLoss::Squares) distances_.resize(s.pack.vertexCount());
    for (Placed* placed : {&now_, &trial_}) {
        placed->model.resize(joints);
        placed->orientations.resize(joints);
        placed->matrices.resize(joints);
        placed->residual.resize(joints);
    }
    twists_.resize(n);
    matrix_.resize(n * n);
    bent_.resize(n * n);
    bounded_ = BoundedStep(n);
    rank_ = RankFinder(n);
    for (std::vector<double>* v : {&descent_, &way_, &trial_way_, &pull_}) v->resize(n);
    report_.undetermined.reserve(joints);
}

void SkeletonFitter::State::takeMask(const FitTargets& targets) {
    if (std::equal(mask_.begin(), mask_.end(), targets.mask.begin(), targets.mask.end())) return;
    mask_.assign(targets.mask.begin(), targets.mask.end());
    for (std::size_t i = 0; i < setup->masses.size(); ++i)
        shape_masses_[i] = setup->masses[i] * (mask_.empty() ? 1.0 : mask_[i]);
    weighed_shape_ = false;
}

// The shape's own masses, or those in masses_; pins keep theirs.
void SkeletonFitter::State::useMasses(bool shape) {
    if (!(shape && weighed_shape_)) {
        if (shape) std::copy(shape_masses_.begin(), shape_masses_.end(), masses_.begin());
        const auto pins = masses_.begin() + static_cast<std::ptrdiff_t>(setup->masses.size());
        std::fill(pins, masses_.end(), pin_mass_);
        shape_mass_ = std::accumulate(masses_.begin(), pins, 0.0);
        if (!(shape_mass_ > 0.0)) shape_mass_ = std::accumulate(pins, masses_.end(), 0.0);
        weighPoints(setup->pack, masses_, point_masses_);
        system_.weigh(setup->pack, masses_);
        weighed_shape_ = shape;
    }
    computePointMomentsSimd(setup->pack, point_masses_, targets_, point_moments_);
    system_.setFrame(point_moments_);
}

void SkeletonFitter::State::place(Placed& at) const {
    const Setup& s = *setup;
    composeModelTransforms<double>(*s.skeleton, at.state.parent_from_joint, at.model);
    for (std::size_t j = 0; j < at.model.size(); ++j) {
        const JointId parent = s.skeleton->parent(jointId(j));
        const Quat& own = at.state.parent_from_joint[j].rotation;
        at.orientations[j] = parent == JointId::None ? own : at.orientations[index(parent)] * own;
        const Affine posed_from_bind = at.model[j] * s.joint_from_bind[j];
        const Vec3 moved = posed_from_bind * s.origin - s.origin;
        for (std::size_t c = 0; c < 3; ++c) {
            const Vec3 column = posed_from_bind.column(c);
            at.matrices[j][c] = {column.x, column.y, column.z, 0.0};
        }
        at.matrices[j][3] = {moved.x, moved.y, moved.z, 0.0};
    }
}

void SkeletonFitter::State::evaluate(Placed& at) {
    place(at);
    system_.computeResidual(at.matrices, at.residual);
}

double SkeletonFitter::State::dataChange(const Placed& from, const Placed& to) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < from.matrices.size(); ++j) {
        for (std::size_t c = 0; c < 4; ++c) {
            for (std::size_t r = 0; r < 3; ++r) {
                sum -= 0.5 * (to.matrices[j][c][r] - from.matrices[j][c][r]) *
                       (to.residual[j][c][r] + from.residual[j][c][r]);
            }
        }
    }
    return sum;
}

double SkeletonFitter::State::costChange(const Placed& from, const Placed& to) {
    double sum = dataChange(from, to);
    if (!(setup->options.smoothness > 0.0)) return sum;
    setup->moves.computeWay(begin_, from.state, SkeletonMoves::WayAs::Parts, way_);
    setup->moves.computeWay(begin_, to.state, SkeletonMoves::WayAs::Parts, trial_way_);
    for (std::size_t i = 0; i < way_.size(); ++i)
        sum += 0.5 * pull_[i] * (trial_way_[i] * trial_way_[i] - way_[i] * way_[i]);
    return sum;
}

void SkeletonFitter::State::linearize() {
    const Setup& s = *setup;
    const std::span<const Move> moves = s.moves.moves();
    const std::size_t n = moves.size();
    s.moves.computeTwists(now_.state, now_.model, now_.orientations, s.origin, twists_);
    system_.computeDescent(now_.matrices, now_.residual, moves, twists_, descent_);
    system_.computeMatrix(now_.matrices, moves, twists_, matrix_);
    if (!(s.options.smoothness > 0.0)) return;
    s.moves.computeWay(begin_, now_.state, SkeletonMoves::WayAs::Slopes, way_);
    if (report_.iterations == 0) {
        for (std::size_t i = 0; i < n; ++i) pull_[i] = s.options.smoothness * matrix_[i * n + i];
        s.moves.evenBalls(pull_);
    }
    for (std::size_t i = 0; i < n; ++i) {
        matrix_[i * n + i] += pull_[i];
        descent_[i] -= pull_[i] * way_[i];
    }
}

void SkeletonFitter::State::solveFrame(FitReport& report) {
    const Setup& s = *setup;
    double damping = kLeastDamping, before = 0.0;
    bool bends = false;
    const double unit = shape_mass_ * s.size * s.size;
    report.status = FitStatus::MaxIterations;
    evaluate(now_);
    const auto see = [&] {
        if (s.options.record_history)
            report.history.push_back({std::sqrt(measure(now_).sum / shape_mass_), report.gradient});
    };
    const auto gradient = [&] {
        return bounded_.gradientInside(s.moves, now_.state, descent_) / unit;
    };
    linearize();
    report.gradient = gradient();
    for (int most = report.iterations + s.options.max_iterations; report.iterations < most;) {
        see();
        ++report.iterations;
        double length = 0.0;
        bool accepted = false;
        while (!accepted && damping <= kMostDamping) {
            if (bends) {
                std::copy(matrix_.begin(), matrix_.end(), bent_.begin());
                system_.addCurvature(*s.skeleton, s.moves.moves(), twists_, bent_);
            }
            if (bounded_.compute(s.moves, now_.state, bends ? bent_ : matrix_, descent_, damping)) {
                const std::span<const double> step = bounded_.step();
                double work = 0.0;
                for (std::size_t i = 0; i < step.size(); ++i) work += step[i] * descent_[i];
                length = std::sqrt(std::max(work, 0.0) / shape_mass_) / s.size;
                s.moves.retract(now_.state, step, trial_.state);
                evaluate(trial_);
                accepted = costChange(now_, trial_) <= 0.0 || length < 1e-13;
            }
            if (!accepted && !bends) damping = std::max(damping * kDampingStep, kFirstDamping);
            if (!accepted) bends = false;
        }
        if (!accepted) {
            // Of a large cost a step's share is lost in rounding long before the gradient is.
            const double left = std::sqrt(measure(now_).sum / shape_mass_) / s.size;
            const bool rounding = report.gradient < kRounding + kRoundingOfCost * left;
            report.status = rounding ? FitStatus::Converged : FitStatus::Stalled;
            break;
        }
        std::swap(now_, trial_);
        linearize();
        report.gradient = gradient();
        const double rate = before > 0.0 ? length / before : 1.0;
        const double left = rate < 0.9 ? std::min(length, length * rate / (1.0 - rate)) : length;
        if (left <= std::max(s.options.tolerance, loose_)) {
            report.status = FitStatus::Converged;
            break;
        }
        // Small steps that shrink slowly: what is left of the shape bends the cost.
        bends = bends || (length < kNear && length > kSlow * before);
        before = length;
        damping = damping > kFirstDamping ? damping / kDampingStep : kLeastDamping;
    }
    see();
}

// Where pinned joints are to be: as the frame says, or where the start pose has them.
void SkeletonFitter::State::takePins(const FitTargets& targets, const Pose& pose) {
    const std::vector<JointId>& pinned = setup->options.pinned;
    if (pinned.empty()) return;
    if (targets.driven == nullptr)
        composeModelTransforms<double>(*setup->skeleton, pose.parent_from_joint, now_.model);
    for (std::size_t i = 0; i < pinned.size(); ++i) {
        const std::size_t j = index(pinned[i]);
        pin_places_[i] = (targets.driven == nullptr ? now_.model[j].translation()
                                                    : targets.driven->positions[j]) -
                         setup->origin;
    }
    aimPins();
}

void SkeletonFitter::State::aimPins() {
    for (std::size_t i = 0; i < pin_places_.size(); ++i) {
        const Vec3& p = pin_places_[i];
        targets_[setup->masses.size() + i] = {p.x, p.y, p.z, 0.0};
    }
}

// Moves the targets of pins on by what is left to their places; returns the largest of that.
double SkeletonFitter::State::movePins() {
    double largest = 0.0;
    for (std::size_t i = 0; i < pin_places_.size(); ++i) {
        const Vec3 now = now_.model[index(setup->options.pinned[i])].translation() - setup->origin;
        const Vec3 left = pin_places_[i] - now;
        Row4& target = targets_[setup->masses.size() + i];
        for (std::size_t c = 0; c < 3; ++c) target[c] += left[c];
        largest = std::max(largest, length(left));
    }
    return largest;
}

// Rounds that move the targets of pins on until the pins are in place; returns the largest distance
// that is left. Each is solved until what may be left to move is `loose` times that distance. Where
// a pin is out of reach the rounds end: its place is neared as far as it goes.
double SkeletonFitter::State::solveRounds(double loose) {
    loose_ = pin_places_.empty() ? 0.0 : loose * kNear;
    solveFrame(report_);
    double before = 1e300;
    int stuck = 0;
    for (int round = 0; round < kPinRounds && !pin_places_.empty(); ++round) {
        const double left = movePins();
        if (left <= setup->options.tolerance * setup->size) return 0.0;
        stuck += left > 0.9 * before ? 1 : 0;
        if (stuck == kPinStuck) return left <= kPinRounding * setup->size ? 0.0 : left;
        before = left;
        loose_ = loose * left / setup->size;
        computePointMomentsSimd(setup->pack, point_masses_, targets_, point_moments_);
        system_.setFrame(point_moments_);
        solveFrame(report_);
    }
    return pin_places_.empty() ? 0.0 : before;
}

// Light pins give way at first, and what they let stretch straight may not bend again: then heavier
// ones go the way again from the start, where nothing is stretched yet. The nearer answer counts.
void SkeletonFitter::State::solvePinned(bool shape) {
    pin_start_ = now_.state;
    const double light = solveRounds(kPinLoose);
    if (light == 0.0) return;
    const double light_gradient = report_.gradient;
    std::swap(pin_start_, now_.state);
    weighPins(kHeavierPins, shape);
    const double heavy = solveRounds(0.0);
    if (heavy > light) {
        std::swap(pin_start_, now_.state);
        report_.gradient = light_gradient;
    }
    weighPins(1.0, shape);
    evaluate(now_);
    linearize();
    if (heavy > 0.0) report_.status = FitStatus::Stalled;
}

// Gives pins so many times their mass, and their targets back.
void SkeletonFitter::State::weighPins(double heavier, bool shape) {
    aimPins();
    pin_mass_ = heavier * setup->pin_mass;
    weighed_shape_ = false;
    useMasses(shape);
}

Leftover SkeletonFitter::State::measure(const Placed& at) {
    return computeLeftoverSimd(setup->pack, shape_masses_, at.matrices, targets_, distances_);
}

void SkeletonFitter::State::solveRobust(bool cold) {
    robust_.restart();
    if (cold) {
        useMasses(true);
        solvePinned(true);
    } else {
        place(now_);
    }
    for (int round = 0; round < kMostRounds; ++round) {
        static_cast<void>(measure(now_));
        if (robust_.weigh(shape_masses_, distances_, masses_) < kSettled) return;
        useMasses(false);
        solvePinned(false);
    }
    report_.status = FitStatus::MaxIterations;
}

// The linear start of the rig of free joints, brought to what the joints can hold, where that is
// nearer than the pose.
void SkeletonFitter::State::startCold(const FitTargets& targets, const Pose& pose) {
    const Setup& s = *setup;
    cold_pose_ = restControlPose(s.rig);
    for (std::size_t i = 0; i < pin_places_.size(); ++i)
        cold_pose_.positions[index(s.options.pinned[i])] = pin_places_[i] + s.origin;
    const FitReport& report = cold_.fit({.positions = targets.positions, .mask = targets.mask},
                                        FitStart::Cold, cold_pose_);
    if (report.status == FitStatus::BadTarget) return;
    cold_start_ = makePose(*s.skeleton, s.mesh, cold_pose_);
    for (std::size_t j = 0; j < cold_start_.parent_from_joint.size(); ++j) {
        Trs& own = cold_start_.parent_from_joint[j];
        own.scale = pose.parent_from_joint[j].scale;
        if (!s.skeleton->translates(jointId(j)))
            own.translation = pose.parent_from_joint[j].translation;
    }
    std::vector<std::uint8_t> moves(s.skeleton->jointCount(), 0);
    for (const Move& move : s.moves.moves()) moves[move.joint] = 1;
    for (std::size_t j = 0; j < moves.size(); ++j)
        if (!moves[j]) cold_start_.parent_from_joint[j] = pose.parent_from_joint[j];
    s.moves.load(cold_start_, trial_.state);
    useMasses(true);
    evaluate(now_);
    evaluate(trial_);
    if (dataChange(now_, trial_) < 0.0) std::swap(now_, trial_);
    begin_ = now_.state;
}

const FitReport& SkeletonFitter::State::fit(const FitTargets& targets, FitStart start, Pose& pose) {
    const Setup& s = *setup;
    ULNA_ASSERT(targets.positions.size() == s.masses.size(), "a fit needs a target per vertex");
    ULNA_ASSERT(targets.mask.empty() || targets.mask.size() == s.masses.size(),
                "a mask needs a factor per vertex");
    ULNA_ASSERT(pose.parent_from_joint.size() == s.skeleton->jointCount(),
                "the pose needs one transform per joint");
    fit::detail::begin(report_);
    takeMask(targets);
    const std::size_t bad = centreTargets(s.pack, targets.positions, shape_masses_, targets_);
    if (bad < s.masses.size()) {
        fit::detail::refuse(bad, report_);
        return report_;
    }
    takePins(targets, pose);
    s.moves.load(pose, now_.state);
    trial_.state = now_.state;
    begin_ = now_.state;
    const double mass = std::accumulate(shape_masses_.begin(), shape_masses_.end(), 0.0);
    if (mass > 0.0 || !pin_places_.empty()) {
        if (start == FitStart::Cold && mass > 0.0) startCold(targets, pose);
        if (s.options.loss == FitLoss::Squares) {
            useMasses(true);
            solvePinned(true);
        } else {
            solveRobust(start == FitStart::Cold);
        }
    } else {
        useMasses(true);
        evaluate(now_);
        linearize();
        report_.status = FitStatus::Converged;
    }
    rank_.find(matrix_, s.moves.moves(), s.size, system_.mass() > 0.0, report_);
    place(now_);
    const Leftover left = measure(now_);
    report_.rms = mass > 0.0 ? std::sqrt(left.sum / mass) : 0.0;
    report_.worst_vertex = left.worst;
    report_.worst_distance = left.worst_distance;
    std::copy(now_.state.parent_from_joint.begin(), now_.state.parent_from_joint.end(),
              pose.parent_from_joint.begin());
    return report_;
}

Result<SkeletonFitter> SkeletonFitter::make(const Skeleton& skeleton, const Mesh& mesh,
                                            SkeletonFitOptions options) {
    Result<FitRig> rig = makeFitRig(skeleton, mesh);
    if (!rig) return rig.error();
    if (Status status = checkScales(skeleton); !status) return status.error();
    for (const JointId joint : options.pinned) rig->points[index(joint)].pinned = true;
    rig->masses = options.masses;
    if (Status status = checkRig(*rig); !status) return status.error();
    Result<Fitter> cold = Fitter::make(*rig, {.tolerance = 1e-6, .max_iterations = 10});
    if (!cold) return cold.error();
    auto setup = std::make_shared<Setup>();
    const FitLayout layout = makeLayout(*rig);
    setup->skeleton = &skeleton;
    setup->mesh.weights = mesh.weights;
    setup->mesh.joint_from_bind = mesh.joint_from_bind;
    setup->joint_from_bind = bindMatrices(skeleton, mesh);
    setup->origin = layout.origin;
    setup->size = layout.size;
    std::vector<Vec3> vertices = rig->vertices;
    SkinWeights weights = rig->weights;
    for (const JointId joint : options.pinned) {
        vertices.push_back(rig->points[index(joint)].rest);
        weights.addRow(std::array{Influence{joint, 1.0f}});
    }
    setup->pack = makeVertexPack(vertices, weights, rig->points.size(), layout.origin);
    setup->moves.build(skeleton, options.locked,
                       {.limits = options.limits, .move_roots = options.move_roots});
    setup->masses = options.masses;
    setup->masses.resize(rig->vertices.size(), 1.0);
    setup->pin_mass = kPinMass * std::accumulate(setup->masses.begin(), setup->masses.end(), 0.0);
    setup->rig = std::move(*rig);
    setup->options = std::move(options);
    return SkeletonFitter(std::make_unique<State>(std::move(setup), std::move(*cold)));
}

SkeletonFitter::SkeletonFitter(std::unique_ptr<State> state) : state_(std::move(state)) {}
SkeletonFitter::SkeletonFitter(const SkeletonFitter& other)
    : state_(std::make_unique<State>(*other.state_)) {}
SkeletonFitter& SkeletonFitter::operator=(const SkeletonFitter& other) {
    if (this != &other) state_ = std::make_unique<State>(*other.state_);
    return *this;
}
SkeletonFitter::SkeletonFitter(SkeletonFitter&&) noexcept = default;
SkeletonFitter& SkeletonFitter::operator=(SkeletonFitter&&) noexcept = default;
SkeletonFitter::~SkeletonFitter() = default;

const FitReport& SkeletonFitter::fit(const FitTargets& targets, FitStart start, Pose& pose) {
    return state_->fit(targets, start, pose);
}
const Skeleton& SkeletonFitter::skeleton() const {
    return *state_->setup->skeleton;
}
const SkeletonFitOptions& SkeletonFitter::options() const {
    return state_->setup->options;
}
double SkeletonFitter::size() const {
    return state_->setup->size;
}

}  // namespace ulna
