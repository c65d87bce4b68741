// SPDX-License-Identifier: Apache-2.0

// The kernels of a batch, loaded on a device.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ulna/gpu/detail/context.h"
#include "ulna/gpu/detail/host_tables.h"
#include "ulna/gpu/options.h"

namespace ulna::gpu::detail {

/// The files of ulna/gpu/detail/kernel, for the compiler at run time.
struct KernelFile {
    const char* name;  // as it is included
    const char* text;
};
[[nodiscard]] std::span<const KernelFile> kernelFiles();

/// The kernels for any mechanism as a fat binary; empty where the library was built without nvcc.
[[nodiscard]] std::span<const std::byte> generalKernels();

class Module {
  public:
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;
    ~Module();

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
    explicit Module(std::shared_ptr<Context> context) : context_(std::move(context)) {}
    [[nodiscard]] Status load(const void* image, const char* suffix);

    std::shared_ptr<Context> context_;
    ModuleHandle* module_ = nullptr;
    FunctionHandle* attempts_ = nullptr;
    FunctionHandle* settle_ = nullptr;
    bool compiled_ = false;
    int resident_blocks_ = 0;
};

}  // namespace ulna::gpu::detail
