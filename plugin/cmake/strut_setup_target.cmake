# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
#
#   target_link_libraries(TARGET PRIVATE strut::strut)
#
# strut's headers and library, and of deal.II all that strut's headers need: folders, definitions, and the library of the
# project's build type. Flags for warnings and optimization stay the project's own.
#
#   strut_setup_target(TARGET)
#
# The same with deal.II's flags, through deal_ii_setup_target(). As that one it uses target_link_libraries() without
# PUBLIC and PRIVATE, so other calls for the same target must leave them out, too.
#
# deal.II is one library for Debug and another one for everything else, and the two do not mix. So a project with
# CMAKE_BUILD_TYPE=Debug needs a strut that was built with Debug, all others one that was not. Both may be installed
# into one place.

# Sets _strut_deal_ii_build, DEBUG or RELEASE, and _strut_mismatch: empty, or why no installed strut fits CMAKE_BUILD_TYPE.
macro(_strut_compare_build_types)
  get_target_property(_strut_configurations strut::strut IMPORTED_CONFIGURATIONS)
  set(_strut_others ${_strut_configurations})
  list(REMOVE_ITEM _strut_others DEBUG)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" _strut_deal_ii_build)
  set(_strut_mismatch "")
  if(_strut_deal_ii_build STREQUAL "DEBUG")
    if(NOT "DEBUG" IN_LIST _strut_configurations)
      set(_strut_mismatch
        "\n${PROJECT_NAME} is built with CMAKE_BUILD_TYPE=Debug, but the strut in\n  ${strut_DIR}\nwas built with \
${_strut_configurations} only. deal.II's debug library, which Debug means, does not mix with its release library.\nEither \
set CMAKE_BUILD_TYPE=Release, or build strut once more with CMAKE_BUILD_TYPE=Debug and install it into the same place.\n")
    endif()
  else()
    set(_strut_deal_ii_build RELEASE)
    if(NOT _strut_others)
      set(_strut_mismatch
        "\n${PROJECT_NAME} is built with CMAKE_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\", but the strut in\n  ${strut_DIR}\nwas \
built with Debug only. deal.II's debug library, which Debug means, does not mix with its release library.\nEither set \
CMAKE_BUILD_TYPE=Debug, or build strut once more with CMAKE_BUILD_TYPE=Release and install it into the same place.\n")
    endif()
  endif()
endmacro()

# Gives strut::strut the parts of deal.II that it needs, once after it was defined.
macro(_strut_add_deal_ii)
  if(NOT DEAL_II_TARGET_CONFIG_INCLUDED)
    include(${DEAL_II_TARGET_CONFIG})
    set(DEAL_II_TARGET_CONFIG_INCLUDED TRUE)
  endif()
  target_include_directories(strut::strut INTERFACE ${DEAL_II_INCLUDE_DIRS})
  # deal.II's headers do not compile with another instruction set, or a lower standard, than its library.
  separate_arguments(_strut_flags UNIX_COMMAND "${DEAL_II_CXX_FLAGS}")
  list(FILTER _strut_flags INCLUDE REGEX "^-(m|std=)")
  target_compile_options(strut::strut INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${_strut_flags}>")
  target_compile_definitions(strut::strut INTERFACE ${DEAL_II_USER_DEFINITIONS}
    "$<IF:$<CONFIG:Debug>,${DEAL_II_USER_DEFINITIONS_DEBUG},${DEAL_II_USER_DEFINITIONS_RELEASE}>")
  separate_arguments(_strut_flags UNIX_COMMAND "${DEAL_II_LINKER_FLAGS}")
  target_link_options(strut::strut INTERFACE ${_strut_flags})
  target_link_libraries(strut::strut INTERFACE
    "$<IF:$<CONFIG:Debug>,${DEAL_II_TARGET_DEBUG},${DEAL_II_TARGET_RELEASE}>")
  unset(_strut_flags)

  # CMake would take any configuration where its own is missing, Debug included.
  foreach(_strut_type NOCONFIG RELEASE RELWITHDEBINFO MINSIZEREL)
    set_property(TARGET strut::strut strut::program strut::compare strut::assemble
                 PROPERTY MAP_IMPORTED_CONFIG_${_strut_type} ${_strut_type} ${_strut_others})
  endforeach()
endmacro()

macro(strut_setup_target _target)
  _strut_compare_build_types() # once more: the type may have changed since find_package()
  if(_strut_mismatch)
    message(FATAL_ERROR "${_strut_mismatch}")
  endif()
  deal_ii_setup_target(${_target} ${_strut_deal_ii_build})
  target_link_libraries(${_target} strut::strut)
endmacro()
