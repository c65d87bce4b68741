// SPDX-License-Identifier: Apache-2.0

// The kernels of kinematics, skinning and states, which know no skeleton. Only device compilers see
// this.
#pragma once

#include "ulna/gpu/detail/kernel/kinematics.h"
#include "ulna/gpu/detail/kernel/skinning.h"
#include "ulna/gpu/detail/kernel/states.h"

#ifdef __CUDACC__

// Blocks of four warps, each with a tile of its own.
extern "C" __global__ void __launch_bounds__(128, 4)
    ulnaTransforms(ulna::gpu::kernel::Transforms all) {
    using namespace ulna::gpu::kernel;
    __shared__ TransformsTile tiles[4];
    const int warp = threadIdx.x / kTogether;
    const long long first = (static_cast<long long>(blockIdx.x) * 4 + warp) * kTogether;
    if (first >= all.count) return;
    Group<TransformsTile, Frame3> group(tiles[warp], threadIdx.x % kTogether);
    computeTransforms(group, all, first);
}

extern "C" __global__ void __launch_bounds__(128) ulnaJacobians(ulna::gpu::kernel::Jacobians all) {
    using namespace ulna::gpu::kernel;
    __shared__ JacobiansTile tiles[4];
    const int warp = threadIdx.x / kTogether;
    const long long first = (static_cast<long long>(blockIdx.x) * 4 + warp) * kTogether;
    if (first >= all.count) return;
    Group<JacobiansTile, Frame3> group(tiles[warp], threadIdx.x % kTogether);
    computeJacobians(group, all, static_cast<int>(blockIdx.y), first);
}

extern "C" __global__ void __launch_bounds__(128)
    ulnaPalette(ulna::gpu::kernel::SkinMesh mesh, ulna::gpu::kernel::SkinTask task) {
    using namespace ulna::gpu::kernel;
    const long long entry = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const long long group = entry / kTogether / (mesh.joints + 1);
    if (group * kTogether >= task.poses) return;
    if (computePalette(mesh, task, entry)) task.stretched[group] = 1;
}

template <bool Dual, int Numbers>
__device__ __forceinline__ void ulnaSkinRow(const ulna::gpu::kernel::SkinMesh& mesh,
                                            const ulna::gpu::kernel::SkinTask& task) {
    using namespace ulna::gpu::kernel;
    __shared__ SkinTile tiles[4];
    const int warp = threadIdx.x / kTogether;
    const int row = static_cast<int>(blockIdx.x) * 4 + warp;
    if (row * kTogether >= mesh.vertices) return;
    Group<SkinTile, SkinCache<Numbers>> group(tiles[warp], threadIdx.x % kTogether);
    skinVertices<Dual>(group, mesh, task, row, static_cast<long long>(blockIdx.y) * kTogether);
}
extern "C" __global__ void __launch_bounds__(128, 4)
    ulnaSkinLinear(ulna::gpu::kernel::SkinMesh mesh, ulna::gpu::kernel::SkinTask task) {
    ulnaSkinRow<false, 12>(mesh, task);
}
extern "C" __global__ void __launch_bounds__(128, 4)
    ulnaSkinDual(ulna::gpu::kernel::SkinMesh mesh, ulna::gpu::kernel::SkinTask task) {
    ulnaSkinRow<true, 8>(mesh, task);
}

extern "C" __global__ void __launch_bounds__(128) ulnaStates(ulna::gpu::kernel::StateMap all) {
    const long long problem = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (problem < all.count) ulna::gpu::kernel::mapState(all, problem);
}

#endif
