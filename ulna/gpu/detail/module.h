// SPDX-License-Identifier: Apache-2.0

// The kernels of a batch, loaded on a device.
#pragma once

#include <memory>
#include <string>

#include "ulna/gpu/detail/code.h"
#include "ulna/gpu/detail/host_tables.h"
#include "ulna/gpu/options.h"

namespace ulna::gpu::detail {

class Module {
  public:
    /// Compiles kernels for these tables, or takes the general ones; `message` says why it did not
    /// compile.
    [[nodiscard]] static Result<std::unique_ptr<Module>> make(
        const std::shared_ptr<Context>& context, const HostTables& tables,
        const GpuOptions& options, std::string& message);

    [[nodiscard]] FunctionHandle* attempts() const { return attempts_; }
    [[nodiscard]] FunctionHandle* settle() const { return settle_; }
    [[nodiscard]] bool isCompiled() const { return compiled_; }
    /// How many blocks of attempts the device holds at once.
    [[nodiscard]] int residentBlocks() const { return resident_blocks_; }

    static constexpr unsigned kThreads = 128;  // of a block

  private:
    Module() = default;
    [[nodiscard]] Status take(const Context& context, Code code, const std::string& suffix);

    Code code_;
    FunctionHandle* attempts_ = nullptr;
    FunctionHandle* settle_ = nullptr;
    bool compiled_ = false;
    int resident_blocks_ = 0;
};

}  // namespace ulna::gpu::detail
