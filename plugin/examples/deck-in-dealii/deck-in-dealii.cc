// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// The problems of three decks as programs of deal.II: Triangulation, DoFHandler, AffineConstraints,
// forces by FEFaceValues, energies by FEValues. strut has the operator and its solves, the filter
// and the design update. The history is compared with that of the program strut, which makes fine
// mesh, degrees of freedom and quadrature by itself.
//
//   deck-in-dealii cantilever|connecting-rod|bracket [--meshes FOLDER] [--designs N]
//                  [--filter NAME] [--compare history.csv]
//
// compare.sh runs both for all three.

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_in.h>
#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/vector.h>

#include <deal.II/numerics/vector_tools.h>

#include <strut/stiffness_operator.h>
#include <strut/topology_optimization.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace DeckInDealii
{
using namespace dealii;
using Cell = strut::TopologyOptimization::Cell;

// What a deck says, in the words of deal.II.
struct Problem
{
  std::function<void(Triangulation<3> &)> make_grid;
  strut::Material material;
  std::vector<std::pair<types::boundary_id, ComponentMask>> supports;
  types::boundary_id loaded;
  Tensor<1, 3> total_force;
  std::function<bool(const Cell &)> is_solid;
  double volume_fraction, filter_radius;
};

const ComponentMask all(std::vector<bool>{true, true, true});
const ComponentMask x_only(std::vector<bool>{true, false, false});

std::function<void(Triangulation<3> &)> from_gmsh(const std::string &file)
{
  return [file](Triangulation<3> &triangulation) {
    std::ifstream in(file);
    if (!in)
      throw std::runtime_error("cannot read " + file);
    GridIn<3> grid_in(triangulation);
    grid_in.read_msh(in);
  };
}

// prm/cantilever.prm, loaded on its whole end.
Problem cantilever()
{
  Problem problem;
  problem.make_grid = [](Triangulation<3> &triangulation) {
    GridGenerator::subdivided_hyper_rectangle(
      triangulation, {6, 3, 3}, Point<3>(), Point<3>(24., 12., 12.), /*colorize*/ true);
    triangulation.refine_global(2);
  };
  problem.material        = {1., 0.3};
  problem.supports        = {{0, all}};
  problem.loaded          = 1;
  problem.total_force     = Tensor<1, 3>({0., 0., -1.});
  problem.is_solid        = [](const Cell &) { return false; };
  problem.volume_fraction = 0.3;
  problem.filter_radius   = 1.5;
  return problem;
}

// prm/connecting-rod.prm
Problem connecting_rod(const std::string &meshes)
{
  Problem problem;
  problem.make_grid   = from_gmsh(meshes + "/connecting-rod.msh");
  problem.material    = {210000., 0.3};
  problem.supports    = {{4, all}};
  problem.loaded      = 1;
  problem.total_force = Tensor<1, 3>({0., 10000., 0.});
  problem.is_solid    = [](const Cell &cell) {
    return cell->material_id() == 11 || cell->material_id() == 12;
  };
  problem.volume_fraction = 0.3;
  problem.filter_radius   = 12.;
  return problem;
}

// prm/from-cad/bracket.prm without refinement: distorted hexahedra, from tetrahedra that Gmsh has
// split
Problem bracket(const std::string &meshes)
{
  Problem problem;
  problem.make_grid   = from_gmsh(meshes + "/bracket.msh");
  problem.material    = {210000., 0.3};
  problem.supports    = {{22, all}, {21, x_only}};
  problem.loaded      = 23;
  problem.total_force = Tensor<1, 3>({0., 0., -2000.});
  problem.is_solid    = [](const Cell &cell) {
    const Point<3> c       = cell->center();
    const auto square      = [](const double x) { return x * x; };
    const bool around_bolt = c[0] < 20. && square(c[1] - 25.) + square(c[2] - 60.) < 12. * 12.;
    const bool around_lug  = c[0] > 50. && square(c[0] - 68.) + square(c[1] - 25.) < 14. * 14.;
    return around_bolt || around_lug;
  };
  problem.volume_fraction = 0.35;
  problem.filter_radius   = 6.;
  return problem;
}

struct Options
{
  std::string problem, meshes = "prm/meshes", filter = "sensitivity", history;
  unsigned int n_designs = 20;
};

using History = std::vector<strut::TopologyRecord>;

class Optimization
{
public:
  Optimization(const Problem &problem, const Options &options);
  History run();

private:
  void make_constraints();
  void assemble_forces();
  void compute_energies(Vector<double> &energies) const;

  const Problem problem;
  const Options options;

  Triangulation<3> triangulation;
  DoFHandler<3> dof_handler;
  FESystem<3> fe;
  QGauss<3> quadrature;
  AffineConstraints<double> constraints;
  Vector<double> forces, displacement;
};

Optimization::Optimization(const Problem &problem, const Options &options)
  : problem(problem), options(options), dof_handler(triangulation), fe(FE_Q<3>(1), 3), quadrature(2)
{}

void Optimization::make_constraints()
{
  for (const auto &[boundary, components] : problem.supports)
    VectorTools::interpolate_boundary_values(
      dof_handler, boundary, Functions::ZeroFunction<3>(3), constraints, components);
  constraints.close();
}

// The total force as a uniform traction.
void Optimization::assemble_forces()
{
  const QGauss<2> face_quadrature(2);
  FEFaceValues<3> fe_face_values(fe, face_quadrature, update_values | update_JxW_values);
  const FEValuesExtractors::Vector displacements(0);
  Vector<double> cell_rhs(fe.n_dofs_per_cell());
  std::vector<types::global_dof_index> dofs(fe.n_dofs_per_cell());
  double area = 0.;
  for (const auto &cell : dof_handler.active_cell_iterators())
    for (const auto &face : cell->face_iterators())
      if (face->at_boundary() && face->boundary_id() == problem.loaded)
        {
          fe_face_values.reinit(cell, face);
          cell_rhs = 0.;
          for (const unsigned int q : fe_face_values.quadrature_point_indices())
            {
              area += fe_face_values.JxW(q);
              for (const unsigned int i : fe_face_values.dof_indices())
                cell_rhs(i) += fe_face_values[displacements].value(i, q) * problem.total_force *
                               fe_face_values.JxW(q);
            }
          cell->get_dof_indices(dofs);
          forces.add(dofs, cell_rhs); // without constraints: solve() applies them
        }
  forces /= area;
}

// u_e . K0_e u_e of each cell: the integral of strain : C : strain
void Optimization::compute_energies(Vector<double> &energies) const
{
  const double lambda = problem.material.lambda(), mu = problem.material.mu();

  FEValues<3> fe_values(fe, quadrature, update_gradients | update_JxW_values);
  const FEValuesExtractors::Vector displacements(0);
  std::vector<SymmetricTensor<2, 3>> strains(quadrature.size());
  for (const auto &cell : dof_handler.active_cell_iterators())
    {
      fe_values.reinit(cell);
      fe_values[displacements].get_function_symmetric_gradients(displacement, strains);
      double &energy = energies(cell->active_cell_index());
      for (const unsigned int q : fe_values.quadrature_point_indices())
        {
          const double dilatation = trace(strains[q]);
          energy += (lambda * dilatation * dilatation + 2. * mu * (strains[q] * strains[q])) *
                    fe_values.JxW(q);
        }
    }
}

History Optimization::run()
{
  problem.make_grid(triangulation);
  dof_handler.distribute_dofs(fe);
  std::cout << options.problem << ": " << triangulation.n_active_cells() << " cells, "
            << dof_handler.n_dofs() << " degrees of freedom\n";
  forces.reinit(dof_handler.n_dofs());
  displacement.reinit(dof_handler.n_dofs());
  make_constraints();
  assemble_forces();

  // strut: operator and solves
  strut::StiffnessOptions stiffness_options;
  stiffness_options.backend   = "cpu";
  stiffness_options.tolerance = 1e-12;
  strut::StiffnessOperator<double> K(dof_handler, constraints, problem.material, stiffness_options);

  // strut: filter and design update
  strut::TopologyOptions design_options;
  design_options.volume_fraction    = problem.volume_fraction;
  design_options.filter             = options.filter;
  design_options.filter_radius      = problem.filter_radius;
  design_options.filter_weights     = "count"; // as these decks have it
  design_options.stopping_tolerance = 1e-12;
  design_options.max_iterations     = options.n_designs;
  design_options.backend            = "cpu";
  strut::TopologyOptimization optimization(
    dof_handler,
    design_options,
    [&](const Vector<double> &factors, Vector<double> &energies) {
      K.set_factors(factors);
      K.solve(displacement, forces);
      compute_energies(energies);
      return forces * displacement;
    },
    [&](const Cell &cell) {
      return problem.is_solid(cell) ? strut::DesignFlag::solid : strut::DesignFlag::design;
    });

  History history;
  while (!optimization.finished())
    history.push_back(optimization.iterate());
  return history;
}

// The history that the program strut has written.
History read_history(const std::string &file)
{
  std::ifstream in(file);
  std::string line, word;
  if (!std::getline(in, line))
    throw std::runtime_error("cannot read " + file);
  std::vector<std::string> columns;
  for (std::istringstream words(line); std::getline(words, word, ',');)
    columns.push_back(word);
  const auto column = [&](const std::string &name) {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end())
      throw std::runtime_error("no column " + name + " in " + file);
    return static_cast<std::size_t>(found - columns.begin());
  };
  const std::size_t objective = column("compliance"), volume = column("volume_fraction"),
                    change = column("density_change");
  History history;
  while (std::getline(in, line))
    {
      std::vector<double> values;
      for (std::istringstream words(line); std::getline(words, word, ',');)
        values.push_back(std::stod(word));
      history.push_back({static_cast<unsigned int>(history.size() + 1),
                         values.at(objective),
                         values.at(volume),
                         values.at(change)});
    }
  return history;
}

bool compare(const History &ours, const History &of_deck)
{
  const auto difference = [&](double strut::TopologyRecord::*const value) {
    double largest = 0.;
    for (std::size_t i = 0; i < std::min(ours.size(), of_deck.size()); ++i)
      largest =
        std::max(largest,
                 std::abs(ours[i].*value - of_deck[i].*value) / std::abs(of_deck[i].*value));
    return largest;
  };
  using Record           = strut::TopologyRecord;
  const double objective = difference(&Record::objective),
               volume    = difference(&Record::volume_fraction),
               change    = difference(&Record::density_change);
  std::cout << "largest relative differences to the deck's " << of_deck.size()
            << " designs: objective " << std::setprecision(2) << objective << ", volume fraction "
            << volume << ", density change " << change << '\n';
  return ours.size() == of_deck.size() && std::max({objective, volume, change}) <= 1e-8;
}
} // namespace DeckInDealii

int main(int argc, char *argv[])
{
  using namespace DeckInDealii;
  try
    {
      Options options;
      for (int i = 1; i < argc; ++i)
        {
          const std::string word = argv[i];
          const bool has_value   = i + 1 < argc;
          if (word == "--meshes" && has_value)
            options.meshes = argv[++i];
          else if (word == "--designs" && has_value)
            options.n_designs = static_cast<unsigned int>(std::stoul(argv[++i]));
          else if (word == "--filter" && has_value)
            options.filter = argv[++i];
          else if (word == "--compare" && has_value)
            options.history = argv[++i];
          else if (options.problem.empty() && word.front() != '-')
            options.problem = word;
          else
            throw std::runtime_error("unknown option, or no value: " + word);
        }
      const Problem problem =
        options.problem == "cantilever"       ? cantilever()
        : options.problem == "connecting-rod" ? connecting_rod(options.meshes)
        : options.problem == "bracket"
          ? bracket(options.meshes)
          : throw std::runtime_error("name cantilever, connecting-rod or bracket");

      const History history = Optimization(problem, options).run();
      for (const strut::TopologyRecord &design : history)
        std::cout << std::setw(3) << design.iteration << std::setprecision(10) << "  objective "
                  << design.objective << ", volume fraction " << design.volume_fraction
                  << ", density change " << design.density_change << '\n';
      return options.history.empty() || compare(history, read_history(options.history)) ? 0 : 1;
    }
  catch (const std::exception &error)
    {
      std::cerr << error.what() << '\n';
      return 1;
    }
}
