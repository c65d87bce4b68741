// SPDX-License-Identifier: Apache-2.0

// A stand-in for NVIDIA's driver and run-time compiler (libcuda.so.1, libnvrtc.so.13), so that
// everything around the kernels is tested on machines without a card: its memory is the
// processor's, and a launch runs the kernels' own source there.
//
// It is as strict as a driver: memory and streams go with the last who keeps the context, and
// nothing but the context itself is done without one. It is as lazy as a driver may be: what is
// asked of a stream is done when somebody waits for it, so that a result that is read too early is
// the poison that new memory is filled with.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ulna/gpu/detail/kernel/batch.h"
#include "ulna/gpu/detail/kernel/kinematics.h"
#include "ulna/gpu/detail/kernel/skinning.h"
#include "ulna/gpu/detail/kernel/states.h"
#include "ulna/gpu/detail/kernel/tables.h"

namespace {

using namespace ulna::gpu::kernel;
using Error = int;
using Address = unsigned long long;

constexpr Error kDone = 0, kInvalid = 1, kNoMemory = 2, kNoContext = 201, kBadHandle = 400,
                kNotFound = 500;
constexpr std::size_t kMemory = std::size_t{1} << 32;

struct Machine {
    std::map<void*, std::vector<std::function<void()>>> waiting;  // per stream
    std::map<Address, std::size_t> memory;
    std::size_t used = 0;
    std::map<void*, int> launches;  // per stream
    std::set<void*> streams = {nullptr};
    int kept = 0;     // how often the context is
    int current = 0;  // how often it was made the thread's own
};
Machine& machine() {
    static Machine one;
    return one;
}

// The default stream has handles of its own too, for the whole program and for a thread.
void* plain(void* stream) {
    return reinterpret_cast<std::uintptr_t>(stream) <= 2 ? nullptr : stream;
}

// Whether there are such a stream, and such memory, in the thread's context.
Error judge(void* stream) {
    if (machine().kept == 0 || machine().current == 0) return kNoContext;
    return machine().streams.contains(plain(stream)) ? kDone : kBadHandle;
}
Error judge(void* stream, Address address, std::size_t bytes) {
    if (const Error error = judge(stream); error != kDone) return error;
    auto after = machine().memory.upper_bound(address);
    if (after == machine().memory.begin()) return kInvalid;
    const auto& [begin, size] = *std::prev(after);
    return address + bytes <= begin + size ? kDone : kInvalid;
}

void finish(void* stream) {
    stream = plain(stream);
    std::vector<std::function<void()>> work;
    work.swap(machine().waiting[stream]);
    for (const auto& each : work) each();
}
void finishAll() {
    for (auto& [stream, work] : machine().waiting) finish(stream);
}
// The default stream waits for all others, and they for it.
void ask(void* stream, std::function<void()> work) {
    stream = plain(stream);
    for (auto& [other, own] : machine().waiting)
        if (other != stream && (stream == nullptr || other == nullptr)) finish(other);
    machine().waiting[stream].push_back(std::move(work));
}

template <class T>
T* pointer(Address address) {
    return reinterpret_cast<T*>(address);
}
template <class T>
T argument(void** arguments, int i) {
    T out;
    std::memcpy(&out, arguments[i], sizeof out);
    return out;
}

// ---- the kernels; arguments are copied when they are asked for

using Kernel = std::function<void()> (*)(void** arguments);

std::function<void()> attempts(void** a) {
    return [tables = argument<Tables>(a, 0), all = argument<Problems>(a, 1),
            wave = argument<Wave>(a, 2)] {
        const LargeTables program(tables);
        Worker<LargeTables> worker(program, all, wave);
        for (long long slot = 0; slot < wave.problems * wave.width; ++slot) {
            if (!worker.begin(slot)) continue;
            while (worker.step()) continue;
        }
    };
}
std::function<void()> settled(void** a) {
    return [tables = argument<Tables>(a, 0), all = argument<Problems>(a, 1),
            wave = argument<Wave>(a, 2), answers = argument<Answers>(a, 3),
            left = argument<int*>(a, 4), count = argument<int*>(a, 5)] {
        const LargeTables program(tables);
        for (long long place = 0; place < wave.problems; ++place) {
            if (!settle(program, all, wave, answers, place))
                left[(*count)++] =
                    wave.list != nullptr ? wave.list[place] : static_cast<int>(place);
        }
    };
}
std::function<void()> transforms(void** a) {
    return [all = argument<Transforms>(a, 0)] {
        for (long long first = 0; first < all.count; first += kTogether) {
            TransformsTile tile;
            Group<TransformsTile, Frame3> group(tile);
            computeTransforms(group, all, first);
        }
    };
}
std::function<void()> jacobians(void** a) {
    return [all = argument<Jacobians>(a, 0)] {
        for (int point = 0; point < all.points; ++point) {
            for (long long first = 0; first < all.count; first += kTogether) {
                JacobiansTile tile;
                Group<JacobiansTile, Frame3> group(tile);
                computeJacobians(group, all, point, first);
            }
        }
    };
}
std::function<void()> palette(void** a) {
    return [mesh = argument<SkinMesh>(a, 0), task = argument<SkinTask>(a, 1)] {
        const long long groups = (task.poses + kTogether - 1) / kTogether;
        const long long each = kTogether * (mesh.joints + 1);
        for (long long entry = 0; entry < groups * each; ++entry) {
            if (computePalette(mesh, task, entry)) task.stretched[entry / each] = 1;
        }
    };
}
template <bool Dual, int Numbers>
std::function<void()> skin(void** a) {
    return [mesh = argument<SkinMesh>(a, 0), task = argument<SkinTask>(a, 1)] {
        for (int row = 0; row * kTogether < mesh.vertices; ++row) {
            for (long long pose = 0; pose < task.poses; pose += kTogether) {
                SkinTile tile;
                Group<SkinTile, SkinCache<Numbers>> group(tile);
                skinVertices<Dual>(group, mesh, task, row, pose);
            }
        }
    };
}
std::function<void()> states(void** a) {
    return [all = argument<StateMap>(a, 0)] {
        for (long long i = 0; i < all.count; ++i) mapState(all, i);
    };
}

struct Named {
    const char* name;
    Kernel kernel;
};
// Programs of a skeleton's own are run by their tables.
constexpr Named kKernels[] = {{"ulnaAttempts", attempts},      {"ulnaSettle", settled},
                              {"ulnaTransforms", transforms},  {"ulnaJacobians", jacobians},
                              {"ulnaPalette", palette},        {"ulnaSkinLinear", skin<false, 12>},
                              {"ulnaSkinDual", skin<true, 8>}, {"ulnaStates", states}};

}  // namespace

extern "C" {

Error cuInit(unsigned) {
    return kDone;
}
Error cuDriverGetVersion(int* version) {
    *version = 12000;
    return kDone;
}
Error cuGetErrorString(Error error, const char** text) {
    *text = error == kNoMemory ? "out of memory" : "invalid argument";
    return kDone;
}
Error cuDeviceGetCount(int* count) {
    *count = 1;
    return kDone;
}
Error cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return ordinal == 0 ? kDone : kInvalid;
}
Error cuDeviceGetName(char* name, int length, int) {
    std::strncpy(name, "Stand-in", static_cast<std::size_t>(length));
    return kDone;
}
Error cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = kMemory;
    return kDone;
}
Error cuDeviceGetAttribute(int* value, int attribute, int) {
    *value = attribute == 75 ? 9 : attribute == 16 ? 2 : 0;
    return kDone;
}
Error cuDevicePrimaryCtxRetain(void** context, int) {
    *context = &machine();
    ++machine().kept;
    return kDone;
}
Error cuDevicePrimaryCtxRelease_v2(int) {
    if (--machine().kept > 0) return kDone;
    machine().waiting.clear();
    for (const auto& [address, size] : machine().memory) std::free(pointer<void>(address));
    machine().memory.clear();
    machine().used = 0;
    for (void* stream : machine().streams) std::free(stream);
    machine().streams = {nullptr};
    return kDone;
}
Error cuCtxPushCurrent_v2(void*) {
    ++machine().current;
    return kDone;
}
Error cuCtxPopCurrent_v2(void** context) {
    *context = &machine();
    --machine().current;
    return kDone;
}
Error cuModuleLoadData(void** module, const void*) {
    *module = &machine();
    return kDone;
}
Error cuModuleUnload(void*) {
    return kDone;
}
Error cuModuleGetFunction(void** function, void*, const char* name) {
    for (const Named& named : kKernels) {
        if (std::string(name).starts_with(named.name)) {
            *function = const_cast<Named*>(&named);
            return kDone;
        }
    }
    return kNotFound;
}
Error cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int, std::size_t) {
    *blocks = 1;
    return kDone;
}
Error cuMemAlloc_v2(Address* address, std::size_t bytes) {
    if (const Error error = judge(nullptr); error != kDone) return error;
    if (bytes == 0) return kInvalid;
    if (machine().used + bytes > kMemory) return kNoMemory;
    void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(memory, 0xcd, bytes);
    *address = reinterpret_cast<Address>(memory);
    machine().memory[*address] = bytes;
    machine().used += bytes;
    return kDone;
}
Error cuMemFree_v2(Address address) {
    if (const Error error = judge(nullptr); error != kDone) return error;
    finishAll();
    const auto at = machine().memory.find(address);
    if (at == machine().memory.end()) return kInvalid;
    machine().used -= at->second;
    machine().memory.erase(at);
    std::free(pointer<void>(address));
    return kDone;
}
Error cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    if (const Error error = judge(nullptr); error != kDone) return error;
    *free = kMemory - machine().used;
    *total = kMemory;
    return kDone;
}
Error cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, void* stream) {
    if (const Error error = judge(stream, to, bytes); error != kDone) return error;
    const auto* begin = static_cast<const char*>(from);
    ask(stream, [to, copy = std::vector<char>(begin, begin + bytes)] {
        std::memcpy(pointer<char>(to), copy.data(), copy.size());
    });
    return kDone;
}
Error cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void* stream) {
    if (const Error error = judge(stream, from, bytes); error != kDone) return error;
    ask(stream, [=] { std::memcpy(to, pointer<char>(from), bytes); });
    return kDone;
}
Error cuMemsetD8Async(Address to, unsigned char value, std::size_t bytes, void* stream) {
    if (const Error error = judge(stream, to, bytes); error != kDone) return error;
    ask(stream, [=] { std::memset(pointer<char>(to), value, bytes); });
    return kDone;
}
Error cuLaunchKernel(void* function, unsigned, unsigned rows, unsigned, unsigned, unsigned,
                     unsigned, unsigned, void* stream, void** arguments, void**) {
    if (rows > 65535) return kInvalid;
    if (const Error error = judge(stream); error != kDone) return error;
    ask(stream, static_cast<const Named*>(function)->kernel(arguments));
    ++machine().launches[stream];
    return kDone;
}
Error cuStreamCreate(void** stream, unsigned) {
    if (const Error error = judge(nullptr); error != kDone) return error;
    *stream = std::malloc(1);
    machine().streams.insert(*stream);
    return kDone;
}
Error cuStreamDestroy_v2(void* stream) {
    if (const Error error = judge(stream); error != kDone) return error;
    finish(stream);
    machine().streams.erase(stream);
    machine().waiting.erase(stream);
    machine().launches.erase(stream);
    std::free(stream);
    return kDone;
}
Error cuStreamSynchronize(void* stream) {
    if (const Error error = judge(stream); error != kDone) return error;
    finish(stream);
    return kDone;
}
/// How many kernels were started on a stream: tests ask.
int ulnaStandInLaunches(void* stream) {
    return machine().launches[stream];
}

Error nvrtcVersion(int* major, int* minor) {
    *major = 13, *minor = 0;
    return kDone;
}
Error nvrtcCreateProgram(void** program, const char*, const char*, int, const char* const*,
                         const char* const*) {
    *program = &machine();
    return kDone;
}
Error nvrtcCompileProgram(void*, int, const char* const*) {
    return kDone;
}
Error nvrtcGetProgramLogSize(void*, std::size_t* bytes) {
    *bytes = 0;
    return kDone;
}
Error nvrtcGetProgramLog(void*, char*) {
    return kDone;
}
Error nvrtcGetCUBINSize(void*, std::size_t* bytes) {
    *bytes = 1;
    return kDone;
}
Error nvrtcGetCUBIN(void*, char* bytes) {
    *bytes = 0;
    return kDone;
}
Error nvrtcDestroyProgram(void**) {
    return kDone;
}

}  // extern "C"
