// SPDX-License-Identifier: Apache-2.0
#include "support/bvh_texts.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace ulna::test {

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string out(text);
    const std::size_t at = out.find(from);
    if (at == std::string::npos) std::abort();
    return out.replace(at, from.size(), to);
}

std::string repeated(char c, std::size_t count) {
    return std::string(count, c);
}

io::BvhFile mustRead(std::string_view text, const io::BvhReadOptions& options) {
    Result<io::BvhFile> file = io::readBvh(text, "test.bvh", options);
    if (file) return *std::move(file);
    ADD_FAILURE() << describe(file.error());
    return {};
}

io::BvhMotion mustInterpret(std::string_view text, const io::BvhMotionOptions& options) {
    Result<io::BvhMotion> motion = io::toMotion(mustRead(text), options);
    if (motion) return *std::move(motion);
    ADD_FAILURE() << describe(motion.error());
    return {};
}

std::string errorOf(std::string_view text, const io::BvhReadOptions& options) {
    const Result<io::BvhFile> file = io::readBvh(text, "test.bvh", options);
    if (!file) return describe(file.error());
    ADD_FAILURE() << "the text was read";
    return {};
}

std::string lines(const Warnings& warnings) {
    std::string out;
    for (const Diagnostic& warning : warnings) out += describe(warning) + '\n';
    return out;
}

}  // namespace ulna::test
