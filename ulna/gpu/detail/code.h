// SPDX-License-Identifier: Apache-2.0

// Machine code for a GPU: what NVRTC makes of a source, or what came with the library.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ulna/gpu/detail/context.h"

namespace ulna::gpu::detail {

/// The files of ulna/gpu/detail/kernel, for the compiler at run time.
struct KernelFile {
    const char* name;  // as it is included
    const char* text;
};
[[nodiscard]] std::span<const KernelFile> kernelFiles();

/// The kernels that know no skeleton as a fat binary; empty where the library was built without
/// nvcc.
[[nodiscard]] std::span<const std::byte> generalKernels();

/// Code that is loaded on a device, until it goes.
class Code {
  public:
    Code() = default;
    Code(Code&& other) noexcept { *this = std::move(other); }
    Code& operator=(Code&& other) noexcept {
        std::swap(context_, other.context_);
        std::swap(module_, other.module_);
        return *this;
    }
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;
    ~Code();

    /// Compiles a source that includes kernelFiles().
    [[nodiscard]] static Result<Code> compile(const std::shared_ptr<Context>& context,
                                              const std::string& source);
    [[nodiscard]] static Result<Code> load(const std::shared_ptr<Context>& context,
                                           const void* image);
    /// The kernels that came with the library or, where there are none, this source compiled.
    [[nodiscard]] static Result<Code> loadOrCompile(const std::shared_ptr<Context>& context,
                                                    const std::string& source);
    [[nodiscard]] Result<FunctionHandle*> find(const std::string& name) const;

  private:
    std::shared_ptr<Context> context_;
    ModuleHandle* module_ = nullptr;
};

}  // namespace ulna::gpu::detail
