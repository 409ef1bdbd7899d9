# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
#
#   strut_setup_target(TARGET)
#
# Everything that a program or library needs to use strut: its headers and library, and deal.II's of the same build
# type, through deal_ii_setup_target(). As that one it uses target_link_libraries() without PUBLIC and PRIVATE, so
# other calls for the same target must leave them out, too.
#
# deal.II is one library for Debug and another one for everything else, and the two do not mix. So a project with
# CMAKE_BUILD_TYPE=Debug needs a strut that was built with Debug, all others one that was not. Both may be installed
# into one place.
macro(strut_setup_target _target)
  get_target_property(_strut_configurations strut::strut IMPORTED_CONFIGURATIONS)
  set(_strut_others ${_strut_configurations})
  list(REMOVE_ITEM _strut_others DEBUG)
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(_strut_deal_ii_build DEBUG)
    if(NOT "DEBUG" IN_LIST _strut_configurations)
      message(FATAL_ERROR
        "\n${PROJECT_NAME} is built with CMAKE_BUILD_TYPE=Debug, but the strut in\n  ${strut_DIR}\nwas built with "
        "${_strut_configurations} only. deal.II's debug library, which Debug means, does not mix with its release "
        "library.\nEither set CMAKE_BUILD_TYPE=Release, or build strut once more with CMAKE_BUILD_TYPE=Debug and install "
        "it into the same place.\n")
    endif()
  else()
    set(_strut_deal_ii_build RELEASE)
    if(NOT _strut_others)
      message(FATAL_ERROR
        "\n${PROJECT_NAME} is built with CMAKE_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\", but the strut in\n  ${strut_DIR}\nwas "
        "built with Debug only. deal.II's debug library, which Debug means, does not mix with its release library.\n"
        "Either set CMAKE_BUILD_TYPE=Debug, or build strut once more with CMAKE_BUILD_TYPE=Release and install it into "
        "the same place.\n")
    endif()
    # CMake would take any configuration where its own is missing, Debug included.
    foreach(_strut_type NOCONFIG RELEASE RELWITHDEBINFO MINSIZEREL)
      set_property(TARGET strut::strut strut::program strut::compare strut::assemble
                   PROPERTY MAP_IMPORTED_CONFIG_${_strut_type} ${_strut_type} ${_strut_others})
    endforeach()
  endif()
  deal_ii_setup_target(${_target} ${_strut_deal_ii_build})
  target_link_libraries(${_target} strut::strut)
endmacro()
