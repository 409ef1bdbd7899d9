// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/nodal_fields.h"
#include "source/backend/reference_slopes.h"
#include "source/base/connected.h"
#include "source/element/hexahedra_of_vertices.h"
#include "source/element/iso_cell.h"
#include "source/element/stress.h"
#include "source/mesh/identical_elements.h"
#include "source/mesh/node_to_element.h"

#include <cmath>
#include <memory>

namespace strut
{
/// The connectivity of a mesh: nodes of elements, and elements around nodes.
struct NodesAndElements
{
  std::size_t n_nodes, n_elements;
  const double *coordinates;
  /// Begin and entries are those of NodeToElement.
  const LocalIndex *connectivity, *begin, *entries;
};

/// Computes the stress of the solid in element e at its vertex v, which is node n.
template <typename Number>
STRUT_HOST_DEVICE Stress stress_at_node(const NodesAndElements &mesh,
                                        const HexahedronSlopes &,
                                        const Material &material,
                                        const Number *const displacement,
                                        const std::size_t e,
                                        const int v,
                                        const std::size_t n)
{
  double X[3][4], u[3][4];
  for (int c = 0; c < 4; ++c)
    {
      const std::size_t m =
        c == 0 ? n : mesh.connectivity[(v ^ 1 << (c - 1)) * mesh.n_elements + e];
      for (int i = 0; i < 3; ++i)
        {
          X[i][c] = mesh.coordinates[i * mesh.n_nodes + m];
          u[i][c] = displacement[3 * m + i];
        }
    }
  return stress_at_vertex(material, X, u);
}

/// Computes the stress of the solid in an element of any type at its node v.
template <typename Number>
STRUT_HOST_DEVICE Stress stress_at_node(const NodesAndElements &mesh,
                                        const TabulatedSlopes &reference,
                                        const Material &material,
                                        const Number *const displacement,
                                        const std::size_t e,
                                        const int v,
                                        const std::size_t)
{
  double J[3][3] = {}, D[3][3] = {};
  for (int a = 0; a < reference.n_nodes; ++a)
    {
      const std::size_t m = mesh.connectivity[a * mesh.n_elements + e];
      for (int i = 0; i < 3; ++i)
        for (int d = 0; d < 3; ++d)
          {
            const double slope = reference.at_node(v, a, d);
            J[i][d] += mesh.coordinates[i * mesh.n_nodes + m] * slope;
            D[i][d] += static_cast<double>(displacement[3 * m + i]) * slope;
          }
    }
  return stress_of(material, J, D);
}

/// Implements NodalFields::sum_stresses().
template <typename Slopes, typename Number, typename Loops>
void sum_stresses_at_nodes(const Loops &loops,
                           const NodesAndElements &mesh,
                           const Slopes &reference,
                           const Material &material,
                           const double *const factor,
                           const Number *const displacement,
                           double *const out)
{
  constexpr unsigned int n_sums = NodalFields::n_sums;
  loops.for_each(mesh.n_nodes, [=] STRUT_BODY(const std::size_t n) {
    double total[6] = {};
    for (LocalIndex k = mesh.begin[n]; k < mesh.begin[n + 1]; ++k)
      {
        const std::size_t e = mesh.entries[k] / LocalIndex(reference.n_nodes);
        const int v         = static_cast<int>(mesh.entries[k] % LocalIndex(reference.n_nodes));
        const Stress stress = stress_at_node(mesh, reference, material, displacement, e, v, n);
        for (int c = 0; c < 6; ++c)
          total[c] += factor[e] * stress.component[c];
      }
    for (int c = 0; c < 6; ++c)
      out[n_sums * n + c] = total[c];
    out[n_sums * n + 6] = mesh.begin[n + 1] - mesh.begin[n];
  });
}

/// Implements NodalFields::label_parts(), with a thread per node, then per element, then per node.
/// It moves 4 bytes per node and the connectivity. Trees are shallow, since neighbours have close
/// numbers.
template <typename Slopes, typename Loops>
void label_connected_parts(const Loops &loops,
                           const NodesAndElements &mesh,
                           const Slopes &reference,
                           const double *const density,
                           LocalIndex *const label)
{
  const LocalIndex none = static_cast<LocalIndex>(mesh.n_nodes);
  loops.for_each(mesh.n_nodes, [=] STRUT_BODY(const std::size_t n) {
    label[n] = none;
    for (LocalIndex k = mesh.begin[n]; k < mesh.begin[n + 1]; ++k)
      if (density[mesh.entries[k] / LocalIndex(reference.n_nodes)] > 0.)
        label[n] = static_cast<LocalIndex>(n);
  });
  loops.for_each(mesh.n_elements, [=] STRUT_BODY(const std::size_t e) {
    if (density[e] > 0.)
      for (int v = 1; v < reference.n_nodes; ++v)
        connected::unite(label, mesh.connectivity[e], mesh.connectivity[v * mesh.n_elements + e]);
  });
  loops.for_each(mesh.n_nodes, [=] STRUT_BODY(const std::size_t n) {
    if (label[n] != none)
      label[n] = connected::root(label, static_cast<LocalIndex>(n));
  });
}

/// Shapes of elements whose parts above a level have formulas of their own.
enum class IsoShape : std::uint8_t
{
  hexahedron,
  parallelepiped,
  tetrahedron ///< collapsed; see hexahedra_of_vertices()
};

/// Returns the shape of each element.
inline std::vector<IsoShape> iso_shapes(const ElementMesh &mesh)
{
  const std::vector<std::uint8_t> affine = affine_elements(mesh);
  std::vector<IsoShape> shapes(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    shapes[e] = affine[e] != 0          ? IsoShape::parallelepiped
                : is_collapsed(mesh, e) ? IsoShape::tetrahedron
                                        : IsoShape::hexahedron;
  return shapes;
}

/// The data of an element's share above the level, for a thread.
struct IsoShares
{
  STRUT_HOST_DEVICE double share(const std::size_t e) const
  {
    double values[8];
    for (int v = 0; v < 8; ++v)
      values[v] = field[connectivity[v * n_elements + e]];
    const int marked = iso_cell::marking(values, level);
    if (marked == 0 || marked == 255 || shape[e] == IsoShape::parallelepiped)
      return iso_cell::fraction(values, level);
    if (shape[e] == IsoShape::tetrahedron)
      return iso_cell::fraction_of_tetrahedron({values[0], values[1], values[2], values[4]}, level);
    double X[3][8];
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d)
        X[d][v] = coordinates[d * n_nodes + connectivity[v * n_elements + e]];
    return iso_cell::volume(X, values, level) / volumes[e];
  }

  std::size_t n_nodes, n_elements;
  const double *coordinates, *volumes, *field;
  const LocalIndex *connectivity; ///< `[8][n_elements]`
  const IsoShape *shape;
  double level;
};

/// The nodal fields for both backends but those that depend on the type of the elements. Level sets
/// cut the straight elements between the vertices.
///
/// Parts of elements: a thread per element, which reads eight values. It ends there if the level
/// does not cut the element. A parallelepiped takes some 200 operations, another hexahedron some
/// 10,000.
///
/// @tparam Loops  see VectorLoops
template <typename Loops>
class LevelSetLoops : public NodalFields
{
public:
  LevelSetLoops(const Loops &loops, Memory &memory, const ElementMesh &mesh)
    : loops_(loops)
    , type_(mesh.type)
    , n_nodes_(mesh.n_nodes)
    , n_elements_(mesh.n_elements)
    , coordinates_(memory, mesh.coordinates)
    , volumes_(memory, mesh.volumes)
    , connectivity_(memory, mesh.connectivity)
  {
    if (mesh.type == ElementType())
      {
        shapes_ = Array<IsoShape>(memory, iso_shapes(mesh));
        return;
      }
    const ElementMesh hexahedra = hexahedra_of_vertices(mesh);
    shapes_                     = Array<IsoShape>(memory, iso_shapes(hexahedra));
    corners_                    = Array<LocalIndex>(memory, hexahedra.connectivity);
    straight_volumes_           = Array<double>(memory, hexahedra.volumes);
  }

  void raise_to_von_mises(const Array<double> &sums,
                          const Array<std::uint8_t> &mirrors,
                          const double weight,
                          Array<double> &stress) const override
  {
    const double *const sum          = sums.data();
    const std::uint8_t *const mirror = mirrors.data();
    double *const out                = stress.data();
    loops_.for_each(n_nodes_, [=] STRUT_BODY(const std::size_t n) {
      const double *const of_node = sum + n_sums * n;
      Stress mean;
      for (int c = 0; c < 6; ++c)
        mean.component[c] = of_node[c] / of_node[6];
      // the components xy, yz, zx that involve the normal of a plane of symmetry
      for (int c = 0; c < 3; ++c)
        if ((mirror[n] >> c & 1) != 0 || (mirror[n] >> (c + 1) % 3 & 1) != 0)
          mean.component[3 + c] = 0.;
      const double value = weight * von_mises(mean);
      if (value > out[n])
        out[n] = value;
    });
  }

  double volume_above(const Array<double> &field,
                      const double level,
                      const Array<DesignFlag> &flags) const override
  {
    const IsoShares shares       = this->shares(field, level);
    const DesignFlag *const flag = flags.data();
    const double *const volume   = volumes_.data();
    return loops_.sum(n_elements_, [=] STRUT_BODY(const std::size_t e) {
      return flag[e] == DesignFlag::design ? shares.share(e) * volume[e] : 0.;
    });
  }

  double fractions_above(const Array<double> &field,
                         const double level,
                         const Array<DesignFlag> &flags,
                         Array<double> &fractions) const override
  {
    const IsoShares shares       = this->shares(field, level);
    const DesignFlag *const flag = flags.data();
    const double *const volume   = volumes_.data();
    double *const out            = fractions.data();
    return loops_.sum(n_elements_, [=] STRUT_BODY(const std::size_t e) {
      const bool is_design = flag[e] == DesignFlag::design;
      out[e]               = is_design ? shares.share(e) : flag[e] == DesignFlag::solid ? 1. : 0.;
      return is_design ? out[e] * volume[e] : 0.;
    });
  }

  double largest(const std::size_t n, const Array<double> &field) const override
  {
    const double *const values = field.data();
    return loops_.maximum(n, [=] STRUT_BODY(const std::size_t i) { return values[i]; });
  }

  double drop_parts(const Array<LocalIndex> &labels,
                    const Array<std::uint8_t> &keeps,
                    const Array<DesignFlag> &flags,
                    Array<double> &densities) const override
  {
    const LocalIndex *const label  = labels.data();
    const LocalIndex *const node   = connectivity_.data();
    const std::uint8_t *const keep = keeps.data();
    const DesignFlag *const flag   = flags.data();
    const double *const volume     = volumes_.data();
    double *const density          = densities.data();
    return loops_.sum(n_elements_, [=] STRUT_BODY(const std::size_t e) {
      if (!(density[e] > 0.) || flag[e] != DesignFlag::design || keep[label[node[e]]] != 0)
        return 0.;
      const double dropped = density[e] * volume[e];
      density[e]           = 0.;
      return dropped;
    });
  }

private:
  IsoShares shares(const Array<double> &field, const double level) const
  {
    const bool is_hex8 = type_ == ElementType();
    return {n_nodes_,
            n_elements_,
            coordinates_.data(),
            is_hex8 ? volumes_.data() : straight_volumes_.data(),
            field.data(),
            is_hex8 ? connectivity_.data() : corners_.data(),
            shapes_.data(),
            level};
  }

protected:
  const Loops loops_;
  const ElementType type_;
  std::size_t n_nodes_, n_elements_;
  Array<double> coordinates_, volumes_;
  Array<LocalIndex> connectivity_;

private:
  Array<IsoShape> shapes_;
  /// Vertices and volumes of hexahedra_of_vertices(). Both are empty for hex8, which they would
  /// repeat.
  Array<LocalIndex> corners_;
  Array<double> straight_volumes_;
};

/// NodalFields for both backends.
///
/// Stresses: a thread per node, over the elements around it in ascending order. Per corner of a
/// hex8 it reads four nodes, 24 bytes of coordinates and 24 of displacements each, and does some
/// 150 operations.
///
/// @tparam Loops  see VectorLoops
/// @tparam Table  HexahedronTable or NodeTable
template <typename Loops, typename Table>
class NodalFieldLoops : public LevelSetLoops<Loops>
{
public:
  NodalFieldLoops(const Loops &loops, Memory &memory, const ElementMesh &mesh)
    : LevelSetLoops<Loops>(loops, memory, mesh), table_(memory, mesh.type, gradients_at_nodes)
  {
    const NodeToElement around = NodeToElement::build(mesh);
    begin_                     = Array<LocalIndex>(memory, around.begin);
    entries_                   = Array<LocalIndex>(memory, around.entries);
  }

  void sum_stresses(const Material &material,
                    const Array<double> &factors,
                    const Array<double> &u,
                    Array<double> &sums) const override
  {
    sum_stresses_at_nodes(this->loops_,
                          nodes_and_elements(),
                          table_.slopes(),
                          material,
                          factors.data(),
                          u.data(),
                          sums.data());
  }
  void sum_stresses(const Material &material,
                    const Array<double> &factors,
                    const Array<float> &u,
                    Array<double> &sums) const override
  {
    sum_stresses_at_nodes(this->loops_,
                          nodes_and_elements(),
                          table_.slopes(),
                          material,
                          factors.data(),
                          u.data(),
                          sums.data());
  }

  void label_parts(const Array<double> &densities, Array<LocalIndex> &labels) const override
  {
    label_connected_parts(
      this->loops_, nodes_and_elements(), table_.slopes(), densities.data(), labels.data());
  }

private:
  NodesAndElements nodes_and_elements() const
  {
    return {this->n_nodes_,
            this->n_elements_,
            this->coordinates_.data(),
            this->connectivity_.data(),
            begin_.data(),
            entries_.data()};
  }

  Table table_;
  Array<LocalIndex> begin_, entries_; ///< arrays of NodeToElement
};

/// Makes the nodal fields of a mesh.
template <typename Loops>
std::unique_ptr<NodalFields>
make_nodal_field_loops(const Loops &loops, Memory &memory, const ElementMesh &mesh)
{
  if (mesh.type == ElementType())
    return std::make_unique<NodalFieldLoops<Loops, HexahedronTable>>(loops, memory, mesh);
  return std::make_unique<NodalFieldLoops<Loops, NodeTable>>(loops, memory, mesh);
}
} // namespace strut
