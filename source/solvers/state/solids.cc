// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/state/solids.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace strut
{
namespace
{
/// Returns what is wrong with the solids of this rank; empty if nothing is.
std::string fault_of(const Structure &structure, const Law &law)
{
  const Solids &solids           = structure.solids;
  const std::size_t n            = structure.mesh.n_elements;
  const AnisotropicSolids &table = solids.table;
  std::ostringstream text;
  if (n == 0)
    return "";
  if (law == Law::table &&
      (table.of_element.size() != n ||
       std::any_of(table.of_element.begin(), table.of_element.end(), [&](const std::uint32_t k) {
         return k >= table.matrices.size();
       })))
    return "Where some solid is not isotropic, each element has the number of its elasticity matrix, and there is such a "
           "matrix.";
  if (law != Law::table && !table.empty())
    return std::string("Elements have the numbers of ") + law.name +
           ", and elasticity matrices as well: give them the one or the other.";
  if (solids.numbers.empty() && (law == Law::factor || law == Law::table))
    return "";
  const bool is_whole = solids.law == law && solids.numbers.size() == law.n_components &&
                        std::all_of(solids.numbers.begin(),
                                    solids.numbers.end(),
                                    [&](const auto &component) { return component.size() == n; });
  if (!is_whole)
    {
      for (const auto &component : solids.numbers)
        text << (text.str().empty() ? "" : ", ") << component.size();
      return "There are " + (text.str().empty() ? "no" : text.str()) + " numbers of solids for " +
             std::to_string(n) + " elements: with " + law.name + ", each element has " +
             std::to_string(law.n_components) + ", on all ranks or on none.";
    }
  for (std::size_t e = 0; e < n; ++e)
    {
      double known[Law::most_components];
      solids.known_numbers(structure.material, e, known);
      const bool is_solid = law.known() == Law::lame
                              ? known[1] > 0. && 3. * known[0] + 2. * known[1] > 0.
                              : known[0] > 0.;
      if (is_solid && std::isfinite(known[0]))
        continue;
      text << "Element " << e << " has " << law.name << ", and the numbers ";
      for (std::size_t k = 0; k < solids.numbers.size(); ++k)
        text << (k == 0 ? "" : ", ") << solids.numbers[k][e];
      text << " are those of no solid: its bulk and shear moduli must be positive.";
      break;
    }
  return text.str();
}
} // namespace

Law law_of_solids(const Communicator &communicator, const Structure &structure)
{
  const Solids &solids = structure.solids;
  std::size_t number   = 0; // in laws(), where Law::factor comes first
  if (!solids.numbers.empty() || !solids.table.empty())
    while (laws()[number] != solids.law)
      ++number;
  return laws()[static_cast<std::size_t>(communicator.max(static_cast<double>(number)))];
}

void require_solids(const Communicator &communicator, const Structure &structure)
{
  const Law law = law_of_solids(communicator, structure);
  if (law.known() == Law::tangents)
    throw Error(
      std::string(
        "A design is made of solids by factors, Lame's parameters or elasticity matrices, and ") +
      law.name + " are computed by tangents.");
  // The texts of all ranks, one after another, each with a zero at its end.
  const std::string fault = fault_of(structure, law);
  std::vector<double> own(fault.begin(), fault.end());
  own.push_back(0.);
  const std::vector<double> all = communicator.gather(own);
  int rank                      = 0;
  for (auto begin = all.begin(); begin != all.end(); ++begin, ++rank)
    {
      const auto end = std::find(begin, all.end(), 0.);
      if (begin != end)
        throw Error(
          std::string(begin, end) +
          (communicator.size() > 1 ? "\n  So it is on rank " + std::to_string(rank) + "." : ""));
      begin = end;
    }
}

std::vector<double> shear_ratios(const Structure &structure)
{
  std::vector<double> ratios(structure.solids.numbers.empty() ? 0 : structure.mesh.n_elements);
  for (std::size_t e = 0; e < ratios.size(); ++e)
    ratios[e] = structure.solids.shear_ratio(structure.material, e);
  return ratios;
}

std::vector<Array<double>> known_numbers(Memory &memory, const Structure &structure, const Law &law)
{
  const std::size_t n = structure.mesh.n_elements;
  std::vector<std::vector<double>> numbers(law.known().n_components, std::vector<double>(n));
  double known[Law::most_components];
  for (std::size_t e = 0; e < n; ++e)
    {
      structure.solids.known_numbers(structure.material, e, known);
      for (std::size_t k = 0; k < numbers.size(); ++k)
        numbers[k][e] = known[k];
    }
  std::vector<Array<double>> arrays;
  for (const std::vector<double> &component : numbers)
    arrays.emplace_back(memory, component);
  return arrays;
}
} // namespace strut
