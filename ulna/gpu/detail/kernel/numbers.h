// SPDX-License-Identifier: Apache-2.0

// Vectors, frames, functions and random numbers of the GPU's kernels, for every compiler that they
// are made by (gpu/detail/kernel/solve.h), in float and in double.
#pragma once

#ifdef __CUDACC__
#define ULNA_GPU_FUNCTION __device__ __forceinline__
#else
#include <cmath>
#define ULNA_GPU_FUNCTION inline
#endif

namespace ulna::gpu::kernel {

/// An index that is a constant.
template <int I>
struct Int {
    static constexpr int value = I;
    ULNA_GPU_FUNCTION constexpr operator int() const { return I; }
};

template <class S>
struct V3 {
    S x, y, z;
};
template <class S>
ULNA_GPU_FUNCTION V3<S> operator+(const V3<S>& a, const V3<S>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
ULNA_GPU_FUNCTION V3<S> operator-(const V3<S>& a, const V3<S>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S>
ULNA_GPU_FUNCTION V3<S> operator*(const V3<S>& a, S s) {
    return {a.x * s, a.y * s, a.z * s};
}
template <class S>
ULNA_GPU_FUNCTION S dot(const V3<S>& a, const V3<S>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
ULNA_GPU_FUNCTION V3<S> cross(const V3<S>& a, const V3<S>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
ULNA_GPU_FUNCTION V3<S> vector(const double* v) {
    return {S(v[0]), S(v[1]), S(v[2])};
}

ULNA_GPU_FUNCTION V3<float> vector(const float* v) {
    return {v[0], v[1], v[2]};
}

template <class S>
struct Frame {
    V3<S> x, y, z, p;
    ULNA_GPU_FUNCTION V3<S> direction(const V3<S>& v) const { return x * v.x + y * v.y + z * v.z; }
    // Of numbers that never change, of which many are 0: a product with 0 is not left out by
    // itself.
    ULNA_GPU_FUNCTION V3<S> direction(const double* v) const {
        V3<S> out = {S(0), S(0), S(0)};
        if (v[0] != 0) out = x * S(v[0]);
        if (v[1] != 0) out = v[0] != 0 ? out + y * S(v[1]) : y * S(v[1]);
        if (v[2] != 0) out = v[0] != 0 || v[1] != 0 ? out + z * S(v[2]) : z * S(v[2]);
        return out;
    }
};

/// Four numbers that are read and written at once.
struct alignas(16) Four {
    float x, y, z, w;
};

// ---- what float and double compute differently

ULNA_GPU_FUNCTION void sineCosine(float angle, float& s, float& c) {
#ifdef __CUDACC__
    // The fast functions are good to 5e-7 on half a revolution; two parts of 2 pi reach farther.
    const float turns = rintf(angle * 0.15915494f);
    const float r = fmaf(turns, 1.7484556e-7f, fmaf(turns, -6.2831855f, angle));
    __sincosf(r, &s, &c);
#else
    s = std::sin(angle);
    c = std::cos(angle);
#endif
}
ULNA_GPU_FUNCTION void sineCosine(double angle, double& s, double& c) {
#ifdef __CUDACC__
    sincos(angle, &s, &c);
#else
    s = std::sin(angle);
    c = std::cos(angle);
#endif
}
/// Sine and cosine to 1e-7 for angles up to 2500 revolutions, by the same operations everywhere.
/// What is left of a quarter of a revolution, which is taken off in three parts whose products are
/// exact, goes into Taylor's series: their next terms are below 4e-9.
ULNA_GPU_FUNCTION void exactSineCosine(float angle, float& s, float& c) {
#ifdef __CUDACC__
    const float quarters = rintf(angle * 0.63661977f);
#else
    const float quarters = std::nearbyint(angle * 0.63661977f);
#endif
    float r = angle - quarters * 1.5703125f;
    r = r - quarters * 4.8351287841796875e-4f;
    r = r - quarters * 3.1391647e-7f;
    const float r2 = r * r;
    const float sine = r + r * r2 *
                               (-1.6666667e-1f +
                                r2 * (8.3333333e-3f + r2 * (-1.9841270e-4f + r2 * 2.7557319e-6f)));
    const float cosine =
        1.0f +
        r2 * (-0.5f + r2 * (4.1666667e-2f +
                            r2 * (-1.3888889e-3f + r2 * (2.4801587e-5f + r2 * -2.7557319e-7f))));
    const float bounded = quarters < 1e9f && quarters > -1e9f ? quarters : 0.0f;
    const int quadrant = static_cast<int>(bounded);
    s = (quadrant & 1) != 0 ? cosine : sine;
    c = (quadrant & 1) != 0 ? sine : cosine;
    if ((quadrant & 2) != 0) s = -s;
    if (((quadrant + 1) & 2) != 0) c = -c;
}
ULNA_GPU_FUNCTION float inverseRoot(float x) {
#ifdef __CUDACC__
    return rsqrtf(x);
#else
    return 1.0f / std::sqrt(x);
#endif
}
ULNA_GPU_FUNCTION double inverseRoot(double x) {
#ifdef __CUDACC__
    return 1.0 / ::sqrt(x);
#else
    return 1.0 / std::sqrt(x);
#endif
}
template <class S>
ULNA_GPU_FUNCTION S root(S x) {
    return x > S(0) ? x * inverseRoot(x) : S(0);
}
template <class S>
ULNA_GPU_FUNCTION S least(S a, S b) {
    return a < b ? a : b;
}
template <class S>
ULNA_GPU_FUNCTION S most(S a, S b) {
    return a > b ? a : b;
}
ULNA_GPU_FUNCTION double arcTangent(double y, double x) {
#ifdef __CUDACC__
    return ::atan2(y, x);
#else
    return std::atan2(y, x);
#endif
}
ULNA_GPU_FUNCTION float arcTangent(float y, float x) {
#ifdef __CUDACC__
    return ::atan2f(y, x);
#else
    return std::atan2(y, x);
#endif
}

// ---- random numbers of a problem's own

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014): the mixer.
ULNA_GPU_FUNCTION unsigned long long mixBits(unsigned long long x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}
ULNA_GPU_FUNCTION unsigned long long bitsOf(double x) {
#ifdef __CUDACC__
    return static_cast<unsigned long long>(__double_as_longlong(x));
#else
    unsigned long long bits;
    static_assert(sizeof bits == sizeof x);
    __builtin_memcpy(&bits, &x, sizeof x);
    return bits;
#endif
}
/// In [0, 1), from the upper bits: the same in float and double.
ULNA_GPU_FUNCTION float unitOf(unsigned long long bits) {
    return static_cast<float>(bits >> 40) * (1.0f / 16777216.0f);
}

}  // namespace ulna::gpu::kernel
