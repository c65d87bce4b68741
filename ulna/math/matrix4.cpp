// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/matrix4.h"

#include <algorithm>
#include <cmath>

namespace ulna {
namespace {

// A last row may differ from 0 0 0 1 by so much: what products of floats leave.
constexpr double kLastRow = 1e-6;

bool isLast(double x, double y, double z, double w) {
    return std::abs(x) <= kLastRow && std::abs(y) <= kLastRow && std::abs(z) <= kLastRow &&
           std::abs(w - 1.0) <= kLastRow;
}

// The values by columns; `other` names the other order.
Result<Affine> makeAffine(const std::array<double, 16>& m, const char* other) {
    for (const double x : m) {
        if (!std::isfinite(x)) return Diagnostic{.what = "a value of the matrix is not finite"};
    }
    if (!isLast(m[3], m[7], m[11], m[15])) {
        const bool turned = isLast(m[12], m[13], m[14], m[15]);
        return Diagnostic{.what = "the last row of the matrix is not 0 0 0 1",
                          .advice = turned ? std::string("its values are stored ") + other
                                           : "only affine matrices are transforms"};
    }
    Affine out;
    for (std::size_t c = 0; c < 4; ++c) {
        for (std::size_t r = 0; r < 3; ++r) out.columns[c][r] = m[4 * c + r];
    }
    return out;
}

std::array<double, 16> transposed(std::span<const double, 16> m) {
    std::array<double, 16> out = {};
    for (std::size_t i = 0; i < 16; ++i) out[i] = m[4 * (i % 4) + i / 4];
    return out;
}

}  // namespace

std::array<double, 16> toColumnMajor(const Affine& a) {
    std::array<double, 16> out = {};
    for (std::size_t i = 0; i < 16; ++i) out[i] = a.columns[i / 4][i % 4];
    return out;
}

std::array<double, 16> toRowMajor(const Affine& a) {
    return transposed(toColumnMajor(a));
}

Result<Affine> affineFromColumnMajor(std::span<const double, 16> values) {
    std::array<double, 16> m = {};
    std::copy(values.begin(), values.end(), m.begin());
    return makeAffine(m, "by rows: see affineFromRowMajor");
}

Result<Affine> affineFromRowMajor(std::span<const double, 16> values) {
    return makeAffine(transposed(values), "by columns: see affineFromColumnMajor");
}

Result<Trs> trsFromAffine(const Affine& a, double tolerance) {
    const Vec3 axes[3] = {a.column(0), a.column(1), a.column(2)};
    Trs out;
    out.translation = a.translation();
    out.scale = {length(axes[0]), length(axes[1]), length(axes[2])};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t k = (i + 1) % 3;
        // Not so for values that are not finite, either.
        if (!(std::abs(dot(axes[i], axes[k])) <= tolerance * out.scale[i] * out.scale[k]))
            return Diagnostic{.what = "the matrix shears: its axes are not perpendicular",
                              .advice = "a product of scales and rotations is an Affine only"};
    }
    if (determinant(a.linear()) < 0.0)
        return Diagnostic{.what = "the matrix mirrors: its axes are left-handed",
                          .advice = "reverse one axis and what it carries"};
    out.rotation = rotationOf(a);
    return out;
}

Result<Rigid> rigidFromAffine(const Affine& a, double tolerance) {
    const Result<Trs> trs = trsFromAffine(a, tolerance);
    if (!trs) return trs.error();
    for (std::size_t i = 0; i < 3; ++i) {
        if (!(std::abs(trs->scale[i] - 1.0) <= tolerance))
            return Diagnostic{.what = "the matrix scales", .advice = "see trsFromAffine"};
    }
    return Rigid{trs->translation, trs->rotation};
}

}  // namespace ulna
