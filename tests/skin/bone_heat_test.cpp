// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/bone_heat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support/skeletons.h"
#include "support/surfaces.h"
#include "support/text.h"
#include "ulna/skin/distance_weights.h"
#include "ulna/skin/topology.h"

namespace ulna {
namespace {

using test::armsDownBody;
using test::armsDownSkeleton;
using test::build;
using test::contains;
using test::isArm;
using test::joint;
using test::twoBones;

BoneHeat heat(const Skeleton& skeleton, const Mesh& mesh, const BoneHeatOptions& options = {}) {
    Result<BoneHeat> made = makeBoneHeatWeights(skeleton, mesh, options);
    EXPECT_TRUE(made.ok()) << (made ? "" : describe(made.error()));
    return made ? *std::move(made) : BoneHeat{};
}

// What every answer keeps: a row for each vertex, positive, in order, summing to 1.
void expectSound(const SkinWeights& weights, const Mesh& mesh, std::size_t most) {
    ASSERT_EQ(weights.rowCount(), mesh.positions.size());
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        const auto row = weights[v];
        ASSERT_FALSE(row.empty()) << "vertex " << v;
        ASSERT_LE(row.size(), most) << "vertex " << v;
        double sum = 0.0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            ASSERT_GT(row[i].weight, 0.0f) << "vertex " << v;
            ASSERT_GE(row[i > 0 ? i - 1 : 0].weight, row[i].weight) << "vertex " << v;
            sum += static_cast<double>(row[i].weight);
        }
        ASSERT_NEAR(sum, 1.0, 1e-6) << "vertex " << v;
    }
}

// Along x: joint 1 has at least this weight above `beyond`, joint 0 below its negative.
void expectEnds(const SkinWeights& weights, const Mesh& mesh, std::size_t first, float beyond,
                float least) {
    for (std::size_t v = first; v < mesh.positions.size(); ++v) {
        const float x = mesh.positions[v].x;
        if (std::abs(x) <= beyond) continue;
        EXPECT_GT(weightOf(weights[v], jointId(x > 0 ? 1 : 0)), least) << "x = " << x;
    }
}

double armWeight(const Skeleton& skeleton, std::span<const Influence> row) {
    double sum = 0.0;
    for (const Influence& i : row) {
        const std::string& name = skeleton.name(i.joint);
        if (contains(name, "Arm") || contains(name, "Hand")) sum += static_cast<double>(i.weight);
    }
    return sum;
}

// ---- closed forms

TEST(BoneHeat, OfTwoBonesIsHalfAndHalfInTheMiddleOfATube) {
    const Skeleton skeleton = twoBones(1.0);
    const Mesh mesh = test::tube(-1, 1, 0.2, 41, 12);
    const BoneHeat made = heat(skeleton, mesh);
    expectSound(made.weights, mesh, 4);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const double x = static_cast<double>(mesh.positions[v].x);
        if (std::abs(x) < 1e-6) {
            EXPECT_NEAR(weightOf(made.weights[v], jointId(0)), 0.5, 1e-6);
        }
    }
    EXPECT_TRUE(made.report.hidden.empty());
    EXPECT_TRUE(made.report.loose.empty());
    EXPECT_TRUE(made.report.idle.empty());
}

TEST(BoneHeat, OfTwoBonesGrowsAlongATubeAndIsTheSameAllAround) {
    const Skeleton skeleton = twoBones(1.0);
    constexpr std::uint32_t kSides = 12;
    const Mesh mesh = test::tube(-1, 1, 0.2, 41, kSides);
    const BoneHeat made = heat(skeleton, mesh);
    double before = -1.0;
    for (std::size_t ring = 0; ring < 41; ++ring) {
        const double here = weightOf(made.weights[ring * kSides], jointId(1));
        EXPECT_GE(here, before) << "ring " << ring;
        before = here;
        for (std::size_t s = 1; s < kSides; ++s)
            EXPECT_NEAR(weightOf(made.weights[ring * kSides + s], jointId(1)), here, 1e-5);
    }
    EXPECT_GT(before, 0.99);
}

TEST(BoneHeat, FallsOffAlongALongTubeAsTheEquationSays) {
    // With distance r everywhere, w'' = (c / r^2) (w - p) for p a step: w = 1 - exp(-x / r) / 2 on
    // the far side. Shares of bones nearly as near blur the step over a third of r.
    const double radius = 0.25;
    const Mesh mesh = test::tube(-4, 4, radius, 401, 24);
    const BoneHeat made = heat(twoBones(4.0), mesh, {.most = 0});
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const double x = static_cast<double>(mesh.positions[v].x);
        if (std::abs(x) > 3.0) continue;  // the ends are not long tubes
        const double step = 0.5 * std::exp(-std::abs(x) / radius);
        const double expected = x > 0 ? 1.0 - step : step;
        ASSERT_NEAR(weightOf(made.weights[v], jointId(1)), expected, 0.02) << "x = " << x;
    }
}

TEST(BoneHeat, StiffnessKeepsWeightsCloserToTheirBones) {
    const Mesh mesh = test::tube(-1, 1, 0.2, 41, 12);
    const std::size_t beside = 24 * 12;  // a ring a little above the joint
    const double soft =
        weightOf(heat(twoBones(1.0), mesh, {.stiffness = 0.2}).weights[beside], jointId(1));
    const double usual = weightOf(heat(twoBones(1.0), mesh).weights[beside], jointId(1));
    const double stiff =
        weightOf(heat(twoBones(1.0), mesh, {.stiffness = 10}).weights[beside], jointId(1));
    EXPECT_LT(soft + 0.02, usual);
    EXPECT_LT(usual + 0.02, stiff);
}

// ---- what is seen

TEST(BoneHeat, OfAnArmBesideTheBodyNeverWeightsTheTorso) {
    const Skeleton skeleton = armsDownSkeleton();
    const Mesh mesh = armsDownBody(0.01);
    const BoneHeat made = heat(skeleton, mesh);
    expectSound(made.weights, mesh, 4);
    EXPECT_TRUE(made.report.hidden.empty());
    EXPECT_TRUE(made.report.idle.empty());
    const SkinWeights by_distance = makeDistanceWeights(
        skeleton, mesh, {.radii = std::vector<double>(skeleton.jointCount(), 0.15)});
    // In bands of 5 cm below the armpits: the torso's side by the arm, and its front and back.
    std::map<int, double> beside, before;
    double on_arms = 1.0, pulled = 0.0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        if (p.y > 1.1f) continue;
        const double arm = armWeight(skeleton, made.weights[v]);
        if (isArm(p)) {
            on_arms = std::min(on_arms, arm);
            continue;
        }
        double& most = (std::abs(p.x) > 0.1f ? beside : before)[static_cast<int>(p.y * 20)];
        most = std::max(most, arm);
        pulled = std::max(pulled, armWeight(skeleton, by_distance[v]));
    }
    EXPECT_GT(on_arms, 0.99);
    ASSERT_GT(beside.size(), 5U);
    for (const auto& [band, most] : beside) {
        // What comes down from the shoulder over the skin, and nothing across the gap.
        const double down = 1.25 - 0.05 * (band + 1);
        EXPECT_LT(most, std::exp(-down / 0.14)) << "at " << 0.05 * band;
        EXPECT_LT(most, 1.5 * before[band] + 0.01) << "at " << 0.05 * band;
    }
    EXPECT_GT(pulled, 0.4);  // by distance alone the arm pulls: the body is a test
}

JointId otherSide(const Skeleton& skeleton, JointId j) {
    const std::string& name = skeleton.name(j);
    if (contains(name, "Left")) return skeleton.find("Right" + name.substr(4));
    if (contains(name, "Right")) return skeleton.find("Left" + name.substr(5));
    return j;
}

TEST(BoneHeat, IsAsSymmetricAsTheBodyHoweverManyInfluencesAreKept) {
    const Skeleton skeleton = armsDownSkeleton();
    const Mesh mesh = armsDownBody(0.015);
    std::map<std::tuple<float, float, float>, std::size_t> at;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        at[{mesh.positions[v].x, mesh.positions[v].y, mesh.positions[v].z}] = v;
    for (const std::size_t most : {0U, 4U, 3U, 2U}) {
        const BoneHeat made = heat(skeleton, mesh, {.most = most});
        std::size_t pairs = 0;
        float worst = 0.0f;
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const Vec3f& p = mesh.positions[v];
            const auto twin = at.find({-p.x, p.y, p.z});
            if (twin == at.end()) continue;
            ++pairs;
            const auto here = made.weights[v], there = made.weights[twin->second];
            for (std::size_t j = 0; j < skeleton.jointCount(); ++j)
                worst = std::max(worst, std::abs(weightOf(here, jointId(j)) -
                                                 weightOf(there, otherSide(skeleton, jointId(j)))));
        }
        EXPECT_GT(pairs, mesh.positions.size() * 9 / 10);
        EXPECT_LT(worst, 1e-5f) << most << " kept";
    }
}

TEST(BoneHeat, VariesSmoothlyOverNeighbours) {
    const Skeleton skeleton = armsDownSkeleton();
    const Mesh mesh = armsDownBody(0.01);
    const BoneHeat made = heat(skeleton, mesh);
    const MeshTopology topology = computeTopology(mesh);
    float worst = 0.0f;
    for (std::size_t place = 0; place < topology.pointCount(); ++place) {
        const auto row = made.weights[topology.vertex_of_point[place]];
        for (const std::uint32_t n : topology.neighboursOf(place))
            for (std::size_t j = 0; j < skeleton.jointCount(); ++j)
                worst = std::max(worst, std::abs(weightOf(row, jointId(j)) -
                                                 weightOf(made.weights[topology.vertex_of_point[n]],
                                                          jointId(j))));
    }
    // Edges are up to 1.4 cm, limbs 4 cm thick.
    EXPECT_LT(worst, 0.2f);
}

TEST(BoneHeat, LooksAtOtherPointsOfABoneWhoseNearestIsHidden) {
    // The bone starts beside the tube and enters it halfway: for the nearer half of the vertices
    // its closest point is outside.
    JointDef end = joint("side_end", "side", JointKind::Fixed, {1.9, -0.35, 0});
    end.end_site = true;
    const Skeleton skeleton = build({joint("side", "", JointKind::Free, {-1, 0.35, 0}), end});
    const Mesh mesh = test::tube(-1, 1, 0.2, 41, 12);
    const BoneHeat made = heat(skeleton, mesh);
    expectSound(made.weights, mesh, 1);
    EXPECT_TRUE(made.report.hidden.empty());
}

TEST(BoneHeat, NamesHiddenVerticesAndTakesTheirWeightsFromNeighbours) {
    // A thin pocket runs along a slab whose bone it cannot see: the bone is at the other end,
    // around two corners.
    const auto inside = [](const Vec3& p) {
        const auto block = [&](const Vec3& low, const Vec3& high) {
            double worst = -1e9;
            for (std::size_t k = 0; k < 3; ++k)
                worst = std::max({worst, low[k] - p[k], p[k] - high[k]});
            return worst;
        };
        return std::min({block({0, 0, -.1}, {1, .2, .1}), block({.8, 0, -.1}, {1, 1, .1}),
                         block({0, .8, -.1}, {1, 1, .1})});
    };
    const Mesh mesh = test::implicitSurface(inside, {-.1, -.1, -.2}, {1.1, 1.1, .2}, 0.0437);
    JointDef end = joint("bone_end", "bone", JointKind::Fixed, {0.3, 0, 0});
    end.end_site = true;
    const Skeleton skeleton = build({joint("bone", "", JointKind::Free, {0.1, 0.1, 0}), end});
    const BoneHeat made = heat(skeleton, mesh);
    expectSound(made.weights, mesh, 1);
    const std::set<std::uint32_t> hidden(made.report.hidden.begin(), made.report.hidden.end());
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        if (p.y > 0.9f && p.x < 0.6f) {
            EXPECT_TRUE(hidden.contains(v)) << p.x << ' ' << p.y;
        }
        if (p.y < 0.2f && p.x < 0.7f) {
            EXPECT_FALSE(hidden.contains(v)) << p.x << ' ' << p.y;
        }
    }
    EXPECT_TRUE(made.report.loose.empty());
}

// ---- parts

TEST(BoneHeat, AnEyeGoesWithItsNearestBoneAsAWhole) {
    const Skeleton skeleton = armsDownSkeleton();
    Mesh mesh = armsDownBody(0.02);
    const auto body = static_cast<std::uint32_t>(mesh.positions.size());
    test::append(test::ball({0.0, 1.45, 0.13}, 0.012, 6, 8), mesh);
    const BoneHeat made = heat(skeleton, mesh);
    expectSound(made.weights, mesh, 4);
    ASSERT_EQ(made.report.loose.size(), mesh.positions.size() - body);
    EXPECT_EQ(made.report.loose.front(), body);
    for (const std::uint32_t v : made.report.loose) {
        ASSERT_EQ(made.weights[v].size(), 1U);
        EXPECT_EQ(made.weights[v][0].joint, made.weights[body][0].joint);
    }
}

TEST(BoneHeat, AShirtSeesTheBonesThroughTheBody) {
    const Skeleton skeleton = twoBones(1.0);
    Mesh mesh = test::tube(-1, 1, 0.2, 41, 12);
    const std::size_t body = mesh.positions.size();
    Mesh shirt = test::tube(-0.8, 0.8, 0.22, 33, 12);
    shirt.indices.resize(shirt.indices.size() - 6 * 12);  // open at both ends
    test::append(shirt, mesh);
    const BoneHeat made = heat(skeleton, mesh);
    expectEnds(made.weights, mesh, body, 0.6f, 0.9f);
    // The two vertices that closed the ends are of no triangle now.
    EXPECT_EQ(made.report.loose.size(), 2U);
}

TEST(BoneHeat, ACoatWithAThicknessIsWeightedFromTheBonesItSurrounds) {
    const Skeleton skeleton = twoBones(1.0);
    const auto inside = [](const Vec3& p) {
        const double from_axis = std::hypot(p.y, p.z);
        return std::max({from_axis - 0.30, 0.22 - from_axis, std::abs(p.x) - 0.9});
    };
    const Mesh mesh = test::implicitSurface(inside, {-1, -.4, -.4}, {1, .4, .4}, 0.0375);
    const BoneHeat made = heat(skeleton, mesh);
    expectSound(made.weights, mesh, 4);
    EXPECT_TRUE(made.report.loose.empty());
    EXPECT_FALSE(made.report.outside.empty());
    EXPECT_FALSE(made.report.hidden.empty());  // its outer side
    expectEnds(made.weights, mesh, 0, 0.7f, 0.75f);
}

TEST(BoneHeat, OfAMeshInsideOutIsThatOfTheMesh) {
    const Skeleton skeleton = armsDownSkeleton();
    const Mesh mesh = armsDownBody(0.02);
    Mesh turned = mesh;
    for (std::size_t i = 0; i < turned.indices.size(); i += 3)
        std::swap(turned.indices[i + 1], turned.indices[i + 2]);
    const BoneHeat a = heat(skeleton, mesh), b = heat(skeleton, turned);
    EXPECT_TRUE(b.report.outside.empty());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        for (const Influence& i : a.weights[v])
            ASSERT_NEAR(i.weight, weightOf(b.weights[v], i.joint), 1e-5) << "vertex " << v;
}

TEST(BoneHeat, IsEqualForVerticesInOnePlace) {
    const Skeleton skeleton = twoBones(1.0);
    const Mesh whole = test::tube(-1, 1, 0.2, 21, 8);
    Mesh split;
    for (const std::uint32_t i : whole.indices) {
        split.indices.push_back(static_cast<std::uint32_t>(split.positions.size()));
        split.positions.push_back(whole.positions[i]);
    }
    const BoneHeat a = heat(skeleton, whole), b = heat(skeleton, split);
    for (std::size_t i = 0; i < whole.indices.size(); ++i) {
        const auto row = a.weights[whole.indices[i]], other = b.weights[i];
        ASSERT_EQ(row.size(), other.size());
        for (std::size_t k = 0; k < row.size(); ++k) {
            ASSERT_EQ(row[k].joint, other[k].joint);
            ASSERT_NEAR(row[k].weight, other[k].weight, 1e-6);
        }
    }
}

// ---- bones

TEST(BoneHeat, ALeafWithoutAnEndSiteHasAllBeyondIt) {
    // A file without End Sites: the hand is a point at the wrist.
    const Skeleton skeleton = build({joint("fore", "", JointKind::Free, {-1, 0, 0}),
                                     joint("hand", "fore", JointKind::Ball, {1, 0, 0})});
    const Mesh mesh = test::tube(-1, 0.6, 0.1, 81, 12);
    const BoneHeat made = heat(skeleton, mesh);
    expectEnds(made.weights, mesh, 0, 0.3f, 0.95f);
}

TEST(BoneHeat, BonesInTheSamePlaceShare) {
    // A twist joint that lies along the arm it belongs to.
    JointDef end = joint("arm_end", "arm", JointKind::Fixed, {2, 0, 0});
    JointDef twist_end = joint("twist_end", "twist", JointKind::Fixed, {2, 0, 0});
    end.end_site = twist_end.end_site = true;
    const Skeleton skeleton =
        build({joint("arm", "", JointKind::Free, {-1, 0, 0}),
               joint("twist", "arm", JointKind::Ball, {0, 0, 0}), twist_end, end});
    const Mesh mesh = test::tube(-1, 1, 0.1, 41, 12);
    const BoneHeat made = heat(skeleton, mesh);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        EXPECT_NEAR(weightOf(made.weights[v], skeleton.find("twist")), 0.5, 1e-6);
}

TEST(BoneHeat, ARootOnTheFloorGetsNothing) {
    JointDef end = joint("upper_end", "upper", JointKind::Fixed, {1, 0, 0});
    end.end_site = true;
    const Skeleton skeleton = build({joint("root", "", JointKind::Free, {-1, -3, 0}),
                                     joint("lower", "root", JointKind::Ball, {0, 3, 0}),
                                     joint("upper", "lower", JointKind::Ball, {1, 0, 0}), end});
    const Mesh mesh = test::tube(-1, 1, 0.2, 21, 8);
    const BoneHeat made = heat(skeleton, mesh);
    EXPECT_EQ(made.report.idle, std::vector<JointId>{jointId(0)});
    // Asked for, it is used.
    const BoneHeat asked = heat(skeleton, mesh, {.joints = {jointId(0), jointId(1), jointId(2)}});
    EXPECT_TRUE(asked.report.idle.empty());
}

TEST(BoneHeat, OfOneJointIsThatJointEverywhere) {
    const Mesh mesh = test::ball({0, 0, 0}, 1, 8, 12);
    for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{5, 0, 0}, Vec3{1, 0, 0}}) {
        const Skeleton skeleton = build({joint("only", "", JointKind::Free, at)});
        const BoneHeat made = heat(skeleton, mesh);
        expectSound(made.weights, mesh, 1);
    }
}

TEST(BoneHeat, FollowsTheBindMatricesOfTheMesh) {
    const Skeleton skeleton = twoBones(1.0);
    const Mesh mesh = test::tube(-1, 1, 0.2, 21, 8);
    Mesh moved = mesh;
    const Affine bind_from_mesh = makeAffine(Mat3{}, Vec3{8, 0, 0});
    for (const Affine& joint_from_model : bindMatrices(skeleton, mesh))
        moved.joint_from_bind.push_back(joint_from_model * inverse(bind_from_mesh));
    for (Vec3f& p : moved.positions) p.x += 8;
    const BoneHeat a = heat(skeleton, mesh), b = heat(skeleton, moved);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        for (const Influence& i : a.weights[v])
            ASSERT_NEAR(i.weight, weightOf(b.weights[v], i.joint), 1e-4);
}

// ---- the answer as a value

TEST(BoneHeat, KeepsAsManyInfluencesAsAsked) {
    const Skeleton skeleton = armsDownSkeleton();
    const Mesh mesh = armsDownBody(0.02);
    for (const std::size_t most : {1U, 2U, 3U, 8U})
        expectSound(heat(skeleton, mesh, {.most = most}).weights, mesh, most);
    expectSound(heat(skeleton, mesh, {.most = 0}).weights, mesh, skeleton.jointCount());
}

TEST(BoneHeat, IsTheSameOnAnyNumberOfThreads) {
    const Skeleton skeleton = armsDownSkeleton();
    const Mesh mesh = armsDownBody(0.02);
    const BoneHeat one = heat(skeleton, mesh);
    EXPECT_EQ(heat(skeleton, mesh, {.threads = 3}).weights, one.weights);
    EXPECT_EQ(heat(skeleton, mesh, {.threads = 0}).weights, one.weights);
}

TEST(BoneHeat, TellsHowFarItIsAndStopsWhenAsked) {
    const Skeleton skeleton = armsDownSkeleton();
    const Mesh mesh = armsDownBody(0.02);
    std::vector<double> told;
    (void)heat(skeleton, mesh, {.progress = [&](double f) {
                   told.push_back(f);
                   return true;
               }});
    ASSERT_GE(told.size(), 4U);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_LE(told.back(), 1.0);
    for (std::size_t after = 0; after < told.size(); ++after) {
        std::size_t calls = 0;
        const Result<BoneHeat> stopped = makeBoneHeatWeights(
            skeleton, mesh, {.progress = [&](double) { return calls++ < after; }});
        ASSERT_FALSE(stopped.ok());
        EXPECT_EQ(calls, after + 1);
    }
}

TEST(BoneHeat, RefusesASkeletonWithoutBonesAndAMeshWithoutTriangles) {
    const Mesh mesh = test::ball({0, 0, 0}, 1, 4, 6);
    EXPECT_FALSE(makeBoneHeatWeights(build({}), mesh).ok());
    Mesh cloud = mesh;
    cloud.indices.clear();
    const Result<BoneHeat> made = makeBoneHeatWeights(twoBones(1), cloud);
    ASSERT_FALSE(made.ok());
    EXPECT_TRUE(contains(describe(made.error()), "triangles"));
}

// ---- bad meshes

TEST(BoneHeatOnBadMeshes, OneTriangleIsEnough) {
    Mesh mesh;
    mesh.positions = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.indices = {0, 1, 2};
    expectSound(heat(twoBones(1), mesh).weights, mesh, 4);
}

TEST(BoneHeatOnBadMeshes, AnOpenSheetSeesBonesOnEitherSideOfIt) {
    JointDef end = joint("right_end", "right", JointKind::Fixed, {1, 0, 0});
    end.end_site = true;
    for (const double z : {-0.1, 0.1, 0.0}) {
        const Skeleton skeleton = build({joint("left", "", JointKind::Free, {-1, 0, z}),
                                         joint("right", "left", JointKind::Ball, {1, 0, 0}), end});
        const Mesh mesh = test::sheet(2.0, 21);
        const BoneHeat made = heat(skeleton, mesh);
        expectSound(made.weights, mesh, 4);
        expectEnds(made.weights, mesh, 0, 0.8f, 0.6f);
    }
}

TEST(BoneHeatOnBadMeshes, FlatDoubledAndCrowdedTrianglesAndLooseVerticesDoNoHarm) {
    Mesh mesh = test::tube(-1, 1, 0.2, 21, 8);
    const std::vector<std::uint32_t> good = mesh.indices;
    const auto add = [&](std::initializer_list<std::uint32_t> corners) {
        mesh.indices.insert(mesh.indices.end(), corners);
    };
    add({3, 3, 3});
    add({5, 5, 9});
    add({0, 8, 16});                            // three in a line
    add({good[0], good[1], good[2]});           // again
    add({good[0], good[2], good[1]});           // and turned
    add({0, 1, 80});                            // a third triangle on an edge, across the tube
    mesh.positions.push_back({0.5f, 0, 0.3f});  // of no triangle
    const auto flat = static_cast<std::uint32_t>(mesh.positions.size());
    for (int i = 0; i < 3; ++i) mesh.positions.push_back({float(i), 2, 0});
    add({flat, flat + 1, flat + 2});  // a part without any area
    const BoneHeat made = heat(twoBones(1), mesh);
    expectSound(made.weights, mesh, 4);
    EXPECT_EQ(made.report.loose, (std::vector<std::uint32_t>{flat - 1, flat, flat + 1, flat + 2}));
}

TEST(BoneHeatOnBadMeshes, SliversAndTinyOrHugeMeshesStayInRange) {
    for (const float size : {1e-15f, 1e-6f, 1.0f, 1e6f, 1e15f}) {
        Mesh mesh = test::tube(-1, 1, 0.2, 5, 200);  // long thin triangles
        for (Vec3f& p : mesh.positions) p *= size;
        expectSound(heat(twoBones(static_cast<double>(size)), mesh).weights, mesh, 4);
    }
}

TEST(BoneHeatOnBadMeshes, AllVerticesInOnePlaceGoWithTheNearestBone) {
    Mesh mesh;
    mesh.positions.assign(3, {0.5f, 0, 0});
    mesh.indices = {0, 1, 2};
    const BoneHeat made = heat(twoBones(1), mesh);
    expectSound(made.weights, mesh, 1);
    EXPECT_EQ(made.weights[0][0].joint, jointId(1));
    EXPECT_EQ(made.report.loose.size(), 3U);
}

}  // namespace
}  // namespace ulna
