// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "tests/plugin/stiffness_laws.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>

namespace strut::test
{
namespace
{
/// Entries in the order of set_tangents()'s array.
constexpr unsigned int voigt_of_array[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

double &entry(Tangent &C, const unsigned int i, const unsigned int j)
{
  return C[voigt_of_array[i][0]][voigt_of_array[i][1]][voigt_of_array[j][0]][voigt_of_array[j][1]];
}

/// A generator that gives the same numbers on all ranks.
std::mt19937 generator_of(const dealii::Point<3> &centre, const unsigned int q)
{
  std::seed_seq seed{std::int64_t(std::llround(1e6 * centre[0])),
                     std::int64_t(std::llround(1e6 * centre[1])),
                     std::int64_t(std::llround(1e6 * centre[2])),
                     std::int64_t(q)};
  return std::mt19937(seed);
}

/// Parameters without fluid cells; some cells widen when they are pulled.
std::pair<double, double> with_auxetic_cells(const dealii::Point<3> &x)
{
  const auto [lambda, mu] = any_ratio_of_solids(x);
  return {lambda == 0. ? -0.6 * mu : lambda, mu};
}

/// Lambda and mu of steel, and of rubber with several Poisson's ratios.
std::pair<double, double> rubber_beside_steel(const dealii::Point<3> &x)
{
  const double wave    = std::sin(4. * x[0] + 3. * x[1] - 5. * x[2]);
  const Material solid = wave > 0.2    ? Material{200., 0.3}
                         : wave > -0.2 ? Material{3., 0.45}
                         : wave > -0.6 ? Material{1., 0.49}
                                       : Material{1., 0.4999};
  return {solid.lambda(), solid.mu()};
}

void set_lame_by_vectors(StiffnessOperator<double> &K, const SomeApplication &application)
{
  dealii::Vector<double> lambda(application.triangulation->n_active_cells()), mu(lambda);
  for (const auto &cell : application.triangulation->active_cell_iterators())
    if (cell->is_locally_owned())
      std::tie(lambda(cell->active_cell_index()), mu(cell->active_cell_index())) =
        application.solid.lame(cell->center());
  K.set_lame(lambda, mu);
}

void set_tangents_by_cells(StiffnessOperator<double> &K, const SomeApplication &application)
{
  K.set_tangents([&](const auto &cell) { return application.solid.tangent(cell->center(), 0); });
}

template <unsigned int n_points>
void set_tangents_by_array(StiffnessOperator<double> &K, const SomeApplication &application)
{
  K.set_tangents(array_of_tangents(application, n_points));
}

/// Factors by their logarithms, for StiffnessOperator::set_law().
void set_factors_by_law(StiffnessOperator<double> &K, const SomeApplication &)
{
  constexpr Law exponential{"logarithms of factors",
                            1,
                            &Law::factor,
                            [](const Material &, const double *own, double *factor) {
                              factor[0] = std::exp(own[0]);
                            }};
  K.set_law(exponential, [](const auto &cell, double *const number) {
    number[0] = std::log(SomeApplication::factor(cell->center()));
  });
}

/// Lame's parameters by bulk and shear moduli.
void set_lame_by_law(StiffnessOperator<double> &K, const SomeApplication &application)
{
  constexpr Law moduli{"bulk and shear moduli",
                       2,
                       &Law::lame,
                       [](const Material &, const double *own, double *lame) {
                         lame[0] = own[0] - 2. / 3. * own[1];
                         lame[1] = own[1];
                       }};
  K.set_law(moduli, [&](const auto &cell, double *const numbers) {
    const auto [lambda, mu] = application.solid.lame(cell->center());
    numbers[0]              = lambda + 2. / 3. * mu;
    numbers[1]              = mu;
  });
}

/// Tangents of cells by twice their numbers.
void set_tangents_by_law(StiffnessOperator<double> &K, const SomeApplication &application)
{
  constexpr Law halves{"halves of numbers",
                       n_tangent_components,
                       &Law::tangents,
                       [](const Material &, const double *own, double *tangent) {
                         for (unsigned int k = 0; k < n_tangent_components; ++k)
                           tangent[k] = 0.5 * own[k];
                       }};
  K.set_law(halves, [&](const auto &cell, double *const numbers) {
    Tangent C      = application.solid.tangent(cell->center(), 0);
    unsigned int k = 0;
    for (unsigned int i = 0; i < 6; ++i)
      for (unsigned int j = i; j < 6; ++j)
        numbers[k++] = 2. * entry(C, i, j);
  });
}

std::map<std::string, LawCase> make_laws()
{
  std::map<std::string, LawCase> laws;
  const auto add = [&](const std::string &name, const std::string &like) -> LawCase & {
    return laws[name] = laws[like];
  };

  LawCase &factors           = laws["factors"];
  factors.setters            = {LawCase::by_function, set_factors_by_law};
  factors.tolerance          = 1e-12;
  factors.converges_in_float = false;

  LawCase &modes             = add("modes", "factors");
  modes.material.formulation = Formulation::incompatible_modes;
  modes.solvers              = {{"on_the_fly", "jacobi", "double"},
                                {"on_the_fly", "multigrid", "double"},
                                {"on_the_fly", "multigrid", "mixed"}};
  modes.n_iterations         = 22; // 20 and 15; trilinear elements take 18 and 15

  LawCase &lame   = laws["lame"];
  lame.solids     = {{two_materials}, {with_auxetic_cells}, {any_ratio_of_solids}};
  lame.setters    = {LawCase::by_function, set_lame_by_vectors, set_lame_by_law};
  lame.strategies = {"on_the_fly", "ebe"}; // in one pass, and in two

  LawCase &fluids = add("fluids", "lame");
  fluids.solids   = {{two_materials}, {any_ratio}};
  fluids.solvers  = {}; // they resist no shear

  LawCase &mean   = add("mean", "factors");
  mean.material   = {200., 0.499, Formulation::mean_dilatation};
  mean.strategies = {"ebe", "nbn", "on_the_fly"};
  mean.error      = 1e-8;

  LawCase &rubber               = add("rubber", "mean");
  rubber.material.poisson_ratio = 0.3; // says nothing of the rubber
  rubber.solids                 = {{rubber_beside_steel}};
  rubber.setters                = {LawCase::by_function, set_lame_by_law};
  rubber.solvers.push_back({"nbn", "jacobi", "auto"});
  rubber.error        = 1e-7;
  rubber.n_iterations = 100;

  LawCase &tangents     = laws["tangents"];
  tangents.solids       = {{nullptr, random_tangent},
                           {nullptr, smooth_tangent},
                           {nullptr, plastic_tangent}};
  tangents.setters      = {LawCase::by_function, set_tangents_by_array<8>};
  tangents.n_iterations = 80;

  LawCase &of_cells = add("tangents of cells", "tangents");
  of_cells.solids   = {{nullptr, [](const auto &x, unsigned int) { return random_tangent(x, 5); }},
                       {nullptr, smooth_tangent}};
  of_cells.setters  = {set_tangents_by_cells, set_tangents_by_array<1>, set_tangents_by_law};

  const Inertia lumped{7.8, MassKind::lumped, nullptr, 1.};
  for (const char *const name : {"factors", "lame", "tangents"})
    {
      LawCase &law  = add(name + std::string(" and mass"), name);
      law.inertia   = lumped;
      law.tolerance = 1e-12;
      law.error     = 1e-10;
    }
  LawCase &by_place           = add("factors and mass by place", "factors and mass");
  by_place.inertia.density_at = density_at;

  LawCase &consistent     = add("factors and consistent mass", "factors and mass by place");
  consistent.inertia.kind = MassKind::consistent;
  consistent.error        = 1e-9;
  consistent.n_iterations = 80; // multigrid uses the lumped mass
  return laws;
}
} // namespace

std::pair<double, double> any_ratio(const dealii::Point<3> &x)
{
  const double wave = std::sin(7. * x[0] + 3. * x[1] - 5. * x[2]);
  return wave > 0.7    ? std::make_pair(0., 40.)
         : wave < -0.7 ? std::make_pair(90., 0.)
                       : std::make_pair(50. * (1. + x[1] * x[1]), 30. * std::exp(wave));
}

std::pair<double, double> any_ratio_of_solids(const dealii::Point<3> &x)
{
  const auto [lambda, mu] = any_ratio(x);
  return {lambda, std::max(mu, 5.)};
}

std::pair<double, double> two_materials(const dealii::Point<3> &x)
{
  return x[1] + 0.3 * x[0] > 0.2 ? std::make_pair(100., 80.) : std::make_pair(0.02, 0.005);
}

Tangent random_tangent(const dealii::Point<3> &centre, const unsigned int q)
{
  auto generator = generator_of(centre, q);
  std::uniform_real_distribution<double> number(-1., 1.);
  double A[6][6];
  for (auto &row : A)
    for (double &a : row)
      a = number(generator);
  Tangent C;
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = 0; j < 6; ++j)
      {
        double sum = i == j ? 0.3 : 0.;
        for (unsigned int k = 0; k < 6; ++k)
          sum += A[i][k] * A[j][k];
        entry(C, i, j) = 100. * sum;
      }
  return C;
}

Tangent elastic(const double E)
{
  const Material material{E, 0.3};
  return isotropic(material.lambda(), material.mu());
}

Tangent smooth_tangent(const dealii::Point<3> &x, unsigned int)
{
  const double angle = 0.8 * x[0] + 0.5 * x[1];
  const dealii::Tensor<1, 3> fibre({std::cos(angle), std::sin(angle), 0.});
  const auto direction = dealii::symmetrize(dealii::outer_product(fibre, fibre));
  return elastic(100.) + 400. * dealii::outer_product(direction, direction);
}

Tangent plastic_tangent(const dealii::Point<3> &x, const unsigned int q)
{
  auto generator        = generator_of(x, q);
  const double distance = std::abs(x[0] + 0.4 * x[1] - 0.6);
  const bool flows      = distance < 0.3 || (distance < 0.6 && generator() % 2 == 0);
  const double G        = Material{200., 0.3}.mu();
  dealii::SymmetricTensor<2, 3> n;
  n[0][0] = 1. + 0.3 * x[1];
  n[1][1] = -0.6;
  n[0][1] = 0.7 * std::sin(2. * x[2]);
  n[1][2] = 0.4 * x[0];
  n       = dealii::deviator(n);
  n /= n.norm();
  return flows ? elastic(200.) - 2. * G / 1.01 * dealii::outer_product(n, n) : elastic(200.);
}

std::vector<double> array_of_tangents(const SomeApplication &application,
                                      const unsigned int n_points)
{
  std::vector<double> array;
  for (const auto &cell : application.triangulation->active_cell_iterators())
    if (cell->is_locally_owned())
      for (unsigned int q = 0; q < n_points; ++q)
        {
          Tangent C = application.solid.tangent(cell->center(), q);
          for (unsigned int i = 0; i < 6; ++i)
            for (unsigned int j = i; j < 6; ++j)
              array.push_back(entry(C, i, j));
        }
  return array;
}

double density_at(const dealii::Point<3> &x)
{
  return 7.8 * std::exp(1.5 * std::sin(5. * x[0] - 7. * x[1] + 3. * x[2]));
}

const LawCase &law_of(const std::string &name)
{
  static const std::map<std::string, LawCase> laws = make_laws();
  return laws.at(name);
}
} // namespace strut::test
