// SPDX-License-Identifier: Apache-2.0

// FootTrack: where the soles of a clip are, frame by frame, and when they rest on the ground.
//
// Everything is in the axes of the ground: y is up.
#pragma once

#include <array>
#include <vector>

#include "ulna/retarget/contacts.h"
#include "ulna/retarget/detail/segments.h"

namespace ulna::retarget::detail {

/// Of one foot, per frame: the heel, and the point of the sole below the ball.
struct FootTrack {
    std::vector<Vec3> heel, ball;
};
using FootTracks = std::array<FootTrack, 2>;

/// Where the heel and the ball of a foot are, whose ankle and rotation are these.
[[nodiscard]] inline Vec3 heelOf(const FootPoints& foot, const Vec3& ankle, const Quat& d) {
    return ankle + rotate(d, foot.heel);
}
[[nodiscard]] inline Vec3 ballOf(const FootPoints& foot, const Vec3& ankle, const Quat& d) {
    return ankle + rotate(d, foot.ball);
}

/// The height of the ground: that of the lower soles of those that are slow.
[[nodiscard]] double findFloor(const FootTracks& feet, double frame_time, double leg);

/// The contacts of both feet.
[[nodiscard]] std::vector<Contact> findSpans(const FootTracks& feet, double frame_time, double leg,
                                             double floor, const ContactOptions& options);

/// The speed of a point in a frame, by central differences.
[[nodiscard]] double speedAt(const std::vector<Vec3>& points, std::size_t frame, double frame_time);

}  // namespace ulna::retarget::detail
