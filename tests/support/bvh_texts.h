// SPDX-License-Identifier: Apache-2.0

// Small BVH texts, and the reading of them, for tests.
#pragma once

#include <string>
#include <string_view>

#include "ulna/io/bvh.h"

namespace ulna::test {

/// Two joints and an End Site: Hips (6 channels, zxy) over Knee (3 channels, zxy), two frames.
inline constexpr std::string_view kPlainBvh =
    "HIERARCHY\n"
    "ROOT Hips\n"
    "{\n"
    "\tOFFSET 0 0 0\n"
    "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "\tJOINT Knee\n"
    "\t{\n"
    "\t\tOFFSET 0 -4 0\n"
    "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "\t\tEnd Site\n"
    "\t\t{\n"
    "\t\t\tOFFSET 0 -3 1\n"
    "\t\t}\n"
    "\t}\n"
    "}\n"
    "MOTION\n"
    "Frames: 2\n"
    "Frame Time: 0.025\n"
    "0 9 0 0 0 0 0 0 0\n"
    "1 9.5 -2 10 20 30 -5 40.25 1e-2\n";

/// `text` with the first `from` made `to`; aborts when there is none.
std::string replaced(std::string_view text, std::string_view from, std::string_view to);

/// `count` times `c`. (A function of its own because GCC 12 sees overflows in string sums that it
/// can fold.)
std::string repeated(char c, std::size_t count);

/// The file, or a failure of the running test and an empty file.
io::BvhFile mustRead(std::string_view text, const io::BvhReadOptions& options = {});
io::BvhMotion mustInterpret(std::string_view text, const io::BvhMotionOptions& options = {});

/// The error of a text that must not read, as one line; a failure of the running test when it
/// reads.
std::string errorOf(std::string_view text, const io::BvhReadOptions& options = {});

/// All warnings, one per line.
std::string lines(const Warnings& warnings);

}  // namespace ulna::test
