// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/dense.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace ulna::detail {

struct SymmetricEigen::Workspace {
    Eigen::MatrixXd matrix;
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    Eigen::VectorXd signs;
};

SymmetricEigen::SymmetricEigen() : workspace_(std::make_unique<Workspace>()) {}
SymmetricEigen::SymmetricEigen(SymmetricEigen&&) noexcept = default;
SymmetricEigen& SymmetricEigen::operator=(SymmetricEigen&&) noexcept = default;
SymmetricEigen::~SymmetricEigen() = default;

void SymmetricEigen::compute(const double* m, std::size_t n) {
    Workspace& w = *workspace_;
    const auto size = static_cast<Eigen::Index>(n);
    w.matrix.resize(size, size);
    for (Eigen::Index i = 0; i < size; ++i) {
        for (Eigen::Index j = 0; j <= i; ++j) {
            w.matrix(i, j) = w.matrix(j, i) =
                m[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)];
        }
    }
    w.solver.compute(w.matrix);
    w.signs.resize(size);
    for (Eigen::Index i = 0; i < size; ++i) {
        Eigen::Index largest = 0;
        w.solver.eigenvectors().col(i).cwiseAbs().maxCoeff(&largest);
        w.signs(i) = w.solver.eigenvectors()(largest, i) < 0.0 ? -1.0 : 1.0;
    }
}

double SymmetricEigen::value(std::size_t i) const {
    return workspace_->solver.eigenvalues()(static_cast<Eigen::Index>(i));
}

double SymmetricEigen::vector(std::size_t i, std::size_t k) const {
    const auto column = static_cast<Eigen::Index>(i);
    return workspace_->signs(column) *
           workspace_->solver.eigenvectors()(static_cast<Eigen::Index>(k), column);
}

void SymmetricEigen::applyPseudoInverse(std::span<const double> b, double cutoff,
                                        std::span<double> x) const {
    std::fill(x.begin(), x.end(), 0.0);
    const std::size_t n = b.size();
    if (n == 0) return;
    const double least = cutoff * std::max(value(n - 1), 0.0);
    for (std::size_t i = n; i-- > 0 && value(i) > least;) {
        double along = 0.0;
        for (std::size_t k = 0; k < n; ++k) along += vector(i, k) * b[k];
        along /= value(i);
        for (std::size_t k = 0; k < n; ++k) x[k] += vector(i, k) * along;
    }
}

}  // namespace ulna::detail
