// SPDX-License-Identifier: Apache-2.0

// The dense linear algebra of fits: what Eigen does, seen from outside.
#pragma once

#include <memory>
#include <span>

#include "ulna/math/mat3.h"
#include "ulna/math/quat.h"

namespace ulna::fit::detail {

/// The inverse of a positive semi-definite n x n matrix on what it does not take to nothing, in
/// units of its diagonal, and the projector onto what it does. Returns the rank.
std::size_t pseudoInverse(std::span<const double> matrix, std::size_t n, std::span<double> inverse,
                          std::span<double> null_projector);

/// A positive definite n x n matrix factored once; the lower triangle by rows is looked at.
class DenseCholesky {
  public:
    DenseCholesky();
    DenseCholesky(const DenseCholesky& other);
    DenseCholesky& operator=(const DenseCholesky& other);
    ~DenseCholesky();

    /// False where it is not positive definite.
    [[nodiscard]] bool factor(std::span<const double> matrix, std::size_t n);
    /// Solves in place for `columns` right sides, one after the other.
    void solve(std::span<double> x, std::size_t columns) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The rotation nearest to a matrix; in the plane, about z. False where it is not determined.
[[nodiscard]] bool nearestRotation(const Mat3& m, bool planar, Quat& rotation);

}  // namespace ulna::fit::detail
