// SPDX-License-Identifier: Apache-2.0

// A goal for the whole body: it stands, because its centre of mass is over its feet.
#pragma once

#include <vector>

#include "ulna/ik/goals/contact.h"
#include "ulna/skeleton/masses.h"

namespace ulna {

/// The centre of mass is over the support polygon, seen along `up`: the convex hull of the contact
/// points, its sides moved inward by `margin`. Residual: the horizontal offset from the nearest
/// point of the polygon, two rows (one in the plane); zero inside. Error: its length.
///
/// Contacts move with their joints, and the polygon with them: hold feet by goals of their own.
/// One contact, or several on one line, are their own polygon, whatever the margin. Otherwise the
/// margin counts up to nine tenths of the radius of the largest circle inside the contacts, so that
/// something of the polygon is left.
struct BalanceGoal {
    std::vector<ContactPoint> contacts = {};  ///< 1 to 32
    std::vector<JointMass> masses = {};       ///< see humanMasses in skeleton/masses.h
    Vec3 up = {0, 1, 0};                      ///< in model space, a unit vector
    double margin = 0.0;                      ///< a length
};

}  // namespace ulna
