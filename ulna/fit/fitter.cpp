// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/fitter.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "ulna/core/assert.h"
#include "ulna/fit/detail/fit_simd.h"
#include "ulna/fit/detail/frame_budget.h"
#include "ulna/fit/detail/layout.h"
#include "ulna/fit/detail/report_start.h"
#include "ulna/fit/detail/robust.h"
#include "ulna/fit/detail/solver.h"
#include "ulna/fit/detail/vertex_pack.h"

namespace ulna {
namespace {

using namespace fit::detail;

// Robust rounds end when no factor changes by more than this.
constexpr double kSettled = 1e-5;

// What depends on nothing but the rig.
struct Setup {
    FitRig rig;
    FitOptions options;
    FitLayout layout;
    VertexPack pack;
    std::vector<double> masses;
};

void readPose(const FitLayout& layout, const ControlPose& pose, FitValues& out) {
    out.quats.resize(layout.rotations.size());
    out.rotations.resize(layout.rotations.size());
    out.positions.resize(layout.translations.size());
    for (std::size_t a = 0; a < layout.rotations.size(); ++a) {
        const std::uint32_t point = layout.rotations[a].point;
        out.quats[a] = point == kNone ? Quat{} : normalized(pose.rotations[point]);
        out.rotations[a] = toMatrix(out.quats[a]);
    }
    for (std::size_t t = 0; t < layout.translations.size(); ++t)
        out.positions[t] = pose.positions[layout.translations[t].point] - layout.origin;
}

// What of a frame is given and not looked for.
void readGiven(const FitLayout& layout, const ControlPose& pose, FitValues& out,
               std::vector<Vec3>& pin_positions) {
    for (std::size_t a = 0; a < layout.rotations.size(); ++a) {
        const FitLayout::Rotation& rotation = layout.rotations[a];
        if (!rotation.known || rotation.point == kNone) continue;
        out.quats[a] = normalized(pose.rotations[rotation.point]);
        out.rotations[a] = toMatrix(out.quats[a]);
    }
    for (std::size_t t = 0; t < layout.translations.size(); ++t) {
        const FitLayout::Translation& translation = layout.translations[t];
        if (translation.known) out.positions[t] = pose.positions[translation.point] - layout.origin;
    }
    for (std::size_t i = 0; i < pin_positions.size(); ++i)
        pin_positions[i] = pose.positions[layout.extra_pins[i].point] - layout.origin;
}

void writePose(const FitLayout& layout, const FitValues& values, ControlPose& pose) {
    for (std::size_t j = 0; j < layout.rest.size(); ++j) {
        pose.rotations[j] = values.quats[layout.rotation_of[j]];
        pose.positions[j] = layout.position(j, values.rotations, values.positions) + layout.origin;
    }
}

[[maybe_unused]] bool isFinite(const ControlPose& pose) {
    double sum = 0.0;
    for (const Quat& q : pose.rotations) sum += q.x + q.y + q.z + q.w;
    for (const Vec3& p : pose.positions) sum += p.x + p.y + p.z;
    return std::isfinite(sum);
}

[[maybe_unused]] bool isFiniteWhereGiven(const FitRig& rig, const ControlPose& pose) {
    double sum = 0.0;
    for (std::size_t j = 0; j < rig.points.size(); ++j) {
        const bool driven = rig.points[j].freedom == PointFreedom::Driven;
        const Quat& q = pose.rotations[j];
        const Vec3& p = pose.positions[j];
        if (driven) sum += q.x + q.y + q.z + q.w;
        if (driven || rig.points[j].pinned) sum += p.x + p.y + p.z;
    }
    return std::isfinite(sum);
}

}  // namespace

struct Fitter::State final : fit::detail::IterationWatcher {
    explicit State(std::shared_ptr<const Setup> shared);

    const FitReport& fit(const FitTargets& targets, FitStart start, ControlPose& pose);

  private:
    void see(const FitValues& at, double gradient) override;
    [[nodiscard]] bool mayGoOn(const FitValues& at, int iterations) override;
    void takeMask(const FitTargets& targets);
    // The masses of the vertices: with the frame's mask, or these weighed by a robust loss.
    enum class Masses : std::uint8_t { Base, Robust };
    void useMasses(Masses which, double smoothness);
    void solveFrame(const FitTargets& targets, FitStart start);
    void solveRobust(const FitTargets& targets, FitStart start);
    Leftover measure(const FitValues& at);

  public:
    std::shared_ptr<const Setup> setup;
    FrameBudget budget;

  private:
    FitSolver solver_;
    RobustMasses robust_;
    std::vector<double> mask_, base_masses_, robust_masses_, point_masses_, distances_;
    // What the constant moments were computed with; nothing where they are to be computed again.
    struct Weighed {
        Masses masses = Masses::Base;
        double smoothness = 0.0;

        friend bool operator==(const Weighed&, const Weighed&) = default;
    };
    std::optional<Weighed> weighed_;
    std::vector<Row4> targets_;
    std::vector<Rows4> point_moments_;
    std::vector<Columns4> matrices_;
    std::vector<Vec3> pin_positions_;
    FitValues values_, reference_;
    FitReport report_;
};

Fitter::State::State(std::shared_ptr<const Setup> shared) : setup(std::move(shared)) {
    const Setup& s = *setup;
    budget.set(s.options.budget);
    solver_.build(s.layout, s.pack,
                  {.method = s.options.method,
                   .tolerance = s.options.tolerance,
                   .max_iterations = s.options.max_iterations,
                   .planar = s.rig.planar});
    // Distances below this are the rounding of coordinates.
    robust_.setUp(s.options.loss, s.options.loss_scale, s.rig.planar, 1e-12 * s.layout.size);
    base_masses_ = robust_masses_ = s.masses;
    point_masses_.resize(s.pack.point.size());
    targets_.resize(s.pack.vertexCount());
    point_moments_.resize(s.pack.points);
    matrices_.resize(s.pack.points);
    pin_positions_.resize(s.layout.extra_pins.size());
    if (s.options.loss != FitLoss::Squares) distances_.resize(s.pack.vertexCount());
    report_.undetermined.reserve(s.pack.points);
}

void Fitter::State::takeMask(const FitTargets& targets) {
    const bool same =
        std::equal(mask_.begin(), mask_.end(), targets.mask.begin(), targets.mask.end());
    if (same) return;
    mask_.assign(targets.mask.begin(), targets.mask.end());
    for (std::size_t i = 0; i < base_masses_.size(); ++i)
        base_masses_[i] = setup->masses[i] * (mask_.empty() ? 1.0 : mask_[i]);
    weighed_.reset();
}

void Fitter::State::useMasses(Masses which, double smoothness) {
    const Weighed now{which, smoothness};
    // Robust masses differ from round to round.
    if (which == Masses::Base && weighed_ == now) return;
    const std::vector<double>& masses = which == Masses::Base ? base_masses_ : robust_masses_;
    weighPoints(setup->pack, masses, point_masses_);
    solver_.weigh(setup->layout, setup->pack, masses, smoothness);
    weighed_ = now;
}

Leftover Fitter::State::measure(const FitValues& at) {
    const FitLayout& layout = setup->layout;
    for (std::size_t j = 0; j < matrices_.size(); ++j) {
        const Mat3& rotation = at.rotations[layout.rotation_of[j]];
        const Vec3 moved =
            layout.position(j, at.rotations, at.positions) - rotation * layout.rest[j];
        for (std::size_t c = 0; c < 3; ++c)
            matrices_[j][c] = {rotation.rows[0][c], rotation.rows[1][c], rotation.rows[2][c], 0.0};
        matrices_[j][3] = {moved.x, moved.y, moved.z, 0.0};
    }
    return computeLeftoverSimd(setup->pack, base_masses_, matrices_, targets_, distances_);
}

bool Fitter::State::mayGoOn(const FitValues& at, int iterations) {
    return budget.mayGoOn(iterations, [&] { return 0.5 * measure(at).sum; });
}

void Fitter::State::see(const FitValues& at, double gradient) {
    if (!setup->options.record_history) return;
    double mass = 0.0;
    for (const double m : base_masses_) mass += m;
    report_.history.push_back({std::sqrt(measure(at).sum / mass), gradient});
}

void Fitter::State::solveFrame(const FitTargets& targets, FitStart start) {
    const Setup& s = *setup;
    computePointMomentsSimd(s.pack, point_masses_, targets_, point_moments_);
    solver_.setFrame(s.layout, point_moments_, values_,
                     targets.reference && s.options.smoothness > 0.0 ? &reference_ : nullptr,
                     pin_positions_);
    if (start == FitStart::Cold) solver_.startCold(values_);
    solver_.solve(s.layout, values_, this, report_);
}

void Fitter::State::solveRobust(const FitTargets& targets, FitStart start) {
    const double smoothness = targets.reference ? setup->options.smoothness : 0.0;
    robust_.restart();
    if (start == FitStart::Cold) {
        useMasses(Masses::Base, smoothness);
        solveFrame(targets, start);
    }
    for (int round = 0; round < kMostRounds; ++round) {
        if (budget.isSpent()) return;
        static_cast<void>(measure(values_));
        const double change = robust_.weigh(base_masses_, distances_, robust_masses_);
        if (change < kSettled) return;
        useMasses(Masses::Robust, smoothness);
        solveFrame(targets, FitStart::Warm);
    }
    if (!budget.isSpent()) report_.status = FitStatus::MaxIterations;
}

const FitReport& Fitter::State::fit(const FitTargets& targets, FitStart start, ControlPose& pose) {
    const Setup& s = *setup;
    ULNA_ASSERT(targets.positions.size() == s.pack.vertexCount(),
                "a fit needs a target per vertex");
    ULNA_ASSERT(targets.mask.empty() || targets.mask.size() == s.pack.vertexCount(),
                "a mask needs a factor per vertex");
    ULNA_ASSERT(pose.rotations.size() == s.pack.points && pose.positions.size() == s.pack.points,
                "the pose needs a rotation and a position per control point");
    ULNA_ASSERT(isFinite(pose), "the pose that a fit starts from must be finite");
    ULNA_ASSERT(!targets.driven || (targets.driven->rotations.size() == s.pack.points &&
                                    targets.driven->positions.size() == s.pack.points),
                "a driven pose needs a rotation and a position per control point");
    ULNA_ASSERT(!targets.driven || isFiniteWhereGiven(s.rig, *targets.driven),
                "pinned and driven points must be at finite positions");
    fit::detail::begin(report_);
    budget.begin();
    takeMask(targets);
    const std::size_t bad = centreTargets(s.pack, targets.positions, base_masses_, targets_);
    if (bad < targets_.size()) {
        fit::detail::refuse(bad, report_);
        return report_;
    }
    readPose(s.layout, pose, values_);
    if (targets.reference) readPose(s.layout, *targets.reference, reference_);
    readGiven(s.layout, targets.driven ? *targets.driven : pose, values_, pin_positions_);
    if (s.options.loss == FitLoss::Squares) {
        useMasses(Masses::Base, targets.reference ? s.options.smoothness : 0.0);
        solveFrame(targets, start);
    } else {
        solveRobust(targets, start);
    }
    solver_.findRank(s.layout, values_, report_);
    const Leftover left = measure(values_);
    double mass = 0.0;
    for (const double m : base_masses_) mass += m;
    report_.rms = mass > 0.0 ? std::sqrt(left.sum / mass) : 0.0;
    report_.worst_vertex = left.worst;
    report_.worst_distance = left.worst_distance;
    if (s.options.loss != FitLoss::Squares)
        report_.robust = robust_.examine(base_masses_, distances_);
    writePose(s.layout, values_, pose);
    return report_;
}

Result<Fitter> Fitter::make(FitRig rig, FitOptions options) {
    if (Status status = checkRig(rig); !status) return status.error();
    auto setup = std::make_shared<Setup>();
    setup->layout = makeLayout(rig);
    setup->pack = makeVertexPack(rig.vertices, rig.weights, rig.points.size(), setup->layout.origin,
                                 rig.exact_weights);
    setup->masses = rig.masses;
    if (rig.masses.empty()) setup->masses.assign(rig.vertices.size(), 1.0);
    setup->rig = std::move(rig);
    setup->options = std::move(options);
    return Fitter(std::make_unique<State>(std::move(setup)));
}

Fitter::Fitter(std::unique_ptr<State> state) : state_(std::move(state)) {}
Fitter::Fitter(const Fitter& other) : state_(std::make_unique<State>(*other.state_)) {}
Fitter& Fitter::operator=(const Fitter& other) {
    if (this != &other) state_ = std::make_unique<State>(*other.state_);
    return *this;
}
Fitter::Fitter(Fitter&&) noexcept = default;
Fitter& Fitter::operator=(Fitter&&) noexcept = default;
Fitter::~Fitter() = default;

const FitReport& Fitter::fit(const FitTargets& targets, FitStart start, ControlPose& pose) {
    return state_->fit(targets, start, pose);
}
void Fitter::setBudget(Budget budget) {
    state_->budget.set(std::move(budget));
}
const FitRig& Fitter::rig() const {
    return state_->setup->rig;
}
const FitOptions& Fitter::options() const {
    return state_->setup->options;
}
double Fitter::size() const {
    return state_->setup->layout.size;
}

}  // namespace ulna
