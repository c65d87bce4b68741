// SPDX-License-Identifier: Apache-2.0

// NVIDIA's driver and run-time compiler, opened when they are first asked for: the library neither
// needs them to be built nor to start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ulna/core/result.h"

namespace ulna::gpu::detail {

using Device = int;
using Error = int;  // 0 is success
using Address = unsigned long long;
struct ContextHandle;
struct ModuleHandle;
struct FunctionHandle;
struct StreamHandle;
struct CompilerHandle;

/// The functions of libcuda that are used here, by their own names.
struct Driver {
    Error (*cuInit)(unsigned flags);
    Error (*cuDriverGetVersion)(int* version);
    Error (*cuGetErrorString)(Error error, const char** text);
    Error (*cuDeviceGetCount)(int* count);
    Error (*cuDeviceGet)(Device* device, int ordinal);
    Error (*cuDeviceGetName)(char* name, int length, Device device);
    Error (*cuDeviceTotalMem_v2)(std::size_t* bytes, Device device);
    Error (*cuDeviceGetAttribute)(int* value, int attribute, Device device);
    Error (*cuDevicePrimaryCtxRetain)(ContextHandle** context, Device device);
    Error (*cuDevicePrimaryCtxRelease_v2)(Device device);
    Error (*cuCtxPushCurrent_v2)(ContextHandle* context);
    Error (*cuCtxPopCurrent_v2)(ContextHandle** context);
    Error (*cuModuleLoadData)(ModuleHandle** module, const void* image);
    Error (*cuModuleUnload)(ModuleHandle* module);
    Error (*cuModuleGetFunction)(FunctionHandle** function, ModuleHandle* module, const char* name);
    Error (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int* blocks, FunctionHandle* function,
                                                         int threads, std::size_t shared_bytes);
    Error (*cuMemAlloc_v2)(Address* address, std::size_t bytes);
    Error (*cuMemFree_v2)(Address address);
    Error (*cuMemGetInfo_v2)(std::size_t* free, std::size_t* total);
    Error (*cuMemcpyHtoDAsync_v2)(Address to, const void* from, std::size_t bytes,
                                  StreamHandle* stream);
    Error (*cuMemcpyDtoHAsync_v2)(void* to, Address from, std::size_t bytes, StreamHandle* stream);
    Error (*cuMemsetD8Async)(Address to, unsigned char value, std::size_t bytes,
                             StreamHandle* stream);
    Error (*cuLaunchKernel)(FunctionHandle* function, unsigned grid_x, unsigned grid_y,
                            unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                            unsigned shared_bytes, StreamHandle* stream, void** arguments,
                            void** extra);
    Error (*cuStreamCreate)(StreamHandle** stream, unsigned flags);
    Error (*cuStreamDestroy_v2)(StreamHandle* stream);
    Error (*cuStreamSynchronize)(StreamHandle* stream);

    /// An error of the driver as ours: what was tried, and what the driver says.
    [[nodiscard]] Status check(Error error, const char* what) const;
};

/// The functions of libnvrtc.
struct Compiler {
    Error (*nvrtcVersion)(int* major, int* minor);
    Error (*nvrtcCreateProgram)(CompilerHandle** program, const char* source, const char* name,
                                int headers, const char* const* texts, const char* const* names);
    Error (*nvrtcCompileProgram)(CompilerHandle* program, int count, const char* const* options);
    Error (*nvrtcGetProgramLogSize)(CompilerHandle* program, std::size_t* bytes);
    Error (*nvrtcGetProgramLog)(CompilerHandle* program, char* text);
    Error (*nvrtcGetCUBINSize)(CompilerHandle* program, std::size_t* bytes);
    Error (*nvrtcGetCUBIN)(CompilerHandle* program, char* bytes);
    Error (*nvrtcDestroyProgram)(CompilerHandle** program);
};

/// The driver, initialised; or why there is none.
[[nodiscard]] Result<const Driver*> openDriver();
/// The compiler; or why there is none.
[[nodiscard]] Result<const Compiler*> openCompiler();

}  // namespace ulna::gpu::detail
