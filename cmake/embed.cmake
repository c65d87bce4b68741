# SPDX-License-Identifier: Apache-2.0

# Packs the files of a folder and writes the table that apps/cli/view/assets.h declares:
#   cmake -DFOLDER=page -DOUT=assets.cpp -P embed.cmake
# The bytes go in by the assembler, which takes no time for them; a compiler would.
cmake_minimum_required(VERSION 3.22)
file(GLOB_RECURSE paths LIST_DIRECTORIES false RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT paths)
if(NOT "index.html" IN_LIST paths)
  message(FATAL_ERROR "'${FOLDER}' is no page: it has no index.html")
endif()
find_program(GZIP gzip REQUIRED)

set(packed ${OUT}.files)
file(REMOVE_RECURSE ${packed})
file(MAKE_DIRECTORY ${packed})
set(bytes "")
set(names "")
set(rows "")
set(number 0)
set(total 0)
foreach(path ${paths})
  # Others would need encoding in URLs.
  if(NOT path MATCHES "^[A-Za-z0-9._/-]+$")
    message(FATAL_ERROR "'${path}' of '${FOLDER}': the names of a page have letters, digits and ._/-")
  endif()
  execute_process(COMMAND ${GZIP} -9nc ${FOLDER}/${path} OUTPUT_FILE ${packed}/${number}.gz
                  COMMAND_ERROR_IS_FATAL ANY)
  file(SIZE ${FOLDER}/${path} size)
  file(SIZE ${packed}/${number}.gz packed_size)
  math(EXPR total "${total} + ${packed_size}")
  file(SHA256 ${FOLDER}/${path} hash)
  string(SUBSTRING ${hash} 0 16 hash)
  set(name ulna_asset_${number})
  string(APPEND bytes "${name}:\n.incbin \"${packed}/${number}.gz\"\n${name}_end:\n")
  string(APPEND names "extern const unsigned char ${name}[], ${name}_end[];\n")
  string(APPEND rows "    {\"${path}\", \"${hash}\", ${name}, ${name}_end, ${size}},\n")
  math(EXPR number "${number} + 1")
endforeach()

file(WRITE ${OUT} "// Written by cmake/embed.cmake.
#include \"apps/cli/view/assets.h\"

asm(R\"(.pushsection .rodata
${bytes}.popsection
)\");

extern \"C\" {
${names}}

namespace ulna::cli {

std::span<const Asset> studioAssets() {
    static const Asset kAssets[] = {
${rows}    };
    return kAssets;
}

}  // namespace ulna::cli
")
math(EXPR total "(${total} + 1023) / 1024")
message("page: ${number} files, ${total} KiB packed")
