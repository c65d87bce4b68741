// SPDX-License-Identifier: Apache-2.0

// Tables on their way to a device: many arrays in one piece of its memory.
#pragma once

#include <span>
#include <vector>

#include "ulna/gpu/detail/queue.h"

namespace ulna::gpu::detail {

class Upload {
  public:
    /// Adds an array; returns where it will be in the piece.
    template <class T>
    std::size_t add(const std::vector<T>& rows) {
        const std::size_t at = (bytes_.size() + 15) / 16 * 16;
        const auto own = std::as_bytes(std::span(rows));
        bytes_.resize(at);
        bytes_.insert(bytes_.end(), own.begin(), own.end());
        return at;
    }
    /// Sends everything, and returns when it is there.
    [[nodiscard]] Status send(Queue& queue, Buffer& to) const {
        if (const Status s = queue.copyIn(to, bytes_.data(), bytes_.size()); !s) return s.error();
        return queue.wait();
    }
    template <class T>
    [[nodiscard]] static const T* at(const Buffer& buffer, std::size_t offset) {
        return reinterpret_cast<const T*>(buffer.address() + offset);
    }

  private:
    std::vector<std::byte> bytes_;
};

}  // namespace ulna::gpu::detail
