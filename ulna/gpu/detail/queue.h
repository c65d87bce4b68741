// SPDX-License-Identifier: Apache-2.0

// What is asked of a GPU, in order, on one stream.
#pragma once

#include <memory>

#include "ulna/gpu/detail/context.h"
#include "ulna/gpu/options.h"

namespace ulna::gpu::detail {

/// @pre of all calls but make: the context is the thread's own (Current).
class Queue {
  public:
    /// A stream of the caller's, or null for the device's default one.
    Queue(std::shared_ptr<Context> context, GpuStream stream)
        : context_(std::move(context)), stream_(static_cast<StreamHandle*>(stream)) {}

    [[nodiscard]] const std::shared_ptr<Context>& context() const { return context_; }
    void setStream(GpuStream stream) { stream_ = static_cast<StreamHandle*>(stream); }

    /// Makes room for the bytes and sends them. What they were copied from may change at once.
    [[nodiscard]] Status copyIn(Buffer& to, const void* from, std::size_t bytes);
    /// Sends bytes to where there is room for them.
    [[nodiscard]] Status send(Address to, const void* from, std::size_t bytes);
    /// Brings bytes back; they are there after wait().
    [[nodiscard]] Status copyOut(void* to, Address from, std::size_t bytes);
    /// Sets bytes to zero.
    [[nodiscard]] Status clear(Address to, std::size_t bytes);
    /// Starts a kernel with these arguments on a grid of `blocks` times `rows` blocks.
    template <class... Arguments>
    [[nodiscard]] Status launch(FunctionHandle* function, std::size_t blocks, std::size_t rows,
                                unsigned threads, const Arguments&... arguments) {
        void* addresses[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
        return start(function, blocks, rows, threads, addresses);
    }
    /// Returns when everything is done.
    [[nodiscard]] Status wait();

  private:
    [[nodiscard]] Status start(FunctionHandle* function, std::size_t blocks, std::size_t rows,
                               unsigned threads, void** arguments);

    std::shared_ptr<Context> context_;
    StreamHandle* stream_;
};

}  // namespace ulna::gpu::detail
