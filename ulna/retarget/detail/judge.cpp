// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/judge.h"

#include <algorithm>
#include <cmath>

namespace ulna::retarget::detail {

Judge::Judge(const Skeleton& skeleton, const BodySegments& body, const Plan& plan,
             const Contacts& contacts, std::size_t frames, double frame_time)
    : body_(body), plan_(plan), frame_time_(frame_time) {
    for (const JointId j : skeleton.joints()) {
        const int i = body.of[index(j)];
        if (i >= 0 && !body.segments[static_cast<std::size_t>(i)].relative) joints_.push_back(j);
    }
    for (auto& side : touching_)
        for (std::vector<char>& part : side) part.assign(frames, 0);
    for (const Contact& each : contacts.contacts) {
        std::vector<char>& part =
            touching_[each.side == BodySide::Left ? 0 : 1][static_cast<std::size_t>(each.part)];
        for (std::size_t f = each.first; f <= each.last; ++f) part[f] = 1;
    }
}

void Judge::look(std::size_t f, const Poser& poser, const Pose& pose) {
    for (std::size_t side = 0; side < 2 && !plan_.feet[0].empty(); ++side)
        lookAtFoot(side, f, poser);
    lookAtLimbs(poser);
    speeds_.push_back(0.0);
    fastest_.push_back(JointId::None);
    for (const JointId j : joints_) {
        if (f == 0) break;
        const double speed = angleBetween(before_[j].rotation, pose[j].rotation) / frame_time_;
        if (speed <= speeds_.back()) continue;
        speeds_.back() = speed;
        fastest_.back() = j;
    }
    before_ = pose;
}

void Judge::lookAtFoot(std::size_t side, std::size_t f, const Poser& poser) {
    const Quat ground_from_model = conjugate(body_.model_from_ground);
    const Segment& segment = body_.segments[static_cast<std::size_t>(body_.part(Part::Foot, side))];
    const FootPoints& foot = body_.feet[side];
    const Quat d = ground_from_model * poser.orientations()[index(segment.frame)] *
                   segment.joint_from_canonical;
    const Vec3 ankle =
        rotate(ground_from_model, poser.position(segment.frame)) + rotate(d, foot.ankle);
    std::array<Vec3, 2> now = {heelOf(foot, ankle, d), ballOf(foot, ankle, d)};
    now[1].y -= foot.lift;
    double low = std::min(now[0].y, now[1].y);
    for (const Vec3& point : foot.outline) low = std::min(low, (ankle + rotate(d, point)).y);
    report_.penetration = std::max(report_.penetration, plan_.floor - low);
    for (std::size_t part = 0; part < 2; ++part) {
        if (f > 0 && touching_[side][part][f] && touching_[side][part][f - 1]) {
            Vec3 slide = now[part] - soles_[side][part];
            slide.y = 0.0;
            const double speed = length(slide) / frame_time_;
            report_.slide_most = std::max(report_.slide_most, speed);
            slides_ += speed;
            ++slide_count_;
        }
    }
    soles_[side] = now;
}

void Judge::lookAtLimbs(const Poser& poser) {
    const Quat ground_from_model = conjugate(body_.model_from_ground);
    for (std::size_t i = 0; i < body_.segments.size(); ++i) {
        const Segment& segment = body_.segments[i];
        if (segment.relative || length(segment.direction) == 0.0) continue;
        const Quat d = ground_from_model * poser.orientations()[index(segment.frame)] *
                       segment.joint_from_canonical;
        const Vec3 is = rotate(d, segment.direction);
        const Vec3 should = rotate(asked_[i], segment.direction);
        const double off = std::atan2(length(cross(is, should)), dot(is, should));
        report_.direction_most = std::max(report_.direction_most, off);
        directions_ += off;
        ++direction_count_;
    }
}

RetargetReport Judge::take() {
    if (slide_count_ > 0) report_.slide_mean = slides_ / static_cast<double>(slide_count_);
    if (direction_count_ > 0)
        report_.direction_mean = directions_ / static_cast<double>(direction_count_);
    report_.fastest = fastestWithoutJumps(speeds_);
    for (std::size_t f = 0; f < speeds_.size(); ++f)
        if (speeds_[f] == report_.fastest && fastest_[f] != JointId::None)
            report_.fastest_joint = fastest_[f];
    return report_;
}

}  // namespace ulna::retarget::detail
