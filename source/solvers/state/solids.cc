// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/state/solids.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <sstream>

namespace strut
{
namespace
{
/// Returns what is wrong with the solids of this rank, whose law is that of all ranks; empty if
/// nothing is.
std::string fault_of(const Structure &structure, const Law &law)
{
  const Solids &solids           = structure.solids;
  const std::size_t n            = structure.mesh.n_elements;
  const AnisotropicSolids &table = solids.table;
  std::ostringstream text;
  if (n == 0)
    return "";
  const bool by_table = law == Law::table;
  if (by_table &&
      (table.of_element.size() != n ||
       std::any_of(table.of_element.begin(), table.of_element.end(), [&](const std::uint32_t k) {
         return k >= table.matrices.size();
       })))
    return "Where some solid is not isotropic, each element has the number of its elasticity matrix, and there is such a "
           "matrix.";
  if (!by_table && !table.empty())
    return std::string("There are elasticity matrices, and the law of the solids is '") + law.name +
           "': take Law::table, or no matrices.";
  if (solids.numbers.empty() && law.own_answers.are_factors)
    return "";
  if (!solids.numbers.empty() && solids.law != law)
    return std::string("The law of the solids is '") + solids.law.name + "', and '" + law.name +
           "' on another rank: all ranks have one law.";
  const bool is_whole = solids.numbers.size() == law.n_components &&
                        std::all_of(solids.numbers.begin(),
                                    solids.numbers.end(),
                                    [&](const auto &component) { return component.size() == n; });
  if (!is_whole)
    {
      text << "The law '" << law.name << "' has " << law.n_components << " components of " << n
           << " elements, and there are " << solids.numbers.size() << " components";
      for (const auto &component : solids.numbers)
        text << (&component == &solids.numbers[0] ? " of " : " and ") << component.size();
      text << '.';
      return text.str();
    }
  for (std::size_t e = 0; e < n; ++e)
    {
      double known[Law::most_components];
      solids.known_numbers(structure.material, e, known);
      const std::string fault = law.answers().fault(known);
      if (fault.empty())
        continue;
      text << "Element " << e << " has no solid: the law '" << law.name << "' makes of";
      for (const auto &component : solids.numbers)
        text << ' ' << component[e];
      text << fault;
      break;
    }
  return text.str();
}
} // namespace

Law law_of_solids(const Communicator &communicator, const Structure &structure)
{
  const Solids &solids = structure.solids;
  const auto place     = std::find(laws().begin(), laws().end(), solids.law);
  if (communicator.any(place == laws().end()))
    throw Error(std::string("The law of the solids, '") + solids.law.name +
                "', is not in the list of laws.\n  Call add_law() on all ranks.");
  const bool has_some = !solids.numbers.empty() || !solids.table.empty();
  const auto number   = has_some ? place - laws().begin() : 0; // Law::factor comes first
  return laws()[static_cast<std::size_t>(communicator.max(static_cast<double>(number)))];
}

void require_solids(const Communicator &communicator, const Structure &structure)
{
  const Law law = law_of_solids(communicator, structure);
  if (law.answers().fault == nullptr)
    throw Error(std::string("The law '") + law.name + "' is computed by " + law.known().name +
                ", which have no designs.\n  Take solids by factors, Lame's parameters or a "
                "table.");
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
  std::vector<Array<double>> own, known;
  for (unsigned int k = 0; k < law.n_components; ++k)
    own.emplace_back(memory, n == 0 ? std::vector<double>() : structure.solids.numbers[k]);
  const Stiffness stiffness = Stiffness::of_arrays(law, own).known(structure.material, memory, n);
  for (unsigned int k = 0; k < law.known().n_components; ++k)
    {
      known.emplace_back(memory, n);
      if (const auto &values = stiffness.component(0, k, known[k]); &values != &known[k])
        known[k].copy_from(values);
    }
  return known;
}
} // namespace strut
