// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>
#include <deal.II/base/point.h>

#include <map>
#include <string>
#include <vector>

#include "plugin/deck/part/part_export.h"

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
  bool nodal_stress             = false;
  std::map<std::string, dealii::Point<3>> points;
  bool surface    = false;
  bool report     = true;
  bool keeps_best = false;
};

/// The subsection `Export` of the deck: export of the last design as a part.
class ExportParameters : public dealii::ParameterAcceptor
{
public:
  ExportParameters();

  bool wanted() const
  {
    return !request_.formats.empty();
  }

  /// @param base_name  name of the files without extension
  /// @param mirrors  planes of symmetry of the deck
  PartRequest request(const std::string &base_name,
                      const std::vector<SymmetryPlane> &mirrors) const;

private:
  PartRequest request_;
  bool mirror_ = true;
};
} // namespace strut
