// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/sole_tracks.h"

#include <utility>

#include "ulna/retarget/detail/source_motion.h"
#include "ulna/skeleton/human_body.h"

namespace ulna {

Result<SoleTracks> trackSoles(const RetargetBody& body, const Motion& motion) {
    const Result<HumanBody> found = findHumanBody(body.skeleton, body.rest, body.map);
    if (!found) return found.error();
    const retarget::detail::BodySegments segments =
        retarget::detail::makeSegments(body.skeleton, body.rest, *found, body.soles);
    if (!segments.hasLeg(0) || !segments.hasLeg(1))
        return Diagnostic{.what = "soles are of feet, and no legs are recognised"};
    SoleTracks out{.model_from_ground = segments.model_from_ground};
    if (motion.frameCount() == 0) return out;
    retarget::detail::SourceMotion read =
        retarget::detail::readSource(body.skeleton, segments, motion);
    for (std::size_t side = 0; side < 2; ++side)
        out.points[side] = {std::move(read.soles[side].heel), std::move(read.soles[side].ball)};
    return out;
}

}  // namespace ulna
