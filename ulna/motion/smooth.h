// SPDX-License-Identifier: Apache-2.0

// Smoothing: noise of a recording taken out of rotations and translations, without delay.
//
// Every value is replaced by the mean of those around it in time, with the weights of a Gaussian
// curve; since the curve is symmetric, nothing is delayed. A motion at constant speed stays as it
// is, and so do the first pose and the last one. How far a value is moved is bounded. For single
// frames that are wrong see motion/spikes.h.
#pragma once

#include <limits>

#include "ulna/motion/motion.h"

namespace ulna {

struct SmoothOptions {
    /// The width of the Gaussian curve at half its height, in seconds: shakes much shorter than
    /// this disappear, and motions much longer than this stay.
    double width = 0.1;
    /// No joint is rotated by more than this, in radians. Corrections near it are bent smoothly
    /// below it, so that the bound itself makes no corner.
    double most_rotation = 0.17453292519943295;
    /// No translation is moved by more than this, in the clip's unit.
    double most_translation = std::numeric_limits<double>::infinity();
};

/// The width whose smoothing lets half of the power pass at a frequency in hertz, as cutoffs of
/// filters are stated: 0.312 / cutoff. @pre cutoff > 0
[[nodiscard]] double smoothingWidth(double cutoff);

/// The clip smoothed: its rotations and translations; scales stay. Rotations are averaged in the
/// tangent space of the rotation in the middle, along the way that they really take: also where
/// they pass a half revolution within the width.
/// @pre options.width > 0; both bounds are above 0.
[[nodiscard]] Motion smoothed(const Motion& motion, const SmoothOptions& options = {});

}  // namespace ulna
