# SPDX-License-Identifier: Apache-2.0

# Flags for every target of this build. Nothing here is imposed on users of the library.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# The same bytes from every compiler: no fused multiply-add behind our back.
add_compile_options(-ffp-contract=off)

if(ULNA_DEVELOPER)
  add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    add_compile_options(-Wno-restrict)  # false alarms on std::string at -O3: GCC bug 105651
  endif()
  find_program(CCACHE ccache)
  if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  endif()
endif()

if(ULNA_SANITIZE)
  add_compile_options(-fsanitize=${ULNA_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ULNA_SANITIZE})
endif()
