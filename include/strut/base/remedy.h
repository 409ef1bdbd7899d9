// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// A way for the user of the program to fix an Error. The core names the remedy; each front end has
/// a table of its sentences. The tables are:
/// - decks: plugin/deck/parameters/deck_remedies.h;
/// - StiffnessOptions: plugin/application/option_remedies.h;
/// - strut-compare and strut-assemble: their remedies.h.
enum class Remedy
{
  none, ///< the reason alone is enough

  // memory, and sizes that exceed the range of indices
  use_less_memory,
  use_less_device_memory,
  use_operator_without_matrix,
  use_more_ranks,
  use_more_ranks_or_other_operator,

  // backends, operators and methods
  build_with_cuda,
  build_for_this_gpu,
  provide_gpu,
  choose_listed_gpu,
  check_gpu,
  report_failed_kernel,
  communicate_through_host,
  use_other_operator,
  use_other_method,

  // solvers
  allow_more_iterations,
  check_numbers,
  check_supports,
  check_supports_or_use_jacobi,
  use_other_preconditioner,
  use_jacobi_or_any_order,
  refine_coarser_mesh,
  use_multigrid_or_double,

  // optimization
  shrink_non_design_regions,
  raise_volume_fraction,
  raise_volume_fraction_or_keep_none,
  set_filter_radius,
  raise_maximum_sharpness
};

constexpr int n_remedies = static_cast<int>(Remedy::raise_maximum_sharpness) + 1;

/// The remedy in words that suit any front end; empty for none. Front ends use it where none of
/// their own entries or options applies.
std::string plain_words(Remedy remedy);

/// Joins the two parts of a message: the reason, and the sentence, if there is one, on the next
/// line.
std::string joined(const std::string &reason, const std::string &sentence);
} // namespace strut
