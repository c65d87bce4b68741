// SPDX-License-Identifier: Apache-2.0

// A row of four values is one vector. Single values are broadcast from memory, which is free; sums
// of one point's moments alternate between two, so that an addition need not wait for the last.
#include "ulna/fit/detail/fit_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ulna/fit/detail/fit_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace ulna::fit::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX2 && !HWY_ARCH_WASM

using D = hn::FixedTag<double, 4>;
using V = hn::Vec<D>;

struct RowSums {
    V x, y, z;
};

HWY_INLINE void addInfluence(double mass, const Row4& target, const Row4& rest, RowSums& sums) {
    const D tag;
    const V weighed = hn::Mul(hn::Set(tag, mass), hn::LoadU(tag, rest.data()));
    sums.x = hn::MulAdd(hn::Set(tag, target[0]), weighed, sums.x);
    sums.y = hn::MulAdd(hn::Set(tag, target[1]), weighed, sums.y);
    sums.z = hn::MulAdd(hn::Set(tag, target[2]), weighed, sums.z);
}

void pointMoments(const VertexPack& pack, const double* HWY_RESTRICT point_masses,
                  const Row4* HWY_RESTRICT targets, Rows4* HWY_RESTRICT out) {
    const D tag;
    const std::uint32_t* vertex = pack.vertex.data();
    const Row4* rest = pack.rest.data();
    for (std::size_t j = 0; j < pack.points; ++j) {
        const V zero = hn::Zero(tag);
        RowSums even{zero, zero, zero}, odd = even;
        std::size_t k = pack.first_of_point[j];
        const std::size_t end = pack.first_of_point[j + 1];
        for (; k + 1 < end; k += 2) {
            addInfluence(point_masses[k], targets[vertex[k]], rest[vertex[k]], even);
            addInfluence(point_masses[k + 1], targets[vertex[k + 1]], rest[vertex[k + 1]], odd);
        }
        if (k < end) addInfluence(point_masses[k], targets[vertex[k]], rest[vertex[k]], even);
        hn::StoreU(hn::Add(even.x, odd.x), tag, out[j][0].data());
        hn::StoreU(hn::Add(even.y, odd.y), tag, out[j][1].data());
        hn::StoreU(hn::Add(even.z, odd.z), tag, out[j][2].data());
    }
}

Leftover leftover(const VertexPack& pack, std::span<const double> masses,
                  std::span<const Columns4> matrices, std::span<const Row4> targets,
                  std::span<double> distances) {
    const D tag;
    Leftover out;
    double worst2 = -1.0;
    V sum = hn::Zero(tag);
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (!(masses[i] > 0.0)) continue;
        V x = hn::Zero(tag), y = x, z = x, t = x;
        const std::size_t begin = pack.first[i], end = pack.first[i + 1];
        for (std::size_t k = begin; k < end; ++k) {
            const Columns4& matrix = matrices[pack.point[k]];
            const V weight = hn::Set(tag, pack.weight[k]);
            x = hn::MulAdd(weight, hn::LoadU(tag, matrix[0].data()), x);
            y = hn::MulAdd(weight, hn::LoadU(tag, matrix[1].data()), y);
            z = hn::MulAdd(weight, hn::LoadU(tag, matrix[2].data()), z);
            t = hn::MulAdd(weight, hn::LoadU(tag, matrix[3].data()), t);
        }
        const Row4& rest = pack.rest[i];
        V left = hn::Sub(hn::LoadU(tag, targets[i].data()), t);
        left = hn::NegMulAdd(x, hn::Set(tag, rest[0]), left);
        left = hn::NegMulAdd(y, hn::Set(tag, rest[1]), left);
        left = hn::NegMulAdd(z, hn::Set(tag, rest[2]), left);
        if (begin == end) left = hn::LoadU(tag, leftOfIdle(pack, targets[i], i).data());
        const V squares = hn::Mul(left, left);
        sum = hn::MulAdd(hn::Set(tag, masses[i]), squares, sum);
        const double distance2 = hn::GetLane(hn::SumOfLanes(tag, squares));
        if (distance2 > worst2) {
            worst2 = distance2;
            out.worst = i;
        }
        if (!distances.empty()) distances[i] = std::sqrt(distance2);
    }
    out.sum = hn::GetLane(hn::SumOfLanes(tag, sum));
    out.worst_distance = worst2 > 0.0 ? std::sqrt(worst2) : 0.0;
    return out;
}

void subtractProducts(const double* HWY_RESTRICT entries, std::size_t count,
                      const std::uint32_t* HWY_RESTRICT targets, double* HWY_RESTRICT blocks) {
    const D tag;
    for (std::size_t i = 0; i < count; ++i) {
        const V a0 = hn::LoadU(tag, entries + 12 * i);
        const V a1 = hn::LoadU(tag, entries + 12 * i + 4);
        const V a2 = hn::LoadU(tag, entries + 12 * i + 8);
        for (std::size_t k = 0; k <= i; ++k, ++targets) {
            const double* b = entries + 12 * k;
            double* target = blocks + 12 * static_cast<std::size_t>(*targets);
            for (std::size_t c = 0; c < 3; ++c) {
                V sum = hn::LoadU(tag, target + 4 * c);
                sum = hn::NegMulAdd(a0, hn::Set(tag, b[c]), sum);
                sum = hn::NegMulAdd(a1, hn::Set(tag, b[4 + c]), sum);
                sum = hn::NegMulAdd(a2, hn::Set(tag, b[8 + c]), sum);
                hn::StoreU(sum, tag, target + 4 * c);
            }
        }
    }
}

#else  // vectors of two doubles: what compilers make of plain loops

void pointMoments(const VertexPack& pack, const double* point_masses, const Row4* targets,
                  Rows4* out) {
    computePointMoments(pack, {point_masses, pack.vertex.size()}, {targets, pack.vertexCount()},
                        {out, pack.points});
}

Leftover leftover(const VertexPack& pack, std::span<const double> masses,
                  std::span<const Columns4> matrices, std::span<const Row4> targets,
                  std::span<double> distances) {
    return computeLeftover(pack, masses, matrices, targets, distances);
}

void subtractProducts(const double* entries, std::size_t count, const std::uint32_t* targets,
                      double* blocks) {
    for (std::size_t i = 0; i < count; ++i) {
        const double* a = entries + 12 * i;
        for (std::size_t k = 0; k <= i; ++k, ++targets) {
            for (std::size_t c = 0; c < 3; ++c) {
                const double* b = entries + 12 * k + c;
                double* t = blocks + 12 * static_cast<std::size_t>(*targets) + 4 * c;
                for (std::size_t r = 0; r < 4; ++r)
                    t[r] -= a[r] * b[0] + a[4 + r] * b[4] + a[8 + r] * b[8];
            }
        }
    }
}

#endif

}  // namespace ulna::fit::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulna::fit::detail {

HWY_EXPORT(pointMoments);
HWY_EXPORT(leftover);
HWY_EXPORT(subtractProducts);

void computePointMomentsSimd(const VertexPack& pack, std::span<const double> point_masses,
                             std::span<const Row4> targets, std::span<Rows4> out) {
    HWY_DYNAMIC_DISPATCH(pointMoments)
    (pack, point_masses.data(), targets.data(), out.data());
}

Leftover computeLeftoverSimd(const VertexPack& pack, std::span<const double> masses,
                             std::span<const Columns4> matrices, std::span<const Row4> targets,
                             std::span<double> distances) {
    return HWY_DYNAMIC_DISPATCH(leftover)(pack, masses, matrices, targets, distances);
}

void subtractProductsSimd(const double* entries, std::size_t count, const std::uint32_t* targets,
                          double* blocks) {
    HWY_DYNAMIC_DISPATCH(subtractProducts)(entries, count, targets, blocks);
}

}  // namespace ulna::fit::detail
#endif
