// SPDX-License-Identifier: Apache-2.0

// BodyRules: what a human body keeps beside its goals. It stands, it is not below the floor, and
// its limbs do not pass through each other.
//
// Rules are below all goals: they use the freedom that goals leave, and where both cannot be, goals
// are met. They ask no more than the pose that a solve starts from keeps: a body that lies, sits or
// jumps there is not brought to stand, and hands that touch may touch.
//
//     BodyRules rules(body, goals, locked, start);
//     solver.solve(pose);
//     if (rules.mend(solver.goals(), options, pose)) solver.solve(pose);
//
// IkOptions::natural and drags (character/drag.h) do this by themselves.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ulna/ik/goal.h"
#include "ulna/ik/natural.h"
#include "ulna/ik/options.h"

namespace ulna {

/// For one thread at a time.
class BodyRules {
  public:
    /// @param goals of positions tell which feet stand: those that are held near the floor, which
    /// is where the lowest held foot of `start` is. Without one there is neither floor nor balance.
    /// @param held joints that do not move. @param start the pose before the solve.
    /// @pre start has one transform per joint.
    BodyRules(std::shared_ptr<const NaturalBody> body, std::span<const IkGoal> goals,
              std::span<const JointId> held, const Pose& start, NaturalRules which = {});

    BodyRules(BodyRules&&) noexcept;
    BodyRules& operator=(BodyRules&&) noexcept;
    ~BodyRules();

    /// Changes a pose that meets its goals so that the rules hold too, as far as both can be.
    /// Returns whether anything changed: goals then have to be solved for again, from there.
    ///
    /// @param goals those of the constructor but for their targets, weights and switches.
    /// @param options of the solve. @pre pose has one transform per joint.
    bool mend(std::span<const IkGoal> goals, const IkOptions& options, Pose& pose);

    /// The rules as goals, for such targets; the weights say nothing.
    [[nodiscard]] std::span<const IkGoal> rulesFor(std::span<const IkGoal> goals);

    /// The largest distance by which a pose breaks a rule, for such targets.
    [[nodiscard]] double broken(std::span<const IkGoal> goals, const Pose& pose);

  private:
    struct Solver;
    // A foot that a goal holds.
    struct Foot {
        std::size_t goal = 0;
        bool by_toes = false;           // held by something below the ankle
        Vec3 goal_start = {};           // where the start has the goal's point
        Affine ankle_from_model = {};   // in the start
        std::array<Vec3, 5> sole = {};  // in model space, in the start
        double height = 0.0;            // of its lowest point above the floor, in the start
        Quat flat = {};                 // the ankle's orientation in the start
        double free = 0.0;              // 0: as flat as in the start; 1: as the goals have it
    };
    void addFeet(std::span<const IkGoal> goals, const ModelPose& start);
    void addFloor(std::span<const IkGoal> goals, const ModelPose& start);
    void addBulk(std::span<const BodyFrame> start);
    void addBalance(std::span<const IkGoal> goals, std::span<const BodyFrame> start);
    void place(std::span<const IkGoal> goals);
    [[nodiscard]] Vec3 moved(const Foot& foot, std::span<const IkGoal> goals) const;
    [[nodiscard]] double lifted(const Foot& foot, const Vec3& moved) const;
    void placeBalance(std::size_t anchor, const std::array<Vec3, 2>& moves,
                      const std::array<double, 2>& lifts);
    void turnFeet(const Pose& pose);
    [[nodiscard]] Solver* solverFor(const std::vector<std::uint8_t>& on,
                                    std::span<const IkGoal> goals, const IkOptions& options);

    std::shared_ptr<const NaturalBody> body_;
    std::vector<JointId> held_;
    std::vector<double> pairs_ = {};  // how far outside each may be; empty where they are not kept
    std::array<std::optional<Foot>, 2> feet_ = {};
    double floor_ = 0.0;
    std::vector<IkGoal> rules_ = {};
    std::array<std::optional<std::size_t>, 2> flat_ = {};  // the rule of a standing foot
    // By the foot whose coordinates the contacts are in: the one that carries more.
    std::array<std::optional<std::size_t>, 2> balance_ = {};
    bool balances_ = false;
    // Of the goals and some rules: rules that are off would cost as much as others.
    std::vector<std::unique_ptr<Solver>> solvers_;  // the one that was used last is the last
};

}  // namespace ulna
