# SPDX-License-Identifier: Apache-2.0

# The tool with the studio's page in it. Only these targets need Boost's headers; only the page of
# studio/ needs npm and emscripten.
set(cli_folder ${CMAKE_CURRENT_LIST_DIR})

# What is answered to requests, without connections and without a page. Tests link it too.
function(add_site)
  # In every folder that asks: what they find is known to that folder only.
  find_package(ZLIB REQUIRED)
  find_package(fmt REQUIRED)
  find_package(Boost 1.74 REQUIRED)
  if(TARGET ulna_site)
    return()
  endif()
  set(sources)
  foreach(name handle named_files request site token)
    list(APPEND sources ${cli_folder}/view/${name}.cpp)
  endforeach()
  add_library(ulna_site OBJECT ${sources})
  compile_together(ulna_site ${cli_folder})
  target_include_directories(ulna_site PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(ulna_site PUBLIC ulna fmt::fmt-header-only Boost::headers ZLIB::ZLIB)
  target_compile_options(ulna_site PRIVATE ${cli_optimisation})
endfunction()

# The server without a page, compiled once for all tools.
function(add_server)
  add_site()
  find_package(Threads REQUIRED)
  if(TARGET ulna_server)
    return()
  endif()
  set(sources)
  foreach(name browser serve server)
    list(APPEND sources ${cli_folder}/view/${name}.cpp)
  endforeach()
  add_library(ulna_server OBJECT ${sources})
  compile_together(ulna_server ${cli_folder})
  target_link_libraries(ulna_server PUBLIC ulna_cli_parts ulna_site Threads::Threads)
  target_compile_options(ulna_server PRIVATE ${cli_optimisation})
endfunction()

# add_studio_tool(name folder [stamp]): the tool with the page of that folder in it. Where the page
# is built, the stamp is newer than all its files; else they are looked at themselves.
function(add_studio_tool name folder)
  add_server()
  set(made ${ARGN})
  if(NOT made)
    file(GLOB_RECURSE made CONFIGURE_DEPENDS ${folder}/*)
  endif()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir)
  set(embed ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(
    OUTPUT ${out}/assets.cpp
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DOUT=${out}/assets.cpp -P ${embed}
    DEPENDS ${embed} ${made}
    COMMENT "Packing the page of ${name}"
    VERBATIM)
  add_executable(${name} ${out}/assets.cpp)
  # Code that the assembler alone sees is lost to link-time optimisation.
  set_source_files_properties(${out}/assets.cpp PROPERTIES COMPILE_OPTIONS -fno-lto)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ulna RUNTIME_OUTPUT_DIRECTORY ${out})
  target_link_libraries(${name} PRIVATE ulna_server ulna_site ulna_cli_parts)
endfunction()

# build_page(folder stamp): has the page of studio/ made in that folder whenever a source of it or of
# the engine changed, and sets the name of the stamp.
function(build_page folder stamp)
  set(root ${PROJECT_SOURCE_DIR})
  if(NOT EXISTS ${root}/studio/build.mjs)
    message(FATAL_ERROR "ULNA_STUDIO: there is no studio/ here, and ULNA_STUDIO_DIST names no page")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${root}/ulna/*.cpp ${root}/ulna/*.h
       ${root}/bindings/wasm/* ${root}/studio/src/*)
  add_custom_command(
    OUTPUT ${folder}.stamp
    COMMAND ${root}/tools/build-studio ${folder} -DULNA_DEVELOPER=${ULNA_DEVELOPER} -DULNA_UNITY=${ULNA_UNITY}
    COMMAND ${CMAKE_COMMAND} -E touch ${folder}.stamp
    DEPENDS ${sources} ${root}/tools/build-studio ${root}/studio/build.mjs
            ${root}/studio/index.html ${root}/studio/package-lock.json
            ${root}/assets/ulna-character.glb ${root}/assets/ulna-poses.json ${root}/NOTICE
    COMMENT "Building the studio's page"
    VERBATIM)
  set(${stamp} ${folder}.stamp PARENT_SCOPE)
endfunction()
