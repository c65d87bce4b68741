// SPDX-License-Identifier: Apache-2.0

// How the engine and engine.js talk: plain functions over numbers, and two pieces of memory. What
// crosses is written down in protocol.mjs, and protocol.h is made from it.
//
// Input is room that JavaScript asks for and fills before a call: numbers as doubles, or bytes.
// Poses that a call changes go back where they were. Reply is what the call answers beyond one
// number: engine.js reads it at once, before the next call. Objects live behind pointers that
// engine.js keeps to itself, checks before use and hands to `...Free` once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/pose.h"

/// Makes a function one of the module's exports, under its own name: for the memory itself. Calls
/// are exported by protocol.cpp.
#define ULNA_EXPORT(type, name) extern "C" __attribute__((export_name(#name))) type name

namespace ulna::engine {

/// The numbers of a pose as JavaScript has them: translation, rotation, scale.
inline constexpr std::size_t kPoseStride = 10;

/// Room for so many numbers or bytes; what was there before is kept.
[[nodiscard]] double* inputNumbers(std::size_t count);
[[nodiscard]] char* inputBytes(std::size_t count);

/// The numbers of the input in order.
class Reader {
  public:
    explicit Reader(std::size_t first = 0) : at_(inputNumbers(first) + first) {}

    double number() { return *at_++; }
    bool flag() { return number() != 0.0; }
    int integer() { return static_cast<int>(number()); }
    std::size_t size() { return static_cast<std::size_t>(number()); }
    JointId joint() { return static_cast<JointId>(integer()); }
    Vec3 vec3() {
        const double x = number(), y = number(), z = number();
        return {x, y, z};
    }
    Quat quat() {
        const Vec3 v = vec3();
        return {v.x, v.y, v.z, number()};
    }
    std::span<const double> numbers(std::size_t count) {
        at_ += count;
        return {at_ - count, count};
    }
    /// What stands behind the numbers read so far.
    const char* bytes() const { return reinterpret_cast<const char*>(at_); }
    /// How many numbers, then these; nothing where there are none.
    std::optional<Pose> pose();

  private:
    const double* at_;
};

/// Begins a reply.
void clearReply();
void put(double number);
void put(std::string_view text);
void put(const Vec3& v);
void put(const Quat& q);
void putBytes(const void* data, std::size_t bytes);
/// How many numbers, then these.
void putNumbers(std::span<const double> numbers);
void putPose(const Pose& pose);
/// Where something is in the engine's memory.
void putAddress(const void* address);
template <class T>
void putArray(const std::vector<T>& values) {
    putBytes(values.data(), values.size() * sizeof(T));
}

/// A reply that is nothing but an error; engine.js knows it by the call's answer of 0.
void fail(const Diagnostic& error);

/// Tells engine.js how far a long call is, as a Progress does.
[[nodiscard]] bool tellProgress(double fraction);

/// How many numbers a pose has in the input.
[[nodiscard]] inline std::size_t numbersOf(const Pose& pose) {
    return pose.parent_from_joint.size() * kPoseStride;
}
/// A pose from the input, from its n-th number on or where a reader is, and back there.
void readPose(std::size_t first, Pose& pose);
void readPose(Reader& in, Pose& pose);
void writePose(const Pose& pose, std::size_t first);

}  // namespace ulna::engine
