// SPDX-License-Identifier: Apache-2.0

// One pose in double. Quaternions become matrix rows four joints at a time (loaded, transposed,
// computed across joints, transposed back); then each joint's three rows of four are parent rows
// times local rows, which is nine multiply-adds of whole vectors, translation included.
#include "ulna/skeleton/detail/compose_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/skeleton/detail/compose_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ulna/skeleton/forward_kinematics.h"

HWY_BEFORE_NAMESPACE();
namespace ulna::detail::HWY_NAMESPACE {

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

// The matrix rows of four joints, as rows[joint * 3 + row].
HWY_INLINE void localRows(const Trs* const* joints, V* HWY_RESTRICT rows) {
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
    V r00 = hn::Mul(hn::Sub(one, hn::MulAdd(z, z2, yy)), sx);
    V r01 = hn::Mul(hn::MulSub(x, y2, wz), sy);
    V r02 = hn::Mul(hn::MulAdd(x, z2, wy), sz);
    V r10 = hn::Mul(hn::MulAdd(x, y2, wz), sx);
    V r11 = hn::Mul(hn::Sub(one, hn::MulAdd(z, z2, xx)), sy);
    V r12 = hn::Mul(hn::MulSub(y, z2, wx), sz);
    V r20 = hn::Mul(hn::MulSub(x, z2, wy), sx);
    V r21 = hn::Mul(hn::MulAdd(y, z2, wx), sy);
    V r22 = hn::Mul(hn::Sub(one, hn::Add(xx, yy)), sz);
    transpose4(r00, r01, r02, tx);
    transpose4(r10, r11, r12, ty);
    transpose4(r20, r21, r22, tz);
    rows[0] = r00, rows[3] = r01, rows[6] = r02, rows[9] = tx;
    rows[1] = r10, rows[4] = r11, rows[7] = r12, rows[10] = ty;
    rows[2] = r20, rows[5] = r21, rows[8] = r22, rows[11] = tz;
}

HWY_INLINE void storeJoint(JointId parent, const V* HWY_RESTRICT rows, Affine* HWY_RESTRICT model,
                           Affine* HWY_RESTRICT out) {
    const D tag;
    if (parent == JointId::None) {
        for (std::size_t r = 0; r < 3; ++r) hn::StoreU(rows[r], tag, out->m[r]);
        return;
    }
    const Affine& p = model[index(parent)];
    // Keeps only the last lane: the parent's own translation.
    const auto last = hn::Iota(tag, -3.0);
    const auto is_last = hn::Eq(last, hn::Zero(tag));
    for (std::size_t r = 0; r < 3; ++r) {
        V sum = hn::IfThenElseZero(is_last, hn::LoadU(tag, p.m[r]));
        sum = hn::MulAdd(hn::Set(tag, p.m[r][2]), rows[2], sum);
        sum = hn::MulAdd(hn::Set(tag, p.m[r][1]), rows[1], sum);
        sum = hn::MulAdd(hn::Set(tag, p.m[r][0]), rows[0], sum);
        hn::StoreU(sum, tag, out->m[r]);
    }
}

void compose(const JointId* parents, const Trs* locals, Affine* model, std::size_t count) {
    for (std::size_t i = 0; i < count; i += kLanes) {
        const std::size_t lanes = std::min(kLanes, count - i);
        const Trs* joints[kLanes];
        for (std::size_t k = 0; k < kLanes; ++k) joints[k] = locals + i + std::min(k, lanes - 1);
        V rows[3 * kLanes];
        localRows(joints, rows);
        for (std::size_t k = 0; k < lanes; ++k) {
            storeJoint(parents[i + k], rows + 3 * k, model, model + i + k);
        }
    }
}

void composeModelTransforms(const Skeleton& skeleton, std::span<const Trs> parent_from_joint,
                            std::span<Affine> model_from_joint) {
    compose(skeleton.parents().data(), parent_from_joint.data(), model_from_joint.data(),
            skeleton.jointCount());
}

#else  // vectors of two doubles do not beat the plain loop

void composeModelTransforms(const Skeleton& skeleton, std::span<const Trs> parent_from_joint,
                            std::span<Affine> model_from_joint) {
    ulna::composeModelTransforms<double>(skeleton, parent_from_joint, model_from_joint);
}

#endif

}  // namespace ulna::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::detail {

HWY_EXPORT(composeModelTransforms);

void composeModelTransformsSimd(const Skeleton& skeleton, std::span<const Trs> parent_from_joint,
                                std::span<Affine> model_from_joint) {
    HWY_DYNAMIC_DISPATCH(composeModelTransforms)(skeleton, parent_from_joint, model_from_joint);
}

}  // namespace ulna::detail
#endif
