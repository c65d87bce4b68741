// SPDX-License-Identifier: Apache-2.0

// Vectors of two and three components: plain aggregates with the layout of an array.
#pragma once

#include <cmath>
#include <cstddef>

namespace ulna {

template <class S>
struct Vec2T {
    S x{}, y{};

    friend constexpr Vec2T operator+(const Vec2T& a, const Vec2T& b) {
        return {a.x + b.x, a.y + b.y};
    }
    friend constexpr Vec2T operator-(const Vec2T& a, const Vec2T& b) {
        return {a.x - b.x, a.y - b.y};
    }
    friend constexpr Vec2T operator-(const Vec2T& a) { return {-a.x, -a.y}; }
    friend constexpr Vec2T operator*(const Vec2T& a, const S& s) { return {a.x * s, a.y * s}; }
    friend constexpr Vec2T operator*(const S& s, const Vec2T& a) { return a * s; }
    friend constexpr bool operator==(const Vec2T&, const Vec2T&) = default;
    constexpr Vec2T& operator+=(const Vec2T& b) { return *this = *this + b; }
};

template <class S>
struct Vec3T {
    S x{}, y{}, z{};

    constexpr S& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : z; }
    constexpr const S& operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }

    friend constexpr Vec3T operator+(const Vec3T& a, const Vec3T& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Vec3T operator-(const Vec3T& a, const Vec3T& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend constexpr Vec3T operator-(const Vec3T& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3T operator*(const Vec3T& a, const S& s) {
        return {a.x * s, a.y * s, a.z * s};
    }
    friend constexpr Vec3T operator*(const S& s, const Vec3T& a) { return a * s; }
    friend constexpr Vec3T operator/(const Vec3T& a, const S& s) {
        return {a.x / s, a.y / s, a.z / s};
    }
    friend constexpr bool operator==(const Vec3T&, const Vec3T&) = default;
    constexpr Vec3T& operator+=(const Vec3T& b) { return *this = *this + b; }
    constexpr Vec3T& operator-=(const Vec3T& b) { return *this = *this - b; }
    constexpr Vec3T& operator*=(const S& s) { return *this = *this * s; }
};

using Vec2 = Vec2T<double>;
using Vec2f = Vec2T<float>;
using Vec3 = Vec3T<double>;
using Vec3f = Vec3T<float>;

template <class S>
[[nodiscard]] constexpr S dot(const Vec2T<S>& a, const Vec2T<S>& b) {
    return a.x * b.x + a.y * b.y;
}
/// The z of the 3D cross product; positive when b lies counter-clockwise of a.
template <class S>
[[nodiscard]] constexpr S cross(const Vec2T<S>& a, const Vec2T<S>& b) {
    return a.x * b.y - a.y * b.x;
}
/// `a` rotated by a right angle, counter-clockwise.
template <class S>
[[nodiscard]] constexpr Vec2T<S> perp(const Vec2T<S>& a) {
    return {-a.y, a.x};
}
template <class S>
[[nodiscard]] S length(const Vec2T<S>& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
}

template <class S>
[[nodiscard]] constexpr S dot(const Vec3T<S>& a, const Vec3T<S>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
[[nodiscard]] constexpr Vec3T<S> cross(const Vec3T<S>& a, const Vec3T<S>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Component by component, as a scale acts.
template <class S>
[[nodiscard]] constexpr Vec3T<S> scaled(const Vec3T<S>& a, const Vec3T<S>& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class S>
[[nodiscard]] S length(const Vec3T<S>& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
}
template <class S>
[[nodiscard]] S distance(const Vec3T<S>& a, const Vec3T<S>& b) {
    return length(b - a);
}
/// The unit vector along `a`; a vector too short to have a direction becomes `fallback`.
template <class S>
[[nodiscard]] Vec3T<S> normalizedOr(const Vec3T<S>& a, const Vec3T<S>& fallback) {
    const S len = length(a);
    // Below this, squares of components underflow and the direction is rounding noise.
    return len > S(sizeof(S) < sizeof(double) ? 1e-18 : 1e-150) ? a / len : fallback;
}
template <class S>
[[nodiscard]] constexpr Vec3T<S> lerp(const Vec3T<S>& a, const Vec3T<S>& b, const S& t) {
    return a + (b - a) * t;
}
/// `a` in the mirror whose plane has the unit vector `normal`.
template <class S>
[[nodiscard]] constexpr Vec3T<S> reflect(const Vec3T<S>& a, const Vec3T<S>& normal) {
    return a - normal * (S(2) * dot(a, normal));
}
/// A unit vector perpendicular to the unit vector `a`; the same one on every run.
template <class S>
[[nodiscard]] Vec3T<S> anyPerpendicular(const Vec3T<S>& a) {
    using std::abs;
    const Vec3T<S> helper =
        abs(a.x) < S(0.6) ? Vec3T<S>{S(1), S(0), S(0)} : Vec3T<S>{S(0), S(1), S(0)};
    const Vec3T<S> side = cross(a, helper);
    return side / length(side);
}
[[nodiscard]] inline bool isFinite(const Vec3& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// A double vector carried to another scalar.
template <class S>
[[nodiscard]] constexpr Vec3T<S> cast(const Vec3& a) {
    return {S(a.x), S(a.y), S(a.z)};
}

}  // namespace ulna
