// SPDX-License-Identifier: Apache-2.0

// A clip goes through three steps. What the source does: rotations of its segments and the path of
// its soles (Source). What the target should do: the same rotations, the path scaled, feet that
// stay (Plan). Poses that do it (detail/poser.h). The first two know no joints of the target and
// depend on no other frame but for contacts, whose corrections fade within a fifth of a second.
#include "ulna/retarget/retarget.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "ulna/retarget/detail/envelope.h"
#include "ulna/retarget/detail/foot_plan.h"
#include "ulna/retarget/detail/foot_track.h"
#include "ulna/retarget/detail/poser.h"
#include "ulna/retarget/detail/segments.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

namespace rd = retarget::detail;
using rd::BodySegments;
using rd::FootGoal;
using rd::Part;
using rd::Segment;

// Bodies whose lengths differ by less than this have the same proportions.
constexpr double kSameBody = 0.005;
// How much of a leg's length may be used where its foot is held.
constexpr double kReach = 0.997;
// The time over which the pelvis is lowered for a leg that does not reach.
constexpr double kLowering = 0.08;

// Where a segment of the target gets its rotation: between two of the source's. `from` is -1 where
// the source has nothing like it, and the segment stays as its parent.
struct Sample {
    int from = -1, to = -1;
    double share = 0.0;
};

// The t-th element of a chain, t between elements allowed.
Sample along(const std::vector<int>& chain, double t) {
    const double most = static_cast<double>(chain.size() - 1);
    const double at = std::clamp(t, 0.0, most);
    const auto k = static_cast<std::size_t>(std::min(std::floor(at), std::max(most - 1.0, 0.0)));
    const std::size_t next = std::min(k + 1, chain.size() - 1);
    return {chain[k], chain[next], at - static_cast<double>(k)};
}

// What shares the bends of a chain of `from` below its base is a chain of `to`.
void shareChain(const std::vector<int>& from, int base, const std::vector<int>& to,
                std::vector<Sample>& samples) {
    if (base < 0) return;
    std::vector<int> whole = {base};
    whole.insert(whole.end(), from.begin(), from.end());
    const double step = static_cast<double>(from.size()) / static_cast<double>(to.size());
    for (std::size_t k = 0; k < to.size(); ++k)
        samples[static_cast<std::size_t>(to[k])] = along(whole, step * static_cast<double>(k + 1));
}

// Joints that are no part of a human body, and are called alike in both: they are moved alike.
void addNamesakes(const RetargetBody& source, const RetargetBody& target, BodySegments& from,
                  BodySegments& to, std::vector<Sample>& samples) {
    for (const JointId j : target.skeleton.joints()) {
        if (to.of[index(j)] >= 0 || target.skeleton.kind(j) != JointKind::Ball) continue;
        const JointId like = source.skeleton.find(target.skeleton.name(j));
        if (like == JointId::None || from.of[index(like)] >= 0) continue;
        const int own = rd::addJoint(target.skeleton, target.rest, j, to);
        const int other = rd::addJoint(source.skeleton, source.rest, like, from);
        if (own >= 0 && other >= 0) samples.push_back({other, other, 0.0});
    }
}

std::vector<Sample> samplesOf(const BodySegments& source, const BodySegments& target) {
    std::vector<Sample> out(target.segments.size());
    out[0] = {0, 0, 0.0};
    const int chest = source.spine.empty() ? 0 : source.spine.back();
    if (!target.spine.empty()) shareChain(source.spine, 0, target.spine, out);
    if (!target.neck.empty() && !source.neck.empty())
        shareChain(source.neck, chest, target.neck, out);
    for (std::size_t side = 0; side < 2; ++side) {
        for (const Part part : {Part::Collar, Part::UpperArm, Part::Forearm, Part::Hand,
                                Part::Thigh, Part::Shin, Part::Foot, Part::Toes}) {
            const int to = target.part(part, side), from = source.part(part, side);
            if (to >= 0 && from >= 0) out[static_cast<std::size_t>(to)] = {from, from, 0.0};
        }
        for (std::size_t f = 0; f < 5; ++f) {
            if (source.fingers[side][f].empty() || target.fingers[side][f].empty()) continue;
            shareChain(source.fingers[side][f], source.part(Part::Hand, side),
                       target.fingers[side][f], out);
        }
    }
    return out;
}

bool near(double a, double b, double size) {
    return std::abs(a - b) <= kSameBody * size;
}

// Whether lengths are the same after scaling, so that feet go where they went by themselves.
bool sameProportions(const BodySegments& a, const BodySegments& b, double scale) {
    if (a.leg <= 0.0 || b.leg <= 0.0) return true;
    bool same = near(a.ankle * scale, b.ankle, b.leg);
    for (std::size_t side = 0; side < 2; ++side) {
        same = same && near(a.thigh[side] * scale, b.thigh[side], b.leg) &&
               near(a.shin[side] * scale, b.shin[side], b.leg) &&
               distance((a.hip[side] - a.centre) * scale, b.hip[side] - b.centre) <=
                   2.0 * kSameBody * b.leg;
    }
    return same;
}

// What the source does, in the axes of its ground.
struct Source {
    std::size_t frames = 0, width = 0;
    std::vector<Quat> d;  // frame by frame, per segment
    std::vector<Vec3> centre;
    rd::FootTracks soles;
    double fastest = 0.0;

    [[nodiscard]] std::span<const Quat> at(std::size_t f) const {
        return std::span(d).subspan(f * width, width);
    }
};

// Orientations and positions of all joints, without the shear of scales.
void placeJoints(const Skeleton& skeleton, const Pose& pose, std::vector<Quat>& orientations,
                 ModelPose& model) {
    computeModelPose(skeleton, pose, model);
    orientations.resize(skeleton.jointCount());
    const std::span<const JointId> parents = skeleton.parents();
    for (std::size_t i = 0; i < orientations.size(); ++i) {
        const Quat& own = pose.parent_from_joint[i].rotation;
        orientations[i] = parents[i] == JointId::None ? own : orientations[index(parents[i])] * own;
    }
}

Source readSource(const Skeleton& skeleton, const BodySegments& body, const Motion& motion) {
    Source out;
    out.frames = motion.frameCount();
    out.width = body.segments.size();
    out.d.resize(out.frames * out.width);
    out.centre.resize(out.frames);
    const bool legs = body.hasLeg(0) && body.hasLeg(1);
    for (rd::FootTrack& foot : out.soles) {
        foot.heel.resize(legs ? out.frames : 0);
        foot.ball.resize(legs ? out.frames : 0);
    }
    const Quat ground_from_model = conjugate(body.model_from_ground);
    Pose pose = motion.base(), before;
    ModelPose model;
    std::vector<Quat> orientations;
    for (std::size_t f = 0; f < out.frames; ++f) {
        motion.getPose(f, pose);
        placeJoints(skeleton, pose, orientations, model);
        const std::span<Quat> d = std::span(out.d).subspan(f * out.width, out.width);
        rd::computeSegmentRotations(body, orientations, d);
        const JointId hips = body.segments.front().first;
        out.centre[f] = rotate(ground_from_model, model.position(hips)) + rotate(d[0], body.centre);
        for (std::size_t side = 0; legs && side < 2; ++side) {
            const auto foot = static_cast<std::size_t>(body.part(Part::Foot, side));
            const Vec3 ankle = rotate(ground_from_model, model.position(body.segments[foot].frame));
            out.soles[side].heel[f] = rd::heelOf(body.feet[side], ankle, d[foot]);
            out.soles[side].ball[f] = rd::ballOf(body.feet[side], ankle, d[foot]);
            out.soles[side].ball[f].y -= body.feet[side].lift;
        }
        if (f > 0) {
            for (const JointId j : motion.tracks().rotated)
                out.fastest =
                    std::max(out.fastest, angleBetween(before[j].rotation, pose[j].rotation) /
                                              motion.frameTime());
        }
        before = pose;
    }
    return out;
}

// What the target should do, in the axes of its ground.
struct Plan {
    double floor = 0.0;
    bool lock = false;
    std::vector<Quat> d;  // frame by frame, per segment of the target
    std::vector<Vec3> centre;
    std::array<std::vector<FootGoal>, 2> feet;  // empty: legs point as they do in the source
    std::size_t lowered = 0;
};

class Planner {
  public:
    Planner(const BodySegments& source, const BodySegments& target,
            const std::vector<Sample>& samples, double scale)
        : from_(source), to_(target), samples_(samples), scale_(scale) {}

    [[nodiscard]] Plan make(const Source& source, const Contacts& contacts,
                            const RetargetOptions& options, double frame_time) {
        Plan out;
        const bool legs = to_.hasLeg(0) && to_.hasLeg(1) && from_.hasLeg(0) && from_.hasLeg(1);
        out.lock =
            legs && (options.feet == RetargetFeet::Lock ||
                     (options.feet == RetargetFeet::Auto && !sameProportions(from_, to_, scale_)));
        out.floor = out.lock ? options.floor : contacts.floor * scale_;
        rotateAll(source, out);
        placeCentre(source, contacts.floor, legs, out);
        if (out.lock) {
            const rd::FootPlanOptions plan{
                .floor = out.floor, .frame_time = frame_time, .leg = to_.leg};
            for (std::size_t side = 0; side < 2; ++side) {
                placeFeet(side, out);
                std::vector<Contact> own;
                for (const Contact& each : contacts.contacts)
                    if ((each.side == BodySide::Left) == (side == 0)) own.push_back(each);
                rd::planFoot(to_.feet[side], own, plan, out.feet[side]);
            }
            lowerPelvis(frame_time, out);
        }
        return out;
    }

  private:
    void rotateAll(const Source& source, Plan& out) const {
        const std::size_t width = to_.segments.size();
        out.d.resize(source.frames * width);
        for (std::size_t f = 0; f < source.frames; ++f) {
            const std::span<const Quat> from = source.at(f);
            Quat* d = out.d.data() + f * width;
            for (std::size_t i = 0; i < width; ++i) {
                const Sample& sample = samples_[i];
                if (sample.from < 0) {
                    const int parent = to_.segments[i].parent;
                    d[i] = parent < 0 ? Quat{} : d[static_cast<std::size_t>(parent)];
                    continue;
                }
                const Quat& a = from[static_cast<std::size_t>(sample.from)];
                d[i] = sample.share == 0.0
                           ? a
                           : slerp(a, from[static_cast<std::size_t>(sample.to)], sample.share);
            }
        }
    }

    // The path of the hips, scaled; heights above the ankles, so that straight legs stay straight.
    void placeCentre(const Source& source, double floor, bool legs, Plan& out) const {
        out.centre.resize(source.frames);
        const double ankle = legs && out.lock ? from_.ankle : 0.0;
        const double own_ankle = legs && out.lock ? to_.ankle : 0.0;
        for (std::size_t f = 0; f < source.frames; ++f) {
            const Vec3& at = source.centre[f];
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

    void lowerPelvis(double frame_time, Plan& out) const {
        const std::size_t frames = out.centre.size();
        std::vector<double> needed(frames, 0.0);
        for (std::size_t side = 0; side < 2; ++side) {
            const double reach = kReach * (to_.thigh[side] + to_.shin[side]);
            for (std::size_t f = 0; f < frames; ++f) {
                const FootGoal& goal = out.feet[side][f];
                if (goal.hold < 1.0) continue;
                const Vec3 down = hipAt(out, f, side) - goal.ankle;
                const double flat = down.x * down.x + down.z * down.z;
                const double height =
                    std::sqrt(std::max(reach * reach - flat, 0.04 * reach * reach));
                needed[f] = std::max(needed[f], down.y - height);
            }
        }
        const std::vector<double> lower = rd::smoothEnvelope(needed, kLowering / frame_time);
        for (std::size_t f = 0; f < frames; ++f) {
            if (lower[f] <= 0.0) continue;
            ++out.lowered;
            out.centre[f].y -= lower[f];
            // A foot that nothing holds goes along.
            for (std::vector<FootGoal>& feet : out.feet) {
                FootGoal& goal = feet[f];
                if (goal.hold < 1.0) goal.changed = true;
            }
        }
    }

    const BodySegments& from_;
    const BodySegments& to_;
    const std::vector<Sample>& samples_;
    double scale_;
};

// Collects what a report says, frame by frame.
class Judge {
  public:
    Judge(const Skeleton& skeleton, const BodySegments& target, const Plan& plan,
          const Contacts& contacts, std::size_t frames, double frame_time)
        : skeleton_(skeleton), body_(target), plan_(plan), frame_time_(frame_time) {
        for (auto& side : touching_)
            for (auto& part : side) part.assign(frames, 0);
        for (const Contact& each : contacts.contacts)
            for (std::size_t f = each.first; f <= each.last; ++f)
                touching_[each.side == BodySide::Left ? 0 : 1][static_cast<std::size_t>(each.part)]
                         [f] = 1;
    }

    void look(std::size_t f, const rd::Poser& poser, const Pose& pose) {
        const Quat ground_from_model = conjugate(body_.model_from_ground);
        if (!plan_.feet[0].empty()) {
            for (std::size_t side = 0; side < 2; ++side) {
                const auto foot = static_cast<std::size_t>(body_.part(Part::Foot, side));
                const Segment& segment = body_.segments[foot];
                const Vec3 ankle = rotate(ground_from_model, poser.position(segment.frame));
                const Quat d = ground_from_model * poser.orientations()[index(segment.frame)] *
                               segment.canonical_from_joint;
                std::array<Vec3, 2> now = {rd::heelOf(body_.feet[side], ankle, d),
                                           rd::ballOf(body_.feet[side], ankle, d)};
                now[1].y -= body_.feet[side].lift;
                for (std::size_t part = 0; part < 2; ++part) {
                    report_.penetration = std::max(report_.penetration, plan_.floor - now[part].y);
                    if (f > 0 && touching_[side][part][f] && touching_[side][part][f - 1]) {
                        Vec3 slide = now[part] - soles_[side][part];
                        slide.y = 0.0;
                        const double speed = length(slide) / frame_time_;
                        report_.slide_most = std::max(report_.slide_most, speed);
                        sum_ += speed;
                        ++count_;
                    }
                    soles_[side][part] = now[part];
                }
            }
        }
        for (std::size_t i = 0; i < body_.segments.size(); ++i) {
            const Segment& segment = body_.segments[i];
            if (segment.relative || length(segment.direction) == 0.0) continue;
            const Quat d = ground_from_model * poser.orientations()[index(segment.frame)] *
                           segment.canonical_from_joint;
            const Vec3 is = rotate(d, segment.direction);
            const Vec3 should = rotate(asked_[i], segment.direction);
            const double off = std::atan2(length(cross(is, should)), dot(is, should));
            report_.direction_most = std::max(report_.direction_most, off);
            directions_ += off;
            ++direction_count_;
        }
        if (f > 0) {
            for (const JointId j : skeleton_.joints()) {
                const double speed =
                    angleBetween(before_[j].rotation, pose[j].rotation) / frame_time_;
                if (speed <= report_.fastest) continue;
                report_.fastest = speed;
                report_.fastest_joint = j;
            }
        }
        before_ = pose;
    }

    // What was asked of the segments, before legs were bent.
    void ask(std::span<const Quat> d) { asked_.assign(d.begin(), d.end()); }

    [[nodiscard]] RetargetReport take() {
        if (count_ > 0) report_.slide_mean = sum_ / static_cast<double>(count_);
        if (direction_count_ > 0)
            report_.direction_mean = directions_ / static_cast<double>(direction_count_);
        return report_;
    }

  private:
    const Skeleton& skeleton_;
    const BodySegments& body_;
    const Plan& plan_;
    double frame_time_;
    std::array<std::array<std::vector<char>, 2>, 2> touching_;
    std::array<std::array<Vec3, 2>, 2> soles_ = {};
    std::vector<Quat> asked_;
    Pose before_;
    RetargetReport report_;
    double sum_ = 0.0, directions_ = 0.0;
    std::size_t count_ = 0, direction_count_ = 0;
};

Result<BodySegments> segmentsOf(const RetargetBody& body, const char* which) {
    Result<HumanBody> found = findHumanBody(body.skeleton, body.rest);
    if (!found) {
        Diagnostic error = found.error();
        error.what = std::string("the ") + which + ": " + error.what;
        return error;
    }
    return rd::makeSegments(body.skeleton, body.rest, *found, body.soles);
}

}  // namespace

struct Retargeter::State {
    Skeleton source, target;
    Pose target_rest;
    BodySegments from, to;
    std::vector<Sample> samples;
    double scale = 1.0;
};

Retargeter::Retargeter(std::unique_ptr<State> state) : state_(std::move(state)) {}
Retargeter::Retargeter(Retargeter&&) noexcept = default;
Retargeter& Retargeter::operator=(Retargeter&&) noexcept = default;
Retargeter::~Retargeter() = default;

double Retargeter::scale() const {
    return state_->scale;
}

Result<Retargeter> Retargeter::make(const RetargetBody& source, const RetargetBody& target) {
    Result<BodySegments> from = segmentsOf(source, "source");
    if (!from) return from.error();
    Result<BodySegments> to = segmentsOf(target, "target");
    if (!to) return to.error();
    auto state = std::make_unique<State>(State{.source = source.skeleton,
                                               .target = target.skeleton,
                                               .target_rest = target.rest,
                                               .from = *std::move(from),
                                               .to = *std::move(to),
                                               .samples = {}});
    const BodySegments& a = state->from;
    const BodySegments& b = state->to;
    if (a.leg > 0.0 && b.leg > 0.0)
        state->scale = b.leg / a.leg;
    else if (a.trunk > 0.0 && b.trunk > 0.0)
        state->scale = b.trunk / a.trunk;
    else if (a.arm > 0.0 && b.arm > 0.0)
        state->scale = b.arm / a.arm;
    state->samples = samplesOf(a, b);
    addNamesakes(source, target, state->from, state->to, state->samples);
    return Retargeter(std::move(state));
}

Result<RetargetResult> Retargeter::retarget(const Motion& motion, const RetargetOptions& options,
                                            const Progress& progress) const {
    const State& s = *state_;
    const std::size_t frames = motion.frameCount();
    ULNA_ASSERT(motion.jointCount() == s.source.jointCount(),
                "the motion is of another skeleton than the source");
    if (frames == 0)
        return Diagnostic{.what = "the clip has no frames",
                          .advice = "there is nothing to retarget"};
    Source source = readSource(s.source, s.from, motion);
    Contacts contacts;
    if (options.contacts) {
        contacts = *options.contacts;
        if (Status status = checkContacts(contacts, frames); !status) return status.error();
    } else if (s.from.hasLeg(0) && s.from.hasLeg(1)) {
        contacts.floor = options.contact.floor.value_or(
            rd::findFloor(source.soles, motion.frameTime(), s.from.leg));
        contacts.contacts = rd::findSpans(source.soles, motion.frameTime(), s.from.leg,
                                          contacts.floor, options.contact);
    }
    Plan plan = Planner(s.from, s.to, s.samples, s.scale)
                    .make(source, contacts, options, motion.frameTime());
    rd::Poser poser(s.target, s.target_rest, s.to);
    RetargetResult out{
        Motion(s.target_rest, frames, motion.frameTime(), poser.tracks()), std::move(contacts), {}};
    out.motion.name = motion.name;
    Judge judge(s.target, s.to, plan, out.contacts, frames, motion.frameTime());
    const double largest = std::max(options.speed * source.fastest, 1.0) * motion.frameTime();
    Pose pose = s.target_rest;
    const std::size_t width = s.to.segments.size();
    for (std::size_t f = 0; f < frames; ++f) {
        rd::PlannedFrame frame{.d = std::span(plan.d).subspan(f * width, width),
                               .centre = plan.centre[f],
                               .largest_move = largest};
        for (std::size_t side = 0; side < 2; ++side)
            if (!plan.feet[side].empty()) frame.feet[side] = &plan.feet[side][f];
        judge.ask(frame.d);
        poser.pose(frame, pose);
        judge.look(f, poser, pose);
        out.motion.setPose(f, pose);
        if (progress && f % 64 == 0 &&
            !progress(static_cast<double>(f) / static_cast<double>(frames)))
            return Diagnostic{.what = "retargeting was cancelled"};
    }
    out.report = judge.take();
    out.report.scale = s.scale;
    out.report.floor = plan.floor;
    out.report.lowered = plan.lowered;
    out.report.fastest_source = source.fastest;
    return out;
}

Result<Contacts> findContacts(const Skeleton& skeleton, const Pose& rest, const Motion& motion,
                              const ContactOptions& options) {
    const Result<BodySegments> body = segmentsOf({skeleton, rest}, "body");
    if (!body) return body.error();
    if (!body->hasLeg(0) || !body->hasLeg(1))
        return Diagnostic{.what = "contacts are of feet, and no legs are recognised"};
    if (motion.frameCount() == 0) return Contacts{.floor = options.floor.value_or(0.0)};
    const Source source = readSource(skeleton, *body, motion);
    Contacts out;
    out.floor = options.floor.value_or(rd::findFloor(source.soles, motion.frameTime(), body->leg));
    out.contacts = rd::findSpans(source.soles, motion.frameTime(), body->leg, out.floor, options);
    return out;
}

}  // namespace ulna
