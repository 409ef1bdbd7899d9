// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>

#include <string>

namespace strut
{
/// The subsection `Output` of the deck.
class OutputParameters : public dealii::ParameterAcceptor
{
public:
  OutputParameters();

  std::string directory;
  unsigned int results_every    = 0;
  unsigned int checkpoint_every = 10;
  std::string fields            = "all"; ///< "all", "density" or "surface"
  bool von_mises                = false;
  bool surface                  = false;
  bool report                   = true;
  bool keeps_best               = false;
};
} // namespace strut
