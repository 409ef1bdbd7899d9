// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/kept_elements.h"
#include "source/optimization/evolution.h"
#include "source/optimization/load_nodes.h"
#include "source/optimization/problem/volume_constraint.h"

#include <strut/base/exceptions.h>

namespace strut
{
KeptElements keep_elements(const DesignCheck &design, const SolidElements wanted)
{
  KeptElements kept{design.mesh.flags, 0.};
  if (wanted == SolidElements::nothing)
    return kept;
  const bool and_at_supports = wanted == SolidElements::at_loads_and_supports;
  LoadNodes nodes(design.communicator, design.mesh, design.mirrors);
  for (const LoadCase *const load_case : design.load_cases)
    nodes.add(*load_case);
  const auto near = nodes.elements(design.backend, design.communicator, and_at_supports);
  for (std::size_t e = 0; e < near.size(); ++e)
    if (near[e] != 0 && kept.flags[e] == DesignFlag::design)
      {
        kept.flags[e] = DesignFlag::solid;
        kept.volume += design.mesh.volumes[e];
      }
  kept.volume                   = design.communicator.sum(kept.volume);
  const VolumeConstraint volume = VolumeConstraint::build(design.communicator,
                                                          design.mesh,
                                                          design.settings.volume_fraction,
                                                          0.,
                                                          design.settings.count_non_design);
  if (kept.volume > volume.target)
    throw Error(
      "The elements at loads" + std::string(and_at_supports ? " and supports" : "") +
        " stay solid, and they alone are " + text_of(100. * kept.volume / volume.design) +
        " % of the volume to design, where " + text_of(100. * volume.target / volume.design) +
        " % shall be left. A force that acts everywhere keeps them all; a weight that follows the "
        "material keeps none.",
      Remedy::raise_volume_fraction_or_keep_none);
  return kept;
}

KeptElements keep_elements(const DesignContext &context, const SolidElements wanted)
{
  const Execution &execution = context.execution;
  DesignCheck design{
    execution.backend, execution.communicator, context.mesh, {}, context.settings, context.mirrors};
  for (std::size_t l = 0; l < context.state.n_load_cases(); ++l)
    design.load_cases.push_back(&context.state.load_case(l));
  return keep_elements(design, wanted);
}

void declare_solid_elements(ParameterList &list, SolidElements &setting)
{
  list.add<SolidElements>(
    "Solid elements",
    setting,
    {{"none", SolidElements::nothing},
     {"at loads", SolidElements::at_loads},
     {"at loads and supports", SolidElements::at_loads_and_supports}},
    "Which elements no change takes: those around nodes with a load, with a support too, or none.");
}
} // namespace strut
