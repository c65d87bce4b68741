// SPDX-License-Identifier: Apache-2.0

// The bundled character in poses at the ends of what a body can do: its skin neither tears nor
// collapses nor wrings, in either blend. Judged triangle by triangle: how far each is stretched and
// squeezed from the bind pose (the singular values of its deformation), and by the volume inside.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "support/paths.h"
#include "support/skins.h"
#include "ulna/io/gltf.h"
#include "ulna/skeleton/forward_kinematics.h"
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

Quat aboutX(double degrees) {
    return quatAboutAxis(0, radians(degrees));
}
Quat aboutY(double degrees) {
    return quatAboutAxis(1, radians(degrees));
}
Quat aboutZ(double degrees) {
    return quatAboutAxis(2, radians(degrees));
}

// Rotations by joint, from the T-pose. `limb` is called for each side, with 1 for the left.
using Rotations = std::map<std::string, Quat>;
template <class Limb>
Rotations onBothSides(const Limb& limb) {
    Rotations out;
    for (const double side : {1.0, -1.0}) {
        for (const auto& [name, rotation] : limb(side))
            out[(side > 0 ? "Left" : "Right") + name] = rotation;
    }
    return out;
}

Rotations armsOverhead() {
    return onBothSides([](double side) {
        return Rotations{{"Shoulder", aboutZ(20 * side)}, {"Arm", aboutZ(65 * side)}};
    });
}
Rotations deepCrouch() {
    Rotations out = onBothSides([](double side) {
        return Rotations{{"Arm", aboutY(-70 * side)},
                         {"UpLeg", aboutZ(15 * side) * aboutX(-115)},
                         {"Leg", aboutX(140)},
                         {"Foot", aboutX(-30)}};
    });
    out["Spine"] = aboutX(20);
    out["Spine1"] = out["Spine2"] = aboutX(15);
    return out;
}
Rotations crossedArms() {
    return onBothSides([](double side) {
        return Rotations{{"Shoulder", aboutY(-20 * side)},
                         {"Arm", aboutY(-70 * side) * aboutZ(-45 * side) * aboutX(-30)},
                         {"ForeArm", aboutY(-100 * side)}};
    });
}
Rotations twistedTrunk() {
    return {{"Spine", aboutY(20)}, {"Spine1", aboutY(20)}, {"Spine2", aboutY(25)}};
}
Rotations twistedForearms() {
    return {{"LeftHand", aboutX(85)}, {"RightHand", aboutX(-85)}};
}
Rotations twistedUpperArms() {
    return {{"LeftArm", aboutX(85)}, {"RightArm", aboutX(-85)}};
}
Rotations hangingArms() {
    return onBothSides([](double side) { return Rotations{{"Arm", aboutZ(-85 * side)}}; });
}

double volumeOf(const std::vector<Vec3>& points) {
    const std::vector<std::uint32_t>& indices = character().meshes[0].indices;
    double out = 0.0;
    for (std::size_t t = 0; t < indices.size(); t += 3)
        out += dot(points[indices[t]], cross(points[indices[t + 1]], points[indices[t + 2]])) / 6;
    return out;
}

// Areas of the bind pose, in square centimetres of the 17 400 that the character has.
struct Distortion {
    double stretched = 0.0;  // to more than twice the length in some direction
    double crushed = 0.0;    // to less than a quarter
    double most = 0.0;       // the largest stretch
    double volume = 0.0;     // the change, in per cent
};

Distortion distortionIn(const Rotations& rotations, SkinBlend blend, bool limbs = true) {
    const io::GltfFile& file = character();
    const Mesh& mesh = file.meshes[0];
    Pose pose = restPose(file.skeleton);
    for (const auto& [name, rotation] : rotations)
        pose[file.skeleton.find(name)].rotation = rotation;
    const std::vector<TwistBone> twists =
        limbs ? limbTwists(file.skeleton) : std::vector<TwistBone>{};
    const std::vector<Vec3> posed =
        deformReference(file.skeleton, mesh, computeModelPose(file.skeleton, pose),
                        {.blend = blend}, twists)
            .positions;
    std::vector<Vec3> bind;
    for (const Vec3f& p : mesh.positions) bind.push_back(widened(p));
    Distortion out;
    for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
        const std::uint32_t a = mesh.indices[t], b = mesh.indices[t + 1], c = mesh.indices[t + 2];
        const Vec3 u = bind[b] - bind[a], v = bind[c] - bind[a];
        const Vec3 x = posed[b] - posed[a], y = posed[c] - posed[a];
        // Squared stretches: the eigenvalues of bind metric^-1 * posed metric.
        const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
        const double xx = dot(x, x), xy = dot(x, y), yy = dot(y, y);
        const double square = uu * vv - uv * uv;
        const double half = (vv * xx - 2.0 * uv * xy + uu * yy) / square / 2.0;
        const double product = (xx * yy - xy * xy) / square;
        const double root = std::sqrt(std::max(half * half - product, 0.0));
        const double longest = std::sqrt(half + root);
        const double shortest = std::sqrt(std::max(half - root, 0.0));
        const double area = 1e4 * std::sqrt(square) / 2.0;
        if (longest > 2.0) out.stretched += area;
        if (shortest < 0.25) out.crushed += area;
        out.most = std::max(out.most, longest);
    }
    out.volume = 100.0 * (volumeOf(posed) / volumeOf(bind) - 1.0);
    return out;
}

struct Bounds {
    double stretched = 0.0, crushed = 0.0, most = 0.0, volume = 0.0;
};
void expectWithin(const Rotations& pose, const Bounds& linear, const Bounds& dual) {
    for (const SkinBlend blend : {SkinBlend::Linear, SkinBlend::DualQuaternion}) {
        const bool is_linear = blend == SkinBlend::Linear;
        SCOPED_TRACE(is_linear ? "linear blend" : "dual quaternions");
        const Bounds& bounds = is_linear ? linear : dual;
        const Distortion found = distortionIn(pose, blend);
        EXPECT_LE(found.stretched, bounds.stretched);
        EXPECT_LE(found.crushed, bounds.crushed);
        EXPECT_LE(found.most, bounds.most);
        EXPECT_LE(std::abs(found.volume), bounds.volume);
    }
}

// By bone heat alone: 155 and 153 cm2 stretched, and sides that bulge by 4.5 and 7.3 % of the body.
TEST(CharacterPoses, ArmsOverheadPullTheRibsUpButNotOut) {
    expectWithin(armsOverhead(), {50, 1, 2.6, 2.2}, {50, 1, 2.8, 4});
}

// By bone heat alone: 183 and 120 cm2 crushed in the groin, 35 and 359 stretched behind. Dual
// quaternions bulge where hips and knees bend by more than a right angle.
TEST(CharacterPoses, ADeepCrouchFoldsTheGroinAndKeepsTheSeat) {
    expectWithin(deepCrouch(), {5, 50, 2.3, 10.5}, {160, 80, 2.3, 4.5});
}

TEST(CharacterPoses, ArmsCrossBeforeTheChest) {
    expectWithin(crossedArms(), {12, 25, 2.2, 1.6}, {1, 12, 2, 1.2});
}

TEST(CharacterPoses, ATrunkTwistedBySixtyFiveDegreesKeepsItsVolume) {
    expectWithin(twistedTrunk(), {0, 0, 1.7, 1.5}, {0, 0, 1.7, 0.1});
}

TEST(CharacterPoses, ForearmsTwistedByEightyFiveDegreesHaveNoCandyWrapper) {
    expectWithin(twistedForearms(), {0, 0, 1.2, 0.1}, {0, 0, 1.2, 0.02});
    EXPECT_GT(distortionIn(twistedForearms(), SkinBlend::DualQuaternion, false).most, 1.5);
}

TEST(CharacterPoses, UpperArmsTwistedByEightyFiveDegreesHaveNoCandyWrapper) {
    expectWithin(twistedUpperArms(), {0, 0, 1.3, 0.3}, {0, 0, 1.3, 0.1});
    const Distortion wrung = distortionIn(twistedUpperArms(), SkinBlend::Linear, false);
    EXPECT_GT(wrung.most, 1.7);
    EXPECT_LT(wrung.volume, -2.0);
}

TEST(CharacterPoses, ArmsHangBesideTheTrunk) {
    expectWithin(hangingArms(), {0, 25, 2, 1.8}, {0, 30, 2, 1});
}

}  // namespace
}  // namespace ulna
