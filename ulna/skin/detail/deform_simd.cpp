// SPDX-License-Identifier: Apache-2.0

// A vector holds 1, 2 or 4 vertices, four floats each. Matrices are blended one vertex at a time,
// as many columns to a vector as it holds; then the columns of several vertices change places, and
// all that follows is done for those vertices at once.
#include "ulna/skin/detail/deform_simd.h"

#include <algorithm>
#include <cmath>

#include "ulna/skin/detail/joint_motion.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/skin/detail/deform_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ulna::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

constexpr std::size_t kVertices = 1;
struct V {
    float lane[4];
};

template <class F>
HWY_INLINE V each(const F& f) {
    return {{f(0), f(1), f(2), f(3)}};
}
HWY_INLINE V all(float x) {
    return {{x, x, x, x}};
}
HWY_INLINE V operator*(V a, V b) {
    return each([&](int i) { return a.lane[i] * b.lane[i]; });
}
HWY_INLINE V operator+(V a, V b) {
    return each([&](int i) { return a.lane[i] + b.lane[i]; });
}
HWY_INLINE V mulAdd(V a, V b, V c) {
    return each([&](int i) { return a.lane[i] * b.lane[i] + c.lane[i]; });
}
HWY_INLINE V negMulAdd(V a, V b, V c) {
    return each([&](int i) { return c.lane[i] - a.lane[i] * b.lane[i]; });
}
HWY_INLINE V turned(V v) {
    return {{v.lane[1], v.lane[2], v.lane[0], v.lane[3]}};
}
template <int kLane>
HWY_INLINE V spread(V v) {
    return all(v.lane[kLane]);
}
HWY_INLINE V sum(V v) {
    return all((v.lane[0] + v.lane[2]) + (v.lane[1] + v.lane[3]));
}
HWY_INLINE V inverse(V v) {
    return each([&](int i) { return 1.0f / v.lane[i]; });
}
HWY_INLINE V inverseRoot(V v) {
    return each([&](int i) { return 1.0f / std::sqrt(v.lane[i]); });
}
HWY_INLINE bool allAbove(V v, float least) {
    return v.lane[0] > least;
}
HWY_INLINE V ifAbove(V v, float least, V yes, V no) {
    return v.lane[0] > least ? yes : no;
}
HWY_INLINE V withLast(V v, V last) {
    return {{v.lane[0], v.lane[1], v.lane[2], last.lane[3]}};
}
HWY_INLINE V load(const float* from) {
    return {{from[0], from[1], from[2], from[3]}};
}
HWY_INLINE void store(V v, float* to) {
    std::copy_n(v.lane, 4, to);
}
HWY_INLINE void storeThrees(V v, float* to) {
    std::copy_n(v.lane, 3, to);
}

#else

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
constexpr std::size_t kVertices = 4;
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
constexpr std::size_t kVertices = 2;
#else
constexpr std::size_t kVertices = 1;
#endif

using D = hn::FixedTag<float, 4 * kVertices>;
using V = hn::Vec<D>;

HWY_INLINE V all(float x) {
    return hn::Set(D(), x);
}
HWY_INLINE V mulAdd(V a, V b, V c) {
    return hn::MulAdd(a, b, c);
}
HWY_INLINE V negMulAdd(V a, V b, V c) {
    return hn::NegMulAdd(a, b, c);
}
// y, z, x, w of each vertex.
HWY_INLINE V turned(V v) {
    const hn::Repartition<std::uint8_t, D> bytes;
    alignas(16) static constexpr std::uint8_t kFrom[16] = {4, 5, 6, 7, 8,  9,  10, 11,
                                                           0, 1, 2, 3, 12, 13, 14, 15};
    return hn::BitCast(D(),
                       hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, kFrom)));
}
template <int kLane>
HWY_INLINE V spread(V v) {
    return hn::Broadcast<kLane>(v);
}
// The sum of each vertex's four, in all four places.
HWY_INLINE V sum(V v) {
    const V halves = v + hn::Shuffle1032(v);
    return halves + hn::Shuffle2301(halves);
}
HWY_INLINE V inverse(V v) {
    return all(1.0f) / v;
}
HWY_INLINE V inverseRoot(V v) {
#if HWY_ARCH_X86
    // At least 11 bits, which one step of Newton's method doubles.
    const V y = hn::ApproximateReciprocalSqrt(v);
    return y * negMulAdd(v * y, y * all(0.5f), all(1.5f));
#else
    return all(1.0f) / hn::Sqrt(v);
#endif
}
HWY_INLINE bool allAbove(V v, float least) {
    return hn::AllTrue(D(), hn::Gt(v, all(least)));
}
HWY_INLINE V ifAbove(V v, float least, V yes, V no) {
    return hn::IfThenElse(hn::Gt(v, all(least)), yes, no);
}
HWY_INLINE V withLast(V v, V last) {
    alignas(16) static constexpr std::uint32_t kLast[4] = {0, 0, 0, 0xFFFFFFFFU};
    const hn::RebindToUnsigned<D> bits;
    const auto mask = hn::MaskFromVec(hn::BitCast(D(), hn::LoadDup128(bits, kLast)));
    return hn::IfThenElse(mask, last, v);
}
HWY_INLINE V load(const float* from) {
    return hn::LoadU(D(), from);
}
HWY_INLINE void store(V v, float* to) {
    hn::StoreU(v, D(), to);
}

#endif

struct Columns {
    V x, y, z, t;
};
struct Motion {
    V real, dual;
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// Packed threes: x of each vertex everywhere, the vertices apart, and back together.
template <int kLane>
HWY_INLINE V spreadThrees(V v) {
    alignas(64) static constexpr std::int32_t kFrom[16] = {
        kLane,     kLane,     kLane,     kLane,     kLane + 3, kLane + 3, kLane + 3, kLane + 3,
        kLane + 6, kLane + 6, kLane + 6, kLane + 6, kLane + 9, kLane + 9, kLane + 9, kLane + 9};
    return hn::TableLookupLanes(v, hn::SetTableIndices(D(), kFrom));
}
HWY_INLINE V loadThrees(const float* from) {
    alignas(64) static constexpr std::int32_t kFrom[16] = {0, 1, 2, 2, 3, 4,  5,  5,
                                                           6, 7, 8, 8, 9, 10, 11, 11};
    return hn::TableLookupLanes(load(from), hn::SetTableIndices(D(), kFrom));
}
HWY_INLINE void storeThrees(V v, float* to) {
    alignas(64) static constexpr std::int32_t kFrom[16] = {0,  1,  2,  4,  5, 6, 8, 9,
                                                           10, 12, 13, 14, 0, 0, 0, 0};
    const V packed = hn::TableLookupLanes(v, hn::SetTableIndices(D(), kFrom));
    hn::BlendedStore(packed, hn::FirstN(D(), 12), D(), to);
}

// Blocks 0 and 2 of `a`, then of `b`; or blocks 1 and 3.
HWY_INLINE V evenBlocks(V a, V b) {
    return V{_mm512_shuffle_f32x4(a.raw, b.raw, _MM_SHUFFLE(2, 0, 2, 0))};
}
HWY_INLINE V oddBlocks(V a, V b) {
    return V{_mm512_shuffle_f32x4(a.raw, b.raw, _MM_SHUFFLE(3, 1, 3, 1))};
}

template <class Offset>
HWY_INLINE V blendMatrix(const float* HWY_RESTRICT palette, const Offset* HWY_RESTRICT offsets,
                         const float* HWY_RESTRICT weights, std::size_t influences) {
    V sum = load(palette + std::size_t{2} * offsets[0]);
    if (influences == 1) return sum;
    sum = sum * all(weights[0]);
    for (std::size_t i = 1; i < influences; ++i)
        sum = mulAdd(load(palette + std::size_t{2} * offsets[i]), all(weights[i]), sum);
    return sum;
}

template <class Offset>
HWY_INLINE Columns blendColumns(const float* HWY_RESTRICT palette,
                                const Offset* HWY_RESTRICT offsets,
                                const float* HWY_RESTRICT weights, std::size_t influences) {
    const std::size_t n = influences;
    const V a = blendMatrix(palette, offsets, weights, n);
    const V b = blendMatrix(palette, offsets + n, weights + n, n);
    const V c = blendMatrix(palette, offsets + 2 * n, weights + 2 * n, n);
    const V d = blendMatrix(palette, offsets + 3 * n, weights + 3 * n, n);
    const V ab_xy = hn::ConcatLowerLower(D(), b, a), ab_zt = hn::ConcatUpperUpper(D(), b, a);
    const V cd_xy = hn::ConcatLowerLower(D(), d, c), cd_zt = hn::ConcatUpperUpper(D(), d, c);
    return {evenBlocks(ab_xy, cd_xy), oddBlocks(ab_xy, cd_xy), evenBlocks(ab_zt, cd_zt),
            oddBlocks(ab_zt, cd_zt)};
}

template <class Offset>
HWY_INLINE Motion blendMotion(const float* HWY_RESTRICT palette, const Offset* HWY_RESTRICT offsets,
                              const float* HWY_RESTRICT weights, std::size_t influences) {
    using H = hn::Half<D>;
    hn::Vec<H> sums[kVertices];
    for (std::size_t v = 0; v < kVertices; ++v) {
        const Offset* own = offsets + v * influences;
        const float* weight = weights + v * influences;
        sums[v] = hn::LoadU(H(), palette + own[0]);
        if (influences == 1) continue;
        sums[v] = sums[v] * hn::Set(H(), weight[0]);
        for (std::size_t i = 1; i < influences; ++i)
            sums[v] =
                hn::MulAdd(hn::LoadU(H(), palette + own[i]), hn::Set(H(), weight[i]), sums[v]);
    }
    const V ab = hn::Combine(D(), sums[1], sums[0]), cd = hn::Combine(D(), sums[3], sums[2]);
    return {evenBlocks(ab, cd), oddBlocks(ab, cd)};
}

#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

template <int kLane>
HWY_INLINE V spreadThrees(V v) {
    alignas(32) static constexpr std::int32_t kFrom[8] = {
        kLane, kLane, kLane, kLane, kLane + 3, kLane + 3, kLane + 3, kLane + 3};
    return hn::TableLookupLanes(v, hn::SetTableIndices(D(), kFrom));
}
HWY_INLINE V loadThrees(const float* from) {
    alignas(32) static constexpr std::int32_t kFrom[8] = {0, 1, 2, 2, 3, 4, 5, 5};
    return hn::TableLookupLanes(load(from), hn::SetTableIndices(D(), kFrom));
}
HWY_INLINE void storeThrees(V v, float* to) {
    alignas(32) static constexpr std::int32_t kFrom[8] = {0, 1, 2, 4, 5, 6, 6, 6};
    const V packed = hn::TableLookupLanes(v, hn::SetTableIndices(D(), kFrom));
    const hn::Half<D> half;
    const hn::Half<decltype(half)> quarter;
    hn::StoreU(hn::LowerHalf(half, packed), half, to);
    hn::StoreU(hn::LowerHalf(quarter, hn::UpperHalf(half, packed)), quarter, to + 4);
}

template <class Offset>
HWY_INLINE Columns blendColumns(const float* HWY_RESTRICT palette,
                                const Offset* HWY_RESTRICT offsets,
                                const float* HWY_RESTRICT weights, std::size_t influences) {
    V xy[kVertices], zt[kVertices];
    for (std::size_t v = 0; v < kVertices; ++v) {
        const Offset* own = offsets + v * influences;
        const float* weight = weights + v * influences;
        const float* first = palette + std::size_t{2} * own[0];
        xy[v] = load(first), zt[v] = load(first + 8);
        if (influences == 1) continue;
        xy[v] = xy[v] * all(weight[0]), zt[v] = zt[v] * all(weight[0]);
        for (std::size_t i = 1; i < influences; ++i) {
            const float* matrix = palette + std::size_t{2} * own[i];
            xy[v] = mulAdd(load(matrix), all(weight[i]), xy[v]);
            zt[v] = mulAdd(load(matrix + 8), all(weight[i]), zt[v]);
        }
    }
    return {hn::ConcatLowerLower(D(), xy[1], xy[0]), hn::ConcatUpperUpper(D(), xy[1], xy[0]),
            hn::ConcatLowerLower(D(), zt[1], zt[0]), hn::ConcatUpperUpper(D(), zt[1], zt[0])};
}

template <class Offset>
HWY_INLINE Motion blendMotion(const float* HWY_RESTRICT palette, const Offset* HWY_RESTRICT offsets,
                              const float* HWY_RESTRICT weights, std::size_t influences) {
    V sums[kVertices];
    for (std::size_t v = 0; v < kVertices; ++v) {
        const Offset* own = offsets + v * influences;
        const float* weight = weights + v * influences;
        sums[v] = load(palette + own[0]);
        if (influences == 1) continue;
        sums[v] = sums[v] * all(weight[0]);
        for (std::size_t i = 1; i < influences; ++i)
            sums[v] = mulAdd(load(palette + own[i]), all(weight[i]), sums[v]);
    }
    return {hn::ConcatLowerLower(D(), sums[1], sums[0]),
            hn::ConcatUpperUpper(D(), sums[1], sums[0])};
}

#else  // one vertex to a vector

template <int kLane>
HWY_INLINE V spreadThrees(V v) {
    return spread<kLane>(v);
}
HWY_INLINE V loadThrees(const float* from) {
    return load(from);
}
#if HWY_TARGET != HWY_SCALAR
HWY_INLINE void storeThrees(V v, float* to) {
    const hn::Half<D> half;
    hn::StoreU(hn::LowerHalf(half, v), half, to);
    to[2] = hn::GetLane(hn::UpperHalf(half, v));
}
#endif

template <class Offset>
HWY_INLINE Columns blendColumns(const float* HWY_RESTRICT palette,
                                const Offset* HWY_RESTRICT offsets,
                                const float* HWY_RESTRICT weights, std::size_t influences) {
    const float* matrix = palette + std::size_t{2} * offsets[0];
    Columns sum{load(matrix), load(matrix + 4), load(matrix + 8), load(matrix + 12)};
    if (influences == 1) return sum;
    V weight = all(weights[0]);
    sum = {sum.x * weight, sum.y * weight, sum.z * weight, sum.t * weight};
    for (std::size_t i = 1; i < influences; ++i) {
        matrix = palette + std::size_t{2} * offsets[i];
        weight = all(weights[i]);
        sum = {mulAdd(load(matrix), weight, sum.x), mulAdd(load(matrix + 4), weight, sum.y),
               mulAdd(load(matrix + 8), weight, sum.z), mulAdd(load(matrix + 12), weight, sum.t)};
    }
    return sum;
}

template <class Offset>
HWY_INLINE Motion blendMotion(const float* HWY_RESTRICT palette, const Offset* HWY_RESTRICT offsets,
                              const float* HWY_RESTRICT weights, std::size_t influences) {
    Motion sum{load(palette + offsets[0]), load(palette + offsets[0] + 4)};
    if (influences == 1) return sum;
    sum = {sum.real * all(weights[0]), sum.dual * all(weights[0])};
    for (std::size_t i = 1; i < influences; ++i) {
        const float* motion = palette + offsets[i];
        sum = {mulAdd(load(motion), all(weights[i]), sum.real),
               mulAdd(load(motion + 4), all(weights[i]), sum.dual)};
    }
    return sum;
}

#endif

constexpr float kFlat = static_cast<float>(kNoDirection2);

// One long; where there is no length, the three floats of each vertex at `bind`.
HWY_INLINE V directionOr(V v, V bind) {
    const V length2 = sum(v * v);
    const V unit = v * inverseRoot(length2);
    return HWY_LIKELY(allAbove(length2, kFlat)) ? unit : ifAbove(length2, kFlat, unit, bind);
}

// By a blended matrix.
struct Matrices {
    Columns c;

    HWY_INLINE V position(const float* from) const {
        const V v = load(from);
        return mulAdd(c.x, spreadThrees<0>(v),
                      mulAdd(c.y, spreadThrees<1>(v), mulAdd(c.z, spreadThrees<2>(v), c.t)));
    }
    HWY_INLINE V normal(const float* from, NormalRule rule) const {
        const V v = load(from);
        const V x = spreadThrees<0>(v), y = spreadThrees<1>(v), z = spreadThrees<2>(v);
        V out;
        if (rule == NormalRule::Plain) {
            out = mulAdd(c.x, x, mulAdd(c.y, y, c.z * z));
        } else {
            // x (cy x cz) + y (cz x cx) + z (cx x cy) = cz x (y cx - x cy) + z (cx x cy), where
            // a x b = turned(a turned(b) - turned(a) b).
            const V tx = turned(c.x), ty = turned(c.y), tz = turned(c.z);
            const V u = negMulAdd(x, c.y, y * c.x), tu = negMulAdd(x, ty, y * tx);
            const V cross = negMulAdd(tx, c.y, c.x * ty);
            out = turned(mulAdd(z, cross, negMulAdd(tz, u, c.z * tu)));
        }
        return directionOr(out, loadThrees(from));
    }
    HWY_INLINE V tangent(const float* from, NormalRule) const {
        const V v = load(from);
        const V out = mulAdd(c.x, spread<0>(v), mulAdd(c.y, spread<1>(v), c.z * spread<2>(v)));
        return withLast(directionOr(out, v), v);
    }
};

// By a blended rigid motion: with r and d the real and dual part, |r| not yet 1, v goes to
// v + 2 / |r|^2 (r x (r x v + rw v + d) + rw d - dw r).
struct Motions {
    V real, turned_real, real_w, factor;
    V dual, shift;  // shift = rw d - dw r

    HWY_INLINE explicit Motions(const Motion& m)
        : real(m.real),
          turned_real(turned(m.real)),
          real_w(spread<3>(m.real)),
          factor(all(2.0f) * inverse(sum(m.real * m.real))),
          dual(m.dual),
          shift(negMulAdd(spread<3>(m.dual), m.real, real_w * m.dual)) {}

    HWY_INLINE V crossReal(V v) const {
        return turned(negMulAdd(turned_real, v, real * turned(v)));
    }
    HWY_INLINE V point(V v) const {
        const V inner = mulAdd(real_w, v, crossReal(v) + dual);
        return mulAdd(factor, crossReal(inner) + shift, v);
    }
    HWY_INLINE V direction(V v) const {
        return mulAdd(factor, crossReal(mulAdd(real_w, v, crossReal(v))), v);
    }

    HWY_INLINE V position(const float* from) const { return point(loadThrees(from)); }
    HWY_INLINE V normal(const float* from, NormalRule) const { return direction(loadThrees(from)); }
    HWY_INLINE V tangent(const float* from, NormalRule) const {
        const V v = load(from);
        return withLast(direction(v), v);
    }
};

// By a stretch, then by a rigid motion.
struct StretchedMotions {
    Matrices stretch;
    Motions motion;

    HWY_INLINE V position(const float* from) const { return motion.point(stretch.position(from)); }
    HWY_INLINE V normal(const float* from, NormalRule rule) const {
        return motion.direction(stretch.normal(from, rule));
    }
    HWY_INLINE V tangent(const float* from, NormalRule rule) const {
        const V v = stretch.tangent(from, rule);
        return withLast(motion.direction(v), v);
    }
};

struct ByMatrix {
    template <class Offset>
    static HWY_INLINE Matrices make(const DeformTask& task, const SkinSlots<Offset>& slots,
                                    std::size_t slot, std::size_t influences) {
        return {blendColumns(task.matrices, slots.matrices.data() + slot,
                             slots.weights.data() + slot, influences)};
    }
};
struct ByMotion {
    template <class Offset>
    static HWY_INLINE Motions make(const DeformTask& task, const SkinSlots<Offset>& slots,
                                   std::size_t slot, std::size_t influences) {
        return Motions(blendMotion(task.motions, slots.motions.data() + slot,
                                   slots.weights.data() + slot, influences));
    }
};
struct ByBoth {
    template <class Offset>
    static HWY_INLINE StretchedMotions make(const DeformTask& task, const SkinSlots<Offset>& slots,
                                            std::size_t slot, std::size_t influences) {
        return {ByMatrix::make(task, slots, slot, influences),
                ByMotion::make(task, slots, slot, influences)};
    }
};

// Where the vertices end within a vector.
template <class Store>
HWY_INLINE void storePart(V v, float* to, std::size_t floats, const Store& whole) {
    float part[4 * kVertices];
    whole(v, part);
    std::copy_n(part, floats, to);
}

template <std::size_t kInfluences, class By, class Offset>
HWY_NOINLINE void deformRun(const PackedSkin& skin, const SkinSlots<Offset>& slots,
                            const SkinRun& run, const DeformTask& task) {
    const std::size_t influences = kInfluences == 0 ? run.influences : kInfluences;
    for (std::size_t i = 0; i < run.count; i += kVertices) {
        const std::size_t vertex = run.vertex + i, to = vertex - task.first;
        const auto by = By::make(task, slots, run.slot + i * influences, influences);
        const std::size_t left = run.count - i;
        if (HWY_LIKELY(left >= kVertices)) {
            storeThrees(by.position(skin.positions.data() + 3 * vertex), task.positions + 3 * to);
            if (task.normals != nullptr)
                storeThrees(by.normal(skin.normals.data() + 3 * vertex, task.rule),
                            task.normals + 3 * to);
            if (task.tangents != nullptr)
                store(by.tangent(skin.tangents.data() + 4 * vertex, task.rule),
                      task.tangents + 4 * to);
            continue;
        }
        storePart(by.position(skin.positions.data() + 3 * vertex), task.positions + 3 * to,
                  3 * left, storeThrees);
        if (task.normals != nullptr)
            storePart(by.normal(skin.normals.data() + 3 * vertex, task.rule), task.normals + 3 * to,
                      3 * left, storeThrees);
        if (task.tangents != nullptr)
            storePart(by.tangent(skin.tangents.data() + 4 * vertex, task.rule),
                      task.tangents + 4 * to, 4 * left, store);
    }
}

template <class By>
void deformFixed(const PackedSkin& skin, const SkinRun& run, const DeformTask& task) {
    if (run.wide) return deformRun<0, By>(skin, skin.wide_slots, run, task);
    switch (run.influences) {
        case 1:
            return deformRun<1, By>(skin, skin.slots, run, task);
        case 2:
            return deformRun<2, By>(skin, skin.slots, run, task);
        case 4:
            return deformRun<4, By>(skin, skin.slots, run, task);
        default:
            return deformRun<kMostFixed, By>(skin, skin.slots, run, task);
    }
}

void deformAll(const PackedSkin& skin, std::span<const SkinRun> runs, const DeformTask& task) {
    for (const SkinRun& run : runs) {
        if (task.motions == nullptr)
            deformFixed<ByMatrix>(skin, run, task);
        else if (task.matrices == nullptr)
            deformFixed<ByMotion>(skin, run, task);
        else if (run.wide)
            deformRun<0, ByBoth>(skin, skin.wide_slots, run, task);
        else
            deformRun<0, ByBoth>(skin, skin.slots, run, task);
    }
}

}  // namespace ulna::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::detail {

HWY_EXPORT(deformAll);

void deformRuns(const PackedSkin& skin, std::span<const SkinRun> runs, const DeformTask& task) {
    HWY_DYNAMIC_DISPATCH(deformAll)(skin, runs, task);
}

}  // namespace ulna::detail
#endif
