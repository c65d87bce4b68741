// SPDX-License-Identifier: Apache-2.0

// One pose in double. Quaternions become matrix entries four joints at a time, a vector per entry;
// then each joint's columns are the parent's columns times its entries, twelve multiply-adds of
// whole vectors. What is in the chain from parent to child is short: the entries are ready long
// before, and the parent's columns are still in registers where the child follows it.
#include "ulna/skeleton/detail/compose_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/skeleton/detail/compose_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ulna::skeleton::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX2 && !HWY_ARCH_WASM

constexpr std::size_t kLanes = 4;
using D = hn::FixedTag<double, kLanes>;
using V = hn::Vec<D>;

// Transposes the 4x4 matrix with rows a, b, c, d.
HWY_INLINE void transpose4(V& a, V& b, V& c, V& d) {
    const D tag;
    const V ab_even = hn::InterleaveLower(tag, a, b);  // a0 b0 a2 b2
    const V ab_odd = hn::InterleaveUpper(tag, a, b);   // a1 b1 a3 b3
    const V cd_even = hn::InterleaveLower(tag, c, d);
    const V cd_odd = hn::InterleaveUpper(tag, c, d);
    a = hn::ConcatLowerLower(tag, cd_even, ab_even);
    b = hn::ConcatLowerLower(tag, cd_odd, ab_odd);
    c = hn::ConcatUpperUpper(tag, cd_even, ab_even);
    d = hn::ConcatUpperUpper(tag, cd_odd, ab_odd);
}

// The twelve entries of a local matrix, by columns, each for four joints.
constexpr std::size_t kEntries = 12;

HWY_INLINE void computeEntries(const Trs* const* joints, double* HWY_RESTRICT entries) {
    const D tag;
    V x = hn::LoadU(tag, &joints[0]->rotation.x);
    V y = hn::LoadU(tag, &joints[1]->rotation.x);
    V z = hn::LoadU(tag, &joints[2]->rotation.x);
    V w = hn::LoadU(tag, &joints[3]->rotation.x);
    transpose4(x, y, z, w);
    // Each load takes one number of the next field along, which the transposition puts aside.
    V sx = hn::LoadU(tag, &joints[0]->scale.x);
    V sy = hn::LoadU(tag, &joints[1]->scale.x);
    V sz = hn::LoadU(tag, &joints[2]->scale.x);
    V unused = hn::LoadU(tag, &joints[3]->scale.x);
    transpose4(sx, sy, sz, unused);
    V tx = hn::LoadU(tag, &joints[0]->translation.x);
    V ty = hn::LoadU(tag, &joints[1]->translation.x);
    V tz = hn::LoadU(tag, &joints[2]->translation.x);
    unused = hn::LoadU(tag, &joints[3]->translation.x);
    transpose4(tx, ty, tz, unused);

    const V one = hn::Set(tag, 1.0);
    const V x2 = hn::Add(x, x), y2 = hn::Add(y, y), z2 = hn::Add(z, z);
    const V xx = hn::Mul(x, x2), yy = hn::Mul(y, y2);
    const V wx = hn::Mul(w, x2), wy = hn::Mul(w, y2), wz = hn::Mul(w, z2);
    const auto put = [&](std::size_t entry, V value) {
        hn::Store(value, tag, entries + entry * kLanes);
    };
    put(0, hn::Mul(hn::Sub(one, hn::MulAdd(z, z2, yy)), sx));
    put(1, hn::Mul(hn::MulAdd(x, y2, wz), sx));
    put(2, hn::Mul(hn::MulSub(x, z2, wy), sx));
    put(3, hn::Mul(hn::MulSub(x, y2, wz), sy));
    put(4, hn::Mul(hn::Sub(one, hn::MulAdd(z, z2, xx)), sy));
    put(5, hn::Mul(hn::MulAdd(y, z2, wx), sy));
    put(6, hn::Mul(hn::MulAdd(x, z2, wy), sz));
    put(7, hn::Mul(hn::MulSub(y, z2, wx), sz));
    put(8, hn::Mul(hn::Sub(one, hn::Add(xx, yy)), sz));
    put(9, tx);
    put(10, ty);
    put(11, tz);
}

// The columns of one matrix.
struct Columns {
    V x, y, z, t;
};

HWY_INLINE Columns load(const Affine& a) {
    const D tag;
    return {hn::LoadU(tag, a.columns[0]), hn::LoadU(tag, a.columns[1]),
            hn::LoadU(tag, a.columns[2]), hn::LoadU(tag, a.columns[3])};
}

HWY_INLINE void store(const Columns& c, Affine& a) {
    const D tag;
    hn::StoreU(c.x, tag, a.columns[0]);
    hn::StoreU(c.y, tag, a.columns[1]);
    hn::StoreU(c.z, tag, a.columns[2]);
    hn::StoreU(c.t, tag, a.columns[3]);
}

// The parent's columns times the local matrix of one joint, whose entries stand kLanes apart.
HWY_INLINE Columns multiply(const Columns& p, const double* HWY_RESTRICT entries) {
    const D tag;
    const auto entry = [&](std::size_t i) { return hn::Set(tag, entries[i * kLanes]); };
    const auto combine = [&](std::size_t first) {
        return hn::MulAdd(p.z, entry(first + 2),
                          hn::MulAdd(p.y, entry(first + 1), hn::Mul(p.x, entry(first))));
    };
    // The translation's sum starts from the parent's own, so that no addition is left for the end.
    const V t =
        hn::MulAdd(p.z, entry(11), hn::MulAdd(p.y, entry(10), hn::MulAdd(p.x, entry(9), p.t)));
    return {combine(0), combine(3), combine(6), t};
}

void compose(const JointId* HWY_RESTRICT parents, const Trs* HWY_RESTRICT locals,
             Affine* HWY_RESTRICT model, std::size_t count) {
    // Entries go through memory, from where they are broadcast for free; in registers each would
    // cost a shuffle, and shuffles are what there are fewest of. Hence several groups at a time.
    constexpr std::size_t kChunk = 4 * kLanes;
    alignas(64) double entries[kChunk * kEntries];
    const Columns identity = load(Affine{});
    Columns last = identity;
    for (std::size_t begin = 0; begin < count; begin += kChunk) {
        const std::size_t size = std::min(kChunk, count - begin);
        for (std::size_t group = 0; group < size; group += kLanes) {
            const Trs* joints[kLanes];
            for (std::size_t k = 0; k < kLanes; ++k) {
                joints[k] = locals + begin + std::min(group + k, size - 1);
            }
            computeEntries(joints, entries + group * kEntries);
        }
        for (std::size_t k = 0; k < size; ++k) {
            const JointId parent = parents[begin + k];
            if (parent == JointId::None)
                last = identity;
            else if (index(parent) + 1 != begin + k)
                last = load(model[index(parent)]);
            last = multiply(last, entries + k / kLanes * kLanes * kEntries + k % kLanes);
            store(last, model[begin + k]);
        }
    }
}

bool composeModelTransforms(const Skeleton& skeleton, std::span<const Trs> parent_from_joint,
                            std::span<Affine> model_from_joint) {
    compose(skeleton.parents().data(), parent_from_joint.data(), model_from_joint.data(),
            skeleton.jointCount());
    return true;
}

#else

bool composeModelTransforms(const Skeleton&, std::span<const Trs>, std::span<Affine>) {
    return false;
}

#endif

}  // namespace ulna::skeleton::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::skeleton::detail {

HWY_EXPORT(composeModelTransforms);

bool composeModelTransformsSimd(const Skeleton& skeleton, std::span<const Trs> parent_from_joint,
                                std::span<Affine> model_from_joint) {
    return HWY_DYNAMIC_DISPATCH(composeModelTransforms)(skeleton, parent_from_joint,
                                                        model_from_joint);
}

}  // namespace ulna::skeleton::detail
#endif
