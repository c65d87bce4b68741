// SPDX-License-Identifier: Apache-2.0

// The NVIDIA GPUs of this machine, and arrays in their memory.
//
// The driver is opened when it is first asked for. Where there is none, everything here says so in
// a Result, and nothing else of the library changes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ulna/core/assert.h"
#include "ulna/core/result.h"
#include "ulna/gpu/options.h"

namespace ulna {

namespace gpu::detail {
class Context;
}  // namespace gpu::detail

struct GpuInfo {
    int index = 0;
    std::string name;
    std::size_t memory = 0;  ///< bytes
    int compute_major = 0, compute_minor = 0;
    int multiprocessors = 0;
    int driver_version = 0;  ///< of CUDA that the driver supports, such as 12040
    bool compiles = false;   ///< NVRTC is here: batches have kernels of their own
};

/// The GPUs that the driver can use. An error says why there are none.
[[nodiscard]] Result<std::vector<GpuInfo>> findGpus();

/// Returns when a stream of a device has done what it was asked; null is its default stream.
[[nodiscard]] Status waitForStream(int device, GpuStream stream);

/// Memory of a GPU. Movable; frees itself when it goes, once the device has done what it was asked.
class GpuMemory {
  public:
    GpuMemory() = default;
    GpuMemory(GpuMemory&& other) noexcept { *this = std::move(other); }
    GpuMemory& operator=(GpuMemory&& other) noexcept {
        std::swap(context_, other.context_);
        std::swap(device_, other.device_);
        std::swap(address_, other.address_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    GpuMemory(const GpuMemory&) = delete;
    GpuMemory& operator=(const GpuMemory&) = delete;
    ~GpuMemory();

    [[nodiscard]] static Result<GpuMemory> make(int device, std::size_t bytes);
    /// Copies all bytes in or out, after what the device's default stream was asked before.
    [[nodiscard]] Status write(const void* from);
    [[nodiscard]] Status read(void* to) const;

    [[nodiscard]] int device() const { return device_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// As the device counts.
    [[nodiscard]] unsigned long long address() const { return address_; }

  private:
    std::shared_ptr<gpu::detail::Context> context_;  // with which the memory would go
    int device_ = 0;
    unsigned long long address_ = 0;
    std::size_t bytes_ = 0;
};

/// Numbers in the memory of a GPU. For one thread at a time.
template <class T>
class GpuArrayOf {
  public:
    GpuArrayOf() = default;

    /// Room for `size` numbers, which hold anything.
    [[nodiscard]] static Result<GpuArrayOf> make(int device, std::size_t size) {
        Result<GpuMemory> memory = GpuMemory::make(device, size * sizeof(T));
        if (!memory) return memory.error();
        return GpuArrayOf(*std::move(memory));
    }
    /// The same with these values.
    [[nodiscard]] static Result<GpuArrayOf> make(int device, std::span<const T> values) {
        Result<GpuArrayOf> out = make(device, values.size());
        if (!out) return out;
        if (const Status s = out->memory_.write(values.data()); !s) return s.error();
        return out;
    }
    /// Copies the array out. @pre out.size() == size()
    [[nodiscard]] Status read(std::span<T> out) const {
        ULNA_ASSERT(out.size() == size(), "an array is read into as many numbers as it has");
        return memory_.read(out.data());
    }

    [[nodiscard]] int device() const { return memory_.device(); }
    [[nodiscard]] std::size_t size() const { return memory_.bytes() / sizeof(T); }
    /// As the device counts; other libraries for GPUs take it.
    [[nodiscard]] T* data() { return reinterpret_cast<T*>(memory_.address()); }
    [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(memory_.address()); }

  private:
    explicit GpuArrayOf(GpuMemory memory) : memory_(std::move(memory)) {}
    GpuMemory memory_;
};
using GpuArray = GpuArrayOf<double>;
using GpuFloats = GpuArrayOf<float>;

}  // namespace ulna
