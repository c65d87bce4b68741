// SPDX-License-Identifier: Apache-2.0

// What the tests of a card have in common: its own functions, by name.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <vector>

#include "ulna/gpu/device.h"

namespace ulna::test {

/// A function of the driver that the library has opened.
template <class F>
F* driverFunction(const char* name) {
    return reinterpret_cast<F*>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

/// The card's context as the thread's own while it lives, which functions of the driver need.
class OnCard {
  public:
    OnCard() {
        driverFunction<int(unsigned)>("cuInit")(0);
        driverFunction<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context_, 0);
        EXPECT_EQ(driverFunction<int(void*)>("cuCtxPushCurrent_v2")(context_), 0);
    }
    OnCard(const OnCard&) = delete;
    OnCard& operator=(const OnCard&) = delete;
    ~OnCard() {
        void* before = nullptr;
        driverFunction<int(void**)>("cuCtxPopCurrent_v2")(&before);
        driverFunction<int(int)>("cuDevicePrimaryCtxRelease_v2")(0);
    }

  private:
    void* context_ = nullptr;
};

inline std::size_t freeMemory() {
    const OnCard card;
    std::size_t free = 0, total = 0;
    driverFunction<int(std::size_t*, std::size_t*)>("cuMemGetInfo_v2")(&free, &total);
    return free;
}

/// A stream of the driver's, until it goes. The card's context is kept as long.
class Stream {
  public:
    Stream() {
        const OnCard card;
        driverFunction<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context_, 0);
        EXPECT_EQ(driverFunction<int(void**, unsigned)>("cuStreamCreate")(&handle_, kNonBlocking),
                  0);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() {
        const OnCard card;
        driverFunction<int(void*)>("cuStreamDestroy_v2")(handle_);
        driverFunction<int(int)>("cuDevicePrimaryCtxRelease_v2")(0);
    }
    [[nodiscard]] void* handle() const { return handle_; }
    void wait() const {
        const OnCard card;
        EXPECT_EQ(driverFunction<int(void*)>("cuStreamSynchronize")(handle_), 0);
    }
    /// How many kernels were started on it; -1 where the driver cannot say: a real one.
    [[nodiscard]] int launches() const {
        auto* count = driverFunction<int(void*)>("ulnaStandInLaunches");
        return count == nullptr ? -1 : count(handle_);
    }

  private:
    static constexpr unsigned kNonBlocking = 1;
    void* context_ = nullptr;
    void* handle_ = nullptr;
};

template <class T>
std::vector<T> valuesOf(const GpuArrayOf<T>& array) {
    std::vector<T> out(array.size());
    EXPECT_TRUE(array.read(out));
    return out;
}

/// What it holds, or the test ends.
template <class T>
T must(Result<T> result) {
    if (!result) throw std::runtime_error(describe(result.error()));
    return *std::move(result);
}

}  // namespace ulna::test
