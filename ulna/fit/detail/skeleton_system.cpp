// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/skeleton_system.h"

#include <algorithm>

#include "ulna/math/mat3_algebra.h"

namespace ulna::fit::detail {
namespace {

Vec3 vec(const Row4& r) {
    return {r[0], r[1], r[2]};
}

// sum -= matrix * moment, a symmetric 4x4 as in weigh().
void subtractMoved(const Columns4& matrix, const Sym4& m, Columns4& sum) {
    const double full[4][4] = {{m[0], m[1], m[2], m[3]},
                               {m[1], m[4], m[5], m[6]},
                               {m[2], m[5], m[7], m[8]},
                               {m[3], m[6], m[8], m[9]}};
    for (std::size_t c = 0; c < 4; ++c) {
        for (std::size_t r = 0; r < 4; ++r) {
            sum[c][r] -= matrix[0][r] * full[0][c] + matrix[1][r] * full[1][c] +
                         matrix[2][r] * full[2][c] + matrix[3][r] * full[3][c];
        }
    }
}

// a * transpose(b), both 3x4.
Mat3 product(const Columns4& a, const Columns4& b) {
    Mat3 out = zeroMat3();
    for (std::size_t c = 0; c < 4; ++c) addOuter(vec(a[c]), vec(b[c]), out);
    return out;
}

}  // namespace

void SkeletonSystem::build(const Skeleton& skeleton, const VertexPack& pack) {
    joints_ = skeleton.jointCount();
    parents_.clear();
    for (const JointId parent : skeleton.parents())
        parents_.push_back(static_cast<std::int32_t>(parent));
    points_.build(pack);
    findRelated();
    frame_.assign(joints_, {});
    sums_.assign(joints_ * joints_, {});
    pull_.assign(joints_, {});
    force_.assign(joints_, {});
}

// Joints are related where vertices tie anything below one to anything below the other.
void SkeletonSystem::findRelated() {
    std::vector<std::uint8_t> tied(joints_ * joints_);
    for (const Pair& pair : points_.pairs())
        tied[pair.a * joints_ + pair.b] = tied[pair.b * joints_ + pair.a] = 1;
    for (std::size_t j = joints_; j-- > 0;) {
        if (parents_[j] < 0) continue;
        const auto p = static_cast<std::size_t>(parents_[j]);
        for (std::size_t k = 0; k < joints_; ++k) tied[p * joints_ + k] |= tied[j * joints_ + k];
    }
    related_.clear();
    first_related_.assign(1, 0);
    for (std::size_t j = 0; j < joints_; ++j) {
        std::uint8_t* row = tied.data() + j * joints_;
        for (std::size_t k = joints_; k-- > 0;)
            if (parents_[k] >= 0) row[static_cast<std::size_t>(parents_[k])] |= row[k];
        for (std::uint32_t k = 0; k < joints_; ++k)
            if (row[k] != 0) related_.push_back(k);
        first_related_.push_back(static_cast<std::uint32_t>(related_.size()));
    }
}

void SkeletonSystem::weigh(const VertexPack& pack, std::span<const double> masses) {
    points_.weigh(pack, masses);
}

void SkeletonSystem::setFrame(std::span<const Rows4> joint_moments) {
    for (std::size_t j = 0; j < joints_; ++j)
        for (std::size_t c = 0; c < 4; ++c)
            frame_[j][c] = {joint_moments[j][0][c], joint_moments[j][1][c], joint_moments[j][2][c],
                            0.0};
}

void SkeletonSystem::computeResidual(std::span<const Columns4> matrices,
                                     std::span<Columns4> residual) const {
    std::copy(frame_.begin(), frame_.end(), residual.begin());
    for (std::size_t i = 0; i < points_.pairs().size(); ++i) {
        const Pair& pair = points_.pairs()[i];
        subtractMoved(matrices[pair.b], points_.moment(i), residual[pair.a]);
        if (pair.a != pair.b) subtractMoved(matrices[pair.a], points_.moment(i), residual[pair.b]);
    }
}

void SkeletonSystem::computeDescent(std::span<const Columns4> matrices,
                                    std::span<const Columns4> residual,
                                    std::span<const SystemColumn> columns,
                                    std::span<const Twist> twists, std::span<double> descent) {
    for (std::size_t j = 0; j < joints_; ++j) {
        pull_[j] = product(residual[j], matrices[j]);
        force_[j] = vec(residual[j][3]);
    }
    for (std::size_t j = joints_; j-- > 0;) {
        if (parents_[j] < 0) continue;
        pull_[static_cast<std::size_t>(parents_[j])] += pull_[j];
        force_[static_cast<std::size_t>(parents_[j])] += force_[j];
    }
    for (std::size_t i = 0; i < columns.size(); ++i)
        descent[i] = descentAlong(columns[i].joint, twists[i]);
}

double SkeletonSystem::descentAlong(std::size_t joint, const Twist& twist) const {
    return dot(twist.angular, axial(pull_[joint])) + dot(twist.linear, force_[joint]);
}

// The sums of single joints, where vertices tie them.
void SkeletonSystem::sumPairs(std::span<const Columns4> matrices) {
    for (std::size_t j = 0; j < joints_; ++j)
        for (const std::uint32_t k : relatedTo(j))
            sums_[j * joints_ + k] = {zeroMat3(), {}, {}, 0.0};
    for (std::size_t i = 0; i < points_.pairs().size(); ++i) {
        const Pair& pair = points_.pairs()[i];
        Columns4 moved = {};
        subtractMoved(matrices[pair.a], points_.moment(i), moved);
        Columns4 other = {};
        subtractMoved(matrices[pair.b], points_.moment(i), other);
        PairSum& sum = sums_[pair.a * joints_ + pair.b];
        sum.products = zeroMat3();
        sum.products -= product(moved, matrices[pair.b]);
        sum.first = -vec(moved[3]);
        sum.second = -vec(other[3]);
        sum.count = points_.moment(i)[9];
        if (pair.a == pair.b) continue;
        sums_[pair.b * joints_ + pair.a] = {transpose(sum.products), sum.second, sum.first,
                                            sum.count};
    }
}

// Adds to every joint's sums those of all below it, first along the rows, then along the columns.
void SkeletonSystem::sumSubtrees() {
    const auto gather = [](const PairSum& from, PairSum& to) {
        to.products += from.products;
        to.first += from.first;
        to.second += from.second;
        to.count += from.count;
    };
    for (std::size_t j = joints_; j-- > 0;) {
        if (parents_[j] < 0) continue;
        const auto p = static_cast<std::size_t>(parents_[j]);
        for (const std::uint32_t k : relatedTo(j))
            gather(sums_[j * joints_ + k], sums_[p * joints_ + k]);
    }
    for (std::size_t j = 0; j < joints_; ++j) {
        const std::span<const std::uint32_t> row = relatedTo(j);
        for (auto k = row.rbegin(); k != row.rend(); ++k) {
            if (parents_[*k] < 0) continue;
            gather(sums_[j * joints_ + *k],
                   sums_[j * joints_ + static_cast<std::size_t>(parents_[*k])]);
        }
    }
}

void SkeletonSystem::computeMatrix(std::span<const Columns4> matrices,
                                   std::span<const SystemColumn> columns,
                                   std::span<const Twist> twists, std::span<double> matrix) {
    sumPairs(matrices);
    sumSubtrees();
    const std::size_t n = columns.size();
    for (std::size_t i = 0; i < n; ++i) {
        const Twist& a = twists[i];
        const PairSum* row = sums_.data() + columns[i].joint * joints_;
        const std::span<const std::uint32_t> related = relatedTo(columns[i].joint);
        auto next = related.begin();  // columns are in the order of joints
        for (std::size_t k = 0; k <= i; ++k) {
            while (next != related.end() && *next < columns[k].joint) ++next;
            if (next == related.end() || *next != columns[k].joint) {
                matrix[i * n + k] = 0.0;
                continue;
            }
            const Twist& b = twists[k];
            const PairSum& sum = row[columns[k].joint];
            const Mat3& m = sum.products;
            const double rotating =
                trace(m) * dot(a.angular, b.angular) - dot(b.angular, m * a.angular);
            matrix[i * n + k] = rotating + dot(a.angular, cross(sum.first, b.linear)) +
                                dot(b.angular, cross(sum.second, a.linear)) +
                                sum.count * dot(a.linear, b.linear);
        }
    }
}

void SkeletonSystem::addCurvature(const Skeleton& skeleton, std::span<const SystemColumn> columns,
                                  std::span<const Twist> twists, std::span<double> matrix) const {
    const std::size_t n = columns.size();
    // How the motion by `inner` rotates with `outer`, against what is left.
    const auto bend = [&](const Twist& outer, const Twist& inner, std::size_t joint) {
        const Mat3& pull = pull_[joint];
        const Vec3 rotated = transpose(pull) * inner.angular - inner.angular * trace(pull) +
                             cross(inner.linear, force_[joint]);
        return -dot(outer.angular, rotated);
    };
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t joint = columns[i].joint;
        for (std::size_t k = 0; k <= i; ++k) {
            double& entry = matrix[i * n + k];
            if (columns[k].joint != joint) {
                if (skeleton.isAncestor(jointId(columns[k].joint), jointId(joint)))
                    entry += bend(twists[k], twists[i], joint);
                continue;
            }
            // A joint slides before it rotates, so neither bends the other's way.
            if (columns[k].kind == ColumnKind::Slide || columns[i].kind == ColumnKind::Slide)
                continue;
            const double one = bend(twists[k], twists[i], joint);
            entry += columns[i].kind == ColumnKind::Ball
                         ? 0.5 * (one + bend(twists[i], twists[k], joint))
                         : one;
        }
    }
}

}  // namespace ulna::fit::detail
