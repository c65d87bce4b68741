// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/quat.h"

namespace ulna {

Vec3 quatLog(const Quat& q) {
    const double sign = q.w < 0.0 ? -1.0 : 1.0;
    const Vec3 v = q.vector() * sign;
    const double s = length(v);
    const double w = q.w * sign;
    // angle / sin(angle/2) tends to 2/w as the angle vanishes; the next term is s^2/3 of it, below
    // rounding here.
    if (s < 1e-8) return v * (2.0 / w);
    return v * (2.0 * std::atan2(s, w) / s);
}

double rotationAngle(const Quat& q) {
    return 2.0 * std::atan2(length(q.vector()), std::abs(q.w));
}

double angleBetween(const Quat& a, const Quat& b) {
    if (a == b) return 0.0;  // exactly, where the product would leave rounding
    return rotationAngle(conjugate(a) * b);
}

Quat quatFromMatrix(const Mat3& m) {
    // Shepperd's method: take the largest of the four components first, so nothing is divided by a
    // small number.
    const double xx = m.rows[0].x, yy = m.rows[1].y, zz = m.rows[2].z;
    const double trace = xx + yy + zz;
    Quat q;
    if (trace >= xx && trace >= yy && trace >= zz) {
        q = {m.rows[2].y - m.rows[1].z, m.rows[0].z - m.rows[2].x, m.rows[1].x - m.rows[0].y,
             1.0 + trace};
    } else if (xx >= yy && xx >= zz) {
        q = {1.0 + xx - yy - zz, m.rows[0].y + m.rows[1].x, m.rows[0].z + m.rows[2].x,
             m.rows[2].y - m.rows[1].z};
    } else if (yy >= zz) {
        q = {m.rows[0].y + m.rows[1].x, 1.0 - xx + yy - zz, m.rows[1].z + m.rows[2].y,
             m.rows[0].z - m.rows[2].x};
    } else {
        q = {m.rows[0].z + m.rows[2].x, m.rows[1].z + m.rows[2].y, 1.0 - xx - yy + zz,
             m.rows[1].x - m.rows[0].y};
    }
    return normalized(q);
}

Quat quatBetween(const Vec3& from, const Vec3& to) {
    const double w = 1.0 + dot(from, to);
    const Vec3 v = cross(from, to);
    // Half a turn: the cross product vanishes and any perpendicular axis will do.
    if (w < 1e-14) {
        const Vec3 axis = anyPerpendicular(from);
        return {axis.x, axis.y, axis.z, 0.0};
    }
    return normalized(Quat{v.x, v.y, v.z, w});
}

Quat slerp(const Quat& a, const Quat& b, double t) {
    if (t == 0.0) return a;
    if (t == 1.0) return b;
    const double cosine = dot(a, b);
    const double sign = cosine < 0.0 ? -1.0 : 1.0;
    const Quat d{b.x * sign - a.x, b.y * sign - a.y, b.z * sign - a.z, b.w * sign - a.w};
    const Quat s{b.x * sign + a.x, b.y * sign + a.y, b.z * sign + a.z, b.w * sign + a.w};
    // The angle from chord and sum is accurate also where acos(dot) is not, near 0.
    const double angle = 2.0 * std::atan2(std::sqrt(dot(d, d)), std::sqrt(dot(s, s)));
    double wa = 1.0 - t;
    double wb = t;
    if (angle > 1e-6) {
        const double sine = std::sin(angle);
        wa = std::sin((1.0 - t) * angle) / sine;
        wb = std::sin(t * angle) / sine;
    }
    wb *= sign;
    return normalized(
        Quat{a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb});
}

Vec3 angularVelocity(const Vec3& v, const Vec3& rate) {
    const double angle2 = dot(v, v);
    // (1 - cos a) / a^2 and (a - sin a) / a^3, by series where they would cancel; the first terms
    // left out are below 1e-17.
    double first = 0.5 - angle2 * (1.0 / 24.0 - angle2 / 720.0);
    double second = 1.0 / 6.0 - angle2 * (1.0 / 120.0 - angle2 / 5040.0);
    if (angle2 > 1e-4) {
        const double angle = std::sqrt(angle2);
        first = 2.0 * square(std::sin(0.5 * angle)) / angle2;
        second = (angle - std::sin(angle)) / (angle2 * angle);
    }
    const Vec3 once = cross(v, rate);
    return rate - once * first + cross(v, once) * second;
}

Vec3 logRate(const Vec3& v, const Vec3& angular_velocity) {
    const double angle2 = dot(v, v);
    // 1 / a^2 - cot(a / 2) / (2 a), by its series where it would cancel.
    double factor = 1.0 / 12.0 + angle2 * (1.0 / 720.0 + angle2 / 30240.0);
    if (angle2 > 1e-3) {
        const double angle = std::sqrt(angle2);
        factor = 1.0 / angle2 - 0.5 / (angle * std::tan(0.5 * angle));
    }
    const Vec3 once = cross(v, angular_velocity);
    return angular_velocity + once * 0.5 + cross(v, once) * factor;
}

SwingTwist splitSwingTwist(const Quat& q, const Vec3& axis) {
    SwingTwist out;
    const double along = dot(q.vector(), axis);
    const double norm = std::sqrt(along * along + q.w * q.w);
    // Half a turn of swing leaves nothing along the axis: the twist would be rounding noise.
    if (norm > 1e-14) {
        const double sign = q.w < 0.0 ? -1.0 : 1.0;
        const double s = along * sign / norm;
        out.twist = {axis.x * s, axis.y * s, axis.z * s, q.w * sign / norm};
        out.twist_angle = 2.0 * std::atan2(s, out.twist.w);
    }
    out.swing = normalized(q * conjugate(out.twist));
    return out;
}

}  // namespace ulna
