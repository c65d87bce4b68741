// SPDX-License-Identifier: Apache-2.0

// A clip goes through three steps. What the source does: rotations of its segments and the path of
// its soles (detail/source_motion.h). What the target should do: the same rotations, the path
// scaled, feet that stay (detail/plan.h). Poses that do it (detail/poser.h). The first two know no
// joints of the target, and depend on other frames only near contacts: corrections fade within a
// fifth of a second.
#include "ulna/retarget/retarget.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ulna/retarget/detail/correspondence.h"
#include "ulna/retarget/detail/judge.h"
#include "ulna/retarget/detail/paired_segments.h"
#include "ulna/retarget/detail/plan.h"
#include "ulna/retarget/detail/poser.h"
#include "ulna/retarget/detail/source_motion.h"

namespace ulna {
namespace {

namespace rd = retarget::detail;
using rd::BodySegments;

// Joints may always be this fast, in radians per second: a source that stands still asks nothing.
constexpr double kSlowest = 1.0;
// What is this many times as fast as all else is another shot.
constexpr double kJump = 3.0;
// What files lose of an angle must not make a joint too fast.
constexpr double kRounding = 1e-6;

// None where there are no legs.
Contacts contactsOf(const BodySegments& body, const rd::SourceMotion& source, double frame_time,
                    const ContactOptions& options) {
    Contacts out;
    if (!body.hasLeg(0) || !body.hasLeg(1)) return out;
    out.floor = options.floor.value_or(rd::findFloor(source.soles, frame_time, body.leg));
    out.contacts = rd::findSpans(source.soles, frame_time, body.leg, out.floor, options);
    return out;
}

Result<BodySegments> segmentsOf(const RetargetBody& body, const char* which) {
    Result<HumanBody> found = findHumanBody(body.skeleton, body.rest, body.map);
    if (!found) {
        Diagnostic error = found.error();
        error.what = std::string("the ") + which + ": " + error.what;
        return error;
    }
    return rd::makeSegments(body.skeleton, body.rest, *found, body.soles);
}

// Bodies that are not both human: by the roles of four-legged ones, or by names.
rd::PairedBodies pairOthers(const RetargetBody& source, const RetargetBody& target) {
    const Result<BodyRoles> a = findBodyRoles(source.skeleton, source.rest, source.map);
    const Result<BodyRoles> b = findBodyRoles(target.skeleton, target.rest, target.map);
    if (a && b && a->kind == BodyKind::Quadruped && b->kind == BodyKind::Quadruped)
        return rd::pairByRoles(source.skeleton, source.rest, *a, target.skeleton, target.rest, *b);
    return rd::pairByNames(source.skeleton, source.rest, target.skeleton, target.rest);
}

// Both grounds are at the same height then, and paths begin at the same point.
Affine targetFromSource(const BodySegments& from, const BodySegments& to, double scale,
                        double source_floor, double floor) {
    const Mat3 target_from_ground = toMatrix(to.model_from_ground);
    const Mat3 rotation = target_from_ground * transpose(toMatrix(from.model_from_ground));
    const Vec3 raised{0.0, floor - scale * source_floor, 0.0};
    return makeAffine(Mat3::fromColumns(rotation * Vec3{scale, 0, 0}, rotation * Vec3{0, scale, 0},
                                        rotation * Vec3{0, 0, scale}),
                      target_from_ground * raised);
}

}  // namespace

struct Retargeter::State {
    Skeleton source, target;
    Pose target_rest;
    BodySegments from, to;
    std::vector<rd::SegmentShare> shares;
    double scale = 1.0;
};

Retargeter::Retargeter(std::unique_ptr<State> state) : state_(std::move(state)) {}
Retargeter::Retargeter(Retargeter&&) noexcept = default;
Retargeter& Retargeter::operator=(Retargeter&&) noexcept = default;
Retargeter::~Retargeter() = default;

std::size_t RetargetReport::limitedFrames() const {
    return static_cast<std::size_t>(
        std::count_if(at_limit.begin(), at_limit.end(), [](std::uint32_t n) { return n > 0; }));
}

double Retargeter::scale() const {
    return state_->scale;
}

Result<Retargeter> Retargeter::make(const RetargetBody& source, const RetargetBody& target) {
    const Result<BodySegments> from = segmentsOf(source, "source");
    const Result<BodySegments> to = segmentsOf(target, "target");
    rd::PairedBodies pair;
    if (from && to) {
        pair = {*from, *to, rd::findShares(*from, *to)};
        rd::addNamesakes(source.skeleton, source.rest, target.skeleton, target.rest, pair.from,
                         pair.to, pair.shares);
    } else {
        pair = pairOthers(source, target);
        if (pair.shares.empty()) {
            Diagnostic error = from ? to.error() : from.error();
            error.advice += "; bodies of other kinds need the same names for at least " +
                            std::to_string(rd::kFewestNames) + " joints, or maps of their roles";
            return error;
        }
    }
    const double scale = rd::sizeRatio(pair.from, pair.to);
    return Retargeter(std::make_unique<State>(State{.source = source.skeleton,
                                                    .target = target.skeleton,
                                                    .target_rest = target.rest,
                                                    .from = std::move(pair.from),
                                                    .to = std::move(pair.to),
                                                    .shares = std::move(pair.shares),
                                                    .scale = scale}));
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
    const rd::SourceMotion source = rd::readSource(s.source, s.from, motion);
    Contacts contacts;
    if (options.contacts) {
        contacts = *options.contacts;
        if (Status status = checkContacts(contacts, frames); !status) return status.error();
    } else {
        contacts = contactsOf(s.from, source, motion.frameTime(), options.contact);
    }
    rd::Plan plan = rd::makePlan({s.from, s.to, s.shares, s.scale}, source, contacts, options,
                                 motion.frameTime());
    rd::Poser poser(s.target, s.target_rest, s.to);
    const double source_floor = contacts.floor;
    RetargetResult out{Motion(s.target_rest, frames, motion.frameTime(), poser.tracks()),
                       std::move(contacts),
                       {},
                       targetFromSource(s.from, s.to, s.scale, source_floor, plan.floor)};
    out.motion.name = motion.name;
    rd::Judge judge(s.target, {s.from, s.to, s.shares, s.scale}, source, plan, out.contacts,
                    motion.frameTime());
    Pose pose = s.target_rest;
    const std::size_t width = s.to.segments.size();
    for (std::size_t f = 0; f < frames; ++f) {
        // Where the source jumps, the target may jump as well.
        const double fastest = std::max(source.fastest, source.speeds[f]);
        rd::PlannedFrame frame{.d = std::span(plan.d).subspan(f * width, width),
                               .centre = plan.centre[f],
                               .hands = plan.hands.empty() ? nullptr : &plan.hands[f],
                               .largest_move = (1.0 - kRounding) *
                                               std::max(options.speed * fastest, kSlowest) *
                                               motion.frameTime(),
                               .fresh = f == 0 || source.speeds[f] > kJump * source.fastest};
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
    return contactsOf(*body, rd::readSource(skeleton, *body, motion), motion.frameTime(), options);
}

}  // namespace ulna
