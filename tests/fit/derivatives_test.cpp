// SPDX-License-Identifier: Apache-2.0

// Gradients and Gauss-Newton steps of control points, against differences of the plain forward
// model and against the step of a dense system put together vertex by vertex.
#include <gtest/gtest.h>

#include <cmath>

#include "support/fit.h"
#include "ulna/fit/detail/solver.h"

namespace ulna {
namespace {

using fit::detail::FitValues;
using test::randomControlPose;
using test::randomRig;

// A rig at some pose with targets elsewhere, and its solver set up as the fitter does it.
class Problem {
  public:
    Problem(FitRig rig, FitMethod method, Random& random)
        : rig_(std::move(rig)),
          layout_(fit::detail::makeLayout(rig_)),
          pack_(fit::detail::makeVertexPack(rig_.vertices, rig_.weights, rig_.points.size(),
                                            layout_.origin)) {
        for (std::size_t i = 0; i < rig_.vertices.size(); ++i)
            masses_.push_back(rig_.masses.empty() ? 1.0 : rig_.masses[i]);
        const ControlPose at = randomControlPose(rig_, 1.0, 0.3, random);
        targets_ = computeVertices(rig_, randomControlPose(rig_, 1.0, 0.3, random));
        solver_.build(layout_, pack_, {.method = method, .planar = rig_.planar});
        solver_.weigh(layout_, pack_, masses_, 0.0);
        std::vector<double> point_masses(pack_.point.size());
        fit::detail::weighPoints(pack_, masses_, point_masses);
        std::vector<fit::detail::Row4> centred(targets_.size());
        EXPECT_EQ(fit::detail::centreTargets(pack_, targets_, masses_, centred), targets_.size());
        std::vector<fit::detail::Rows4> moments(pack_.points);
        fit::detail::computePointMoments(pack_, point_masses, centred, moments);
        for (const FitLayout::Rotation& rotation : layout_.rotations) {
            values_.quats.push_back(
                rotation.point == fit::detail::kNone ? Quat{} : at.rotations[rotation.point]);
            values_.rotations.push_back(toMatrix(values_.quats.back()));
        }
        for (const FitLayout::Translation& translation : layout_.translations)
            values_.positions.push_back(at.positions[translation.point] - layout_.origin);
        solver_.setFrame(layout_, moments, values_, nullptr, {});
        solver_.moments().computePositions(values_, values_.positions);
        static_cast<void>(solver_.computeDescent(values_));
    }

    // The coordinates: turns of unknown rotations, then moves of unknown translations.
    [[nodiscard]] std::size_t coordinateCount() const {
        return 3 * (solver_.moments().unknowns().rotations.size() +
                    solver_.moments().unknowns().translations.size());
    }
    [[nodiscard]] FitValues moved(std::size_t coordinate, double by) const {
        FitValues out = values_;
        const std::vector<std::uint32_t>& rotations = solver_.moments().unknowns().rotations;
        const std::size_t block = coordinate / 3;
        Vec3 step;
        step[coordinate % 3] = by;
        if (block < rotations.size()) {
            const std::uint32_t a = rotations[block];
            out.quats[a] = quatExp(step) * out.quats[a];
            out.rotations[a] = toMatrix(out.quats[a]);
        } else {
            out.positions[solver_.moments().unknowns().translations[block - rotations.size()]] +=
                step;
        }
        return out;
    }
    [[nodiscard]] std::vector<Vec3> vertices(const FitValues& values) const {
        ControlPose pose = restControlPose(rig_);
        for (std::size_t j = 0; j < rig_.points.size(); ++j) {
            pose.rotations[j] = values.quats[layout_.rotation_of[j]];
            pose.positions[j] =
                layout_.position(j, values.rotations, values.positions) + layout_.origin;
        }
        return computeVertices(rig_, pose);
    }
    [[nodiscard]] double cost(const FitValues& values) const {
        const std::vector<Vec3> at = vertices(values);
        double sum = 0.0;
        for (std::size_t i = 0; i < at.size(); ++i)
            sum += 0.5 * masses_[i] * dot(targets_[i] - at[i], targets_[i] - at[i]);
        return sum;
    }

    void expectGradientsAreDifferences(const char* what) {
        constexpr double kStep = 1e-5;
        const std::size_t turns = 3 * solver_.moments().unknowns().rotations.size();
        double scale = 1.0;
        for (const double d : solver_.descent()) scale = std::max(scale, std::abs(d));
        for (std::size_t k = 0; k < coordinateCount(); ++k) {
            if (rig_.planar && (k < turns) != (k % 3 == 2)) continue;
            const double slope = (cost(moved(k, kStep)) - cost(moved(k, -kStep))) / (2.0 * kStep);
            // Positions are at their best, so nothing is left of their gradient.
            const double own = k < turns ? -solver_.descent()[k] : 0.0;
            EXPECT_NEAR(own, slope, 1e-7 * scale) << what << ", coordinate " << k;
        }
    }

    // One step by normal equations of differences, all coordinates together.
    void expectStepIsTheDenseOne(const char* what) {
        constexpr double kStep = 1e-5;
        const std::size_t n = coordinateCount();
        std::vector<std::vector<Vec3>> columns;
        for (std::size_t k = 0; k < n; ++k) {
            const std::vector<Vec3> up = vertices(moved(k, kStep)),
                                    down = vertices(moved(k, -kStep));
            std::vector<Vec3> column;
            for (std::size_t i = 0; i < up.size(); ++i)
                column.push_back((up[i] - down[i]) / (2.0 * kStep));
            columns.push_back(std::move(column));
        }
        const std::vector<Vec3> at = vertices(values_);
        std::vector<std::vector<double>> system(n, std::vector<double>(n + 1, 0.0));
        for (std::size_t r = 0; r < n; ++r) {
            for (std::size_t i = 0; i < at.size(); ++i) {
                for (std::size_t c = 0; c < n; ++c)
                    system[r][c] += masses_[i] * dot(columns[r][i], columns[c][i]);
                system[r][n] += masses_[i] * dot(columns[r][i], targets_[i] - at[i]);
            }
        }
        const std::vector<double> dense = solved(std::move(system));
        std::vector<double> step(solver_.descent().size());
        solver_.computeStep(values_, step);
        for (std::size_t k = 0; k < 3 * solver_.moments().unknowns().rotations.size(); ++k)
            EXPECT_NEAR(step[k], dense[k], 1e-5) << what << ", coordinate " << k;
    }

    [[nodiscard]] const fit::detail::Moments& moments() const { return solver_.moments(); }

  private:
    using FitLayout = fit::detail::FitLayout;

    // Gauss elimination with pivots.
    static std::vector<double> solved(std::vector<std::vector<double>> a) {
        const std::size_t n = a.size();
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t best = k;
            for (std::size_t r = k; r < n; ++r)
                if (std::abs(a[r][k]) > std::abs(a[best][k])) best = r;
            std::swap(a[k], a[best]);
            for (std::size_t r = 0; r < n; ++r) {
                if (r == k) continue;
                const double factor = a[r][k] / a[k][k];
                for (std::size_t c = k; c <= n; ++c) a[r][c] -= factor * a[k][c];
            }
        }
        std::vector<double> x;
        for (std::size_t k = 0; k < n; ++k) x.push_back(a[k][n] / a[k][k]);
        return x;
    }

    FitRig rig_;
    fit::detail::FitLayout layout_;
    fit::detail::VertexPack pack_;
    fit::detail::FitSolver solver_;
    std::vector<double> masses_;
    std::vector<Vec3> targets_;
    FitValues values_;
};

FitRig mixedRig(Random& random) {
    FitRig rig = randomRig(10, 400, true, random);
    rig.points[7].parent = -1;
    rig.points[8].parent = -1;
    rig.points[8].freedom = PointFreedom::Cage;
    rig.points[9].parent = -1;
    rig.points[9].freedom = PointFreedom::Driven;
    for (ControlPoint& point : rig.points)
        if (point.parent >= 7) point.parent = 0;
    return rig;
}

void check(const FitRig& rig, Random& random, const char* what) {
    for (const FitMethod method : {FitMethod::JointNewton, FitMethod::Alternating}) {
        Problem problem(rig, method, random);
        problem.expectGradientsAreDifferences(what);
        if (!rig.planar) problem.expectStepIsTheDenseOne(what);
    }
}

TEST(FitDerivatives, OfFreePointsAreDifferences) {
    Random random(1);
    check(randomRig(6, 200, false, random), random, "free points");
}

TEST(FitDerivatives, OfAHierarchyAreDifferences) {
    Random random(2);
    check(randomRig(9, 300, true, random), random, "a hierarchy");
}

TEST(FitDerivatives, InThePlaneAreDifferences) {
    Random random(3);
    check(randomRig(6, 200, false, random, true), random, "free points of the plane");
    check(randomRig(6, 200, true, random, true), random, "a hierarchy of the plane");
}

TEST(FitDerivatives, OfACageAndDrivenPointsAreDifferences) {
    Random random(4);
    check(mixedRig(random), random, "a mixed rig");
}

TEST(FitDerivatives, OfRigidPairsAreDifferences) {
    Random random(5);
    FitRig rig = randomRig(8, 300, false, random);
    rig.rigid_pairs = {{0, 1}, {3, 4}, {4, 5}};
    check(rig, random, "rigid pairs");
    FitRig tree = randomRig(8, 300, true, random);
    tree.rigid_pairs = {{5, static_cast<std::uint32_t>(tree.points[5].parent)}};
    check(tree, random, "a rigid pair in a hierarchy");
}

TEST(FitDerivatives, OfPinnedPointsAreDifferences) {
    Random random(6);
    FitRig rig = randomRig(6, 200, false, random);
    rig.points[2].pinned = true;
    check(rig, random, "a pinned free point");
    FitRig tree = randomRig(8, 300, true, random);
    tree.points[6].pinned = true;
    check(tree, random, "a pinned joint far from the root");
}

TEST(FitDerivatives, WithMassesAreDifferences) {
    Random random(7);
    FitRig rig = randomRig(6, 200, true, random);
    for (std::size_t i = 0; i < rig.vertices.size(); ++i)
        rig.masses.push_back(random.between(0.1, 3.0));
    check(rig, random, "masses");
}

TEST(FitDerivatives, FreePointsEliminateTheirPositionsAndTreesKeepTheirs) {
    Random random(8);
    EXPECT_TRUE(Problem(randomRig(18, 600, false, random), FitMethod::JointNewton, random)
                    .moments()
                    .eliminated());
    // Limbs around a trunk: what moves one leaves the others alone.
    FitRig limbs;
    limbs.points.push_back({.name = "trunk"});
    for (int limb = 0; limb < 8; ++limb) {
        const Vec3 along = random.direction();
        for (int j = 1; j < 5; ++j) {
            const auto last = static_cast<std::int32_t>(limbs.points.size()) - 1;
            limbs.points.push_back({.rest = along * (0.3 * j), .parent = j == 1 ? 0 : last});
        }
    }
    for (std::size_t i = 0; i < 800; ++i) {
        const Vec3 side = random.direction() * 0.1;
        limbs.vertices.push_back(limbs.points[i % limbs.points.size()].rest + side);
    }
    test::weighByDistance(limbs, 2);
    EXPECT_FALSE(Problem(limbs, FitMethod::JointNewton, random).moments().eliminated());
    check(limbs, random, "limbs");
}

}  // namespace
}  // namespace ulna
