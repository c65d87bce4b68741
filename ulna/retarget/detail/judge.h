// SPDX-License-Identifier: Apache-2.0

// Judge: collects what a report says of a retargeted clip, frame by frame, from the poses alone.
#pragma once

#include <array>
#include <vector>

#include "ulna/retarget/detail/at_limits.h"
#include "ulna/retarget/detail/plan.h"
#include "ulna/retarget/detail/poser.h"
#include "ulna/retarget/report.h"

namespace ulna::retarget::detail {

class Judge {
  public:
    /// @pre all of these outlive the judge.
    Judge(const Skeleton& skeleton, const BodyPair& bodies, const SourceMotion& source,
          const Plan& plan, const Contacts& contacts, double frame_time);

    /// What was asked of the segments, before limbs were bent.
    void ask(std::span<const Quat> d) { asked_.assign(d.begin(), d.end()); }
    /// The pose of a frame; frames come in order.
    void look(std::size_t f, const Poser& poser, const Pose& pose);
    [[nodiscard]] RetargetReport take();

  private:
    void lookAtFoot(std::size_t side, std::size_t f, const Poser& poser);
    void lookAtLimbs(const Poser& poser);
    void lookAtPelvis(std::size_t f, const Poser& poser);
    void lookAtSpeeds(std::size_t f, const Pose& pose);
    void lookAtLimits(const Pose& pose);
    [[nodiscard]] double directionOf(double share) const;
    [[nodiscard]] Quat rotationOf(const Segment& segment, const Poser& poser) const;

    const BodySegments& from_;
    const BodySegments& body_;
    const SourceMotion& source_;
    const Plan& plan_;
    double scale_, source_floor_, frame_time_;
    std::array<std::array<std::vector<char>, 2>, 2> touching_;  // by side and part, per frame
    std::array<std::array<Vec3, 2>, 2> soles_ = {};
    std::vector<Quat> asked_;
    Pose before_;
    std::vector<double> speeds_;  // per frame, of its fastest joint
    std::vector<JointId> fastest_;
    std::vector<JointId> joints_;  // whose speed counts
    RetargetReport report_;
    double slides_ = 0.0, floating_ = 0.0, directions_ = 0.0;
    std::size_t slide_count_ = 0, floating_count_ = 0, direction_count_ = 0;
    std::vector<std::size_t> direction_counts_;  // by hundredths of a degree
    Vec3 centre_ = {};
    double height_ = 0.0, source_height_ = 0.0, path_ = 0.0, source_path_ = 0.0;
    LimitWatch limits_;
    std::vector<std::size_t> limited_;  // per joint: frames at a limit
};

}  // namespace ulna::retarget::detail
