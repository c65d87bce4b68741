// SPDX-License-Identifier: Apache-2.0

// The parts of a rig's moments against plain sums over its vertices, and the eliminated
// translations against a dense solve.
#include "ulna/fit/detail/moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/fit.h"
#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {
namespace {

// A rig with a hierarchy, a cage point, a driven point, a pinned tree and uneven masses.
FitRig makeRig(Random& random) {
    FitRig rig = test::randomRig(9, 120, true, random);
    for (const std::size_t j : {5U, 6U, 7U, 8U}) rig.points[j].parent = -1;
    for (ControlPoint& point : rig.points)
        if (point.parent >= 5) point.parent = 0;
    rig.points[6].freedom = PointFreedom::Cage;
    rig.points[7].freedom = PointFreedom::Driven;
    rig.points[8].pinned = true;
    for (std::size_t i = 0; i < rig.vertices.size(); ++i)
        rig.masses.push_back(i % 7 == 0 ? 0.0 : random.between(0.2, 2.0));
    return rig;
}

// A rig with its layout, and every vertex as the layout says it: x = sum R_a v_a + sum W_t d_t.
struct Problem {
    explicit Problem(FitRig from, Random& random) : rig(std::move(from)) {
        layout = makeLayout(rig);
        pack = makeVertexPack(rig.vertices, rig.weights, rig.points.size(), layout.origin);
        unknowns = findUnknowns(layout);
        arms.resize(rig.vertices.size(), std::vector<Vec3>(layout.rotations.size()));
        shares.resize(rig.vertices.size(), std::vector<double>(layout.translations.size(), 0.0));
        for (std::size_t i = 0; i < rig.vertices.size(); ++i) {
            const Vec3 x = rig.vertices[i] - layout.origin;
            for (const Influence& influence : rig.weights[i]) {
                const std::size_t j = index(influence.joint);
                const auto w = static_cast<double>(influence.weight);
                for (const RotationTerm& term : layout.termsOf(j))
                    arms[i][term.rotation] += (x * term.linear + term.offset) * w;
                shares[i][layout.translation_of[j]] += w;
            }
            targets.push_back(random.direction() * random.between(0.0, 1.0));
        }
    }

    [[nodiscard]] FitValues randomValues(Random& random) const {
        FitValues out;
        for (std::size_t a = 0; a < layout.rotations.size(); ++a) {
            const bool identity = layout.rotations[a].point == kNone;
            out.quats.push_back(identity ? Quat{} : quatExp(random.direction()));
            out.rotations.push_back(toMatrix(out.quats.back()));
        }
        for (std::size_t t = 0; t < layout.translations.size(); ++t)
            out.positions.push_back(random.direction());
        return out;
    }
    [[nodiscard]] Vec3 vertex(std::size_t i, const FitValues& values) const {
        Vec3 sum;
        for (std::size_t a = 0; a < values.rotations.size(); ++a)
            sum += values.rotations[a] * arms[i][a];
        for (std::size_t t = 0; t < values.positions.size(); ++t)
            sum += values.positions[t] * shares[i][t];
        return sum;
    }
    [[nodiscard]] std::vector<Rows4> pointMoments() const {
        std::vector<Row4> rows;
        for (const Vec3& target : targets) rows.push_back({target.x, target.y, target.z, 0.0});
        std::vector<double> point_masses(pack.point.size());
        weighPoints(pack, rig.masses, point_masses);
        std::vector<Rows4> out(pack.points);
        computePointMoments(pack, point_masses, rows, out);
        return out;
    }

    FitRig rig;
    FitLayout layout;
    VertexPack pack;
    Unknowns unknowns;
    std::vector<std::vector<Vec3>> arms;      // v per vertex and rotation
    std::vector<std::vector<double>> shares;  // W per vertex and translation
    std::vector<Vec3> targets;                // relative to the origin, as centred
};

void expectNear(const Mat3& a, const Mat3& b, const char* what) {
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(a.rows[r][c], b.rows[r][c], 1e-9) << what;
}

void expectNear(const Vec3& a, const Vec3& b, const char* what) {
    EXPECT_LT(distance(a, b), 1e-9) << what;
}

TEST(PairMoments, AreSumsOverTheVerticesOfTwoPoints) {
    Random random(1);
    const Problem p(makeRig(random), random);
    PairMoments moments;
    moments.build(p.pack);
    moments.weigh(p.pack, p.rig.masses);
    double mass = 0.0;
    for (const double m : p.rig.masses) mass += m;
    EXPECT_NEAR(moments.mass(), mass, 1e-12);
    for (std::size_t j = 0; j < p.pack.points; ++j) {
        for (std::size_t k = 0; k < p.pack.points; ++k) {
            Sym4 sum = {};
            bool shared = false;
            for (std::size_t i = 0; i < p.rig.vertices.size(); ++i) {
                double wj = 0.0, wk = 0.0;
                for (const Influence& influence : p.rig.weights[i]) {
                    if (index(influence.joint) == j) wj += static_cast<double>(influence.weight);
                    if (index(influence.joint) == k) wk += static_cast<double>(influence.weight);
                }
                shared = shared || (wj != 0.0 && wk != 0.0);
                const Vec3 x = p.rig.vertices[i] - p.layout.origin;
                const double row[4] = {x.x, x.y, x.z, 1.0};
                for (std::size_t r = 0, e = 0; r < 4; ++r)
                    for (std::size_t c = r; c < 4; ++c, ++e)
                        sum[e] += p.rig.masses[i] * wj * wk * row[r] * row[c];
            }
            ASSERT_EQ(moments.at(j, k) != kNone, shared) << j << " " << k;
            for (std::size_t e = 0; shared && e < 10; ++e)
                EXPECT_NEAR(moments.moment(moments.at(j, k))[e], sum[e], 1e-10) << j << " " << k;
        }
    }
}

TEST(WeightMoments, AreSumsOverTheVerticesOfArmsAndShares) {
    Random random(2);
    const Problem p(makeRig(random), random);
    PairMoments points;
    points.build(p.pack);
    points.weigh(p.pack, p.rig.masses);
    WeightMoments moments;
    moments.build(p.layout, points);
    moments.weigh(p.layout, points);
    const std::size_t rotations = p.layout.rotations.size();
    const std::size_t translations = p.layout.translations.size();
    for (std::size_t a = 0; a < rotations; ++a) {
        for (std::size_t b = a; b < rotations; ++b) {
            Mat3 sum = zeroMat3();
            for (std::size_t i = 0; i < p.arms.size(); ++i)
                addOuter(p.arms[i][a] * p.rig.masses[i], p.arms[i][b], sum);
            const std::uint32_t pair = moments.pairAt(a, b);
            expectNear(pair == kNone ? zeroMat3() : moments.rotationPair(pair), sum, "M");
        }
        for (std::size_t t = 0; t < translations; ++t) {
            Vec3 sum;
            for (std::size_t i = 0; i < p.arms.size(); ++i)
                sum += p.arms[i][a] * (p.rig.masses[i] * p.shares[i][t]);
            expectNear(moments.cross(a, t), sum, "U");
            if (!moments.crosses(a, t)) expectNear(sum, {}, "U that is not connected");
        }
    }
    for (std::size_t s = 0; s < translations; ++s) {
        for (std::size_t t = 0; t < translations; ++t) {
            double sum = 0.0;
            for (std::size_t i = 0; i < p.shares.size(); ++i)
                sum += p.rig.masses[i] * p.shares[i][s] * p.shares[i][t];
            EXPECT_NEAR(moments.translationPair(s, t), sum, 1e-10);
        }
    }
}

TEST(Springs, OfSmoothnessStiffenEveryUnknownByItsOwnMoment) {
    Random random(3);
    const Problem p(makeRig(random), random);
    PairMoments points;
    points.build(p.pack);
    points.weigh(p.pack, p.rig.masses);
    WeightMoments plain, stiff;
    for (WeightMoments* m : {&plain, &stiff}) {
        m->build(p.layout, points);
        m->weigh(p.layout, points);
    }
    Springs springs;
    springs.weigh(p.layout, p.unknowns, points.mass(), 0.3, stiff);
    for (std::size_t i = 0; i < p.unknowns.rotations.size(); ++i) {
        const std::uint32_t a = p.unknowns.rotations[i];
        EXPECT_NEAR(springs.rotations[i], 0.1 * trace(plain.own(a)), 1e-12);
        EXPECT_NEAR(trace(stiff.own(a)), 1.3 * trace(plain.own(a)), 1e-10);
    }
    for (std::size_t i = 0; i < p.unknowns.translations.size(); ++i) {
        const std::uint32_t t = p.unknowns.translations[i];
        EXPECT_NEAR(stiff.translationPair(t, t), 1.3 * plain.translationPair(t, t), 1e-10);
    }
    for (std::size_t a = 0; a < p.layout.rotations.size(); ++a)
        if (p.layout.rotations[a].known) expectNear(stiff.own(a), plain.own(a), "a known rotation");
}

TEST(Moments, ResidualsAreSumsOverTheVerticesOfWhatIsLeft) {
    Random random(4);
    const Problem p(makeRig(random), random);
    Moments moments;
    moments.build(p.layout, p.pack, TranslationsAre::Kept);
    moments.weigh(p.layout, p.pack, p.rig.masses, 0.0);
    const FitValues values = p.randomValues(random);
    moments.setFrame(p.layout, p.pointMoments(), values, nullptr);
    ResidualMoments residual;
    residual.rotations.resize(p.unknowns.rotations.size());
    residual.translations.resize(p.unknowns.translations.size());
    moments.computeResidual(values, residual);
    for (std::size_t i = 0; i < p.unknowns.rotations.size(); ++i) {
        Mat3 sum = zeroMat3();
        for (std::size_t v = 0; v < p.targets.size(); ++v) {
            const Vec3 left = p.targets[v] - p.vertex(v, values);
            addOuter(left * p.rig.masses[v], p.arms[v][p.unknowns.rotations[i]], sum);
        }
        expectNear(residual.rotations[i], sum, "C of a rotation");
    }
    for (std::size_t i = 0; i < p.unknowns.translations.size(); ++i) {
        Vec3 sum;
        for (std::size_t v = 0; v < p.targets.size(); ++v) {
            const double share = p.shares[v][p.unknowns.translations[i]];
            sum += (p.targets[v] - p.vertex(v, values)) * (p.rig.masses[v] * share);
        }
        expectNear(residual.translations[i], sum, "C of a translation");
    }
}

// Gauss elimination with pivots, for one right-hand side.
std::vector<double> solveDense(std::vector<double> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t r = k; r < n; ++r)
            if (std::abs(a[r * n + k]) > std::abs(a[best * n + k])) best = r;
        for (std::size_t c = 0; c < n; ++c) std::swap(a[k * n + c], a[best * n + c]);
        std::swap(b[k], b[best]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == k) continue;
            const double factor = a[r * n + k] / a[k * n + k];
            for (std::size_t c = k; c < n; ++c) a[r * n + c] -= factor * a[k * n + c];
            b[r] -= factor * b[k];
        }
    }
    for (std::size_t k = 0; k < n; ++k) b[k] /= a[k * n + k];
    return b;
}

// The translations that minimise the cost at the rotations of `values`, by normal equations put
// together vertex by vertex.
FitValues withDenseTranslations(const Problem& p, FitValues values) {
    const std::vector<std::uint32_t>& own = p.unknowns.translations;
    const std::size_t n = own.size();
    std::vector<double> matrix(n * n, 0.0);
    FitValues still = values;
    for (const std::uint32_t t : own) still.positions[t] = {};
    for (std::size_t k = 0; k < 3; ++k) {
        std::fill(matrix.begin(), matrix.end(), 0.0);
        std::vector<double> side(n, 0.0);
        for (std::size_t v = 0; v < p.targets.size(); ++v) {
            const double left = (p.targets[v] - p.vertex(v, still))[k];
            for (std::size_t s = 0; s < n; ++s) {
                const double share = p.rig.masses[v] * p.shares[v][own[s]];
                side[s] += share * left;
                for (std::size_t t = 0; t < n; ++t)
                    matrix[s * n + t] += share * p.shares[v][own[t]];
            }
        }
        const std::vector<double> x = solveDense(matrix, side);
        for (std::size_t s = 0; s < n; ++s) values.positions[own[s]][k] = x[s];
    }
    return values;
}

TEST(BestTranslations, AreThoseOfADenseSolveAndLeaveNoGradient) {
    Random random(5);
    const Problem p(makeRig(random), random);
    for (const TranslationsAre kept : {TranslationsAre::Kept, TranslationsAre::Eliminated}) {
        Moments moments;
        moments.build(p.layout, p.pack, kept);
        moments.weigh(p.layout, p.pack, p.rig.masses, 0.0);
        FitValues values = p.randomValues(random);
        moments.setFrame(p.layout, p.pointMoments(), values, nullptr);
        const FitValues dense = withDenseTranslations(p, values);
        moments.computePositions(values, values.positions);
        EXPECT_EQ(moments.translations().rank(), p.unknowns.translations.size());
        for (std::size_t i = 0; i < p.unknowns.translations.size(); ++i) {
            const std::uint32_t t = p.unknowns.translations[i];
            expectNear(values.positions[t], dense.positions[t], "a best translation");
            EXPECT_FALSE(moments.translations().isOpen(i)) << i;
        }
    }
}

// With translations eliminated, C of a rotation is the derivative of the cost at the best
// translations for that rotation.
TEST(RotationBlocks, OfEliminatedTranslationsGiveTheResidualAtTheBestOnes) {
    Random random(6);
    const Problem p(makeRig(random), random);
    Moments moments;
    moments.build(p.layout, p.pack, TranslationsAre::Eliminated);
    moments.weigh(p.layout, p.pack, p.rig.masses, 0.0);
    const FitValues values = p.randomValues(random);
    moments.setFrame(p.layout, p.pointMoments(), values, nullptr);
    ResidualMoments residual;
    residual.rotations.resize(p.unknowns.rotations.size());
    residual.translations.resize(p.unknowns.translations.size());
    moments.computeResidual(values, residual);
    const FitValues best = withDenseTranslations(p, values);
    for (std::size_t i = 0; i < p.unknowns.rotations.size(); ++i) {
        Mat3 sum = zeroMat3();
        for (std::size_t v = 0; v < p.targets.size(); ++v) {
            const Vec3 left = p.targets[v] - p.vertex(v, best);
            addOuter(left * p.rig.masses[v], p.arms[v][p.unknowns.rotations[i]], sum);
        }
        expectNear(residual.rotations[i], sum, "C of a rotation");
    }
}

TEST(BestTranslations, ThatNothingDeterminesStayNearWhatIsGiven) {
    Random random(7);
    FitRig rig = test::randomRig(8, 200, false, random);
    rig.masses.assign(rig.vertices.size(), 1.0);
    // Point 3 moves no vertex that counts.
    for (std::size_t i = 0; i < rig.vertices.size(); ++i)
        for (const Influence& influence : rig.weights[i])
            if (index(influence.joint) == 3) rig.masses[i] = 0.0;
    const Problem p(std::move(rig), random);
    Moments moments;
    moments.build(p.layout, p.pack, TranslationsAre::Eliminated);
    moments.weigh(p.layout, p.pack, p.rig.masses, 0.0);
    FitValues values = p.randomValues(random);
    const std::vector<Vec3> near = values.positions;
    moments.setFrame(p.layout, p.pointMoments(), values, nullptr);
    moments.computePositions(values, near);
    EXPECT_EQ(moments.translations().rank(), 7U);
    for (std::size_t i = 0; i < p.unknowns.translations.size(); ++i) {
        const std::uint32_t t = p.unknowns.translations[i];
        const bool idle = p.layout.translations[t].point == 3;
        EXPECT_EQ(moments.translations().isOpen(i), idle) << i;
        if (idle) expectNear(values.positions[t], near[t], "an open translation");
    }
}

}  // namespace
}  // namespace ulna::fit::detail
