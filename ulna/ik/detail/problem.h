// SPDX-License-Identifier: Apache-2.0

// Problem: goals on a mechanism, as residuals and derivatives for the solvers.
//
// Residuals are weighted, and angles are carried to lengths by the reach, so that a cost means the
// same in any unit. Coordinates are scaled by 1 / sqrt(W): solvers see unit weights. A goal's rows
// depend on the coordinates above each of its bodies ("parts"); those are stored densely per part,
// and the coordinates two parts share are a prefix of both. A goal about the whole body has one
// part with all coordinates: its wrenches are summed towards the root. Where coordinates follow
// others, every part has all coordinates: what a follower does is added to its leader's column.
#pragma once

#include <span>
#include <vector>

#include "ulna/ik/detail/goal_kind.h"
#include "ulna/ik/detail/posture.h"
#include "ulna/ik/goal.h"
#include "ulna/ik/options.h"
#include "ulna/ik/report.h"
#include "ulna/solve/mechanism.h"

namespace ulna::ik::detail {

/// A pose of the mechanism with what was found there.
struct Evaluation {
    MechanismState at;
    std::vector<RigidFrame> frames;
    std::vector<double> residual;              // per row, weighted
    std::vector<GoalRows> rows;                // per goal row; those of positions are not filled
    std::vector<BodyFrame> whole_bodies;       // of the goals about the whole body
    std::vector<BodyWrenches> whole_wrenches;  // likewise
    std::vector<double> errors;                // per goal, in length or radians
    std::array<double, 2> cost = {};           // per level, half the squared residuals
    double posture_cost = 0.0;
    double worst = 0.0;  // the largest error, in tolerances

    [[nodiscard]] double total() const { return cost[0] + cost[1] + posture_cost; }
};

/// The error for a joint whose scale is not uniform.
[[nodiscard]] Diagnostic scaleError(const Skeleton& skeleton, JointId joint);

class Problem {
  public:
    /// A goal that holds bodies, as compiled.
    struct Row {
        std::size_t goal = 0;
        std::size_t first = 0;  // row
        std::size_t count = 0;
        std::size_t first_part = 0;
        std::size_t parts = 0;
        bool point = false;        // a position: its derivative is a cross product
        bool orientation = false;  // only rotations matter
        bool by_parent = false;    // of a joint's own position, which only its parent moves
        bool whole = false;        // about the whole body
        std::size_t first_body = 0, bodies = 0;  // whole: into wholeJoints()
        int level = 1;
        double own_factor = 0.0;
        double factor = 0.0;  // root of the weight, times the reach for angles; 0 when off
        double tolerance = 1.0;
        Vec3 point_in_link = {};      // point: in its link's frame
        Vec3 target = {};             // point: relative to the mechanism's origin
        RigidFrame target_axes = {};  // orientation: the link's axes where the goal is met
        GoalKind kind = {};           // others: targets relative to the mechanism's origin
    };
    /// One body of a goal.
    struct Part {
        int link = -1;
        std::size_t row = 0;  // index into rows
        std::size_t body = 0;
        std::size_t length = 0;  // how many coordinates are above
        std::size_t offset = 0;  // into the Jacobian: count rows of `length`
        std::size_t first_range = 0;
        std::size_t ranges = 0;
        bool whole = false;  // about the whole body: there is no link
    };

    [[nodiscard]] Status build(const Skeleton& skeleton, std::vector<IkGoal> goals,
                               IkOptions options);

    /// Whether every goal that is switched on has finite targets and the like.
    [[nodiscard]] bool isSound() const;
    /// Takes up the present targets and weights, and a base pose: stretch, scale and joints that do
    /// not move. @pre isSound()
    void begin(const Pose& base);

    /// See Mechanism::countRevolutions.
    void countRevolutions(bool count) { mechanism_.countRevolutions(count); }

    /// Lets only goals of these levels count (1, 2 or 3 for both) until begin. Postures count with
    /// level 2: what gives way to goals must not hold level 1 off them.
    void setLevels(int levels);
    /// Where a position goal should go for now, relative to the mechanism's origin; until begin.
    void setTarget(std::size_t row, const Vec3& target) { goal_rows_[row].target = target; }
    /// Likewise an orientation goal.
    void setTarget(std::size_t row, const Quat& target);
    /// What a goal weighs for now, if it is switched on; until begin.
    void setWeight(std::size_t row, double weight);

    /// Gives an evaluation its room, so that filling it allocates nothing.
    void size(Evaluation& e) const;
    /// Fills everything but `at` from `at`.
    void evaluate(Evaluation& e) const;
    /// How the coordinates move things at an evaluated pose; the Jacobian by parts, which needs
    /// them.
    void computeTwists(const Evaluation& e);
    void linearize(const Evaluation& e);
    /// The gradient of the cost of the given levels (1, 2 or 3 for both) with the posture's, per
    /// scaled coordinate; the posture's alone; and the goals' alone, added to what is there.
    void computeGradient(const Evaluation& e, int levels, std::span<double> gradient) const;
    void computePostureGradient(const Evaluation& e, std::span<double> gradient) const;
    void addGoalGradient(const Evaluation& e, int levels, std::span<double> gradient) const;

    /// J Jt for the rows of all parts, lower triangle, row-major rows() x rows(); coordinates where
    /// `divide` is not empty are divided by it.
    void assembleDual(std::span<const double> divide, std::span<double> dual);
    /// out = Jt y for `y` per row.
    void applyTransposed(std::span<const double> y, std::span<double> out) const;
    /// out = J d for `d` per scaled coordinate.
    void apply(std::span<const double> d, std::span<double> out) const;
    /// Leaves a coordinate out of the Jacobian until the next linearize.
    void freeze(std::size_t column);
    /// One row of the Jacobian, per coordinate.
    void computeRow(std::size_t row, std::span<double> out) const;
    /// Whether a coordinate is above the body of a part.
    [[nodiscard]] bool isAbove(std::size_t column, const Part& part) const;
    /// One column of the Jacobian, per row.
    void computeColumn(std::size_t column, std::span<double> out) const;

    /// The largest size of the gradient over coordinates that may move against it, relative to the
    /// scale of the problem (reach times the root of twice the cost).
    [[nodiscard]] double stationarity(const Evaluation& e, std::span<const double> gradient,
                                      std::span<const double> down,
                                      std::span<const double> up) const;

    [[nodiscard]] std::size_t rowCount() const { return rows_; }
    [[nodiscard]] std::size_t levelOneRows() const { return level_one_rows_; }
    [[nodiscard]] std::size_t columnCount() const { return mechanism_.columnCount(); }
    [[nodiscard]] const Mechanism& mechanism() const { return mechanism_; }
    [[nodiscard]] std::vector<IkGoal>& goals() { return goals_; }
    [[nodiscard]] const std::vector<IkGoal>& goals() const { return goals_; }
    [[nodiscard]] const IkOptions& options() const { return options_; }
    void setBudget(Budget budget) { options_.budget = std::move(budget); }
    /// Another problem begins, without begin(): its budget is its own.
    void renewBudget() { spent_ = false; }
    /// Whether the caller's budget is spent.
    [[nodiscard]] bool isSpent(const Evaluation& now, const IkReport& report) {
        spent_ = spent_ ||
                 options_.budget.isSpent({.iterations = report.iterations, .cost = now.total()});
        return spent_;
    }
    [[nodiscard]] double positionTolerance() const { return position_tolerance_; }
    [[nodiscard]] double reach() const { return mechanism_.reach(); }
    [[nodiscard]] bool planar() const { return mechanism_.skeleton().planar(); }
    /// Whether a posture counts now; whether there is one at all.
    [[nodiscard]] bool hasPosture() const { return posture_counts_; }
    [[nodiscard]] bool hasPostureGoals() const { return !posture_.empty(); }
    [[nodiscard]] bool hasLevelTwo() const { return level_one_rows_ < rows_; }
    [[nodiscard]] bool joinsBodies() const { return joins_bodies_; }
    [[nodiscard]] bool isCoupled() const { return !mechanism_.couplings().empty(); }
    /// How much a follower moves with its leader, both as scaled coordinates.
    [[nodiscard]] double coupledBy(const Mechanism::Coupling& c) const {
        return c.factor * column_scale_[c.leader] / column_scale_[c.column];
    }
    /// Gives angles without limits that a posture holds its number of revolutions.
    void relaxRevolutions(MechanismState& state) const;
    /// Per scaled coordinate: the posture's curvature.
    [[nodiscard]] std::span<const double> postureCurvature() const { return posture_curvature_; }
    /// Per coordinate: 1 / sqrt(W).
    [[nodiscard]] std::span<const double> columnScale() const { return column_scale_; }
    [[nodiscard]] const Mechanism::Twists& twists() const { return twists_; }

    /// Coordinates above a body, root first.
    struct Range {
        std::size_t begin = 0, end = 0;
    };
    [[nodiscard]] std::span<const Range> rangesOf(const Part& part) const {
        return {ranges_.data() + part.first_range, part.ranges};
    }
    /// How many coordinates are above both of two parts: a prefix of both.
    [[nodiscard]] std::size_t sharedColumns(std::size_t part_a, std::size_t part_b) const;
    [[nodiscard]] std::span<const Row> goalRows() const { return goal_rows_; }
    [[nodiscard]] std::span<const Part> parts() const { return parts_; }
    /// The model point (relative to the origin) a position goal holds.
    [[nodiscard]] Vec3 goalPoint(const Row& row, std::span<const RigidFrame> frames) const;
    /// The frames of a goal's bodies, and its rows for any such frames; unweighted.
    using Bodies = std::array<BodyFrame, kMaxGoalBodies>;
    [[nodiscard]] std::size_t bodiesOf(const Row& row, std::span<const RigidFrame> frames,
                                       Bodies& out) const;
    void evaluateAt(const Row& row, const Bodies& bodies, GoalRows& out) const;
    /// The joints of goals about the whole body.
    [[nodiscard]] std::span<const JointId> wholeJoints() const { return whole_joints_; }
    /// Which link carries each of them; -1 where nothing moves it.
    [[nodiscard]] int wholeLink(std::size_t body) const {
        return mechanism_.mount(whole_joints_[body]).link;
    }
    /// Rows of a goal about the whole body, for any frames of its bodies; unweighted.
    void evaluateWholeAt(const Row& row, std::span<const BodyFrame> bodies, GoalRows& out,
                         std::span<BodyWrenches> wrenches) const;
    /// Residual rows and wrenches of a goal that is not a position, from frames; unweighted.
    void evaluateRow(const Row& row, std::span<const RigidFrame> frames, GoalRows& out) const;

  private:
    struct PostureEntry {
        std::size_t goal = 0;
        JointId joint = JointId::None;
        Range links = {};        // the joint's own
        bool free_ball = false;  // one of them is a ball, measured by its quaternion
        double weight = 0.0;
        PostureRest rest = {};
    };
    void buildPostures();
    void beginPostures();
    [[nodiscard]] std::span<const Mechanism::Link> linksOf(const PostureEntry& entry) const;
    [[nodiscard]] double unitOf(std::size_t column) const;
    void divideJacobian(std::span<const double> divide);
    void accumulate(const Part& part, const double* y, double* out) const;
    bool evaluateOrientation(const Row& row, std::span<const RigidFrame> frames,
                             GoalRows& out) const;
    [[nodiscard]] Result<std::vector<JointId>> findBodies(const Skeleton& skeleton) const;
    void addRows(const Skeleton& skeleton);
    void addRow(const Skeleton& skeleton, std::size_t goal, int level);
    void addParts(std::size_t row, const GoalBodies& bodies);
    void addWhole(std::size_t row);
    void findShared();
    void findMoving();
    void coupleColumns();
    void coupleGradient(std::span<double> gradient) const;
    void evaluateWhole(const Row& row, Evaluation& e, GoalRows& out) const;
    void linearizeWhole(const Row& row, const Evaluation& e);
    void multiplyWhole(std::size_t part_a, std::size_t part_b, const std::vector<double>& right,
                       std::span<double> block) const;
    [[nodiscard]] double longestReach(const Skeleton& skeleton) const;
    void linkPath(int link, std::vector<Range>& out) const;
    double evaluatePostures(const Evaluation& e, std::span<double> gradient) const;

    Mechanism mechanism_;
    std::vector<IkGoal> goals_;
    IkOptions options_;
    std::vector<Row> goal_rows_;
    std::vector<Part> parts_;
    std::vector<Range> ranges_;
    std::vector<std::size_t> shared_;       // parts x parts: sharedColumns(); see kUsualParts
    std::vector<std::uint8_t> moves_part_;  // coupled: parts x columns, whether one moves the other
    std::vector<PostureEntry> posture_;
    std::vector<double> posture_curvature_;
    std::vector<double> column_scale_;
    std::vector<JointId> whole_joints_;
    std::vector<Wrench> sums_;  // per link and row of a goal about the whole body
    std::size_t jacobian_size_ = 0;
    std::vector<double> jacobian_, divided_, inverse_;
    Mechanism::Twists twists_;
    std::size_t rows_ = 0;
    std::size_t level_one_rows_ = 0;
    double position_tolerance_ = 1.0;
    bool joins_bodies_ = false;
    bool posture_wanted_ = false;
    bool posture_counts_ = false;
    bool spent_ = false;  // the budget, since begin
};

}  // namespace ulna::ik::detail
