// SPDX-License-Identifier: Apache-2.0

// PointBody: a body with its points attached, whose lengths follow those of the points.
//
// A point is the origin of a joint, or is fixed to a joint somewhere beside it: a nose, a knuckle,
// a heel. Where these are on a usual person is a table (point_body.cpp); where they are on this one
// is calibrated from the clip.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/retarget/detail/segments.h"
#include "ulna/retarget/point_clip.h"
#include "ulna/retarget/point_layout.h"

namespace ulna::retarget::detail {

struct Attachment {
    std::size_t point = 0;  ///< its index in the clip
    JointId joint = JointId::None;
    Vec3 offset = {};   ///< in the joint's coordinates
    bool exact = true;  ///< known; otherwise calibrated
};

/// What lies where in the points of a frame.
struct PointBody {
    const Skeleton& skeleton;
    Pose rest;  ///< with the lengths that were fitted
    HumanBody human;
    BodySegments segments;
    std::vector<Attachment> attached;
    std::vector<Vec3> places;     ///< of the attachments at rest, in the axes of the body
    std::vector<double> stretch;  ///< per joint

    /// The attachment whose point is the origin of a joint, or -1.
    [[nodiscard]] int at(JointId joint) const;
};

[[nodiscard]] Result<PointBody> makePointBody(const Skeleton& skeleton, const Pose& rest,
                                              const PointLayout& layout);

/// Computes segments and places anew after rest pose or attachments changed.
void refresh(PointBody& body);

/// A bone between two attachments that a rigid part of the body joins, so that its length says
/// how noisy they are.
struct PointBone {
    std::size_t a = 0, b = 0;  ///< attachments
    JointId end = JointId::None;
    double rest = 0.0;    ///< its length on the body as it was
    double length = 0.0;  ///< of the points
    double spread = 0.0;  ///< standard deviation of the length
};

struct PointBones {
    std::vector<PointBone> bones = {};
    double noise = 0.0;  ///< standard deviation of a coordinate, by how much the long ones vary
};

/// The bones of a body, measured over all frames by medians; both sides get the same length.
/// @param positions frame by frame, one per attachment, in the unit of the body
/// @param weights likewise; 0: missing
[[nodiscard]] PointBones measureBones(const PointBody& body, std::span<const Vec3> positions,
                                      std::span<const double> weights);

/// Gives the body the lengths of the points.
void fitLengths(std::span<const PointBone> bones, std::span<const Vec3> positions,
                std::span<const double> weights, PointBody& body);

}  // namespace ulna::retarget::detail
