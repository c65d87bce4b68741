// SPDX-License-Identifier: Apache-2.0

// What the readers of surfaces gave, as tests look at it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "ulna/io/mesh_files.h"

namespace ulna::test {

inline io::MeshFile must(Result<io::MeshFile> file) {
    EXPECT_TRUE(file.ok()) << describe(file.error());
    return file.ok() ? *std::move(file) : io::MeshFile{};
}

inline std::string errorOf(const Result<io::MeshFile>& file) {
    EXPECT_FALSE(file.ok());
    return file.ok() ? "" : describe(file.error());
}

inline std::string warningsOf(const io::MeshFile& file) {
    std::string out;
    for (const Diagnostic& warning : file.warnings) out += describe(warning) + "\n";
    return out;
}

}  // namespace ulna::test
