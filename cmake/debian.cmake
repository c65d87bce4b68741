# SPDX-License-Identifier: Apache-2.0

# Debian packages, from one command (tools/make-packages): `ulna` with the studio, `libulna0`, `libulna-dev` and
# `python3-ulna`. What they depend on is found by dpkg-shlibdeps.
set(ULNA_PACKAGE_CONTACT "Ulna <ulna@example.org>" CACHE STRING "The maintainer that packages name")
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  message(FATAL_ERROR "ULNA_PACKAGES: configure with -DCMAKE_INSTALL_PREFIX=/usr, where packages are installed")
endif()

# The shared library is linked of the objects of the static one: they are compiled to be either.
find_package(PNG REQUIRED)
find_package(WebP REQUIRED)
find_package(TBB REQUIRED)
add_library(ulna_shared SHARED $<TARGET_OBJECTS:ulna>)
set_target_properties(ulna_shared PROPERTIES OUTPUT_NAME ulna LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                                             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_libraries(ulna_shared PRIVATE hwy PNG::PNG WebP::webpmux WebP::webp TBB::tbb)
target_link_options(ulna_shared PRIVATE LINKER:--version-script=${PROJECT_BINARY_DIR}/ulna/exports.map)
install(TARGETS ulna_shared LIBRARY COMPONENT lib NAMELINK_COMPONENT dev)

if(NOT Python_EXECUTABLE)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
if(ULNA_PYTHON)
  set(modules lib/python3/dist-packages)
  install(TARGETS ulna_python DESTINATION ${modules}/ulna COMPONENT python)
  install(DIRECTORY bindings/python/ulna/ DESTINATION ${modules}/ulna COMPONENT python
          FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  foreach(folder data studio)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/python/ulna/${folder}/ DESTINATION ${modules}/ulna/${folder} COMPONENT python)
  endforeach()
  file(WRITE ${PROJECT_BINARY_DIR}/debian/METADATA
       "Metadata-Version: 2.1\nName: ulna\nVersion: ${PROJECT_VERSION}\nLicense: Apache-2.0\nRequires-Dist: numpy\n")
  install(FILES ${PROJECT_BINARY_DIR}/debian/METADATA DESTINATION ${modules}/ulna-${PROJECT_VERSION}.dist-info
          COMPONENT python)
endif()

# What each package has in its folder of documents.
string(TIMESTAMP today "%a, %d %b %Y 00:00:00 +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/debian/changelog
     "ulna (${PROJECT_VERSION}) bookworm; urgency=medium\n\n  * As CHANGELOG.md has it.\n\n"
     " -- ${ULNA_PACKAGE_CONTACT}  ${today}\n")
file(WRITE ${PROJECT_BINARY_DIR}/debian/copyright
     "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: ulna\n"
     "Source: the repository of Ulna\n\nFiles: *\nCopyright: 2026 the authors of Ulna\nLicense: Apache-2.0\n"
     " On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0. What others wrote and what is\n"
     " compiled or packed in has its licences in NOTICE.gz in this folder.\n")
function(compress from to)
  add_custom_command(OUTPUT ${to} DEPENDS ${from} COMMAND gzip -9nc ${from} > ${to} VERBATIM)
endfunction()
set(debian ${PROJECT_BINARY_DIR}/debian)
compress(${debian}/changelog ${debian}/changelog.gz)
compress(${PROJECT_SOURCE_DIR}/NOTICE ${debian}/NOTICE.gz)
compress(${PROJECT_BINARY_DIR}/apps/cli/generated/ulna.1 ${debian}/ulna.1.gz)
add_custom_target(ulna_debian ALL DEPENDS ${debian}/changelog.gz ${debian}/NOTICE.gz ${debian}/ulna.1.gz)
install(FILES ${debian}/ulna.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT ${ULNA_PACKAGE_CONTACT})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_COMPONENTS_ALL tool lib dev)
if(ULNA_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
# package(COMPONENT name section description)
function(package component name section description)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION ${description} PARENT_SCOPE)
  foreach(file copyright changelog.gz NOTICE.gz)
    install(FILES ${debian}/${file} DESTINATION share/doc/${name} COMPONENT ${component})
  endforeach()
endfunction()
package(tool ulna graphics "articulated characters: command-line tool with studio
 Reads, converts, solves, skins, fits and retargets motion of articulated
 characters, and opens a studio in the browser, served on this machine alone.")
package(lib libulna0 libs "articulated characters: shared library
 Skeletons, motion files, inverse kinematics, skins, fits and retargeting.")
package(dev libulna-dev libdevel "articulated characters: headers and static library
 What programs in C++20 need to be built with Ulna.")
package(python python3-ulna python "articulated characters: Python module
 Motion files, kinematics, inverse kinematics, skins, fits and retargeting on
 NumPy arrays.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libulna0 (= ${PROJECT_VERSION}), libhwy-dev, libtbb-dev, libpng-dev, libwebp-dev")
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "bash-completion")
# Who links the library finds the package by this; the trigger has the linker's cache made anew.
set(api ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
file(WRITE ${debian}/shlibs "libulna ${api} libulna0 (>= ${api})\n")
file(WRITE ${debian}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIB_PACKAGE_CONTROL_EXTRA ${debian}/shlibs ${debian}/triggers)
if(ULNA_PYTHON)
  # What Python compiles when it is first imported is compiled by the package, and goes with it.
  file(WRITE ${debian}/postinst "#!/bin/sh\nset -e\nif command -v py3compile >/dev/null; then py3compile -p python3-ulna; fi\n")
  file(WRITE ${debian}/prerm "#!/bin/sh\nset -e\nif command -v py3clean >/dev/null; then py3clean -p python3-ulna; fi\n")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${debian}/postinst ${debian}/prerm)
  find_package(Python 3.9 REQUIRED COMPONENTS Interpreter)
  math(EXPR next "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${Python_VERSION_MINOR}~), python3 (<< 3.${next}), python3-numpy")
endif()
include(CPack)
