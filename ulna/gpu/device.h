// SPDX-License-Identifier: Apache-2.0

// The NVIDIA GPUs of this machine, and arrays in their memory.
//
// The driver is opened when it is first asked for. Where there is none, everything here says so in
// a Result, and nothing else of the library changes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ulna/core/result.h"

namespace ulna {

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

/// Doubles in the memory of a GPU. Movable; frees its memory when it goes. For one thread at a
/// time.
class GpuArray {
  public:
    GpuArray() = default;
    GpuArray(GpuArray&& other) noexcept { *this = std::move(other); }
    GpuArray& operator=(GpuArray&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(address_, other.address_);
        std::swap(size_, other.size_);
        return *this;
    }
    GpuArray(const GpuArray&) = delete;
    GpuArray& operator=(const GpuArray&) = delete;
    ~GpuArray();

    /// Room for `size` doubles, which hold anything.
    [[nodiscard]] static Result<GpuArray> make(int device, std::size_t size);
    /// The same with these values.
    [[nodiscard]] static Result<GpuArray> make(int device, std::span<const double> values);
    /// Copies the array out. @pre out.size() == size()
    [[nodiscard]] Status read(std::span<double> out) const;

    [[nodiscard]] std::size_t size() const { return size_; }
    /// As the device counts; other libraries for GPUs take it.
    [[nodiscard]] double* data() { return reinterpret_cast<double*>(address_); }
    [[nodiscard]] const double* data() const { return reinterpret_cast<const double*>(address_); }

  private:
    int device_ = 0;
    unsigned long long address_ = 0;
    std::size_t size_ = 0;
};

}  // namespace ulna
