// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/ik/detail/lanes_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ulna/skeleton/batch.h"

HWY_BEFORE_NAMESPACE();
namespace ulna::ik::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, kBatchLanes>;
using V = hn::Vec<D>;

HWY_INLINE V load(const float* HWY_RESTRICT rows, std::size_t row) {
    return hn::Load(D(), rows + row * hn::Lanes(D()));
}
HWY_INLINE void store(V v, float* HWY_RESTRICT rows, std::size_t row) {
    hn::Store(v, D(), rows + row * hn::Lanes(D()));
}
HWY_INLINE V all(float x) {
    return hn::Set(D(), x);
}

struct V3 {
    V x, y, z;
};
HWY_INLINE V3 load3(const float* HWY_RESTRICT rows, std::size_t row) {
    return {load(rows, row), load(rows, row + 1), load(rows, row + 2)};
}
HWY_INLINE void store3(const V3& v, float* HWY_RESTRICT rows, std::size_t row) {
    store(v.x, rows, row), store(v.y, rows, row + 1), store(v.z, rows, row + 2);
}
HWY_INLINE V dot(const V3& a, const V3& b) {
    return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE V3 cross(const V3& a, const V3& b) {
    return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
            hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}
HWY_INLINE V3 add(const V3& a, const V3& b) {
    return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE V3 sub(const V3& a, const V3& b) {
    return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE V3 scale(const V3& a, V s) {
    return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)};
}
// a * c + b * s
HWY_INLINE V3 mix(const V3& a, V c, const V3& b, V s) {
    return {hn::MulAdd(a.x, c, hn::Mul(b.x, s)), hn::MulAdd(a.y, c, hn::Mul(b.y, s)),
            hn::MulAdd(a.z, c, hn::Mul(b.z, s))};
}

struct F {
    V3 x, y, z, p;
};
HWY_INLINE F loadFrame(const float* HWY_RESTRICT frames, std::size_t link) {
    return {load3(frames, link * 12), load3(frames, link * 12 + 3), load3(frames, link * 12 + 6),
            load3(frames, link * 12 + 9)};
}
HWY_INLINE V3 direction(const F& f, V a, V b, V c) {
    return {hn::MulAdd(f.z.x, c, hn::MulAdd(f.y.x, b, hn::Mul(f.x.x, a))),
            hn::MulAdd(f.z.y, c, hn::MulAdd(f.y.y, b, hn::Mul(f.x.y, a))),
            hn::MulAdd(f.z.z, c, hn::MulAdd(f.y.z, b, hn::Mul(f.x.z, a)))};
}
HWY_INLINE V3 direction(const F& f, const float* v) {
    return direction(f, all(v[0]), all(v[1]), all(v[2]));
}

// Sine and cosine by quadrant, with polynomials good to about one unit in the last place on an
// eighth of a turn. Angles are a few turns at most, so two parts of pi / 2 are enough.
HWY_INLINE void sineCosine(V angle, V& sine, V& cosine) {
    const D d;
    const hn::RebindToSigned<D> di;
    const V quadrant = hn::Round(hn::Mul(angle, all(0.63661977f)));
    V r = hn::NegMulAdd(quadrant, all(1.5707963109016418f), angle);
    r = hn::NegMulAdd(quadrant, all(1.5893254712295857e-8f), r);
    const V r2 = hn::Mul(r, r);
    V s = hn::MulAdd(r2, all(-1.9515295891e-4f), all(8.3321608736e-3f));
    s = hn::MulAdd(r2, s, all(-1.6666654611e-1f));
    s = hn::MulAdd(hn::Mul(r2, r), s, r);
    V c = hn::MulAdd(r2, all(2.443315711809948e-5f), all(-1.388731625493765e-3f));
    c = hn::MulAdd(r2, c, all(4.166664568298827e-2f));
    c = hn::MulAdd(hn::Mul(r2, r2), c, hn::NegMulAdd(all(0.5f), r2, all(1.0f)));
    const auto q = hn::ConvertTo(di, quadrant);
    const auto odd = hn::RebindMask(d, hn::TestBit(q, hn::Set(di, 1)));
    const auto half = hn::ShiftLeft<30>(hn::And(q, hn::Set(di, 2)));
    const auto next = hn::ShiftLeft<30>(hn::And(hn::Add(q, hn::Set(di, 1)), hn::Set(di, 2)));
    sine = hn::Xor(hn::IfThenElse(odd, c, s), hn::BitCast(d, half));
    cosine = hn::Xor(hn::IfThenElse(odd, s, c), hn::BitCast(d, next));
}

// Forward kinematics of all links at these coordinates.
HWY_INLINE void computeFrames(const LanesProgram& program, const float* HWY_RESTRICT values,
                              const float* HWY_RESTRICT turns, float* HWY_RESTRICT frames) {
    for (std::size_t i = 0; i < program.links.size(); ++i) {
        const LanesProgram::Link& link = program.links[i];
        F f;
        if (link.parent < 0) {
            f = {{all(link.rest[0]), all(link.rest[1]), all(link.rest[2])},
                 {all(link.rest[3]), all(link.rest[4]), all(link.rest[5])},
                 {all(link.rest[6]), all(link.rest[7]), all(link.rest[8])},
                 {all(link.rest[9]), all(link.rest[10]), all(link.rest[11])}};
        } else {
            const F up = loadFrame(frames, static_cast<std::size_t>(link.parent));
            f = up;
            if (link.rest[9] != 0.0f || link.rest[10] != 0.0f || link.rest[11] != 0.0f)
                f.p = add(up.p, direction(up, link.rest + 9));
            if (link.rotated) {
                f.x = direction(up, link.rest);
                f.y = direction(up, link.rest + 3);
                f.z = direction(up, link.rest + 6);
            }
        }
        V s, c;
        switch (link.kind) {
            case LinkKind::RotateX: {
                sineCosine(load(values, link.column), s, c);
                const V3 y = mix(f.y, c, f.z, s);
                f.z = mix(f.z, c, f.y, hn::Neg(s));
                f.y = y;
                break;
            }
            case LinkKind::RotateY: {
                sineCosine(load(values, link.column), s, c);
                const V3 z = mix(f.z, c, f.x, s);
                f.x = mix(f.x, c, f.z, hn::Neg(s));
                f.z = z;
                break;
            }
            case LinkKind::RotateZ: {
                sineCosine(load(values, link.column), s, c);
                const V3 x = mix(f.x, c, f.y, s);
                f.y = mix(f.y, c, f.x, hn::Neg(s));
                f.x = x;
                break;
            }
            case LinkKind::Slide: {
                const V v = load(values, link.column);
                f.p = add(f.p, scale(direction(f, link.axis), v));
                break;
            }
            case LinkKind::Slide3: {
                const V k = all(link.axis[0]);
                f.p = add(f.p, direction(f, hn::Mul(k, load(values, link.column)),
                                         hn::Mul(k, load(values, link.column + 1)),
                                         hn::Mul(k, load(values, link.column + 2))));
                break;
            }
            case LinkKind::Vector:  // not for lanes
                break;
            case LinkKind::Ball: {
                const V qx = load(turns, link.ball * 4), qy = load(turns, link.ball * 4 + 1);
                const V qz = load(turns, link.ball * 4 + 2), qw = load(turns, link.ball * 4 + 3);
                const V x2 = hn::Add(qx, qx), y2 = hn::Add(qy, qy), z2 = hn::Add(qz, qz);
                const V xx = hn::Mul(qx, x2), yy = hn::Mul(qy, y2), zz = hn::Mul(qz, z2);
                const V xy = hn::Mul(qx, y2), xz = hn::Mul(qx, z2), yz = hn::Mul(qy, z2);
                const V wx = hn::Mul(qw, x2), wy = hn::Mul(qw, y2), wz = hn::Mul(qw, z2);
                const V one = all(1.0f);
                const F g = f;
                f.x = direction(g, hn::Sub(one, hn::Add(yy, zz)), hn::Add(xy, wz), hn::Sub(xz, wy));
                f.y = direction(g, hn::Sub(xy, wz), hn::Sub(one, hn::Add(xx, zz)), hn::Add(yz, wx));
                f.z = direction(g, hn::Add(xz, wy), hn::Sub(yz, wx), hn::Sub(one, hn::Add(xx, yy)));
                break;
            }
        }
        store3(f.x, frames, i * 12);
        store3(f.y, frames, i * 12 + 3);
        store3(f.z, frames, i * 12 + 6);
        store3(f.p, frames, i * 12 + 9);
    }
}

// Residuals, cost and largest error; rows_data keeps each goal's point, or its half rotation and
// its cosine, for the derivatives.
HWY_INLINE void computeResiduals(const LanesProgram& program, const LanesState& state,
                                 const float* HWY_RESTRICT frames, float* HWY_RESTRICT residual,
                                 float* HWY_RESTRICT rows_data, V& cost, V& worst) {
    const float* HWY_RESTRICT targets = state.targets.data();
    cost = all(0.0f);
    worst = all(0.0f);
    for (std::size_t r = 0; r < program.rows.size(); ++r) {
        const LanesProgram::Row& row = program.rows[r];
        const F f = loadFrame(frames, static_cast<std::size_t>(row.link));
        const V factor = load(state.factors.data(), r);
        V3 off;
        V error;
        if (row.point) {
            const V3 p = add(f.p, direction(f, row.point_in_link));
            store3(p, rows_data, r * 4);
            off = sub(p, load3(targets, row.target));
            error = hn::Sqrt(dot(off, off));
        } else {
            const V3 tx = load3(targets, row.target), ty = load3(targets, row.target + 3);
            const V3 tz = load3(targets, row.target + 6);
            // Twice the sine times the axis, and the trace, of the rotation from target to joint.
            const V3 twice = add(add(cross(tx, f.x), cross(ty, f.y)), cross(tz, f.z));
            const V trace = hn::Add(hn::Add(dot(tx, f.x), dot(ty, f.y)), dot(tz, f.z));
            const V half_cosine =
                hn::Mul(all(0.5f), hn::Sqrt(hn::Max(hn::Add(trace, all(1.0f)), all(1e-6f))));
            off = scale(twice, hn::Div(all(0.5f), half_cosine));
            store3(scale(off, all(0.5f)), rows_data, r * 4);
            store(half_cosine, rows_data, r * 4 + 3);
            error = hn::Sqrt(dot(off, off));
        }
        off = scale(off, factor);
        store3(off, residual, row.first);
        cost = hn::Add(cost, hn::Mul(all(0.5f), dot(off, off)));
        worst = hn::Max(worst, hn::Mul(error, load(state.per_tolerance.data(), r)));
    }
}

HWY_INLINE void computeTwists(const LanesProgram& program, const float* HWY_RESTRICT frames,
                              float* HWY_RESTRICT twists) {
    const auto turn = [&](std::size_t c, const V3& axis, const V3& p) HWY_ATTR {
        store3(axis, twists, c * 6);
        store3(cross(p, axis), twists, c * 6 + 3);
    };
    const auto slide = [&](std::size_t c, const V3& along) HWY_ATTR {
        const V zero = all(0.0f);
        store3({zero, zero, zero}, twists, c * 6);
        store3(along, twists, c * 6 + 3);
    };
    for (std::size_t i = 0; i < program.links.size(); ++i) {
        const LanesProgram::Link& link = program.links[i];
        const F f = loadFrame(frames, i);
        switch (link.kind) {
            case LinkKind::RotateX:
                turn(link.column, f.x, f.p);
                break;
            case LinkKind::RotateY:
                turn(link.column, f.y, f.p);
                break;
            case LinkKind::RotateZ:
                turn(link.column, f.z, f.p);
                break;
            case LinkKind::Slide:
                slide(link.column, direction(f, link.axis));
                break;
            case LinkKind::Slide3:
                slide(link.column, scale(f.x, all(link.axis[0])));
                slide(link.column + 1, scale(f.y, all(link.axis[0])));
                slide(link.column + 2, scale(f.z, all(link.axis[0])));
                break;
            case LinkKind::Vector:
                break;
            case LinkKind::Ball:
                turn(link.column, f.x, f.p);
                turn(link.column + 1, f.y, f.p);
                turn(link.column + 2, f.z, f.p);
                break;
        }
    }
}

// The Jacobian by goals, and the gradient.
HWY_INLINE void linearize(const LanesProgram& program, const float* HWY_RESTRICT twists,
                          const float* HWY_RESTRICT factors, const float* HWY_RESTRICT residual,
                          const float* HWY_RESTRICT rows_data, float* HWY_RESTRICT jacobian,
                          float* HWY_RESTRICT gradient) {
    for (std::size_t c = 0; c < program.columns; ++c) store(all(0.0f), gradient, c);
    for (std::size_t r = 0; r < program.rows.size(); ++r) {
        const LanesProgram::Row& row = program.rows[r];
        const V3 data = load3(rows_data, r * 4);
        const V w = load(rows_data, r * 4 + 3);
        const V3 off = load3(residual, row.first);
        const V factor = load(factors, r);
        std::size_t out = row.jacobian;
        for (std::size_t i = row.first_range; i < row.first_range + row.ranges; ++i) {
            for (std::size_t c = program.ranges[i].begin; c < program.ranges[i].end;
                 ++c, out += 3) {
                const V3 a = load3(twists, c * 6);
                V3 j;
                if (row.point) {
                    j = add(cross(a, data), load3(twists, c * 6 + 3));
                } else {
                    const V3 turned = cross(a, data);
                    j = {hn::MulAdd(w, a.x, turned.x), hn::MulAdd(w, a.y, turned.y),
                         hn::MulAdd(w, a.z, turned.z)};
                }
                j = scale(j, hn::Mul(factor, all(program.scale[c])));
                store3(j, jacobian, out);
                store(hn::Add(load(gradient, c), dot(j, off)), gradient, c);
            }
        }
    }
}

// Leaves coordinates out that stand at a bound and are pushed outwards.
HWY_INLINE void freeze(const LanesProgram& program, const float* HWY_RESTRICT values,
                       const float* HWY_RESTRICT gradient, float* HWY_RESTRICT jacobian,
                       float* HWY_RESTRICT keep) {
    for (std::size_t c = 0; c < program.columns; ++c) {
        const V g = load(gradient, c);
        const V v = load(values, c);
        const auto out_up = hn::And(hn::Lt(g, all(0.0f)), hn::Ge(v, all(program.max[c])));
        const auto out_down = hn::And(hn::Gt(g, all(0.0f)), hn::Le(v, all(program.min[c])));
        store(hn::IfThenElse(hn::Or(out_up, out_down), all(0.0f), all(1.0f)), keep, c);
    }
    for (const LanesProgram::Row& row : program.rows) {
        std::size_t at = row.jacobian;
        for (std::size_t i = row.first_range; i < row.first_range + row.ranges; ++i) {
            for (std::size_t c = program.ranges[i].begin; c < program.ranges[i].end; ++c, at += 3)
                store3(scale(load3(jacobian, at), load(keep, c)), jacobian, at);
        }
    }
}

HWY_INLINE void assembleDual(const LanesProgram& program, const float* HWY_RESTRICT jacobian,
                             float* HWY_RESTRICT dual) {
    const std::size_t m = program.residuals;
    const std::size_t goals = program.rows.size();
    for (std::size_t a = 0; a < goals; ++a) {
        const LanesProgram::Row& ra = program.rows[a];
        for (std::size_t b = 0; b <= a; ++b) {
            const LanesProgram::Row& rb = program.rows[b];
            V k00 = all(0.0f), k01 = k00, k02 = k00, k10 = k00, k11 = k00, k12 = k00, k20 = k00,
              k21 = k00, k22 = k00;
            const std::size_t common = program.shared[a * goals + b];
            for (std::size_t k = 0; k < common; ++k) {
                const V3 u = load3(jacobian, ra.jacobian + 3 * k);
                const V3 v = load3(jacobian, rb.jacobian + 3 * k);
                k00 = hn::MulAdd(u.x, v.x, k00), k01 = hn::MulAdd(u.x, v.y, k01);
                k02 = hn::MulAdd(u.x, v.z, k02), k10 = hn::MulAdd(u.y, v.x, k10);
                k11 = hn::MulAdd(u.y, v.y, k11), k12 = hn::MulAdd(u.y, v.z, k12);
                k20 = hn::MulAdd(u.z, v.x, k20), k21 = hn::MulAdd(u.z, v.y, k21);
                k22 = hn::MulAdd(u.z, v.z, k22);
            }
            float* HWY_RESTRICT out = dual;
            const std::size_t i = ra.first, j = rb.first;
            store(k00, out, i * m + j), store(k10, out, (i + 1) * m + j);
            store(k11, out, (i + 1) * m + j + 1), store(k20, out, (i + 2) * m + j);
            store(k21, out, (i + 2) * m + j + 1), store(k22, out, (i + 2) * m + j + 2);
            if (a != b) {
                store(k01, out, i * m + j + 1), store(k02, out, i * m + j + 2);
                store(k12, out, (i + 1) * m + j + 2);
            }
        }
    }
}

// (dual + damping) x = residual in every lane; the diagonal of the factor is kept inverted.
HWY_INLINE void solveDual(std::size_t m, V damping, const float* HWY_RESTRICT residual,
                          float* HWY_RESTRICT dual, float* HWY_RESTRICT x) {
    for (std::size_t j = 0; j < m; ++j) {
        V pivot = hn::Add(load(dual, j * m + j), damping);
        for (std::size_t k = 0; k < j; ++k) {
            const V l = load(dual, j * m + k);
            pivot = hn::NegMulAdd(l, l, pivot);
        }
        // Rounding may eat a small pivot; the damping is what it should be at least.
        pivot = hn::Max(pivot, damping);
        const V inverse = hn::Div(all(1.0f), hn::Sqrt(pivot));
        store(inverse, dual, j * m + j);
        for (std::size_t i = j + 1; i < m; ++i) {
            V sum = load(dual, i * m + j);
            for (std::size_t k = 0; k < j; ++k)
                sum = hn::NegMulAdd(load(dual, i * m + k), load(dual, j * m + k), sum);
            store(hn::Mul(sum, inverse), dual, i * m + j);
        }
    }
    for (std::size_t i = 0; i < m; ++i) {
        V sum = load(residual, i);
        for (std::size_t k = 0; k < i; ++k)
            sum = hn::NegMulAdd(load(dual, i * m + k), load(x, k), sum);
        store(hn::Mul(sum, load(dual, i * m + i)), x, i);
    }
    for (std::size_t i = m; i-- > 0;) {
        V sum = load(x, i);
        for (std::size_t k = i + 1; k < m; ++k)
            sum = hn::NegMulAdd(load(dual, k * m + i), load(x, k), sum);
        store(hn::Mul(sum, load(dual, i * m + i)), x, i);
    }
}

// Moves every coordinate by its step, within its bounds; fresh lanes stay.
HWY_INLINE void retract(const LanesProgram& program, const LanesState& state, V moving,
                        const float* HWY_RESTRICT step, float* HWY_RESTRICT values,
                        float* HWY_RESTRICT turns) {
    const auto moves = hn::Gt(moving, all(0.0f));
    for (std::size_t c = 0; c < program.columns; ++c) {
        const V s = hn::IfThenElseZero(moves, hn::Mul(load(step, c), all(program.scale[c])));
        const V v = hn::Add(load(state.values.data(), c), s);
        store(hn::Min(hn::Max(v, all(program.min[c])), all(program.max[c])), values, c);
    }
    for (const LanesProgram::Link& link : program.links) {
        if (link.kind != LinkKind::Ball) continue;
        const auto half = [&](std::size_t k) HWY_ATTR {
            const V s =
                hn::Mul(load(step, link.column + k), all(0.5f * program.scale[link.column + k]));
            return hn::IfThenElseZero(moves, s);
        };
        const V x = half(0), y = half(1), z = half(2);
        const float* HWY_RESTRICT from = state.turns.data();
        const V qx = load(from, link.ball * 4), qy = load(from, link.ball * 4 + 1);
        const V qz = load(from, link.ball * 4 + 2), qw = load(from, link.ball * 4 + 3);
        // q * (1, half step), normalised: Cayley's map.
        V nx = hn::MulAdd(qw, x, qx), ny = hn::MulAdd(qw, y, qy), nz = hn::MulAdd(qw, z, qz);
        nx = hn::NegMulAdd(qz, y, hn::MulAdd(qy, z, nx));
        ny = hn::NegMulAdd(qx, z, hn::MulAdd(qz, x, ny));
        nz = hn::NegMulAdd(qy, x, hn::MulAdd(qx, y, nz));
        const V nw = hn::NegMulAdd(qz, z, hn::NegMulAdd(qy, y, hn::NegMulAdd(qx, x, qw)));
        const V norm2 = hn::MulAdd(nw, nw, hn::MulAdd(nz, nz, hn::MulAdd(ny, ny, hn::Mul(nx, nx))));
        const V factor = hn::Div(all(1.0f), hn::Sqrt(norm2));
        store(hn::Mul(nx, factor), turns, link.ball * 4);
        store(hn::Mul(ny, factor), turns, link.ball * 4 + 1);
        store(hn::Mul(nz, factor), turns, link.ball * 4 + 2);
        store(hn::Mul(nw, factor), turns, link.ball * 4 + 3);
    }
}

template <class M>
HWY_INLINE void take(M mask, const AlignedVector<float>& from, AlignedVector<float>& to) {
    const D d;
    for (std::size_t i = 0; i < to.size(); i += hn::Lanes(d)) {
        const V kept = hn::Load(d, to.data() + i);
        hn::Store(hn::IfThenElse(mask, hn::Load(d, from.data() + i), kept), d, to.data() + i);
    }
}

void step(const LanesProgram& program, LanesState& state) {
    const auto accepted = hn::Gt(load(state.accepted.data(), 0), all(0.0f));
    take(accepted, state.tried_values, state.values);
    take(accepted, state.tried_turns, state.turns);
    take(accepted, state.tried_frames, state.frames);
    take(accepted, state.tried_residual, state.residual);
    take(accepted, state.tried_rows_data, state.rows_data);
    take(accepted, state.tried_cost, state.cost);

    computeTwists(program, state.frames.data(), state.twists.data());
    linearize(program, state.twists.data(), state.factors.data(), state.residual.data(),
              state.rows_data.data(), state.jacobian.data(), state.gradient.data());
    // From here on `step` holds which coordinates are kept, then the step itself.
    freeze(program, state.values.data(), state.gradient.data(), state.jacobian.data(),
           state.step.data());
    assembleDual(program, state.jacobian.data(), state.dual.data());
    const V damping = hn::MulAdd(load(state.lambda.data(), 0), load(state.cost.data(), 0),
                                 all(program.damping_floor));
    solveDual(program.residuals, damping, state.residual.data(), state.dual.data(),
              state.solution.data());
    for (std::size_t c = 0; c < program.columns; ++c) store(all(0.0f), state.step.data(), c);
    for (const LanesProgram::Row& row : program.rows) {
        const V3 x = load3(state.solution.data(), row.first);
        std::size_t at = row.jacobian;
        for (std::size_t i = row.first_range; i < row.first_range + row.ranges; ++i) {
            for (std::size_t c = program.ranges[i].begin; c < program.ranges[i].end; ++c, at += 3) {
                const V pull = dot(load3(state.jacobian.data(), at), x);
                store(hn::Sub(load(state.step.data(), c), pull), state.step.data(), c);
            }
        }
    }
    const V moving = hn::Sub(all(1.0f), load(state.fresh.data(), 0));
    retract(program, state, moving, state.step.data(), state.tried_values.data(),
            state.tried_turns.data());
    computeFrames(program, state.tried_values.data(), state.tried_turns.data(),
                  state.tried_frames.data());
    V cost, worst;
    computeResiduals(program, state, state.tried_frames.data(), state.tried_residual.data(),
                     state.tried_rows_data.data(), cost, worst);
    store(cost, state.tried_cost.data(), 0);
    store(worst, state.tried_worst.data(), 0);
}

std::size_t count() {
    return hn::Lanes(D());
}

}  // namespace ulna::ik::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::ik::detail {

HWY_EXPORT(step);
HWY_EXPORT(count);

std::size_t lanesCount() {
    return HWY_DYNAMIC_DISPATCH(count)();
}

void stepLanes(const LanesProgram& program, LanesState& state) {
    HWY_DYNAMIC_DISPATCH(step)(program, state);
}

}  // namespace ulna::ik::detail
#endif
