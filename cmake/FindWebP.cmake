# SPDX-License-Identifier: Apache-2.0

# libwebp and libwebpmux, which Debian has without a package for CMake: WebP::webp and WebP::webpmux.
include(FindPackageHandleStandardArgs)
find_path(WebP_INCLUDE_DIR webp/mux.h)
find_library(WebP_LIBRARY webp)
find_library(WebP_MUX_LIBRARY webpmux)
mark_as_advanced(WebP_INCLUDE_DIR WebP_LIBRARY WebP_MUX_LIBRARY)
find_package_handle_standard_args(WebP REQUIRED_VARS WebP_LIBRARY WebP_MUX_LIBRARY WebP_INCLUDE_DIR)
if(WebP_FOUND AND NOT TARGET WebP::webp)
  add_library(WebP::webp UNKNOWN IMPORTED)
  set_target_properties(WebP::webp PROPERTIES IMPORTED_LOCATION ${WebP_LIBRARY}
                                              INTERFACE_INCLUDE_DIRECTORIES ${WebP_INCLUDE_DIR})
  add_library(WebP::webpmux UNKNOWN IMPORTED)
  set_target_properties(WebP::webpmux PROPERTIES IMPORTED_LOCATION ${WebP_MUX_LIBRARY}
                                                 INTERFACE_LINK_LIBRARIES WebP::webp)
endif()
