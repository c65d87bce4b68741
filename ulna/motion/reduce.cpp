// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/reduce.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "ulna/core/assert.h"
#include "ulna/core/parallel.h"
#include "ulna/motion/detail/clip_window.h"
#include "ulna/motion/detail/curve_fit.h"
#include "ulna/motion/detail/measure.h"

namespace ulna {
namespace {
using detail::ClipCheck;
using detail::ClipWindow;
using detail::CurvePart;
using detail::KeyCurve;
using detail::kNone;
using detail::Knot;
using detail::MeasuredPoint;
using detail::MovingBody;

double envOr(const char* name, double v) {
    const char* e = std::getenv(name);
    return e ? std::atof(e) : v;
}
const double kAlpha = envOr("RA", 3), kConst = envOr("RC", 0.1);
const int kRounds = int(envOr("RR", 6));

// Frames that are worked on at a time, and how far the next ones overlap them.
constexpr std::size_t kWindow = 400;
constexpr std::size_t kOverlap = 100;

const Diagnostic kCancelled{"the reduction was cancelled", {}, {}, {}};

bool isFinite(const Trs& at) {
    const Quat& q = at.rotation;
    return ulna::isFinite(at.translation) && ulna::isFinite(at.scale) &&
           std::isfinite(q.x + q.y + q.z + q.w);
}

Status checkInput(const Skeleton& skeleton, const Motion& motion, const ReduceOptions& options) {
    if (!(options.tolerance > 0.0) || !std::isfinite(options.tolerance))
        return Diagnostic{"the tolerance of a reduction must be above 0",
                          {},
                          std::to_string(options.tolerance),
                          {}};
    if (!(options.beside >= 0.0) || !std::isfinite(options.beside))
        return Diagnostic{"the distance beside the bones must be 0 or more",
                          {},
                          std::to_string(options.beside),
                          {}};
    if (options.interpolation && *options.interpolation != Interpolation::Linear &&
        *options.interpolation != Interpolation::CatmullRom)
        return Diagnostic{"keys are reduced to linear or catmull-rom tracks only",
                          {},
                          std::string(interpolationName(*options.interpolation)),
                          {}};
    Pose pose;
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        motion.getPose(f, pose);
        for (std::size_t i = 0; i < skeleton.jointCount(); ++i)
            if (!isFinite(pose[jointId(i)]))
                return Diagnostic{"joint '" + skeleton.name(jointId(i)) +
                                      "' is not finite in frame " + std::to_string(f),
                                  {},
                                  {},
                                  {}};
    }
    return Done{};
}

class Reduction {
  public:
    Reduction(const Skeleton& skeleton, const Motion& motion, const ReduceOptions& options,
              const Progress& progress)
        : skeleton_(skeleton),
          motion_(motion),
          options_(options),
          progress_(progress),
          last_(motion.frameCount() - 1),
          check_(motion.frameCount()) {
        const double mean = detail::meanBoneLength(skeleton);
        // Where nothing has a length, turns are kept to a hundredth.
        const double beside = mean > 0.0 ? options.beside * mean : 100.0 * options.tolerance;
        points_ = detail::measuredPoints(skeleton, motion, options.beside > 0.0 ? beside : 0.0);
        problem_.skeleton = &skeleton;
        problem_.motion = &motion;
        problem_.tolerance = options.tolerance;
        problem_.threads = options.threads;
        problem_.reach = detail::measureReach(skeleton, motion, points_);
    }

    Result<ReducedMotion> run() {
        if (!reportProgress(0.0)) return kCancelled;
        fitCurves();
        makeBodies();
        if (!reportProgress(0.1)) return kCancelled;
        if (!reduceWindows()) return kCancelled;
        for (const bool rounded : {true, false}) {
            rounded_ = rounded;
            check_.forget(0, last_);
            const Result<bool> held = hold();
            if (!held) return held.error();
            if (*held) return finished(keyed());
        }
        return dense();
    }

  private:
    bool reportProgress(double fraction) const { return !progress_ || progress_(fraction); }

    void fitCurves() {
        const MotionTracks& tracks = motion_.tracks();
        for (const JointId j : tracks.rotated)
            curves_.push_back({j, CurvePart::Rotation, true, {}});
        for (const JointId j : tracks.translated)
            curves_.push_back({j, CurvePart::Translation, true, {}});
        for (const JointId j : tracks.scaled) curves_.push_back({j, CurvePart::Scale, true, {}});
        parallelFor(curves_.size(), 1, options_.threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) fitCurve(curves_[i]);
        });
    }

    void fitCurve(KeyCurve& curve) const {
        detail::TrackSamples track;
        track.per_frame = detail::kSamplesPerFrame;
        for (std::size_t s = 0; s <= last_ * track.per_frame; ++s) {
            const double frame = static_cast<double>(s) / static_cast<double>(track.per_frame);
            const Knot at = source(curve, frame);
            if (curve.turns())
                track.values.rotations.push_back(at.rotation);
            else
                track.values.vectors.push_back(at.vector);
        }
        // A scale moves what is below by as much of its distance.
        const double reach = problem_.reach[index(curve.joint)];
        const double tolerance =
            options_.tolerance /
            (curve.part == CurvePart::Translation ? 1.0 : std::max(reach, options_.tolerance));
        const auto fit = [&](bool smooth, KeyCurve& out) {
            out.smooth = smooth;
            detail::fitCurve(track, kAlpha * tolerance, kConst * tolerance, out);
        };
        if (options_.interpolation) {
            fit(*options_.interpolation == Interpolation::CatmullRom, curve);
            return;
        }
        KeyCurve straight = curve;
        fit(true, curve);
        if (curve.knots.size() < 2) return;
        fit(false, straight);
        if (straight.floatCount() < curve.floatCount()) curve = std::move(straight);
    }

    // The clip's own value of a curve.
    [[nodiscard]] Knot source(const KeyCurve& curve, double frame) const {
        const Pose pose = samplePose(motion_, frame * motion_.frameTime());
        const Trs& at = pose[curve.joint];
        Knot out;
        out.frame = static_cast<std::size_t>(frame);
        out.rotation = at.rotation;
        out.vector = curve.part == CurvePart::Scale ? at.scale : at.translation;
        return out;
    }

    void makeBodies() {
        std::vector<std::size_t> body_of(skeleton_.jointCount(), kNone);
        for (std::size_t i = 0; i < skeleton_.jointCount(); ++i) {
            const JointId parent = skeleton_.parents()[i];
            body_of[i] = parent == JointId::None ? kNone : body_of[index(parent)];
            MovingBody body{jointId(i), body_of[i], kNone, kNone};
            for (std::size_t c = 0; c < curves_.size(); ++c) {
                if (curves_[c].joint != jointId(i) || curves_[c].knots.size() < 2) continue;
                if (curves_[c].part == CurvePart::Rotation) body.rotation = c;
                if (curves_[c].part == CurvePart::Translation) body.translation = c;
            }
            if (body.rotation == kNone && body.translation == kNone) continue;
            body_of[i] = problem_.bodies.size();
            problem_.bodies.push_back(body);
        }
        for (MeasuredPoint point : points_) {
            point.body = body_of[index(point.joint)];
            if (point.body != kNone) problem_.points.push_back(point);
        }
    }

    bool reduceWindows() {
        for (std::size_t begin = 0;; begin += kWindow - kOverlap) {
            const std::size_t end = begin + kWindow + kOverlap >= last_ ? last_ : begin + kWindow;
            ClipWindow window(problem_, curves_, begin, end, detail::kSamplesPerFrame);
            window.reduce(kRounds);
            window.putBack(curves_);
            const double done = static_cast<double>(end + 1) / static_cast<double>(last_ + 1);
            if (!reportProgress(0.1 + 0.7 * done)) return false;
            if (end == last_) return true;
        }
    }

    // Adds keys until the whole clip is within the tolerance; false where rounding prevents it.
    Result<bool> hold() {
        const int kMends = int(envOr("RK", 10));
        for (int round = 0;; ++round) {
            check_.measure(skeleton_, motion_, keyed(), points_, options_.threads);
            if (check_.worst().error <= options_.tolerance) return true;
            if (!reportProgress(0.8 + 0.2 * (1.0 - 1.0 / (1.0 + 0.1 * round)))) return kCancelled;
            if (envOr("RLOG", 0) > 0) {
                std::size_t n = 0, fl = 0;
                for (auto& w : check_.frames()) n += !(w.error <= options_.tolerance);
                for (auto& c : curves_) fl += c.floatCount();
                std::printf("  at %s %.3f frames\n", skeleton_.name(check_.worst().joint).c_str(),
                            check_.worst().time / motion_.frameTime());
                std::printf("  hold %d worst %g bad %zu floats %zu\n", round, check_.worst().error,
                            n, fl);
            }
            if (round >= 2 && !pinFrames(round >= kMends) && round >= kMends) return false;
            if (round < kMends) mendWindows(std::pow(0.97, round + 1));
        }
    }

    // The stretches that are off, once more with a tolerance tightened to `factor`.
    void mendWindows(double factor) {
        detail::ReduceProblem tighter = problem_;
        tighter.tolerance *= factor;
        for (std::size_t f = 0; f <= last_; ++f) {
            if (check_.frames()[f].error <= options_.tolerance) continue;
            const std::size_t begin = f < kOverlap ? 0 : f - kOverlap;
            const std::size_t end = begin + 3 * kOverlap >= last_ ? last_ : begin + 2 * kOverlap;
            ClipWindow window(tighter, curves_, begin, end, 4);
            window.mend(int(envOr("RMM", 6)));
            window.putBack(curves_);
            check_.forget(begin, end);
            f = end;
        }
    }

    // Makes the curves that move what is off exact from that frame to the next. False when nothing
    // is left to change.
    bool pinFrames(bool exact) {
        bool changed = false;
        for (std::size_t f = 0; f <= last_; ++f) {
            const ClipCheck::Worst& worst = check_.frames()[f];
            if (worst.error <= options_.tolerance) continue;
            for (KeyCurve& curve : curves_) {
                if (curve.joint != worst.joint && !skeleton_.isAncestor(curve.joint, worst.joint))
                    continue;
                const bool first = pin(curve, f, exact);
                const bool second = f < last_ && pin(curve, f + 1, exact);
                changed = changed || first || second;
            }
        }
        return changed;
    }

    bool pin(KeyCurve& curve, std::size_t frame, bool exactly) {
        auto& knots = curve.knots;
        if (knots.size() == 1) {
            knots.push_back(knots.front());
            knots.front().frame = 0;
            knots.back().frame = last_;
            check_.forget(0, last_);
        }
        Knot exact = source(curve, static_cast<double>(frame));
        if (!exactly) {
            detail::CurveSamples now;
            detail::sampleCurve(curve, static_cast<double>(frame), 1.0, 1, now);
            if (curve.turns())
                exact.rotation = now.rotations[0];
            else
                exact.vector = now.vectors[0];
        }
        exact.frame = frame;
        exact.corner = true;
        auto at = std::lower_bound(knots.begin(), knots.end(), frame,
                                   [](const Knot& k, std::size_t f) { return k.frame < f; });
        const bool there = at != knots.end() && at->frame == frame;
        if (there && at->corner && at->rotation == exact.rotation && at->vector == exact.vector)
            return false;
        if (there)
            *at = exact;
        else
            at = knots.insert(at, exact);
        const auto k = static_cast<std::size_t>(at - knots.begin());
        check_.forget(knots[k < 2 ? 0 : k - 2].frame,
                      knots[std::min(k + 2, knots.size() - 1)].frame);
        return true;
    }

    [[nodiscard]] KeyedMotion keyed() const {
        KeyedMotion out;
        out.name = motion_.name;
        out.base = motion_.base();
        const double frame_time = motion_.frameTime();
        for (const KeyCurve& curve : curves_) {
            if (isBase(curve)) continue;
            JointTracks& tracks = out.at(curve.joint);
            if (curve.part == CurvePart::Rotation)
                tracks.rotation = toRotationTrack(curve, frame_time, rounded_);
            else if (curve.part == CurvePart::Translation)
                tracks.translation = toVectorTrack(curve, frame_time, rounded_);
            else
                tracks.scale = toVectorTrack(curve, frame_time, rounded_);
        }
        return out;
    }

    // Whether a curve says no more than the base pose.
    [[nodiscard]] bool isBase(const KeyCurve& curve) const {
        if (curve.knots.size() > 1) return false;
        const Trs& base = motion_.base()[curve.joint];
        const Knot& at = curve.knots.front();
        if (curve.turns()) return at.rotation == base.rotation || at.rotation == -base.rotation;
        return at.vector == (curve.part == CurvePart::Scale ? base.scale : base.translation);
    }

    // A key at every frame, for a tolerance that leaves no other way.
    Result<ReducedMotion> dense() {
        KeyedMotion motion = makeKeyed(motion_);
        check_.forget(0, last_);
        check_.measure(skeleton_, motion_, motion, points_, options_.threads);
        if (!(check_.worst().error <= options_.tolerance))
            return Diagnostic{"the tolerance is below what rounding leaves of a key at every frame",
                              {},
                              std::to_string(options_.tolerance),
                              {}};
        return finished(std::move(motion));
    }

    [[nodiscard]] ReducedMotion finished(KeyedMotion motion) const {
        ReducedMotion out;
        out.motion = std::move(motion);
        const ClipCheck::Worst worst = check_.worst();
        out.report.worst_error = worst.error;
        out.report.worst_joint = worst.joint;
        out.report.worst_time = worst.time;
        out.report.rounded = rounded_;
        return out;
    }

    const Skeleton& skeleton_;
    const Motion& motion_;
    const ReduceOptions& options_;
    const Progress& progress_;
    std::size_t last_;
    detail::ReduceProblem problem_;
    std::vector<MeasuredPoint> points_;
    std::vector<KeyCurve> curves_;
    ClipCheck check_;
    bool rounded_ = true;
};

// Two keys for a clip whose tracks all stand still: its length.
void keepLength(const Motion& motion, KeyedMotion& keyed) {
    if (keyed.endTime() >= motion.duration() || motion.jointCount() == 0) return;
    if (!(motion.duration() > 0.0) || keyed.endTime() > 0.0) return;
    const double end = static_cast<double>(static_cast<float>(motion.duration()));
    for (JointTracks& tracks : keyed.joints) {
        if (auto& track = tracks.translation; !track.empty()) {
            track.set(end, track.keys().front().value);
            return;
        }
    }
    const JointId first = jointId(0);
    const Vec3 place = motion.base()[first].translation;
    JointTracks& tracks = keyed.at(first);
    tracks.translation = Track<Vec3>({{0.0, place}, {end, place}}, Interpolation::Linear);
}

void countFloats(const Skeleton& skeleton, const Motion& motion, ReducedMotion& out) {
    ReduceReport& report = out.report;
    report.frames = motion.frameCount();
    for (const JointTracks& tracks : out.motion.joints) {
        report.floats += 4 * (tracks.translation.keys().size() + tracks.scale.keys().size());
        report.floats += 5 * std::get<Track<Quat>>(tracks.rotation).keys().size();
    }
    report.keys = out.motion.keyCount();
    std::size_t ends = 0;
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i)
        ends += skeleton.isEndSite(jointId(i)) ? 1 : 0;
    const double frames = motion.frameCount() == 0 ? 0.0 : motion.duration() * 30.0 + 1.0;
    report.plain_floats = frames * 10.0 * static_cast<double>(skeleton.jointCount());
    report.plain_floats_without_end_sites =
        frames * 10.0 * static_cast<double>(skeleton.jointCount() - ends);
}

}  // namespace

Result<ReducedMotion> reduceKeys(const Skeleton& skeleton, const Motion& motion,
                                 const ReduceOptions& options, const Progress& progress) {
    ULNA_ASSERT(motion.jointCount() == skeleton.jointCount(),
                "the motion needs one transform per joint");
    if (const Status status = checkInput(skeleton, motion, options); !status) return status.error();
    ReducedMotion out;
    out.motion.name = motion.name;
    out.motion.base = motion.base();
    if (motion.frameCount() > 0 && motion.jointCount() > 0) {
        Result<ReducedMotion> made = Reduction(skeleton, motion, options, progress).run();
        if (!made) return made.error();
        out = std::move(*made);
    }
    keepLength(motion, out.motion);
    countFloats(skeleton, motion, out);
    if (progress) progress(1.0);
    return out;
}

}  // namespace ulna
