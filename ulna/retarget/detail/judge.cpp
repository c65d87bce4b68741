// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/judge.h"

#include <algorithm>
#include <cmath>

namespace ulna::retarget::detail {
namespace {

constexpr std::size_t kBins = 18000;  // of directions: hundredths of a degree
// Of what is shorter in the source, in legs, no proportion is told.
constexpr double kTooShort = 0.3;

}  // namespace

Judge::Judge(const Skeleton& skeleton, const BodyPair& bodies, const SourceMotion& source,
             const Plan& plan, const Contacts& contacts, double frame_time)
    : from_(bodies.from),
      body_(bodies.to),
      source_(source),
      plan_(plan),
      scale_(bodies.scale),
      source_floor_(contacts.floor),
      frame_time_(frame_time),
      direction_counts_(kBins + 1, 0),
      limits_(skeleton),
      limited_(skeleton.jointCount(), 0) {
    for (const JointId j : skeleton.joints()) {
        const int i = body_.of[index(j)];
        if (i >= 0 && !body_.segments[static_cast<std::size_t>(i)].relative) joints_.push_back(j);
    }
    for (auto& side : touching_)
        for (std::vector<char>& part : side) part.assign(source.frames, 0);
    for (const Contact& each : contacts.contacts) {
        std::vector<char>& part =
            touching_[each.side == BodySide::Left ? 0 : 1][static_cast<std::size_t>(each.part)];
        for (std::size_t f = each.first; f <= each.last; ++f) part[f] = 1;
    }
}

void Judge::look(std::size_t f, const Poser& poser, const Pose& pose) {
    // Feet that nothing holds are judged as well.
    const bool legs = body_.hasLeg(0) && body_.hasLeg(1) && from_.hasLeg(0) && from_.hasLeg(1);
    for (std::size_t side = 0; side < 2 && legs; ++side) lookAtFoot(side, f, poser);
    lookAtLimbs(poser);
    lookAtPelvis(f, poser);
    lookAtSpeeds(f, pose);
    lookAtLimits(pose);
}

Quat Judge::rotationOf(const Segment& segment, const Poser& poser) const {
    return conjugate(body_.model_from_ground) * poser.orientations()[index(segment.frame)] *
           segment.joint_from_canonical;
}

void Judge::lookAtFoot(std::size_t side, std::size_t f, const Poser& poser) {
    const Segment& segment = body_.segments[static_cast<std::size_t>(body_.part(Part::Foot, side))];
    const FootPoints& foot = body_.feet[side];
    const Quat d = rotationOf(segment, poser);
    const Vec3 ankle = rotate(conjugate(body_.model_from_ground), poser.position(segment.frame)) +
                       rotate(d, foot.ankle);
    std::array<Vec3, 2> now = {heelOf(foot, ankle, d), ballOf(foot, ankle, d)};
    now[1].y -= foot.lift;
    double low = std::min(now[0].y, now[1].y);
    for (const Vec3& point : foot.outline) low = std::min(low, (ankle + rotate(d, point)).y);
    report_.penetration = std::max(report_.penetration, plan_.floor - low);
    for (std::size_t part = 0; part < 2; ++part) {
        if (!touching_[side][part][f]) continue;
        const double above = std::max(0.0, now[part].y - plan_.floor);
        report_.floating_most = std::max(report_.floating_most, above);
        floating_ += above;
        ++floating_count_;
        if (f == 0 || !touching_[side][part][f - 1]) continue;
        Vec3 slide = now[part] - soles_[side][part];
        slide.y = 0.0;
        const double speed = length(slide) / frame_time_;
        report_.slide_most = std::max(report_.slide_most, speed);
        slides_ += speed;
        ++slide_count_;
    }
    soles_[side] = now;
}

void Judge::lookAtLimbs(const Poser& poser) {
    for (std::size_t i = 0; i < body_.segments.size(); ++i) {
        const Segment& segment = body_.segments[i];
        if (segment.relative || length(segment.direction) == 0.0) continue;
        const Vec3 is = rotate(rotationOf(segment, poser), segment.direction);
        const Vec3 should = rotate(asked_[i], segment.direction);
        const double off = std::atan2(length(cross(is, should)), dot(is, should));
        report_.direction_most = std::max(report_.direction_most, off);
        directions_ += off;
        ++direction_count_;
        ++direction_counts_[std::min(
            kBins, static_cast<std::size_t>(off / kPi * static_cast<double>(kBins)))];
    }
}

void Judge::lookAtPelvis(std::size_t f, const Poser& poser) {
    const Segment& hips = body_.segments.front();
    const Vec3 centre = rotate(conjugate(body_.model_from_ground), poser.position(hips.first)) +
                        rotate(rotationOf(hips, poser), body_.centre);
    height_ += centre.y - plan_.floor - body_.ankle;
    source_height_ += source_.centre[f].y - source_floor_ - from_.ankle;
    const auto over = [](Vec3 step) {
        step.y = 0.0;
        return length(step);
    };
    if (f > 0) {
        path_ += over(centre - centre_);
        source_path_ += over(source_.centre[f] - source_.centre[f - 1]);
    }
    centre_ = centre;
}

void Judge::lookAtSpeeds(std::size_t f, const Pose& pose) {
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

void Judge::lookAtLimits(const Pose& pose) {
    const std::vector<JointId>& joints = limits_.look(pose);
    report_.at_limit.push_back(static_cast<std::uint32_t>(joints.size()));
    for (const JointId j : joints) ++limited_[index(j)];
}

double Judge::directionOf(double share) const {
    const double wanted = share * static_cast<double>(direction_count_);
    std::size_t bin = 0, below = 0;
    while (bin < kBins && static_cast<double>(below += direction_counts_[bin]) < wanted) ++bin;
    // The upper end of the bin, which all of these are below.
    return std::min(kPi * static_cast<double>(bin + 1) / static_cast<double>(kBins),
                    report_.direction_most);
}

RetargetReport Judge::take() {
    if (slide_count_ > 0) report_.slide_mean = slides_ / static_cast<double>(slide_count_);
    if (floating_count_ > 0)
        report_.floating_mean = floating_ / static_cast<double>(floating_count_);
    if (direction_count_ > 0) {
        report_.direction_mean = directions_ / static_cast<double>(direction_count_);
        report_.direction_median = directionOf(0.5);
        report_.direction_95 = directionOf(0.95);
    }
    const Fastest fastest = fastestWithoutJumps(speeds_);
    report_.fastest = fastest.speed;
    if (!fastest_.empty()) report_.fastest_joint = fastest_[fastest.frame];
    if (from_.leg > 0.0 && body_.leg > 0.0) {
        const double least = kTooShort * from_.leg;
        if (source_height_ > least * static_cast<double>(source_.frames))
            report_.pelvis_height = height_ / (source_height_ * scale_);
        if (source_path_ > least) report_.pelvis_path = path_ / (source_path_ * scale_);
    }
    const auto most = std::max_element(limited_.begin(), limited_.end());
    if (most != limited_.end() && *most > 0) {
        report_.limited_joint = jointId(static_cast<std::size_t>(most - limited_.begin()));
        report_.limited_joint_frames = *most;
    }
    return report_;
}

}  // namespace ulna::retarget::detail
