// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// Debian's deal.II compiles its users' code with -O2. Here -O3 saves a tenth to a quarter of the
// time in double and nearly half in float, so a fair comparison needs it.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#  pragma GCC optimize("O3")
#endif

#include <deal.II/base/array_view.h>
#include <deal.II/base/config.h>
#include <deal.II/base/multithread_info.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q1.h>

#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/vector_type_traits.h>

#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>

#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>

#include <cmath>
#include <type_traits>

#include "plugin/studies/comparators/comparator.h"
#include "plugin/studies/comparators/comparators.h"
#include "source/element/elements.h"
#include "source/element/full_integration.h"

namespace strut
{
/// View of our array as a vector of one process, with the members that MatrixFree requires. Ghosts
/// are ordinary entries, since deal.II sees the mesh of one rank as a whole.
template <typename Number>
class VectorView : public dealii::ArrayView<Number>
{
public:
  using dealii::ArrayView<Number>::ArrayView;

  // MatrixFree before 9.6 accepts a vector by this declaration or as a serial one; with both,
  // overloads are ambiguous.
#if !DEAL_II_VERSION_GTE(9, 6, 0)
  Number &local_element(const std::size_t i) const
  {
    return (*this)[i];
  }
#endif
  Number &operator()(const std::size_t i) const
  {
    return (*this)[i];
  }
  VectorView &operator=(const Number value)
  {
    std::fill_n(this->begin(), this->size(), value);
    return *this;
  }
};
} // namespace strut

namespace dealii
{
/// Views are serial vectors: there is nothing to exchange before and after a loop.
template <typename Number>
struct is_serial_vector<strut::VectorView<Number>> : std::true_type
{};
} // namespace dealii

namespace strut
{
namespace
{
/// Whether the loops of MatrixFree can use threads. They were written for the old TBB. With
/// oneAPI's TBB, as in Debian, deal.II runs them on one thread.
#if defined(DEAL_II_WITH_TBB) && !defined(DEAL_II_TBB_WITH_ONEAPI)
constexpr bool has_threads = true;
#else
constexpr bool has_threads = false;
#endif

/// Throws Error unless the nodes between vertices are where linear elements have these points.
template <typename Element>
void require_straight(const ElementMesh &mesh)
{
  using Linear        = std::conditional_t<Element::n_vertices == 8, Hex8, Tet4>;
  const auto position = [&](const std::size_t e, const int a, const std::size_t d) {
    return mesh.coordinates[d * mesh.n_nodes +
                            mesh.connectivity[static_cast<std::size_t>(a) * mesh.n_elements + e]];
  };
  for (int a = Element::n_vertices; a < Element::n_nodes; ++a)
    {
      double xi[3], shape[Element::n_vertices];
      for (int d = 0; d < 3; ++d)
        xi[d] = 0.5 * Element::position(a, d);
      for (int v = 0; v < Element::n_vertices; ++v)
        shape[v] = Linear::shape_value(v, xi);
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        for (std::size_t d = 0; d < 3; ++d)
          {
            double straight = 0., size = 0.;
            for (int v = 0; v < Element::n_vertices; ++v)
              {
                straight += shape[v] * position(e, v, d);
                size += std::abs(position(e, v, d) - position(e, 0, d));
              }
            if (std::abs(position(e, a, d) - straight) > 1e-9 * size + 1e-12 * std::abs(straight))
              throw Error("dealii_matrix_free: element " + std::to_string(e) + " is curved.",
                          Remedy::use_other_operator);
          }
    }
}

/// Matrix-free operator as in deal.II's step-37, for elasticity, with Hooke's law at the quadrature
/// points:
///
///     y = sum_e P_e^T B_e^T (E_e D w) B_e P_e x
///
/// Hexahedra have sum factorisation on the reference element, tetrahedra the tables of shape
/// functions at the points. It reads inverse Jacobians and weights at the points, 80 numbers per
/// hex8, and three DoF indices per node. Parallelepipeds need only ten numbers, which equal ones
/// share. On tet10 deal.II has six points where four suffice: MatrixFree takes no other rule.
template <typename Number>
class DealiiMatrixFree : public Comparator<Number>
{
public:
  DealiiMatrixFree(Backend &backend, const ElementMesh &mesh, const Material &material);

  void set_stiffness(const Array<double> &factors) override;
  void apply(const Array<Number> &x, Array<Number> &y) const override;
  OperatorCost cost() const override;

  static double memory_estimate(const OperatorSize &size);

private:
  using Lanes  = dealii::VectorizedArray<Number>;
  using Matrix = dealii::MatrixFree<3, Number>;
  using View   = VectorView<Number>;

  template <typename Element>
  void build(const ElementMesh &mesh);
  void number_dofs(const ElementMesh &mesh);
  void fill_lanes(const double *factors);
  template <int degree, int n_points_of_line>
  void apply_to_cells(const Matrix &matrix,
                      View &y,
                      const View &x,
                      const std::pair<unsigned int, unsigned int> &batches) const;

  static constexpr std::size_t n_lanes = Lanes::size();

  const std::size_t n_elements_, n_nodes_;
  const ElementType type_;
  const unsigned int n_threads_;
  const Number lambda_, two_mu_;

  // Empty after set-up, but MatrixFree points to the handler, and the handler to the mesh.
  dealii::Triangulation<3> triangulation_;
  dealii::DoFHandler<3> dof_handler_{triangulation_};

  Matrix matrix_free_;
  std::vector<LocalIndex> element_of_lane_;    ///< `[n_batches][n_lanes]`
  dealii::AlignedVector<Lanes> batch_factors_; ///< `[n_batches]`
};

template <typename Number>
DealiiMatrixFree<Number>::DealiiMatrixFree(Backend &backend,
                                           const ElementMesh &mesh,
                                           const Material &material)
  : Comparator<Number>(backend, mesh, material)
  , n_elements_(mesh.n_elements)
  , n_nodes_(mesh.n_nodes)
  , type_(mesh.type)
  , n_threads_(backend.n_threads())
  , lambda_(static_cast<Number>(material.lambda()))
  , two_mu_(static_cast<Number>(2. * material.mu()))
{
  require_full_integration(material, "The operator 'dealii_matrix_free'", "on_the_fly, ebe or nbn");
  if constexpr (has_threads)
    dealii::MultithreadInfo::set_thread_limit(n_threads_);
  if (mesh.n_elements > 0) // deal.II has no meshes without cells
    with_element(mesh.type, [&](const auto element) {
      using Element = std::decay_t<decltype(element)>;
      if constexpr (std::is_same<Element, Hex8>::value || std::is_same<Element, Hex27>::value ||
                    std::is_same<Element, Tet4>::value || std::is_same<Element, Tet10>::value)
        build<Element>(mesh);
      else
        throw Error("dealii_matrix_free: it takes hex8, hex27, tet4 and tet10, not " +
                      std::string(mesh.type.name) + ".",
                    Remedy::use_other_operator);
    });
  fill_lanes(std::vector<double>(n_elements_, 1.).data());
}

template <typename Number>
template <typename Element>
void DealiiMatrixFree<Number>::build(const ElementMesh &mesh)
{
  constexpr bool is_simplex     = Element::n_vertices == 4;
  constexpr unsigned int degree = Element::n_nodes > Element::n_vertices ? 2 : 1;
  require_straight<Element>(mesh);

  // (1) The mesh of this rank. create_triangulation() keeps the order of the cells and of their
  // vertices, whatever the orientations are.
  {
    std::vector<dealii::Point<3>> points(mesh.n_nodes);
    for (std::size_t n = 0; n < mesh.n_nodes; ++n)
      for (unsigned int d = 0; d < 3; ++d)
        points[n][d] = mesh.coordinates[d * mesh.n_nodes + n];
    std::vector<bool> is_vertex(mesh.n_nodes, false); // deal.II keeps all points
    for (std::size_t k = 0; k < Element::n_vertices * mesh.n_elements; ++k)
      is_vertex[mesh.connectivity[k]] = true;
    std::vector<unsigned int> number(mesh.n_nodes);
    unsigned int n_vertices = 0;
    for (std::size_t n = 0; n < mesh.n_nodes; ++n)
      if (is_vertex[n])
        {
          number[n]          = n_vertices;
          points[n_vertices] = points[n];
          ++n_vertices;
        }
    points.resize(n_vertices);
    std::vector<dealii::CellData<3>> cells(mesh.n_elements,
                                           dealii::CellData<3>(Element::n_vertices));
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      for (std::size_t v = 0; v < Element::n_vertices; ++v)
        cells[e].vertices[v] = number[mesh.connectivity[v * mesh.n_elements + e]];
    triangulation_.create_triangulation(points, cells, dealii::SubCellData());
  }

  // (2) DoFs numbered as ours.
  using Scalar = std::conditional_t<is_simplex, dealii::FE_SimplexP<3>, dealii::FE_Q<3>>;
  dof_handler_.distribute_dofs(dealii::FESystem<3>(Scalar(degree), 3));
  number_dofs(mesh);

  // (3) Geometry and indices. Constraints are left to the caller.
  typename Matrix::AdditionalData settings;
  settings.tasks_parallel_scheme =
    n_threads_ > 1 ? Matrix::AdditionalData::partition_partition : Matrix::AdditionalData::none;
  settings.mapping_update_flags = dealii::update_gradients | dealii::update_JxW_values;
  settings.store_plain_indices  = false;
  dealii::AffineConstraints<double> no_constraints;
  no_constraints.close();
  if constexpr (is_simplex)
    matrix_free_.reinit(dealii::MappingFE<3>(dealii::FE_SimplexP<3>(1)),
                        dof_handler_,
                        no_constraints,
                        dealii::QGaussSimplex<3>(degree),
                        settings);
  else
    matrix_free_.reinit(dealii::MappingQ1<3>(),
                        dof_handler_,
                        no_constraints,
                        dealii::QGauss<1>(degree + 1),
                        settings);

  // (4) Stiffness factors follow MatrixFree's own order of cells.
  element_of_lane_.assign(n_lanes * matrix_free_.n_cell_batches(), 0);
  for (unsigned int batch = 0; batch < matrix_free_.n_cell_batches(); ++batch)
    for (unsigned int lane = 0; lane < matrix_free_.n_active_entries_per_cell_batch(batch); ++lane)
      element_of_lane_[n_lanes * batch + lane] =
        matrix_free_.get_cell_iterator(batch, lane)->active_cell_index();
  batch_factors_.resize(matrix_free_.n_cell_batches());

  // (5) The loops need neither mesh nor handler. Clearing them frees about a kilobyte per element.
  dof_handler_.clear();
  triangulation_.clear();
}

/// Renumbers the DoFs to `3 * node + component`.
template <typename Number>
void DealiiMatrixFree<Number>::number_dofs(const ElementMesh &mesh)
{
  if (dof_handler_.n_dofs() != mesh.n_dofs())
    throw Error("dealii_matrix_free: the mesh has " + std::to_string(mesh.n_nodes) +
                  " nodes on this rank, of which elements use " +
                  std::to_string(dof_handler_.n_dofs() / 3) +
                  ". deal.II has no nodes without elements.",
                Remedy::use_other_operator);
  const dealii::FiniteElement<3> &element = dof_handler_.get_fe();
  std::vector<dealii::types::global_dof_index> numbers(mesh.n_dofs()),
    of_cell(element.n_dofs_per_cell());
  for (const auto &cell : dof_handler_.active_cell_iterators())
    {
      cell->get_dof_indices(of_cell);
      for (unsigned int i = 0; i < of_cell.size(); ++i)
        {
          const auto [component, a] = element.system_to_component_index(i);
          const std::size_t node =
            mesh.connectivity[a * mesh.n_elements + cell->active_cell_index()];
          numbers[of_cell[i]] = 3 * node + component;
        }
    }
  dof_handler_.renumber_dofs(numbers);
}

template <typename Number>
void DealiiMatrixFree<Number>::set_stiffness(const Array<double> &factors)
{
  Comparator<Number>::set_stiffness(factors);
  fill_lanes(factors.data());
}

template <typename Number>
void DealiiMatrixFree<Number>::fill_lanes(const double *const factors)
{
  for (std::size_t batch = 0; batch < batch_factors_.size(); ++batch)
    for (std::size_t lane = 0; lane < n_lanes; ++lane)
      batch_factors_[batch][lane] =
        static_cast<Number>(factors[element_of_lane_[n_lanes * batch + lane]]);
}

template <typename Number>
void DealiiMatrixFree<Number>::apply(const Array<Number> &x, Array<Number> &y) const
{
  if (n_elements_ == 0)
    {
      y.set_zero();
      return;
    }
  View result(y.data(), y.size());
  const View source(const_cast<Number *>(x.data()), x.size());
  // As for deal.II's own vectors, zeros are written just before the loop first adds to them.
  const auto set_zero = [&y](const unsigned int begin, const unsigned int end) {
    std::fill(y.data() + begin, y.data() + end, Number(0));
  };
  const auto loop = [&](const auto product) {
    matrix_free_.cell_loop(product, this, result, source, set_zero, {});
  };
  if (type_.n_vertices == 4) // degree and points are found at run time
    loop(&DealiiMatrixFree::template apply_to_cells<-1, 0>);
  else if (type_.n_nodes == 8)
    loop(&DealiiMatrixFree::template apply_to_cells<1, 2>);
  else
    loop(&DealiiMatrixFree::template apply_to_cells<2, 3>);
}

template <typename Number>
template <int degree, int n_points_of_line>
void DealiiMatrixFree<Number>::apply_to_cells(
  const Matrix &matrix,
  View &y,
  const View &x,
  const std::pair<unsigned int, unsigned int> &batches) const
{
  dealii::FEEvaluation<3, degree, n_points_of_line, 3, Number> cell(matrix);
  for (unsigned int batch = batches.first; batch < batches.second; ++batch)
    {
      cell.reinit(batch);
      cell.gather_evaluate(x, dealii::EvaluationFlags::gradients);
      const Lanes E_lambda = batch_factors_[batch] * lambda_;
      const Lanes E_two_mu = batch_factors_[batch] * two_mu_;
      for (unsigned int q = 0; q < cell.n_q_points; ++q)
        {
          const auto strain      = cell.get_symmetric_gradient(q);
          const Lanes volumetric = E_lambda * trace(strain);
          auto stress            = E_two_mu * strain;
          for (unsigned int d = 0; d < 3; ++d)
            stress[d][d] += volumetric;
          cell.submit_symmetric_gradient(stress, q);
        }
      cell.integrate_scatter(dealii::EvaluationFlags::gradients, y);
    }
}

template <typename Number>
OperatorCost DealiiMatrixFree<Number>::cost() const
{
  OperatorCost cost;
  cost.memory_bytes =
    this->own_bytes() + static_cast<double>(element_of_lane_.size() * sizeof(LocalIndex) +
                                            batch_factors_.size() * sizeof(Lanes));
  if (n_elements_ == 0)
    return cost;
  cost.memory_bytes += static_cast<double>(matrix_free_.memory_consumption());

  // Stored geometry of deal.II; equal Jacobians share a place.
  const auto &mapping          = matrix_free_.get_mapping_info();
  const auto &stored           = mapping.cell_data[0];
  const double numbers         = 9. * stored.jacobians[0].size() + stored.JxW_values.size();
  const double n_dofs          = 3. * type_.n_nodes;
  const double bytes_per_batch = sizeof(Lanes) +                           // factor
                                 n_dofs * n_lanes * sizeof(unsigned int) + // indices of DoFs
                                 sizeof(unsigned int);                     // index of the geometry
  cost.bytes_per_apply = numbers * sizeof(Lanes) + bytes_per_batch * batch_factors_.size() +
                         6. * n_nodes_ * sizeof(Number);

  // Hexahedra: each line of a cell in even-odd form takes 6 or 11 operations, for values and for
  // derivatives. This is done forward and backward for three components, two of three directions
  // are summed, and then the result. Tetrahedra: a product with the table of gradients of the shape
  // functions, forward and backward, and the result.
  const double n_points = matrix_free_.get_n_q_points();
  const double of_line  = type_.n_nodes == 8 ? 6. : 11.;
  const double n_lines  = type_.n_nodes == 8 ? 12. : 27.;
  const double sweeps =
    n_dofs + (type_.n_vertices == 4 ? 12. * n_dofs * n_points
                                    : 3. * (4. * n_lines * of_line + 2. * n_points));
  // Hooke's law: symmetric part 6, trace 2, products 7, sum 3. Jacobian: two products of 3x3
  // matrices with 45 operations; 9 and 9 for a box. Weight: 6, and 1 if it is not stored.
  const double general = n_points * (18 + 45 + 45 + 6);
  const double box     = n_points * (18 + 9 + 9 + 7);
  for (unsigned int batch = 0; batch < batch_factors_.size(); ++batch)
    {
      const bool is_box =
        mapping.get_cell_type(batch) == dealii::internal::MatrixFreeFunctions::cartesian;
      cost.flops_per_apply +=
        static_cast<double>(n_lanes) * (sweeps + 2 + (is_box ? box : general));
    }
  return cost;
}

/// Peak memory of make(), while the triangulation and the handler still exist. The memory
/// afterwards, less than half of it, is in cost(). Measured as resident memory on distorted boxes
/// with one thread, geometry included, in bytes per element, of hex8:
///
///     elements    double   float
///       31,250      2548    2036
///      101,306      2324    1769
///      250,000      1981    1696
///
/// Pages of deal.II's code take some 17 MB of it, independent of the size. Set-up took 7 us per
/// element.
template <typename Number>
double DealiiMatrixFree<Number>::memory_estimate(const OperatorSize &size)
{
  constexpr bool is_double = std::is_same<Number, double>::value;
  double bytes_per_element = is_double ? 2000. : 1700.;
  if (size.type.n_nodes == 27)
    bytes_per_element = is_double ? 6000. : 5000.;
  return Comparator<Number>::own_estimate(size) +
         bytes_per_element * static_cast<double>(size.n_elements);
}
} // namespace

unsigned int lanes_of_dealii(const Precision precision)
{
  return precision == Precision::fp32 ? dealii::VectorizedArray<float>::size()
                                      : dealii::VectorizedArray<double>::size();
}

template <typename Number>
Strategy<Number> dealii_matrix_free()
{
  Strategy<Number> strategy{
    "dealii_matrix_free",
    has_threads
      ? "deal.II's MatrixFree and FEEvaluation, sum factorisation, tasks of TBB"
      : "deal.II's MatrixFree and FEEvaluation, sum factorisation; one thread per rank, since "
        "this deal.II has the TBB of oneAPI",
    !has_threads,
    &DealiiMatrixFree<Number>::memory_estimate,
    &make_operator<DealiiMatrixFree, Number>,
    /*identical_elements_only*/ false,
    has_threads};
  strategy.takes_types = true;
  return strategy;
}

template Strategy<double> dealii_matrix_free<double>();
template Strategy<float> dealii_matrix_free<float>();
} // namespace strut
