// SPDX-License-Identifier: Apache-2.0

// Quaternions all the way: a product is 16 multiply-adds and a rotated offset 15, where matrices
// would take 27 and 9 and store almost twice the numbers.
#include "ulna/skeleton/detail/batch_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/skeleton/detail/batch_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ulna::skeleton::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, kBlockLanes>;
using V = hn::Vec<D>;

// Row `row` of a block, from lane `lane` on.
HWY_INLINE V load(const float* HWY_RESTRICT rows, std::size_t row, std::size_t lane) {
    return hn::Load(D(), rows + row * kBlockLanes + lane);
}
HWY_INLINE void store(V v, float* HWY_RESTRICT rows, std::size_t row, std::size_t lane) {
    hn::Store(v, D(), rows + row * kBlockLanes + lane);
}

HWY_INLINE void composeLanes(const Skeleton& skeleton, const std::ptrdiff_t* HWY_RESTRICT starts,
                             const float* HWY_RESTRICT poses, float* HWY_RESTRICT model,
                             std::size_t lane) {
    const D tag;
    const JointId* HWY_RESTRICT parents = skeleton.parents().data();
    const JointDef* HWY_RESTRICT joints = skeleton.definitions().data();
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i) {
        const float* HWY_RESTRICT in = poses + i * 4 * kBlockLanes;
        float* HWY_RESTRICT out = model + i * 7 * kBlockLanes;
        const V bx = load(in, 0, lane), by = load(in, 1, lane);
        const V bz = load(in, 2, lane), bw = load(in, 3, lane);
        V lx, ly, lz;
        if (starts[i] >= 0) {
            lx = load(poses + starts[i], 0, lane);
            ly = load(poses + starts[i], 1, lane);
            lz = load(poses + starts[i], 2, lane);
        } else {
            const Vec3& offset = joints[i].rest.translation;
            lx = hn::Set(tag, static_cast<float>(offset.x));
            ly = hn::Set(tag, static_cast<float>(offset.y));
            lz = hn::Set(tag, static_cast<float>(offset.z));
        }
        if (parents[i] == JointId::None) {
            store(bx, out, 0, lane), store(by, out, 1, lane);
            store(bz, out, 2, lane), store(bw, out, 3, lane);
            store(lx, out, 4, lane), store(ly, out, 5, lane), store(lz, out, 6, lane);
            continue;
        }
        const float* HWY_RESTRICT up = model + index(parents[i]) * 7 * kBlockLanes;
        const V ax = load(up, 0, lane), ay = load(up, 1, lane);
        const V az = load(up, 2, lane), aw = load(up, 3, lane);
        // Orientation: a * b.
        V qx = hn::Mul(aw, bx), qy = hn::Mul(aw, by), qz = hn::Mul(aw, bz), qw = hn::Mul(aw, bw);
        qx = hn::MulAdd(ax, bw, qx), qy = hn::MulAdd(ay, bw, qy), qz = hn::MulAdd(az, bw, qz);
        qw = hn::NegMulAdd(ax, bx, qw);
        qx = hn::MulAdd(ay, bz, qx), qy = hn::MulAdd(az, bx, qy), qz = hn::MulAdd(ax, by, qz);
        qw = hn::NegMulAdd(ay, by, qw);
        qx = hn::NegMulAdd(az, by, qx), qy = hn::NegMulAdd(ax, bz, qy);
        qz = hn::NegMulAdd(ay, bx, qz), qw = hn::NegMulAdd(az, bz, qw);
        store(qx, out, 0, lane), store(qy, out, 1, lane);
        store(qz, out, 2, lane), store(qw, out, 3, lane);
        // Position: l + 2 (w u + a x u) with u = a x l, added to the parent's.
        const V two = hn::Set(tag, 2.0f);
        const V ux = hn::NegMulAdd(az, ly, hn::Mul(ay, lz));
        const V uy = hn::NegMulAdd(ax, lz, hn::Mul(az, lx));
        const V uz = hn::NegMulAdd(ay, lx, hn::Mul(ax, ly));
        V vx = hn::Mul(aw, ux), vy = hn::Mul(aw, uy), vz = hn::Mul(aw, uz);
        vx = hn::MulAdd(ay, uz, vx), vy = hn::MulAdd(az, ux, vy), vz = hn::MulAdd(ax, uy, vz);
        vx = hn::NegMulAdd(az, uy, vx), vy = hn::NegMulAdd(ax, uz, vy);
        vz = hn::NegMulAdd(ay, ux, vz);
        store(hn::MulAdd(two, vx, hn::Add(load(up, 4, lane), lx)), out, 4, lane);
        store(hn::MulAdd(two, vy, hn::Add(load(up, 5, lane), ly)), out, 5, lane);
        store(hn::MulAdd(two, vz, hn::Add(load(up, 6, lane), lz)), out, 6, lane);
    }
}

void composeBlock(const Skeleton& skeleton, const std::ptrdiff_t* starts, const float* poses,
                  float* model) {
    for (std::size_t lane = 0; lane < kBlockLanes; lane += hn::Lanes(D())) {
        composeLanes(skeleton, starts, poses, model, lane);
    }
}

}  // namespace ulna::skeleton::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::skeleton::detail {

HWY_EXPORT(composeBlock);

void composeBlockSimd(const Skeleton& skeleton, const std::vector<std::ptrdiff_t>& starts,
                      const float* poses, float* model) {
    HWY_DYNAMIC_DISPATCH(composeBlock)(skeleton, starts.data(), poses, model);
}

}  // namespace ulna::skeleton::detail
#endif
