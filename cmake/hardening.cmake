# SPDX-License-Identifier: Apache-2.0

# What users get is hardened: a canary below the arrays of the stack, checked copies in the C library,
# addresses that differ from run to run, and tables of functions that cannot be written. And it has no path
# of the machine that built it, so that two folders give the same bytes. Our own builds for tests are not
# Release, and a project that contains Ulna has flags of its own.
set(release OFF)
if(PROJECT_IS_TOP_LEVEL AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT EMSCRIPTEN AND NOT ULNA_SANITIZE)
  set(release ON)
endif()
option(ULNA_HARDEN "Stack protector, checked C library, full RELRO, PIE, no paths (Linux, g++ or clang++)" ${release})

if(ULNA_HARDEN)
  # Without the first, a compiler that defines it by itself warns.
  add_compile_options(-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  # The last one that fits is taken, and the build is often inside the source.
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
  add_link_options(-Wl,-z,relro,-z,now)
  include(CheckPIESupported)
  check_pie_supported()
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
