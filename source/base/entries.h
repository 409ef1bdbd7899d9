// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

// Each list of the core from which a deck chooses by name is a macro with one line per entry. The
// line has the name of the function that makes the entry: see design_maps.cc. So a new entry takes
// that line and the file with the function.

/// Declares the functions of such a list, which return an `Entry`.
#define STRUT_DECLARE_EACH(LIST, Entry) \
  using ListEntry = Entry;              \
  LIST(STRUT_DECLARE_ONE)
#define STRUT_DECLARE_ONE(make) ListEntry make();

/// The results of these functions, separated by commas.
#define STRUT_CALL_EACH(LIST) LIST(STRUT_CALL_ONE)
#define STRUT_CALL_ONE(make) make(),
