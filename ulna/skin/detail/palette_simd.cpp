// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/detail/palette_simd.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/skin/detail/palette_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ulna::skin::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

constexpr std::size_t kLanes = 4;
using D = hn::FixedTag<double, kLanes>;
using V = hn::Vec<D>;
using DF = hn::Rebind<float, D>;

struct Columns {
    V x, y, z, t;
};

HWY_INLINE Columns load(const Affine& a) {
    const D tag;
    return {hn::LoadU(tag, a.columns[0]), hn::LoadU(tag, a.columns[1]),
            hn::LoadU(tag, a.columns[2]), hn::LoadU(tag, a.columns[3])};
}
HWY_INLINE void store(const Columns& c, Affine* out) {
    const D tag;
    hn::StoreU(c.x, tag, out->columns[0]), hn::StoreU(c.y, tag, out->columns[1]);
    hn::StoreU(c.z, tag, out->columns[2]), hn::StoreU(c.t, tag, out->columns[3]);
}
HWY_INLINE void store(const Columns& c, SkinMatrix* out) {
    const DF tag;
    hn::StoreInterleaved4(hn::DemoteTo(tag, c.x), hn::DemoteTo(tag, c.y), hn::DemoteTo(tag, c.z),
                          hn::DemoteTo(tag, c.t), tag, out->rows[0]);
}

// A matrix times one whose entries, by columns of three, stand `apart` from each other.
HWY_INLINE Columns multiply(const Columns& a, const double* HWY_RESTRICT b, std::size_t column,
                            std::size_t apart) {
    const D tag;
    const auto combine = [&](std::size_t k, V start) HWY_ATTR {
        const double* entry = b + k * column;
        start = hn::MulAdd(a.x, hn::Set(tag, entry[0]), start);
        start = hn::MulAdd(a.y, hn::Set(tag, entry[apart]), start);
        return hn::MulAdd(a.z, hn::Set(tag, entry[2 * apart]), start);
    };
    const V zero = hn::Zero(tag);
    return {combine(0, zero), combine(1, zero), combine(2, zero), combine(3, a.t)};
}

template <class Out>
HWY_INLINE void multiplyAll(const Affine* model, const Affine* bind, std::size_t count, Out* out) {
    for (std::size_t j = 0; j < count; ++j)
        store(multiply(load(model[j]), bind[j].columns[0], 4, 1), out + j);
}

// The twelve entries of four joints' matrices by columns, each entry of the four side by side.
HWY_INLINE void computeEntries(const FloatPose& pose, std::size_t first, double* entries) {
    const D tag;
    const auto row = [&](std::size_t i) HWY_ATTR {
        return hn::PromoteTo(tag, hn::LoadU(DF(), pose.row(i) + first));
    };
    const V x = row(0), y = row(1), z = row(2), w = row(3);
    const V length2 = hn::MulAdd(w, w, hn::MulAdd(z, z, hn::MulAdd(y, y, x * x)));
    // A zero quaternion rotates nothing.
    const V zero = hn::Zero(tag), one = hn::Set(tag, 1.0);
    const V two = hn::IfThenElse(hn::Gt(length2, zero), hn::Set(tag, 2.0) / length2, zero);
    const V x2 = x * two, y2 = y * two, z2 = z * two;
    const V xx = x * x2, yy = y * y2, zz = z * z2, wx = w * x2, wy = w * y2, wz = w * z2;
    const V sx = row(FloatPose::kScaleRow), sy = row(FloatPose::kScaleRow + 1);
    const V sz = row(FloatPose::kScaleRow + 2);
    const V all[12] = {(one - (yy + zz)) * sx,
                       hn::MulAdd(x, y2, wz) * sx,
                       hn::MulSub(x, z2, wy) * sx,
                       hn::MulSub(x, y2, wz) * sy,
                       (one - (xx + zz)) * sy,
                       hn::MulAdd(y, z2, wx) * sy,
                       hn::MulAdd(x, z2, wy) * sz,
                       hn::MulSub(y, z2, wx) * sz,
                       (one - (xx + yy)) * sz,
                       row(FloatPose::kTranslationRow),
                       row(FloatPose::kTranslationRow + 1),
                       row(FloatPose::kTranslationRow + 2)};
    for (std::size_t i = 0; i < 12; ++i) hn::Store(all[i], tag, entries + i * kLanes);
}

void compose(const FloatPose& pose, const JointId* parents, Affine* model) {
    const Columns identity = load(Affine{});
    for (std::size_t first = 0; first < pose.jointCount(); first += kLanes) {
        alignas(64) double entries[12 * kLanes];
        computeEntries(pose, first, entries);
        const std::size_t end = std::min(first + kLanes, pose.jointCount());
        for (std::size_t j = first; j < end; ++j) {
            const Columns parent =
                parents[j] == JointId::None ? identity : load(model[index(parents[j])]);
            store(multiply(parent, entries + (j - first), 3 * kLanes, kLanes), model + j);
        }
    }
}

#else  // vectors of two doubles do not beat the plain loop

HWY_INLINE void store(const Affine& a, Affine* out) {
    *out = a;
}
HWY_INLINE void store(const Affine& a, SkinMatrix* out) {
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = 0; k < 4; ++k) out->rows[i][k] = static_cast<float>(a.columns[k][i]);
}

template <class Out>
HWY_INLINE void multiplyAll(const Affine* model, const Affine* bind, std::size_t count, Out* out) {
    for (std::size_t j = 0; j < count; ++j) store(model[j] * bind[j], out + j);
}

void compose(const FloatPose& pose, const JointId* parents, Affine* model) {
    for (std::size_t j = 0; j < pose.jointCount(); ++j) {
        const Quatf q = pose.rotation(jointId(j));
        const Vec3f t = pose.translation(jointId(j)), s = pose.scale(jointId(j));
        const Affine local =
            toAffine(Trs{{t.x, t.y, t.z}, {s.x, s.y, s.z}, normalized(Quat{q.x, q.y, q.z, q.w})});
        model[j] = parents[j] == JointId::None ? local : model[index(parents[j])] * local;
    }
}

#endif

void multiplyExactly(const Affine* model, const Affine* bind, std::size_t count, Affine* out) {
    multiplyAll(model, bind, count, out);
}
void multiplyRounded(const Affine* model, const Affine* bind, std::size_t count, SkinMatrix* out) {
    multiplyAll(model, bind, count, out);
}

}  // namespace ulna::skin::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::skin::detail {

HWY_EXPORT(compose);
HWY_EXPORT(multiplyExactly);
HWY_EXPORT(multiplyRounded);

void composePose(const FloatPose& pose, std::span<const JointId> parents,
                 std::span<Affine> model_from_joint) {
    HWY_DYNAMIC_DISPATCH(compose)(pose, parents.data(), model_from_joint.data());
}

void multiplyBind(std::span<const Affine> model_from_joint, std::span<const Affine> joint_from_bind,
                  Affine* out) {
    HWY_DYNAMIC_DISPATCH(multiplyExactly)
    (model_from_joint.data(), joint_from_bind.data(), joint_from_bind.size(), out);
}

void multiplyBind(std::span<const Affine> model_from_joint, std::span<const Affine> joint_from_bind,
                  SkinMatrix* out) {
    HWY_DYNAMIC_DISPATCH(multiplyRounded)
    (model_from_joint.data(), joint_from_bind.data(), joint_from_bind.size(), out);
}

}  // namespace ulna::skin::detail
#endif
