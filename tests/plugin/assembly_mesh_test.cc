// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Conversion of a triangulation to the mesh of matrix generation. Element matrices and the
// generated matrices equal deal.II's, on hexahedra and on tetrahedra.
#include "plugin/studies/assembly/library_matrix.h"
#include "plugin/studies/assembly/measure_solve.h"
#include "source/comparison/assembly/assembly_operations.h"
#include "source/element/element_stiffness.h"

#include "tests/fixtures/backends.h"
#include "tests/plugin/distributed_problem.h"
#include "tests/plugin/mesh_measures.h"

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/manifold_lib.h>
#include <deal.II/grid/tria.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparse_matrix.h>

#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <tuple>

namespace strut
{
namespace
{
using Triangulation = dealii::Triangulation<3>;
const Material alloy{2.5, 0.3};

/// Bends and stretches; orientations are preserved.
dealii::Point<3> bend(const dealii::Point<3> &x)
{
  return {x[0] + 0.1 * std::sin(2. * x[1] + x[2]),
          x[1] + 0.1 * std::sin(3. * x[2] - x[0]),
          1.3 * x[2] + 0.1 * std::sin(2. * x[0])};
}

/// Distorted hexahedra of several orientations.
void make_hexahedra(Triangulation &triangulation)
{
  dealii::GridGenerator::hyper_ball(triangulation);
  triangulation.refine_global(1);
  dealii::GridTools::distort_random(0.15, triangulation, /*keep_boundary*/ false, /*seed*/ 3);
}

void make_tetrahedra(Triangulation &triangulation)
{
  Triangulation cubes;
  dealii::GridGenerator::subdivided_hyper_cube(cubes, 2);
  dealii::GridGenerator::convert_hypercube_to_simplex_mesh(cubes, triangulation);
  dealii::GridTools::transform(bend, triangulation);
}

void make_cells(Triangulation &triangulation, const ElementType &type)
{
  if (type.n_vertices == 4)
    make_tetrahedra(triangulation);
  else
    make_hexahedra(triangulation);
}

/// The stiffness of linear elasticity as an application of deal.II assembles it.
class AssembledByDealII
{
public:
  /// @param factors  stiffness factors, `[n_elements]`
  AssembledByDealII(const Triangulation &triangulation,
                    const TriangulationMesh &mesh,
                    const std::vector<double> &factors)
    : library(triangulation, mesh, alloy, factors, /*n_threads*/ 1)
  {
    dealii::DynamicSparsityPattern pattern;
    library.make_pattern(pattern);
    pattern_.copy_from(pattern);
    matrix.reinit(pattern_);
    library.assemble([&](const auto &dofs, const auto &cell) { matrix.add(dofs, cell); });
  }

  LibraryMatrix library;
  dealii::SparseMatrix<double> matrix;

private:
  dealii::SparsityPattern pattern_;
};

/// Subtracts the stiffness by an assembly that shares no code with the study: it has its own finite
/// element, mapping and quadrature of deal.II, and products of symmetric gradients.
/// @param of_cells  stiffness factors by active cell
void subtract_symmetric_gradients(const Triangulation &triangulation,
                                  const ElementType &type,
                                  const std::vector<double> &of_cells,
                                  dealii::SparseMatrix<double> &matrix)
{
  using namespace dealii;
  std::unique_ptr<FESystem<3>> fe;
  std::unique_ptr<Mapping<3>> mapping;
  Quadrature<3> quadrature;
  const unsigned int degree = type.n_nodes == type.n_vertices ? 1 : 2;
  if (type.n_vertices == 8)
    {
      fe         = std::make_unique<FESystem<3>>(FE_Q<3>(degree), 3);
      mapping    = std::make_unique<MappingQ<3>>(degree);
      quadrature = QGauss<3>(degree + 1);
    }
  else
    {
      fe         = std::make_unique<FESystem<3>>(FE_SimplexP<3>(degree), 3);
      mapping    = std::make_unique<MappingFE<3>>(FE_SimplexP<3>(1));
      quadrature = QGaussSimplex<3>(degree);
    }
  DoFHandler<3> dof_handler(triangulation);
  dof_handler.distribute_dofs(*fe);
  FEValues<3> values(*mapping, *fe, quadrature, update_gradients | update_JxW_values);
  const FEValuesExtractors::Vector displacement(0);
  FullMatrix<double> cell_matrix(fe->n_dofs_per_cell());
  std::vector<types::global_dof_index> dofs(fe->n_dofs_per_cell());
  for (const auto &cell : dof_handler.active_cell_iterators())
    {
      values.reinit(cell);
      cell_matrix         = 0.;
      const double factor = of_cells[cell->active_cell_index()];
      for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
        for (unsigned int i = 0; i < dofs.size(); ++i)
          for (unsigned int j = 0; j < dofs.size(); ++j)
            cell_matrix(i, j) -= factor * values.JxW(q) *
                                 (alloy.lambda() * values[displacement].divergence(i, q) *
                                    values[displacement].divergence(j, q) +
                                  2. * alloy.mu() *
                                    (values[displacement].symmetric_gradient(i, q) *
                                     values[displacement].symmetric_gradient(j, q)));
      cell->get_dof_indices(dofs);
      matrix.add(dofs, cell_matrix);
    }
}

/// Subtracts the sum of the mesh's element matrices in deal.II's numbering.
template <typename Element>
void subtract_elements(const TriangulationMesh &nodes,
                       const std::vector<dealii::types::global_dof_index> &dofs,
                       dealii::SparseMatrix<double> &matrix)
{
  constexpr int n         = Element::n_nodes;
  const ElementMesh &mesh = nodes.mesh;
  const auto node         = [&](const std::size_t e, const int a) {
    return mesh.node(e, static_cast<std::size_t>(a));
  };
  std::vector<double> K(9 * n * n);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][n];
      nodes_of<Element>(mesh, e, X);
      element_stiffness::matrix<Element>(X, alloy.lambda(), alloy.mu(), K.data());
      for (int i = 0; i < 3 * n; ++i)
        for (int j = 0; j < 3 * n; ++j)
          matrix.add(dofs[3 * node(e, i / 3) + i % 3],
                     dofs[3 * node(e, j / 3) + j % 3],
                     -K[3 * n * i + j]);
    }
}

class AssemblyMeshOf : public ::testing::TestWithParam<ElementType>
{};

/// The types that deal.II has.
const auto types_of_deal_ii =
  ::testing::Values(type_of<Hex8>(), type_of<Hex27>(), type_of<Tet4>(), type_of<Tet10>());

// The matrix of the study, to which the others are compared, equals an independent assembly.
TEST_P(AssemblyMeshOf, MatrixOfTheStudyIsThatOfSymmetricGradients)
{
  Triangulation triangulation;
  make_cells(triangulation, GetParam());
  const TriangulationMesh nodes = build_assembly_mesh(triangulation, GetParam());
  const auto of_cells = strut::test::random_vector(triangulation.n_active_cells(), 3, 0.01, 1.);
  std::vector<double> of_elements;
  for (const auto cell : nodes.mesh.element_to_cell)
    of_elements.push_back(of_cells[cell]);
  AssembledByDealII study(triangulation, nodes, of_elements);
  const double size = study.matrix.linfty_norm();
  EXPECT_GT(size, 0.);
  subtract_symmetric_gradients(triangulation, GetParam(), of_cells, study.matrix);
  EXPECT_LT(study.matrix.linfty_norm(), 1e-13 * size);
}

TEST_P(AssemblyMeshOf, ElementsAddUpToTheMatrixOfDealII)
{
  Triangulation triangulation;
  make_cells(triangulation, GetParam());
  const TriangulationMesh nodes = build_assembly_mesh(triangulation, GetParam());
  AssembledByDealII reference(triangulation,
                              nodes,
                              std::vector<double>(triangulation.n_active_cells(), 1.));
  const auto dofs   = reference.library.dofs_of_nodes();
  const double size = reference.matrix.linfty_norm();
  ASSERT_EQ(dofs.size(), reference.matrix.m());
  with_element(GetParam(), [&](const auto element) {
    subtract_elements<decltype(element)>(nodes, dofs, reference.matrix);
  });
  EXPECT_LT(reference.matrix.linfty_norm(), 1e-13 * size);
}

/// Parameters: an element type, and the place of the generation.
class GeneratedMatrix : public ::testing::TestWithParam<std::tuple<ElementType, strut::test::Place>>
{};

/// Row, column and value of each entry, in our numbering, without ELL's padding.
struct MatrixEntries
{
  std::vector<std::size_t> rows;
  std::vector<LocalIndex> columns;
  std::vector<double> values;
};

MatrixEntries entries_of(const SparsePattern &pattern,
                         const NeighbourMatrix &neighbours,
                         const Array<double> &values)
{
  const auto columns = pattern.columns.to_host();
  const auto numbers = values.to_host();
  const auto begin   = neighbours.begin.to_host();
  EntryPlaces places = pattern.places(neighbours);
  places.begin       = begin.data();
  MatrixEntries result;
  for (std::size_t node = 0; node < neighbours.n_nodes; ++node)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3 * (begin[node + 1] - begin[node]); ++k)
        {
          const std::size_t place =
            places.block(node, 0) + i * places.row_stride(node) + k * places.column_stride();
          result.rows.push_back(3 * node + i);
          result.columns.push_back(columns[place]);
          result.values.push_back(numbers[place]);
        }
  return result;
}

// Compares all stages, entry by entry, in each format by each method. Errors are relative to the
// diagonal entries of the row and the column, the scale of an entry of a positive definite matrix.
TEST_P(GeneratedMatrix, IsThatOfDealII)
{
  const auto [type, place] = GetParam();
  const std::string reason = strut::test::why_not(place);
  if (!reason.empty())
    GTEST_SKIP() << reason;
  const auto backend = strut::test::make_backend(place);

  Triangulation triangulation;
  make_cells(triangulation, type);
  const TriangulationMesh nodes = build_assembly_mesh(triangulation, type);
  const auto of_elements        = strut::test::random_vector(nodes.mesh.n_elements, 3, 0.01, 1.);
  const AssembledByDealII reference(triangulation, nodes, of_elements);
  const auto dofs = reference.library.dofs_of_nodes();

  const AssemblyOperations operations = assembly_operations(*backend);
  const MeshArrays mesh(backend->memory(), nodes.mesh);
  const NeighbourMatrix neighbours = operations.find_neighbours(mesh.connectivity);
  const Array<double> factors(backend->memory(), of_elements);
  for (const MatrixFormat format : {MatrixFormat::coo, MatrixFormat::csr, MatrixFormat::ell})
    for (const ValueMethod method : {ValueMethod::same_kernel,
                                     ValueMethod::separate_kernels,
                                     ValueMethod::gather,
                                     ValueMethod::shared_nz})
      {
        if (method == ValueMethod::shared_nz && backend->name() == "cpu")
          continue;
        SCOPED_TRACE(to_string(format) + ", " + to_string(method));
        const SparsePattern pattern = operations.make_pattern(neighbours, format, 3);
        Array<double> values(backend->memory(), pattern.n_stored);
        const auto assemble = [&] {
          operations.make_value_stage<double>({mesh, alloy, neighbours, pattern, {method}})
            ->assemble(factors, values);
        };
        if (method == ValueMethod::shared_nz && type == type_of<Hex27>())
          { // A node has six elements, and shared memory holds five of their matrices.
            EXPECT_THROW(assemble(), Error);
            continue;
          }
        assemble();
        ASSERT_EQ(pattern.n_rows, reference.matrix.m());
        ASSERT_EQ(pattern.n_entries, reference.matrix.n_nonzero_elements());
        const MatrixEntries entries = entries_of(pattern, neighbours, values);
        double largest_error        = 0.;
        for (std::size_t k = 0; k < entries.values.size(); ++k)
          {
            const auto row = dofs[entries.rows[k]], column = dofs[entries.columns[k]];
            const double scale =
              std::sqrt(reference.matrix.diag_element(row) * reference.matrix.diag_element(column));
            largest_error =
              std::max(largest_error,
                       std::abs(entries.values[k] - reference.matrix(row, column)) / scale);
          }
        EXPECT_LT(largest_error, 1e-13);
      }
}

INSTANTIATE_TEST_SUITE_P(Elements, AssemblyMeshOf, types_of_deal_ii, [](const auto &info) {
  return std::string(info.param.name);
});

INSTANTIATE_TEST_SUITE_P(Elements,
                         GeneratedMatrix,
                         ::testing::Combine(types_of_deal_ii,
                                            ::testing::ValuesIn(strut::test::all_places())),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).name) + "_" +
                                  strut::test::to_string(std::get<1>(info.param));
                         });

double volume(const TriangulationMesh &nodes)
{
  const ElementMesh &mesh = nodes.mesh;
  double sum              = 0.;
  with_element(mesh.type, [&](const auto element) {
    using Element = decltype(element);
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        double X[3][Element::n_nodes];
        nodes_of<Element>(mesh, e, X);
        sum += element_stiffness::volume<Element>(X);
      }
  });
  return sum;
}

// Euler: vertices, lines, faces and cells of a box of n^3 cells.
TEST(AssemblyMesh, MiddlesAreNodesOnce)
{
  Triangulation cubes, tetrahedra;
  dealii::GridGenerator::subdivided_hyper_cube(cubes, 3);
  dealii::GridGenerator::convert_hypercube_to_simplex_mesh(cubes, tetrahedra);
  EXPECT_EQ(build_assembly_mesh(cubes, type_of<Hex8>()).mesh.n_nodes, 64u);
  EXPECT_EQ(build_assembly_mesh(cubes, type_of<Hex20>()).mesh.n_nodes, 64u + 3 * 16 * 3);
  EXPECT_EQ(build_assembly_mesh(cubes, type_of<Hex27>()).mesh.n_nodes, 7u * 7 * 7);
  EXPECT_EQ(build_assembly_mesh(tetrahedra, type_of<Tet4>()).mesh.n_nodes,
            tetrahedra.n_used_vertices());
  EXPECT_EQ(build_assembly_mesh(tetrahedra, type_of<Tet10>()).mesh.n_nodes,
            tetrahedra.n_used_vertices() + tetrahedra.n_active_lines());
  for (const ElementType &type : {type_of<Hex8>(), type_of<Hex20>(), type_of<Hex27>()})
    EXPECT_NEAR(volume(build_assembly_mesh(cubes, type)), 1., 1e-14);
  for (const ElementType &type : {type_of<Tet4>(), type_of<Tet10>()})
    EXPECT_NEAR(volume(build_assembly_mesh(tetrahedra, type)), 1., 1e-14);
}

// A ring of 8 cells: parabolas through three points of the circle miss its area by 0.1 %, chords by
// 10 %.
TEST(AssemblyMesh, CurvedLinesKeepTheirMidpoints)
{
  Triangulation ring;
  dealii::GridGenerator::cylinder_shell(ring, 2., 1., 3., 8, 1);
  const double exact             = 2. * dealii::numbers::PI * (9. - 1.);
  const TriangulationMesh curved = build_assembly_mesh(ring, type_of<Hex20>());
  EXPECT_NEAR(volume(curved) / exact, 1., 2e-3);
  EXPECT_NEAR(volume(build_assembly_mesh(ring, type_of<Hex27>())) / exact, 1., 2e-3);
  EXPECT_LT(volume(build_assembly_mesh(ring, type_of<Hex8>())) / exact, 0.95);
  const std::size_t n = curved.mesh.n_nodes;
  for (std::size_t node = 0; node < n; ++node)
    {
      const double radius =
        std::hypot(curved.mesh.coordinates[node], curved.mesh.coordinates[n + node]);
      EXPECT_NEAR(std::min(std::abs(radius - 1.), std::abs(radius - 3.)) *
                    std::min(std::abs(radius - 2.), 1.),
                  0.,
                  1e-13); // on a circle, or in the middle of a radial line
    }
}

using test::MeshSources;

// A file of Gmsh, a box of 2 x 1 x 1, for who takes tetrahedra only.
TEST_F(MeshSources, TetrahedraOfGmshBecomeElements)
{
  MeshSource &file =
    source("file", {{"File name", STRUT_SOURCE_DIR "/tests/plugin/meshes/tetrahedra.msh"}});
  Triangulation triangulation;
  EXPECT_THROW(file.create(triangulation), EntryError);
  file.allowed_cells = MeshSource::AllowedCells::linear;
  EXPECT_EQ(file.create(triangulation), 0u);
  const TriangulationMesh linear    = build_assembly_mesh(triangulation, type_of<Tet4>());
  const TriangulationMesh quadratic = build_assembly_mesh(triangulation, type_of<Tet10>());
  EXPECT_EQ(linear.mesh.n_elements, 36u);
  EXPECT_EQ(linear.mesh.n_nodes, triangulation.n_used_vertices());
  EXPECT_EQ(quadratic.mesh.n_nodes,
            triangulation.n_used_vertices() + triangulation.n_active_lines());
  EXPECT_NEAR(volume(linear), 2., 1e-10);
  EXPECT_NEAR(volume(quadratic), 2., 1e-10);
}

TEST(AssemblyMesh, FixesWholeFaces)
{
  Triangulation cubes;
  dealii::GridGenerator::subdivided_hyper_cube(cubes, 3, 0., 1.);
  for (const auto &face : cubes.active_face_iterators())
    if (face->at_boundary())
      face->set_boundary_id(face->center()[0] < 1e-10 ? 4 : 1);
  dealii::ParameterAcceptor::clear();
  AssemblySolveParameters solve;
  solve.fixed_boundaries                           = {4};
  solve.loaded_boundaries                          = {1};
  const std::map<std::string, std::size_t> n_nodes = {{"hex8", 16},
                                                      {"hex20", 16 + 24},
                                                      {"hex27", 7 * 7}};
  for (const ElementType &type : {type_of<Hex8>(), type_of<Hex20>(), type_of<Hex27>()})
    {
      const GeneratedProblem problem = generated_problem(build_assembly_mesh(cubes, type), solve);
      const ElementMesh &mesh        = problem.mesh;
      std::vector<LocalIndex> expected;
      for (std::size_t dof = 0; dof < 3 * mesh.n_nodes; ++dof)
        if (mesh.coordinates[dof / 3] < 1e-10)
          expected.push_back(static_cast<LocalIndex>(dof));
      EXPECT_EQ(expected.size(), 3 * n_nodes.at(type.name));
      EXPECT_EQ(mesh.constrained_dofs, expected);
    }
}

TEST(AssemblyMesh, RefusesWhatItCannotMake)
{
  Triangulation cubes, tetrahedra;
  dealii::GridGenerator::subdivided_hyper_cube(cubes, 2);
  dealii::GridGenerator::convert_hypercube_to_simplex_mesh(cubes, tetrahedra);
  EXPECT_EQ(message_of<Error>([&]() { build_assembly_mesh(cubes, type_of<Tet10>()); }),
            "Elements of type tet10 need a mesh of tetrahedra; cell 0 at (0.25, 0.25, 0.25) is a "
            "Hex.");
  EXPECT_EQ(message_of<Error>([&]() {
              build_assembly_mesh(tetrahedra, type_of<Hex20>());
            }).substr(0, 56),
            "Elements of type hex20 need a mesh of hexahedra; cell 0 ");

  dealii::GridTools::transform(
    [](const dealii::Point<3> &x) { return dealii::Point<3>(x[0] < 0.4 ? 0.8 : x[0], x[1], x[2]); },
    cubes);
  const std::string inverted =
    message_of<Error>([&]() { build_assembly_mesh(cubes, type_of<Hex8>()); });
  EXPECT_EQ(inverted.substr(0, 60), "An element of type hex8 is inverted or flat: cell 0 at (0.65");

  Triangulation refined;
  dealii::GridGenerator::subdivided_hyper_cube(refined, 2);
  refined.begin_active()->set_refine_flag();
  refined.execute_coarsening_and_refinement();
  EXPECT_EQ(message_of<Error>([&]() { build_assembly_mesh(refined, type_of<Hex8>()); }),
            "The mesh is refined locally: matrices are not generated for hanging nodes yet. Refine "
            "all cells equally often.");
}
} // namespace
} // namespace strut
