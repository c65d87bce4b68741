// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/retarget/report.h"

#include <fmt/format.h>

#include <cmath>

#include "ulna/math/scalar.h"

namespace ulna::cli {
namespace {

std::string proportion(const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.3f}", *ratio) : "-";
}

}  // namespace

SmallLengths::SmallLengths(const std::string& unit)
    : factor_(unit == "m" ? 100.0 : 1.0), unit_(unit == "m" ? "cm" : unit) {}

std::string SmallLengths::operator()(double value) const {
    constexpr double kShown = 1e4;  // what rounding leaves is nothing
    const std::string number = fmt::format("{:.3g}", std::round(value * factor_ * kShown) / kShown);
    return unit_.empty() ? number : number + " " + unit_;
}

std::string SmallLengths::perSecond(double value) const {
    return (*this)(value) + (unit_.empty() ? " per second" : "/s");
}

std::vector<std::string> reportLines(const Input& target, const RetargetReport& r) {
    const SmallLengths small(unitSymbol(target));
    std::vector<std::string> out;
    out.push_back(
        fmt::format("limbs differ by {:.2f} degrees on average, {:.2f} in the median, {:.2f} in "
                    "95 of 100, {:.2f} at most",
                    degrees(r.direction_mean), degrees(r.direction_median), degrees(r.direction_95),
                    degrees(r.direction_most)));
    out.push_back(fmt::format("soles in contact move {} on average, {} at most",
                              small.perSecond(r.slide_mean), small.perSecond(r.slide_most)));
    out.push_back(
        fmt::format("soles are {} below the floor at most; in contact they are {} above it on "
                    "average, {} at most",
                    small(r.penetration), small(r.floating_mean), small(r.floating_most)));
    out.push_back(fmt::format("in proportion to the legs: height of the pelvis {}, its path {}",
                              proportion(r.pelvis_height), proportion(r.pelvis_path)));
    const auto name = [&](JointId joint) {
        return joint == JointId::None ? "-" : target.skeleton.name(joint);
    };
    out.push_back(fmt::format("fastest joint: {} {:.0f} degrees per second; of the source {:.0f}",
                              name(r.fastest_joint), degrees(r.fastest),
                              degrees(r.fastest_source)));
    if (r.limited_joint != JointId::None) {
        const auto frames = static_cast<double>(r.at_limit.size());
        out.push_back(fmt::format(
            "joints are at a limit in {:.0f} % of the frames; most often {}, in {:.0f} %",
            100.0 * static_cast<double>(r.limitedFrames()) / frames, name(r.limited_joint),
            100.0 * static_cast<double>(r.limited_joint_frames) / frames));
    }
    return out;
}

}  // namespace ulna::cli
