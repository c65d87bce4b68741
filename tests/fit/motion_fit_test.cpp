// SPDX-License-Identifier: Apache-2.0

// Skeletons fitted to sequences of shapes.
#include <gtest/gtest.h>

#include <limits>

#include "support/fit.h"
#include "support/skeleton_fits.h"
#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::makeSkeletonFitter;
using test::rmsBetween;
using test::skinOf;

// The arm on its way from one pose to another.
struct ArmFilm {
    Skeleton skeleton = test::limitedArm();
    Mesh mesh;
    std::vector<std::vector<Vec3>> shapes;
    std::vector<FitTargets> frames;
};

ArmFilm makeArmFilm(std::size_t count, std::uint64_t seed) {
    ArmFilm film;
    Random random(seed);
    film.mesh = test::meshAround(film.skeleton, 500, random);
    const DofVector a = test::clampedDofs(film.skeleton, random);
    const DofVector b = test::clampedDofs(film.skeleton, random);
    for (std::size_t frame = 0; frame < count; ++frame) {
        const double share = static_cast<double>(frame) / static_cast<double>(count - 1);
        DofVector dofs = a;
        for (std::size_t k = 0; k < dofs.size(); ++k) dofs[k] += (b[k] - a[k]) * share;
        film.shapes.push_back(skinOf(film.skeleton, film.mesh, computePose(film.skeleton, dofs)));
    }
    for (const std::vector<Vec3>& shape : film.shapes) film.frames.push_back({.positions = shape});
    return film;
}

std::vector<Pose> posesOf(const Motion& motion) {
    std::vector<Pose> out;
    for (std::size_t f = 0; f < motion.frameCount(); ++f) out.push_back(motion.pose(f));
    return out;
}

// Each frame is a chunk of its own, and starts cold.
TEST(MotionFit, EveryChunkFindsJointsThatSlide) {
    using test::joint;
    const Skeleton crane = test::build({joint("base", "", JointKind::Free, {0, 0, 0}),
                                        joint("boom", "base", JointKind::Prismatic, {0.2, 0, 0}),
                                        joint("head", "boom", JointKind::Ball, {0, 0.3, 0}),
                                        joint("cart", "head", JointKind::Free, {0, 0.2, 0.1}),
                                        joint("rod", "cart", JointKind::Prismatic, {0.1, 0.1, 0}),
                                        joint("hook", "rod", JointKind::Hinge, {0, 0.2, 0})});
    Random random(14);
    const Mesh mesh = test::meshAround(crane, 400, random);
    std::vector<std::vector<Vec3>> shapes;
    for (int frame = 0; frame < 40; ++frame) {
        DofVector dofs = test::randomDofs(crane, random, 3.0);
        for (std::size_t d = 0; d < dofs.size(); ++d)
            if (!crane.isAngle(d)) dofs[d] *= 0.3;
        shapes.push_back(skinOf(crane, mesh, computePose(crane, dofs)));
    }
    std::vector<FitTargets> frames;
    for (const std::vector<Vec3>& shape : shapes) frames.push_back({.positions = shape});
    const SkeletonFitter fitter = makeSkeletonFitter(crane, mesh);
    const MotionFit fit = fitMotion(fitter, frames, {.chunk = 1});
    for (std::size_t f = 0; f < frames.size(); ++f)
        EXPECT_LT(fit.reports[f].rms / fitter.size(), 1e-9) << "frame " << f;
}

TEST(MotionFit, IsInsideTheLimitsInEveryFrame) {
    const ArmFilm film = makeArmFilm(20, 10);
    const SkeletonFitter fitter = makeSkeletonFitter(film.skeleton, film.mesh);
    const MotionFit found = fitMotion(fitter, film.frames, {.frame_time = 0.02, .chunk = 8});
    ASSERT_EQ(found.motion.frameCount(), 20U);
    EXPECT_EQ(found.motion.frameTime(), 0.02);
    for (std::size_t frame = 0; frame < 20; ++frame) {
        const Pose pose = found.motion.pose(frame);
        EXPECT_LT(rmsBetween(film.shapes[frame], skinOf(film.skeleton, film.mesh, pose)), 1e-7)
            << frame;
        EXPECT_LT(limitExcess(film.skeleton, computeDofs(film.skeleton, pose).dofs), 1e-9) << frame;
    }
}

TEST(MotionFit, AChunkBeginsColdAndGoesOnFromFrameToFrameOnAnyThreads) {
    ArmFilm film = makeArmFilm(40, 11);
    film.shapes[12][0].x = std::numeric_limits<double>::quiet_NaN();  // the first of a chunk
    const SkeletonFitter fitter = makeSkeletonFitter(film.skeleton, film.mesh);
    std::vector<Pose> by_hand;
    for (std::size_t begin = 0; begin < 40; begin += 2) {  // more chunks than run at once
        SkeletonFitter own = fitter;
        Pose pose = restPose(film.skeleton);
        FitStart next = FitStart::Cold;
        for (std::size_t frame = begin; frame < begin + 2; ++frame) {
            const FitReport& report = own.fit(film.frames[frame], next, pose);
            if (report.status != FitStatus::BadTarget) next = FitStart::Warm;
            by_hand.push_back(pose);
        }
    }
    for (const unsigned threads : {1U, 3U}) {
        const MotionFit found = fitMotion(fitter, film.frames, {.threads = threads, .chunk = 2});
        EXPECT_EQ(found.reports[12].status, FitStatus::BadTarget);
        EXPECT_EQ(posesOf(found.motion), by_hand) << threads;
    }
}

TEST(MotionFit, PinnedJointsAreAtRestInFramesThatDoNotSayTheirPlaces) {
    const ArmFilm film = makeArmFilm(6, 12);
    const JointId wrist = film.skeleton.find("wrist");
    const SkeletonFitter fitter = makeSkeletonFitter(film.skeleton, film.mesh, {.pinned = {wrist}});
    ControlPose driven;
    driven.positions.resize(film.skeleton.jointCount());
    driven.positions[index(wrist)] = {0.6, 0.5, 0.1};
    std::vector<FitTargets> frames = film.frames;
    frames[2].driven = &driven;
    const MotionFit found = fitMotion(fitter, frames);
    const Vec3 rest = computeModelPose(film.skeleton, restPose(film.skeleton)).position(wrist);
    for (std::size_t f = 0; f < 6; ++f) {
        const Vec3 place = computeModelPose(film.skeleton, found.motion.pose(f)).position(wrist);
        EXPECT_LT(distance(place, f == 2 ? driven.positions[index(wrist)] : rest), 1e-8) << f;
    }
}

TEST(MotionFit, WithSmoothnessIsOneChunkWhateverIsAsked) {
    const ArmFilm film = makeArmFilm(12, 13);
    const SkeletonFitter fitter = makeSkeletonFitter(film.skeleton, film.mesh, {.smoothness = 0.3});
    const std::vector<Pose> whole = posesOf(fitMotion(fitter, film.frames, {.chunk = 0}).motion);
    EXPECT_EQ(posesOf(fitMotion(fitter, film.frames, {.threads = 3, .chunk = 4}).motion), whole);
    // What moves steadily is not held back, as it is by a pull towards the frame before.
    SkeletonFitter own = fitter;
    Pose pose = whole[3];
    double carried = 0.0, lagging = 0.0;
    for (std::size_t f = 4; f < 12; ++f) {
        static_cast<void>(own.fit(film.frames[f], FitStart::Warm, pose));
        lagging += rmsBetween(film.shapes[f], skinOf(film.skeleton, film.mesh, pose));
        carried += rmsBetween(film.shapes[f], skinOf(film.skeleton, film.mesh, whole[f]));
    }
    EXPECT_LT(carried, 0.5 * lagging);
}

}  // namespace
}  // namespace ulna
