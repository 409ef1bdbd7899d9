# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# Target doxygen: the pages of what applications include, in doxygen/html of the build folder. Warnings are errors.
find_program(DOXYGEN_EXECUTABLE doxygen)
if(DOXYGEN_EXECUTABLE)
  configure_file(${PROJECT_SOURCE_DIR}/doc/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
  add_custom_target(doxygen COMMAND ${DOXYGEN_EXECUTABLE} ${PROJECT_BINARY_DIR}/Doxyfile VERBATIM)
endif()
