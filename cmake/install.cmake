# SPDX-License-Identifier: Apache-2.0

# What users of the library and of the tool get.
include(CMakePackageConfigHelpers)

install(TARGETS ulna EXPORT ulna COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/ulna DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
        FILES_MATCHING PATTERN "*.h" PATTERN "detail" EXCLUDE)
install(EXPORT ulna NAMESPACE ulna:: FILE ulnaTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ulna COMPONENT dev)
# A shared library brings what it needs; programs that link a static one need the packages too.
get_target_property(ulna_type ulna TYPE)
if(ulna_type STREQUAL "STATIC_LIBRARY")
  set(ULNA_NEEDS_PACKAGES ON)
else()
  set(ULNA_NEEDS_PACKAGES OFF)
endif()
configure_package_config_file(cmake/ulnaConfig.cmake.in ulnaConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ulna)
write_basic_package_version_file(ulnaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ulnaConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/ulnaConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindWebP.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ulna COMPONENT dev)

set(ULNA_PC_REQUIRES "")
set(ULNA_PC_LIBS "")
if(ULNA_NEEDS_PACKAGES)
  set(ULNA_PC_REQUIRES "libhwy libpng libwebpmux libwebp")
  if(ULNA_THREADS STREQUAL "tbb")
    string(APPEND ULNA_PC_REQUIRES " tbb")
  elseif(ULNA_THREADS STREQUAL "std")
    set(ULNA_PC_LIBS "-pthread")
  endif()
endif()
file(RELATIVE_PATH ULNA_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/ulna.pc.in ulna.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ulna.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT dev)

install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool)
if(NOT ULNA_PACKAGES)  # which have them in their own form
  install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
# The software bill of materials. Its versions are those of the packages that this build found.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(sbom ${CMAKE_CURRENT_BINARY_DIR}/ulna.spdx.json)
  set(page)
  if(ULNA_STUDIO)
    set(page --page)
  endif()
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/make-sbom ${sbom} ${page}
                  COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${sbom} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool)
endif()
if(ULNA_BUILD_CLI)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/apps/cli/generated)
  if(ULNA_STUDIO)
    install(TARGETS ulna_studio COMPONENT tool)
  else()
    install(TARGETS ulna_cli COMPONENT tool)
  endif()
  install(DIRECTORY assets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/ulna COMPONENT tool)
  if(NOT ULNA_PACKAGES)  # packages have it compressed
    install(FILES ${generated}/ulna.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
  install(FILES ${generated}/ulna.bash RENAME ulna
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
  install(FILES ${generated}/_ulna DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
          COMPONENT tool)
endif()
