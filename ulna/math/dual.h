// SPDX-License-Identifier: Apache-2.0

// Dual numbers: a value carried together with its derivative, for exact automatic differentiation.
//
// Give the variable of interest derivative 1, run any code that is a template over its scalar (such
// as forward kinematics), and read the derivative of every result. Comparisons look at the value.
#pragma once

#include <cmath>

namespace ulna {

struct Dual {
    double value = 0.0;
    double derivative = 0.0;

    constexpr Dual() = default;
    constexpr Dual(double v) : value(v) {}
    constexpr Dual(double v, double d) : value(v), derivative(d) {}

    constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
    constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
    constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
    constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

    friend constexpr Dual operator-(const Dual& a) { return {-a.value, -a.derivative}; }
    friend constexpr Dual operator+(const Dual& a, const Dual& b) {
        return {a.value + b.value, a.derivative + b.derivative};
    }
    friend constexpr Dual operator-(const Dual& a, const Dual& b) {
        return {a.value - b.value, a.derivative - b.derivative};
    }
    friend constexpr Dual operator*(const Dual& a, const Dual& b) {
        return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
    }
    friend constexpr Dual operator/(const Dual& a, const Dual& b) {
        const double quotient = a.value / b.value;
        return {quotient, (a.derivative - quotient * b.derivative) / b.value};
    }
    friend constexpr bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
    friend constexpr bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
};

[[nodiscard]] inline Dual sin(const Dual& x) {
    return {std::sin(x.value), std::cos(x.value) * x.derivative};
}
[[nodiscard]] inline Dual cos(const Dual& x) {
    return {std::cos(x.value), -std::sin(x.value) * x.derivative};
}
/// At 0 the derivative is taken as 0, so that lengths of zero vectors stay finite.
[[nodiscard]] inline Dual sqrt(const Dual& x) {
    const double root = std::sqrt(x.value);
    return {root, root > 0.0 ? x.derivative / (2.0 * root) : 0.0};
}
[[nodiscard]] inline Dual atan2(const Dual& y, const Dual& x) {
    const double norm2 = x.value * x.value + y.value * y.value;
    return {std::atan2(y.value, x.value),
            norm2 > 0.0 ? (x.value * y.derivative - y.value * x.derivative) / norm2 : 0.0};
}

}  // namespace ulna
