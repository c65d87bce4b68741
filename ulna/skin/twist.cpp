// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/twist.h"

#include "ulna/skeleton/human_body.h"

namespace ulna {

std::vector<TwistBone> limbTwists(const Skeleton& skeleton) {
    std::vector<TwistBone> out;
    const Result<HumanBody> body = findHumanBody(skeleton, restPose(skeleton));
    if (!body) return out;
    const auto add = [&](JointId start, JointId end, bool at_end) {
        if (start != JointId::None && end != JointId::None)
            out.push_back({.start = start, .end = end, .at_end = at_end});
    };
    for (const HumanSide* side : {&body->left, &body->right}) {
        add(side->shoulder, side->elbow, false);
        add(side->elbow, side->wrist, true);
        add(side->hip, side->knee, false);
        add(side->knee, side->ankle, true);
    }
    return out;
}

}  // namespace ulna
