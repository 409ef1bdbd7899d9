// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/element_stress.h"
#include <strut/parallel/halo_exchange.h>

#include <strut/base/exceptions.h>
#include <strut/optimization/responses/response.h>

#include <memory>
#include <vector>

namespace strut
{
/// The von Mises stress of the solid at the centres of the elements, for responses that depend on
/// it. Stresses and derivatives stay on the backend.
class SolidStress
{
public:
  explicit SolidStress(const ResponseContext &context)
    : stress_(context.backend.memory(), context.mesh.n_elements)
    , by_displacement_(context.backend.memory(), context.mesh.n_dofs())
    , elements_(context.backend.make_element_stress(context.mesh))
    , ghosts_(context.backend, context.communicator, context.mesh.node_halo, 3)
  {}

  /// Bytes per element, with the weights of a region: two fields here; nine numbers in
  /// ElementStress.
  static constexpr double bytes_per_element = 2 * 8 + 72;
  /// Bytes per element of the connectivity and its inverse in ElementStress.
  static double bytes_of_type(const ElementType &type)
  {
    return 2. * type.n_nodes * sizeof(LocalIndex);
  }
  /// Bytes per node: the derivative by the displacements here; coordinates, and the beginning of
  /// each list of the inverse, in ElementStress.
  static constexpr double bytes_per_node = 24 + 24 + 4;

  /// Returns v_e / V of the elements of a region but void ones, 0 in the others. V is the volume
  /// over all ranks. Collective. Throws Error if all are void.
  static Array<double> weights_of(const ResponseRegion &region, const ResponseContext &context)
  {
    std::vector<double> weights(context.mesh.n_elements, 0.);
    double volume = 0.;
    for (const LocalIndex e : elements_of(region, context.regions, context.mesh))
      if (context.mesh.flags[e] != DesignFlag::empty)
        volume += weights[e] = context.mesh.volumes[e];
    volume = context.communicator.sum(volume);
    if (!(volume > 0.))
      throw Error("The region whose stresses count has void elements alone.");
    for (double &weight : weights)
      weight /= volume;
    return Array<double>(context.backend.memory(), weights);
  }

  /// Compute vM_e of a load case that was just solved, `[n_elements]`. Collective.
  Array<double> &solve(const AnalysedDesign &design, const std::size_t l)
  {
    design.state.von_mises(l, *elements_, stress_);
    return stress_;
  }

  /// Add the part of dR/drho_e that depends on the stresses. They must have been overwritten with
  /// dR/dvM_e. Throws SolverFailure. Collective.
  SolverReport
  add_derivative(const AnalysedDesign &design, const std::size_t l, Derivative &derivative)
  {
    design.state.add_up_stress_slopes(l, *elements_, stress_, by_displacement_);
    ghosts_.add_to_owners(by_displacement_);
    return add_by_displacements(design, l, by_displacement_, derivative);
  }

private:
  Array<double> stress_, by_displacement_;
  std::unique_ptr<ElementStress> elements_;
  HaloExchange<double> ghosts_;
};
} // namespace strut
