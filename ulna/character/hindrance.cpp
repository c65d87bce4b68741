// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/hindrance.h"

#include <limits>

#include "ulna/skeleton/size.h"

namespace ulna {

std::vector<JointId> hinderingPins(const Stage& stage, const Pose& pose, const DragGrab& grab,
                                   const Vec3& target, std::span<const DragPin> pins,
                                   std::span<const DragPole> poles, const DragOptions& options) {
    constexpr double kReached = 0.01;  // of the body's size
    constexpr double kMuchNearer = 0.5;
    constexpr int kFrames = 60;  // of a drag, which goes on until it has settled
    const auto miss = [&](std::span<const DragPin> held) {
        Result<Drag> drag = Drag::make(stage, pose, grab, held, poles, options);
        if (!drag) return std::numeric_limits<double>::infinity();
        Pose answer = pose;
        for (int frame = 0; frame < kFrames && drag->solve(target, answer).more; ++frame) {
        }
        return distance(drag->heldPoint(answer), target);
    };
    // The hand's own joint has no pin while it is dragged.
    std::vector<DragPin> others;
    for (const DragPin& pin : pins)
        if (pin.joint != grab.joint) others.push_back(pin);
    std::vector<JointId> out;
    const double missed = miss(others);
    if (missed <= kReached * bodySize(stage.skeleton)) return out;
    for (std::size_t i = 0; i < others.size(); ++i) {
        std::vector<DragPin> rest = others;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        if (miss(rest) <= kMuchNearer * missed) out.push_back(others[i].joint);
    }
    if (out.empty() && others.size() > 1 && miss({}) <= kMuchNearer * missed)
        for (const DragPin& pin : others) out.push_back(pin.joint);
    return out;
}

}  // namespace ulna
