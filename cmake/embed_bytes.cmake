# SPDX-License-Identifier: Apache-2.0

# cmake -DFILE=... -DOUT=... -P embed_bytes.cmake: assets/human.poses as a source file.
# Whole words compile quicker than bytes; the file is padded to them.
file(SIZE ${FILE} size)
file(READ ${FILE} hex HEX)
math(EXPR rest "(8 - ${size} % 8) % 8")
string(REPEAT "00" ${rest} padding)
string(REGEX REPLACE "(..)(..)(..)(..)(..)(..)(..)(..)" "0x\\8\\7\\6\\5\\4\\3\\2\\1," words "${hex}${padding}")
file(WRITE ${OUT} "// Made from assets/human.poses.
#include \"ulna/ik/detail/human_poses.h\"

#include <cstdint>

namespace ulna::ik::detail {
namespace {
constexpr std::uint64_t kWords[] = {${words}};
}  // namespace

std::span<const std::byte> humanPoses() {
    return std::as_bytes(std::span(kWords)).first(${size});
}

}  // namespace ulna::ik::detail
")
