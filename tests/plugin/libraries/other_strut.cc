// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// A library with the stamp of another version of strut.

#include <strut/runtime_plugin.h>

extern "C" const char strut_plugin_stamp[];
const char strut_plugin_stamp[] =
  STRUT_STAMP_MARK "strut 0.0.9, Debug, deal.II 9.3.2, 64-bit indices";
