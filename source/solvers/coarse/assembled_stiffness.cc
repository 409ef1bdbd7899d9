// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/assembled_stiffness.h"
#include "source/base/parallel_loop.h"
#include "source/element/hexahedron.h"
#include "source/element/tangent_product.h"
#include "source/solvers/coarse/coarse_solver.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace strut
{
AssembledStiffness::AssembledStiffness(const std::vector<GatheredElement> &elements,
                                       const std::size_t n_nodes,
                                       const Material &material,
                                       const int n_threads)
  : n_threads_(n_threads), points_(n_nodes), constrained_(3 * n_nodes, 0)
{
  for (const GatheredElement &element : elements)
    for (std::size_t v = 0; v < 8; ++v)
      {
        const auto node = static_cast<LocalIndex>(element.nodes[v]);
        connectivity_.push_back(node);
        points_[node] = {{element.X[0][v], element.X[1][v], element.X[2][v]}};
        for (std::size_t c = 0; c < 3; ++c)
          if (element.is_constrained(v, c))
            constrained_[3 * node + c] = 1;
      }
  sweep();
  elements_of_ = NodeToElement::build(n_nodes, connectivity_);
  find_shapes(elements);
  of_material_ = matrices_of(material);
}

/// Numbers the nodes by their places.
void AssembledStiffness::sweep()
{
  nodes_.resize(points_.size());
  std::iota(nodes_.begin(), nodes_.end(), 0u);
  std::stable_sort(nodes_.begin(), nodes_.end(), [&](const std::uint32_t a, const std::uint32_t b) {
    for (std::size_t d = 3; d-- > 0;)
      if (points_[a][d] != points_[b][d])
        return points_[a][d] < points_[b][d];
    return false;
  });
  const std::vector<std::array<double, 3>> points = points_;
  const std::vector<std::uint8_t> constrained     = constrained_;
  std::vector<LocalIndex> number(nodes_.size());
  for (std::size_t node = 0; node < nodes_.size(); ++node)
    {
      number[nodes_[node]] = static_cast<LocalIndex>(node);
      points_[node]        = points[nodes_[node]];
      std::copy_n(&constrained[3 * nodes_[node]], 3, &constrained_[3 * node]);
    }
  for (LocalIndex &node : connectivity_)
    node = number[node];
}

void AssembledStiffness::find_shapes(const std::vector<GatheredElement> &elements)
{
  constexpr double tolerance = 1e-10;
  std::map<std::array<std::int64_t, 24>, std::uint32_t> known;
  for (const GatheredElement &element : elements)
    {
      Shape shape;
      double size = 0.;
      for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t v = 0; v < 8; ++v)
          {
            shape.X[d][v] = element.X[d][v] - element.X[d][0];
            size          = std::max(size, std::abs(shape.X[d][v]));
          }
      // The unit is the power of 2 next to the size, so equal elements get equal numbers.
      const double unit = tolerance * std::exp2(std::ceil(std::log2(size) + 0.3));
      std::array<std::int64_t, 24> key;
      for (std::size_t k = 0; k < 24; ++k)
        key[k] = std::llround(shape.X[k / 8][k % 8] / unit);
      const auto [place, is_new] = known.emplace(key, static_cast<std::uint32_t>(shapes_.size()));
      if (is_new)
        shapes_.push_back(shape);
      shape_of_.push_back(place->second);
    }
}

AssembledStiffness::Matrices AssembledStiffness::matrices_of(const Material &material) const
{
  Matrices matrices = {material, {}};
  if (shapes_.size() > most_kept_shapes)
    return matrices;
  for (const Shape &shape : shapes_)
    for (int v = 0; v < 8; ++v)
      {
        double rows[3][24];
        hexahedron::stiffness_rows(shape.X, material, v, rows);
        matrices.kept.insert(matrices.kept.end(), &rows[0][0], &rows[0][0] + 72);
      }
  return matrices;
}

void AssembledStiffness::rows_of(const Matrices &matrices,
                                 const std::size_t element,
                                 const int vertex,
                                 double (&rows)[3][24]) const
{
  const std::size_t shape = shape_of_[element];
  if (matrices.kept.empty())
    return hexahedron::stiffness_rows(shapes_[shape].X, matrices.material, vertex, rows);
  const double *const from = &matrices.kept[576 * shape + 72 * static_cast<std::size_t>(vertex)];
  std::copy(from, from + 72, &rows[0][0]);
}

BlockPattern AssembledStiffness::pattern() const
{
  BlockPattern pattern;
  pattern.n_rows = pattern.n_columns = points_.size();
  pattern.begin.push_back(0);
  std::vector<std::uint32_t> around;
  for (std::size_t node = 0; node < points_.size(); ++node)
    {
      around.clear();
      for (LocalIndex k = elements_of_.begin[node]; k < elements_of_.begin[node + 1]; ++k)
        {
          const std::size_t e = elements_of_.entries[k] / 8;
          around.insert(around.end(), &connectivity_[8 * e], &connectivity_[8 * e] + 8);
        }
      std::sort(around.begin(), around.end());
      around.erase(std::unique(around.begin(), around.end()), around.end());
      pattern.columns.insert(pattern.columns.end(), around.begin(), around.end());
      pattern.begin.push_back(static_cast<std::uint32_t>(pattern.columns.size()));
    }
  return pattern;
}

/// Assembles the matrix.
/// @param rows  function rows(e, vertex, result) that gives rows of an element matrix
template <typename Rows>
void AssembledStiffness::assemble_rows(const Rows &rows, BlockMatrix<3, 3> &K) const
{
  cpu::parallel_for_long(n_threads_, points_.size(), [&](const std::size_t node) {
    std::fill(K.block(K.pattern.begin[node]), K.block(K.pattern.begin[node + 1]), 0.);
    for (LocalIndex k = elements_of_.begin[node]; k < elements_of_.begin[node + 1]; ++k)
      {
        const std::size_t e = elements_of_.entries[k] / 8;
        double of_vertex[3][24];
        rows(e, static_cast<int>(elements_of_.entries[k] % 8), of_vertex);
        for (std::size_t v = 0; v < 8; ++v)
          {
            const std::size_t other = connectivity_[8 * e + v];
            double *const block = K.block(K.pattern.find(node, static_cast<std::uint32_t>(other)));
            for (std::size_t i = 0; i < 3; ++i)
              for (std::size_t j = 0; j < 3; ++j)
                if (constrained_[3 * node + i] == 0 && constrained_[3 * other + j] == 0)
                  block[3 * i + j] += of_vertex[i][3 * v + j];
          }
      }
  });
}

void AssembledStiffness::assemble_factors(const std::vector<double> &factors,
                                          BlockMatrix<3, 3> &K) const
{
  assemble_rows(
    [&](const std::size_t e, const int vertex, double(&rows)[3][24]) {
      rows_of(of_material_, e, vertex, rows);
      const double factor = factors[e] != 0. ? factors[e] : stiffness_of_outside;
      for (auto &row : rows)
        for (double &entry : row)
          entry *= factor;
    },
    K);
}

void AssembledStiffness::assemble_lame(const HostStiffness &stiffness, BlockMatrix<3, 3> &K)
{
  const std::vector<double> &lambda = stiffness.components[0], &mu = stiffness.components[1];
  if (!volumetric_)
    {
      volumetric_ = matrices_of(Material::volumetric(of_material_.material.formulation));
      deviatoric_ = matrices_of(Material::deviatoric());
    }
  assemble_rows(
    [&](const std::size_t e, const int vertex, double(&rows)[3][24]) {
      const bool is_outside = lambda[e] == 0. && mu[e] == 0.;
      double of_lambda[3][24];
      rows_of(is_outside ? of_material_ : *volumetric_, e, vertex, of_lambda);
      rows_of(*deviatoric_, e, vertex, rows);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 24; ++j)
          rows[i][j] =
            (is_outside ? stiffness_of_outside : lambda[e]) * of_lambda[i][j] + mu[e] * rows[i][j];
    },
    K);
}

void AssembledStiffness::assemble(const HostStiffness &stiffness, BlockMatrix<3, 3> &K)
{
  if (stiffness.law == Law::factor)
    return assemble_factors(stiffness.components[0], K);
  if (stiffness.law == Law::lame)
    return assemble_lame(stiffness, K);
  assemble_rows(
    [&](const std::size_t e, const int vertex, double(&rows)[3][24]) {
      const auto tangent = [&](int, const int k) {
        return stiffness.components[static_cast<std::size_t>(k)][e];
      };
      const hexahedron::on_the_fly::TangentSolid<decltype(tangent)> solid{tangent};
      hexahedron::stiffness_rows_by_points(shapes_[shape_of_[e]].X, solid, vertex, rows);
    },
    K);
}
} // namespace strut
