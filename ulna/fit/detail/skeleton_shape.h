// SPDX-License-Identifier: Apache-2.0

// The shape that a skeleton is fitted to: the masses and targets of its vertices in one frame.
//
// A pinned joint is a vertex of its own, heavier than the whole shape, whose target moves on until
// the joint is where it should be (the method of multipliers: Hestenes 1969, Powell 1969). Pins
// follow behind the vertices; as vertices of the shape their mass is 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/skeleton_setup.h"
#include "ulna/fit/detail/skeleton_system.h"
#include "ulna/fit/fitter.h"

namespace ulna::fit::detail {

class SkeletonShape {
  public:
    explicit SkeletonShape(const SkeletonSetup& setup);

    /// Takes the masks and positions of a frame. Returns the first target with mass that is not
    /// finite, or the number of vertices.
    std::size_t setTargets(const SkeletonSetup& setup, const FitTargets& targets);
    /// Where pinned joints are to be, in model space relative to the set-up's origin.
    [[nodiscard]] std::span<Vec3> pins() { return pins_; }
    [[nodiscard]] std::span<const Vec3> pins() const { return pins_; }

    /// Which masses the vertices have: their own, or these as a robust loss weighs them.
    enum class Masses : std::uint8_t { Own, Robust };
    /// Gives the system these masses, and the moments of the targets.
    void use(const SkeletonSetup& setup, Masses which, SkeletonSystem& system);
    /// Pins get so many times their mass, and their targets are where they are to be.
    void weighPins(const SkeletonSetup& setup, double factor);
    /// Aims every pin at where it is to be.
    void aimPins(const SkeletonSetup& setup);
    /// Moves the targets of pins on by what is left from where the joints are (model_from_joint) to
    /// where they are to be; the system learns of it by setFrame(). Returns the largest distance.
    double movePins(const SkeletonSetup& setup, std::span<const Affine> model);
    /// Gives the system the moments of the targets, masses being as they were.
    void setFrame(const SkeletonSetup& setup, SkeletonSystem& system);

    /// What is left between the targets and the vertices that these matrices of joints make.
    [[nodiscard]] Leftover measure(const SkeletonSetup& setup, std::span<const Columns4> matrices);

    /// The masses in use, of the vertices alone; of the pins where no vertex has any.
    [[nodiscard]] double mass() const { return mass_; }
    /// The vertices' own masses in this frame, and room for those of a robust loss.
    [[nodiscard]] std::span<const double> ownMasses() const { return own_masses_; }
    [[nodiscard]] std::span<double> robustMasses() { return masses_; }
    /// The distances that the last measure() found, where the loss is robust.
    [[nodiscard]] std::span<const double> distances() const { return distances_; }

  private:
    std::vector<double> mask_;
    std::vector<double> own_masses_;    // with the mask
    std::vector<double> masses_;        // in use
    std::vector<double> point_masses_;  // the same times weights, by joint
    std::vector<double> distances_;
    std::vector<Row4> targets_;
    std::vector<Rows4> point_moments_;
    std::vector<Vec3> pins_;
    double pin_mass_ = 0.0;  // of each, in use
    double mass_ = 0.0;
    /// Whether the system has the moments of the vertices' own masses and of the pins'.
    bool own_masses_are_weighed_ = false;
};

}  // namespace ulna::fit::detail
