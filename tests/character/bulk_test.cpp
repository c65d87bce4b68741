// SPDX-License-Identifier: Apache-2.0

// How thick limbs are, measured on tubes of known radii and on the bundled character, made thin and
// fat. What it is for is judged by the skin itself: which of its vertices are inside the body.
#include "ulna/character/bulk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/humanoid.h"
#include "support/paths.h"
#include "support/skins.h"
#include "ulna/character/stage.h"
#include "ulna/ik/solver.h"
#include "ulna/io/gltf.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"
#include "ulna/skin/deform.h"

namespace ulna {
namespace {

using test::widened;

const io::GltfFile& character() {
    static const io::GltfFile file = [] {
        Result<io::GltfFile> loaded = io::loadGltf(test::sourcePath("assets/ulna-character.glb"));
        EXPECT_TRUE(loaded.ok());
        return loaded ? *std::move(loaded) : io::GltfFile{};
    }();
    return file;
}

BodyShape usualShape(const Skeleton& skeleton) {
    const Pose rest = restPose(skeleton);
    return makeBodyShape(skeleton, rest, *findHumanBody(skeleton, rest));
}

BodyShape measured(const Skeleton& skeleton, const Mesh& skin) {
    const ModelPose model = computeModelPose(skeleton, restPose(skeleton));
    const Mesh* skins[] = {&skin};
    return measuredShape(usualShape(skeleton), model, skins, skeleton, model);
}

// A tube around every capsule, tied to its joint.
Mesh tubes(const Skeleton& skeleton, double factor) {
    constexpr std::uint32_t kAround = 24, kRings = 9;
    const ModelPose model = computeModelPose(skeleton, restPose(skeleton));
    Mesh out;
    for (const Capsule& capsule : usualShape(skeleton).limbs) {
        const Vec3 start = model[capsule.joint] * capsule.start;
        const Vec3 along = model[capsule.joint] * capsule.end - start;
        const Vec3 x = normalizedOr(cross(along, Vec3{0.3, 0.5, 0.8}), Vec3{1, 0, 0});
        const Vec3 y = normalizedOr(cross(along, x), Vec3{0, 1, 0});
        const auto first = static_cast<std::uint32_t>(out.positions.size());
        for (std::uint32_t ring = 0; ring < kRings; ++ring) {
            for (std::uint32_t i = 0; i < kAround; ++i) {
                const double angle = kTwoPi * i / kAround;
                const Vec3 p =
                    start + along * (static_cast<double>(ring) / (kRings - 1)) +
                    (x * std::cos(angle) + y * std::sin(angle)) * (factor * capsule.radius);
                out.positions.push_back(cast<float>(p));
                const Influence whole[] = {{capsule.joint, 1.0f}};
                out.weights.addRow(whole);
                if (ring == 0) continue;
                const std::uint32_t here = first + ring * kAround + i,
                                    next = first + ring * kAround + (i + 1) % kAround;
                out.indices.insert(out.indices.end(), {here - kAround, here, next});
                out.indices.insert(out.indices.end(), {here - kAround, next, next - kAround});
            }
        }
    }
    return out;
}

// The character with every vertex farther from, or nearer to, the axis of its limb.
Mesh fattened(double factor) {
    const Skeleton& skeleton = character().skeleton;
    const ModelPose model = computeModelPose(skeleton, restPose(skeleton));
    const BodyShape shape = usualShape(skeleton);
    Mesh out = character().meshes[0];
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
        // Weighted, so that limbs join smoothly.
        Vec3 moved;
        for (const Influence& influence : out.weights[v]) {
            JointId j = influence.joint;
            const Capsule* limb = nullptr;
            for (; limb == nullptr && j != JointId::None; j = skeleton.parent(j)) {
                for (const Capsule& each : shape.limbs)
                    if (each.joint == j) limb = &each;
            }
            const Vec3 start = model[limb->joint] * limb->start;
            const Vec3 along = normalizedOr(model[limb->joint] * limb->end - start, Vec3{});
            const Vec3 from = widened(out.positions[v]) - start;
            const Vec3 out_of_axis = from - along * dot(from, along);
            moved += (widened(out.positions[v]) + out_of_axis * (factor - 1.0)) *
                     double{influence.weight};
        }
        out.positions[v] = cast<float>(moved);
    }
    out.normals = computeNormals(out);
    return out;
}

TEST(Bulk, OfTubesIsTheirRadius) {
    const Skeleton skeleton = test::makeHumanoid(test::nameFamilies().front());
    const BodyShape usual = usualShape(skeleton);
    for (const double factor : {0.5, 1.0, 1.7}) {
        const BodyShape shape = measured(skeleton, tubes(skeleton, factor));
        for (std::size_t i = 0; i < kBodyLimbs; ++i) {
            const Capsule &limb = shape.limbs[i], &before = usual.limbs[i];
            // Vertices at the very ends may count or not, but all have one distance.
            // What has little area keeps its radius: a head without a tip.
            const bool long_enough = distance(limb.start, limb.end) > before.radius;
            EXPECT_NEAR(limb.radius, (long_enough ? factor : 1.0) * before.radius, 1e-6) << i;
            EXPECT_EQ(limb.start, before.start);
            EXPECT_EQ(limb.end, before.end);
        }
    }
}

TEST(Bulk, IsUsualWhereThereIsNoSkinOrOneThatIsNoLimb) {
    const Skeleton skeleton = test::makeHumanoid(test::nameFamilies().front());
    const BodyShape usual = usualShape(skeleton);
    Mesh bare = tubes(skeleton, 1.5);
    bare.weights = {};
    Mesh points = tubes(skeleton, 1.5);
    points.indices.clear();
    for (const Mesh& skin : {Mesh{}, bare, points}) {
        const BodyShape shape = measured(skeleton, skin);
        for (std::size_t i = 0; i < kBodyLimbs; ++i)
            EXPECT_EQ(shape.limbs[i].radius, usual.limbs[i].radius);
    }
    // A cloak, a tent.
    const BodyShape wide = measured(skeleton, tubes(skeleton, 20));
    for (std::size_t i = 0; i < kBodyLimbs; ++i)
        EXPECT_NEAR(wide.limbs[i].radius, 3 * usual.limbs[i].radius, 1e-9);
}

TEST(Bulk, OfTheCharacterIsThatOfAPersonAndAlikeOnBothSides) {
    const BodyShape usual = usualShape(character().skeleton);
    const BodyShape shape = measured(character().skeleton, character().meshes[0]);
    for (std::size_t i = 0; i < kBodyLimbs; ++i) {
        const double factor = shape.limbs[i].radius / usual.limbs[i].radius;
        EXPECT_GT(factor, 0.7) << i;
        EXPECT_LT(factor, 1.5) << i;
    }
    for (std::size_t i = 3; i < 9; ++i)
        EXPECT_NEAR(shape.limbs[i].radius, shape.limbs[i + 6].radius, 1e-4) << i;
}

TEST(Bulk, GrowsWithTheSkin) {
    const BodyShape shape = measured(character().skeleton, character().meshes[0]);
    for (const double factor : {0.7, 1.4}) {
        const BodyShape other = measured(character().skeleton, fattened(factor));
        for (std::size_t i = 0; i < kBodyLimbs; ++i) {
            const double grown = other.limbs[i].radius / shape.limbs[i].radius;
            EXPECT_NEAR(grown, factor, 0.12 * factor) << i;
        }
    }
}

// The share of the arms' vertices that are inside the trunk: behind its nearest vertex.
double insideTrunk(const Mesh& skin, const Pose& pose) {
    const Skeleton& skeleton = character().skeleton;
    const Mesh posed = posedMesh(skeleton, skin, computeModelPose(skeleton, pose));
    const auto belongs = [&](std::size_t v, std::initializer_list<const char*> joints) {
        float sum = 0.0f;
        for (const char* name : joints) sum += weightOf(skin.weights[v], skeleton.find(name));
        return sum > 0.9f;
    };
    std::vector<std::size_t> trunk, arms;
    for (std::size_t v = 0; v < skin.positions.size(); ++v) {
        if (belongs(v, {"Hips", "Spine", "Spine1", "Spine2", "LeftUpLeg", "RightUpLeg"}))
            trunk.push_back(v);
        if (v % 5 == 0 && belongs(v, {"LeftForeArm", "LeftHand", "RightForeArm", "RightHand"}))
            arms.push_back(v);
    }
    std::size_t inside = 0;
    for (const std::size_t v : arms) {
        std::size_t nearest = trunk.front();
        for (const std::size_t t : trunk)
            if (length(posed.positions[v] - posed.positions[t]) <
                length(posed.positions[v] - posed.positions[nearest]))
                nearest = t;
        if (dot(posed.positions[v] - posed.positions[nearest], posed.normals[nearest]) < 0.0f)
            ++inside;
    }
    return static_cast<double>(inside) / static_cast<double>(arms.size());
}

TEST(Bulk, OfAFatBodyKeepsItsArmsOutOfIt) {
    const Skeleton& skeleton = character().skeleton;
    const Mesh fat = fattened(1.5);
    const Mesh* skins[] = {&fat};
    const Result<Stage> usual = makeStage(skeleton, {.limits = LimitSource::Anatomical});
    const Result<Stage> own =
        makeStage(skeleton, {.limits = LimitSource::Anatomical, .skins = skins});
    ASSERT_TRUE(usual.ok() && own.ok());
    Random random(5);
    double inside[2] = {0, 0};
    int solved = 0;
    for (int i = 0; i < 20; ++i) {
        // Hands before the belly: elbows and forearms are free to pass through it.
        const double height = random.between(0.95, 1.25);
        const double forward = random.between(0.2, 0.32);
        const double wide = random.between(-0.05, 0.2);
        std::vector<IkGoal> goals;
        for (const char* foot : {"LeftFoot", "RightFoot"}) {
            const JointId j = skeleton.find(foot);
            goals.push_back(
                {.kind = PositionGoal{
                     .joint = j,
                     .target = computeModelPose(skeleton, restPose(skeleton)).position(j)}});
        }
        for (const double side : {1.0, -1.0})
            goals.push_back(
                {.kind = PositionGoal{.joint = skeleton.find(side > 0 ? "LeftHand" : "RightHand"),
                                      .target = {side * wide, height, forward}}});
        double found[2];
        bool reached = true;
        for (const Stage* stage : {&*usual, &*own}) {
            std::vector<IkGoal> staged = goals;
            for (IkGoal& goal : staged) goal.kind = stage->toStage(goal.kind);
            Result<IkSolver> solver =
                IkSolver::make(stage->skeleton, staged, {.natural = stage->natural});
            ASSERT_TRUE(solver.ok());
            Pose pose = stage->toStage(restPose(skeleton));
            reached = reached && solver->solve(pose).status == IkStatus::Reached;
            found[stage == &*own ? 1 : 0] = insideTrunk(fat, stage->fromStage(pose));
        }
        if (!reached) continue;
        ++solved;
        for (int k = 0; k < 2; ++k) inside[k] += found[k];
    }
    EXPECT_GT(solved, 15);
    EXPECT_GT(inside[0], 0.01 * solved);
    EXPECT_LT(inside[1], 0.2 * inside[0]);
}

}  // namespace
}  // namespace ulna
