// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/config.h>

#include <strut/interface.h>
#include <strut/version.h>

/// @file
/// Macro for shared libraries that a deck names in `Additional shared libraries`. One file of the
/// library names, once, a function that registers the library's entries:
/// ```
/// void register_mine()
/// {
///   strut::add_load_type(...);      // <strut/load.h>
///   strut::add_response(...);       // <strut/optimization/responses/response.h>
///   strut::add_design_map(...);     // <strut/optimization/maps/design_map.h>
///   strut::add_preconditioner(...); // <strut/solvers/krylov/preconditioner.h>
///   strut::add_cpu_strategy(...);   // <strut/backend/backend.h>, also add_cuda_strategy()
/// }
/// STRUT_PLUGIN(register_mine)
/// ```

#ifdef DEBUG
#  define STRUT_STAMP_BUILD "Debug"
#else
#  define STRUT_STAMP_BUILD "Release"
#endif
#ifdef DEAL_II_WITH_64BIT_INDICES
#  define STRUT_STAMP_INDICES "64-bit indices"
#else
#  define STRUT_STAMP_INDICES "32-bit indices"
#endif

/// Beginning of a library's stamp, for which strut searches the file.
#define STRUT_STAMP_MARK "strut plugin, built for: "

/// Properties in which a library and strut must agree, so that their classes are the same.
#define STRUT_STAMP                                                              \
  "strut " STRUT_VERSION " with headers " STRUT_INTERFACE ", " STRUT_STAMP_BUILD \
  ", deal.II " DEAL_II_PACKAGE_VERSION ", " STRUT_STAMP_INDICES

/// Defines what strut needs to load a shared library: a stamp, and a function that registers the
/// entries. On every rank strut calls the function before it reads the rest of the deck. An
/// exception from it ends the program with the exception's text.
#define STRUT_PLUGIN(register_function)                           \
  extern "C" const char strut_plugin_stamp[];                     \
  const char strut_plugin_stamp[] = STRUT_STAMP_MARK STRUT_STAMP; \
  extern "C" void strut_plugin_register();                        \
  void strut_plugin_register()                                    \
  {                                                               \
    register_function();                                          \
  }                                                               \
  static_assert(true, "so that a semicolon may follow")
