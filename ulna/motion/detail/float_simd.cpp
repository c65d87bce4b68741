// SPDX-License-Identifier: Apache-2.0

// Lanes are joints. Rotations are in double until they are stored. A vector holds 2, 4 or 8 joints,
// whatever the machine has; nothing passes between lanes, so a joint's result depends on its own
// numbers alone.
#include "ulna/motion/detail/float_simd.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/motion/detail/float_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ulna::motion::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLanes = FloatPose::kLanes;

#if HWY_HAVE_FLOAT64

using D = hn::CappedTag<double, kLanes>;
using DF = hn::Rebind<float, D>;
using V = hn::Vec<D>;
using VF = hn::Vec<DF>;

HWY_INLINE std::size_t width() {
    return hn::Lanes(D());
}
HWY_INLINE V all(double x) {
    return hn::Set(D(), x);
}
HWY_INLINE V load(const double* from) {
    return hn::Load(D(), from);
}
HWY_INLINE void store(V v, double* to) {
    hn::Store(v, D(), to);
}
HWY_INLINE V mulAdd(V a, V b, V c) {
    return hn::MulAdd(a, b, c);
}
HWY_INLINE V negMulAdd(V a, V b, V c) {
    return hn::NegMulAdd(a, b, c);
}
HWY_INLINE V copySign(V size, V sign) {
    return hn::CopySign(size, sign);
}
HWY_INLINE V ifGreater(V a, V b, V yes, V no) {
    return hn::IfThenElse(hn::Gt(a, b), yes, no);
}
HWY_INLINE bool anyGreater(V a, V b) {
    return !hn::AllFalse(D(), hn::Gt(a, b));
}
HWY_INLINE VF narrow(V v) {
    return hn::DemoteTo(DF(), v);
}
HWY_INLINE V widen(VF v) {
    return hn::PromoteTo(D(), v);
}

#else  // Highway has no doubles here (WebAssembly), but the compiler does.

using DF = hn::FixedTag<float, 2>;
using VF = hn::Vec<DF>;
typedef double V __attribute__((vector_size(16)));

HWY_INLINE std::size_t width() {
    return 2;
}
HWY_INLINE V all(double x) {
    return V{x, x};
}
HWY_INLINE V load(const double* from) {
    return V{from[0], from[1]};
}
HWY_INLINE void store(V v, double* to) {
    to[0] = v[0], to[1] = v[1];
}
HWY_INLINE V mulAdd(V a, V b, V c) {
    return a * b + c;
}
HWY_INLINE V negMulAdd(V a, V b, V c) {
    return c - a * b;
}
HWY_INLINE V copySign(V size, V sign) {
    return V{std::copysign(size[0], sign[0]), std::copysign(size[1], sign[1])};
}
HWY_INLINE V ifGreater(V a, V b, V yes, V no) {
    return V{a[0] > b[0] ? yes[0] : no[0], a[1] > b[1] ? yes[1] : no[1]};
}
HWY_INLINE bool anyGreater(V a, V b) {
    return a[0] > b[0] || a[1] > b[1];
}
HWY_INLINE VF narrow(V v) {
    const float to[2] = {static_cast<float>(v[0]), static_cast<float>(v[1])};
    return hn::LoadU(DF(), to);
}
HWY_INLINE V widen(VF v) {
    float from[2];
    hn::StoreU(v, DF(), from);
    return V{from[0], from[1]};
}

#endif

// For what stays in float, vectors as wide as they come.
using DW = hn::CappedTag<float, kLanes>;
using VW = hn::Vec<DW>;

struct Q {
    V x, y, z, w;
};

HWY_INLINE V dot(const Q& a, const Q& b) {
    return mulAdd(a.w, b.w, mulAdd(a.z, b.z, mulAdd(a.y, b.y, a.x * b.x)));
}
HWY_INLINE Q scale(const Q& a, V s) {
    return {a.x * s, a.y * s, a.z * s, a.w * s};
}
// a * s + b
HWY_INLINE Q mulAdd(const Q& a, V s, const Q& b) {
    return {mulAdd(a.x, s, b.x), mulAdd(a.y, s, b.y), mulAdd(a.z, s, b.z), mulAdd(a.w, s, b.w)};
}
HWY_INLINE Q multiply(const Q& a, const Q& b) {
    V x = a.w * b.x, y = a.w * b.y, z = a.w * b.z, w = a.w * b.w;
    x = mulAdd(a.x, b.w, x), y = mulAdd(a.y, b.w, y), z = mulAdd(a.z, b.w, z);
    w = negMulAdd(a.x, b.x, w);
    x = mulAdd(a.y, b.z, x), y = mulAdd(a.z, b.x, y), z = mulAdd(a.x, b.y, z);
    w = negMulAdd(a.y, b.y, w);
    x = negMulAdd(a.z, b.y, x), y = negMulAdd(a.x, b.z, y);
    z = negMulAdd(a.y, b.x, z), w = negMulAdd(a.z, b.z, w);
    return {x, y, z, w};
}

// Below this a sum counts as zero: its square is still far from underflow in float.
constexpr double kNoLength = 1e-15;

// To length one. Float is enough to begin with: one step of Newton's method doubles the digits.
HWY_INLINE Q normalize(const Q& a, V length2) {
    const VF root = hn::Sqrt(narrow(length2));
    const V y = widen(hn::Div(hn::Set(DF(), 1.0f), root));
    return scale(a, y * negMulAdd(length2 * y, y * all(0.5), all(1.5)));
}

// Rows of a block of doubles.
HWY_INLINE V load(const double* numbers, std::size_t row) {
    return load(numbers + row * kLanes);
}
HWY_INLINE Q loadQ(const double* numbers, std::size_t row) {
    return {load(numbers, row), load(numbers, row + 1), load(numbers, row + 2),
            load(numbers, row + 3)};
}
HWY_INLINE void storeQ(const Q& q, double* numbers) {
    store(q.x, numbers), store(q.y, numbers + kLanes);
    store(q.z, numbers + 2 * kLanes), store(q.w, numbers + 3 * kLanes);
}

HWY_INLINE Q loadRotation(const float* rows, std::size_t stride) {
    const DF d;
    return {widen(hn::LoadU(d, rows)), widen(hn::LoadU(d, rows + stride)),
            widen(hn::LoadU(d, rows + 2 * stride)), widen(hn::LoadU(d, rows + 3 * stride))};
}

// Rotations of as many joints as a vector of floats has: one or two vectors of doubles.
#if HWY_TARGET == HWY_SCALAR || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
constexpr std::size_t kHalves = 1;
#else
constexpr std::size_t kHalves = 2;
#endif
struct Rotations {
    Q halves[kHalves];
};

HWY_INLINE VW narrowAll(const Rotations& q, V Q::*part) {
#if HWY_TARGET == HWY_SCALAR || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
    return narrow(q.halves[0].*part);
#else
    return hn::Combine(DW(), narrow(q.halves[1].*part), narrow(q.halves[0].*part));
#endif
}

// The square of the rounding error perpendicular to the quaternion, which is what rotates it.
HWY_INLINE V turned2(const Q& q) {
    const Q off{widen(narrow(q.x)) - q.x, widen(narrow(q.y)) - q.y, widen(narrow(q.z)) - q.z,
                widen(narrow(q.w)) - q.w};
    const V along = dot(off, q);
    return negMulAdd(along, along, dot(off, off));
}

// Rounds to nearest, which is close enough unless three of the four components are at least 1/2.
HWY_INLINE void storeRotations(const Rotations& q, float* rows, std::size_t stride) {
    const DW d;
    const VW x = narrowAll(q, &Q::x), y = narrowAll(q, &Q::y);
    const VW z = narrowAll(q, &Q::z), w = narrowAll(q, &Q::w);
    hn::StoreU(x, d, rows), hn::StoreU(y, d, rows + stride);
    hn::StoreU(z, d, rows + 2 * stride), hn::StoreU(w, d, rows + 3 * stride);
    const VW ax = hn::Abs(x), ay = hn::Abs(y), az = hn::Abs(z), aw = hn::Abs(w);
    // The second smallest of the four.
    const VW second = hn::Min(hn::Max(hn::Min(ax, ay), hn::Min(az, aw)),
                              hn::Min(hn::Max(ax, ay), hn::Max(az, aw)));
    if (HWY_LIKELY(hn::AllFalse(d, hn::Ge(second, hn::Set(d, 0.5f))))) return;
    for (std::size_t h = 0; h < kHalves; ++h) {
        if (HWY_LIKELY(!anyGreater(turned2(q.halves[h]), all(kMostOff * kMostOff)))) continue;
        alignas(64) double exact[4 * kLanes];
        storeQ(q.halves[h], exact);
        storeClosely(exact, width(), rows + h * width(), stride);
    }
}

// Calls `make` for the vectors of doubles among eight joints and stores what it returns.
template <class Make>
HWY_INLINE void storeEach(float* rows, std::size_t stride, const Make& make) {
    for (std::size_t i = 0; i < kLanes; i += kHalves * width()) {
        Rotations q;
        for (std::size_t h = 0; h < kHalves; ++h) q.halves[h] = make(i + h * width());
        storeRotations(q, rows + i, stride);
    }
}

// Sine over angle and cosine as polynomials of the angle's square, for angles up to 0.8: minimax,
// off by 5e-12 and 6e-11.
HWY_INLINE void sineCosine(V angle2, V& sine_over_angle, V& cosine) {
    V s = mulAdd(all(2.7159228126487373e-06), angle2, all(-0.00019839045857069983));
    V c = mulAdd(all(2.436423326793298e-05), angle2, all(-0.0013886446623075266));
    s = mulAdd(s, angle2, all(0.008333328256578482));
    c = mulAdd(c, angle2, all(0.041666610929631726));
    s = mulAdd(s, angle2, all(-0.16666666626090182));
    c = mulAdd(c, angle2, all(-0.4999999955459128));
    sine_over_angle = mulAdd(s, angle2, all(0.9999999999948105));
    cosine = mulAdd(c, angle2, all(0.9999999999430431));
}

HWY_INLINE Q steadyRotation(const double* numbers, V s) {
    const V angle = load(numbers, 5) * s;
    V sine, cosine;
    sineCosine(angle * angle, sine, cosine);
    return mulAdd(loadQ(numbers, 6), sine * angle, scale(loadQ(numbers, 0), cosine));
}

// A cubic without its last factor s, by the rows of its coefficients.
HWY_INLINE V cubic(const double* numbers, std::size_t row, std::size_t apart, V s) {
    const V inner = mulAdd(load(numbers, row + 2 * apart), s, load(numbers, row + apart));
    return mulAdd(inner, s, load(numbers, row));
}

HWY_INLINE Q cubicRotation(const double* numbers, V s) {
    const V x = cubic(numbers, 5, 3, s) * s;
    const V y = cubic(numbers, 6, 3, s) * s;
    const V z = cubic(numbers, 7, 3, s) * s;
    V sine, cosine;
    sineCosine(mulAdd(z, z, mulAdd(y, y, x * x)), sine, cosine);
    return multiply(loadQ(numbers, 0), {x * sine, y * sine, z * sine, cosine});
}

HWY_INLINE Q summedRotation(const double* numbers, V s) {
    Q q{mulAdd(cubic(numbers, 5, 4, s), s, load(numbers, 0)),
        mulAdd(cubic(numbers, 6, 4, s), s, load(numbers, 1)),
        mulAdd(cubic(numbers, 7, 4, s), s, load(numbers, 2)),
        mulAdd(cubic(numbers, 8, 4, s), s, load(numbers, 3))};
    const V length2 = dot(q, q);
    // A sum of zero is no rotation: taken as none.
    const V least = all(kNoLength * kNoLength);
    q.w = ifGreater(length2, least, q.w, all(1.0));
    return normalize(q, ifGreater(length2, least, length2, all(1.0)));
}

HWY_INLINE Q turnedRotation(const double* numbers, V s) {
    Q q = loadQ(numbers, 0);
    for (std::size_t row = 5; row < kBlockRows; row += 6) {
        const V angle = cubic(numbers, row + 3, 1, s) * s;
        V sine, cosine;
        sineCosine(angle * angle, sine, cosine);
        sine = sine * angle;
        q = multiply(q, {load(numbers, row) * sine, load(numbers, row + 1) * sine,
                         load(numbers, row + 2) * sine, cosine});
    }
    return q;
}

// Eight vectors; `make` gives their component i at a lane.
template <class Make>
HWY_INLINE void storeVectors(float* rows, std::size_t stride, const Make& make) {
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t lane = 0; lane < kLanes; lane += width())
            hn::StoreU(narrow(make(lane, i)), DF(), rows + i * stride + lane);
    }
}

void evaluate(std::span<const PlayBlock> blocks, const double* HWY_RESTRICT numbers,
              const double* HWY_RESTRICT times, float* HWY_RESTRICT pose, std::size_t stride) {
    for (const PlayBlock& block : blocks) {
        float* HWY_RESTRICT out = pose + block.out;
        const auto since = [&](std::size_t lane) HWY_ATTR {
            return load(times + lane) - load(numbers + lane, kTimeRow);
        };
        switch (block.kind) {
            case BlockKind::SteadyRotation:
                storeEach(out, stride, [&](std::size_t lane) HWY_ATTR {
                    return steadyRotation(numbers + lane, since(lane));
                });
                break;
            case BlockKind::CubicRotation:
                storeEach(out, stride, [&](std::size_t lane) HWY_ATTR {
                    return cubicRotation(numbers + lane, since(lane));
                });
                break;
            case BlockKind::SummedRotation:
                storeEach(out, stride, [&](std::size_t lane) HWY_ATTR {
                    return summedRotation(numbers + lane, since(lane));
                });
                break;
            case BlockKind::AxesRotation:
                storeEach(out, stride, [&](std::size_t lane) HWY_ATTR {
                    return turnedRotation(numbers + lane, since(lane));
                });
                break;
            case BlockKind::LinearVector:
                storeVectors(out, stride, [&](std::size_t lane, std::size_t i) HWY_ATTR {
                    const double* in = numbers + lane;
                    return mulAdd(load(in, 5 + i), since(lane), load(in, i));
                });
                break;
            case BlockKind::CubicVector:
                storeVectors(out, stride, [&](std::size_t lane, std::size_t i) HWY_ATTR {
                    const double* in = numbers + lane;
                    const V s = since(lane);
                    return mulAdd(cubic(in, 5 + i, 3, s), s, load(in, i));
                });
                break;
        }
        numbers += kBlockNumbers;
        times += kLanes;
    }
}

// Translations and scales: the six rows from kTranslationRow on.
constexpr std::size_t kVectorRows = 6;

void two(const float* a, double weight_a, const float* b, double weight_b, float* out,
         std::size_t stride) {
    const DW dw;
    const V wa = all(weight_a), wb = all(weight_b);
    const VW fa = hn::Set(dw, static_cast<float>(weight_a));
    const VW fb = hn::Set(dw, static_cast<float>(weight_b));
    for (std::size_t j = 0; j < stride; j += kLanes) {
        storeEach(out + j, stride, [&](std::size_t lane) HWY_ATTR {
            const Q qa = loadRotation(a + j + lane, stride);
            const Q qb = loadRotation(b + j + lane, stride);
            const Q sum = mulAdd(qb, copySign(wb, dot(qa, qb)), scale(qa, wa));
            return normalize(sum, dot(sum, sum));
        });
        for (std::size_t i = j; i < j + kLanes; i += hn::Lanes(dw)) {
            for (std::size_t r = 0; r < kVectorRows; ++r) {
                const std::size_t at = (FloatPose::kTranslationRow + r) * stride + i;
                const VW v = hn::Mul(hn::LoadU(dw, a + at), fa);
                hn::StoreU(hn::MulAdd(hn::LoadU(dw, b + at), fb, v), dw, out + at);
            }
        }
    }
}

// A layer's weights of eight joints from `first` on.
struct Weights {
    alignas(64) double exact[kLanes];
    alignas(64) float rounded[kLanes];

    Weights(const BlendLayer& layer, std::size_t first) {
        for (std::size_t i = 0; i < kLanes; ++i) exact[i] = layer.weight;
        if (!layer.joint_weights.empty()) {
            const std::size_t end = std::min(kLanes, layer.joint_weights.size() - first);
            for (std::size_t i = 0; i < end; ++i) exact[i] *= layer.joint_weights[first + i];
        }
        for (std::size_t i = 0; i < kLanes; ++i) rounded[i] = static_cast<float>(exact[i]);
    }
};

// Sums over layers of eight joints.
struct Sums {
    alignas(64) double rotation[4 * kLanes] = {};
    alignas(64) float vectors[kVectorRows * kLanes] = {};
    alignas(64) float weight[kLanes] = {};
};

HWY_INLINE void addTo(Sums& sums, const BlendLayer& layer, const FloatPose& first,
                      std::size_t joint) {
    const DW dw;
    const std::size_t stride = first.stride();
    const Weights weights(layer, joint);
    for (std::size_t i = 0; i < kLanes; i += width()) {
        const Q q = loadRotation(layer.pose->row(0) + joint + i, stride);
        const V side = dot(q, loadRotation(first.row(0) + joint + i, stride));
        const V w = copySign(load(weights.exact + i), side);
        const Q sum = mulAdd(q, w, loadQ(sums.rotation + i, 0));
        storeQ(sum, sums.rotation + i);
    }
    for (std::size_t i = 0; i < kLanes; i += hn::Lanes(dw)) {
        const VW w = hn::Load(dw, weights.rounded + i);
        hn::Store(hn::Add(hn::Load(dw, sums.weight + i), w), dw, sums.weight + i);
        for (std::size_t r = 0; r < kVectorRows; ++r) {
            const VW v = hn::LoadU(dw, layer.pose->row(FloatPose::kTranslationRow + r) + joint + i);
            float* sum = sums.vectors + r * kLanes + i;
            hn::Store(hn::MulAdd(v, w, hn::Load(dw, sum)), dw, sum);
        }
    }
}

HWY_INLINE void finish(const Sums& sums, const FloatPose& first, std::size_t joint,
                       FloatPose& out) {
    const DW dw;
    const std::size_t stride = first.stride();
    storeEach(out.row(0) + joint, stride, [&](std::size_t lane) HWY_ATTR {
        const Q other = loadRotation(first.row(0) + joint + lane, stride);
        const Q sum = loadQ(sums.rotation + lane, 0);
        const V length2 = dot(sum, sum);
        const V none = all(kNoLength * kNoLength);
        const Q some{
            ifGreater(length2, none, sum.x, other.x), ifGreater(length2, none, sum.y, other.y),
            ifGreater(length2, none, sum.z, other.z), ifGreater(length2, none, sum.w, other.w)};
        return normalize(some, dot(some, some));
    });
    for (std::size_t i = 0; i < kLanes; i += hn::Lanes(dw)) {
        const VW total = hn::Load(dw, sums.weight + i);
        const auto some = hn::Gt(total, hn::Set(dw, static_cast<float>(kNoLength)));
        const VW divisor = hn::IfThenElse(some, total, hn::Set(dw, 1.0f));
        for (std::size_t r = 0; r < kVectorRows; ++r) {
            const std::size_t row = FloatPose::kTranslationRow + r;
            const VW mean = hn::Div(hn::Load(dw, sums.vectors + r * kLanes + i), divisor);
            const VW other = hn::LoadU(dw, first.row(row) + joint + i);
            hn::StoreU(hn::IfThenElse(some, mean, other), dw, out.row(row) + joint + i);
        }
    }
}

void many(std::span<const BlendLayer> layers, FloatPose& out) {
    const FloatPose& first = *layers.front().pose;
    for (std::size_t j = 0; j < out.stride(); j += kLanes) {
        Sums sums;
        for (const BlendLayer& layer : layers) addTo(sums, layer, first, j);
        // `out` may be a layer's pose: nothing of these joints is read after this.
        finish(sums, first, j, out);
    }
}

void add(const BlendLayer& layer, FloatPose& pose) {
    const DW dw;
    const std::size_t stride = pose.stride();
    for (std::size_t j = 0; j < stride; j += kLanes) {
        const Weights weights(layer, j);
        storeEach(pose.row(0) + j, stride, [&](std::size_t lane) HWY_ATTR {
            const V w = load(weights.exact + lane);
            Q turn = loadRotation(layer.pose->row(0) + j + lane, stride);
            turn = scale(turn, copySign(w, turn.w));
            turn.w = turn.w + (all(1.0) - w);
            const Q turned = multiply(loadRotation(pose.row(0) + j + lane, stride), turn);
            return normalize(turned, dot(turned, turned));
        });
        for (std::size_t i = 0; i < kLanes; i += hn::Lanes(dw)) {
            const VW w = hn::Load(dw, weights.rounded + i);
            const VW one = hn::Set(dw, 1.0f);
            for (std::size_t r = 0; r < 3; ++r) {
                float* at = pose.row(FloatPose::kTranslationRow + r) + j + i;
                const float* by = layer.pose->row(FloatPose::kTranslationRow + r) + j + i;
                hn::StoreU(hn::MulAdd(hn::LoadU(dw, by), w, hn::LoadU(dw, at)), dw, at);
            }
            for (std::size_t r = 0; r < 3; ++r) {
                float* at = pose.row(FloatPose::kScaleRow + r) + j + i;
                const float* by = layer.pose->row(FloatPose::kScaleRow + r) + j + i;
                const VW factor = hn::MulAdd(hn::Sub(hn::LoadU(dw, by), one), w, one);
                hn::StoreU(hn::Mul(hn::LoadU(dw, at), factor), dw, at);
            }
        }
    }
}

}  // namespace ulna::motion::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::motion::detail {

void storeClosely(const double* exact, std::size_t count, float* rows, std::size_t stride) {
    for (std::size_t i = 0; i < count; ++i) {
        double along = 0.0, all = 0.0;
        for (std::size_t r = 0; r < 4; ++r) {
            const double q = exact[r * FloatPose::kLanes + i];
            const double off = static_cast<double>(static_cast<float>(q)) - q;
            along += off * q;
            all += off * off;
        }
        if (!(all - along * along > kMostOff * kMostOff)) continue;
        for (std::size_t r = 0; r < 4; ++r) {
            const double q = exact[r * FloatPose::kLanes + i];
            float& near = rows[r * stride + i];
            if (std::abs(static_cast<double>(near)) > std::abs(q))
                near = std::nextafter(near, 0.0f);
        }
    }
}

HWY_EXPORT(evaluate);
HWY_EXPORT(two);
HWY_EXPORT(many);
HWY_EXPORT(add);

void evaluateBlocks(std::span<const PlayBlock> blocks, const double* numbers, const double* times,
                    FloatPose& pose) {
    HWY_DYNAMIC_DISPATCH(evaluate)(blocks, numbers, times, pose.row(0), pose.stride());
}

void blendTwo(const FloatPose& a, double weight_a, const FloatPose& b, double weight_b,
              FloatPose& out) {
    HWY_DYNAMIC_DISPATCH(two)(a.row(0), weight_a, b.row(0), weight_b, out.row(0), out.stride());
}

void blendMany(std::span<const BlendLayer> layers, FloatPose& out) {
    HWY_DYNAMIC_DISPATCH(many)(layers, out);
}

void addDelta(const BlendLayer& layer, FloatPose& pose) {
    HWY_DYNAMIC_DISPATCH(add)(layer, pose);
}

}  // namespace ulna::motion::detail
#endif
