// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/detail/context.h"

namespace ulna::gpu::detail {

Result<std::shared_ptr<Context>> Context::open(int index) {
    const Result<const Driver*> driver = openDriver();
    if (!driver) return driver.error();
    const Driver& d = **driver;
    int count = 0;
    if (const Status s = d.check(d.cuDeviceGetCount(&count), "count its devices"); !s)
        return s.error();
    if (index < 0 || index >= count)
        return Diagnostic{
            .what = "there is no GPU " + std::to_string(index) + " here",
            .advice = count == 0 ? "there is none" : "they are 0 to " + std::to_string(count - 1)};
    Device device = 0;
    ContextHandle* handle = nullptr;
    if (const Status s = d.check(d.cuDeviceGet(&device, index), "be opened"); !s) return s.error();
    if (const Status s = d.check(d.cuDevicePrimaryCtxRetain(&handle, device), "make a context"); !s)
        return s.error();
    return std::make_shared<Context>(d, device, handle);
}

Context::~Context() {
    driver_->cuDevicePrimaryCtxRelease_v2(device_);
}

int Context::attribute(int which) const {
    int value = 0;
    driver_->cuDeviceGetAttribute(&value, which, device_);
    return value;
}

Status Buffer::grow(const std::shared_ptr<Context>& context, std::size_t bytes) {
    if (bytes <= bytes_) return Done{};
    release();
    const Current current(*context);
    const Driver& d = context->driver();
    if (const Status s = d.check(d.cuMemAlloc_v2(&address_, bytes), "find enough memory"); !s) {
        address_ = 0;
        return s.error();
    }
    context_ = context;
    bytes_ = bytes;
    return Done{};
}

void Buffer::release() {
    if (address_ == 0) return;
    const Current current(*context_);
    context_->driver().cuMemFree_v2(address_);
    address_ = 0;
    bytes_ = 0;
}

}  // namespace ulna::gpu::detail
