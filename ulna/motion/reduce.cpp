// SPDX-License-Identifier: Apache-2.0
//
// Each track is first fitted by itself, with a tolerance for its reach. Then all are fitted
// together to the points of the skeleton, window by window, and lose the keys that the others can
// make up for. At last the whole clip is checked, with the very numbers that are returned, and
// keys are added until the check is passed.
#include "ulna/motion/reduce.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ulna/core/assert.h"
#include "ulna/core/parallel.h"
#include "ulna/motion/detail/clip_window.h"
#include "ulna/motion/detail/curve_fit.h"
#include "ulna/motion/detail/measure.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {
using motion::detail::ClipCheck;
using motion::detail::ClipWindow;
using motion::detail::CurvePart;
using motion::detail::KeyCurve;
using motion::detail::kNoIndex;
using motion::detail::Knot;
using motion::detail::MeasuredPoint;
using motion::detail::MovingBody;

// Frames that are worked on at a time, and those to each side of a seam between them.
constexpr std::size_t kWindow = 400;
constexpr std::size_t kSeam = 64;
constexpr int kMends = 20;  // of adding what the check found missing
// Tracks by themselves: what they begin with, and what counts as standing still.
constexpr double kOwnTolerance = 2.0;
constexpr double kOwnToleranceSmooth = 1.5;
constexpr double kStillTolerance = 0.1;

const Diagnostic kCancelled{.what = "the reduction was cancelled"};

bool isFinite(const Trs& at) {
    const Quat& q = at.rotation;
    return ulna::isFinite(at.translation) && ulna::isFinite(at.scale) &&
           std::isfinite(q.x + q.y + q.z + q.w);
}

Status checkOptions(const ReduceOptions& options) {
    const auto wrong = [](std::string what, std::string text) {
        return Diagnostic{.what = std::move(what), .text = std::move(text)};
    };
    if (!(options.tolerance > 0.0) || !std::isfinite(options.tolerance))
        return wrong("the tolerance of a reduction must be a number above 0",
                     std::to_string(options.tolerance));
    if (!(options.beside >= 0.0) || !std::isfinite(options.beside))
        return wrong("the distance beside the bones must be a number of at least 0",
                     std::to_string(options.beside));
    if (options.interpolation != Interpolation::Linear &&
        options.interpolation != Interpolation::CatmullRom)
        return wrong("keys are reduced to linear or catmull-rom tracks only",
                     std::string(interpolationName(options.interpolation)));
    return Done{};
}

Status checkClip(const Skeleton& skeleton, const Motion& motion) {
    Pose pose;
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        motion.getPose(f, pose);
        for (const JointId j : skeleton.joints()) {
            if (isFinite(pose[j])) continue;
            return Diagnostic{.what = "joint '" + skeleton.name(j) + "' is not finite in frame " +
                                      std::to_string(f)};
        }
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
        const double mean = motion::detail::meanBoneLength(skeleton);
        // Where nothing has a length, rotations are kept to a hundredth.
        const double unit = mean > 0.0 ? mean : 1000.0 * options.tolerance;
        points_ = motion::detail::measuredPoints(skeleton, motion, options.beside * unit);
        problem_.skeleton = &skeleton;
        problem_.motion = &motion;
        problem_.tolerance = options.tolerance;
        problem_.reach = motion::detail::measureReach(skeleton, motion, points_);
    }

    Result<ReducedMotion> run() {
        if (options_.interpolation == Interpolation::CatmullRom) {
            const Result<bool> held = reduceTo(true);
            if (!held) return held.error();
            if (*held) return finished(keyed());
        }
        const Result<bool> held = reduceTo(false);
        if (!held) return held.error();
        if (options_.interpolation == Interpolation::CatmullRom) makeCorners();
        // Once more without rounding, where rounding is what is in the way.
        for (const bool rounded : {true, false}) {
            rounded_ = rounded;
            check_.forget(0, last_);
            const Result<bool> within = hold();
            if (!within) return within.error();
            if (*within) return finished(keyed());
        }
        return dense();
    }

  private:
    // Never less than was said before, though smooth curves may have been in vain.
    [[nodiscard]] bool goOn(double fraction) {
        told_ = std::max(told_, fraction);
        return !progress_ || progress_(told_);
    }

    // The curves, smooth or straight. Whether they hold is known of smooth ones only: where a clip
    // is too rough for those, straight ones will do.
    Result<bool> reduceTo(bool smooth) {
        smooth_ = smooth;
        if (!goOn(0.0)) return kCancelled;
        fitCurves();
        makeBodies();
        if (!goOn(0.1)) return kCancelled;
        if (!reduceWindows()) return kCancelled;
        check_.forget(0, last_);
        if (smooth) return hold();
        return true;
    }

    // Smooth curves are looked at between frames, too. Straight ones with knots on frames are
    // farthest off at frames.
    [[nodiscard]] std::size_t samplesPerFrame() const { return smooth_ ? 2 : 1; }

    [[nodiscard]] double ownTolerance() const {
        return smooth_ ? kOwnToleranceSmooth : kOwnTolerance;
    }

    void fitCurves() {
        curves_.clear();
        std::vector<std::size_t> indices;  // of the curves, in the clip's tracks of their part
        const auto add = [&](const std::vector<JointId>& joints, CurvePart part) {
            for (std::size_t i = 0; i < joints.size(); ++i) {
                curves_.push_back({joints[i], part, smooth_, {}});
                indices.push_back(i);
            }
        };
        const MotionTracks& tracks = motion_.tracks();
        add(tracks.rotated, CurvePart::Rotation);
        add(tracks.translated, CurvePart::Translation);
        add(tracks.scaled, CurvePart::Scale);
        parallelFor(curves_.size(), 1, options_.threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) fitOne(indices[i], curves_[i]);
        });
    }

    void fitOne(std::size_t track, KeyCurve& curve) const {
        // A rotation or a scale moves the descendants by as much of their distance; where nothing
        // is, any will do.
        const double reach =
            curve.part == CurvePart::Translation ? 1.0 : problem_.reach[index(curve.joint)];
        const double tolerance = options_.tolerance / std::max(reach, 1e-100);
        const bool fitted_alone = curve.part == CurvePart::Scale;
        const auto samples = sampleTrack(motion_, curve, track, samplesPerFrame());
        fitCurve(samples, (fitted_alone ? kStillTolerance : ownTolerance()) * tolerance,
                 kStillTolerance * tolerance, curve);
        fixHalfTurns(samples, curve);
    }

    void makeBodies() {
        problem_.bodies.clear();
        problem_.points.clear();
        std::vector<MovingBody> of_joint(skeleton_.jointCount());
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            if (curves_[c].knots.size() < 2) continue;
            MovingBody& body = of_joint[index(curves_[c].joint)];
            if (curves_[c].part == CurvePart::Rotation) body.rotation = c;
            if (curves_[c].part == CurvePart::Translation) body.translation = c;
        }
        std::vector<std::size_t> carriers(skeleton_.jointCount(), kNoIndex);
        for (std::size_t i = 0; i < of_joint.size(); ++i) {
            const JointId parent = skeleton_.parents()[i];
            carriers[i] = parent == JointId::None ? kNoIndex : carriers[index(parent)];
            MovingBody& body = of_joint[i];
            if (body.rotation == kNoIndex && body.translation == kNoIndex) continue;
            body.joint = jointId(i);
            body.parent = carriers[i];
            carriers[i] = problem_.bodies.size();
            problem_.bodies.push_back(body);
        }
        std::vector<std::vector<MeasuredPoint>> carried(problem_.bodies.size());
        for (MeasuredPoint point : points_) {
            point.body = carriers[index(point.joint)];
            if (point.body != kNoIndex) carried[point.body].push_back(point);
        }
        const ModelPose model = computeModelPose(skeleton_, motion_.pose(0));
        for (const auto& points : carried)
            motion::detail::addOutermost(points, model, problem_.points);
    }

    // The windows, then what is around their seams.
    bool reduceWindows() {
        std::vector<Window> windows, seams;
        for (std::size_t begin = 0;; begin += kWindow) {
            const std::size_t end = begin + kWindow + kSeam >= last_ ? last_ : begin + kWindow;
            windows.push_back({begin, end});
            if (end == last_) break;
            seams.push_back({end - kSeam, end + kSeam});
        }
        return reduceAll(windows, 0.1, 0.6) && reduceAll(seams, 0.6, 0.8);
    }

    struct Window {
        std::size_t begin, end;
    };
    // Windows apart from each other, so that they can be reduced at the same time.
    bool reduceAll(const std::vector<Window>& windows, double from, double to) {
        constexpr std::size_t kAtOnce = 8;
        for (std::size_t done = 0; done < windows.size(); done += kAtOnce) {
            const std::size_t count = std::min(kAtOnce, windows.size() - done);
            std::vector<std::optional<ClipWindow>> reduced(count);
            parallelFor(count, 1, options_.threads, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    const Window& at = windows[done + i];
                    reduced[i].emplace(problem_, curves_, at.begin, at.end, samplesPerFrame());
                    reduced[i]->reduce(options_.rounds);
                }
            });
            for (const auto& window : reduced) putBack(*window);
            const double part =
                static_cast<double>(done + count) / static_cast<double>(windows.size());
            if (!goOn(from + (to - from) * part)) return false;
        }
        return true;
    }

    void putBack(const ClipWindow& window) {
        window.putBack(curves_);
        poses_computed_ += window.posesComputed();
    }

    // Adds keys until the whole clip is within the tolerance; false where that is not reached.
    Result<bool> hold() {
        for (int round = 0;; ++round) {
            check_.measure(skeleton_, motion_, keyed(), points_, options_.threads);
            if (check_.worst().error <= options_.tolerance) return true;
            if (!goOn(1.0 - 0.2 / (1.0 + 0.1 * round))) return kCancelled;
            const bool last_resort = round >= kMends;
            if (last_resort && smooth_) return false;
            // First by what is cheap; then with a key on both sides of what is off; at last with
            // the clip's own values, over longer and longer intervals, since they are off from
            // their neighbours'.
            const std::size_t around = last_resort ? (std::size_t{1} << (round - kMends)) - 1 : 0;
            if (round >= 2 && !pinFrames(last_resort, around) && last_resort) return false;
            if (round == kMends + 10) pinEverything();
            if (!last_resort) mendWindows(std::pow(0.98, round + 1), kSeam << (round / 4));
        }
    }

    // The intervals that are off once more, with a tolerance tightened to `factor`, and with the
    // knots that are so many frames away.
    void mendWindows(double factor, std::size_t around) {
        makeBodies();
        for (std::size_t f = 0; f <= last_; ++f) {
            if (check_.frames()[f].error <= options_.tolerance) continue;
            const std::size_t begin = f < around ? 0 : f - around;
            const std::size_t end = begin + 3 * around >= last_ ? last_ : begin + 2 * around;
            ClipWindow window(problem_, curves_, begin, end, 2 * samplesPerFrame());
            for (std::size_t k = begin; k <= end; ++k)
                if (check_.frames()[k].error > options_.tolerance) window.tighten(k, factor);
            window.mend(6);
            putBack(window);
            check_.forget(begin, end);
            // What is near its end is for the next.
            f = end == last_ ? last_ : end - around / 2;
        }
    }

    // Keys, in every curve that moves what is off, at that frame and the next and so many around:
    // as the clip has them if `exact`, which leaves no error between them. False when all of them
    // are there already.
    bool pinFrames(bool exact, std::size_t around) {
        bool changed = false;
        for (std::size_t f = 0; f <= last_; ++f) {
            const ClipCheck::Worst& worst = check_.frames()[f];
            if (worst.error <= options_.tolerance) continue;
            for (KeyCurve& curve : curves_) {
                if (curve.joint != worst.joint && !skeleton_.isAncestor(curve.joint, worst.joint))
                    continue;
                const std::size_t end = std::min(f + 1 + around, last_);
                for (std::size_t k = f < around ? 0 : f - around; k <= end; ++k)
                    changed = pin(curve, k, exact) || changed;
            }
        }
        return changed;
    }

    void pinEverything() {
        Pose pose;
        for (KeyCurve& curve : curves_) curve.knots.clear();
        for (std::size_t f = 0; f <= last_; ++f) {
            motion_.getPose(f, pose);
            for (KeyCurve& curve : curves_) {
                curve.knots.push_back(sourceKnot(pose, curve, f));
                curve.knots.back().corner = true;
            }
        }
        for (KeyCurve& curve : curves_) {
            const Knot& first = curve.knots.front();
            const bool stays =
                std::all_of(curve.knots.begin(), curve.knots.end(), [&](const Knot& knot) {
                    return knot.rotation == first.rotation && knot.vector == first.vector;
                });
            if (stays) curve.knots.resize(1);
        }
        check_.forget(0, last_);
    }

    bool pin(KeyCurve& curve, std::size_t frame, bool exact) {
        auto& knots = curve.knots;
        if (knots.size() == 1 && last_ > 0) {
            knots = {knots.front(), knots.front()};
            knots.back().frame = last_;
            check_.forget(0, last_);
        }
        auto at = std::lower_bound(knots.begin(), knots.end(), frame,
                                   [](const Knot& k, std::size_t f) { return k.frame < f; });
        const bool there = at != knots.end() && at->frame == frame;
        Knot pinned = exact ? sourceKnot(motion_.pose(frame), curve, frame)
                            : motion::detail::knotAt(curve, frame);
        pinned.corner = true;
        if (there && at->corner && at->rotation == pinned.rotation && at->vector == pinned.vector)
            return false;
        if (there)
            *at = pinned;
        else
            at = knots.insert(at, pinned);
        const auto k = static_cast<std::size_t>(at - knots.begin());
        check_.forget(knots[k < 2 ? 0 : k - 2].frame,
                      knots[std::min(k + 2, knots.size() - 1)].frame);
        return true;
    }

    // Straight curves as smooth ones that break at every knot.
    void makeCorners() {
        for (KeyCurve& curve : curves_) {
            curve.smooth = true;
            for (Knot& knot : curve.knots) knot.corner = true;
        }
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
            if (curve.part == CurvePart::Translation)
                tracks.translation = toVectorTrack(curve, frame_time, rounded_);
            if (curve.part == CurvePart::Scale)
                tracks.scale = toVectorTrack(curve, frame_time, rounded_);
        }
        return out;
    }

    // Whether a curve says no more than the base pose.
    [[nodiscard]] bool isBase(const KeyCurve& curve) const {
        if (curve.knots.size() > 1) return false;
        const Knot base = sourceKnot(motion_.base(), curve, 0);
        const Knot& at = curve.knots.front();
        return at.rotation == base.rotation && at.vector == base.vector;
    }

    // A key at every frame, for a tolerance that leaves no other way.
    Result<ReducedMotion> dense() {
        KeyedMotion motion = makeKeyed(motion_);
        check_.forget(0, last_);
        check_.measure(skeleton_, motion_, motion, points_, options_.threads);
        if (check_.worst().error <= options_.tolerance) return finished(std::move(motion));
        return Diagnostic{
            .what = "the tolerance is below the rounding error of a key at every frame",
            .advice = "a millionth of the model's size is always possible"};
    }

    [[nodiscard]] ReducedMotion finished(KeyedMotion motion) const {
        ReducedMotion out;
        out.motion = std::move(motion);
        const ClipCheck::Worst worst = check_.worst();
        out.report.worst_error = worst.error;
        out.report.worst_joint = worst.joint;
        out.report.worst_time = worst.time;
        out.report.rounded = rounded_;
        out.report.poses_computed = poses_computed_ + check_.posesComputed();
        return out;
    }

    const Skeleton& skeleton_;
    const Motion& motion_;
    const ReduceOptions& options_;
    const Progress& progress_;
    std::size_t last_;
    motion::detail::ReduceProblem problem_;
    std::vector<MeasuredPoint> points_;
    std::vector<KeyCurve> curves_;
    ClipCheck check_;
    std::size_t poses_computed_ = 0;
    double told_ = 0.0;
    bool smooth_ = false;
    bool rounded_ = true;
};

// A clip whose tracks all stand still keeps its length by a track with a key at both ends.
void keepLength(const Motion& motion, KeyedMotion& keyed) {
    if (!(motion.duration() > 0.0) || keyed.endTime() > 0.0 || motion.jointCount() == 0) return;
    const double end = static_cast<double>(static_cast<float>(motion.duration()));
    JointTracks& tracks = keyed.at(jointId(0));
    const Vec3 position = sample(tracks.translation, 0.0, motion.base()[jointId(0)].translation);
    tracks.translation = Track<Vec3>({{0.0, position}, {end, position}}, Interpolation::Linear);
}

void countFloats(const Skeleton& skeleton, const Motion& motion, ReducedMotion& out) {
    ReduceReport& report = out.report;
    report.frames = motion.frameCount();
    report.keys = out.motion.keyCount();
    for (const JointTracks& tracks : out.motion.joints) {
        report.floats += 4 * (tracks.translation.keys().size() + tracks.scale.keys().size());
        report.floats += 5 * std::get<Track<Quat>>(tracks.rotation).keys().size();
    }
    std::size_t end_sites = 0;
    for (const JointId j : skeleton.joints()) end_sites += skeleton.isEndSite(j) ? 1 : 0;
    const double frames = motion.frameCount() == 0 ? 0.0 : motion.duration() * 30.0 + 1.0;
    report.plain_floats = frames * 10.0 * static_cast<double>(skeleton.jointCount());
    report.plain_floats_without_end_sites =
        frames * 10.0 * static_cast<double>(skeleton.jointCount() - end_sites);
}

}  // namespace

Result<ReducedMotion> reduceKeys(const Skeleton& skeleton, const Motion& motion,
                                 const ReduceOptions& options, const Progress& progress) {
    ULNA_ASSERT(motion.jointCount() == skeleton.jointCount(),
                "the motion needs one transform per joint");
    if (const Status status = checkOptions(options); !status) return status.error();
    if (const Status status = checkClip(skeleton, motion); !status) return status.error();
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
