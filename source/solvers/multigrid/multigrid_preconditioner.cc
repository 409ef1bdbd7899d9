// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/registry.h"
#include "source/element/full_integration.h"
#include "source/mesh/mean_value_rows.h"
#include "source/solvers/copy_vector.h"
#include "source/solvers/multigrid/background.h"
#include "source/solvers/multigrid/linear_level.h"
#include "source/solvers/multigrid/mean_values.h"
#include "source/solvers/multigrid/multigrid.h"
#include "source/solvers/multigrid/rigid_pieces.h"
#include "source/solvers/multigrid/smoothing_steps.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <sstream>
#include <type_traits>
#include <utility>

namespace strut
{
namespace
{
constexpr char smoothing_steps_name[]  = "Smoothing steps",
               coarse_operators_name[] = "Coarse operators", rigid_pieces_name[] = "Rigid pieces",
               damping_name[] = "Damping", galerkin[] = "galerkin",
               aggregation_name[] = "aggregation";

/// One multigrid cycle as a preconditioner. In float its rounding errors are not symmetric, but too
/// small to slow down conjugate gradients (MultigridTest.MixedPrecisionReachesDouble). So the
/// flexible variant of Notay (2000), which needs one more vector, would gain nothing.
template <typename Number, typename CycleNumber>
class MultigridCycle : public StiffnessPreconditioner<Number>
{
public:
  MultigridCycle(Backend &backend,
                 const Communicator &communicator,
                 const Structure &structure,
                 const MultigridSettings &settings)
    : backend_(backend)
    , n_owned_(structure.mesh.n_owned_dofs())
    , mean_values_(backend, communicator, structure.mesh, structure.material)
    , multigrid_(backend,
                 communicator,
                 {mean_values_.mesh(), structure.material, structure.coarser, structure.solids},
                 settings)
  {}

  void update(ElasticityOperator<Number> &matrix, const Array<double> &factors) override
  {
    if (matrix.has_shift() || has_shift_ || mean_values_.holds_motions())
      follow_shift(matrix, factors);
    multigrid_.set(matrix.stiffness(&factors));
    mean_values_.update([this](const Array<Number> &r, Array<Number> &z) { cycle(r, z); });
  }

  void finish() override
  {
    multigrid_.finish();
  }

  void lend(Array<Number> &vector) override
  {
    multigrid_.borrow(vector);
  }

  void apply(const Array<Number> &r, Array<Number> &z) override
  {
    cycle(r, z);
    mean_values_.project(z);
  }

  bool gives_float() const override
  {
    return std::is_same<CycleNumber, float>::value && mean_values_.empty();
  }

  const Array<float> &apply_in_float(const Array<Number> &r) override
  {
    if constexpr (std::is_same<CycleNumber, float>::value)
      {
        copy(r, multigrid_.residual());
        multigrid_.cycle();
        return multigrid_.correction();
      }
    else
      return StiffnessPreconditioner<Number>::apply_in_float(r);
  }

private:
  void cycle(const Array<Number> &r, Array<Number> &z)
  {
    copy(r, multigrid_.residual());
    multigrid_.cycle();
    copy(multigrid_.correction(), z);
  }

  /// Follow the shift of the operator. Zeros replace a shift that was removed.
  void follow_shift(const ElasticityOperator<Number> &matrix, const Array<double> &factors)
  {
    has_shift_ = true;
    Array<Number> sum(backend_.memory(), matrix.n_local());
    if (matrix.has_shift())
      copy(matrix.shift(), sum);
    if (mean_values_.holds_motions())
      mean_values_.add_holding_shift(matrix, factors, sum);
    Array<CycleNumber> shift(backend_.memory(), matrix.n_local());
    copy(sum, shift);
    multigrid_.set_shift(shift);
  }

  template <typename From, typename To>
  void copy(const Array<From> &from, Array<To> &to) const
  {
    copy_vector(backend_, n_owned_, from, to);
  }

  Backend &backend_;
  const std::size_t n_owned_;
  MeanValues<Number> mean_values_;
  Multigrid<CycleNumber> multigrid_; ///< cycles for the mesh without mean values
  bool has_shift_ = false;           ///< whether there is or was a shift
};

/// Settings that a deck can change.
struct MultigridParameters : MultigridSettings
{
  bool corrects_pieces = false;

  void declare(ParameterList &list)
  {
    list.add(
      smoothing_steps_name,
      smoothing_steps,
      {0, 30},
      "Of multigrid, before and after the correction of the coarser level. 0: as many as the "
      "elements are times longer than thick, at least 3 (4 for linear tetrahedra) and at most 10; up to 30 where the mean "
      "change of volume counts.");
    list.add<CoarseOperators>(
      coarse_operators_name,
      coarse_operators,
      {{"rediscretised", CoarseOperators::rediscretised},
       {galerkin, CoarseOperators::galerkin},
       {aggregation_name, CoarseOperators::aggregation}},
      "Of multigrid. rediscretised: the mean stiffness of the children on the coarser mesh, "
      "no matrices; galerkin: element matrices, 300 numbers per coarse element, for fewer "
      "iterations where solid and void meet, for meshes without background cells and for full volumetric "
      "integration; aggregation: smoothed aggregation of the second "
      "level's matrix on the host, for lattices of thin bars.");
    list.add<bool>(
      rigid_pieces_name,
      corrects_pieces,
      {{"no", false}, {"yes", true}},
      "Of multigrid, on one rank. yes: rigid motions of pieces of solid, about four elements wide, as one more "
      "coarse level, for islands of solid in void and for thin members close to one another; two more "
      "products per iteration.");
    list.add<Smoother>(
      "Smoother",
      smoother,
      {{"chebyshev", Smoother::chebyshev}, {"damped jacobi", Smoother::damped_jacobi}},
      "Of multigrid. chebyshev: a polynomial with the inverse nodal blocks, which knows its own bound; damped jacobi: "
      "Jacobi's method, as a comparator: with one smoothing step and Galerkin's operators it is the "
      "cycle of Martinez-Frutos and Herrero-Perez (2017).");
    list.add(damping_name, damping, {0.01, 1.}, "Of the smoother 'damped jacobi'.");
  }
};

MultigridParameters parameters_from(const PreconditionerSettings &wanted)
{
  return settings_from<MultigridParameters>(wanted.values);
}

// The functions below give reasons of conflicts.

std::string galerkin_and_formulation(const PreconditionerSettings &, const Surroundings &here)
{
  const FormulationText &text = text_of(here.structure.material.formulation);
  return *text.verb == '\0'
           ? ""
           : std::string("Galerkin's coarse operators ") + text.verb + text.clause +
               ".\n  Take rediscretised ones or aggregation, or " + text.otherwise + ".";
}

std::string needs_hexahedra(const std::string &subject, const Surroundings &here)
{
  const ElementType &type = here.structure.mesh.type;
  return type == ElementType()
           ? ""
           : subject +
               " made for hexahedra of eight nodes, and the elements of the mesh are of type " +
               type.name + ".\n  ";
}

std::string galerkin_and_type(const PreconditionerSettings &, const Surroundings &here)
{
  const std::string reason = needs_hexahedra("Galerkin's coarse operators are", here);
  return reason.empty() ? "" : reason + "Take rediscretised ones.";
}

std::string aggregation_and_type(const PreconditionerSettings &, const Surroundings &here)
{
  const std::string reason = needs_hexahedra("Aggregation is", here);
  return reason.empty() ? "" : reason + "Take rediscretised coarse operators.";
}

std::string pieces_and_type(const PreconditionerSettings &, const Surroundings &here)
{
  const std::string reason = needs_hexahedra("Rigid pieces of solid are", here);
  return reason.empty() ? "" : reason + "Do without them.";
}

/// Galerkin's element matrices combine those of eight children each.
std::string galerkin_and_dependent_nodes(const PreconditionerSettings &, const Surroundings &here)
{
  return here.communicator.any(!here.structure.mesh.dependent.empty())
           ? "Galerkin's coarse operators know no hanging nodes, no tied faces, no rigid regions, no periodicity and no oblique sliding, and "
             "the mesh has some: take the rediscretised ones."
           : "";
}

std::string galerkin_and_background(const PreconditionerSettings &, const Surroundings &here)
{
  MultigridSettings settings;
  settings.coarse_operators    = CoarseOperators::galerkin;
  const MeshHierarchy &coarser = here.structure.coarser;
  const std::size_t first      = first_background_level(coarser);
  return n_coarser_levels(here.communicator, coarser, settings) > first
           ? "Galerkin's coarse operators are not made for background cells, and this mesh needs such cells from level " +
               std::to_string(first + 2) +
               " on.\n  Take rediscretised ones or aggregation, numbers of elements with more factors of two, or a "
               "coarser mesh that is refined more often."
           : "";
}

/// Aggregates begin behind the first level without dependent degrees of freedom.
std::string aggregation_and_dependent_nodes(const PreconditionerSettings &settings,
                                            const Surroundings &here)
{
  const MeshHierarchy &coarser = here.structure.coarser;
  MultigridSettings wanted     = parameters_from(settings);
  if (wanted.coarse_operators != CoarseOperators::aggregation || coarser.empty())
    return "";
  const std::size_t n         = n_coarser_levels(here.communicator, coarser, wanted);
  const ElementMesh &coarsest = coarser[n - 1].mesh;
  return here.communicator.any(!coarsest.dependent.empty()) &&
             here.communicator.sum(coarsest.n_owned_dofs()) > wanted.direct_dofs
           ? "Aggregation knows no periodicity, no oblique sliding, no tied faces and no rigid regions, and all coarser meshes have some.\n"
             "  Take rediscretised coarse operators."
           : "";
}

std::string pieces_and_ranks(const PreconditionerSettings &, const Surroundings &here)
{
  return here.communicator.size() > 1
           ? "Rigid pieces of solid are found on one rank, and there are " +
               std::to_string(here.communicator.size()) + ": use one rank, or do without them."
           : "";
}

std::string pieces_and_dependent_nodes(const PreconditionerSettings &, const Surroundings &here)
{
  return here.communicator.any(!here.structure.mesh.dependent.empty())
           ? "Rigid pieces of solid know no hanging nodes, no tied faces, no rigid regions and no oblique sliding, and the mesh has some: do without them."
           : "";
}

/// Returns that the operator has a law, or that the materials have one; empty for factors, and for
/// a table if `takes_table`.
std::string law_beside_factors(const Surroundings &here, const bool takes_table)
{
  const bool is_given = here.law.known() != Law::factor;
  const Law law       = is_given ? here.law : law_of_solids(here.communicator, here.structure);
  if (takes_table ? law.answers().are_factors : law.known() == Law::factor)
    return "";
  return std::string(is_given ? "and the operator has " : "and the materials have ") + law.name;
}

std::string galerkin_and_law(const PreconditionerSettings &, const Surroundings &here)
{
  const std::string law = law_beside_factors(here, true);
  return law.empty() ? ""
                     : "Galerkin's coarse operators know stiffness factors alone, " + law +
                         ".\n  Take rediscretised ones or aggregation, or do without the latter.";
}

std::string pieces_and_law(const PreconditionerSettings &, const Surroundings &here)
{
  const std::string law = law_beside_factors(here, false);
  return law.empty() ? ""
                     : "Rigid pieces of solid know stiffness factors alone, " + law +
                         ": do without the one or the other.";
}

std::string pieces_and_shift(const PreconditionerSettings &, const Surroundings &here)
{
  return here.has_shift
           ? "Rigid pieces of solid know stiffness factors alone, and the operator has springs or a shift: do without the "
             "one or the other."
           : "";
}

std::string damping_and_chebyshev(const PreconditionerSettings &settings, const Surroundings &)
{
  return parameters_from(settings).smoother == Smoother::chebyshev
           ? "The smoother damps Jacobi's method alone, and Chebyshev's polynomial is chosen: take damped jacobi, or leave "
             "the damping out."
           : "";
}

bool has_galerkin(const Communicator &communicator, const Structure &structure)
{
  PreconditionerSettings settings{"multigrid"};
  settings.values.insert_or_assign(coarse_operators_name, galerkin);
  return structure.mesh.n_components == 3 && !find_conflict(settings, {communicator, structure});
}

template <typename Number, typename CycleNumber>
std::unique_ptr<StiffnessPreconditioner<Number>> make(Backend &backend,
                                                      const Communicator &communicator,
                                                      const Structure &structure,
                                                      const PreconditionerSettings &settings)
{
  if (const auto refused = find_conflict(settings, {communicator, structure}))
    throw Error(refused->reason);
  MultigridParameters wanted = parameters_from(settings);
  if (structure.mesh.n_components == 1)
    wanted.strategy = "nbn"; // It takes scalars, and is deterministic.
  else if (settings.deterministic)
    wanted.strategy = deterministic_level_strategy(backend.strategies<double>());
  auto cycle =
    make_multigrid_preconditioner<Number, CycleNumber>(backend, communicator, structure, wanted);
  if (!wanted.corrects_pieces)
    return cycle;
  return with_piece_correction<Number>(backend, structure, std::move(cycle));
}

std::string obstacle(const Communicator &communicator, const Structure &structure)
{
  if (structure.coarser.empty())
    return "the mesh is flat, it was refined from no coarser one";
  const std::size_t n_dofs = communicator.sum(structure.coarser.back().mesh.n_owned_dofs());
  if (n_dofs <= most_coarse_dofs)
    return "";
  return "the coarsest mesh has " + std::to_string(n_dofs) +
         " degrees of freedom, and multigrid solves directly for at most " +
         std::to_string(most_coarse_dofs);
}

/// Text such as "multigrid, 3 levels: 4096, 512, 64 elements", with the levels of a cycle.
std::string describe(const Communicator &communicator, const Structure &structure)
{
  const MeshHierarchy &coarser = structure.coarser;
  const std::size_t n_coarser  = n_coarser_levels(communicator, coarser, MultigridSettings());
  std::ostringstream text;
  text << "multigrid, " << n_coarser + 1
       << " levels: " << communicator.sum(structure.mesh.n_elements);
  for (std::size_t l = 0; l < n_coarser; ++l)
    text << ", " << communicator.sum(coarser[l].mesh.n_elements);
  text << " elements";
  if (has_linear_level(communicator, structure.mesh) && n_coarser > 0)
    text << ", level 2 of " << coarser[0].mesh.type.name << " on the same mesh";
  if (const std::size_t first = first_background_level(coarser); first < n_coarser)
    text << ", from level " << first + 2 << " on background cells"
         << (has_galerkin(communicator, structure) ? " (not for Galerkin's operators)" : "");
  std::size_t n_mean_values = 0;
  for (const std::size_t row : mean_value_rows(communicator, structure.mesh))
    n_mean_values += structure.mesh.dependent.dofs[row] < structure.mesh.n_owned_dofs() ? 1 : 0;
  if (const std::size_t n = communicator.sum(n_mean_values); n > 0)
    text << "; mean values as conditions: " << n;
  if (const unsigned int steps = smoothing_steps_for(communicator, structure.mesh); steps > 3)
    text << "; elements " << (steps < 10 ? "" : "at least ") << steps
         << " times longer than thick want " << steps << " smoothing steps"
         << (steps < 10 ? "" : ", the most there are; cubes would take fewer iterations");
  return text.str();
}

bool cycle_gives_float(const PreconditionerSettings &settings)
{
  return !parameters_from(settings).corrects_pieces;
}

double memory_estimate(const PreconditionerSettings &settings,
                       const Precision precision,
                       const StrategyLists &strategies,
                       const MeshSize &size)
{
  MultigridParameters multigrid = parameters_from(settings);
  if (settings.deterministic)
    multigrid.strategy = deterministic_level_strategy(strategies.in_double);
  const auto of_levels = [&](const auto &list) {
    return multigrid_memory_estimate(find_named(list, multigrid.strategy, "strategy"),
                                     multigrid.coarse_operators,
                                     size);
  };
  // On a GPU, where the coarsest level has an inverse, all levels have partial sums, and memory for
  // scans and sorts.
  constexpr double of_scans = 2e6;
  const double levels       = (precision == Precision::fp64 ? of_levels(strategies.in_double)
                                                            : of_levels(strategies.in_float)) +
                        (size.n_inverted_dofs > 0 ? of_scans : 0.) +
                        mean_values_memory_estimate(precision, size);
  if (!multigrid.corrects_pieces)
    return levels;
  // There are three vectors, which others borrow. The host has faces, elements of nodes, blocks and
  // pieces of elements, pieces and their nodes.
  const double number = precision == Precision::fp64 ? sizeof(double) : sizeof(float);
  return levels + 70. * static_cast<double>(size.n_elements) +
         (9. * number + 24. + 20.) * static_cast<double>(size.n_nodes);
}

/// More robust settings: Galerkin's operators, if they are possible, then more smoothing.
std::vector<std::pair<std::string, PreconditionerSettings>>
more_robust(const Communicator &communicator,
            const PreconditionerSettings &settings,
            const Structure &structure)
{
  std::vector<std::pair<std::string, PreconditionerSettings>> result;
  const MultigridParameters first = parameters_from(settings);
  PreconditionerSettings next     = settings;
  if (first.corrects_pieces)
    {
      next.values.erase(rigid_pieces_name);
      result.emplace_back("Multigrid without rigid pieces", next);
    }
  if (has_galerkin(communicator, structure) && first.coarse_operators != CoarseOperators::galerkin)
    {
      next.values.insert_or_assign(coarse_operators_name, galerkin);
      result.emplace_back("Multigrid with Galerkin's coarse operators", next);
    }
  const unsigned int steps = std::max(12u, 2 * first.smoothing_steps);
  next.values.insert_or_assign(smoothing_steps_name, steps);
  result.emplace_back("Multigrid with " + std::to_string(steps) + " smoothing steps", next);
  return result;
}
} // namespace

template <typename Number, typename CycleNumber>
std::unique_ptr<StiffnessPreconditioner<Number>>
make_multigrid_preconditioner(Backend &backend,
                              const Communicator &communicator,
                              const Structure &structure,
                              const MultigridSettings &settings)
{
  return std::make_unique<MultigridCycle<Number, CycleNumber>>(backend,
                                                               communicator,
                                                               structure,
                                                               settings);
}

PreconditionerEntry multigrid_preconditioner()
{
  PreconditionerEntry entry;
  entry.name = "multigrid";
  entry.summary =
    "a cycle on coarser meshes: those that the mesh was refined from, or background cells; on "
    "quadratic elements first linear ones";
  entry.title        = "Multigrid cycles";
  entry.in_double    = make<double, double>;
  entry.in_float     = make<float, float>;
  entry.mixed        = make<double, float>;
  entry.needs_levels = true;
  entry.obstacle     = obstacle;
  entry.conflicts    = {
       {coarse_operators_name, galerkin, "tetrahedra and quadratic elements", galerkin_and_type},
       {coarse_operators_name,
        aggregation_name,
        "tetrahedra and quadratic elements",
        aggregation_and_type},
       {rigid_pieces_name, "yes", "tetrahedra and quadratic elements", pieces_and_type},
       {coarse_operators_name,
        galerkin,
        "mean dilatation or incompatible modes of the material",
        galerkin_and_formulation},
       {coarse_operators_name,
        galerkin,
        "hanging nodes, tied faces or rigid regions",
        galerkin_and_dependent_nodes},
       {coarse_operators_name, galerkin, "levels of background cells", galerkin_and_background},
       {coarse_operators_name,
        aggregation_name,
        "periodicity and oblique sliding (applications)",
        aggregation_and_dependent_nodes},
       {coarse_operators_name,
        galerkin,
        "Poisson's ratios by material; Lame's parameters by cell, tangents (applications)",
        galerkin_and_law},
       {rigid_pieces_name, "yes", "several ranks", pieces_and_ranks},
       {rigid_pieces_name,
        "yes",
        "hanging nodes, tied faces or rigid regions",
        pieces_and_dependent_nodes},
       {rigid_pieces_name,
        "yes",
        "Poisson's ratios by material; orthotropic ones; Lame's parameters by cell, tangents (applications)",
        pieces_and_law},
       {rigid_pieces_name, "yes", "springs, or a shift (applications)", pieces_and_shift},
       {damping_name, "", "the smoother chebyshev", damping_and_chebyshev}};
  entry.describe        = describe;
  entry.memory_estimate = memory_estimate;
  entry.takes_loan      = true;
  entry.gives_float     = cycle_gives_float;
  entry.more_robust     = more_robust;
  entry.parameters      = parameters_of<MultigridParameters>();
  return entry;
}

template decltype(make_multigrid_preconditioner<double, double>)
  make_multigrid_preconditioner<double, double>;
template decltype(make_multigrid_preconditioner<double, float>)
  make_multigrid_preconditioner<double, float>;
template decltype(make_multigrid_preconditioner<float, float>)
  make_multigrid_preconditioner<float, float>;
} // namespace strut
