// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/detail/queue.h"

namespace ulna::gpu::detail {

Status Queue::copyIn(Buffer& to, const void* from, std::size_t bytes) {
    if (const Status s = to.grow(context_, bytes); !s) return s.error();
    return send(to.address(), from, bytes);
}

Status Queue::send(Address to, const void* from, std::size_t bytes) {
    if (bytes == 0) return Done{};
    const Driver& d = context_->driver();
    return d.check(d.cuMemcpyHtoDAsync_v2(to, from, bytes, stream_), "take an array");
}

Status Queue::copyOut(void* to, Address from, std::size_t bytes) {
    if (bytes == 0) return Done{};
    const Driver& d = context_->driver();
    return d.check(d.cuMemcpyDtoHAsync_v2(to, from, bytes, stream_), "give an array back");
}

Status Queue::clear(Address to, std::size_t bytes) {
    if (bytes == 0) return Done{};
    const Driver& d = context_->driver();
    return d.check(d.cuMemsetD8Async(to, 0, bytes, stream_), "clear an array");
}

Status Queue::wait() {
    const Driver& d = context_->driver();
    return d.check(d.cuStreamSynchronize(stream_), "end its work");
}

Status Queue::start(FunctionHandle* function, std::size_t blocks, std::size_t rows,
                    unsigned threads, void** arguments) {
    if (blocks == 0 || rows == 0) return Done{};
    const Driver& d = context_->driver();
    return d.check(
        d.cuLaunchKernel(function, static_cast<unsigned>(blocks), static_cast<unsigned>(rows), 1,
                         threads, 1, 1, 0, stream_, arguments, nullptr),
        "start a kernel");
}

}  // namespace ulna::gpu::detail
