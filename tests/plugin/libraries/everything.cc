// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// One of each kind: what strut has already, under other names, so that results can be compared.

#include <strut/backend/backend.h>
#include <strut/optimization/filter.h>
#include <strut/optimization/objective.h>
#include <strut/plugin/load_integrals.h>
#include <strut/plugin/runtime_plugin.h>

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

/// f.u, by way of a second solve: the compliance.
class Work : public strut::DisplacementObjective
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
    return load_case.forces;
  }

private:
  strut::Communicator communicator_;
};

void register_everything()
{
  register_strategies<double>();
  register_strategies<float>();

  strut::FilterEntry filter = strut::filters().front();
  filter.name               = "my filter";
  strut::add_filter(filter);

  strut::add_objective(
    {"my work",
     "f.u",
     [](strut::Backend &, const strut::Communicator &communicator, const strut::ElementMesh &)
       -> std::unique_ptr<strut::Objective> { return std::make_unique<Work>(communicator); }});

  strut::plugin::add_load_type(
    {"my weight",
     "force per volume",
     [](const strut::plugin::LoadContext &context, const strut::plugin::Load &load) {
       return strut::plugin::add_volume_integral(context, load, [&](const dealii::Point<3> &) {
         return load.value();
       });
     }});
}
} // namespace

STRUT_PLUGIN(register_everything);
