// SPDX-License-Identifier: Apache-2.0

// Fitter: the pose of a rig that brings its vertices nearest to given positions.
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

#include "ulna/fit/options.h"
#include "ulna/fit/report.h"
#include "ulna/fit/rig.h"

namespace ulna {

/// One frame to fit.
struct FitTargets {
    std::span<const Vec3> positions = {};  ///< one per vertex
    /// A factor on the mass of each vertex: 0 for one that is missing, whose target is then not
    /// looked at. Empty: 1 each. Factors other than those of the frame before cost a set-up.
    std::span<const double> mask = {};
    /// What FitOptions::smoothness pulls towards: a spring from every rotation and free position
    /// to the ones here. Null: no pull.
    const ControlPose* reference = nullptr;
    /// The positions of pinned points and the positions and rotations of driven points in this
    /// frame; the others are not read. Null: as the pose that the fit starts from has them.
    const ControlPose* driven = nullptr;
};

/// A rig set up once and fitted to many shapes: after its first fit it allocates nothing while the
/// mask stays (but with a history, robust losses, or several pins in one tree). A fit changes it,
/// so it is for one thread at a time. A copy gives the same answers; it shares the set-up, which
/// never changes, and can be used by another thread.
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
    /// positions of pinned points and the whole motion of driven points; it gets the answer. The
    /// report lives until the next fit.
    /// @pre targets has a position per vertex; pose a rotation and a position per point.
    const FitReport& fit(const FitTargets& targets, FitStart start, ControlPose& pose);

    /// Replaces the budget of the options: a new deadline before every fit, say.
    void setBudget(Budget budget);

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
