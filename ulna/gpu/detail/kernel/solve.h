// SPDX-License-Identifier: Apache-2.0

// Levenberg-Marquardt for one problem of a batch: the source of the GPU's kernels.
//
// It is compiled three ways: by NVRTC for one mechanism, whose numbers are constants and whose
// loops are unrolled, so that a problem lives in registers; by nvcc for any mechanism, whose
// numbers are read from memory; and by the host's compiler, so that every line is tested where
// there is no card. A mechanism is a class P with
//
//   kColumns, kBalls, kRows, kSlots   how many there are, or the most there may be
//   eachLink(f), eachColumn(f), eachRow(f)   f(i) for every one, in order; link parents come first
//   link(i), column(i), row(i), above(row, column)   what they are
//
// The iteration is that of ik/detail/lanes_simd.cpp with one change: a step that raises the cost is
// shortened along its direction, where lanes solve for another. So an iteration needs the
// kinematics once, and nothing of the pose it came from but its coordinates.
#pragma once

#include "ulna/gpu/detail/kernel/problem.h"

namespace ulna::gpu::kernel {

template <class P, class S>
class Solver {
  public:
    ULNA_GPU_FUNCTION explicit Solver(const P& program) : p(program) {}

    const P& p;
    S value[P::kColumns], tried[P::kColumns];
    S turn[4 * P::kBalls + 1], tried_turn[4 * P::kBalls + 1];
    S cost, worst;

    /// Takes up a problem's targets.
    ULNA_GPU_FUNCTION void load(const Problems& all, long long problem) {
        floor_ = S(all.damping_floor);
        most_steps_ = all.most_steps;
        p.eachRow([&](auto r) {
            const Row row = p.row(r);
            const long long at = problem * all.goals + row.goal;
            const double weight = weightOf(all, row, at);
            factor_[r] = all.weights != nullptr && row.enabled ? root(S(weight)) * S(row.unit)
                                                               : S(row.factor);
            per_tolerance_[r] = weight > 0.0 ? S(row.per_tolerance) : S(0);
            if (row.point) {
                const double* t = all.points + 3 * at;
                target_[r].p = {S(t[0] - all.origin[0]), S(t[1] - all.origin[1]),
                                S(t[2] - all.origin[2])};
            } else {
                // The link's target axes: the joint's, seen through how it is mounted.
                const double* q = all.orientations + 4 * at;
                const V3<S> x = {S(1 - 2 * (q[1] * q[1] + q[2] * q[2])),
                                 S(2 * (q[0] * q[1] + q[3] * q[2])),
                                 S(2 * (q[0] * q[2] - q[3] * q[1]))};
                const V3<S> y = {S(2 * (q[0] * q[1] - q[3] * q[2])),
                                 S(1 - 2 * (q[0] * q[0] + q[2] * q[2])),
                                 S(2 * (q[1] * q[2] + q[3] * q[0]))};
                const V3<S> z = {S(2 * (q[0] * q[2] + q[3] * q[1])),
                                 S(2 * (q[1] * q[2] - q[3] * q[0])),
                                 S(1 - 2 * (q[0] * q[0] + q[1] * q[1]))};
                const double* m = row.mount;
                target_[r].x = x * S(m[0]) + y * S(m[3]) + z * S(m[6]);
                target_[r].y = x * S(m[1]) + y * S(m[4]) + z * S(m[7]);
                target_[r].z = x * S(m[2]) + y * S(m[5]) + z * S(m[8]);
            }
        });
    }

    /// Begins an attempt: 0 from the problem's own start, others from points that spread over the
    /// limits.
    ULNA_GPU_FUNCTION void begin(const Problems& all, long long problem, int attempt) {
        const double* start = all.starts + problem * all.start_stride;
        const unsigned long long key = attempt > 0 ? keyOf(p, all, problem) : 0;
        p.eachColumn([&](auto c) {
            const Column column = p.column(c);
            double x = start[c];
            if (attempt > 0 && column.high > column.low) {
                const float shift = unitOf(mixBits(key + static_cast<unsigned long long>(c)));
                const double at = double(shift) + attempt * column.spread;
                x = column.low + (column.high - column.low) * (at - ::floor(at));
            }
            tried[c] = most(least(S(x), S(column.max)), S(column.min));
        });
        p.eachLink([&](auto i) {
            const Link link = p.link(i);
            if (link.kind != Kind::Ball) return;
            const double* q = start + p.columns() + 4 * link.ball;
            S* own = tried_turn + 4 * link.ball;
            if (attempt == 0) {
                for (int k = 0; k < 4; ++k) own[k] = S(q[k]);
            } else {
                // Shoemake, "Uniform random rotations" (1992).
                const unsigned long long bits =
                    mixBits(key ^ mixBits(static_cast<unsigned long long>(attempt) * 64u +
                                          static_cast<unsigned long long>(link.ball)));
                const S u = S(unitOf(bits));
                S s1, c1, s2, c2;
                sineCosine(S(6.283185307179586) * S(unitOf(mixBits(bits))), s1, c1);
                sineCosine(S(6.283185307179586) * S(unitOf(mixBits(bits + 1))), s2, c2);
                const S a = root(S(1) - u), b = root(u);
                own[0] = a * s1, own[1] = a * c1, own[2] = b * s2, own[3] = b * c2;
            }
            keepInCone(link, own);
        });
        restart();
    }

    /// Begins from `tried` as it is.
    ULNA_GPU_FUNCTION void restart() {
        lambda_ = S(0.5);
        slow_ = 0;
        steps = -1;  // the first only evaluates
    }

    /// Looks at the pose that was tried, and tries another. False when the attempt has ended; then
    /// value, turn, cost and worst are where it ended.
    ULNA_GPU_FUNCTION bool step(S enough) {
        S tried_cost, tried_worst;
        evaluate(tried_cost, tried_worst);
        const bool first = steps < 0;
        ++steps;
        const bool accepted = first || tried_cost < cost;
        if (accepted) {
            slow_ = !first && tried_cost > S(0.9) * cost ? slow_ + 1 : 0;
            if (!first) lambda_ = most(lambda_ * S(0.5), S(0.05));
            cost = tried_cost;
            worst = tried_worst;
            p.eachColumn([&](auto c) { value[c] = tried[c]; });
            p.eachLink([&](auto i) {
                const Link link = p.link(i);
                if (link.kind != Kind::Ball) return;
                for (int k = 0; k < 4; ++k) turn[4 * link.ball + k] = tried_turn[4 * link.ball + k];
            });
        } else {
            lambda_ *= S(4);
            if (lambda_ > S(1e7)) slow_ = kSlowSteps;
        }
        if ((accepted && worst <= enough) || slow_ >= kSlowSteps || steps >= most_steps_)
            return false;
        if (accepted)
            tryNewton();
        else
            tryShorter();
        return true;
    }

    int steps;

  private:
    static constexpr int kSlowSteps = 4;
    static constexpr int kResiduals = 3 * P::kRows;

    // Forward kinematics of what was tried: axes and origins of the coordinates, residuals, cost.
    ULNA_GPU_FUNCTION void evaluate(S& tried_cost, S& tried_worst) {
        Frame<S> kept[P::kSlots];
        Frame<S> f;
        p.eachLink([&](auto i) {
            const Link link = p.link(i);
            if (link.root) {
                f = {vector<S>(link.rest), vector<S>(link.rest + 3), vector<S>(link.rest + 6),
                     vector<S>(link.rest + 9)};
            } else {
                const Frame<S> up = link.from < 0 ? f : kept[link.from];
                f = up;
                if (link.rest[9] != 0 || link.rest[10] != 0 || link.rest[11] != 0)
                    f.p = up.p + up.direction(link.rest + 9);
                if (link.rotated) {
                    f.x = up.direction(link.rest);
                    f.y = up.direction(link.rest + 3);
                    f.z = up.direction(link.rest + 6);
                }
            }
            move(link, f);
            if (link.keep >= 0) kept[link.keep] = f;
        });
        tried_cost = S(0);
        tried_worst = S(0);
        p.eachRow([&](auto r) {
            const Row row = p.row(r);
            const Frame<S>& end = kept[row.slot];
            V3<S> off;
            if (row.point) {
                const V3<S> point = end.p + end.direction(row.point_in_link);
                data_[r] = point;
                off = point - target_[r].p;
            } else {
                const Frame<S>& t = target_[r];
                // Twice the sine times the axis, and the trace, of the rotation from target to
                // joint.
                const V3<S> twice = cross(t.x, end.x) + cross(t.y, end.y) + cross(t.z, end.z);
                const S trace = dot(t.x, end.x) + dot(t.y, end.y) + dot(t.z, end.z);
                const S near = most(trace + S(1), S(1e-6));
                const S inverse = inverseRoot(near);  // 1 / (2 cos(half angle))
                half_cosine_[r] = S(0.5) * near * inverse;
                off = twice * inverse;
                data_[r] = off * S(0.5);
            }
            const S error2 = dot(off, off);
            tried_worst = most(tried_worst, root(error2) * per_tolerance_[r]);
            off = off * factor_[r];
            residual_[r] = off;
            tried_cost += S(0.5) * dot(off, off);
        });
    }

    ULNA_GPU_FUNCTION void rotate(V3<S>& a, V3<S>& b, int c, const V3<S>& about, const V3<S>& p0) {
        S s, co;
        sineCosine(tried[c], s, co);
        const V3<S> rotated = a * co + b * s;
        b = b * co - a * s;
        a = rotated;
        axis_[c] = about;
        origin_[c] = p0;
    }

    // Moves a link's frame by its coordinates, and notes how each moves what is below it.
    ULNA_GPU_FUNCTION void move(const Link& link, Frame<S>& f) {
        const int c = link.column;
        switch (link.kind) {
            case Kind::RotateX:
                rotate(f.y, f.z, c, f.x, f.p);
                break;
            case Kind::RotateY:
                rotate(f.z, f.x, c, f.y, f.p);
                break;
            case Kind::RotateZ:
                rotate(f.x, f.y, c, f.z, f.p);
                break;
            case Kind::Slide:
                axis_[c] = f.direction(link.axis);
                f.p = f.p + axis_[c] * tried[c];
                break;
            case Kind::Slide3: {
                const S k = S(link.axis[0]);
                axis_[c] = f.x * k, axis_[c + 1] = f.y * k, axis_[c + 2] = f.z * k;
                f.p = f.p + axis_[c] * tried[c] + axis_[c + 1] * tried[c + 1] +
                      axis_[c + 2] * tried[c + 2];
                break;
            }
            case Kind::Ball: {
                const S* q = tried_turn + 4 * link.ball;
                const S x2 = q[0] + q[0], y2 = q[1] + q[1], z2 = q[2] + q[2];
                const S xx = q[0] * x2, yy = q[1] * y2, zz = q[2] * z2, xy = q[0] * y2,
                        xz = q[0] * z2, yz = q[1] * z2, wx = q[3] * x2, wy = q[3] * y2,
                        wz = q[3] * z2;
                const Frame<S> g = f;
                f.x = g.direction({S(1) - (yy + zz), xy + wz, xz - wy});
                f.y = g.direction({xy - wz, S(1) - (xx + zz), yz + wx});
                f.z = g.direction({xz + wy, yz - wx, S(1) - (xx + yy)});
                axis_[c] = f.x, axis_[c + 1] = f.y, axis_[c + 2] = f.z;
                origin_[c] = origin_[c + 1] = origin_[c + 2] = f.p;
                break;
            }
        }
    }

    // How a coordinate moves a row's residual.
    template <class R, class C>
    ULNA_GPU_FUNCTION V3<S> derivative(R r, C c) const {
        const Row row = p.row(r);
        V3<S> j;
        if (p.slides(c))
            j = row.point ? axis_[c] : V3<S>{S(0), S(0), S(0)};
        else if (row.point)
            j = cross(axis_[c], data_[r] - origin_[c]);
        else
            j = axis_[c] * half_cosine_[r] + cross(axis_[c], data_[r]);
        return j * (factor_[r] * S(p.column(c).scale));
    }

    // Where an entry of the lower triangle is.
    static constexpr ULNA_GPU_FUNCTION int at(int i, int j) { return i * (i + 1) / 2 + j; }

    // Tries the damped step: (J Jt + damping) x = residual, step = -Jt x, without coordinates that
    // stand at a limit and are pushed outwards.
    ULNA_GPU_FUNCTION void tryNewton() {
        S dual[kResiduals * (kResiduals + 1) / 2];
        S x[kResiduals];
        unsigned keep[(P::kColumns + 31) / 32];
        const int m = 3 * p.rows();
        p.eachRow([&](auto r) {
            x[3 * r] = residual_[r].x, x[3 * r + 1] = residual_[r].y, x[3 * r + 2] = residual_[r].z;
        });
        for (int i = 0; i < at(m, 0); ++i) dual[i] = S(0);
        for (int i = 0; i < (P::kColumns + 31) / 32; ++i) keep[i] = 0;
        p.eachColumn([&](auto c) {
            V3<S> j[P::kRows];
            S gradient = S(0);
            p.eachRow([&](auto r) {
                if (!p.above(r, c)) return;
                j[r] = derivative(r, c);
                gradient += dot(j[r], residual_[r]);
            });
            const Column column = p.column(c);
            const bool stuck = column.bounded && ((gradient < S(0) && value[c] >= S(column.max)) ||
                                                  (gradient > S(0) && value[c] <= S(column.min)));
            if (stuck) return;
            keep[c / 32] |= 1u << (c % 32);
            p.eachRow([&](auto a) {
                if (!p.above(a, c)) return;
                p.eachRow([&](auto b) {
                    if (b > a || !p.above(b, c)) return;
                    const V3<S>&u = j[a], &v = j[b];
                    dual[at(3 * a, 3 * b)] += u.x * v.x;
                    dual[at(3 * a + 1, 3 * b)] += u.y * v.x;
                    dual[at(3 * a + 1, 3 * b + 1)] += u.y * v.y;
                    dual[at(3 * a + 2, 3 * b)] += u.z * v.x;
                    dual[at(3 * a + 2, 3 * b + 1)] += u.z * v.y;
                    dual[at(3 * a + 2, 3 * b + 2)] += u.z * v.z;
                    if (b != a) {
                        dual[at(3 * a, 3 * b + 1)] += u.x * v.y;
                        dual[at(3 * a, 3 * b + 2)] += u.x * v.z;
                        dual[at(3 * a + 1, 3 * b + 2)] += u.y * v.z;
                    }
                });
            });
        });
        solveDual(m, lambda_ * cost + floor_, dual, x);
        p.eachColumn([&](auto c) {
            S move = S(0);
            if ((keep[c / 32] >> (c % 32) & 1u) != 0) {
                p.eachRow([&](auto r) {
                    if (!p.above(r, c)) return;
                    move -= dot(derivative(r, c), V3<S>{x[3 * r], x[3 * r + 1], x[3 * r + 2]});
                });
            }
            const Column column = p.column(c);
            tried[c] = value[c] + move * S(column.scale);
            if (column.bounded) tried[c] = most(least(tried[c], S(column.max)), S(column.min));
        });
        p.eachLink([&](auto i) {
            const Link link = p.link(i);
            if (link.kind != Kind::Ball) return;
            const int c = link.column;
            const S* q = turn + 4 * link.ball;
            // The three coordinates hold the small rotation; balls have no values of their own.
            const S x2 = S(0.5) * (tried[c] - value[c]),
                    y2 = S(0.5) * (tried[c + 1] - value[c + 1]),
                    z2 = S(0.5) * (tried[c + 2] - value[c + 2]);
            tried[c] = value[c], tried[c + 1] = value[c + 1], tried[c + 2] = value[c + 2];
            // q * (1, half step), normalised: Cayley's map.
            S* out = tried_turn + 4 * link.ball;
            out[0] = q[0] + q[3] * x2 + q[1] * z2 - q[2] * y2;
            out[1] = q[1] + q[3] * y2 + q[2] * x2 - q[0] * z2;
            out[2] = q[2] + q[3] * z2 + q[0] * y2 - q[1] * x2;
            out[3] = q[3] - q[0] * x2 - q[1] * y2 - q[2] * z2;
            normalize(out);
            keepInCone(link, out);
        });
    }

    // A quarter of the way that was tried.
    ULNA_GPU_FUNCTION void tryShorter() {
        p.eachColumn([&](auto c) { tried[c] = value[c] + S(0.25) * (tried[c] - value[c]); });
        p.eachLink([&](auto i) {
            const Link link = p.link(i);
            if (link.kind != Kind::Ball) return;
            const S* q = turn + 4 * link.ball;
            S* out = tried_turn + 4 * link.ball;
            const S along = out[0] * q[0] + out[1] * q[1] + out[2] * q[2] + out[3] * q[3];
            const S side = along < S(0) ? S(-0.25) : S(0.25);
            for (int k = 0; k < 4; ++k) out[k] = S(0.75) * q[k] + side * out[k];
            normalize(out);
            keepInCone(link, out);
        });
    }

    ULNA_GPU_FUNCTION static void normalize(S* q) {
        const S k = inverseRoot(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int i = 0; i < 4; ++i) q[i] *= k;
    }

    // The nearest rotation inside a ball's cone: twist and swing, each within its own.
    ULNA_GPU_FUNCTION static void keepInCone(const Link& link, S* q) {
        if (!link.cone) return;
        const V3<S> a = vector<S>(link.axis);
        const V3<S> v{q[0], q[1], q[2]};
        const S along = dot(v, a);
        S twist = S(2) * arcTangent(along, q[3]);
        const S pi = S(3.141592653589793);
        if (twist > pi) twist -= S(2) * pi;
        if (twist < -pi) twist += S(2) * pi;
        // swing = q * conjugate(twist), of which the vector is perpendicular to the axis.
        S s, c;
        sineCosine(S(0.5) * twist, s, c);
        const V3<S> t = a * -s;
        V3<S> swing = v * c + t * q[3] + cross(v, t);
        S w = q[3] * c - dot(v, t);
        if (w < S(0)) swing = swing * S(-1), w = -w;
        const S sine = root(dot(swing, swing));
        S angle = S(2) * arcTangent(sine, w);
        angle = least(angle, S(link.swing_max));
        twist = most(least(twist, S(link.twist_max)), S(link.twist_min));
        S s1, c1;
        sineCosine(S(0.5) * angle, s1, c1);
        swing = sine > S(1e-12) ? swing * (s1 / sine) : V3<S>{S(0), S(0), S(0)};
        sineCosine(S(0.5) * twist, s, c);
        const V3<S> u = a * s;
        const V3<S> out = swing * c + u * c1 + cross(swing, u);
        q[0] = out.x, q[1] = out.y, q[2] = out.z, q[3] = c1 * c - dot(swing, u);
        normalize(q);
    }

    // Cholesky's factorisation in place; the diagonal is kept inverted.
    ULNA_GPU_FUNCTION static void solveDual(int m, S damping, S* dual, S* x) {
        P::template eachResidual<kResiduals>(m, [&](auto j) {
            S pivot = dual[at(j, j)] + damping;
            P::template eachResidual<kResiduals>(
                j, [&](auto k) { pivot -= dual[at(j, k)] * dual[at(j, k)]; });
            // Rounding may eat a small pivot; the damping is what it should be at least.
            const S inverse = inverseRoot(most(pivot, damping));
            dual[at(j, j)] = inverse;
            P::template eachResidual<kResiduals>(m, [&](auto i) {
                if (i <= j) return;
                S sum = dual[at(i, j)];
                P::template eachResidual<kResiduals>(
                    j, [&](auto k) { sum -= dual[at(i, k)] * dual[at(j, k)]; });
                dual[at(i, j)] = sum * inverse;
            });
        });
        P::template eachResidual<kResiduals>(m, [&](auto i) {
            S sum = x[i];
            P::template eachResidual<kResiduals>(i, [&](auto k) { sum -= dual[at(i, k)] * x[k]; });
            x[i] = sum * dual[at(i, i)];
        });
        P::template eachResidual<kResiduals>(m, [&](auto back) {
            const int i = m - 1 - back;
            S sum = x[i];
            P::template eachResidual<kResiduals>(m, [&](auto k) {
                if (k > i) sum -= dual[at(k, i)] * x[k];
            });
            x[i] = sum * dual[at(i, i)];
        });
    }

    Frame<S> target_[P::kRows];
    S factor_[P::kRows], per_tolerance_[P::kRows];
    V3<S> axis_[P::kColumns], origin_[P::kColumns];
    V3<S> residual_[P::kRows], data_[P::kRows];
    S half_cosine_[P::kRows];
    S lambda_, floor_;
    int slow_, most_steps_;
};

}  // namespace ulna::gpu::kernel
