// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/config.h>

#include <strut/plugin/interface.h>
#include <strut/version.h>

/// @file
/// For a shared library that a deck names as one of its `Additional shared libraries`: once, in one of
/// its files, the name of a function that registers the library's entries.
/// ```
/// void register_mine()
/// {
///   strut::plugin::add_load_type(...); // <strut/plugin/load.h>
///   strut::add_response(...);         // <strut/optimization/responses/response.h>
///   strut::add_design_map(...);        // <strut/optimization/maps/design_map.h>
///   strut::add_cpu_strategy(...);      // <strut/backend/backend.h>, also add_cuda_strategy()
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

/// The beginning of a library's stamp; strut looks for it in the file.
#define STRUT_STAMP_MARK "strut plugin, built for: "

/// The properties in which a library and strut must agree, so that their classes are the same.
#define STRUT_STAMP                                                              \
  "strut " STRUT_VERSION " with headers " STRUT_INTERFACE ", " STRUT_STAMP_BUILD \
  ", deal.II " DEAL_II_PACKAGE_VERSION ", " STRUT_STAMP_INDICES

/// Makes a shared library one that strut can load: leaves a stamp, and a function that strut calls
/// before it reads the rest of the deck, on every rank. An exception of it ends the program with its text.
#define STRUT_PLUGIN(register_function)                           \
  extern "C" const char strut_plugin_stamp[];                     \
  const char strut_plugin_stamp[] = STRUT_STAMP_MARK STRUT_STAMP; \
  extern "C" void strut_plugin_register();                        \
  void strut_plugin_register()                                    \
  {                                                               \
    register_function();                                          \
  }                                                               \
  static_assert(true, "so that a semicolon may follow")
