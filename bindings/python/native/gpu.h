// SPDX-License-Identifier: Apache-2.0

// Arrays in the memory of a GPU, which Python's other libraries have or take: by DLPack and by
// __cuda_array_interface__.
#pragma once

#include "bindings/python/native/common.h"
#include "ulna/gpu/device.h"

namespace ulna::python {

/// An array of ours, as Python holds it. Its memory lives as long as anybody uses it.
struct GpuArrayObject {
    std::shared_ptr<const GpuMemory> memory;
    std::string type;  ///< as NumPy names it, such as "<f8"
    std::vector<py::ssize_t> shape;
};
template <class T>
[[nodiscard]] const char* typeName();
template <>
inline const char* typeName<double>() {
    return "<f8";
}
template <>
inline const char* typeName<std::int32_t>() {
    return "<i4";
}
template <>
inline const char* typeName<bool>() {
    return "|b1";
}

/// Doubles of somebody's on a device, in C order; `owner` keeps them.
struct DeviceDoubles {
    const double* data = nullptr;
    std::vector<py::ssize_t> shape = {};
    std::shared_ptr<void> owner = nullptr;
};

/// The device that "cuda" or "cuda:1" names; none for "cpu". ValueError for other words.
[[nodiscard]] std::optional<int> deviceOf(const std::string& word);
/// Whether an object lies on a GPU, and on which.
[[nodiscard]] std::optional<int> deviceOf(const py::object& value);

/// Doubles on a device: those of an object that lies there, which are ready when this returns, or
/// a copy of an array of NumPy. Raises where an object lies elsewhere, has other numbers, or a
/// shape that is none of `shapes` (kAny is any length, which is then set for all).
[[nodiscard]] DeviceDoubles doublesOnDevice(const py::object& value, const char* what, int device,
                                            const std::vector<std::vector<py::ssize_t>>& shapes);

/// New memory with room for so many numbers.
template <class T>
[[nodiscard]] std::shared_ptr<GpuMemory> newOnDevice(int device, std::size_t count) {
    return std::make_shared<GpuMemory>(take(GpuMemory::make(device, count * sizeof(T))));
}
template <class T>
[[nodiscard]] py::object arrayOnDevice(std::shared_ptr<const GpuMemory> memory,
                                       std::vector<py::ssize_t> shape) {
    return py::cast(GpuArrayObject{std::move(memory), typeName<T>(), std::move(shape)});
}

}  // namespace ulna::python
