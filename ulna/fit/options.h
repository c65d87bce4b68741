// SPDX-License-Identifier: Apache-2.0

// The options of fits: of control points (fit/fitter.h) and of skeletons (fit/skeleton_fit.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ulna/core/budget.h"
#include "ulna/skeleton/joint.h"

namespace ulna {

enum class FitMethod : std::uint8_t {
    JointNewton,  ///< damped Gauss-Newton in rotations and positions together: quadratic near the
                  ///< end
    /// Positions with rotations held, then a step of rotations down the gradient with positions
    /// held, in turn. It converges linearly; it is here to be compared.
    Alternating,
};

/// How much a distance r counts.
enum class FitLoss : std::uint8_t {
    Squares,       ///< r^2
    Huber,         ///< r^2 up to the scale, then linear
    GemanMcClure,  ///< r^2 / (1 + (r / scale)^2): what is far does not count at all
};

/// "joint-newton", "alternating".
[[nodiscard]] std::string_view fitMethodName(FitMethod method);
/// "squares", "huber", "geman-mcclure".
[[nodiscard]] std::string_view fitLossName(FitLoss loss);

/// Where the iteration begins.
enum class FitStart : std::uint8_t {
    Warm,  ///< from the pose passed in
    Cold,  ///< from the answer of the linear problem with rotations replaced by any matrices
};

struct FitOptions {
    FitMethod method = FitMethod::JointNewton;
    FitLoss loss = FitLoss::Squares;
    double loss_scale = 0.0;  ///< a length; 0: from the median distance, as for normal noise
    /// The fit stops when less than this is left to move, as root mean square over the vertices, in
    /// units of the size of the rest shape (its largest extent).
    double tolerance = 1e-9;
    /// Of each round of a robust loss; 0: 50 for JointNewton, 2000 for Alternating.
    int max_iterations = 0;
    /// Of one frame, over all its rounds. A frame that is stopped has its best pose so far and the
    /// status Stopped; a cold start, and the positions that follow from rotations, are computed in
    /// any case. The cost that an observer sees is half the sum of masses times squared distances.
    Budget budget = {};
    /// Pull towards the reference pose of a frame, relative to the masses; 0: none. See
    /// FitTargets::reference.
    double smoothness = 0.0;
    bool record_history = false;
};

struct SkeletonFitOptions {
    FitLoss loss = FitLoss::Squares;
    double loss_scale = 0.0;   ///< as in FitOptions
    double tolerance = 1e-9;   ///< as in FitOptions
    int max_iterations = 100;  ///< of each round: robust losses and pins take several
    Budget budget = {};        ///< as in FitOptions
    bool limits = true;        ///< joints keep within their limits
    bool move_roots = true;    ///< roots slide and rotate whatever their kind
    /// Pull of every coordinate towards the start pose, relative to the masses; 0: none. In a
    /// sequence the start is the previous frame, continued at its speed.
    double smoothness = 0.0;
    std::vector<double> masses = {};  ///< how much each vertex counts; empty: 1 each
    /// The weight of every influence of the mesh, in their order, where float is not enough. Empty:
    /// those of the mesh.
    std::vector<double> exact_weights = {};
    std::vector<JointId> locked = {};  ///< these stay as they are, besides the skeleton's own
    /// These are held at their positions as far as kinds and limits allow; they may rotate. Where a
    /// limit forbids a position, the limit holds.
    std::vector<JointId> pinned = {};
    bool record_history = false;
};

}  // namespace ulna
