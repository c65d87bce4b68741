// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/foot_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "ulna/retarget/detail/envelope.h"
#include "ulna/retarget/detail/foot_track.h"

namespace ulna::retarget::detail {
namespace {

// How long corrections take to fade, and the last part of a contact, which decides where it is.
constexpr double kFade = 0.2, kDecides = 0.1;
constexpr double kStraighten = 6.0;  // radians per second
// Cosines of how far the foot's own up is from up: roll is none up to the first, and all from the
// second one on.
constexpr double kSteep = 0.5, kUpright = 0.9;
// Up to which height, in leg lengths, a sole is near the floor, and how firmly it is held there.
constexpr double kNearFloor = 0.08, kNearlyHeld = 0.9;

Vec3 level(Vec3 v) {
    v.y = 0.0;
    return v;
}

// One contact, and where on the floor it is.
struct Anchored {
    Contact contact;
    std::optional<Vec3> at = {};
};

// A sole that is flat during the contacts of its heel and its ball.
struct Flat {
    std::size_t first = 0, last = 0;
    std::size_t heel = 0, ball = 0;  // among the contacts
    Quat rotation = {};
};

class FootPlanner {
  public:
    FootPlanner(const FootPoints& foot, std::span<const Contact> contacts,
                const FootPlanOptions& options, std::vector<FootGoal>& goals)
        : foot_(foot), options_(options), goals_(goals), free_(goals) {
        for (const Contact& each : contacts)
            (each.part == SolePart::Heel ? heels_ : balls_).push_back({each});
        across_ = level(foot.ball - foot.heel);
        length_ = ulna::length(across_);
        heading_ = std::atan2(across_.x, across_.z);
    }

    void plan() {
        anchor();
        rotateAll();
        findHold();
        unroll();
        placeAll();
        stayAbove();
        if (foot_.toes) bendToes();
        for (std::size_t f = 0; f < goals_.size(); ++f)
            goals_[f].changed =
                !(goals_[f].ankle == free_[f].ankle && goals_[f].rotation == free_[f].rotation);
    }

  private:
    [[nodiscard]] std::size_t frames(double seconds) const {
        return static_cast<std::size_t>(std::max(1.0, std::round(seconds / options_.frame_time)));
    }
    [[nodiscard]] Vec3 freeHeel(std::size_t f) const {
        return heelOf(foot_, free_[f].ankle, free_[f].rotation);
    }
    [[nodiscard]] Vec3 freeBall(std::size_t f) const {
        return ballOf(foot_, free_[f].ankle, free_[f].rotation);
    }
    [[nodiscard]] Vec3 onFloor(Vec3 v, double lift = 0.0) const {
        v.y = options_.floor + lift;
        return v;
    }

    // Where each contact is: later ones first, since a clip may begin anywhere.
    void anchor() {
        for (std::size_t h = 0; h < heels_.size(); ++h) {
            for (std::size_t b = 0; b < balls_.size(); ++b) {
                const std::size_t first =
                    std::max(heels_[h].contact.first, balls_[b].contact.first);
                const std::size_t last = std::min(heels_[h].contact.last, balls_[b].contact.last);
                if (first <= last) flats_.push_back({first, last, h, b});
            }
        }
        std::sort(flats_.begin(), flats_.end(),
                  [](const Flat& a, const Flat& b) { return a.last > b.last; });
        for (Flat& flat : flats_) anchorFlat(flat);
        std::reverse(flats_.begin(), flats_.end());
        for (Anchored& each : heels_)
            if (!each.at)
                each.at = onFloor(mean(each.contact, [&](std::size_t f) { return freeHeel(f); }));
        for (Anchored& each : balls_)
            if (!each.at)
                each.at = onFloor(mean(each.contact, [&](std::size_t f) { return freeBall(f); }),
                                  foot_.lift);
    }

    template <class PointAt>
    [[nodiscard]] Vec3 mean(const Contact& contact, const PointAt& at) const {
        const std::size_t n = std::min(frames(kDecides), contact.last - contact.first + 1);
        Vec3 sum;
        for (std::size_t f = contact.last + 1 - n; f <= contact.last; ++f) sum += at(f);
        return sum / static_cast<double>(n);
    }

    void anchorFlat(Flat& flat) {
        Anchored& heel = heels_[flat.heel];
        Anchored& ball = balls_[flat.ball];
        const Contact both{.first = flat.first, .last = flat.last};
        Vec3 along = level(mean(both, [&](std::size_t f) { return freeBall(f) - freeHeel(f); }));
        if (heel.at && ball.at) along = level(*ball.at - *heel.at);
        along = normalizedOr(along, Vec3{0, 0, 1});
        if (!heel.at && !ball.at) {
            const Vec3 middle = onFloor(
                mean(both, [&](std::size_t f) { return (freeBall(f) + freeHeel(f)) / 2.0; }));
            heel.at = middle - along * (length_ / 2.0);
        }
        if (!ball.at) ball.at = onFloor(*heel.at + along * length_, foot_.lift);
        if (!heel.at) heel.at = onFloor(*ball.at - along * length_);
        flat.rotation = quatFromAxisAngle(Vec3{0, 1, 0}, std::atan2(along.x, along.z) - heading_);
    }

    // The rotation of the foot: flat where both ends are on the floor, and fading beside it.
    void rotateAll() {
        std::vector<char> held(goals_.size(), 0);
        std::vector<Quat> change(goals_.size());
        for (const Flat& flat : flats_) {
            for (std::size_t f = flat.first; f <= flat.last; ++f) {
                change[f] = conjugate(free_[f].rotation) * flat.rotation;
                held[f] = 1;
            }
        }
        fadeRotations(held, change);
        for (std::size_t f = 0; f < goals_.size(); ++f)
            goals_[f].rotation = normalized(free_[f].rotation * change[f]);
    }

    // Toes go with the foot. While the ball is on the floor they are flat on it, and at no time
    // below it: they bend about the axis across the foot.
    void bendToes() {
        const std::size_t n = goals_.size();
        std::vector<char> held(n, 0);
        std::vector<double> bend(n, 0.0);
        for (const Anchored& ball : balls_) {
            for (std::size_t f = ball.contact.first; f <= ball.contact.last; ++f) {
                bend[f] = bendToFloor(f);
                held[f] = 1;
            }
        }
        eachGap(held, [&](std::size_t begin, std::size_t end) {
            const double from = begin > 0 ? bend[begin - 1] : 0.0, to = end < n ? bend[end] : 0.0;
            fade(begin, end, begin > 0, end < n,
                 [&](std::size_t f, double a, double b) { bend[f] = from * a + to * b; });
        });
        for (std::size_t f = 0; f < n; ++f)
            if (!held[f] && tipAt(f, bend[f]) < options_.floor) bend[f] = bendToFloor(f);
        // Once free, toes straighten no faster than this, before a contact as after it; nor do they
        // leave a contact, or come to one, bent more than the floor asks by then.
        const std::vector<double> needed = bend;
        const double most = kStraighten * options_.frame_time;
        for (std::size_t f = 1; f < n; ++f)
            if (!held[f]) bend[f] = std::max(bend[f], bend[f - 1] - most);
        for (std::size_t f = n - 1; f-- > 0;)
            if (!held[f]) bend[f] = std::max(bend[f], bend[f + 1] - most);
        for (std::size_t f = 1; f < n; ++f)
            if (!held[f]) bend[f] = std::max(needed[f], std::min(bend[f], bend[f - 1] + most));
        for (std::size_t f = n - 1; f-- > 0;)
            if (!held[f]) bend[f] = std::max(needed[f], std::min(bend[f], bend[f + 1] + most));
        for (std::size_t f = 0; f < n; ++f) goals_[f].toes = bentToes(f, bend[f]);
    }

    [[nodiscard]] Quat bentToes(std::size_t f, double bend) const {
        return normalized(goals_[f].rotation * quatFromAxisAngle(Vec3{1, 0, 0}, -bend) *
                          conjugate(free_[f].rotation) * free_[f].toes);
    }
    [[nodiscard]] double tipAt(std::size_t f, double bend) const {
        return ballOf(foot_, goals_[f].ankle, goals_[f].rotation).y +
               rotate(bentToes(f, bend), foot_.tip).y;
    }

    // How far toes bend upwards for their tip to be on the floor, or as high as it can be.
    [[nodiscard]] double bendToFloor(std::size_t f) const {
        const FootGoal& goal = goals_[f];
        const Vec3 tip = rotate(conjugate(free_[f].rotation) * free_[f].toes, foot_.tip);
        const Vec3 up = rotate(conjugate(goal.rotation), Vec3{0, 1, 0});
        // The height of the tip above the ball is a cosine of the bend.
        const double a = up.y * tip.y + up.z * tip.z, b = up.y * tip.z - up.z * tip.y;
        const double most = std::hypot(a, b);
        if (!(most > 0.0)) return 0.0;
        const double low =
            options_.floor - ballOf(foot_, goal.ankle, goal.rotation).y - up.x * tip.x;
        const double bend = std::atan2(b, a) - std::acos(std::clamp(low / most, -1.0, 1.0));
        return std::remainder(bend, 2.0 * std::numbers::pi);
    }

    // Between frames that are held, corrections fade.
    void fadeRotations(const std::vector<char>& held, std::vector<Quat>& change) const {
        eachGap(held, [&](std::size_t begin, std::size_t end) {
            const bool before = begin > 0, after = end < goals_.size();
            if (!before && !after) return;
            const Quat from = change[before ? begin - 1 : end];
            const Quat to = change[after ? end : begin - 1];
            fade(begin, end, before, after, [&](std::size_t f, double a, double b) {
                if (a + b > 0.0)
                    change[f] = slerp({}, slerp(from, to, b / (a + b)), std::min(a + b, 1.0));
            });
        });
    }

    // Runs of frames that nothing holds: act(the first, one after the last).
    template <class Act>
    void eachGap(const std::vector<char>& held, const Act& act) const {
        std::size_t f = 0;
        while (f < held.size()) {
            std::size_t end = f;
            while (end < held.size() && !held[end]) ++end;
            if (end > f) act(f, end);
            f = end + 1;
        }
    }

    // How much of the corrections before and after a gap counts in each of its frames: set(frame,
    // share of the one before, share of the one after).
    template <class Set>
    void fade(std::size_t begin, std::size_t end, bool before, bool after, const Set& set) const {
        const double gap = static_cast<double>(end - begin) + 1.0;
        const double most = static_cast<double>(frames(kFade));
        const double width = before && after ? std::min(most, gap) : most;
        for (std::size_t f = begin; f < end; ++f) {
            const double since = static_cast<double>(f - begin) + 1.0;
            const double until = static_cast<double>(end - f);
            set(f, before ? 1.0 - smoothStep(since / width) : 0.0,
                after ? 1.0 - smoothStep(until / width) : 0.0);
        }
    }

    void findHold() {
        findHold(heels_, &FootGoal::heel);
        findHold(balls_, &FootGoal::ball);
        for (FootGoal& goal : goals_) goal.hold = std::max(goal.heel, goal.ball);
    }

    void findHold(const std::vector<Anchored>& contacts, double FootGoal::*hold) {
        std::vector<char> held(goals_.size(), 0);
        for (const Anchored& each : contacts)
            for (std::size_t f = each.contact.first; f <= each.contact.last; ++f) held[f] = 1;
        eachGap(held, [&](std::size_t begin, std::size_t end) {
            fade(begin, end, begin > 0, end < goals_.size(),
                 [&](std::size_t f, double a, double b) { goals_[f].*hold = std::max(a, b); });
        });
        for (std::size_t f = 0; f < goals_.size(); ++f)
            if (held[f]) goals_[f].*hold = 1.0;
    }

    // A stiff sole that touches the floor stands on its whole width. Feet with toes roll.
    void unroll() {
        if (foot_.toes) return;
        for (FootGoal& goal : goals_) {
            if (goal.hold <= 0.0) continue;
            const Vec3 up{0, 1, 0};
            // A foot on its tip, or upside down, has no roll to speak of.
            const double upright = (rotate(goal.rotation, up).y - kSteep) / (kUpright - kSteep);
            if (upright <= 0.0) continue;
            const Vec3 across = cross(up, rotate(goal.rotation, across_));
            const Vec3 side = rotate(goal.rotation, normalizedOr(cross(up, across_), up));
            const Quat change = quatBetween(side, normalizedOr(across, side));
            goal.rotation =
                normalized(slerp({}, change, goal.hold * smoothStep(upright)) * goal.rotation);
        }
    }

    void placeAll() {
        std::vector<char> held(goals_.size(), 0);
        std::vector<Vec3> change(goals_.size());
        const auto hold = [&](const std::vector<Anchored>& all, bool heel) {
            for (const Anchored& each : all) {
                for (std::size_t f = each.contact.first; f <= each.contact.last; ++f) {
                    // Of a flat sole both anchors say the same.
                    if (held[f]) continue;
                    const Vec3 point = heel ? foot_.heel : foot_.ball;
                    levelled(f, heel);
                    change[f] = *each.at - rotate(goals_[f].rotation, point) - free_[f].ankle;
                    held[f] = 1;
                }
            }
        };
        hold(heels_, true);
        hold(balls_, false);
        eachGap(held, [&](std::size_t begin, std::size_t end) {
            const bool before = begin > 0, after = end < goals_.size();
            const Vec3 from = before ? change[begin - 1] : Vec3{},
                       to = after ? change[end] : Vec3{};
            fade(begin, end, before, after,
                 [&](std::size_t f, double a, double b) { change[f] = from * a + to * b; });
        });
        for (std::size_t k = 0; k < goals_.size(); ++k)
            goals_[k].ankle = free_[k].ankle + change[k];
    }

    // A foot that stands on one end has the other one no lower.
    void levelled(std::size_t f, bool heel) {
        const Vec3 along = rotate(goals_[f].rotation, across_);
        const double rise = heel ? along.y : -along.y;
        if (rise >= 0.0) return;
        const Vec3 flat = normalizedOr(level(along), Vec3{0, 0, 1});
        goals_[f].rotation =
            normalized(quatBetween(normalizedOr(along, flat), flat) * goals_[f].rotation);
    }

    [[nodiscard]] double lowest(const FootGoal& goal) const {
        double low = std::min(heelOf(foot_, goal.ankle, goal.rotation).y,
                              ballOf(foot_, goal.ankle, goal.rotation).y - foot_.lift);
        if (!foot_.toes) low = std::min(low, (goal.ankle + rotate(goal.rotation, foot_.tip)).y);
        for (const Vec3& point : foot_.outline)
            low = std::min(low, (goal.ankle + rotate(goal.rotation, point)).y);
        return low;
    }

    // Nothing of the sole is below the floor, and what is near it is held nearly as in contact:
    // joints that cannot follow must not bring it down.
    void stayAbove() {
        for (FootGoal& goal : goals_) {
            const double low = lowest(goal) - options_.floor;
            if (goal.hold >= 1.0) continue;
            if (low < 0.0) goal.ankle.y -= low;
            const double near = kNearlyHeld * (1.0 - smoothStep(low / (kNearFloor * options_.leg)));
            for (double* hold : {&goal.heel, &goal.ball, &goal.hold}) *hold = std::max(*hold, near);
        }
    }

    const FootPoints& foot_;
    const FootPlanOptions& options_;
    std::vector<FootGoal>& goals_;
    std::vector<FootGoal> free_;
    std::vector<Anchored> heels_, balls_;
    std::vector<Flat> flats_;
    Vec3 across_ = {};
    double length_ = 0.0, heading_ = 0.0;
};

}  // namespace

void planFoot(const FootPoints& foot, std::span<const Contact> contacts,
              const FootPlanOptions& options, std::vector<FootGoal>& goals) {
    if (goals.empty()) return;
    FootPlanner(foot, contacts, options, goals).plan();
}

}  // namespace ulna::retarget::detail
