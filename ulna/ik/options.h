// SPDX-License-Identifier: Apache-2.0

// How an inverse-kinematics problem is to be solved. The defaults simply work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ulna/core/budget.h"
#include "ulna/skeleton/joint.h"
#include "ulna/solve/mechanism_options.h"

namespace ulna {

enum class IkMethod : std::uint8_t {
    Auto,       ///< Levenberg-Marquardt with limits inside the step: every goal, any skeleton
    TwoBone,    ///< closed form for a limb of two bones
    Ccd,        ///< cyclic coordinate descent: positions only
    Fabrik,     ///< forward and backward reaching: positions only
    Transpose,  ///< Jacobian transpose with the best step along the gradient
    Gradient,   ///< gradient descent with a fixed step or a backtracking line search
    ProjectedGradient,  ///< the same, projected onto the limits
    Pinv,               ///< Gauss-Newton by the pseudoinverse
    Dls,                ///< damped least squares with fixed damping
};

inline constexpr IkMethod kAllIkMethods[] = {IkMethod::Auto,
                                             IkMethod::TwoBone,
                                             IkMethod::Ccd,
                                             IkMethod::Fabrik,
                                             IkMethod::Transpose,
                                             IkMethod::Gradient,
                                             IkMethod::ProjectedGradient,
                                             IkMethod::Pinv,
                                             IkMethod::Dls};

/// "auto", "two-bone", "ccd", "fabrik", "transpose", "gradient", "projected-gradient", "pinv",
/// "dls".
[[nodiscard]] std::string_view ikMethodName(IkMethod method);
[[nodiscard]] std::optional<IkMethod> ikMethodFromName(std::string_view name);

/// Which way a sweep of cyclic coordinate descent goes.
enum class CcdDirection : std::uint8_t { EndToRoot, RootToEnd };

class NaturalBody;

/// What a natural pose starts from.
enum class NaturalStart : std::uint8_t {
    /// The pose that is there: it changes as the prior's pose does from the points where they are
    /// to the points where they should be. A pose that meets its goals stays as it is.
    Pose,
    /// Nothing: the prior's own pose. For a rest pose that is no pose of a person.
    Afresh,
};

/// What a natural body keeps beside its goals (ik/body_rules.h).
struct NaturalRules {
    bool balance = true;  ///< the centre of mass stays over the feet that stand
    bool floor = true;    ///< nothing is below the floor, and standing feet stay flat
    bool bulk = true;     ///< limbs do not pass through each other
    bool pairs = true;    ///< angles of limbs go together as people's do (ik/pose_pairs.h)
};

struct IkOptions {
    IkMethod method = IkMethod::Auto;
    double position_tolerance = 0.0;  ///< 0 means 1e-4 of the skeleton's height
    double angle_tolerance = 1e-4;
    int max_iterations = 0;  ///< per attempt; 0 means what suits the method
    int restarts = 0;        ///< further attempts from other starts when one stalls; auto only
    std::uint64_t seed = 1;  ///< of the restarts
    Budget budget = {};      ///< of one solve; for a batch or a clip, of each problem or frame
    /// For clips and dragging: never leave the neighbourhood of the start. No restarts, and far
    /// targets are approached in small moves.
    bool continuity = false;
    bool record_history = false;
    /// auto hands one position on a chain of free balls, which is FABRIK's own problem, to FABRIK
    /// first. Off, it is least squares from the start: for comparing methods.
    bool fabrik_first = true;

    /// Lets a human body take a usual pose with the freedom that the goals leave (ik/natural.h):
    /// the solver starts from one, instead of the caller's, and leaves it by as little as it can.
    /// Goals and limits are kept as without. Made for this skeleton; auto only.
    std::shared_ptr<const NaturalBody> natural = nullptr;
    NaturalStart natural_start = NaturalStart::Pose;
    /// For NaturalStart::Pose. Clips keep the bulk alone.
    NaturalRules natural_rules = {};

    std::vector<JointId> locked = {};  ///< these stay as they are, besides the skeleton's own
    std::vector<JointStiffness> stiffness = {};
    JointId chain = JointId::None;  ///< only this joint and those below it move

    // What only some methods use.
    double step = 1.0;  ///< pinv, dls and transpose: the fraction of each step taken; the gradient
                        ///< methods: their first step, in units of 1 / (squared reach)
    double damping = 0.1;  ///< dls: lambda, in units of the squared reach
    double joint_damping =
        0.0;                  ///< ccd: the largest rotation per joint and sweep, in radians; 0: any
    bool line_search = true;  ///< gradient and projected-gradient
    CcdDirection ccd_direction = CcdDirection::EndToRoot;
};

}  // namespace ulna
