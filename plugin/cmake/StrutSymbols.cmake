# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# What libstrut shows to the outside: all that a public header declares, and the functions of the programs. The rest is
# hidden: strut's own parts, and the templates of deal.II, boost, Eigen and CUB that were compiled into it, which an
# application may have compiled for another instruction set or version.
#
# A linker script does this, made from the headers: a class or function in an installed header is public without a word
# in the header, and nobody can forget it. Names of functions and classes stand at the start of a line, as clang-format
# puts them.
#
# Patterns of mangled names: NAME of strut is N5strut4NAME, with a letter before it for
# const members (NK), tables and type information (T.), guards of variables (GV) and variables of functions (Z).
# Free operators are no names: that of output, for any class. set_zero_all() of a DeviceVector is a name of deal.II's.
set(STRUT_SYMBOL_PATTERNS "    _ZN5strut*_mainEiPPc;\n    _ZN5strutlsERSo*;\n    _ZN6dealii8internal*12set_zero_allIN5strut*;\n")
foreach(header ${STRUT_PUBLIC_HEADERS})
  set(names "")
  file(STRINGS ${header} lines REGEX "^(class|struct) [A-Za-z0-9_]+[^;]*$")
  foreach(line ${lines})
    string(REGEX REPLACE "^(class|struct) ([A-Za-z0-9_]+).*" "\\2" name "${line}")
    list(APPEND names ${name})
  endforeach()
  file(STRINGS ${header} lines REGEX "^([A-Za-z][A-Za-z0-9_:<>, ]*[ &*])?[a-z_0-9]+\\(")
  foreach(line ${lines})
    string(REGEX REPLACE "^([^(]*[ &*])?([a-z_0-9]+)\\(.*" "\\2" name "${line}")
    list(APPEND names ${name})
  endforeach()
  list(REMOVE_DUPLICATES names)
  foreach(name ${names})
    string(LENGTH ${name} length)
    foreach(before "N" "NK" "T[VIST]N" "TCN" "Th*_N" "Tv*_N" "GVN" "GVZN" "GVZNK" "ZN" "ZNK")
      string(APPEND STRUT_SYMBOL_PATTERNS "    _Z${before}5strut${length}${name}*;\n")
    endforeach()
  endforeach()
endforeach()
set(STRUT_SYMBOLS ${CMAKE_CURRENT_BINARY_DIR}/libstrut.map)
file(CONFIGURE OUTPUT ${STRUT_SYMBOLS} CONTENT "{\n  global:\n@STRUT_SYMBOL_PATTERNS@  local:\n    *;\n};\n" @ONLY)
