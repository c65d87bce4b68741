// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <cmath>

namespace ulna::fit::detail {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMap = Eigen::Map<RowMatrix>;
using ConstRowMap = Eigen::Map<const RowMatrix>;

// Weights have seven digits, so their products tell columns apart down to about 1e-12.
constexpr double kNothing = 1e-10;

}  // namespace

std::size_t pseudoInverse(std::span<const double> matrix, std::size_t n, std::span<double> inverse,
                          std::span<double> null_projector) {
    if (n == 0) return 0;
    const auto size = static_cast<Eigen::Index>(n);
    const ConstRowMap a(matrix.data(), size, size);
    RowMap out(inverse.data(), size, size);
    RowMap null(null_projector.data(), size, size);
    const Eigen::VectorXd scale =
        a.diagonal().unaryExpr([](double d) { return d > 0.0 ? 1.0 / std::sqrt(d) : 0.0; });
    const Eigen::MatrixXd scaled = scale.asDiagonal() * a * scale.asDiagonal();
    const Eigen::LLT<Eigen::MatrixXd> llt(scaled);
    const double least =
        llt.info() == Eigen::Success ? llt.matrixLLT().diagonal().cwiseAbs().minCoeff() : 0.0;
    if (least * least > kNothing) {
        const Eigen::MatrixXd middle = llt.solve(Eigen::MatrixXd::Identity(size, size));
        out = scale.asDiagonal() * middle * scale.asDiagonal();
        null.setZero();
        return n;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
    const double threshold = kNothing * static_cast<double>(n);
    Eigen::VectorXd inverted = eigen.eigenvalues();
    std::size_t rank = 0;
    for (Eigen::Index i = 0; i < size; ++i) {
        const bool counts = inverted[i] > threshold;
        inverted[i] = counts ? 1.0 / inverted[i] : 0.0;
        rank += counts ? 1 : 0;
    }
    const Eigen::MatrixXd middle =
        eigen.eigenvectors() * inverted.asDiagonal() * eigen.eigenvectors().transpose();
    out = scale.asDiagonal() * middle * scale.asDiagonal();
    null = Eigen::MatrixXd::Identity(size, size) - out * a;
    return rank;
}

struct DenseCholesky::Impl {
    Eigen::LLT<RowMatrix> llt;
};

DenseCholesky::DenseCholesky() : impl_(std::make_unique<Impl>()) {}
DenseCholesky::DenseCholesky(const DenseCholesky& other)
    : impl_(std::make_unique<Impl>(*other.impl_)) {}
DenseCholesky& DenseCholesky::operator=(const DenseCholesky& other) {
    *impl_ = *other.impl_;
    return *this;
}
DenseCholesky::~DenseCholesky() = default;

bool DenseCholesky::factor(std::span<const double> matrix, std::size_t n) {
    const auto size = static_cast<Eigen::Index>(n);
    impl_->llt.compute(ConstRowMap(matrix.data(), size, size));
    return impl_->llt.info() == Eigen::Success;
}

void DenseCholesky::solve(std::span<double> x, std::size_t columns) const {
    const Eigen::Index n = impl_->llt.rows();
    for (std::size_t c = 0; c < columns; ++c) {
        Eigen::Map<Eigen::VectorXd> column(x.data() + c * static_cast<std::size_t>(n), n);
        impl_->llt.solveInPlace(column);
    }
}

bool nearestRotation(const Mat3& m, bool planar, Quat& rotation) {
    if (planar) {
        const double sine = m.rows[1].x - m.rows[0].y;
        const double cosine = m.rows[0].x + m.rows[1].y;
        if (!(sine * sine + cosine * cosine > 1e-20)) return false;
        rotation = quatFromAxisAngle(Vec3{0, 0, 1}, std::atan2(sine, cosine));
        return true;
    }
    Eigen::Matrix3d a;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            a(r, c) = m.rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
    if (!a.allFinite()) return false;
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Matrix3d u = svd.matrixU();
    if ((u * svd.matrixV().transpose()).determinant() < 0.0) u.col(2) = -u.col(2);
    const Eigen::Matrix3d turned = u * svd.matrixV().transpose();
    Mat3 out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            out.rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = turned(r, c);
    rotation = quatFromMatrix(out);
    // Two singular values of nothing leave the turn about the third open.
    return svd.singularValues()[1] > 1e-8 * svd.singularValues()[0];
}

}  // namespace ulna::fit::detail
