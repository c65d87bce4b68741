// SPDX-License-Identifier: Apache-2.0

// Four numbers side by side: the same quantity at four samples of a clip that follow each other.
//
// Nothing passes from one lane to another and nothing is fused, so the result does not depend on
// the machine. The precision of float is enough for what is iterated and checked afterwards.
#pragma once

#include <cstddef>

#include "ulna/math/mat3.h"

namespace ulna::motion::detail {

struct Lanes {
    static constexpr std::size_t kCount = 4;
    typedef float Vector __attribute__((vector_size(4 * sizeof(float))));
    Vector v = {};

    Lanes() = default;
    explicit Lanes(float all) : v{all, all, all, all} {}
    explicit Lanes(Vector lanes) : v(lanes) {}

    [[nodiscard]] float operator[](std::size_t lane) const { return v[lane]; }
    void set(std::size_t lane, double value) { v[lane] = static_cast<float>(value); }

    friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
    friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
    friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
    friend Lanes operator-(const Lanes& a) { return Lanes(-a.v); }
    Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
};

using LanesVec3 = Vec3T<Lanes>;
using LanesMat3 = Mat3T<Lanes>;

inline void setLane(const Vec3& value, std::size_t lane, LanesVec3& out) {
    out.x.set(lane, value.x);
    out.y.set(lane, value.y);
    out.z.set(lane, value.z);
}
[[nodiscard]] inline Vec3 laneOf(const LanesVec3& v, std::size_t lane) {
    return {static_cast<double>(v.x[lane]), static_cast<double>(v.y[lane]),
            static_cast<double>(v.z[lane])};
}
[[nodiscard]] inline LanesMat3 zeroLanesMat3() {
    return {{{}, {}, {}}};
}

/// A vector of each of four samples, one after the other: x, y, z and 0.
struct LanesRows {
    Lanes row[Lanes::kCount];
};
[[nodiscard]] inline LanesRows transposed(const LanesVec3& v) {
    const Lanes::Vector zero = {};
    const auto low = [](const Lanes::Vector& a, const Lanes::Vector& b) {
        return Lanes::Vector{a[0], b[0], a[1], b[1]};
    };
    const auto high = [](const Lanes::Vector& a, const Lanes::Vector& b) {
        return Lanes::Vector{a[2], b[2], a[3], b[3]};
    };
    const Lanes::Vector xy01 = low(v.x.v, v.y.v), xy23 = high(v.x.v, v.y.v);
    const Lanes::Vector z01 = low(v.z.v, zero), z23 = high(v.z.v, zero);
    return {{Lanes(Lanes::Vector{xy01[0], xy01[1], z01[0], z01[1]}),
             Lanes(Lanes::Vector{xy01[2], xy01[3], z01[2], z01[3]}),
             Lanes(Lanes::Vector{xy23[0], xy23[1], z23[0], z23[1]}),
             Lanes(Lanes::Vector{xy23[2], xy23[3], z23[2], z23[3]})}};
}
[[nodiscard]] inline LanesVec3 transposed(const LanesRows& rows) {
    const Lanes::Vector &a = rows.row[0].v, &b = rows.row[1].v, &c = rows.row[2].v,
                        &d = rows.row[3].v;
    return {Lanes(Lanes::Vector{a[0], b[0], c[0], d[0]}),
            Lanes(Lanes::Vector{a[1], b[1], c[1], d[1]}),
            Lanes(Lanes::Vector{a[2], b[2], c[2], d[2]})};
}

/// A symmetric matrix by its upper half.
struct LanesSym3 {
    Lanes xx, xy, xz, yy, yz, zz;

    friend LanesVec3 operator*(const LanesSym3& m, const LanesVec3& v) {
        return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                m.xz * v.x + m.yz * v.y + m.zz * v.z};
    }
    LanesSym3& operator+=(const LanesSym3& b) {
        xx += b.xx, xy += b.xy, xz += b.xz;
        yy += b.yy, yz += b.yz, zz += b.zz;
        return *this;
    }
    [[nodiscard]] LanesMat3 whole() const { return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}}; }
};
/// The upper half of a matrix that is symmetric but for rounding.
[[nodiscard]] inline LanesSym3 upperHalf(const LanesMat3& m) {
    return {m.rows[0].x, m.rows[0].y, m.rows[0].z, m.rows[1].y, m.rows[1].z, m.rows[2].z};
}
/// v v^T
[[nodiscard]] inline LanesSym3 square(const LanesVec3& v) {
    return {v.x * v.x, v.x * v.y, v.x * v.z, v.y * v.y, v.y * v.z, v.z * v.z};
}

}  // namespace ulna::motion::detail
