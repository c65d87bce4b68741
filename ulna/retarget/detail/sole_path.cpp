// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/sole_path.h"

#include <algorithm>
#include <cmath>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::retarget::detail {
namespace {

const Segment& segmentOf(const BodySegments& body, Part part, std::size_t side) {
    return body.segments[static_cast<std::size_t>(body.part(part, side))];
}

// The heel, the point of the sole below the ball, and the tip.
std::array<Vec3, 3> pointsOf(const FootPoints& foot, const FootGoal& at) {
    std::array<Vec3, 3> out = {heelOf(foot, at.ankle, at.rotation),
                               ballOf(foot, at.ankle, at.rotation)};
    out[2] =
        foot.toes ? out[1] + rotate(at.toes, foot.tip) : at.ankle + rotate(at.rotation, foot.tip);
    out[1].y -= foot.lift;
    return out;
}

}  // namespace

SolePath readSolePath(const Skeleton& skeleton, const BodySegments& body, const Motion& motion) {
    SolePath out;
    const Quat ground_from_model = conjugate(body.model_from_ground);
    Pose pose = motion.base();
    ModelPose model;
    std::vector<Quat> d(body.segments.size());
    for (std::vector<FootGoal>& side : out) side.resize(motion.frameCount());
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        motion.getPose(f, pose);
        computeModelPose(skeleton, pose, model);
        computeSegmentRotations(body, computeOrientations(skeleton, pose), d);
        for (std::size_t side = 0; side < 2; ++side) {
            FootGoal& foot = out[side][f];
            foot.ankle =
                rotate(ground_from_model, model.position(segmentOf(body, Part::Foot, side).frame));
            foot.rotation = d[static_cast<std::size_t>(body.part(Part::Foot, side))];
            if (const int toes = body.part(Part::Toes, side); toes >= 0)
                foot.toes = d[static_cast<std::size_t>(toes)];
        }
    }
    return out;
}

FootTracks tracksOf(const BodySegments& body, const SolePath& path) {
    FootTracks out;
    for (std::size_t side = 0; side < 2; ++side) {
        for (const FootGoal& foot : path[side]) {
            const std::array<Vec3, 3> points = pointsOf(body.feet[side], foot);
            out[side].heel.push_back(points[0]);
            out[side].ball.push_back(points[1]);
        }
    }
    return out;
}

std::vector<double> depthsOf(const BodySegments& body, const SolePath& path, double floor) {
    std::vector<double> out(path[0].size(), 0.0);
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t f = 0; f < out.size(); ++f) {
            const FootGoal& foot = path[side][f];
            for (const Vec3& point : pointsOf(body.feet[side], foot))
                out[f] = std::max(out[f], floor - point.y);
            for (const Vec3& point : body.feet[side].outline)
                out[f] = std::max(out[f], floor - (foot.ankle + rotate(foot.rotation, point)).y);
        }
    }
    return out;
}

SoleMeasure measureSoles(const BodySegments& body, const SolePath& path, const Contacts& contacts,
                         double frame_time) {
    SoleMeasure out;
    double sum = 0.0;
    std::size_t count = 0;
    for (const Contact& each : contacts.contacts) {
        const std::size_t side = each.side == BodySide::Left ? 0 : 1;
        const auto at = [&](std::size_t f) {
            Vec3 point =
                pointsOf(body.feet[side], path[side][f])[static_cast<std::size_t>(each.part)];
            point.y = 0.0;
            return point;
        };
        for (std::size_t f = each.first + 1; f <= each.last; ++f) {
            const double speed = distance(at(f - 1), at(f)) / frame_time;
            out.slide_most = std::max(out.slide_most, speed);
            sum += speed;
            ++count;
        }
    }
    if (count > 0) out.slide_mean = sum / static_cast<double>(count);
    for (const double depth : depthsOf(body, path, contacts.floor))
        out.penetration = std::max(out.penetration, depth);
    return out;
}

std::array<SolePoints, 2> solePointsOf(const BodySegments& body) {
    std::array<SolePoints, 2> out;
    for (std::size_t side = 0; side < 2; ++side) {
        const FootPoints& foot = body.feet[side];
        const Segment& segment = segmentOf(body, Part::Foot, side);
        const Quat joint_from_foot = segment.joint_from_canonical;
        out[side].foot = out[side].toes = segment.frame;
        out[side].heel = rotate(joint_from_foot, foot.ankle + foot.heel);
        out[side].ball = rotate(joint_from_foot, foot.ankle + foot.ball);
        out[side].lift = foot.lift;
        if (!foot.toes) {
            out[side].tip = rotate(joint_from_foot, foot.ankle + foot.tip);
            continue;
        }
        const Segment& toes = segmentOf(body, Part::Toes, side);
        out[side].toes = toes.frame;
        out[side].tip = rotate(toes.joint_from_canonical, foot.tip);
    }
    return out;
}

}  // namespace ulna::retarget::detail
