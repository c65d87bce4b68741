# SPDX-License-Identifier: Apache-2.0

# compile_together(target folder [size]): the target's sources are compiled several at a time, never those
# of two folders below `folder` together. Most of a source's time goes into headers that its neighbours
# include too, so from nothing this takes less than half as long. tools/unity-groups parts the sources so
# that their private names do not clash; where a new name does, configure again.
option(ULNA_UNITY "Compile sources together: faster from nothing, slower after one is changed" OFF)

function(compile_together target folder)
  if(NOT ULNA_UNITY)
    return()
  endif()
  set(size 8)
  if(ARGC GREATER 2)
    set(size ${ARGV2})
  endif()
  get_target_property(names ${target} SOURCES)
  set(sources)
  foreach(name ${names})
    get_filename_component(source ${name} ABSOLUTE)
    list(APPEND sources ${source})
  endforeach()
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/unity-groups ${size} ${folder} ${sources}
                  OUTPUT_VARIABLE lines RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "tools/unity-groups failed (python3 is needed); -DULNA_UNITY=OFF does without")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  string(REPLACE "\n" ";" pairs "${lines}")
  while(pairs)
    list(POP_FRONT pairs group source)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endwhile()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A name of one source may be a local one in another; compiled alone, as clang++ does, both are judged.
  target_compile_options(${target} PRIVATE -Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A type with a member from an anonymous namespace, in a source that g++ takes for a header here.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    # g++ inlines less in a source that it takes for large, of 10000 instructions: functions that are inlined
    # where each source is alone would be called here. So the bound grows with the number of sources.
    math(EXPR large "10000 * ${size}")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:--param=large-unit-insns=${large}>)
  endif()
endfunction()
