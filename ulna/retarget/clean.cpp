// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/clean.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ulna/retarget/detail/envelope.h"
#include "ulna/retarget/detail/foot_lock.h"
#include "ulna/retarget/detail/sole_path.h"

namespace ulna {
namespace {

namespace rd = retarget::detail;
using rd::BodySegments;

// Repairs uncover spikes beside others; they end after a few rounds, or never.
constexpr int kMostRounds = 4;
// The time over which the body is raised where soles would be below the ground, in seconds.
constexpr double kRaising = 0.08;

CleanChange changeBetween(const Motion& before, const Motion& after) {
    CleanChange out;
    Pose a = before.base(), b = after.base();
    for (std::size_t f = 0; f < after.frameCount(); ++f) {
        before.getPose(f, a);
        after.getPose(f, b);
        for (std::size_t i = 0; i < a.parent_from_joint.size(); ++i) {
            const JointId j = jointId(i);
            const double rotation =
                a[j].rotation == b[j].rotation ? 0.0 : angleBetween(a[j].rotation, b[j].rotation);
            const double translation = distance(a[j].translation, b[j].translation);
            if (rotation > out.rotation) {
                out.rotation = rotation;
                out.joint = j;
                out.frame = f;
            }
            if (translation > out.translation) {
                out.translation = translation;
                out.moved_joint = j;
                out.moved_frame = f;
            }
        }
    }
    return out;
}

// The ground of a clip is where its soles are while they rest: the median height of all contacts.
// Those are found by a lower estimate, so that a clip that hovers has contacts too; a ground too
// low would pull the whole body down.
double restingHeight(const rd::FootTracks& tracks, const Contacts& contacts) {
    std::vector<double> heights;
    for (const Contact& each : contacts.contacts) {
        const rd::FootTrack& foot = tracks[each.side == BodySide::Left ? 0 : 1];
        const std::vector<Vec3>& points = each.part == SolePart::Heel ? foot.heel : foot.ball;
        for (std::size_t f = each.first; f <= each.last; ++f) heights.push_back(points[f].y);
    }
    if (heights.empty()) return contacts.floor;
    const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
    std::nth_element(heights.begin(), middle, heights.end());
    return *middle;
}

// A body with both legs; an error says what is missing.
Result<BodySegments> bodyOf(const RetargetBody& body) {
    const Result<HumanBody> found = findHumanBody(body.skeleton, body.rest, body.map);
    if (!found) return found.error();
    BodySegments out = rd::makeSegments(body.skeleton, body.rest, *found, body.soles);
    if (!out.hasLeg(0) || !out.hasLeg(1))
        return Diagnostic{.what = "no two legs are recognised by the names of the joints"};
    return out;
}

// Runs the steps one after the other on a clip.
class Cleaner {
  public:
    Cleaner(const RetargetBody& given, const Motion& motion, const CleanOptions& options,
            const Progress& progress)
        : skeleton_(given.skeleton),
          options_(options),
          progress_(progress),
          out_{.motion = motion, .contacts = {}, .report = {}} {}

    [[nodiscard]] Status clean(const Result<BodySegments>& body) {
        repair();
        if (body) {
            if (Status status = findGround(*body); !status) return status;
        }
        if (options_.smooth) {
            const Motion before = out_.motion;
            out_.motion = smoothed(before, *options_.smooth);
            out_.report.by_smooth = changeBetween(before, out_.motion);
        }
        if (!body) return Done{};
        if (options_.floor) moveGround(*body);
        if (options_.feet) {
            if (Status status = lock(*body); !status) return status;
        }
        out_.report.after = rd::measureSoles(*body, rd::readSolePath(skeleton_, *body, out_.motion),
                                             out_.contacts, out_.motion.frameTime());
        return Done{};
    }

    [[nodiscard]] CleanResult take() { return std::move(out_); }

  private:
    void repair() {
        CleanReport& report = out_.report;
        report.spikes = findSpikes(skeleton_, out_.motion, options_.spike);
        if (!options_.spikes) return;
        const Motion before = out_.motion;
        std::vector<Spike> found = report.spikes;
        for (int round = 0; round < kMostRounds; ++round) {
            std::erase_if(found, [](const Spike& s) { return s.kind == SpikeKind::Jump; });
            if (found.empty()) break;
            if (round > 0) report.spikes.insert(report.spikes.end(), found.begin(), found.end());
            out_.motion = withoutSpikes(out_.motion, found);
            found = findSpikes(skeleton_, out_.motion, options_.spike);
        }
        report.by_spikes = changeBetween(before, out_.motion);
    }

    [[nodiscard]] Status findGround(const BodySegments& body) {
        const Motion& motion = out_.motion;
        const rd::SolePath path = rd::readSolePath(skeleton_, body, motion);
        Contacts& contacts = out_.contacts;
        if (options_.contacts) {
            contacts = *options_.contacts;
            if (Status status = checkContacts(contacts, motion.frameCount()); !status)
                return status;
        } else {
            const rd::FootTracks tracks = rd::tracksOf(body, path);
            contacts.floor = options_.contact.floor.value_or(
                rd::findFloor(tracks, motion.frameTime(), body.leg));
            contacts.contacts = rd::findSpans(tracks, motion.frameTime(), body.leg, contacts.floor,
                                              options_.contact);
            if (!options_.contact.floor) contacts.floor = restingHeight(tracks, contacts);
        }
        CleanReport& report = out_.report;
        report.legs = true;
        report.soles = rd::solePointsOf(body);
        report.floor_before = contacts.floor;
        report.before = rd::measureSoles(body, path, contacts, motion.frameTime());
        return Done{};
    }

    // The body moves with its ground. Where legs are not bent for it, it is raised for soles that
    // would be below.
    void moveGround(const BodySegments& body) {
        const Motion before = out_.motion;
        const std::size_t frames = before.frameCount();
        const double by = *options_.floor - out_.contacts.floor;
        out_.contacts.floor = *options_.floor;
        out_.motion = rd::raised(skeleton_, body, before, std::vector<double>(frames, by));
        if (!options_.feet) {
            const std::vector<double> depths =
                rd::depthsOf(body, rd::readSolePath(skeleton_, body, out_.motion), *options_.floor);
            const std::vector<double> rise =
                rd::smoothEnvelope(depths, kRaising / before.frameTime());
            for (const double each : rise) out_.report.raised += each > 0.0 ? 1 : 0;
            out_.motion = rd::raised(skeleton_, body, out_.motion, rise);
        }
        out_.report.by_floor = changeBetween(before, out_.motion);
    }

    [[nodiscard]] Status lock(const BodySegments& body) {
        Result<rd::FootLock> locked =
            rd::lockFeet(skeleton_, body, out_.motion, out_.contacts, progress_);
        if (!locked) return locked.error();
        out_.report.by_feet = changeBetween(out_.motion, locked->motion);
        out_.report.lowered = locked->lowered;
        out_.motion = std::move(locked->motion);
        return Done{};
    }

    const Skeleton& skeleton_;
    const CleanOptions& options_;
    const Progress& progress_;
    CleanResult out_;
};

}  // namespace

Result<CleanResult> cleanClip(const RetargetBody& body, const Motion& motion,
                              const CleanOptions& options, const Progress& progress) {
    ULNA_ASSERT(motion.jointCount() == body.skeleton.jointCount(),
                "the motion is of another skeleton than the body");
    if (motion.frameCount() == 0)
        return Diagnostic{.what = "the clip has no frames", .advice = "there is nothing to clean"};
    const Result<BodySegments> legs = bodyOf(body);
    if (!legs && (options.feet || options.floor || options.contacts)) {
        Diagnostic error = legs.error();
        error.what = std::string(options.feet       ? "feet cannot be locked"
                                 : options.contacts ? "contacts are of feet"
                                                    : "the floor is found by feet") +
                     ": " + error.what;
        return error;
    }
    Cleaner cleaner(body, motion, options, progress);
    if (const Status status = cleaner.clean(legs); !status) return status.error();
    return cleaner.take();
}

}  // namespace ulna
