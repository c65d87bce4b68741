// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/sequence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/fit.h"
#include "support/skins.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna {
namespace {

using test::largestAngle;
using test::makeFitter;
using test::randomRig;
using test::rmsBetween;

struct Film {
    FitRig rig;
    std::vector<ControlPose> truth;
    std::vector<std::vector<Vec3>> shapes;
    std::vector<FitTargets> frames;
};

// Every point swings, and the shapes have noise.
Film makeFilm(std::size_t count, double noise, std::uint64_t seed) {
    Film film;
    Random random(seed);
    film.rig = randomRig(10, 400, true, random);
    std::vector<Vec3> axes;
    std::vector<double> phases;
    for (std::size_t j = 0; j < film.rig.points.size(); ++j) {
        axes.push_back(random.direction());
        phases.push_back(random.between(-kPi, kPi));
    }
    for (std::size_t frame = 0; frame < count; ++frame) {
        ControlPose pose = restControlPose(film.rig);
        for (std::size_t j = 0; j < axes.size(); ++j) {
            const double swing = std::sin(phases[j] + 0.1 * static_cast<double>(frame));
            pose.rotations[j] = quatFromAxisAngle(axes[j], 0.8 * swing);
            pose.positions[j] += axes[j] * (0.1 * swing);
        }
        applyHierarchy(film.rig, pose);
        film.truth.push_back(pose);
        film.shapes.push_back(test::withNoise(computeVertices(film.rig, pose), noise, random));
    }
    for (const std::vector<Vec3>& shape : film.shapes) film.frames.push_back({.positions = shape});
    return film;
}

TEST(FitSequence, RecoversAMotionFrameByFrame) {
    const Film film = makeFilm(50, 0.0, 1);
    const FitSequence found =
        fitSequence(makeFitter(film.rig), film.frames, restControlPose(film.rig));
    ASSERT_EQ(found.poses.size(), 50U);
    ASSERT_EQ(found.reports.size(), 50U);
    EXPECT_FALSE(found.cancelled);
    for (std::size_t frame = 0; frame < 50; ++frame) {
        EXPECT_EQ(found.reports[frame].status, FitStatus::Converged);
        EXPECT_LT(largestAngle(found.poses[frame], film.truth[frame]), 1e-6);
        EXPECT_LT(rmsBetween(computeVertices(film.rig, found.poses[frame]), film.shapes[frame]),
                  1e-9);
    }
}

TEST(FitSequence, IsTheSameInChunksAsInOneAndTheSameBytesOnAnyThreads) {
    const Film film = makeFilm(70, 0.01, 2);
    const Fitter fitter = makeFitter(film.rig);
    const ControlPose start = restControlPose(film.rig);
    const FitSequence whole = fitSequence(fitter, film.frames, start, {.chunk = 0});
    const FitSequence chunks = fitSequence(fitter, film.frames, start, {.chunk = 16});
    const FitSequence threads =
        fitSequence(fitter, film.frames, start, {.threads = 4, .chunk = 16});
    for (std::size_t frame = 0; frame < film.frames.size(); ++frame) {
        EXPECT_LT(largestAngle(whole.poses[frame], chunks.poses[frame]), 1e-6) << frame;
        EXPECT_EQ(chunks.poses[frame], threads.poses[frame]) << frame;
        EXPECT_NEAR(whole.reports[frame].rms, chunks.reports[frame].rms, 1e-9);
    }
}

TEST(FitSequence, AChunkBeginsColdAndGoesOnFromFrameToFrame) {
    Film film = makeFilm(40, 0.01, 9);
    film.shapes[12][0].x = std::numeric_limits<double>::quiet_NaN();  // the first of a chunk
    const ControlPose start = restControlPose(film.rig);
    const Fitter fitter = makeFitter(film.rig);
    std::vector<ControlPose> by_hand;
    for (std::size_t begin = 0; begin < 40; begin += 2) {  // more chunks than run at once
        Fitter own = fitter;
        ControlPose pose = start;
        FitStart next = FitStart::Cold;
        for (std::size_t frame = begin; frame < begin + 2; ++frame) {
            const FitReport& report = own.fit(film.frames[frame], next, pose);
            if (report.status != FitStatus::BadTarget) next = FitStart::Warm;
            by_hand.push_back(pose);
        }
    }
    for (const unsigned threads : {1U, 3U}) {
        const FitSequence found =
            fitSequence(fitter, film.frames, start, {.threads = threads, .chunk = 2});
        EXPECT_EQ(found.poses, by_hand) << threads;
    }
    constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(fitSequence(fitter, film.frames, start, {.chunk = kMany}).poses,
              fitSequence(fitter, film.frames, start, {.chunk = 0}).poses);
}

// The mean of second differences of positions: what jitters has much of it.
double jitter(const std::vector<ControlPose>& poses) {
    double sum = 0.0;
    for (std::size_t f = 2; f < poses.size(); ++f) {
        for (std::size_t j = 0; j < poses[f].positions.size(); ++j) {
            sum += length(poses[f].positions[j] - poses[f - 1].positions[j] * 2.0 +
                          poses[f - 2].positions[j]);
        }
    }
    return sum;
}

TEST(FitSequence, SmoothnessTakesTheJitterOutAndDoesNotLagBehind) {
    const Film film = makeFilm(60, 0.08, 3);
    const ControlPose start = restControlPose(film.rig);
    const auto fitWith = [&](double smoothness, bool extrapolate, std::size_t chunk) {
        return fitSequence(makeFitter(film.rig, {.smoothness = smoothness}), film.frames, start,
                           {.chunk = chunk, .extrapolate = extrapolate});
    };
    const auto errorOf = [&](const FitSequence& found) {
        double sum = 0.0;
        for (std::size_t f = 0; f < found.poses.size(); ++f)
            sum += rmsBetween(computeVertices(film.rig, found.poses[f]),
                              computeVertices(film.rig, film.truth[f]));
        return sum;
    };
    const FitSequence rough = fitWith(0.0, true, 0);
    const FitSequence smooth = fitWith(0.5, true, 0);
    const FitSequence lagging = fitWith(4.0, false, 0);
    EXPECT_LT(jitter(smooth.poses), 0.8 * jitter(rough.poses));
    EXPECT_LT(errorOf(smooth), errorOf(rough));
    EXPECT_GT(errorOf(lagging), 1.5 * errorOf(fitWith(4.0, true, 0)));
    EXPECT_EQ(fitWith(0.5, true, 20).poses, smooth.poses);
}

TEST(FitSequence, AFramesOwnReferenceIsWhatItIsPulledTowards) {
    Film film = makeFilm(10, 0.0, 10);
    const ControlPose start = restControlPose(film.rig);
    for (FitTargets& frame : film.frames) frame.reference = &start;
    const FitSequence found =
        fitSequence(makeFitter(film.rig, {.smoothness = 1.0}), film.frames, start);
    Fitter one = makeFitter(film.rig, {.smoothness = 1.0});
    for (std::size_t f = 0; f < 10; ++f) {
        ControlPose pose = start;
        static_cast<void>(one.fit(film.frames[f], FitStart::Warm, pose));
        EXPECT_LT(largestAngle(found.poses[f], pose), 1e-6) << f;
    }
}

TEST(FitSequence, GoesOnAfterABadFrameAndCanBeCancelled) {
    Film film = makeFilm(12, 0.0, 4);
    film.shapes[5][3].x = std::numeric_limits<double>::quiet_NaN();
    const Fitter fitter = makeFitter(film.rig);
    const FitSequence found = fitSequence(fitter, film.frames, restControlPose(film.rig));
    EXPECT_EQ(found.reports[5].status, FitStatus::BadTarget);
    EXPECT_EQ(found.reports[5].worst_vertex, 3U);
    EXPECT_EQ(found.poses[5], found.poses[4]);
    EXPECT_LT(largestAngle(found.poses[6], film.truth[6]), 1e-6);

    int asked = 0;
    const FitSequence cut =
        fitSequence(fitter, film.frames, restControlPose(film.rig), {}, [&](double fraction) {
            EXPECT_GE(fraction, 0.0);
            EXPECT_LE(fraction, 1.0);
            return ++asked < 5;
        });
    EXPECT_TRUE(cut.cancelled);
    EXPECT_EQ(cut.poses.size(), 4U);
    EXPECT_EQ(cut.reports.size(), 4U);
    EXPECT_EQ(cut.poses[3], found.poses[3]);
}

// The film's rig with a point driven and one pinned, both of which go where the film has them.
struct DrivenFilm {
    Film film;
    std::vector<ControlPose> driven;  // nothing but those two is a number
};

DrivenFilm makeDrivenFilm(std::size_t count, std::uint64_t seed) {
    DrivenFilm out{makeFilm(count, 0.0, seed), {}};
    Film& film = out.film;
    film.rig.points[0].freedom = PointFreedom::Driven;
    film.rig.points[6].pinned = true;
    film.rig.points[6].parent = -1;
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t f = 0; f < count; ++f) {
        applyHierarchy(film.rig, film.truth[f]);
        film.shapes[f] = computeVertices(film.rig, film.truth[f]);
        film.frames[f].positions = film.shapes[f];
        ControlPose driven;
        driven.rotations.assign(film.rig.points.size(), {kNothing, kNothing, kNothing, kNothing});
        driven.positions.assign(film.rig.points.size(), {kNothing, kNothing, kNothing});
        driven.rotations[0] = film.truth[f].rotations[0];
        driven.positions[0] = film.truth[f].positions[0];
        driven.positions[6] = film.truth[f].positions[6];
        out.driven.push_back(driven);
    }
    for (std::size_t f = 0; f < count; ++f) film.frames[f].driven = &out.driven[f];
    return out;
}

TEST(FitSequence, PointsAreDrivenAndPinnedElsewhereInEveryFrame) {
    const DrivenFilm made = makeDrivenFilm(40, 6);
    const Film& film = made.film;
    const Fitter fitter = makeFitter(film.rig);
    const ControlPose start = restControlPose(film.rig);
    const FitSequence found = fitSequence(fitter, film.frames, start);
    for (std::size_t f = 0; f < 40; ++f) {
        EXPECT_EQ(found.reports[f].status, FitStatus::Converged);
        EXPECT_LT(distance(found.poses[f].positions[0], film.truth[f].positions[0]), 1e-12);
        EXPECT_LT(distance(found.poses[f].positions[6], film.truth[f].positions[6]), 1e-12);
        EXPECT_LT(angleBetween(found.poses[f].rotations[0], film.truth[f].rotations[0]), 1e-7);
        EXPECT_LT(largestAngle(found.poses[f], film.truth[f]), 1e-6) << f;
    }
    // A single fit takes them from the frame, or from the pose: it is the same.
    Fitter one = fitter;
    ControlPose by_frame = start, by_pose = start;
    static_cast<void>(one.fit(film.frames[20], FitStart::Cold, by_frame));
    by_pose.rotations[0] = made.driven[20].rotations[0];
    for (const std::size_t j : {0U, 6U}) by_pose.positions[j] = made.driven[20].positions[j];
    static_cast<void>(one.fit({.positions = film.shapes[20]}, FitStart::Cold, by_pose));
    EXPECT_EQ(by_frame, by_pose);
    const FitSequence threads = fitSequence(fitter, film.frames, start, {.threads = 3, .chunk = 8});
    EXPECT_EQ(threads.poses, fitSequence(fitter, film.frames, start, {.chunk = 8}).poses);
}

TEST(FitSequence, AFrameThatSaysNothingOfDrivenPointsHasThemAsTheStartDoes) {
    DrivenFilm made = makeDrivenFilm(6, 7);
    made.film.frames[3].driven = nullptr;
    const ControlPose start = restControlPose(made.film.rig);
    for (const std::size_t chunk : {0U, 2U}) {
        const FitSequence found =
            fitSequence(makeFitter(made.film.rig), made.film.frames, start, {.chunk = chunk});
        EXPECT_LT(distance(found.poses[3].positions[0], start.positions[0]), 1e-12);
        EXPECT_LT(distance(found.poses[3].positions[6], start.positions[6]), 1e-12);
        EXPECT_LT(largestAngle(found.poses[4], made.film.truth[4]), 1e-6);
    }
}

TEST(FitSequence, APinOutOfReachInOneFrameIsMetInTheNext) {
    // A chain of three pinned at both ends; in the middle frame its end is asked for just too far
    // away.
    Random random(8);
    FitRig rig = test::pinnedChain(random);
    const ControlPose start = restControlPose(rig);
    ControlPose far = start;
    far.positions[3].x += 0.02;
    std::vector<FitTargets> frames(3, {.positions = rig.vertices});
    frames[1].driven = &far;
    const FitSequence found = fitSequence(makeFitter(rig), frames, start);
    EXPECT_GT(distance(found.poses[1].positions[3], rig.points[3].rest), 0.01);
    EXPECT_GT(distance(found.poses[1].positions[3], far.positions[3]), 0.005);
    EXPECT_LT(distance(found.poses[2].positions[3], rig.points[3].rest), 1e-8);
    EXPECT_LT(found.reports[2].rms, 1e-8);
}

TEST(FitSequence, OfASkeletonIsAMotion) {
    Random random(5);
    const Skeleton skeleton = test::randomTree(8, random);
    const Mesh mesh = test::randomMesh(500, 8, 3, random);
    const FitRig rig = *makeFitRig(skeleton, mesh);
    std::vector<Pose> poses;
    std::vector<std::vector<Vec3>> shapes;
    for (int frame = 0; frame < 6; ++frame) {
        poses.push_back(test::turnedPose(skeleton, random));
        shapes.push_back(
            deformReference(skeleton, mesh, computeModelPose(skeleton, poses.back())).positions);
    }
    std::vector<FitTargets> frames;
    for (const std::vector<Vec3>& shape : shapes) frames.push_back({.positions = shape});
    // Poses by chance do not follow each other: every frame starts cold.
    const FitSequence found =
        fitSequence(makeFitter(rig), frames, restControlPose(rig), {.chunk = 1});
    const Motion motion = makeMotion(skeleton, mesh, found.poses, 0.04);
    ASSERT_EQ(motion.frameCount(), 6U);
    for (std::size_t frame = 0; frame < 6; ++frame) {
        const ModelPose a = computeModelPose(skeleton, motion.pose(frame));
        const ModelPose b = computeModelPose(skeleton, poses[frame]);
        for (std::size_t j = 0; j < 8; ++j)
            EXPECT_LT(distance(a.position(jointId(j)), b.position(jointId(j))), 1e-6) << frame;
    }
}

}  // namespace
}  // namespace ulna
