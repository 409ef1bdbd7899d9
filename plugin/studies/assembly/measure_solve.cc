// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/measure_solve.h"

#include <strut/base/exceptions.h>

#include <cmath>
#include <set>

#include "plugin/studies/report/choices.h"
#include "plugin/studies/report/status.h"
#include "source/base/measure.h"
#include "source/comparison/assembly/face_weights.h"
#include "source/comparison/solvers/generated_system.h"

namespace strut
{
namespace
{
/// Wall-clock seconds until the backend has finished the work.
template <typename Work>
double wall_seconds(Backend &backend, const Work &work)
{
  backend.synchronize();
  const WallClock clock;
  work();
  backend.synchronize();
  return clock.seconds();
}

/// Largest difference, relative to the largest component of the reference.
double largest_difference(const std::vector<double> &u, const std::vector<double> &reference)
{
  double difference = 0., largest = 0.;
  for (std::size_t i = 0; i < u.size(); ++i)
    {
      difference = std::max(difference, std::abs(u[i] - reference[i]));
      largest    = std::max(largest, std::abs(reference[i]));
    }
  return difference / largest;
}

/// Generates the matrix once in a format, and solves. Returns the displacement.
std::vector<double> generate_and_solve(Backend &backend,
                                       const ElementMesh &mesh,
                                       const Material &material,
                                       const MatrixFormat format,
                                       const AssemblySolveParameters &solve,
                                       const std::vector<double> &forces,
                                       GeneratedSolve &result)
{
  const AssemblyOperations operations = assembly_operations(backend);
  const MeshArrays arrays(backend.memory(), mesh);
  const Array<double> factors(backend.memory(), std::vector<double>(mesh.n_elements, 1.));
  NeighbourMatrix neighbours;
  SparsePattern pattern;
  Array<double> values;
  std::unique_ptr<ValueStage<double>> stage;
  result.generation = wall_seconds(backend, [&]() {
    neighbours = operations.find_neighbours(arrays.connectivity);
    pattern    = operations.make_pattern(neighbours, format, 3);
    require_memory(backend.memory(),
                   sizeof(double) * static_cast<double>(pattern.n_stored),
                   "the values of the matrix (" + to_string(format) + ")");
    values = Array<double>(backend.memory(), pattern.n_stored);
    stage  = operations.make_value_stage<double>({arrays, material, neighbours, pattern, {}});
    stage->assemble(factors, values);
  });
  stage.reset(); // frees the element matrices, which the solve does not need

  Array<double> f(backend.memory(), forces), u(backend.memory(), forces.size());
  u.set_zero();
  SolverControl control;
  control.tolerance      = solve.tolerance;
  control.max_iterations = solve.max_iterations;
  SolverReport report;
  result.solve                           = wall_seconds(backend, [&]() {
    GeneratedSystem<double> system(backend, {neighbours, pattern, values});
    report = system.solve(control, f, u);
  });
  result.iterations                      = report.iterations;
  result.residual                        = report.residual;
  const std::vector<double> displacement = u.to_host();
  for (std::size_t i = 0; i < forces.size(); ++i)
    result.compliance += forces[i] * displacement[i];
  result.largest_displacement = largest_displacement(displacement);
  return displacement;
}
} // namespace

GeneratedProblem generated_problem(const TriangulationMesh &mesh,
                                   const AssemblySolveParameters &solve)
{
  const std::size_t n_nodes = mesh.mesh.n_nodes;
  std::vector<double> weights(n_nodes, 0.);
  double area = 0.;
  std::set<LocalIndex> fixed;
  const auto ids = [](const std::vector<unsigned int> &all) {
    std::string text;
    for (const unsigned int id : all)
      text += (text.empty() ? "" : ", ") + std::to_string(id);
    return text.empty() ? "none" : text;
  };
  for (const BoundaryFace &face : mesh.faces)
    {
      if (contains(solve.fixed_boundaries, face.id))
        fixed.insert(face.nodes.begin(), face.nodes.end());
      if (!contains(solve.loaded_boundaries, face.id))
        continue;
      std::vector<FacePoint> points;
      for (const LocalIndex node : face.nodes)
        points.push_back({{mesh.mesh.coordinates[node],
                           mesh.mesh.coordinates[n_nodes + node],
                           mesh.mesh.coordinates[2 * n_nodes + node]}});
      const std::vector<double> of_face = face_weights(points, face.lines);
      for (std::size_t a = 0; a < of_face.size(); ++a)
        {
          weights[face.nodes[a]] += of_face[a];
          area += of_face[a];
        }
    }
  if (fixed.empty())
    throw EntryError({"Solve"},
                     "Fixed boundaries",
                     "No face of the mesh has one of these ids: " + ids(solve.fixed_boundaries) +
                       ". A solve needs a support.\nstrut --validate lists the ids of a mesh.");
  if (!(area > 0.))
    throw EntryError({"Solve"},
                     "Loaded boundaries",
                     "No face of the mesh has one of these ids: " + ids(solve.loaded_boundaries) +
                       ".\nstrut --validate lists the ids of a mesh.");
  GeneratedProblem problem{mesh.mesh, std::vector<double>(3 * n_nodes)};
  for (std::size_t node = 0; node < n_nodes; ++node)
    for (std::size_t d = 0; d < 3; ++d)
      problem.forces[3 * node + d] = solve.force[d] * weights[node] / area;
  for (const LocalIndex node : fixed)
    for (LocalIndex d = 0; d < 3; ++d)
      {
        problem.mesh.constrained_dofs.push_back(3 * node + d);
        problem.forces[3 * node + d] = 0.;
      }
  return problem;
}

double largest_displacement(const std::vector<double> &u)
{
  double largest = 0.;
  for (std::size_t i = 0; i + 2 < u.size(); i += 3)
    largest = std::max(largest, std::hypot(u[i], u[i + 1], u[i + 2]));
  return largest;
}

std::vector<double> measure_solve(const Place &where,
                                  const GeneratedProblem &problem,
                                  const Material &material,
                                  const std::vector<MatrixFormat> &formats,
                                  const AssemblySolveParameters &solve,
                                  const std::vector<double> &reference,
                                  AssemblyResults &results)
{
  std::vector<double> first;
  for (const MatrixFormat format : formats)
    {
      GeneratedSolve result;
      result.element   = problem.mesh.type.name;
      result.backend   = where.backend().name();
      result.n_threads = where.backend().n_threads();
      result.format    = to_string(format);
      std::vector<double> displacement;
      attempt_part(
        Communicator(),
        result.status,
        [&]() {
          displacement = generate_and_solve(
            where.backend(), problem.mesh, material, format, solve, problem.forces, result);
        },
        "refused: ");
      if (!displacement.empty() && !reference.empty())
        result.difference = largest_difference(displacement, reference);
      results.add(result);
      if (first.empty())
        first = std::move(displacement);
    }
  return first;
}
} // namespace strut
