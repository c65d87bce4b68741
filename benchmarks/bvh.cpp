// SPDX-License-Identifier: Apache-2.0

// Reading BVH: file to arrays of double, with assimp beside it, and the heap it takes.
#include <malloc.h>

#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>

#include "benchmarks/harness.h"
#include "ulna/io/bvh.h"
#include "ulna/math/random.h"

namespace {

// Bytes on the heap through operator new, now and at most.
std::atomic<std::size_t> g_heap{0};
std::atomic<std::size_t> g_peak{0};

void* counted(std::size_t size) {
    void* memory = std::malloc(size);
    if (memory == nullptr) throw std::bad_alloc();
    const std::size_t now = g_heap += malloc_usable_size(memory);
    if (now > g_peak) g_peak = now;
    return memory;
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(size);
}
void operator delete(void* memory) noexcept {
    g_heap -= malloc_usable_size(memory);
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    ::operator delete(memory);
}

namespace ulna::bench {
namespace {

// A clip of a 22-joint figure with six decimals, as capture software writes them.
std::string writeClip(const std::string& path, double megabytes) {
    Random random(1);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) std::abort();
    std::string text =
        "HIERARCHY\nROOT J0\n{\n\tOFFSET 0.000000 0.000000 0.000000\n\tCHANNELS 6 Xposition "
        "Yposition "
        "Zposition Zrotation Yrotation Xrotation\n";
    constexpr int kJoints = 22;
    for (int i = 1; i < kJoints; ++i) {
        text += "\tJOINT J" + std::to_string(i) +
                "\n\t{\n\tOFFSET 0.000000 5.210000 0.000000\n\tCHANNELS 3 Zrotation Yrotation "
                "Xrotation\n";
    }
    text += "\tEnd Site\n\t{\n\tOFFSET 0.000000 5.000000 0.000000\n\t}\n";
    for (int i = 0; i < kJoints; ++i) text += "}\n";
    constexpr int kChannels = 3 * kJoints + 3;
    const auto frames = static_cast<long>(megabytes * 1e6 / (kChannels * 10.6));
    text += "MOTION\nFrames: " + std::to_string(frames) + "\nFrame Time: 0.008333\n";
    char number[64];
    for (long f = 0; f < frames; ++f) {
        for (int c = 0; c < kChannels; ++c) {
            std::snprintf(number, sizeof number, "%.6f ", random.between(-180.0, 180.0));
            text += number;
        }
        text.back() = '\n';
        if (text.size() > 1 << 20) {
            std::fwrite(text.data(), 1, text.size(), file);
            text.clear();
        }
    }
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
    return path;
}

void printSpeed(const Candidate& c, double reference) {
    std::printf("  %-44s %9.1f MB/s %12.2f x\n", c.name.c_str(), 1e-6 / c.best, reference / c.best);
}

}  // namespace

void benchBvh() {
    const std::string folder = std::filesystem::temp_directory_path().string();
    const std::string small = writeClip(folder + "/ulna_bench_20.bvh", 20.0);
    const std::string large = writeClip(folder + "/ulna_bench_100.bvh", 100.0);
    const auto bytes = [](const std::string& path) {
        return static_cast<double>(std::filesystem::file_size(path));
    };
    const auto ours = [](const std::string& path) {
        const Result<io::BvhFile> file = io::loadBvh(path);
        if (!file || file->values.empty()) std::abort();
        keep(file->values[0]);
    };
    std::vector<Candidate> candidates = {
        {"ulna, file to arrays of double", [&] { ours(small); }, bytes(small)},
        {"assimp",
         [&] {
             Assimp::Importer importer;
             const aiScene* scene = importer.ReadFile(small, 0);
             if (scene == nullptr || scene->mNumAnimations == 0) std::abort();
             keep(*scene);
         },
         bytes(small)}};
    compete(candidates, 5, 0.05);
    std::printf("\nReading a BVH of %.0f MB (aim: 450 MB/s, 10 times assimp)\n",
                bytes(small) / 1e6);
    for (const Candidate& c : candidates) printSpeed(c, candidates[1].best);

    std::vector<Candidate> whole = {
        {"ulna, file to arrays of double", [&] { ours(large); }, bytes(large)}};
    compete(whole, 7, 0.05);
    std::printf("\nReading a BVH of %.0f MB\n", bytes(large) / 1e6);
    std::printf("  %-44s %9.1f MB/s\n", whole[0].name.c_str(), 1e-6 / whole[0].best);
    const std::size_t before = g_heap;
    g_peak = before;
    const Result<io::BvhFile> file = io::loadBvh(large);
    const double numbers = static_cast<double>(file->values.size() * sizeof(double));
    std::printf("  peak heap %.1f MB for %.1f MB of numbers: %.3f x (aim: 2)\n",
                static_cast<double>(g_peak - before) / 1e6, numbers / 1e6,
                static_cast<double>(g_peak - before) / numbers);
    std::filesystem::remove(small);
    std::filesystem::remove(large);
}

}  // namespace ulna::bench
