// SPDX-License-Identifier: Apache-2.0

// What became of a retargeting, in words.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/input.h"
#include "ulna/retarget/retarget.h"

namespace ulna::cli {

/// Lengths that are small beside a body, for people: what is in metres is in centimetres.
class SmallLengths {
  public:
    /// @param unit: the symbol of the unit of lengths; empty where it is unknown.
    explicit SmallLengths(const std::string& unit);

    [[nodiscard]] double factor() const { return factor_; }
    [[nodiscard]] const std::string& unit() const { return unit_; }
    [[nodiscard]] std::string operator()(double value) const;
    [[nodiscard]] std::string perSecond(double value) const;

  private:
    double factor_;
    std::string unit_;
};

/// A line for each thing that was measured. Lengths have the target's unit.
[[nodiscard]] std::vector<std::string> reportLines(const Input& target,
                                                   const RetargetReport& report);

}  // namespace ulna::cli
