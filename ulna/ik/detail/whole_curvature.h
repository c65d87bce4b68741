// SPDX-License-Identifier: Apache-2.0

// Second derivatives of the cost of one goal about the whole body, by the motions of links.
#pragma once

#include <vector>

#include "ulna/ik/detail/problem.h"

namespace ulna::ik::detail {

class WholeCurvature {
  public:
    /// Makes room for the goals of a problem, so that nothing later allocates.
    void build(const Problem& problem);
    /// At an evaluated pose.
    void begin(const Problem& problem, const Evaluation& now, const Problem::Row& row);
    /// Moves everything below a link along a twist, forth and back: differences of the goal's own
    /// wrenches.
    void moveAlong(const Problem& problem, const Evaluation& now, const Problem::Row& row,
                   std::size_t link, const Wrench& twist);

    /// The wrench with which the cost holds all that is below a link.
    [[nodiscard]] const Wrench& wrench(std::size_t link) const { return wrenches_[link]; }
    /// How it changes along the last twist.
    [[nodiscard]] const Wrench& change(std::size_t link) const { return changes_[link]; }
    /// Whether the last twist moves a link.
    [[nodiscard]] bool isBelow(std::size_t link) const { return below_[link] != 0; }

  private:
    void addWrenches(const Problem& problem, const Problem::Row& row,
                     std::span<const BodyFrame> bodies, double factor, std::vector<Wrench>& out);
    void sumTowardsRoot(const Problem& problem, std::vector<Wrench>& out) const;

    std::vector<Wrench> wrenches_, changes_;  // per link
    std::vector<std::uint8_t> below_;         // per link
    std::vector<BodyFrame> moved_;
    std::vector<BodyWrenches> rows_;
};

}  // namespace ulna::ik::detail
