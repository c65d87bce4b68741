// SPDX-License-Identifier: Apache-2.0

// Random numbers that depend on a seed alone: the same on every machine, compiler and run.
#pragma once

#include <cstdint>

#include "ulna/math/quat.h"
#include "ulna/math/vec.h"

namespace ulna {

/// The SplitMix64 generator (Steele, Lea & Flood 2014): a counter put through a mixing function.
/// For one thread at a time.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    [[nodiscard]] std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }
    /// Uniform in [0, 1).
    [[nodiscard]] double unit() { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }
    /// Uniform in [low, high).
    [[nodiscard]] double between(double low, double high) { return low + (high - low) * unit(); }
    /// Uniform in 0 .. count - 1. @pre count > 0
    [[nodiscard]] std::uint64_t below(std::uint64_t count) { return bits() % count; }
    /// Uniform on the unit sphere.
    [[nodiscard]] Vec3 direction() {
        const double z = between(-1.0, 1.0);
        const double angle = between(-kPi, kPi);
        const double r = std::sqrt(1.0 - z * z);
        return {r * std::cos(angle), r * std::sin(angle), z};
    }
    /// Uniform over all rotations (Shoemake 1992).
    [[nodiscard]] Quat rotation() {
        const double u = unit();
        const double a = between(-kPi, kPi);
        const double b = between(-kPi, kPi);
        const double r = std::sqrt(1.0 - u);
        const double s = std::sqrt(u);
        return {r * std::sin(a), r * std::cos(a), s * std::sin(b), s * std::cos(b)};
    }

  private:
    std::uint64_t state_;
};

}  // namespace ulna
