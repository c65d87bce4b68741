// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/device.h"

#include "ulna/gpu/detail/context.h"

namespace ulna {

using gpu::detail::Context;
using gpu::detail::Current;
using gpu::detail::Driver;

Result<std::vector<GpuInfo>> findGpus() {
    const Result<const Driver*> driver = gpu::detail::openDriver();
    if (!driver) return driver.error();
    const Driver& d = **driver;
    int count = 0;
    if (const Status s = d.check(d.cuDeviceGetCount(&count), "count its devices"); !s)
        return s.error();
    std::vector<GpuInfo> out;
    for (int i = 0; i < count; ++i) {
        gpu::detail::Device device = 0;
        if (d.cuDeviceGet(&device, i) != 0) continue;
        GpuInfo info;
        info.index = i;
        char name[256] = {};
        d.cuDeviceGetName(name, sizeof name, device);
        info.name = name;
        d.cuDeviceTotalMem_v2(&info.memory, device);
        d.cuDeviceGetAttribute(&info.compute_major, gpu::detail::kComputeMajor, device);
        d.cuDeviceGetAttribute(&info.compute_minor, gpu::detail::kComputeMinor, device);
        d.cuDeviceGetAttribute(&info.multiprocessors, gpu::detail::kMultiprocessors, device);
        d.cuDriverGetVersion(&info.driver_version);
        info.compiles = gpu::detail::openCompiler().ok();
        out.push_back(std::move(info));
    }
    return out;
}

Status waitForStream(int device, GpuStream stream) {
    const Result<std::shared_ptr<Context>> context = Context::open(device);
    if (!context) return context.error();
    const Current current(**context);
    const Driver& d = (*context)->driver();
    return d.check(d.cuStreamSynchronize(static_cast<gpu::detail::StreamHandle*>(stream)),
                   "end its work");
}

GpuMemory::~GpuMemory() {
    if (address_ == 0) return;
    const Current current(*context_);
    context_->driver().cuMemFree_v2(address_);
}

Result<GpuMemory> GpuMemory::make(int device, std::size_t bytes) {
    Result<std::shared_ptr<Context>> context = Context::open(device);
    if (!context) return context.error();
    GpuMemory out;
    out.context_ = *std::move(context);
    const Current current(*out.context_);
    const Driver& d = out.context_->driver();
    if (bytes > 0) {
        if (const Status s = d.check(d.cuMemAlloc_v2(&out.address_, bytes), "find enough memory");
            !s)
            return s.error();
    }
    out.device_ = device;
    out.bytes_ = bytes;
    return out;
}

Status GpuMemory::write(const void* from) {
    if (bytes_ == 0) return Done{};
    const Current current(*context_);
    const Driver& d = context_->driver();
    if (const Status s =
            d.check(d.cuMemcpyHtoDAsync_v2(address_, from, bytes_, nullptr), "take an array");
        !s)
        return s.error();
    return d.check(d.cuStreamSynchronize(nullptr), "take an array");
}

Status GpuMemory::read(void* to) const {
    if (bytes_ == 0) return Done{};
    const Current current(*context_);
    const Driver& d = context_->driver();
    if (const Status s =
            d.check(d.cuMemcpyDtoHAsync_v2(to, address_, bytes_, nullptr), "give an array back");
        !s)
        return s.error();
    return d.check(d.cuStreamSynchronize(nullptr), "give an array back");
}

}  // namespace ulna
