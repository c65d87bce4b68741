// SPDX-License-Identifier: Apache-2.0

// FABRIK, forward and backward reaching: joints are pulled as points on strings, first from the
// goals to the root, then from the root back.
//
// A chain of free balls is solved on positions alone and its rotations are recovered once, each the
// smallest that brings its bone to its new direction, so that nothing twists. Everything else —
// branches, several goals, hinges, limits — turns its joints within each pass from the root: every
// joint takes the best allowed rotation towards its children's targets, so limits hold after
// every pass. Joints that slide keep their place.
#pragma once

#include <vector>

#include "ulna/ik/detail/aim.h"
#include "ulna/ik/detail/outcome.h"
#include "ulna/ik/detail/problem.h"

namespace ulna::ik::detail {

class Fabrik {
  public:
    void build(const Problem& problem);
    Outcome solve(Problem& problem, Evaluation& now, int max_iterations, IkReport& report);

    /// Whether the problem is one goal on a chain of free balls, which FABRIK solves on points
    /// alone.
    [[nodiscard]] bool isPlainChain() const { return plain_; }

  private:
    struct Segment {
        std::size_t first = 0;  // links
        std::size_t end = 0;
        std::size_t first_child = 0;
        std::size_t end_child = 0;
    };
    struct Child {
        bool goal = false;
        std::size_t index = 0;  // of a segment or a goal row
    };

    Outcome solvePoints(Problem& problem, Evaluation& now, int max_iterations, IkReport& report);
    void recoverRotations(const Problem& problem, Evaluation& now);
    void reachBack(const Problem& problem, const Evaluation& now);
    void twistForHinge(const Problem& problem, const Segment& segment, Evaluation& now);
    void reachOut(const Problem& problem, Evaluation& now);
    [[nodiscard]] const Vec3& offsetOf(const Problem& problem, const Child& child) const;

    Aim aim_;
    std::vector<Segment> segments_;
    std::vector<Child> children_;
    std::vector<Vec3> points_;              // plain chain: joints and the goal's point
    std::vector<double> lengths_;           // plain chain
    std::vector<Vec3> targets_;             // per segment
    std::vector<std::uint8_t> has_target_;  // per segment
    std::vector<Pull> pulls_;
    bool plain_ = false;
};

}  // namespace ulna::ik::detail
