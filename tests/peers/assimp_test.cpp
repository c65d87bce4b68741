// SPDX-License-Identifier: Apache-2.0

// What we write, read by another program: assimp puts every joint of every frame where we do.
#include <assimp/scene.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <map>
#include <string>

#include "support/command.h"
#include "support/paths.h"
#include "ulna/io/bvh.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

using Positions = std::map<std::string, aiVector3D>;

// Where a frame puts every node: keys replace a node's own transform.
void place(const aiNode& node, const aiMatrix4x4& above,
           const std::map<std::string, const aiNodeAnim*>& channels, unsigned frame,
           Positions& out) {
    aiMatrix4x4 local = node.mTransformation;
    const auto found = channels.find(node.mName.C_Str());
    if (found != channels.end()) {
        const aiNodeAnim& keys = *found->second;
        // A joint that does not slide has a single position key.
        const unsigned position = std::min(frame, keys.mNumPositionKeys - 1);
        local = aiMatrix4x4(aiVector3D(1, 1, 1), keys.mRotationKeys[frame].mValue,
                            keys.mPositionKeys[position].mValue);
    }
    const aiMatrix4x4 model = above * local;
    out[node.mName.C_Str()] = {model.a4, model.b4, model.c4};
    for (unsigned i = 0; i < node.mNumChildren; ++i)
        place(*node.mChildren[i], model, channels, frame, out);
}

void expectAssimpAgrees(const std::string& path) {
    const Result<io::BvhFile> file = io::loadBvh(path);
    ASSERT_TRUE(file.ok()) << describe(file.error());
    const Result<io::BvhMotion> ours = io::toMotion(*file);
    ASSERT_TRUE(ours.ok());
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(path, 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    ASSERT_EQ(scene->mNumAnimations, 1U);
    std::map<std::string, const aiNodeAnim*> channels;
    for (unsigned i = 0; i < scene->mAnimations[0]->mNumChannels; ++i) {
        const aiNodeAnim* channel = scene->mAnimations[0]->mChannels[i];
        channels[channel->mNodeName.C_Str()] = channel;
    }
    std::size_t compared = 0;
    for (unsigned frame = 0; frame < ours->motion.frameCount(); ++frame) {
        Positions theirs;
        place(*scene->mRootNode, aiMatrix4x4(), channels, frame, theirs);
        const ModelPose model = computeModelPose(ours->skeleton, ours->motion.pose(frame));
        for (std::size_t j = 0; j < ours->skeleton.jointCount(); ++j) {
            // assimp calls End Sites EndSite_<joint>.
            const std::string& name = ours->skeleton.name(jointId(j));
            const bool end = ours->skeleton.isEndSite(jointId(j));
            const auto found =
                theirs.find(end ? "EndSite_" + name.substr(0, name.size() - 4) : name);
            ASSERT_NE(found, theirs.end()) << name;
            const Vec3 p{found->second.x, found->second.y, found->second.z};
            EXPECT_LT(distance(p, model.position(jointId(j))), 1e-5) << name << ", frame " << frame;
            ++compared;
        }
    }
    EXPECT_GT(compared, 1000U);
}

TEST(Assimp, ReadsTheBundledCharacterAsWeDo) {
    expectAssimpAgrees(test::sourcePath("assets/ulna-character.bvh"));
}

TEST(Assimp, ReadsWhatConvertWritesAsWeDo) {
    ASSERT_EQ(shell("$ULNA convert --quiet $ASSETS/ulna-character.rig.json out.bvh --order xyz "
                    "--up z --fps 50")
                  .exit_code,
              0);
    expectAssimpAgrees(scratchFolder() + "/out.bvh");
}

}  // namespace
}  // namespace ulna::test
