// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/detail/driver.h"

#ifdef __linux__
#include <dlfcn.h>
#endif

#include <initializer_list>

namespace ulna::gpu::detail {
namespace {

constexpr const char* kFallback = "solveIkBatch solves the same problems on the processor";

// The first of these libraries that is there.
void* openLibrary([[maybe_unused]] std::initializer_list<const char*> names) {
#ifdef __linux__
    for (const char* name : names) {
        if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    }
#endif
    return nullptr;
}

template <class F>
bool take([[maybe_unused]] void* library, [[maybe_unused]] const char* name, F& out) {
#ifdef __linux__
    out = reinterpret_cast<F>(dlsym(library, name));
#endif
    return out != nullptr;
}

Result<Driver> loadDriver() {
    void* library = openLibrary({"libcuda.so.1", "libcuda.so"});
    if (library == nullptr)
        return Diagnostic{.what = "there is no NVIDIA driver (libcuda.so.1) on this machine",
                          .advice = kFallback};
    Driver d = {};
    bool all = true;
#define ULNA_TAKE(name) all = take(library, #name, d.name) && all
    ULNA_TAKE(cuInit);
    ULNA_TAKE(cuDriverGetVersion);
    ULNA_TAKE(cuGetErrorString);
    ULNA_TAKE(cuDeviceGetCount);
    ULNA_TAKE(cuDeviceGet);
    ULNA_TAKE(cuDeviceGetName);
    ULNA_TAKE(cuDeviceTotalMem_v2);
    ULNA_TAKE(cuDeviceGetAttribute);
    ULNA_TAKE(cuDevicePrimaryCtxRetain);
    ULNA_TAKE(cuDevicePrimaryCtxRelease_v2);
    ULNA_TAKE(cuCtxPushCurrent_v2);
    ULNA_TAKE(cuCtxPopCurrent_v2);
    ULNA_TAKE(cuModuleLoadData);
    ULNA_TAKE(cuModuleUnload);
    ULNA_TAKE(cuModuleGetFunction);
    ULNA_TAKE(cuOccupancyMaxActiveBlocksPerMultiprocessor);
    ULNA_TAKE(cuMemAlloc_v2);
    ULNA_TAKE(cuMemFree_v2);
    ULNA_TAKE(cuMemGetInfo_v2);
    ULNA_TAKE(cuMemcpyHtoDAsync_v2);
    ULNA_TAKE(cuMemcpyDtoHAsync_v2);
    ULNA_TAKE(cuMemsetD8Async);
    ULNA_TAKE(cuLaunchKernel);
    ULNA_TAKE(cuStreamCreate);
    ULNA_TAKE(cuStreamDestroy_v2);
    ULNA_TAKE(cuStreamSynchronize);

#undef ULNA_TAKE
    if (!all)
        return Diagnostic{.what = "the NVIDIA driver of this machine is too old",
                          .advice = kFallback};
    if (d.cuInit(0) != 0)
        return Diagnostic{.what = "the NVIDIA driver found no GPU that it can use",
                          .advice = kFallback};
    return d;
}

Result<Compiler> loadCompiler() {
    void* library = openLibrary({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                 "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"});
    Compiler c = {};
    bool all = library != nullptr;
    if (all) {
        all = take(library, "nvrtcVersion", c.nvrtcVersion) &&
              take(library, "nvrtcCreateProgram", c.nvrtcCreateProgram) &&
              take(library, "nvrtcCompileProgram", c.nvrtcCompileProgram) &&
              take(library, "nvrtcGetProgramLogSize", c.nvrtcGetProgramLogSize) &&
              take(library, "nvrtcGetProgramLog", c.nvrtcGetProgramLog) &&
              take(library, "nvrtcGetCUBINSize", c.nvrtcGetCUBINSize) &&
              take(library, "nvrtcGetCUBIN", c.nvrtcGetCUBIN) &&
              take(library, "nvrtcDestroyProgram", c.nvrtcDestroyProgram);
    }
    if (!all)
        return Diagnostic{.what = "there is no NVRTC (libnvrtc.so) on this machine",
                          .advice = "it comes with the CUDA toolkit"};
    return c;
}

}  // namespace

Status Driver::check(Error error, const char* what) const {
    if (error == 0) return Done{};
    const char* text = nullptr;
    cuGetErrorString(error, &text);
    return Diagnostic{.what = std::string("the GPU could not ") + what,
                      .text = text != nullptr ? text : "unknown error"};
}

Result<const Driver*> openDriver() {
    static const Result<Driver> driver = loadDriver();
    if (!driver) return driver.error();
    return &*driver;
}

Result<const Compiler*> openCompiler() {
    static const Result<Compiler> compiler = loadCompiler();
    if (!compiler) return compiler.error();
    return &*compiler;
}

}  // namespace ulna::gpu::detail
