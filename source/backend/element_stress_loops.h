// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/element_stress.h"
#include "source/backend/reference_slopes.h"
#include "source/element/stress.h"
#include "source/mesh/node_to_element.h"

#include <strut/base/memory.h>

#include <memory>

namespace strut
{
/// The geometry for the stress at the centre of an element, for a thread.
/// @tparam Slopes  HexahedronSlopes or TabulatedSlopes
template <typename Slopes>
struct ElementCentres
{
  /// Computes `J[i][d] = dx_i / dxi_d` and `D[i][d] = du_i / dxi_d` at the centre.
  template <typename Number>
  STRUT_HOST_DEVICE void
  slopes(const std::size_t e, const Number *const u, double (&J)[3][3], double (&D)[3][3]) const
  {
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d)
        J[i][d] = D[i][d] = 0.;
    STRUT_UNROLL
    for (int v = 0; v < reference.n_nodes; ++v)
      {
        const std::size_t n = connectivity[v * n_elements + e];
        for (int i = 0; i < 3; ++i)
          {
            const double x     = coordinates[i * n_nodes + n];
            const double value = static_cast<double>(u[3 * n + i]);
            for (int d = 0; d < 3; ++d)
              {
                const double slope = reference.at_centre(v, d);
                J[i][d] += x * slope;
                D[i][d] += value * slope;
              }
          }
      }
  }

  Slopes reference;
  std::size_t n_nodes, n_elements;
  const double *coordinates;
  const LocalIndex *connectivity;
};

/// The von Mises stress at the centre of each element.
///
///     Formula:      stress_e = vM(sigma(u)) at the centre
///     Layout:       coordinates `[3][n_nodes]`, connectivity, u `[n_nodes][3]`
///     Threads:      one per element
///     Bytes:        of hex8: 32 of connectivity and 8 of the result per element;
///                   48 per node, each read by eight elements
///     Flops:        of hex8: some 280 per element
///     Determinism:  each result has one thread
template <typename Slopes, typename Number, typename Loops>
void von_mises_of_elements(const Loops &loops,
                           const ElementCentres<Slopes> &centres,
                           const Material &material,
                           const Number *const u,
                           double *const stress)
{
  loops.for_each(centres.n_elements, [=] STRUT_BODY(const std::size_t e) {
    double J[3][3], D[3][3];
    centres.slopes(e, u, J, D);
    stress[e] = von_mises(stress_of(material, J, D));
  });
}

/// The derivative of each element's stress as a tensor B_e: `f_e dvM_e/du_a = B_e dN_a/dxi`.
///
///     Formula:      `B_e = f_e 2 mu T J^-T` with `T = 3/2 dev(sigma) / vM`
///     Layout:       B `[9][n_elements]`, entry 3 i + d
///     Threads:      one per element
///     Bytes:        of hex8: 32 of connectivity, 8 of the factor, 72 of the result per element;
///                   48 per node, each read by eight elements
///     Flops:        of hex8: some 420 per element
///     Determinism:  each result has one thread
template <typename Slopes, typename Number, typename Loops>
void slopes_of_elements(const Loops &loops,
                        const ElementCentres<Slopes> &centres,
                        const Material &material,
                        const double *const factor,
                        const Number *const u,
                        double *const B)
{
  loops.for_each(centres.n_elements, [=] STRUT_BODY(const std::size_t e) {
    double tensor[3][3] = {}, inverse[3][3] = {};
    if (factor[e] != 0.)
      {
        double J[3][3], D[3][3];
        centres.slopes(e, u, J, D);
        hexahedron::invert(J, inverse);
        const Stress stress = stress_of(material, J, D);
        const double vM     = von_mises(stress);
        const double(&s)[6] = stress.component;
        const double mean   = (s[0] + s[1] + s[2]) / 3.;
        const double shared = vM > 0. ? 3. * material.mu() * factor[e] / vM : 0.;
        for (int i = 0; i < 3; ++i)
          {
            const int j  = (i + 1) % 3;
            tensor[i][i] = shared * (s[i] - mean);
            tensor[i][j] = tensor[j][i] = shared * s[3 + i];
          }
      }
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d)
        {
          double sum = 0.;
          for (int j = 0; j < 3; ++j)
            sum += tensor[i][j] * inverse[d][j];
          B[(3 * i + d) * centres.n_elements + e] = sum;
        }
  });
}

/// The sums of the elements' derivatives at the nodes.
///
///     Formula:      `g_n = sum_e B_e dN_a/dxi`, a the node of e at node n
///     Threads:      one per node, over the elements around it in ascending order
///     Bytes:        36 of the list and 24 of the result per node;
///                   72 per element, each read by eight nodes
///     Flops:        18 per element at a node
///     Determinism:  each result has one thread, which adds in the order of its list
template <typename Slopes, typename Loops>
void slopes_at_nodes(const Loops &loops,
                     const Slopes &reference,
                     const std::size_t n_nodes,
                     const std::size_t n_elements,
                     const LocalIndex *const begin,
                     const LocalIndex *const entries,
                     const double *const B,
                     double *const g)
{
  loops.for_each(n_nodes, [=] STRUT_BODY(const std::size_t n) {
    double sum[3] = {};
    for (LocalIndex k = begin[n]; k < begin[n + 1]; ++k)
      {
        const std::size_t e = entries[k] / LocalIndex(reference.n_nodes);
        const int v         = static_cast<int>(entries[k] % LocalIndex(reference.n_nodes));
        for (int d = 0; d < 3; ++d)
          {
            const double slope = reference.at_centre(v, d);
            for (int i = 0; i < 3; ++i)
              sum[i] += B[(3 * i + d) * n_elements + e] * slope;
          }
      }
    for (int i = 0; i < 3; ++i)
      g[3 * n + i] = sum[i];
  });
}

/// ElementStress for both backends.
/// @tparam Loops  as in VectorLoops
/// @tparam Table  HexahedronTable or NodeTable
template <typename Loops, typename Table>
class ElementStressLoops : public ElementStress
{
public:
  ElementStressLoops(const Loops &loops, Memory &memory, const ElementMesh &mesh)
    : loops_(loops)
    , memory_(memory)
    , n_nodes_(mesh.n_nodes)
    , n_elements_(mesh.n_elements)
    , coordinates_(memory, mesh.coordinates)
    , connectivity_(memory, mesh.connectivity)
    , table_(memory, mesh.type, gradients_at_centre)
  {
    const NodeToElement around = NodeToElement::build(mesh);
    begin_                     = Array<LocalIndex>(memory, around.begin);
    entries_                   = Array<LocalIndex>(memory, around.entries);
  }

  void
  von_mises(const Material &material, const Array<double> &u, Array<double> &stress) const override
  {
    von_mises_of_elements(loops_, centres(), material, u.data(), stress.data());
  }
  void
  von_mises(const Material &material, const Array<float> &u, Array<double> &stress) const override
  {
    von_mises_of_elements(loops_, centres(), material, u.data(), stress.data());
  }

  void add_up_slopes(const Material &material,
                     const Array<double> &factors,
                     const Array<double> &u,
                     Array<double> &g) override
  {
    add_up(material, factors, u, g);
  }
  void add_up_slopes(const Material &material,
                     const Array<double> &factors,
                     const Array<float> &u,
                     Array<double> &g) override
  {
    add_up(material, factors, u, g);
  }

private:
  auto centres() const
  {
    return ElementCentres<typename Table::Slopes>{
      table_.slopes(), n_nodes_, n_elements_, coordinates_.data(), connectivity_.data()};
  }

  template <typename Number>
  void add_up(const Material &material,
              const Array<double> &factors,
              const Array<Number> &u,
              Array<double> &g)
  {
    if (tensors_.empty())
      tensors_ = Array<double>(memory_, 9 * n_elements_);
    slopes_of_elements(loops_, centres(), material, factors.data(), u.data(), tensors_.data());
    slopes_at_nodes(loops_,
                    table_.slopes(),
                    n_nodes_,
                    n_elements_,
                    begin_.data(),
                    entries_.data(),
                    tensors_.data(),
                    g.data());
  }

  const Loops loops_;
  Memory &memory_;
  std::size_t n_nodes_, n_elements_;
  Array<double> coordinates_;
  Array<LocalIndex> connectivity_;
  Table table_;
  Array<LocalIndex> begin_, entries_; ///< arrays of NodeToElement
  Array<double> tensors_;             ///< B_e, allocated at the first derivative
};

/// Makes the stresses at the centres of the elements of a mesh.
template <typename Loops>
std::unique_ptr<ElementStress>
make_element_stress_loops(const Loops &loops, Memory &memory, const ElementMesh &mesh)
{
  if (mesh.type == ElementType())
    return std::make_unique<ElementStressLoops<Loops, HexahedronTable>>(loops, memory, mesh);
  return std::make_unique<ElementStressLoops<Loops, NodeTable>>(loops, memory, mesh);
}
} // namespace strut
