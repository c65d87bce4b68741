// SPDX-License-Identifier: Apache-2.0

// Fitter: the pose of a rig that brings its vertices nearest to given places.
//
// Minimises half the sum of m |target - vertex|^2 over rotations and positions of the control
// points, with their constraints eliminated: carried points and rigid groups follow, pinned and
// driven points stay. Everything that depends only on rig and masses is computed once; a frame
// costs one pass over the vertices for its moments and one for the report, and an iteration between
// them does not depend on the number of vertices.
//
// For a sequence of shapes see fit/sequence.h; for joint limits fit/skeleton_fit.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "ulna/fit/report.h"
#include "ulna/fit/rig.h"

namespace ulna {

enum class FitMethod : std::uint8_t {
    JointNewton,  ///< damped Gauss-Newton in rotations and positions together: quadratic near the
                  ///< end
    /// Positions with rotations held, then a step of rotations down the gradient with positions
    /// held, in turn. Converges linearly; here to be compared.
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

struct FitOptions {
    FitMethod method = FitMethod::JointNewton;
    FitLoss loss = FitLoss::Squares;
    double loss_scale = 0.0;  ///< a length; 0: from the median distance, as normal noise has it
    /// Stop when what is left to move is below this, as root mean square over the vertices, in
    /// units of the size of the rest shape (its largest extent).
    double tolerance = 1e-9;
    /// Of each round of a robust loss; 0: 50 for JointNewton, 2000 for Alternating.
    int max_iterations = 0;
    /// Pull towards the reference pose of a frame, relative to the masses; 0: none. See
    /// FitTargets::reference.
    double smoothness = 0.0;
    bool record_history = false;
};

/// Where the iteration begins.
enum class FitStart : std::uint8_t {
    Warm,  ///< from the pose passed in
    Cold,  ///< from the answer of the linear problem with rotations replaced by any matrices
};

/// One frame to fit.
struct FitTargets {
    std::span<const Vec3> positions = {};  ///< one per vertex
    /// A factor on the mass of each vertex: 0 for one that is missing, whose target is then not
    /// looked at. Empty: 1 each. Factors other than those of the frame before cost a set-up.
    std::span<const double> mask = {};
    /// What FitOptions::smoothness pulls towards: a spring from every rotation and free position
    /// to the ones here. Null: no pull.
    const ControlPose* reference = nullptr;
    /// Where pinned points are, and where driven points are and how they are turned, in this frame;
    /// of the others nothing is looked at. Null: as the pose that the fit starts from has them.
    const ControlPose* driven = nullptr;
};

/// A rig set up once and fitted to many shapes: after its first fit it allocates nothing while the
/// mask stays (but with a history, robust losses, or several pins in one tree). A copy shares the
/// set-up and can be used by another thread.
class Fitter {
  public:
    /// The error is that of checkRig.
    [[nodiscard]] static Result<Fitter> make(FitRig rig, FitOptions options = {});
    Fitter(const Fitter& other);
    Fitter& operator=(const Fitter& other);
    Fitter(Fitter&&) noexcept;
    Fitter& operator=(Fitter&&) noexcept;
    ~Fitter();

    /// Fits one frame. `pose` has the start (Warm) and, unless FitTargets::driven has them, the
    /// places of pinned points and the whole motion of driven points; it gets the answer. The
    /// report lives until the next fit.
    /// @pre targets has a position per vertex; pose a rotation and a position per point.
    const FitReport& fit(const FitTargets& targets, FitStart start, ControlPose& pose);

    [[nodiscard]] const FitRig& rig() const;
    [[nodiscard]] const FitOptions& options() const;
    /// The largest extent of the rest shape, which tolerances are relative to.
    [[nodiscard]] double size() const;

  private:
    struct State;
    explicit Fitter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ulna
