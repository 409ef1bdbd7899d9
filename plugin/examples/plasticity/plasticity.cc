// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// Elastoplasticity in the style of deal.II's step-18: a plate with a hole is stretched in steps,
// and yields around the hole. Small strains, von Mises' yield surface, linear isotropic hardening.
// Newton's method solves each step, first with a SparseMatrix of the consistent tangents. Then it
// uses strut's operator, which takes the tangent of each quadrature point. Stresses, state and
// residual are the program's own. The lines that differ from a program without strut are marked
// "strut (1)" to "strut (5)".
//
//   plasticity [--body plate|bar] [--refinements N] [--steps N] [--backend auto|cuda|cpu]
//             [--state auto|host|backend] [--no-matrix]
//
// With the state on the backend, the default on a GPU, only sums are copied to the host
// (device_body.h). The plate has 30 * 8^N cells: 5 refinements are 983,040. The bar is compared
// with its closed-form solution.

#include <deal.II/base/array_view.h>
#include <deal.II/base/timer.h>
#include <deal.II/base/work_stream.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparse_matrix.h>

// strut (1): the operator.
#include <strut/stiffness_operator.h>

#include <iomanip>
#include <iostream>
#include <stdexcept>

#include "body.h"
#include "device_body.h"

namespace Plasticity
{
// Final displacement, for a height of 1; a bar yields at 0.0011.
constexpr double stretch = 0.004;
// Tolerances: forces on free DoFs relative to those at the supports, and the residual of a linear
// solve.
constexpr double newton_tolerance = 1e-10, linear_tolerance = 1e-8;

struct Options
{
  std::string body         = "plate";
  unsigned int refinements = 2;
  unsigned int n_steps     = 8;
  std::string backend      = "auto";
  std::string state        = "auto";
  bool with_matrix         = true;
};

// Costs of a run.
struct Costs
{
  double update = 0., tangents = 0., solve = 0.; // in seconds
  double megabytes            = 0.;              // between host and backend, both ways
  unsigned int n_newton_steps = 0, n_iterations = 0;
};

// The solver without strut: pattern, element matrices, global matrix.
class WithMatrix
{
public:
  explicit WithMatrix(const Body &body);

  void initialize(Vector<double> &v) const
  {
    v.reinit(body.dof_handler.n_dofs());
  }
  void set_tangents();
  unsigned int solve(Vector<double> &du, const Vector<double> &residual);
  double megabytes() const
  {
    return 0.;
  }

private:
  struct CellMatrix
  {
    FullMatrix<double> matrix{3 * n_vertices};
    std::vector<types::global_dof_index> dofs =
      std::vector<types::global_dof_index>(3 * n_vertices);
  };

  void assemble_cell(unsigned int cell, ShapeGradients &gradients, CellMatrix &result) const;

  const Body &body;
  SparsityPattern sparsity_pattern;
  SparseMatrix<double> system_matrix;
};

WithMatrix::WithMatrix(const Body &body) : body(body)
{
  DynamicSparsityPattern pattern(body.dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(body.dof_handler, pattern, body.constraints, false);
  sparsity_pattern.copy_from(pattern);
  system_matrix.reinit(sparsity_pattern);
}

void WithMatrix::assemble_cell(const unsigned int cell,
                               ShapeGradients &gradients,
                               CellMatrix &result) const
{
  const std::array<Point<3>, n_vertices> x = body.vertices_of(cell);
  result.matrix                            = 0.;
  for (unsigned int q = 0; q < n_q; ++q)
    {
      const double JxW                    = gradients.reinit(x, q);
      const SymmetricTensor<4, 3> tangent = body.points[cell][q].tangent();
      std::array<SymmetricTensor<2, 3>, 3 * n_vertices> strain;
      for (unsigned int v = 0; v < n_vertices; ++v)
        for (unsigned int d = 0; d < 3; ++d)
          {
            Tensor<1, 3> unit;
            unit[d]                = 1.;
            strain[3 * v + d]      = symmetrize(outer_product(unit, gradients[v]));
            result.dofs[3 * v + d] = body.vertex_dofs[body.cell_vertices[cell][v]][d];
          }
      for (unsigned int j = 0; j < 3 * n_vertices; ++j)
        {
          const SymmetricTensor<2, 3> stress = JxW * (tangent * strain[j]);
          for (unsigned int i = 0; i < 3 * n_vertices; ++i)
            result.matrix(i, j) += strain[i] * stress;
        }
    }
}

void WithMatrix::set_tangents()
{
  system_matrix = 0.;
  WorkStream::run(
    body.dof_handler.begin_active(),
    body.dof_handler.end(),
    [&](const auto &cell, ShapeGradients &gradients, CellMatrix &result) {
      assemble_cell(cell->active_cell_index(), gradients, result);
    },
    [&](const CellMatrix &result) {
      body.constraints.distribute_local_to_global(result.matrix, result.dofs, system_matrix);
    },
    ShapeGradients(),
    CellMatrix());
}

unsigned int WithMatrix::solve(Vector<double> &du, const Vector<double> &residual)
{
  SolverControl control(20000, linear_tolerance * residual.l2_norm());
  PreconditionSSOR<SparseMatrix<double>> preconditioner;
  preconditioner.initialize(system_matrix, 1.2);
  SolverCG<Vector<double>>(control).solve(system_matrix, du, residual, preconditioner);
  body.constraints.distribute(du);
  return control.last_step();
}

// strut (2): the operator replaces all of that.
class WithStrut
{
public:
  WithStrut(const Body &body, const Options &options);

  template <typename AnyVector>
  void initialize(AnyVector &v) const
  {
    stiffness.initialize_dof_vector(v);
  }
  void set_tangents();
  // Takes tangents from a body whose state is on the backend.
  void take_from(const DeviceBody &there)
  {
    device_body = &there;
  }
  template <typename AnyVector>
  unsigned int solve(AnyVector &du, const AnyVector &residual);
  double megabytes() const
  {
    const strut::Transfers &copies = stiffness.transfers();
    return static_cast<double>(copies.uploads.bytes + copies.downloads.bytes) / 1e6;
  }

  strut::StiffnessOperator<double> stiffness;

private:
  const Body &body;
  const DeviceBody *device_body = nullptr;
  std::vector<double> tangents; // [n_cells][n_q][21], as strut takes them from the host
};

// strut (3): mesh and constraints are copied to the backend once.
WithStrut::WithStrut(const Body &body, const Options &options) : body(body)
{
  strut::StiffnessOptions strut_options;
  strut_options.backend   = options.backend;
  strut_options.tolerance = linear_tolerance;
  stiffness.reinit(body.dof_handler, body.constraints, {strut::Material{E, nu}, strut_options});
}

// strut (4): 21 numbers for each quadrature point, in the order of QGauss<3>(2); the preconditioner
// is updated. A function of cell and point is possible too, but strut calls it by one thread.
void WithStrut::set_tangents()
{
  if (device_body != nullptr)
    return stiffness.set_device_tangents(device_body->tangents(), n_q);
  tangents.resize(body.points.size() * n_q * 21);
  constexpr std::array<std::array<unsigned int, 2>, 6> voigt = {
    {{{0, 0}}, {{1, 1}}, {{2, 2}}, {{1, 2}}, {{0, 2}}, {{0, 1}}}};
  parallel::apply_to_subranges(
    std::size_t(0),
    body.points.size(),
    [&](const std::size_t begin, const std::size_t end) {
      double *number = tangents.data() + n_q * 21 * begin;
      for (std::size_t cell = begin; cell < end; ++cell)
        for (const MaterialPoint &point : body.points[cell])
          {
            const SymmetricTensor<4, 3> tangent = point.tangent();
            for (unsigned int i = 0; i < 6; ++i)
              for (unsigned int j = i; j < 6; ++j)
                *number++ = tangent[voigt[i][0]][voigt[i][1]][voigt[j][0]][voigt[j][1]];
          }
    },
    256);
  stiffness.set_tangents(ArrayView<const double>(tangents.data(), tangents.size()));
}

// strut (5): the residual is copied to the backend and the correction back, unless both are there.
template <typename AnyVector>
unsigned int WithStrut::solve(AnyVector &du, const AnyVector &residual)
{
  return stiffness.solve(du, residual).iterations;
}

// Load steps and Newton's method, the same for all variants. Returns the final displacements.
template <typename AnyVector, typename AnyBody, typename Tangents>
AnyVector run(AnyBody &body, const Options &options, Tangents &tangents, Costs &costs)
{
  AnyVector u, before, du, residual;
  for (AnyVector *const v : {&u, &before, &du, &residual})
    tangents.initialize(*v);
  body.forget_state();
  const auto timed = [](double &seconds, const auto &work) {
    Timer timer;
    work();
    seconds += timer.wall_time();
  };
  for (unsigned int step = 1; step <= options.n_steps; ++step)
    {
      // The first guess extrapolates the last step; in the first step it is a homogeneous strain.
      const double strain = stretch * step / options.n_steps;
      if (step == 1)
        body.begin(strain, u);
      else
        {
          du = u;
          u.sadd(2., -1., before);
          before = du;
        }
      body.stretch_to(strain, u);

      std::cout << "step " << step << ", stretched by " << 100. * strain << " %\n";
      double norm = 0.;
      timed(costs.update, [&]() { norm = body.update(u, residual); });
      std::cout << "    residual " << norm << '\n';
      for (unsigned int k = 0; !(norm <= newton_tolerance); ++k)
        {
          if (k == 20)
            throw std::runtime_error("Newton's method has not converged in 20 steps");
          unsigned int n_iterations = 0;
          const Costs old           = costs;
          timed(costs.tangents, [&]() { tangents.set_tangents(); });
          timed(costs.solve, [&]() {
            du           = 0.;
            n_iterations = tangents.solve(du, residual);
          });
          // derivative of the potential along du, with the opposite sign
          const double slope = residual * du;
          u += du;
          timed(costs.update, [&]() { norm = body.update(u, residual); });
          // Line search, because points that first yield in this step make the correction too long.
          for (double part = 0.5; residual * du < -0.5 * slope && part > 0.01; part /= 2.)
            {
              u.add(-part, du);
              timed(costs.update, [&]() { norm = body.update(u, residual); });
            }
          ++costs.n_newton_steps;
          costs.n_iterations += n_iterations;
          std::cout << "    residual " << std::setw(9) << norm << ", " << n_iterations
                    << " iterations; tangents " << costs.tangents - old.tangents << " s, solve "
                    << costs.solve - old.solve << " s, update " << costs.update - old.update << " s"
                    << std::endl;
        }
      std::cout << "    mean stress " << body.mean_stress << ", " << body.plastic_part()
                << " % of the points yield\n";
      body.accept_step();
    }
  costs.megabytes = tangents.megabytes();
  return u;
}

void print(const std::string &name, const Costs &costs)
{
  const double n = std::max(1u, costs.n_newton_steps);
  std::cout << std::left << std::setw(14) << name << std::right << std::setw(8)
            << costs.n_newton_steps << std::setw(12) << costs.n_iterations / n << std::setw(12)
            << costs.update / n << std::setw(12) << costs.tangents / n << std::setw(12)
            << costs.solve / n << std::setw(12) << (costs.update + costs.tangents + costs.solve) / n
            << std::setw(12) << costs.megabytes / n << '\n';
}

// Returns whether the results are correct.
bool compare(const Options &options)
{
  Body body(options.body, options.refinements);
  std::cout << std::setprecision(3) << body.triangulation.n_active_cells() << " cells, "
            << body.dof_handler.n_dofs() << " degrees of freedom\n";
  Costs of_matrix, of_strut;
  Vector<double> reference;
  if (options.with_matrix)
    {
      Timer timer;
      WithMatrix matrix(body);
      std::cout << "\nwith a SparseMatrix, set-up " << timer.wall_time() << " s\n";
      reference = run<Vector<double>>(body, options, matrix, of_matrix);
    }
  Timer timer;
  WithStrut with_strut(body, options);
  std::cout << "\nwith strut, set-up " << timer.wall_time() << " s\n";
  Vector<double> u(body.dof_handler.n_dofs());
  double mean_stress = 0.;
  DeviceVector there;
  with_strut.initialize(there);
  if (options.state == "backend" ||
      (options.state == "auto" && there.stream() != nullptr && has_device_kernels()))
    {
      DeviceBody device_body(body, with_strut.stiffness);
      with_strut.take_from(device_body);
      run<DeviceVector>(device_body, options, with_strut, of_strut).export_to(u);
      mean_stress = device_body.mean_stress;
    }
  else
    {
      u           = run<Vector<double>>(body, options, with_strut, of_strut);
      mean_stress = body.mean_stress;
    }
  std::cout << with_strut.stiffness.describe()
            << "\nper Newton step   steps  iterations    update s  tangents s     solve s"
            << "       all s   copied MB\n";
  if (options.with_matrix)
    print("SparseMatrix", of_matrix);
  print("strut", of_strut);

  bool right = true;
  if (options.body == "bar")
    {
      const double exact = Body::stress_of_bar(stretch);
      const double error = std::abs(mean_stress - exact) / exact;
      std::cout << "stress of the bar " << mean_stress << ", relative error " << error << '\n';
      right = error < 1e-8;
    }
  if (options.with_matrix)
    {
      const double norm = reference.l2_norm();
      u -= reference;
      std::cout << "relative difference to the SparseMatrix: " << u.l2_norm() / norm << '\n';
      right = right && u.l2_norm() < 1e-8 * norm;
    }
  return right;
}
} // namespace Plasticity

int main(int argc, char *argv[])
{
  try
    {
      Plasticity::Options options;
      for (int i = 1; i < argc; ++i)
        if (const std::string option = argv[i]; option == "--no-matrix")
          options.with_matrix = false;
        else if (option == "--body" && i + 1 < argc)
          options.body = argv[++i];
        else if (option == "--refinements" && i + 1 < argc)
          options.refinements = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--steps" && i + 1 < argc)
          options.n_steps = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--backend" && i + 1 < argc)
          options.backend = argv[++i];
        else if (option == "--state" && i + 1 < argc)
          options.state = argv[++i];
        else
          throw std::runtime_error("unknown option, or no value: " + option);
      if (options.body != "plate" && options.body != "bar")
        throw std::runtime_error("--body is '" + options.body + "'; it may be plate or bar");
      if (options.state != "auto" && options.state != "host" && options.state != "backend")
        throw std::runtime_error("--state is '" + options.state +
                                 "'; it may be auto, host or backend");
      return Plasticity::compare(options) ? 0 : 1;
    }
  catch (const std::exception &error)
    {
      std::cerr << error.what() << '\n';
      return 1;
    }
}
