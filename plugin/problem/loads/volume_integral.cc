// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>
#include <strut/plugin/load_integrals.h>

#include "plugin/problem/element_set.h"
#include "source/element/hexahedron.h"

namespace strut::plugin
{
std::string
visit_elements(const LoadContext &context, const Load &load, const ElementVisitor &visit)
{
  if (load.region.has_boundary_ids())
    throw EntryError(
      load.path(),
      "Boundary ids",
      "A force per volume acts on elements, which have no boundary ids.\n  Name the region "
      "by 'Material ids' or 'Expression'.");
  const ElementSet elements = select_elements(context.mesh, context.communicator, load.region);
  const auto count          = dealii::Utilities::MPI::sum(elements.size(), context.communicator);
  if (count == 0)
    load.region.throw_selects_nothing("element", context.summary);
  if (context.caught != nullptr)
    *context.caught = caught_elements(elements, context.mesh);
  for (const LocalIndex e : elements)
    visit(e);
  return std::to_string(count) + " elements";
}

std::string
add_volume_integral(const LoadContext &context, const Load &load, const ForceDensity &force)
{
  const DeckMesh &mesh = context.mesh;
  return visit_elements(context, load, [&](const std::size_t e) {
    double X[3][8], G[3][8];
    for (unsigned int v = 0; v < 8; ++v)
      for (unsigned int d = 0; d < 3; ++d)
        X[d][v] = mesh.elements.coordinates[d * mesh.elements.n_nodes + mesh.node(e, v)];
    for (int q = 0; q < 8; ++q)
      {
        const double dx = hexahedron::gradients(X, q, G);
        double N[8];
        dealii::Point<3> point;
        for (int v = 0; v < 8; ++v)
          {
            N[v] = 1.;
            for (int d = 0; d < 3; ++d)
              {
                const double x = hexahedron::gauss_point(q >> d & 1);
                N[v] *= (v >> d & 1) != 0 ? x : 1. - x;
              }
            for (int d = 0; d < 3; ++d)
              point[d] += N[v] * X[d][v];
          }
        const dealii::Tensor<1, 3> b = force(point) * dx;
        for (unsigned int v = 0; v < 8; ++v)
          for (unsigned int c = 0; c < 3; ++c)
            context.forces[3 * std::size_t(mesh.node(e, v)) + c] += N[v] * b[c];
      }
  });
}
} // namespace strut::plugin
