// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/plan.h"

#include <algorithm>
#include <cmath>

#include "ulna/retarget/detail/envelope.h"

namespace ulna::retarget::detail {
namespace {

// How much of a leg's length may be used where its foot is held.
constexpr double kReach = 0.997;
// The time over which the pelvis is lowered for a leg that does not reach.
constexpr double kLowering = 0.08;
// Knees straighten at most at this share of the speed that joints may have, and may always do so at
// this one, in radians per second.
constexpr double kKneeShare = 0.7, kSlowestKnee = 2.0;
// Hands keep their height in full up to the first, and not at all from the second one, in legs; and
// their distance from each other likewise, in arms.
constexpr double kLowHand = 0.1, kHighHand = 0.4, kNearHands = 0.25, kFarHands = 0.6;

class Planner {
  public:
    Planner(const BodyPair& bodies, const SourceMotion& source, double frame_time)
        : from_(bodies.from),
          to_(bodies.to),
          shares_(bodies.shares),
          scale_(bodies.scale),
          source_(source),
          frame_time_(frame_time) {}

    [[nodiscard]] Plan make(const Contacts& contacts, const RetargetOptions& options) {
        Plan out;
        const bool legs = to_.hasLeg(0) && to_.hasLeg(1) && from_.hasLeg(0) && from_.hasLeg(1);
        const bool same = haveSameProportions(from_, to_, scale_);
        out.lock = legs && (options.feet == RetargetFeet::Lock ||
                            (options.feet == RetargetFeet::Auto && !same));
        out.floor = out.lock ? options.floor : contacts.floor * scale_;
        rotateAll(out);
        placeCentre(contacts.floor, legs, out);
        if (out.lock) {
            const FootPlanOptions plan{
                .floor = out.floor, .frame_time = frame_time_, .leg = to_.leg};
            for (std::size_t side = 0; side < 2; ++side) {
                placeFeet(side, out);
                std::vector<Contact> own;
                for (const Contact& each : contacts.contacts)
                    if ((each.side == BodySide::Left) == (side == 0)) own.push_back(each);
                planFoot(to_.feet[side], own, plan, out.feet[side]);
            }
            bendLegs(options.speed, out);
        }
        const bool arms = to_.hasArm(0) && to_.hasArm(1) && !source_.wrists[0].empty();
        if (arms && (options.keep.floor || options.keep.pair || options.keep.body))
            placeHands(contacts.floor, options.keep, out);
        return out;
    }

  private:
    void rotateAll(Plan& out) const {
        const std::size_t width = to_.segments.size();
        out.d.resize(source_.frames * width);
        for (std::size_t f = 0; f < source_.frames; ++f) {
            const std::span<const Quat> from = source_.at(f);
            Quat* d = out.d.data() + f * width;
            for (std::size_t i = 0; i < width; ++i) {
                const SegmentShare& share = shares_[i];
                if (share.from < 0) {
                    const int parent = to_.segments[i].parent;
                    d[i] = parent < 0 ? Quat{} : d[static_cast<std::size_t>(parent)];
                    continue;
                }
                const Quat& a = from[static_cast<std::size_t>(share.from)];
                d[i] = share.share == 0.0
                           ? a
                           : slerp(a, from[static_cast<std::size_t>(share.to)], share.share);
            }
        }
    }

    // The path of the hips, scaled; heights above the ankles, so that straight legs stay straight.
    void placeCentre(double floor, bool legs, Plan& out) const {
        out.centre.resize(source_.frames);
        const double ankle = legs && out.lock ? from_.ankle : 0.0;
        const double own_ankle = legs && out.lock ? to_.ankle : 0.0;
        for (std::size_t f = 0; f < source_.frames; ++f) {
            const Vec3& at = source_.centre[f];
            out.centre[f] = {at.x * scale_, out.floor + own_ankle + (at.y - floor - ankle) * scale_,
                             at.z * scale_};
        }
    }

    [[nodiscard]] Vec3 hipAt(const Plan& plan, std::size_t f, std::size_t side) const {
        return plan.centre[f] + rotate(plan.d[f * to_.segments.size()], to_.hip[side] - to_.centre);
    }

    // Where the feet are by the directions of the legs alone.
    void placeFeet(std::size_t side, Plan& out) const {
        const std::size_t width = to_.segments.size();
        const auto number = [&](Part part) {
            return static_cast<std::size_t>(to_.part(part, side));
        };
        const Vec3 down{0, -1, 0};
        out.feet[side].resize(out.centre.size());
        for (std::size_t f = 0; f < out.centre.size(); ++f) {
            const Quat* d = out.d.data() + f * width;
            out.feet[side][f] = {
                .ankle = hipAt(out, f, side) +
                         rotate(d[number(Part::Thigh)], down) * to_.thigh[side] +
                         rotate(d[number(Part::Shin)], down) * to_.shin[side],
                .rotation = d[number(Part::Foot)],
                .toes = to_.part(Part::Toes, side) < 0 ? Quat{} : d[number(Part::Toes)]};
        }
    }

    // How far a leg's knee is bent for its ankle to be so far from its hip, and back.
    [[nodiscard]] double bendOf(std::size_t side, double reach) const {
        const double a = to_.thigh[side], b = to_.shin[side];
        return std::acos(std::clamp((reach * reach - a * a - b * b) / (2.0 * a * b), -1.0, 1.0));
    }
    [[nodiscard]] double reachOf(std::size_t side, double bend) const {
        const double a = to_.thigh[side], b = to_.shin[side];
        return std::sqrt(std::max(a * a + b * b + 2.0 * a * b * std::cos(bend), 0.0));
    }

    // How far ankles may be from their hips, frame by frame: within what legs reach, and such that
    // no knee snaps straight. Between two frames in which the source jumps anything may happen.
    [[nodiscard]] std::vector<double> reaches(const Plan& plan, std::size_t side,
                                              double fastest) const {
        const std::size_t frames = plan.centre.size();
        const double longest = kReach * (to_.thigh[side] + to_.shin[side]);
        std::vector<double> bends(frames);
        for (std::size_t f = 0; f < frames; ++f) {
            const double far = distance(hipAt(plan, f, side), plan.feet[side][f].ankle);
            bends[f] = bendOf(side, plan.feet[side][f].changed ? std::min(far, longest) : far);
        }
        const double most = fastest * frame_time_;
        const auto follow = [&](std::size_t f, std::size_t before, std::size_t later) {
            if (source_.speeds[later] <= fastest)
                bends[f] = std::max(bends[f], bends[before] - most);
        };
        for (std::size_t f = 1; f < frames; ++f) follow(f, f - 1, f);
        for (std::size_t f = frames - 1; f-- > 0;) follow(f, f + 1, f + 1);
        std::vector<double> out(frames);
        for (std::size_t f = 0; f < frames; ++f) out[f] = reachOf(side, bends[f]);
        return out;
    }

    // Legs whose feet are held have the pelvis lowered until they reach. Other feet are drawn up.
    void bendLegs(double speed, Plan& out) const {
        constexpr int kRounds = 4;  // lowering for one leg bends the other
        const double fastest = std::max(kKneeShare * speed * source_.fastest, kSlowestKnee);
        const std::size_t frames = out.centre.size();
        std::vector<char> lowered(frames, 0);
        for (int round = 0; round < kRounds; ++round) {
            std::vector<double> needed(frames, 0.0);
            for (std::size_t side = 0; side < 2; ++side) {
                const std::vector<double> reach = reaches(out, side, fastest);
                for (std::size_t f = 0; f < frames; ++f) {
                    const FootGoal& goal = out.feet[side][f];
                    const Vec3 down = hipAt(out, f, side) - goal.ankle;
                    if (goal.hold < 1.0 || length(down) <= reach[f]) continue;
                    const double flat = down.x * down.x + down.z * down.z;
                    const double height =
                        std::sqrt(std::max(reach[f] * reach[f] - flat, 0.04 * reach[f] * reach[f]));
                    needed[f] = std::max(needed[f], down.y - height);
                }
            }
            const std::vector<double> lower = smoothEnvelope(needed, kLowering / frame_time_);
            for (std::size_t f = 0; f < frames; ++f) {
                out.centre[f].y -= lower[f];
                if (lower[f] > 0.0) lowered[f] = 1;
            }
        }
        for (std::size_t f = 0; f < frames; ++f) {
            out.lowered += lowered[f] ? 1 : 0;
            // A foot that nothing holds goes along.
            for (std::vector<FootGoal>& feet : out.feet)
                if (lowered[f]) feet[f].changed = true;
        }
        for (std::size_t side = 0; side < 2; ++side) drawUp(side, fastest, out);
    }

    void drawUp(std::size_t side, double fastest, Plan& out) const {
        const std::vector<double> reach = reaches(out, side, fastest);
        for (std::size_t f = 0; f < reach.size(); ++f) {
            FootGoal& goal = out.feet[side][f];
            const Vec3 down = goal.ankle - hipAt(out, f, side);
            const double far = length(down);
            if (goal.hold >= 1.0 || far <= reach[f] * (1.0 + 1e-9)) continue;
            goal.ankle += down * (reach[f] / far - 1.0);
            goal.changed = true;
        }
    }

    // Lengths of arms are not those of legs: hands that were near the floor, or near each other,
    // are so again.
    void placeHands(double floor, const RetargetKeep& keep, Plan& out) const {
        const double arms = to_.arm / from_.arm;
        out.hands.resize(source_.frames);
        for (std::size_t f = 0; f < source_.frames; ++f) {
            HandGoals& goals = out.hands[f];
            const Vec3 apart = source_.wrists[0][f] - source_.wrists[1][f];
            if (keep.pair) {
                const double far = length(apart) / from_.arm;
                goals.pair_share = 1.0 - smoothStep((far - kNearHands) / (kFarHands - kNearHands));
                goals.right_to_left = apart * arms;
            }
            const Vec3 middle = (source_.shoulders[0][f] + source_.shoulders[1][f]) / 2.0;
            for (std::size_t side = 0; side < 2; ++side) {
                const Vec3& wrist = source_.wrists[side][f];
                if (keep.body) goals.from_shoulders[side] = (wrist - middle) * arms;
                if (!keep.floor) continue;
                const double high = (wrist.y - floor) / from_.size();
                goals.floor_share[side] =
                    1.0 - smoothStep((high - kLowHand) / (kHighHand - kLowHand));
                goals.height[side] = out.floor + (wrist.y - floor) * scale_;
            }
            if (keep.body) goals.body_share = 1.0;
        }
    }

    const BodySegments& from_;
    const BodySegments& to_;
    const std::vector<SegmentShare>& shares_;
    double scale_;
    const SourceMotion& source_;
    double frame_time_;
};

}  // namespace

Plan makePlan(const BodyPair& bodies, const SourceMotion& source, const Contacts& contacts,
              const RetargetOptions& options, double frame_time) {
    return Planner(bodies, source, frame_time).make(contacts, options);
}

}  // namespace ulna::retarget::detail
