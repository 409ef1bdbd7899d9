// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/backend/memory_plan.h>
#include <strut/backend/timing.h>
#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/element/material_ratios.h>
#include <strut/mesh/hierarchy.h>

namespace strut
{
/// The part of a structure on this rank. Meshes and ratios must outlive everything that is made
/// from it.
struct Structure
{
  const ElementMesh &mesh;
  Material material = {};
  /// The meshes that `mesh` was refined from, and background cells.
  const MeshHierarchy &coarser = no_coarser_meshes();
  /// Ratios of solids other than `material`. A StateSolver multiplies its factors of stiffness by
  /// them. Operators and preconditioners get the products, or Lame's parameters where Poisson's
  /// ratios differ.
  const MaterialRatios &ratios = MaterialRatios::none();

  static const MeshHierarchy &no_coarser_meshes()
  {
    static const MeshHierarchy none;
    return none;
  }
};

/// Whether the solids of a structure have Poisson's ratios of their own. Collective.
inline bool has_poisson_ratios(const Communicator &communicator, const Structure &structure)
{
  return communicator.any(!structure.ratios.poisson_ratio.empty());
}

/// Whether some solid of a structure is not isotropic. Collective.
inline bool has_anisotropic_solids(const Communicator &communicator, const Structure &structure)
{
  return communicator.any(!structure.ratios.anisotropic.empty());
}

/// The solid of an element of a structure of this material.
inline Material solid_of(const std::size_t element, Material material, const MaterialRatios &ratios)
{
  material.youngs_modulus *= ratios.stiffness_of(element);
  if (!ratios.poisson_ratio.empty())
    material.poisson_ratio = ratios.poisson_ratio[element];
  return material;
}

/// Ratio of the element's shear modulus to that of the material. It is also the ratio of von Mises
/// stresses at the same strain, since changes of volume do not contribute to them.
inline double
shear_ratio_of(const std::size_t element, const Material &material, const MaterialRatios &ratios)
{
  return ratios.poisson_ratio.empty() ? ratios.stiffness_of(element)
                                      : solid_of(element, material, ratios).mu() / material.mu();
}

/// The backend, the ranks and the timing table of a computation. Backend and table must outlive
/// everything that is made with them.
struct Execution
{
  Backend &backend;
  Communicator communicator;
  TimingTable &timing;
};

/// The size of this rank's part, for memory plans. Collective.
///
/// @param on_device  whether the backend's memory is that of a GPU
MeshSize size_of(const Communicator &communicator, const Structure &structure, bool on_device);
} // namespace strut
