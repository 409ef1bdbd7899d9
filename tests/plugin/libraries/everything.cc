// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// One entry of each kind: copies of strut's own under other names, so that results can be compared.
// One more response sums over elements.

#include <strut/backend/backend.h>
#include <strut/backend/strategy.h>
#include <strut/base/exceptions.h>
#include <strut/load_integrals.h>
#include <strut/optimization/maps/design_map.h>
#include <strut/optimization/maps/neighbourhood_mean.h>
#include <strut/optimization/responses/response.h>
#include <strut/parallel/halo_exchange.h>
#include <strut/runtime_plugin.h>
#include <strut/solvers/krylov/preconditioner.h>

#include <array>
#include <memory>

namespace
{
template <typename Number>
void register_strategies()
{
  strut::Strategy<Number> strategy = strut::cpu_strategies<Number>().front();
  strategy.name                    = "my operator";
  strut::add_cpu_strategy(strategy);
  if (strut::cuda_compiled())
    {
      strategy      = strut::cuda_strategies<Number>().front();
      strategy.name = "my operator";
      strut::add_cuda_strategy(strategy);
    }
}

struct OperatorSettings
{
  unsigned int block = 4;

  void declare(strut::ParameterList &list)
  {
    list.add("Block", block, {1, 64}, "Elements at a time.");
  }
};

void set_operator(const strut::ParameterValues &values)
{
  const unsigned int block = strut::settings_from<OperatorSettings>(values).block;
  if (block == 13)
    throw strut::Error("A block of " + std::to_string(block) +
                       " elements is unlucky.\nTake another.");
}

/// Response f.u by a second solve, which equals the compliance.
class Work : public strut::DisplacementResponse
{
public:
  explicit Work(const strut::Communicator &communicator) : communicator_(communicator)
  {}
  double value(const strut::LoadCase &load_case, const std::vector<double> &u) override
  {
    double sum = 0;
    for (std::size_t i = 0; i < load_case.forces.size(); ++i)
      sum += load_case.forces[i] * u[i];
    return communicator_.sum(sum);
  }
  std::vector<double> derivative(const strut::LoadCase &load_case,
                                 const std::vector<double> &) override
  {
    return load_case.forces.dense();
  }

private:
  strut::Communicator communicator_;
};

/// Response sum_e V_e |u_e|^2, where u_e is the mean displacement of an element's nodes. Elements
/// also add to the derivative at nodes of other ranks.
class SquaresAtCentres : public strut::DisplacementResponse
{
public:
  explicit SquaresAtCentres(const strut::ResponseContext &context)
    : backend_(context.backend)
    , communicator_(context.communicator)
    , mesh_(context.mesh)
    , halo_(backend_, communicator_, mesh_.node_halo, 3)
  {}

  double value(const strut::LoadCase &, const std::vector<double> &u) override
  {
    double sum = 0;
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      for (const double component : mean(u, e))
        sum += mesh_.volumes[e] * component * component;
    return communicator_.sum(sum);
  }

  std::vector<double> derivative(const strut::LoadCase &, const std::vector<double> &u) override
  {
    std::vector<double> result(mesh_.n_dofs(), 0.);
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      {
        const auto u_e = mean(u, e);
        for (std::size_t v = 0; v < 8; ++v)
          for (std::size_t c = 0; c < 3; ++c)
            result[dof(e, v, c)] += 2. / 8. * mesh_.volumes[e] * u_e[c];
      }
    strut::Array<double> sums(backend_.memory(), result);
    halo_.add_to_owners(sums);
    result = sums.to_host();
    result.resize(mesh_.n_owned_dofs());
    return result;
  }

private:
  std::size_t dof(const std::size_t e, const std::size_t v, const std::size_t c) const
  {
    return 3 * static_cast<std::size_t>(mesh_.connectivity[v * mesh_.n_elements + e]) + c;
  }

  std::array<double, 3> mean(const std::vector<double> &u, const std::size_t e) const
  {
    std::array<double, 3> sum{};
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t c = 0; c < 3; ++c)
        sum[c] += u[dof(e, v, c)] / 8.;
    return sum;
  }

  strut::Backend &backend_;
  strut::Communicator communicator_;
  const strut::ElementMesh &mesh_;
  strut::HaloExchange<double> halo_;
};

/// Settings of a density filter whose radius is multiplied by `Stretch`, and which is applied
/// `Passes` times.
struct RepeatedSettings
{
  double stretch      = 1.;
  unsigned int passes = 1;

  void declare(strut::ParameterList &list)
  {
    list.add("Stretch", stretch, {0.5, 10.}, "Of the filter radius.");
    list.add("Passes", passes, {1, 10}, "How often to filter.");
  }
};

class Repeated : public strut::DesignMap
{
public:
  Repeated(strut::Backend &backend,
           const strut::Communicator &communicator,
           const strut::ElementMesh &mesh,
           const strut::MapSettings &settings)
    : settings_(strut::settings_from<RepeatedSettings>(settings.values))
    , mean_(backend, communicator, mesh, settings_.stretch * settings.radius, settings.weights)
  {}

  void
  forward(const strut::Array<double> &x, strut::Array<double> &y, const strut::MapPoint &) override
  {
    mean_.apply(x, y);
    for (unsigned int pass = 1; pass < settings_.passes; ++pass)
      mean_.apply(y, y);
  }

  void
  backward(const strut::Array<double> &, strut::Array<double> &s, const strut::MapPoint &) override
  {
    for (unsigned int pass = 0; pass < settings_.passes; ++pass)
      mean_.apply_transposed(s, s);
  }

  bool is_affine() const override
  {
    return true;
  }

private:
  RepeatedSettings settings_;
  strut::NeighbourhoodMean mean_;
};

strut::DesignMapEntry my_map()
{
  strut::DesignMapEntry entry;
  entry.name          = "my map";
  entry.summary       = "the density filter, several times";
  entry.make          = &strut::make_map<Repeated>;
  entry.parameters    = strut::parameters_of<RepeatedSettings>();
  entry.needs_radius  = true;
  entry.takes_weights = true;
  return entry;
}

/// Damped Jacobi, `Sweeps` times: `z <- z + w D^-1 (r - K z)` from zero.
class DampedJacobi : public strut::StiffnessPreconditioner<double>
{
public:
  DampedJacobi(strut::Backend &backend, const double damping, const unsigned int sweeps)
    : backend_(backend), damping_(damping), sweeps_(sweeps)
  {}

  void update(strut::ElasticityOperator<double> &matrix, const strut::Array<double> &) override
  {
    matrix_ = &matrix;
    for (strut::Array<double> *v : {&diagonal_, &rest_})
      *v = strut::Array<double>(backend_.memory(), matrix.n_local());
    matrix.diagonal(diagonal_);
  }

  void apply(const strut::Array<double> &r, strut::Array<double> &z) override
  {
    const auto &vectors = backend_.vector_operations<double>();
    const std::size_t n = matrix_->n_owned();
    z.set_zero();
    for (unsigned int sweep = 0; sweep < sweeps_; ++sweep)
      {
        matrix_->apply(z, rest_);
        vectors.xpby(n, r, -1., rest_);
        vectors.divide(n, rest_, diagonal_, rest_);
        vectors.axpy(n, damping_, rest_, z);
      }
  }

private:
  strut::Backend &backend_;
  strut::ElasticityOperator<double> *matrix_ = nullptr;
  double damping_;
  unsigned int sweeps_;
  strut::Array<double> diagonal_, rest_;
};

struct DampedJacobiSettings
{
  double damping      = 0.3;
  unsigned int sweeps = 3;

  void declare(strut::ParameterList &list)
  {
    list.add("Damping", damping, {0., 1.}, "Of each sweep.");
    list.add("Sweeps", sweeps, {1, 100}, "How many.");
  }
};

strut::PreconditionerEntry my_preconditioner()
{
  strut::PreconditionerEntry entry;
  entry.name       = "my preconditioner";
  entry.summary    = "damped Jacobi, several times";
  entry.title      = "Damped Jacobi";
  entry.parameters = strut::parameters_of<DampedJacobiSettings>();
  entry.in_double  = [](strut::Backend &backend,
                       const strut::Communicator &,
                       const strut::Structure &,
                       const strut::PreconditionerSettings &settings)
    -> std::unique_ptr<strut::StiffnessPreconditioner<double>> {
    const auto own = strut::settings_from<DampedJacobiSettings>(settings.values);
    return std::make_unique<DampedJacobi>(backend, own.damping, own.sweeps);
  };
  return entry;
}

void register_everything()
{
  register_strategies<double>();
  register_strategies<float>();
  strut::add_strategy_parameters(
    {"my operator", strut::parameters_of<OperatorSettings>(), &set_operator});

  strut::add_design_map(my_map());
  strut::add_preconditioner(my_preconditioner());

  strut::add_response(
    {"my work",
     "f.u",
     [](const strut::ResponseContext &context) -> std::unique_ptr<strut::Response> {
       return std::make_unique<Work>(context.communicator);
     }});
  strut::add_response(
    {"my squares",
     "squares of displacements at the centres of elements",
     [](const strut::ResponseContext &context) -> std::unique_ptr<strut::Response> {
       return std::make_unique<SquaresAtCentres>(context);
     }});

  strut::add_load_type({"my weight",
                        "force per volume",
                        [](const strut::LoadContext &context, const strut::Load &load) {
                          return strut::add_volume_integral(
                            context, load, [&](const dealii::Point<3> &) { return load.value(); });
                        }});
}
} // namespace

STRUT_PLUGIN(register_everything);
