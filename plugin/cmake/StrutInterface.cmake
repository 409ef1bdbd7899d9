# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# A digest of all public headers, in strut/interface.h. A library that strut loads at run time was built for the
# same classes if, and only if, it carries the same digest: nobody has to remember to count a version up.
file(GLOB_RECURSE STRUT_PUBLIC_HEADERS CONFIGURE_DEPENDS include/*.h plugin/include/*.h)
set(STRUT_DIGESTS "")
foreach(header ${STRUT_PUBLIC_HEADERS})
  file(SHA256 ${header} digest)
  string(APPEND STRUT_DIGESTS ${digest})
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${STRUT_PUBLIC_HEADERS})
string(SHA256 STRUT_INTERFACE "${STRUT_DIGESTS}")
string(SUBSTRING ${STRUT_INTERFACE} 0 12 STRUT_INTERFACE)
configure_file(plugin/cmake/interface.h.in include/strut/interface.h @ONLY)
