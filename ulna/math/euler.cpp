// SPDX-License-Identifier: Apache-2.0

// Quaternion to Euler angles after Bernardes & Viollet, "Quaternion to Euler angles conversion: a
// direct, general and computationally efficient method" (PLOS ONE, 2022).
#include "ulna/math/euler.h"

#include "ulna/core/text.h"

namespace ulna {
namespace {

constexpr std::string_view kNames[12] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                         "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};

// What the method finds before the outer angles are separated.
struct Decomposition {
    double half_sum = 0.0;    // (third + first)/2, up to the order's sign on the first
    double half_diff = 0.0;   // (third - first)/2, likewise
    double middle = 0.0;      // of the proper order: in [0, pi]
    double sign = 1.0;        // parity of the axes
    bool tait_bryan = false;  // three different axes: middle is shifted by pi/2, first takes `sign`
    enum class Gimbal { None, SumOnly, DiffOnly } gimbal = Gimbal::None;
};

double component(const Quat& q, int axis) {
    return axis == 0 ? q.x : axis == 1 ? q.y : q.z;
}

Decomposition decompose(EulerOrder order, const Quat& q) {
    // The method is stated for rotations about fixed axes; ours are the same with order reversed.
    const std::array<int, 3> axes = eulerAxes(order);
    const int i = axes[2];
    const int j = axes[1];
    int k = axes[0];
    Decomposition d;
    d.tait_bryan = i != k;
    if (!d.tait_bryan) k = 3 - i - j;
    d.sign = (i - j) * (j - k) * (k - i) > 0 ? 1.0 : -1.0;
    double a = q.w;
    double b = component(q, i);
    double c = component(q, j);
    double e = component(q, k) * d.sign;
    if (d.tait_bryan) {
        const double w = a, qi = b, qj = c, qk = e;
        a = w - qj;
        b = qi + qk;
        c = qj + w;
        e = qk - qi;
    }
    const double sum_norm = std::hypot(a, b);
    const double diff_norm = std::hypot(c, e);
    d.middle = 2.0 * std::atan2(diff_norm, sum_norm);
    d.half_sum = std::atan2(b, a);
    d.half_diff = std::atan2(e, c);
    // Below this the angle of the vanishing pair is noise, and leaving it out turns the rotation by
    // no more than a few times this.
    constexpr double kGimbal = 1e-13;
    if (diff_norm < kGimbal)
        d.gimbal = Decomposition::Gimbal::SumOnly;
    else if (sum_norm < kGimbal)
        d.gimbal = Decomposition::Gimbal::DiffOnly;
    return d;
}

Vec3 anglesFrom(const Decomposition& d, double third, double first) {
    if (!d.tait_bryan) return {first, d.middle, third};
    return {d.sign * first, d.middle - kPi / 2.0, third};
}

Vec3 unwrapped(const Vec3& angles, const Vec3& near) {
    return {unwrapAngle(angles.x, near.x), unwrapAngle(angles.y, near.y),
            unwrapAngle(angles.z, near.z)};
}

}  // namespace

std::array<int, 3> eulerAxes(EulerOrder order) {
    const std::string_view name = eulerOrderName(order);
    return {name[0] - 'x', name[1] - 'x', name[2] - 'x'};
}

std::string_view eulerOrderName(EulerOrder order) {
    return kNames[static_cast<std::size_t>(order)];
}

std::optional<EulerOrder> eulerOrderFromName(std::string_view name) {
    for (const EulerOrder order : kAllEulerOrders) {
        if (equalIgnoringCase(name, eulerOrderName(order))) return order;
    }
    return std::nullopt;
}

std::optional<EulerOrder> eulerOrderFromAxes(const std::array<int, 3>& axes) {
    for (const EulerOrder order : kAllEulerOrders) {
        if (eulerAxes(order) == axes) return order;
    }
    return std::nullopt;
}

Vec3 eulerFromQuat(EulerOrder order, const Quat& q) {
    const Decomposition d = decompose(order, q);
    double third = d.half_sum - d.half_diff;
    double first = d.half_sum + d.half_diff;
    if (d.gimbal == Decomposition::Gimbal::SumOnly) {
        third = 0.0;
        first = 2.0 * d.half_sum;
    } else if (d.gimbal == Decomposition::Gimbal::DiffOnly) {
        third = 0.0;
        first = 2.0 * d.half_diff;
    }
    const Vec3 angles = anglesFrom(d, third, first);
    return {wrapAngle(angles.x), angles.y, wrapAngle(angles.z)};
}

Vec3 eulerFromQuat(EulerOrder order, const Quat& q, const Vec3& near) {
    const Decomposition d = decompose(order, q);
    if (d.gimbal != Decomposition::Gimbal::None) {
        // first + third (or first - third) is given; share what is missing between the two.
        const double outer = d.tait_bryan ? d.sign : 1.0;
        const double near_first = outer * near.x;
        const bool sum = d.gimbal == Decomposition::Gimbal::SumOnly;
        const double side = sum ? 1.0 : -1.0;
        const double wanted = 2.0 * (sum ? d.half_sum : d.half_diff);
        const double missing = wrapAngle(wanted - (near_first + side * near.z));
        const Vec3 angles =
            anglesFrom(d, near.z + side * missing / 2.0, near_first + missing / 2.0);
        return {angles.x, unwrapAngle(angles.y, near.y), angles.z};
    }
    const Vec3 angles = eulerFromQuat(order, q);
    const double mirrored = d.tait_bryan ? kPi - angles.y : -angles.y;
    const Vec3 one = unwrapped(angles, near);
    const Vec3 other = unwrapped({angles.x + kPi, mirrored, angles.z + kPi}, near);
    const Vec3 to_one = one - near;
    const Vec3 to_other = other - near;
    return dot(to_other, to_other) < dot(to_one, to_one) ? other : one;
}

}  // namespace ulna
