// SPDX-License-Identifier: Apache-2.0

// Result<T>: a value, or the error that explains why there is none.
//
// Every function that can fail because of its input returns one; no exception leaves the library.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "ulna/core/assert.h"
#include "ulna/core/diagnostic.h"

namespace ulna {

/// Either a `T` or a `Diagnostic`. It is tested and dereferenced like a pointer. Threads may share
/// one that is const as they may share a const T.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic error) : content_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return content_.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// @pre ok()
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(value()); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    /// @pre !ok()
    [[nodiscard]] const Diagnostic& error() const {
        ULNA_ASSERT(!ok(), "a Result that holds a value has no error");
        return *std::get_if<1>(&content_);
    }

  private:
    T& value() {
        ULNA_ASSERT(ok(), "a Result that holds an error has no value");
        return *std::get_if<0>(&content_);
    }
    const T& value() const {
        ULNA_ASSERT(ok(), "a Result that holds an error has no value");
        return *std::get_if<0>(&content_);
    }

    std::variant<T, Diagnostic> content_;
};

/// Success without a value.
struct Done {};
using Status = Result<Done>;

}  // namespace ulna
