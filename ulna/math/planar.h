// SPDX-License-Identifier: Apache-2.0

// The 2D twins of quat.h and transform.h: rotations of the plane as unit complex numbers, and rigid
// transforms of the plane. Angles are counter-clockwise.
#pragma once

#include "ulna/math/vec.h"

namespace ulna {

/// The rotation by the angle whose cosine and sine these are.
template <class S>
struct Rot2T {
    S cosine = S(1);
    S sine = S(0);

    [[nodiscard]] static Rot2T fromAngle(const S& angle) {
        using std::cos;
        using std::sin;
        return {cos(angle), sin(angle)};
    }
    [[nodiscard]] S angle() const {
        using std::atan2;
        return atan2(sine, cosine);
    }
    friend constexpr Vec2T<S> operator*(const Rot2T& r, const Vec2T<S>& v) {
        return {r.cosine * v.x - r.sine * v.y, r.sine * v.x + r.cosine * v.y};
    }
    friend constexpr Rot2T operator*(const Rot2T& a, const Rot2T& b) {
        return {a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine};
    }
};

template <class S>
[[nodiscard]] constexpr Rot2T<S> inverse(const Rot2T<S>& r) {
    return {r.cosine, -r.sine};
}

template <class S>
struct Rigid2T {
    Vec2T<S> translation = {};
    Rot2T<S> rotation = {};

    friend constexpr Vec2T<S> operator*(const Rigid2T& a, const Vec2T<S>& point) {
        return a.rotation * point + a.translation;
    }
    friend constexpr Rigid2T operator*(const Rigid2T& a, const Rigid2T& b) {
        return {a * b.translation, a.rotation * b.rotation};
    }
};

template <class S>
[[nodiscard]] constexpr Rigid2T<S> inverse(const Rigid2T<S>& a) {
    const Rot2T<S> back = inverse(a.rotation);
    return {-(back * a.translation), back};
}

using Rot2 = Rot2T<double>;
using Rigid2 = Rigid2T<double>;

}  // namespace ulna
