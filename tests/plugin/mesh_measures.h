// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/exceptions.h>
#include <deal.II/base/parameter_acceptor.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/grid/tria.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/file_triangulation.h"
#include "plugin/deck/mesh/mesh_source.h"
#include "tests/plugin/text_checks.h"

namespace strut::test
{
/// Entries of a source's subsection, with their values.
using Entries = std::vector<std::pair<std::string, std::string>>;

/// Sets entries of a source as a deck does.
inline void set_entries(const MeshSource &source, const Entries &entries)
{
  auto &prm = dealii::ParameterAcceptor::prm;
  prm.enter_subsection("Mesh");
  prm.enter_subsection(source.title);
  for (const auto &[entry, value] : entries)
    prm.set(entry, value);
  prm.leave_subsection();
  prm.leave_subsection();
}

/// Makes the mesh of a source. Returns how often it is to be refined.
inline unsigned int
create_mesh(const std::string &name, const Entries &entries, dealii::Triangulation<3> &mesh)
{
  dealii::ParameterAcceptor::clear();
  unsigned int refinements = 0;
  auto sources             = make_mesh_sources();
  for (const auto &source : sources)
    if (source->name == name)
      {
        set_entries(*source, entries);
        refinements = source->create(mesh);
      }
  sources.clear();
  dealii::ParameterAcceptor::clear();
  return refinements;
}

/// Entries of a small connecting rod of one layer.
inline Entries entries_of_rod(const std::string &across)
{
  return {{"Elements across", across},
          {"Elements upper ring", "1"},
          {"Elements upper field", "3"},
          {"Elements lower ring", "1"},
          {"Elements lower field", "3"},
          {"Elements between", "3"},
          {"Layers", "1"}};
}

/// Access to all sources, with fresh defaults for each test.
class MeshSources : public ::testing::Test
{
protected:
  void SetUp() override
  {
    dealii::ParameterAcceptor::clear();
    sources_ = make_mesh_sources();
  }

  void TearDown() override
  {
    sources_.clear();
    dealii::ParameterAcceptor::clear();
  }

  /// The source of that name, after these entries were set as by a deck.
  MeshSource &source(const std::string &name, const Entries &entries)
  {
    const auto found = std::find_if(sources_.begin(), sources_.end(), [&](const auto &candidate) {
      return candidate->name == name;
    });
    AssertThrow(found != sources_.end(), dealii::ExcMessage("no source " + name));
    set_entries(**found, entries);
    return **found;
  }

  std::vector<std::unique_ptr<MeshSource>> sources_;
};

/// Measures of the geometry of a mesh.
struct Measures
{
  double volume = 0.;
  std::map<dealii::types::material_id, double> volumes;
  std::map<dealii::types::boundary_id, double> areas;
  double minimum_scaled_jacobian = 1.;
  /// Least determinant of the map from the unit cube, at the vertices.
  double minimum_determinant = 1e300;
};

/// Computes exact integrals over the trilinear cells, where the determinant of the map has degree 2
/// in each direction.
inline Measures measure(const dealii::Triangulation<3> &mesh)
{
  Measures result;
  const dealii::QGauss<3> cell_points(2);
  const dealii::QGauss<2> face_points(3);
  for (const auto &cell : mesh.active_cell_iterators())
    {
      std::array<dealii::Point<3>, 8> x;
      for (unsigned int v = 0; v < 8; ++v)
        x[v] = cell->vertex(v);
      const auto determinant = [&x](const dealii::Point<3> &at) {
        dealii::Tensor<2, 3> jacobian;
        for (unsigned int v = 0; v < 8; ++v)
          for (unsigned int d = 0; d < 3; ++d)
            {
              double gradient = 1.;
              for (unsigned int e = 0; e < 3; ++e)
                {
                  const bool upper = (v >> e) & 1u;
                  gradient *= e == d ? (upper ? 1. : -1.) : (upper ? at[e] : 1. - at[e]);
                }
              for (unsigned int e = 0; e < 3; ++e)
                jacobian[e][d] += gradient * x[v][e];
            }
        return dealii::determinant(jacobian);
      };
      double volume = 0.;
      for (unsigned int q = 0; q < cell_points.size(); ++q)
        volume += cell_points.weight(q) * determinant(cell_points.point(q));
      result.volume += volume;
      result.volumes[cell->material_id()] += volume;
      for (unsigned int v = 0; v < 8; ++v)
        result.minimum_determinant =
          std::min(result.minimum_determinant,
                   determinant(dealii::Point<3>(v & 1u, (v >> 1) & 1u, (v >> 2) & 1u)));
      result.minimum_scaled_jacobian =
        std::min(result.minimum_scaled_jacobian, minimum_scaled_jacobian(x));

      for (const auto &face : cell->face_iterators())
        if (face->at_boundary())
          {
            double area = 0.;
            for (unsigned int q = 0; q < face_points.size(); ++q)
              {
                const auto &at   = face_points.point(q);
                const auto along = (1. - at[1]) * (face->vertex(1) - face->vertex(0)) +
                                   at[1] * (face->vertex(3) - face->vertex(2));
                const auto across = (1. - at[0]) * (face->vertex(2) - face->vertex(0)) +
                                    at[0] * (face->vertex(3) - face->vertex(1));
                area += face_points.weight(q) * dealii::cross_product_3d(along, across).norm();
              }
            result.areas[face->boundary_id()] += area;
          }
    }
  return result;
}

inline void expect_close(const double value, const double expected, const double relative)
{
  EXPECT_NEAR(value, expected, relative * std::abs(expected));
}
} // namespace strut::test
