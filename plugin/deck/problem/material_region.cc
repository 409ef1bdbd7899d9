// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/region_sections.h"

#include <deal.II/base/mpi.h>
#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <strut/base/exceptions.h>
#include <strut/solvers/structure.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

#include "plugin/base/spelling.h"
#include "plugin/deck/problem/mirror_image_notes.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/deck/problem/region_members.h"

namespace strut
{
namespace
{
/// Largest ratio of stiffnesses: beyond it, the softer solid is below the accuracy of a solve.
constexpr double most_contrast = 1e6;

dealii::Tensor<1, 3> mesh_axis(const unsigned int d)
{
  dealii::Tensor<1, 3> e;
  e[d] = 1.;
  return e;
}

/// Names the elements of 'Material' that do not take every solid, or nothing.
std::string special_elements(const Material &material)
{
  const auto [name, value] = entry_of(material.formulation);
  return name.empty() ? "" : "'Material' has '" + name + " = " + value + "'";
}

bool is_ratio(const double ratio)
{
  return ratio >= 1. / most_contrast && ratio <= most_contrast;
}
} // namespace

MaterialRegion::MaterialRegion(const std::string &name) : RegionSection("Materials", name)
{
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
    "Mass per volume of the solid in this region, relative to that of 'Material', which the 'Density' of a response or a rotation "
    "and the value of a self weight are for.");
  add_parameter("Strength",
                strength,
                "Yield stress of the solid in this region, as of 'Material'. 0: not known.",
                prm,
                dealii::Patterns::Double(0., 1e300));
  first_axis_  = mesh_axis(0);
  second_axis_ = mesh_axis(1);
  add_parameter(
    "Young's moduli",
    youngs_moduli_,
    "Of an orthotropic solid: E1, E2, E3 along its own axes. Needs 'Poisson's ratios' and 'Shear moduli', and an operator "
    "that stores a matrix for each element. Empty: the solid is isotropic.");
  add_parameter(
    "Poisson's ratios",
    poisson_ratios_,
    "nu12, nu13, nu23: the contraction along the second axis under stress along the first; nu12 / E1 = nu21 / E2.");
  add_parameter("Shear moduli", shear_moduli_, "G12, G13, G23.");
  add_parameter(
    "First axis",
    first_axis_,
    "Direction of axis 1 of an orthotropic solid, of fibres for instance. Of any length.");
  add_parameter(
    "Second axis",
    second_axis_,
    "Direction of axis 2; what it has along axis 1 is taken off. Axis 3 is normal to both.");
}

std::optional<ElasticityMatrix> MaterialRegion::elasticity(const Material &material) const
{
  if (youngs_moduli_.empty())
    {
      for (const auto &[entry, values] : {std::make_pair("Poisson's ratios", &poisson_ratios_),
                                          std::make_pair("Shear moduli", &shear_moduli_)})
        if (!values->empty())
          fail(entry, "It is of an orthotropic solid, which has 'Young's moduli' too.");
      if (first_axis_ != mesh_axis(0) || second_axis_ != mesh_axis(1))
        fail(first_axis_ != mesh_axis(0) ? "First axis" : "Second axis",
             "It is of an orthotropic solid, which has 'Young's moduli' too.");
      return std::nullopt;
    }
  for (const auto &[entry, values] : {std::make_pair("Young's moduli", &youngs_moduli_),
                                      std::make_pair("Poisson's ratios", &poisson_ratios_),
                                      std::make_pair("Shear moduli", &shear_moduli_)})
    if (values->size() != 3)
      fail(entry,
           "An orthotropic solid has three of them, and here are " +
             std::to_string(values->size()) + ".");
  if (youngs_modulus_ != 0. || !poisson_ratio_.empty())
    fail(
      youngs_modulus_ != 0. ? "Young's modulus" : "Poisson's ratio",
      "It is of an isotropic solid, and 'Young's moduli' are of an orthotropic one.\nLeave the one or the other out.");
  const std::string special = special_elements(material);
  if (!special.empty())
    fail("Young's moduli",
         special +
           ", whose elements are isotropic.\nLeave that out of 'Material', or this entry here.");
  for (const auto &[entry, axis] :
       {std::make_pair("First axis", &first_axis_), std::make_pair("Second axis", &second_axis_)})
    if (!(axis->norm() > 0. && std::isfinite(axis->norm())))
      fail(entry, "A direction has some length, and this has none.");
  const dealii::Tensor<1, 3> along = first_axis_ / first_axis_.norm();
  dealii::Tensor<1, 3> across      = second_axis_ - (second_axis_ * along) * along;
  if (!(across.norm() > 1e-6 * second_axis_.norm()))
    fail(
      "Second axis",
      "It is parallel to 'First axis', so axes 2 and 3 are not known.\nGive another direction; of a solid "
      "that is alike all around its first axis, any other one will do.");
  across /= across.norm();
  const dealii::Tensor<1, 3> normal = dealii::cross_product_3d(along, across);
  OrthotropicSolid solid;
  for (unsigned int d = 0; d < 3; ++d)
    {
      solid.youngs_moduli[d]  = youngs_moduli_[d];
      solid.poisson_ratios[d] = poisson_ratios_[d];
      solid.shear_moduli[d]   = shear_moduli_[d];
      solid.axes[0][d]        = along[d];
      solid.axes[1][d]        = across[d];
      solid.axes[2][d]        = normal[d];
    }
  const auto matrix = elasticity_matrix(solid);
  if (!matrix)
    fail(
      "Young's moduli",
      "There are deformations of this solid that cost no energy, or less: the moduli must be positive, and the "
      "ratios small enough, |nu_ij| < sqrt(E_i / E_j) among other things.");
  if (!is_ratio(mean_shear_modulus(*matrix) / material.mu()))
    fail("Young's moduli",
         "The solid must be at most a million times as stiff or as soft as that of 'Material'.");
  return matrix;
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
      fail("Poisson's ratio",
           "'" + shown(poisson_ratio_) +
             "' is no number.\nGive one between -1 and 0.5, or leave this entry out for "
             "that of 'Material'.");
    }
  if (!(value > -1. && value < 0.5))
    fail("Poisson's ratio", "Poisson's ratio must lie between -1 and 0.5, both excluded.");
  const std::string special = special_elements(material);
  if (value != material.poisson_ratio && !special.empty())
    {
      std::ostringstream text;
      text << special << ", whose elements have one Poisson's ratio, that of 'Material', "
           << material.poisson_ratio << ".\nLeave that out of 'Material', or this entry here.";
      fail("Poisson's ratio", text.str());
    }
  return value;
}

double MaterialRegion::stiffness_ratio(const Material &material) const
{
  if (const auto matrix = elasticity(material))
    return mean_shear_modulus(*matrix) / material.mu();
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
      fail("Young's modulus", text.str());
    }
  return ratio;
}

double MaterialRegion::mass_ratio() const
{
  if (!is_ratio(mass_ratio_))
    fail("Mass ratio", "It must be a number between 1e-6 and 1e6.");
  return mass_ratio_;
}

void Problem::assign_materials()
{
  solids_ = Solids();
  material_shares_.clear();
  material_numbers_.clear();
  strengths_ = {material_parameters_.strength};
  for (const auto &material : materials_)
    strengths_.push_back(material->strength);
  if (materials_.empty())
    return;
  const std::size_t n = mesh_.elements.n_elements;
  std::vector<double> ratios(n, 1.), poisson_ratios(n, material_.poisson_ratio);
  solids_.mass.assign(n, 1.);
  const bool is_anisotropic =
    std::any_of(materials_.begin(), materials_.end(), [&](const auto &material) {
      return material->elasticity(material_).has_value();
    });
  if (is_anisotropic)
    solids_.table = {{elasticity_matrix(material_)}, std::vector<std::uint32_t>(n, 0)};
  const bool has_several =
    std::any_of(materials_.begin(), materials_.end(), [&](const auto &material) {
      return material->poisson_ratio(material_) != material_.poisson_ratio;
    });
  solids_.law = is_anisotropic ? Law::table : has_several ? isotropic_law() : Law::factor;
  // For each element, the number of its material from 1; 0: `Material`.
  std::vector<std::uint32_t> material_of(n, 0);
  const MirrorImageNotes images(mesh_, summary_, symmetry_.planes(summary_), communicator_);
  for (std::size_t m = 0; m < materials_.size(); ++m)
    {
      MaterialRegion &material = *materials_[m];
      material.region.prepare(summary_);
      double stiffness     = material.stiffness_ratio(material_);
      const double mass    = material.mass_ratio();
      const double poisson = material.poisson_ratio(material_);
      if (is_anisotropic)
        {
          Material isotropic = material_;
          isotropic.youngs_modulus *= stiffness;
          isotropic.poisson_ratio = poisson;
          solids_.table.matrices.push_back(
            material.elasticity(material_).value_or(elasticity_matrix(isotropic)));
          stiffness = mean_shear_modulus(solids_.table.matrices.back()) / material_.mu();
        }
      const ElementSet elements = select_elements(mesh_, communicator_, material.region);
      std::string overlap; // the first on this rank, until all ranks have searched
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
          material_of[e]    = static_cast<std::uint32_t>(m + 1);
          ratios[e]         = stiffness;
          poisson_ratios[e] = poisson;
          solids_.mass[e]   = mass;
          if (is_anisotropic)
            solids_.table.of_element[e] = material_of[e];
        }
      for (const std::string &text : dealii::Utilities::MPI::all_gather(communicator_, overlap))
        if (!text.empty())
          throw EntryError(material.path(), "", text);
      const auto count = dealii::Utilities::MPI::sum(elements.size(), communicator_);
      if (count == 0)
        material.region.throw_selects_nothing("element", summary_);
      std::ostringstream note;
      const std::string owner = "material '" + material.name + "'";
      note << owner << " on " << count << " elements (" << material.region.describe() << ')';
      note_region(note.str(), selected_elements(elements, mesh_), material.region);
      if (const auto solid = material.elasticity(material_))
        add_note(images.of_material(owner, *solid));
    }
  solids_.numbers = {ratios};
  if (solids_.law == isotropic_law())
    solids_.numbers.push_back(poisson_ratios);
  count_materials(material_of);
  material_numbers_ = std::move(material_of);
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
          share.name           = materials_[m - 1]->name;
          share.is_orthotropic = materials_[m - 1]->elasticity(material_).has_value();
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
    {
      table << "    ";
      if (share.is_orthotropic)
        table << std::setw(32) << "orthotropic";
      else
        table << std::setw(15) << share.youngs_modulus << std::setw(17) << share.poisson_ratio;
      table << std::setw(14) << share.mass_ratio << std::setw(14) << share.n_elements
            << std::setw(14) << share.volume << "  "
            << (share.name.empty() ? "(all others)" : share.name) << '\n';
    }
  return table.str();
}
} // namespace strut
