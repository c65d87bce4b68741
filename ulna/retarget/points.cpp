// SPDX-License-Identifier: Apache-2.0

// Points go through five steps: axes and unit; lengths of bones, and noise by how these vary;
// points cleaned in time; where points beside joints are fixed; frames. Keeping the body's own
// lengths is a sixth: the motion is retargeted from the fitted body.
#include "ulna/retarget/points.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ulna/core/number_text.h"
#include "ulna/core/text.h"
#include "ulna/retarget/detail/point_axes.h"
#include "ulna/retarget/detail/point_filter.h"
#include "ulna/retarget/detail/point_solver.h"
#include "ulna/retarget/detail/statistics.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

namespace rd = retarget::detail;

// Of the rise of points along their axis: less says that the body lies, or stands askew.
constexpr double kClearlyUp = 0.9;

Status checkInput(const Skeleton& skeleton, const PointClip& clip, const PointLayout& layout) {
    if (clip.frameCount() == 0) return Diagnostic{.what = "the points have no frames"};
    if (layout.roles.size() != clip.point_count)
        return Diagnostic{
            .what = "the layout '" + layout.name + "' has " + std::to_string(layout.roles.size()) +
                    " points, and the frames have " + std::to_string(clip.point_count),
            .advice = "choose another layout, or write a map file"};
    if (skeleton.planar()) return Diagnostic{.what = "the skeleton is planar, and points are not"};
    return Done{};
}

// Without these nobody knows how a body is oriented.
Status checkShown(const rd::PointBody& body, const rd::PointFrames& frames) {
    const std::vector<char> seen = rd::everSeen(frames);
    const auto shows = [&](JointId joint) {
        const int i = joint == JointId::None ? -1 : body.at(joint);
        return i >= 0 && seen[static_cast<std::size_t>(i)] != 0;
    };
    const HumanBody& human = body.human;
    const bool hips = shows(human.left.hip) && shows(human.right.hip);
    const bool shoulders = shows(human.left.shoulder) && shows(human.right.shoulder);
    const auto many = std::count(seen.begin(), seen.end(), 1);
    if ((hips || shoulders) && many > 2) return Done{};
    return Diagnostic{.what = "the points do not show how the body is oriented",
                      .advice =
                          "both hips or both shoulders are needed, and something above or "
                          "below them"};
}

rd::PointFrames framesOf(const PointClip& clip, const rd::PointBody& body) {
    rd::PointFrames out{.width = body.attached.size(), .frame_time = clip.frame_time};
    out.positions.reserve(clip.frameCount() * out.width);
    out.weights.reserve(clip.frameCount() * out.width);
    for (std::size_t f = 0; f < clip.frameCount(); ++f) {
        for (const rd::Attachment& each : body.attached) {
            const std::size_t at = f * clip.point_count + each.point;
            out.positions.push_back(clip.positions[at]);
            out.weights.push_back(clip.weights[at]);
        }
    }
    return out;
}

// Brings points into the axes and the unit of the body.
void align(const rd::PointBody& body, const PointLayout& layout, const PointOptions& options,
           rd::PointFrames& frames, PointReport& report, Warnings& warnings) {
    const std::optional<PointUp> stated = options.up ? options.up : layout.up;
    double share = 1.0;
    report.up = stated ? *stated : rd::guessUp(body, frames.positions, frames.weights, share);
    if (!stated && (report.up != PointUp::Y || share < kClearlyUp))
        warnings.push_back({.what = std::string("up of the points seems to be ") +
                                    (share < kClearlyUp ? "about " : "") +
                                    std::string(pointUpName(report.up)),
                            .advice = "--up says otherwise"});
    const Quat rotation = rd::modelFromPoints(body, report.up);
    for (Vec3& each : frames.positions) each = rotate(rotation, each);
    report.mirrored = rd::isMirrored(body, frames.positions, frames.weights);
    if (report.mirrored) {
        const Vec3 left = rotate(body.segments.model_from_ground, Vec3{1, 0, 0});
        for (Vec3& each : frames.positions) each = reflect(each, left);
        warnings.push_back({.what = "knees and toes point backward: the points are of a mirror "
                                    "image, and were mirrored back",
                            .advice = "check which side is called left"});
    }
    if (options.scale) {
        report.scale = *options.scale;
    } else {
        report.scale = rd::guessScale(body, frames.positions, frames.weights,
                                      options.lengths == PointLengths::Fit);
        if (std::abs(std::log10(report.scale)) > 0.5)
            warnings.push_back({.what = "one unit of the points seems to be " +
                                        shortNumber(report.scale, 3) + " units of the body",
                                .advice = "--scale says otherwise"});
    }
    for (Vec3& each : frames.positions) each *= report.scale;
}

// How far the points of the answer are from those that were given.
void judge(const rd::PointBody& body, const PointClip& clip, const PointLayout& layout,
           const rd::PointFrames& given, const Motion& motion, PointReport& report) {
    std::vector<std::vector<double>> errors(given.width);
    ModelPose model;
    Pose pose = body.rest;
    for (std::size_t f = 0; f < given.count(); ++f) {
        motion.getPose(f, pose);
        computeModelPose(body.skeleton, pose, model);
        for (std::size_t i = 0; i < given.width; ++i) {
            const std::size_t at = f * given.width + i;
            if (!(given.weights[at] > 0.0)) continue;
            const rd::Attachment& each = body.attached[i];
            errors[i].push_back(distance(model[each.joint] * each.offset, given.positions[at]));
        }
    }
    const auto summed = [](std::string name, std::vector<double>& values) {
        PointError out{.name = std::move(name), .frames = values.size()};
        for (const double each : values) {
            out.mean += each / static_cast<double>(values.size());
            out.most = std::max(out.most, each);
        }
        out.median = rd::median(values);
        return out;
    };
    std::vector<double> all;
    for (std::size_t i = 0; i < given.width; ++i) {
        all.insert(all.end(), errors[i].begin(), errors[i].end());
        const std::size_t point = body.attached[i].point;
        std::string name = point < clip.names.size()     ? clip.names[point]
                           : point < layout.names.size() ? layout.names[point]
                                                         : std::to_string(point);
        report.points.push_back(summed(std::move(name), errors[i]));
    }
    report.all = summed("all", all);
}

void countMissing(const rd::PointFrames& frames, PointReport& report) {
    const std::vector<char> seen = rd::everSeen(frames);
    for (std::size_t f = 0; f < frames.count(); ++f) {
        std::size_t here = 0;
        for (std::size_t i = 0; i < frames.width; ++i)
            if (seen[i] && !(frames.weights[f * frames.width + i] > 0.0)) ++here;
        report.missing += here;
        report.incomplete_frames += here > 0 ? 1 : 0;
    }
}

// How fast the points of a body may move: hips where both are seen, then by the limbs they are of.
std::vector<rd::PointPace> pacesOf(const rd::PointBody& body, const std::vector<char>& seen) {
    std::vector<rd::PointPace> out(body.attached.size(), rd::PointPace::Trunk);
    const HumanBody& human = body.human;
    for (const HumanSide* side : {&human.left, &human.right}) {
        for (const auto& [joint, pace] : {std::pair{side->elbow, rd::PointPace::Limb},
                                          std::pair{side->knee, rd::PointPace::Limb},
                                          std::pair{side->wrist, rd::PointPace::End},
                                          std::pair{side->ankle, rd::PointPace::End}}) {
            if (joint == JointId::None) continue;
            const JointRange below = body.skeleton.subtree(joint);
            for (std::size_t i = 0; i < out.size(); ++i)
                if (below.contains(body.attached[i].joint)) out[i] = pace;
        }
        const int hip = side->hip == JointId::None ? -1 : body.at(side->hip);
        if (hip >= 0 && seen[static_cast<std::size_t>(hip)])
            out[static_cast<std::size_t>(hip)] = rd::PointPace::Hips;
    }
    return out;
}

// Whether bones are as long as those of the points, so that feet go where they went.
bool hasLengths(const Skeleton& skeleton, JointId hips, std::span<const double> stretch) {
    constexpr double kSame = 0.005;
    for (const JointId j : skeleton.joints())
        if (skeleton.isAncestor(hips, j) && length(skeleton.rest(j).translation) > 0.0 &&
            std::abs(stretch[index(j)] - 1.0) > kSame)
            return false;
    return true;
}

// The motion with other translations of joints that do not move.
Motion onRest(const Motion& motion, const Pose& rest) {
    Motion out(rest, motion.frameCount(), motion.frameTime(), motion.tracks());
    Pose pose = motion.base();
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        motion.getPose(f, pose);
        out.setPose(f, pose);
    }
    return out;
}

// Brings a motion of the fitted body to the body itself.
Status keepLengths(const RetargetBody& target, const PointOptions& options, PointResult& out) {
    const JointId hips = out.motion.tracks().translated.front();
    if (options.retarget.feet != RetargetFeet::Lock &&
        hasLengths(target.skeleton, hips, out.stretch)) {
        out.motion = onRest(out.motion, target.rest);
    } else {
        const Result<Retargeter> to =
            Retargeter::make({.skeleton = target.skeleton, .rest = out.rest}, target);
        if (!to) return to.error();
        Result<RetargetResult> moved = to->retarget(out.motion, options.retarget);
        if (!moved) return moved.error();
        out.motion = std::move(moved->motion);
        out.contacts = std::move(moved->contacts);
        out.report.retarget = moved->report;
    }
    out.rest = target.rest;
    out.stretch.assign(target.skeleton.jointCount(), 1.0);
    return Done{};
}

}  // namespace

Result<PointResult> solvePoints(const RetargetBody& target, const PointClip& clip,
                                const PointLayout& layout, const PointOptions& options,
                                const Progress& progress) {
    if (Status ok = checkInput(target.skeleton, clip, layout); !ok) return ok.error();
    Result<rd::PointBody> made = rd::makePointBody(target.skeleton, target.rest, layout);
    if (!made) return made.error();
    rd::PointBody& body = *made;
    rd::PointFrames frames = framesOf(clip, body);
    if (Status ok = checkShown(body, frames); !ok) return ok.error();
    PointResult out;
    align(body, layout, options, frames, out.report, out.warnings);
    const rd::PointFrames given = frames;
    const rd::PointBones bones = rd::measureBones(body, frames.positions, frames.weights);
    const rd::FilterOptions filter{.frame_time = frames.frame_time,
                                   .size = std::max(body.segments.leg, body.segments.arm),
                                   .noise = bones.noise,
                                   .smooth = options.smooth};
    out.report.noise = bones.noise;
    out.report.outliers =
        rd::leaveOutliers(bones.bones, filter, frames.width, frames.positions, frames.weights);
    countMissing(frames, out.report);
    out.report.missing -= out.report.outliers;
    rd::fitLengths(bones.bones, frames.positions, frames.weights, body);
    for (const rd::PointBone& bone : bones.bones)
        out.report.lengths.push_back({bone.end, bone.length / bone.rest});
    const std::vector<char> seen = rd::everSeen(frames);
    rd::filterPoints(pacesOf(body, seen), filter, frames.weights, frames.positions);
    const std::vector<double> weights = rd::filledWeights(frames.width, filter, frames.weights);
    const Skeleton free = rd::withFreeHips(target.skeleton, body.human.hips);
    const rd::PointSolveOptions how{.noise = rd::remainingNoise(filter),
                                    .threads = options.threads};
    if (Status ok = rd::calibrate(free, frames, seen, how, body); !ok) return ok.error();
    frames.weights = weights;
    Result<Motion> motion = rd::solveFrames(free, body, frames, seen, how, progress);
    if (!motion) return motion.error();
    judge(body, clip, layout, given, *motion, out.report);
    out.motion = *std::move(motion);
    out.rest = body.rest;
    out.stretch = body.stretch;
    if (options.lengths == PointLengths::Keep)
        if (Status ok = keepLengths(target, options, out); !ok) return ok.error();
    out.motion.name = clip.name;
    return out;
}

Skeleton stretched(const Skeleton& skeleton, std::span<const double> stretch) {
    ULNA_ASSERT(stretch.size() == skeleton.jointCount(), "one factor per joint is needed");
    std::vector<JointDef> joints(skeleton.definitions().begin(), skeleton.definitions().end());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        joints[i].rest.translation = joints[i].rest.translation * stretch[i];
        // Tips of others are where their children are.
        const bool leaf = skeleton.subtree(jointId(i)).size() == 1;
        joints[i].tip = leaf ? std::optional(skeleton.tip(jointId(i)) * stretch[i]) : std::nullopt;
    }
    Result<Skeleton> out = makeSkeleton(std::move(joints), {.planar = skeleton.planar()});
    return out ? *std::move(out) : skeleton;
}

}  // namespace ulna
