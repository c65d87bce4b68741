// SPDX-License-Identifier: Apache-2.0

// What several threads may use at once: everything that is const. Each thread must find what one
// thread alone finds; `./test deep` runs this under the thread sanitizer.
#include <gtest/gtest.h>

#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/clips.h"
#include "support/meshes.h"
#include "support/skeleton_fits.h"
#include "support/skins.h"
#include "ulna/math/dense.h"
#include "ulna/math/sparse_cholesky.h"
#include "ulna/motion/player.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"
#include "ulna/skin/triangle_tree.h"

namespace ulna {
namespace {

// Calls `compute` in four threads at once, which must all return what this one does.
template <class Compute>
void expectSameInThreads(const Compute& compute) {
    const auto expected = compute();
    std::vector<std::remove_cv_t<decltype(expected)>> found(4);
    std::vector<std::thread> threads;
    for (auto& own : found) threads.emplace_back([&compute, &own] { own = compute(); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& own : found) EXPECT_TRUE(own == expected);
}

TEST(Threads, ShareASkeletonAndItsMotion) {
    const test::Clip clip = test::randomClip(1, 20);
    const KeyedMotion keyed = makeKeyed(clip.motion);
    expectSameInThreads([&] {
        std::vector<double> out;
        for (int i = 0; i < 50; ++i) {
            const double time = 0.013 * i;
            for (const Pose& pose : {samplePose(clip.motion, time), samplePose(keyed, time)}) {
                const ModelPose model = computeModelPose(clip.skeleton, pose);
                for (const JointId j : clip.skeleton.joints()) {
                    const Vec3 at = model.position(clip.skeleton.find(clip.skeleton.name(j)));
                    out.insert(out.end(), {at.x, at.y, at.z});
                }
            }
        }
        return out;
    });
}

TEST(Threads, ShareAPlayableClipEachWithAPlayer) {
    const test::Clip clip = test::randomClip(2, 20);
    const PlayableClip shared = makePlayable(makeKeyed(clip.motion));
    expectSameInThreads([&] {
        Player player(shared);
        FloatPose pose(clip.skeleton.jointCount());
        std::vector<FloatPose> out;
        for (int i = 0; i < 50; ++i) {
            player.sample(0.017 * i, pose);
            out.push_back(pose);
        }
        return out;
    });
}

TEST(Threads, ShareADeformerAndATree) {
    Random random(3);
    const Skeleton skeleton = test::randomTree(12, random);
    const Mesh mesh = test::randomMesh(500, 12, 4, random);
    const Deformer deformer(skeleton, mesh);
    const ModelPose pose = computeModelPose(skeleton, test::turnedPose(skeleton, random));
    for (const SkinBlend blend : {SkinBlend::Linear, SkinBlend::DualQuaternion}) {
        expectSameInThreads([&] {
            DeformedVertices out;
            deformer.deform(pose, {.blend = blend}, out);
            return out.positions;
        });
    }
    const Mesh globe = test::globe(1.0, 12, 16);
    const TriangleTree tree(globe.positions, globe.indices);
    expectSameInThreads([&] {
        Random own(4);
        std::vector<double> out;
        for (int i = 0; i < 200; ++i) {
            const Vec3 p = own.direction() * own.between(0.0, 2.0);
            out.push_back(tree.nearest(p)->distance);
            out.push_back(tree.firstHit(p, own.direction() * 2.0).value_or(-1.0));
        }
        return out;
    });
}

TEST(Threads, ShareFactorsAndSolveWithThem) {
    constexpr std::size_t n = 20;
    Random random(5);
    std::vector<double> matrix(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k)
            matrix[i * n + k] = matrix[k * n + i] = random.between(-0.02, 0.02);
        matrix[i * n + i] = 1.0;
    }
    SparseCholesky sparse;
    DenseCholesky dense;
    SymmetricEigen eigen;
    ASSERT_TRUE(sparse.factor(matrix, n));
    ASSERT_TRUE(dense.factor(matrix, n));
    eigen.compute(matrix, n);
    expectSameInThreads([&, &fixed = std::as_const(eigen)] {
        std::vector<double> a(n, 1.0), b(n, 1.0), c(n, 0.0);
        fixed.applyPseudoInverse(a, 1e-12, c);
        std::as_const(sparse).solve(a);
        std::as_const(dense).solve(b, 1);
        a.insert(a.end(), b.begin(), b.end());
        a.insert(a.end(), c.begin(), c.end());
        return a;
    });
}

TEST(Threads, CopyOneFitterAndFitAtOnce) {
    const Skeleton skeleton = test::limitedArm();
    Random random(6);
    const Mesh mesh = test::meshAround(skeleton, 200, random);
    const SkeletonFitter shared = test::makeSkeletonFitter(skeleton, mesh);
    const std::vector<Vec3> shape =
        test::skinOf(skeleton, mesh, computePose(skeleton, test::clampedDofs(skeleton, random)));
    expectSameInThreads([&] {
        SkeletonFitter own = shared;
        Pose pose = restPose(skeleton);
        static_cast<void>(own.fit({.positions = shape}, FitStart::Cold, pose));
        return pose.parent_from_joint;
    });
}

}  // namespace
}  // namespace ulna
