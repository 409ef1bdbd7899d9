// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/solvers/jacobi.h>
#include <strut/solvers/stiffness_preconditioner.h>

#include <type_traits>

namespace strut
{
namespace
{
/// In float the cycle is not quite symmetric, by its rounding: far less than what would slow down
/// conjugate gradients of some dozen iterations (MultigridTest.MixedPrecisionReachesDouble), so it does
/// not ask for the flexible variant, which takes one more vector.
template <typename Number, typename CycleNumber>
class MultigridCycle : public StiffnessPreconditioner<Number>
{
public:
  MultigridCycle(Backend &backend,
                 const Communicator &communicator,
                 const ElementMesh &mesh,
                 const MeshHierarchy &coarser,
                 const Material &material,
                 const MultigridSettings &settings)
    : backend_(backend)
    , n_owned_(mesh.n_owned_dofs())
    , multigrid_(backend, communicator, mesh, coarser, material, settings)
  {}

  void update(ElasticityOperator<Number> &, const Array<double> &factors) override
  {
    multigrid_.set_stiffness(factors);
  }

  void apply(const Array<Number> &r, Array<Number> &z) override
  {
    copy(r, multigrid_.residual());
    multigrid_.cycle();
    copy(multigrid_.correction(), z);
  }

private:
  template <typename From, typename To>
  void copy(const Array<From> &from, Array<To> &to) const
  {
    if constexpr (std::is_same<From, To>::value)
      backend_.vector_operations<To>().copy(n_owned_, from, to);
    else
      backend_.level_operations().convert(n_owned_, from, to);
  }

  Backend &backend_;
  const std::size_t n_owned_;
  Multigrid<CycleNumber> multigrid_;
};
} // namespace

template <typename Number>
std::unique_ptr<StiffnessPreconditioner<Number>> make_jacobi_preconditioner(Backend &backend)
{
  return std::make_unique<JacobiPreconditioner<Number>>(backend);
}

template <typename Number, typename CycleNumber>
std::unique_ptr<StiffnessPreconditioner<Number>>
make_multigrid_preconditioner(Backend &backend,
                              const Communicator &communicator,
                              const ElementMesh &mesh,
                              const MeshHierarchy &coarser,
                              const Material &material,
                              const MultigridSettings &settings)
{
  return std::make_unique<MultigridCycle<Number, CycleNumber>>(
    backend, communicator, mesh, coarser, material, settings);
}

template std::unique_ptr<StiffnessPreconditioner<double>> make_jacobi_preconditioner(Backend &);
template std::unique_ptr<StiffnessPreconditioner<float>> make_jacobi_preconditioner(Backend &);
#define STRUT_INSTANTIATE(Number, CycleNumber)                              \
  template std::unique_ptr<StiffnessPreconditioner<Number>>                 \
  make_multigrid_preconditioner<Number, CycleNumber>(Backend &,             \
                                                     const Communicator &,  \
                                                     const ElementMesh &,   \
                                                     const MeshHierarchy &, \
                                                     const Material &,      \
                                                     const MultigridSettings &)
STRUT_INSTANTIATE(double, double);
STRUT_INSTANTIATE(double, float);
STRUT_INSTANTIATE(float, float);
#undef STRUT_INSTANTIATE
} // namespace strut
