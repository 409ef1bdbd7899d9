# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The installed files, and how others find them: cmake --install, find_package(strut), cpack -G DEB. Paths are relative
# to plugin/.
include(CMakePackageConfigHelpers)
set(STRUT_CMAKE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/strut)
set(STRUT_SHARE_FOLDER ${CMAKE_INSTALL_DATADIR}/strut)

# For others strut::strut is the library; the programs are strut::program, strut::compare, strut::assemble,
# strut::export and strut::compare-runs.
set_target_properties(strut PROPERTIES EXPORT_NAME program)
set_target_properties(strut-compare PROPERTIES EXPORT_NAME compare)
if(TARGET strut-assemble)
  set_target_properties(strut-assemble PROPERTIES EXPORT_NAME assemble)
endif()
set_target_properties(strut-export PROPERTIES EXPORT_NAME export)
set_target_properties(strut-compare-runs PROPERTIES EXPORT_NAME compare-runs)
# Nothing links to a program. deal_ii_setup_target() gave them an interface that differs between Debug and Release, and where
# the file of targets differs from the installed one, CMake removes what it has about the other build types.
set_target_properties(${STRUT_PROGRAMS} PROPERTIES
                      INTERFACE_COMPILE_DEFINITIONS "" INTERFACE_COMPILE_OPTIONS "")
install(TARGETS strut_shared ${STRUT_PROGRAMS} EXPORT strutTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/strut include/strut ${PROJECT_BINARY_DIR}/include/strut
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/prm tools DESTINATION ${STRUT_SHARE_FOLDER} PATTERN __pycache__ EXCLUDE)
install(DIRECTORY examples DESTINATION ${STRUT_SHARE_FOLDER} PATTERN "build*" EXCLUDE PATTERN output EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/doc DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN results EXCLUDE PATTERN scripts EXCLUDE PATTERN pictures EXCLUDE)
foreach(file README.md CHANGELOG.md CITATION.cff LICENSE)
  install(FILES ${PROJECT_SOURCE_DIR}/${file} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()

# The same files for the install tree and, beside its cache, for the build tree: strut_DIR may name either.
get_filename_component(STRUT_DEAL_II_DIR "${deal.II_DIR}" REALPATH)
configure_package_config_file(cmake/strutConfig.cmake.in ${PROJECT_BINARY_DIR}/strutConfig.cmake
                              INSTALL_DESTINATION ${STRUT_CMAKE_FOLDER} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/strutConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# Of each build type, since Debug and Release may be installed into one folder.
string(TOLOWER "${CMAKE_BUILD_TYPE}" STRUT_TYPE)
file(WRITE ${PROJECT_BINARY_DIR}/strutBackends-${STRUT_TYPE}.cmake "set(STRUT_WITH_CUDA ${STRUT_CUDA})\n")
configure_file(cmake/strut_setup_target.cmake ${PROJECT_BINARY_DIR}/strut_setup_target.cmake COPYONLY)
install(FILES ${PROJECT_BINARY_DIR}/strutConfig.cmake ${PROJECT_BINARY_DIR}/strutConfigVersion.cmake
              ${PROJECT_BINARY_DIR}/strutBackends-${STRUT_TYPE}.cmake cmake/strut_setup_target.cmake
        DESTINATION ${STRUT_CMAKE_FOLDER})
install(EXPORT strutTargets NAMESPACE strut:: DESTINATION ${STRUT_CMAKE_FOLDER})
export(EXPORT strutTargets NAMESPACE strut:: FILE ${PROJECT_BINARY_DIR}/strutTargets.cmake)

# Manual pages and the completion of bash come from --help, so the programs run for it. Debian wants copyright and changelog.
install(FILES cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(PROGRAMS examples/deck-in-dealii/compare.sh DESTINATION ${STRUT_SHARE_FOLDER}/examples/deck-in-dealii)
set(STRUT_PACKAGE_CONTACT "The strut authors <strut@example.org>" CACHE STRING "Who maintains the Debian package: NAME <ADDRESS>")
find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  set(STRUT_EPOCH $ENV{SOURCE_DATE_EPOCH})
  if(NOT STRUT_EPOCH)
    execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                    OUTPUT_VARIABLE STRUT_EPOCH OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT STRUT_EPOCH)
    string(TIMESTAMP STRUT_EPOCH %s)
  endif()
  set(files "\"${Python3_EXECUTABLE}\" \"${CMAKE_CURRENT_SOURCE_DIR}/cmake/package_files.py\"")
  set(place "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}")
  set(check "RESULT_VARIABLE code)\nif(NOT code EQUAL 0)\n  message(WARNING \"strut is installed without a file: see above\")\nendif()")
  foreach(program ${STRUT_PROGRAMS})
    install(CODE "execute_process(COMMAND ${files} program ${program} \"$<TARGET_FILE:${program}>\" --version ${PROJECT_VERSION} \
--others strut,strut-compare,strut-assemble,strut-export,strut-compare-runs --man \"${place}/${CMAKE_INSTALL_MANDIR}/man1\" \
--completions \"${place}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions\" ${check}")
  endforeach()
  install(CODE "execute_process(COMMAND ${files} changelog --version ${PROJECT_VERSION} --contact \"${STRUT_PACKAGE_CONTACT}\" \
--epoch ${STRUT_EPOCH} -o \"${place}/${CMAKE_INSTALL_DOCDIR}/changelog.gz\" ${check}")
endif()

# Packages. One with everything: programs, library, headers.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME strut)
set(CPACK_PACKAGE_VENDOR "The strut authors")
set(CPACK_PACKAGE_CONTACT "${STRUT_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Matrix-free elasticity and topology optimization, on CPU and GPU")
set(CPACK_PACKAGE_DESCRIPTION "\
strut makes a design from a parameter file, a deck. strut-export writes a
design as a part for printing, strut-compare-runs shows two runs side by side,
strut-compare measures operators, strut-assemble the generation of matrices.
With the library and its headers, applications of deal.II solve linear
elasticity without a stiffness matrix.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # the libraries of the programs and of our library
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_DEPENDS openmpi-bin)
# No compiler comes along: apt-get installs what a package recommends.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libdeal.ii-dev, cmake, g++, paraview, python3-vtk9, bash-completion")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
