// SPDX-License-Identifier: Apache-2.0

// What became of a fit: a shape that a rig cannot take is an answer, not a failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ulna {

enum class FitStatus : std::uint8_t {
    Converged,      ///< what a further step would move is below the tolerance
    Stalled,        ///< no step lowers the cost any more, and the gradient is not small; or a pin
                    ///< is not in its position
    MaxIterations,  ///< the iterations allowed were used up
    BadTarget,      ///< a target that counts is not finite; the pose is left as it was
    Stopped,        ///< the budget was spent
};

/// "converged", "stalled", "max_iterations", "bad_target", "stopped".
[[nodiscard]] std::string_view fitStatusName(FitStatus status);

/// One iteration, for looking at how a method converges.
struct FitStep {
    double rms = 0.0;       ///< on the vertices, before the step
    double gradient = 0.0;  ///< as FitReport::gradient, before the step
};

/// What a robust loss made of the distances. Outliers are in FitReport::rms with all their length,
/// so that it says little of the vertices that were fitted.
struct RobustFit {
    /// The distance beyond which vertices count less: the option's, or that of the median.
    double scale = 0.0;
    double median = 0.0;  ///< of the distances of the vertices that count
    /// As FitReport::rms, with each vertex weighted as the loss weighs it.
    double weighted_rms = 0.0;
    /// Vertices that are not farther than three standard deviations of the noise that the scale
    /// stands for: 2.23 scales for Huber, one for Geman and McClure. 97 of 100 where the noise is
    /// normal.
    std::size_t inliers = 0;
    std::size_t counted = 0;  ///< vertices whose mass is above 0
};

struct FitReport {
    FitStatus status = FitStatus::Stalled;
    /// Root of the mean squared distance of vertices to targets, weighted by masses and masks, as
    /// computed on the vertices in the end.
    double rms = 0.0;
    std::size_t worst_vertex = 0;  ///< the one farthest from its target, or the bad target
    double worst_distance = 0.0;
    std::optional<RobustFit> robust = {};  ///< of Huber, and of Geman and McClure
    int iterations = 0;
    /// How far from stationary the answer is: the length of the gradient by rotations, in units of
    /// mass times squared size.
    double gradient = 0.0;
    /// Degrees of freedom that the vertices determine, of those there are.
    std::size_t rank = 0;
    std::size_t freedoms = 0;
    /// Points (joints, for a skeleton) that take part in what is not determined. What the vertices
    /// leave open moves as little as possible.
    std::vector<std::uint32_t> undetermined = {};
    std::vector<FitStep> history = {};  ///< filled when asked for, the end included
};

}  // namespace ulna
