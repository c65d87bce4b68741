// SPDX-License-Identifier: Apache-2.0

// One GPU in use: its context, memory that is freed by itself, and kernels.
#pragma once

#include <memory>
#include <utility>

#include "ulna/gpu/detail/driver.h"

namespace ulna::gpu::detail {

/// The primary context of a device, which it shares with other libraries of the program.
class Context {
  public:
    [[nodiscard]] static Result<std::shared_ptr<Context>> open(int device);
    Context(const Driver& driver, Device device, ContextHandle* handle)
        : driver_(&driver), device_(device), handle_(handle) {}
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context();

    [[nodiscard]] const Driver& driver() const { return *driver_; }
    [[nodiscard]] Device device() const { return device_; }
    [[nodiscard]] ContextHandle* handle() const { return handle_; }
    [[nodiscard]] int attribute(int which) const;

  private:
    const Driver* driver_;
    Device device_;
    ContextHandle* handle_;
};

/// Makes a context the thread's own while it lives.
class Current {
  public:
    explicit Current(const Context& context) : driver_(context.driver()) {
        driver_.cuCtxPushCurrent_v2(context.handle());
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    ~Current() {
        ContextHandle* before = nullptr;
        driver_.cuCtxPopCurrent_v2(&before);
    }

  private:
    const Driver& driver_;
};

/// Memory of a device that only grows.
class Buffer {
  public:
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { release(); }

    /// Room for as many bytes; what was in it is lost where it grows.
    [[nodiscard]] Status grow(const std::shared_ptr<Context>& context, std::size_t bytes);
    [[nodiscard]] Address address() const { return address_; }
    template <class T>
    [[nodiscard]] T* as() const {
        return reinterpret_cast<T*>(address_);
    }

  private:
    void release();
    std::shared_ptr<Context> context_;
    Address address_ = 0;
    std::size_t bytes_ = 0;
};

// Of CUdevice_attribute.
inline constexpr int kMultiprocessors = 16;
inline constexpr int kComputeMajor = 75;
inline constexpr int kComputeMinor = 76;

}  // namespace ulna::gpu::detail
