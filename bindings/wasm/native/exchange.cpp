// SPDX-License-Identifier: Apache-2.0
#include "bindings/wasm/native/exchange.h"

#include <algorithm>
#include <cstring>

#include "bindings/wasm/native/protocol.h"
#include "ulna/core/version.h"

#ifdef __EMSCRIPTEN__
/// Of engine.js: whether to go on.
extern "C" __attribute__((import_module("ulna"), import_name("progress"))) int ulna_progress(
    double fraction);
#else
static int ulna_progress(double) {
    return 1;
}
#endif

namespace ulna::engine {
namespace {

std::vector<double> input;
std::string reply;

// Beyond this a file's bytes are handed back when something small is asked for next.
constexpr std::size_t kKeptNumbers = std::size_t{1} << 17;

}  // namespace

double* inputNumbers(std::size_t count) {
    if (input.size() < count) input.resize(std::max(count, 2 * input.size()));
    return input.data();
}

char* inputBytes(std::size_t count) {
    const std::size_t numbers = (count + sizeof(double) - 1) / sizeof(double);
    if (input.size() < numbers) {
        // Not grown but made anew: the old contents of a byte input are nobody's.
        input = std::vector<double>();
        input.resize(numbers);
    }
    return reinterpret_cast<char*>(input.data());
}

void clearReply() {
    reply.clear();
}

void put(double number) {
    putBytes(&number, sizeof number);
}

void put(std::string_view text) {
    put(static_cast<double>(text.size()));
    putBytes(text.data(), text.size());
}

void put(const Vec3& v) {
    for (std::size_t i = 0; i < 3; ++i) put(v[i]);
}

void put(const Quat& q) {
    put(q.vector());
    put(q.w);
}

void putBytes(const void* data, std::size_t bytes) {
    if (bytes > 0) reply.append(static_cast<const char*>(data), bytes);
}

void putNumbers(std::span<const double> numbers) {
    put(static_cast<double>(numbers.size()));
    putBytes(numbers.data(), numbers.size_bytes());
}

void putPose(const Pose& pose) {
    put(static_cast<double>(pose.parent_from_joint.size() * kPoseStride));
    for (const Trs& t : pose.parent_from_joint) {
        put(t.translation);
        put(t.rotation);
        put(t.scale);
    }
}

void putAddress(const void* address) {
    put(static_cast<double>(reinterpret_cast<std::uintptr_t>(address)));
}

void fail(const Diagnostic& error) {
    clearReply();
    put(error);
}

std::optional<Pose> Reader::pose() {
    const std::size_t numbers = size();
    if (numbers == 0) return {};
    Pose out;
    out.parent_from_joint.resize(numbers / kPoseStride);
    readPose(*this, out);
    return out;
}

void readPose(std::size_t first, Pose& pose) {
    Reader in(first);
    readPose(in, pose);
}

void readPose(Reader& in, Pose& pose) {
    for (Trs& t : pose.parent_from_joint) {
        t.translation = in.vec3();
        t.rotation = in.quat();
        t.scale = in.vec3();
    }
}

void writePose(const Pose& pose, std::size_t first) {
    double* to = inputNumbers(first + pose.parent_from_joint.size() * kPoseStride) + first;
    for (const Trs& t : pose.parent_from_joint) {
        std::memcpy(to, &t.translation, sizeof t.translation);
        std::memcpy(to + 3, &t.rotation, sizeof t.rotation);
        std::memcpy(to + 7, &t.scale, sizeof t.scale);
        to += kPoseStride;
    }
}

/// Room for so many bytes, whose contents are nobody's until they are written.
ULNA_EXPORT(char*, inputRoom)(std::size_t bytes) {
    if (input.size() > kKeptNumbers && bytes < kKeptNumbers) input = std::vector<double>();
    return inputBytes(bytes);
}

/// What is there now: answers that came in the input.
ULNA_EXPORT(const double*, inputData)() {
    return input.data();
}

ULNA_EXPORT(const char*, replyData)() {
    return reply.data();
}

ULNA_EXPORT(std::size_t, replySize)() {
    return reply.size();
}

/// A long reply's memory is not kept.
ULNA_EXPORT(void, replyDone)() {
    if (reply.capacity() > kKeptNumbers) reply = std::string();
}

ULNA_EXPORT(void, engineVersion)() {
    clearReply();
    put(std::string_view(version()));
}

bool tellProgress(double fraction) {
    return ulna_progress(fraction) != 0;
}

}  // namespace ulna::engine
