// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/material_region.h"

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <strut/base/exceptions.h>
#include <strut/solvers/structure.h>

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "plugin/base/spelling.h"
#include "plugin/deck/problem/element_set.h"
#include "plugin/deck/problem/problem.h"

namespace strut::plugin
{
namespace
{
/// How far a ratio may be from 1: beyond it the softer solid is below the accuracy of a solve.
constexpr double most_contrast = 1e6;

bool is_ratio(const double ratio)
{
  return ratio >= 1. / most_contrast && ratio <= most_contrast;
}
} // namespace

MaterialRegion::MaterialRegion(const std::string &name)
  : dealii::ParameterAcceptor("/Materials/" + name), name(name)
{
  region.declare(*this, path());
  add_parameter("Young's modulus",
                youngs_modulus_,
                "Of the solid in this region, force per area. 0: that of 'Material'.");
  add_parameter(
    "Poisson's ratio",
    poisson_ratio_,
    "Of the solid in this region, in (-1, 0.5). Empty: that of 'Material'. Materials with several take "
    "twice the time for a product, trilinear elements and full volumetric integration.");
  add_parameter(
    "Mass ratio",
    mass_ratio_,
    "Mass per volume of the solid in this region, relative to that of 'Material', which the 'Density' of a response and "
    "the value of a self weight are for.");
}

double MaterialRegion::poisson_ratio(const Material &material) const
{
  if (poisson_ratio_.empty())
    return material.poisson_ratio;
  double value = 0.;
  try
    {
      value = dealii::Utilities::string_to_double(poisson_ratio_);
    }
  catch (const dealii::ExceptionBase &)
    {
      throw EntryError(
        path(),
        "Poisson's ratio",
        "'" + shown(poisson_ratio_) +
          "' is no number.\nGive one between -1 and 0.5, or leave this entry out for "
          "that of 'Material'.");
    }
  if (!(value > -1. && value < 0.5))
    throw EntryError(path(),
                     "Poisson's ratio",
                     "Poisson's ratio must lie between -1 and 0.5, both excluded.");
  if (value != material.poisson_ratio &&
      (material.has_mean_dilatation() || material.has_incompatible_modes()))
    {
      std::ostringstream text;
      text << (material.has_incompatible_modes() ? "'Material' has 'Element = incompatible modes'"
                                                 : "'Material' has 'Volumetric integration = mean'")
           << ", whose elements have one Poisson's ratio, that of 'Material', "
           << material.poisson_ratio << ".\nLeave that out of 'Material', or this entry here.";
      throw EntryError(path(), "Poisson's ratio", text.str());
    }
  return value;
}

double MaterialRegion::stiffness_ratio(const Material &material) const
{
  if (youngs_modulus_ == 0.)
    return 1.;
  const double ratio = youngs_modulus_ / material.youngs_modulus;
  if (!is_ratio(ratio))
    {
      std::ostringstream text;
      text
        << "Young's modulus must be a positive number, and at most a million times as large or as small as that of "
           "'Material', "
        << material.youngs_modulus
        << ".\nFor a part that is rigid or carries nothing take supports, or a void region.";
      throw EntryError(path(), "Young's modulus", text.str());
    }
  return ratio;
}

double MaterialRegion::mass_ratio() const
{
  if (!is_ratio(mass_ratio_))
    throw EntryError(path(), "Mass ratio", "It must be a number between 1e-6 and 1e6.");
  return mass_ratio_;
}

void Problem::assign_materials()
{
  ratios_ = MaterialRatios();
  material_shares_.clear();
  if (materials_.empty())
    return;
  const std::size_t n = mesh_.elements.n_elements;
  ratios_.stiffness.assign(n, 1.);
  ratios_.mass.assign(n, 1.);
  if (std::any_of(materials_.begin(), materials_.end(), [&](const auto &material) {
        return material->poisson_ratio(material_) != material_.poisson_ratio;
      }))
    ratios_.poisson_ratio.assign(n, material_.poisson_ratio);
  // by element whose it is, counted from 1
  std::vector<std::uint32_t> material_of(n, 0);
  for (std::size_t m = 0; m < materials_.size(); ++m)
    {
      MaterialRegion &material = *materials_[m];
      material.region.prepare(summary_);
      const double stiffness    = material.stiffness_ratio(material_);
      const double mass         = material.mass_ratio();
      const double poisson      = material.poisson_ratio(material_);
      const ElementSet elements = select_elements(mesh_, communicator_, material.region);
      std::string overlap; // the first on this rank, until all ranks have looked
      for (const LocalIndex e : elements)
        {
          if (material_of[e] > 0 && overlap.empty())
            {
              std::ostringstream text;
              text << "The region shares elements with the material '"
                   << materials_[material_of[e] - 1]->name << "': one has its centre at ("
                   << mesh_.centre(e) << ").\nLet the regions of materials not overlap.";
              overlap = text.str();
            }
          material_of[e]       = static_cast<std::uint32_t>(m + 1);
          ratios_.stiffness[e] = stiffness;
          ratios_.mass[e]      = mass;
          if (!ratios_.poisson_ratio.empty())
            ratios_.poisson_ratio[e] = poisson;
        }
      for (const std::string &text : dealii::Utilities::MPI::all_gather(communicator_, overlap))
        if (!text.empty())
          throw EntryError(material.path(), "", text);
      const auto count = dealii::Utilities::MPI::sum(elements.size(), communicator_);
      if (count == 0)
        material.region.throw_selects_nothing("element", summary_);
      std::ostringstream note;
      note << "material '" << material.name << "' on " << count << " elements ("
           << material.region.describe() << ')';
      note_region(note.str(), selected_elements(elements, mesh_), material.region);
    }
  count_materials(material_of);
}

void Problem::count_materials(const std::vector<std::uint32_t> &material_of)
{
  std::vector<double> counts(materials_.size() + 1, 0.), volumes(counts);
  for (std::size_t e = 0; e < material_of.size(); ++e)
    {
      counts[material_of[e]] += 1.;
      volumes[material_of[e]] += mesh_.elements.volumes[e];
    }
  const Communicator communicator(communicator_);
  communicator.sum(counts.data(), counts.size());
  communicator.sum(volumes.data(), volumes.size());
  for (std::size_t m = 0; m < counts.size(); ++m)
    {
      MaterialShare share{"",
                          material_.youngs_modulus,
                          material_.poisson_ratio,
                          1.,
                          static_cast<std::uint64_t>(counts[m]),
                          volumes[m]};
      if (m > 0)
        {
          share.name = materials_[m - 1]->name;
          share.youngs_modulus *= materials_[m - 1]->stiffness_ratio(material_);
          share.poisson_ratio = materials_[m - 1]->poisson_ratio(material_);
          share.mass_ratio    = materials_[m - 1]->mass_ratio();
        }
      material_shares_.push_back(share);
    }
}

std::string Problem::materials_table() const
{
  std::ostringstream table;
  if (!material_shares_.empty())
    table
      << "  materials:\n    Young's modulus  Poisson's ratio    mass ratio      elements        volume  name\n";
  for (const MaterialShare &share : material_shares_)
    table << "    " << std::setw(15) << share.youngs_modulus << std::setw(17) << share.poisson_ratio
          << std::setw(14) << share.mass_ratio << std::setw(14) << share.n_elements << std::setw(14)
          << share.volume << "  " << (share.name.empty() ? "(all others)" : share.name) << '\n';
  return table.str();
}

std::vector<double> Problem::times_shear_ratios(std::vector<double> stiffness) const
{
  for (std::size_t e = 0; e < stiffness.size(); ++e)
    stiffness[e] *= shear_ratio_of(e, material_, ratios_);
  return stiffness;
}
} // namespace strut::plugin
