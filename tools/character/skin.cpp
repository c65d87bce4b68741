// SPDX-License-Identifier: Apache-2.0
#include "tools/character/skin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "tools/character/clip.h"
#include "tools/character/cut.h"
#include "tools/character/figure.h"
#include "tools/character/flesh.h"
#include "tools/character/polygonize.h"
#include "tools/character/remesh.h"
#include "tools/character/weights.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::maker {
namespace {

using Index = std::uint32_t;

// The left half, from x = 0 to the fingertips.
Surface makeHalf(const Flesh& flesh) {
    constexpr double kStep = 0.004;
    const GridBox box{{0, -0.02, -0.20}, kStep, {236, 460, 112}};
    Surface half = polygonize([&](const Vec3& p) { return flesh.distance(p); }, box);
    const RemeshField field{.edge_length = [&](const Vec3& p) { return flesh.edgeLength(p); },
                            .projected =
                                [&](Vec3 p) {
                                    for (int i = 0; i < 3; ++i) {
                                        p.x = std::max(p.x, 0.0);
                                        p -= flesh.outward(p) *
                                             std::clamp(flesh.distance(p), -kStep, kStep);
                                    }
                                    return p;
                                }};
    half = remeshed(half, field, 12);
    std::vector<bool> held(half.points.size(), false);
    for (std::size_t i = 0; i < flesh.borderCount(); ++i)
        cutAlong([&](const Vec3& p) { return flesh.border(i, p); }, half, held);
    return half;
}

// Both sides: what is added on the left is added mirrored on the right. Places in the middle are
// one; where two colours meet a place has a vertex of each.
class Sides {
  public:
    Index add(const Vec3& p, Index point, Cloth cloth, double side) {
        const bool middle = p.x == 0.0;
        const auto key = std::make_pair(middle || side > 0.0 ? 2 * point : 2 * point + 1, cloth);
        const auto [found, fresh] =
            vertices_.try_emplace(key, static_cast<Index>(mesh.positions.size()));
        if (fresh) {
            add(middle ? p : Vec3{p.x * side, p.y, p.z}, colorOf(cloth));
        }
        return found->second;
    }
    Index add(const Vec3& p, const Color& color) {
        const auto number = [](double x) { return static_cast<float>(rounded(x, 1e-5)); };
        mesh.positions.push_back({number(p.x), number(p.y), number(p.z)});
        mesh.colors.push_back(color);
        return static_cast<Index>(mesh.positions.size() - 1);
    }
    void addTriangle(Index a, Index b, Index c, double side) {
        if (side < 0.0) std::swap(b, c);
        mesh.indices.insert(mesh.indices.end(), {a, b, c});
    }

    Mesh mesh;

  private:
    std::map<std::pair<Index, Cloth>, Index> vertices_;
};

void addBody(const Flesh& flesh, Sides& out) {
    const Surface half = makeHalf(flesh);
    std::vector<Cloth> cloths;
    for (const auto& [a, b, c] : half.triangles) {
        const Vec3 centre = (half.points[a] + half.points[b] + half.points[c]) / 3.0;
        cloths.push_back(flesh.clothAt(centre));
    }
    for (const double side : kSides) {
        for (std::size_t t = 0; t < half.triangles.size(); ++t) {
            Index corners[3];
            for (std::size_t k = 0; k < 3; ++k) {
                const Index point = half.triangles[t][k];
                corners[k] = out.add(half.points[point], point, cloths[t], side);
            }
            out.addTriangle(corners[0], corners[1], corners[2], side);
        }
    }
}

// A ball of rings around the line of sight; colours change between rings in one place.
void addEyeball(const Vec3& centre, double side, Sides& out) {
    constexpr int kAround = 20;
    struct RingOfEye {
        double degrees;
        Color color;
    };
    constexpr Color kPupil{24, 18, 16, 255}, kIris{96, 66, 44, 255}, kRim{58, 40, 30, 255},
        kWhite{238, 236, 232, 255};
    constexpr RingOfEye kRings[] = {{6, kPupil},  {12, kPupil}, {12, kIris},   {24, kIris},
                                    {30, kRim},   {30, kWhite}, {40, kWhite},  {52, kWhite},
                                    {70, kWhite}, {90, kWhite}, {112, kWhite}, {135, kWhite},
                                    {158, kWhite}};
    constexpr double kRadius = 0.0135;
    const auto place = [&](double degrees, int step) {
        const double polar = radians(degrees);
        const double around = side * radians(360.0 * step / kAround);
        return centre + Vec3{std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around),
                             std::cos(polar)} *
                            kRadius;
    };
    const Index front = out.add(place(0, 0), kPupil);
    std::vector<Index> last(kAround, front);
    for (const RingOfEye& ring : kRings) {
        std::vector<Index> here;
        for (int i = 0; i < kAround; ++i)
            here.push_back(out.add(place(ring.degrees, i), ring.color));
        const bool doubled = out.mesh.positions[here[0]] == out.mesh.positions[last[0]];
        for (std::size_t i = 0; i < kAround && !doubled; ++i) {
            const std::size_t next = (i + 1) % kAround;
            if (last[i] != last[next]) out.addTriangle(last[i], here[next], last[next], side);
            out.addTriangle(last[i], here[i], here[next], side);
        }
        last = here;
    }
    const Index back = out.add(place(180, 0), kWhite);
    for (std::size_t i = 0; i < kAround; ++i)
        out.addTriangle(last[i], back, last[(i + 1) % kAround], side);
}

}  // namespace

Mesh makeSkin(const Skeleton& skeleton) {
    Sides sides;
    addBody(Flesh(skeleton), sides);
    SkinWeights weights = makeWeights(skeleton, sides.mesh);
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    for (const double side : kSides) {
        const JointId eye = skeleton.find(sideName(side) + "Eye");
        addEyeball(rest.position(eye), side, sides);
        while (weights.rowCount() < sides.mesh.positions.size())
            weights.addRow(std::array{Influence{eye, 1.0f}});
    }
    Mesh mesh = std::move(sides.mesh);
    mesh.name = "Ulna";
    mesh.normals = computeNormals(mesh);
    mesh.weights = std::move(weights);
    return mesh;
}

}  // namespace ulna::maker
