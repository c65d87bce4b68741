# SPDX-License-Identifier: Apache-2.0

# export_public_names(target): a shared library shows the names of `ulna`, under the version of its
# interface, and neither those of any `ulna::<module>::detail` nor those of other packages. Two of them
# with different minor versions can be in one program.
#
# Linkers prefer a pattern of names to show over one of names to hide, so the names to show are spelled
# out: mangled names that begin with `ulna` and then differ from every private namespace in some character.
function(export_public_names target)
  file(GLOB folders RELATIVE ${PROJECT_SOURCE_DIR}/ulna ${PROJECT_SOURCE_DIR}/ulna/*/detail)
  set(private)
  foreach(folder ${folders})
    get_filename_component(module ${folder} DIRECTORY)
    string(LENGTH ${module} length)
    list(APPEND private ${length}${module}6detail)
  endforeach()

  set(public)
  foreach(name ${private})
    string(LENGTH ${name} length)
    math(EXPR last "${length} - 1")
    foreach(i RANGE ${last})
      string(SUBSTRING ${name} 0 ${i} head)
      set(others "")  # what follows `head` in private names
      foreach(other ${private})
        string(SUBSTRING ${other} 0 ${i} other_head)
        if(other_head STREQUAL head)
          string(SUBSTRING ${other} ${i} 1 letter)
          string(APPEND others ${letter})
        endif()
      endforeach()
      list(APPEND public "${head}[!${others}]*")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES public)

  set(script "ULNA_${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} {\n  global:\n")
  foreach(pattern ${public})
    string(APPEND script "    _ZN4ulna${pattern};\n    _ZNK4ulna${pattern};\n")
  endforeach()
  string(APPEND script "  local:\n    *;\n};\n")
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/exports.map CONTENT "${script}" @ONLY)

  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND UNIX AND NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,--version-script=${CMAKE_CURRENT_BINARY_DIR}/exports.map)
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/exports.map)
  endif()
endfunction()
