// SPDX-License-Identifier: Apache-2.0

// Matrices are blended one vertex at a time, a vector holding as many of their rows as fit. Then
// the blended numbers of a group of vertices change places, and all that follows is done with a
// vertex to each lane.
//
// What limits it on x86 is the one unit that moves numbers between lanes. Hence rows and not
// columns: three of them make a matrix, and no number of a row is moved in vain.
#include "ulna/skin/detail/deform_simd.h"

#include <algorithm>
#include <cmath>

#include "ulna/skin/detail/joint_motion.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/skin/detail/deform_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ulna::skin::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// How many rows of four floats a vector holds; a group has a vertex for each float.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
constexpr std::size_t kRows = 4;
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
constexpr std::size_t kRows = 2;
#else
constexpr std::size_t kRows = 1;
#endif
constexpr std::size_t kGroup = 4 * kRows;
static_assert(kSkinBlock % kGroup == 0);

#if HWY_TARGET == HWY_SCALAR

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
    return a * b + c;
}
HWY_INLINE V negMulAdd(V a, V b, V c) {
    return each([&](int i) { return c.lane[i] - a.lane[i] * b.lane[i]; });
}
HWY_INLINE V inverse(V v) {
    return each([&](int i) { return 1.0f / v.lane[i]; });
}
HWY_INLINE V inverseRoot(V v) {
    return each([&](int i) { return 1.0f / std::sqrt(v.lane[i]); });
}
HWY_INLINE bool allAbove(V v, float least) {
    return *std::min_element(v.lane, v.lane + 4) > least;
}
HWY_INLINE V ifAbove(V v, float least, V yes, V no) {
    return each([&](int i) { return v.lane[i] > least ? yes.lane[i] : no.lane[i]; });
}
HWY_INLINE V load(const float* from) {
    return {{from[0], from[1], from[2], from[3]}};
}
HWY_INLINE void transpose4(V& a, V& b, V& c, V& d) {
    const V from[4] = {a, b, c, d};
    V* to[4] = {&a, &b, &c, &d};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = 0; k < 4; ++k) to[i]->lane[k] = from[k].lane[i];
}
HWY_INLINE void store3(V x, V y, V z, float* to) {
    for (std::size_t i = 0; i < 4; ++i)
        to[3 * i] = x.lane[i], to[3 * i + 1] = y.lane[i], to[3 * i + 2] = z.lane[i];
}
HWY_INLINE void store4(V x, V y, V z, V w, float* to) {
    transpose4(x, y, z, w);
    const V rows[4] = {x, y, z, w};
    for (std::size_t i = 0; i < 4; ++i) std::copy_n(rows[i].lane, 4, to + 4 * i);
}

#else

using D = hn::FixedTag<float, kGroup>;
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
HWY_INLINE V inverse(V v) {
    return all(1.0f) / v;
}
HWY_INLINE V inverseRoot(V v) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSSE3
    // At least 11 bits, which a step of Newton's method doubles; others promise less.
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
HWY_INLINE V load(const float* from) {
    return hn::Load(D(), from);
}
// In each block of four floats, the 4x4 matrix of these rows.
HWY_INLINE void transpose4(V& a, V& b, V& c, V& d) {
    const D tag;
    const hn::RepartitionToWide<D> twos;
    const auto ab_low = hn::BitCast(twos, hn::InterleaveLower(tag, a, b));
    const auto ab_high = hn::BitCast(twos, hn::InterleaveUpper(tag, a, b));
    const auto cd_low = hn::BitCast(twos, hn::InterleaveLower(tag, c, d));
    const auto cd_high = hn::BitCast(twos, hn::InterleaveUpper(tag, c, d));
    a = hn::BitCast(tag, hn::InterleaveLower(twos, ab_low, cd_low));
    b = hn::BitCast(tag, hn::InterleaveUpper(twos, ab_low, cd_low));
    c = hn::BitCast(tag, hn::InterleaveLower(twos, ab_high, cd_high));
    d = hn::BitCast(tag, hn::InterleaveUpper(twos, ab_high, cd_high));
}
HWY_INLINE void store3(V x, V y, V z, float* to) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    // Half the moves of StoreInterleaved3: x and y to their places, then z; 16 and more is the
    // second of both.
    alignas(64) static constexpr std::int32_t kXy[3][16] = {
        {0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5},
        {21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26},
        {0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0}};
    alignas(64) static constexpr std::int32_t kXyz[3][16] = {
        {0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15},
        {0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15},
        {26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31}};
    for (std::size_t i = 0; i < 3; ++i) {
        const __m512 xy = _mm512_permutex2var_ps(x.raw, _mm512_load_si512(kXy[i]), y.raw);
        const __m512 xyz = _mm512_permutex2var_ps(xy, _mm512_load_si512(kXyz[i]), z.raw);
        hn::StoreU(V{xyz}, D(), to + 16 * i);
    }
#else
    hn::StoreInterleaved3(x, y, z, D(), to);
#endif
}
HWY_INLINE void store4(V x, V y, V z, V w, float* to) {
    hn::StoreInterleaved4(x, y, z, w, D(), to);
}

#endif

// Influences of vertices side by side. With kInfluences 0 their number is known only when the loop
// runs.
template <std::size_t kInfluences, class Offset>
struct SlotsOf {
    const Offset* HWY_RESTRICT offsets;
    const float* HWY_RESTRICT weights;
    std::size_t influences_at_run_time;

    HWY_INLINE std::size_t influences() const {
        return kInfluences == 0 ? influences_at_run_time : kInfluences;
    }
    HWY_INLINE SlotsOf from(std::size_t vertex) const {
        return {offsets + vertex * influences(), weights + vertex * influences(),
                influences_at_run_time};
    }
    // Offsets count in pairs of floats, and of motions in floats: see PackedSkin.
    HWY_INLINE std::size_t matrix(std::size_t i) const { return std::size_t{2} * offsets[i]; }
    HWY_INLINE std::size_t motion(std::size_t i) const { return offsets[i]; }
};

// The rows of a matrix, or the two halves of a motion: of one vertex where a vector holds one row,
// of every fourth vertex of a group where it holds more.
struct Rows {
    V x, y, z;
};
struct Halves {
    V real, dual;
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

template <class Slots>
HWY_INLINE V blendMatrix(const float* HWY_RESTRICT palette, const Slots& slots) {
    V sum = load(palette + slots.matrix(0));
    if (slots.influences() == 1) return sum;
    sum = sum * all(slots.weights[0]);
    for (std::size_t i = 1; i < slots.influences(); ++i)
        sum = mulAdd(load(palette + slots.matrix(i)), all(slots.weights[i]), sum);
    return sum;
}

template <class Slots>
HWY_INLINE hn::Vec<hn::Half<D>> blendMotion(const float* HWY_RESTRICT palette, const Slots& slots) {
    const hn::Half<D> half;
    auto sum = hn::Load(half, palette + slots.motion(0));
    if (slots.influences() == 1) return sum;
    sum = sum * hn::Set(half, slots.weights[0]);
    for (std::size_t i = 1; i < slots.influences(); ++i)
        sum = hn::MulAdd(hn::Load(half, palette + slots.motion(i)), hn::Set(half, slots.weights[i]),
                         sum);
    return sum;
}

// Two rows of `a`, then the same two of `b`.
template <int kFirst, int kSecond>
HWY_INLINE V pick(V a, V b) {
    return V{_mm512_shuffle_f32x4(a.raw, b.raw, _MM_SHUFFLE(kSecond, kFirst, kSecond, kFirst))};
}

template <class Slots>
HWY_INLINE Rows blendRows(const float* palette, const Slots& slots) {
    const V a = blendMatrix(palette, slots), b = blendMatrix(palette, slots.from(4));
    const V c = blendMatrix(palette, slots.from(8)), d = blendMatrix(palette, slots.from(12));
    const V ab = pick<0, 1>(a, b), cd = pick<0, 1>(c, d);
    return {pick<0, 2>(ab, cd), pick<1, 3>(ab, cd), pick<0, 2>(pick<2, 2>(a, b), pick<2, 2>(c, d))};
}

template <class Slots>
HWY_INLINE Halves blendHalves(const float* palette, const Slots& slots) {
    const V ab = hn::Combine(D(), blendMotion(palette, slots.from(4)), blendMotion(palette, slots));
    const V cd =
        hn::Combine(D(), blendMotion(palette, slots.from(12)), blendMotion(palette, slots.from(8)));
    return {pick<0, 2>(ab, cd), pick<1, 3>(ab, cd)};
}

#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

struct Matrix {
    V xy;
    hn::Vec<hn::Half<D>> z;
};

template <class Slots>
HWY_INLINE Matrix blendMatrix(const float* HWY_RESTRICT palette, const Slots& slots) {
    const hn::Half<D> half;
    const float* from = palette + slots.matrix(0);
    Matrix sum{load(from), hn::Load(half, from + 8)};
    if (slots.influences() == 1) return sum;
    sum.xy = sum.xy * all(slots.weights[0]);
    sum.z = sum.z * hn::Set(half, slots.weights[0]);
    for (std::size_t i = 1; i < slots.influences(); ++i) {
        from = palette + slots.matrix(i);
        const V weight = all(slots.weights[i]);
        sum.xy = mulAdd(load(from), weight, sum.xy);
        sum.z = hn::MulAdd(hn::Load(half, from + 8), hn::LowerHalf(half, weight), sum.z);
    }
    return sum;
}

template <class Slots>
HWY_INLINE V blendMotion(const float* HWY_RESTRICT palette, const Slots& slots) {
    V sum = load(palette + slots.motion(0));
    if (slots.influences() == 1) return sum;
    sum = sum * all(slots.weights[0]);
    for (std::size_t i = 1; i < slots.influences(); ++i)
        sum = mulAdd(load(palette + slots.motion(i)), all(slots.weights[i]), sum);
    return sum;
}

template <class Slots>
HWY_INLINE Rows blendRows(const float* palette, const Slots& slots) {
    const Matrix a = blendMatrix(palette, slots), b = blendMatrix(palette, slots.from(4));
    return {hn::ConcatLowerLower(D(), b.xy, a.xy), hn::ConcatUpperUpper(D(), b.xy, a.xy),
            hn::Combine(D(), b.z, a.z)};
}

template <class Slots>
HWY_INLINE Halves blendHalves(const float* palette, const Slots& slots) {
    const V a = blendMotion(palette, slots), b = blendMotion(palette, slots.from(4));
    return {hn::ConcatLowerLower(D(), b, a), hn::ConcatUpperUpper(D(), b, a)};
}

#else

template <class Slots>
HWY_INLINE Rows blendRows(const float* HWY_RESTRICT palette, const Slots& slots) {
    const float* from = palette + slots.matrix(0);
    Rows sum{load(from), load(from + 4), load(from + 8)};
    if (slots.influences() == 1) return sum;
    const V first = all(slots.weights[0]);
    sum = {sum.x * first, sum.y * first, sum.z * first};
    for (std::size_t i = 1; i < slots.influences(); ++i) {
        from = palette + slots.matrix(i);
        const V weight = all(slots.weights[i]);
        sum = {mulAdd(load(from), weight, sum.x), mulAdd(load(from + 4), weight, sum.y),
               mulAdd(load(from + 8), weight, sum.z)};
    }
    return sum;
}

template <class Slots>
HWY_INLINE Halves blendHalves(const float* HWY_RESTRICT palette, const Slots& slots) {
    const float* from = palette + slots.motion(0);
    Halves sum{load(from), load(from + 4)};
    if (slots.influences() == 1) return sum;
    const V first = all(slots.weights[0]);
    sum = {sum.real * first, sum.dual * first};
    for (std::size_t i = 1; i < slots.influences(); ++i) {
        from = palette + slots.motion(i);
        const V weight = all(slots.weights[i]);
        sum = {mulAdd(load(from), weight, sum.real), mulAdd(load(from + 4), weight, sum.dual)};
    }
    return sum;
}

#endif

// From here on a lane is a vertex.
struct V3 {
    V x, y, z;
};

HWY_INLINE V dot(const V3& a, const V3& b) {
    return mulAdd(a.z, b.z, mulAdd(a.y, b.y, a.x * b.x));
}
HWY_INLINE V3 cross(const V3& a, const V3& b) {
    return {negMulAdd(a.z, b.y, a.y * b.z), negMulAdd(a.x, b.z, a.z * b.x),
            negMulAdd(a.y, b.x, a.x * b.y)};
}
HWY_INLINE V3 scale(const V3& a, V s) {
    return {a.x * s, a.y * s, a.z * s};
}
// a s + b, and b - a s.
HWY_INLINE V3 mulAdd(const V3& a, V s, const V3& b) {
    return {mulAdd(a.x, s, b.x), mulAdd(a.y, s, b.y), mulAdd(a.z, s, b.z)};
}
HWY_INLINE V3 negMulAdd(const V3& a, V s, const V3& b) {
    return {negMulAdd(a.x, s, b.x), negMulAdd(a.y, s, b.y), negMulAdd(a.z, s, b.z)};
}
HWY_INLINE V3 add(const V3& a, const V3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

constexpr float kFlat = static_cast<float>(kNoDirection2);

HWY_INLINE V3 directionOr(const V3& v, const V3& fallback) {
    const V length2 = dot(v, v);
    const V3 out = scale(v, inverseRoot(length2));
    if (HWY_LIKELY(allAbove(length2, kFlat))) return out;
    return {ifAbove(length2, kFlat, out.x, fallback.x), ifAbove(length2, kFlat, out.y, fallback.y),
            ifAbove(length2, kFlat, out.z, fallback.z)};
}

struct Matrices {
    V3 x, y, z, t;  // columns

    template <class Slots>
    HWY_INLINE Matrices(const float* palette, const Slots& slots) {
        Rows a = blendRows(palette, slots), b = blendRows(palette, slots.from(1));
        Rows c = blendRows(palette, slots.from(2)), d = blendRows(palette, slots.from(3));
        transpose4(a.x, b.x, c.x, d.x);
        transpose4(a.y, b.y, c.y, d.y);
        transpose4(a.z, b.z, c.z, d.z);
        x = {a.x, a.y, a.z}, y = {b.x, b.y, b.z}, z = {c.x, c.y, c.z}, t = {d.x, d.y, d.z};
    }

    HWY_INLINE V3 point(const V3& v) const {
        return mulAdd(x, v.x, mulAdd(y, v.y, mulAdd(z, v.z, t)));
    }
    HWY_INLINE V3 linear(const V3& v) const {
        return mulAdd(x, v.x, mulAdd(y, v.y, scale(z, v.z)));
    }
    HWY_INLINE V3 tangent(const V3& v) const { return directionOr(linear(v), v); }
    HWY_INLINE V3 normal(const V3& v, NormalRule rule) const {
        if (rule == NormalRule::Plain) return directionOr(linear(v), v);
        // vx (y x z) + vy (z x x) + vz (x x y), two of the products in one.
        const V3 across = negMulAdd(y, v.x, scale(x, v.y));
        return directionOr(mulAdd(cross(x, y), v.z, cross(z, across)), v);
    }
};

// By a blended rigid motion: with r and d the real and dual part, |r| not yet 1, v goes to
// v + 2 / |r|^2 (r x (r x v + rw v + d) + rw d - dw r).
struct Motions {
    V3 real, dual;
    V real_w, dual_w, factor;

    template <class Slots>
    HWY_INLINE Motions(const float* palette, const Slots& slots) {
        Halves a = blendHalves(palette, slots), b = blendHalves(palette, slots.from(1));
        Halves c = blendHalves(palette, slots.from(2)), d = blendHalves(palette, slots.from(3));
        transpose4(a.real, b.real, c.real, d.real);
        transpose4(a.dual, b.dual, c.dual, d.dual);
        real = {a.real, b.real, c.real}, real_w = d.real;
        dual = {a.dual, b.dual, c.dual}, dual_w = d.dual;
        factor = all(2.0f) * inverse(mulAdd(real_w, real_w, dot(real, real)));
    }

    HWY_INLINE V3 point(const V3& v) const {
        const V3 inner = mulAdd(v, real_w, add(cross(real, v), dual));
        const V3 shift = negMulAdd(real, dual_w, scale(dual, real_w));
        return mulAdd(add(cross(real, inner), shift), factor, v);
    }
    HWY_INLINE V3 tangent(const V3& v) const {
        return mulAdd(cross(real, mulAdd(v, real_w, cross(real, v))), factor, v);
    }
    HWY_INLINE V3 normal(const V3& v, NormalRule) const { return tangent(v); }
};

struct StretchedMotions {
    Matrices stretch;
    Motions motion;

    HWY_INLINE V3 point(const V3& v) const { return motion.point(stretch.point(v)); }
    HWY_INLINE V3 tangent(const V3& v) const { return motion.tangent(stretch.tangent(v)); }
    HWY_INLINE V3 normal(const V3& v, NormalRule rule) const {
        return motion.tangent(stretch.normal(v, rule));
    }
};

enum class By : std::uint8_t { Matrix, Motion, Both };

// Numbers of vertices as PackedSkin has them, `width` to a vertex.
HWY_INLINE const float* at(const float* numbers, std::size_t width, std::size_t vertex) {
    const std::size_t lane = kGroup == kSkinBlock ? 0 : vertex % kSkinBlock;
    return numbers + (vertex - lane) * width + lane;
}
HWY_INLINE V3 load3(const float* from) {
    return {load(from), load(from + kSkinBlock), load(from + 2 * kSkinBlock)};
}

// Vertices go to where they belong, the last few by way of a whole group.
struct Stores {
    std::size_t count;  // of a group

    HWY_INLINE void vectors(const V3& v, float* to) const {
        if (HWY_LIKELY(count == kGroup)) return store3(v.x, v.y, v.z, to);
        float whole[3 * kGroup];
        store3(v.x, v.y, v.z, whole);
        std::copy_n(whole, 3 * count, to);
    }
    HWY_INLINE void tangents(const V3& v, V handedness, float* to) const {
        if (HWY_LIKELY(count == kGroup)) return store4(v.x, v.y, v.z, handedness, to);
        float whole[4 * kGroup];
        store4(v.x, v.y, v.z, handedness, whole);
        std::copy_n(whole, 4 * count, to);
    }
};

template <By kBy, class Slots>
HWY_INLINE auto blend(const DeformTask& task, const Slots& matrices, const Slots& motions) {
    if constexpr (kBy == By::Matrix)
        return Matrices(task.matrices, matrices);
    else if constexpr (kBy == By::Motion)
        return Motions(task.motions, motions);
    else
        return StretchedMotions{Matrices(task.matrices, matrices), Motions(task.motions, motions)};
}

template <std::size_t kInfluences, By kBy, class Offset>
HWY_NOINLINE void deformRun(const PackedSkin& skin, const SkinSlots<Offset>& slots,
                            const SkinRun& run, const DeformTask& whole_task) {
    using Slots = SlotsOf<kInfluences, Offset>;
    // Copies, so that the compiler sees that no store changes them.
    const DeformTask task = whole_task;
    const float* const positions = skin.positions.data();
    const float* const normals = skin.normals.data();
    const float* const tangents = skin.tangents.data();
    const std::size_t begin = run.vertex, end = begin + run.count;
    const float* const weights = slots.weights.data() + run.slot;
    const Slots matrices{slots.matrices.data() + run.slot, weights, run.influences};
    const Slots motions{slots.motions.data() + run.slot, weights, run.influences};
    for (std::size_t v = begin; v < end; v += kGroup) {
        const auto blended = blend<kBy>(task, matrices.from(v - begin), motions.from(v - begin));
        const Stores stores{std::min(kGroup, end - v)};
        const std::size_t to = v - task.first;
        stores.vectors(blended.point(load3(at(positions, 3, v))), task.positions + 3 * to);
        if (task.normals != nullptr)
            stores.vectors(blended.normal(load3(at(normals, 3, v)), task.rule),
                           task.normals + 3 * to);
        if (task.tangents != nullptr) {
            const float* from = at(tangents, 4, v);
            stores.tangents(blended.tangent(load3(from)), load(from + 3 * kSkinBlock),
                            task.tangents + 4 * to);
        }
    }
}

template <By kBy>
void deformFixed(const PackedSkin& skin, const SkinRun& run, const DeformTask& task) {
    if (run.wide) return deformRun<0, kBy>(skin, skin.wide_slots, run, task);
    switch (run.influences) {
        case 1:
            return deformRun<1, kBy>(skin, skin.slots, run, task);
        case 2:
            return deformRun<2, kBy>(skin, skin.slots, run, task);
        case 4:
            return deformRun<4, kBy>(skin, skin.slots, run, task);
        default:
            return deformRun<kMostFixed, kBy>(skin, skin.slots, run, task);
    }
}

void deformAll(const PackedSkin& skin, std::span<const SkinRun> runs, const DeformTask& task) {
    for (const SkinRun& run : runs) {
        if (task.motions == nullptr)
            deformFixed<By::Matrix>(skin, run, task);
        else if (task.matrices == nullptr)
            deformFixed<By::Motion>(skin, run, task);
        else if (run.wide)
            deformRun<0, By::Both>(skin, skin.wide_slots, run, task);
        else
            deformRun<0, By::Both>(skin, skin.slots, run, task);
    }
}

}  // namespace ulna::skin::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::skin::detail {

HWY_EXPORT(deformAll);

void deformRuns(const PackedSkin& skin, std::span<const SkinRun> runs, const DeformTask& task) {
    HWY_DYNAMIC_DISPATCH(deformAll)(skin, runs, task);
}

}  // namespace ulna::skin::detail
#endif
