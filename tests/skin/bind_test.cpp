// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/bind.h"

#include <gtest/gtest.h>

#include "support/paths.h"
#include "support/skins.h"
#include "ulna/io/gltf.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna {
namespace {

TEST(JoinedSkins, MoveAsTheSkinsOneByOne) {
    Random random(4);
    const Skeleton skeleton = test::randomTree(9, random);
    const Mesh a = test::randomMesh(20, 9, 3, random), b = test::randomMesh(35, 9, 2, random);
    const std::vector<const Mesh*> both = {&a, &b};
    const Result<Mesh> joined = joinedSkins(skeleton, both);
    ASSERT_TRUE(joined);
    const ModelPose pose = computeModelPose(skeleton, test::turnedPose(skeleton, random));
    const std::vector<Vec3> all = deformReference(skeleton, *joined, pose).positions;
    std::vector<Vec3> each = deformReference(skeleton, a, pose).positions;
    const std::vector<Vec3> more = deformReference(skeleton, b, pose).positions;
    each.insert(each.end(), more.begin(), more.end());
    ASSERT_EQ(all.size(), each.size());
    for (std::size_t v = 0; v < all.size(); ++v) EXPECT_LT(distance(all[v], each[v]), 1e-12) << v;
}

TEST(JoinedSkins, RefuseSkinsBoundInDifferentPoses) {
    Random random(5);
    const Skeleton skeleton = test::randomTree(4, random);
    const Mesh a = test::randomMesh(10, 4, 2, random);
    Mesh b = a;
    b.joint_from_bind = bindMatrices(skeleton, a);
    b.joint_from_bind[2] = b.joint_from_bind[2] * makeAffine(toMatrix(Quat{}), Vec3{0, 0.1, 0});
    const std::vector<const Mesh*> both = {&a, &b};
    EXPECT_FALSE(joinedSkins(skeleton, both));
}

// The same vertices from the anatomical skeleton in the pose it takes over.
TEST(AnatomicalBind, MovesTheSkinAsTheOriginalDoes) {
    const auto file = io::loadGltf(test::sourcePath("assets/ulna-character.glb"));
    ASSERT_TRUE(file);
    const Skeleton& skeleton = file->skeleton;
    const Result<AnatomicalRig> rig = makeAnatomicalRig(skeleton, restPose(skeleton));
    ASSERT_TRUE(rig);
    Mesh turned = file->meshes[0];
    turned.joint_from_bind = bindMatrices(*rig, skeleton, file->meshes[0]);
    Random random(6);
    const Pose pose = test::turnedPose(skeleton, random);
    const std::vector<Vec3> wished =
        deformReference(skeleton, file->meshes[0], computeModelPose(skeleton, pose)).positions;
    const std::vector<Vec3> got =
        deformReference(rig->skeleton, turned,
                        computeModelPose(rig->skeleton, toAnatomical(*rig, pose)))
            .positions;
    ASSERT_EQ(got.size(), wished.size());
    for (std::size_t v = 0; v < got.size(); v += 7) EXPECT_LT(distance(got[v], wished[v]), 1e-9);
}

}  // namespace
}  // namespace ulna
