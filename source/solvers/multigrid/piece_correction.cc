// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/piece_correction.h"
#include "source/solvers/host_threads.h"
#include "source/solvers/multigrid/rigid_pieces.h"

#include <strut/base/exceptions.h>

#include <string>
#include <utility>
#include <vector>

namespace strut
{
namespace
{
template <typename Number>
class PieceCorrection : public StiffnessPreconditioner<Number>
{
public:
  PieceCorrection(Backend &backend,
                  const Structure &structure,
                  std::unique_ptr<StiffnessPreconditioner<Number>> M)
    : backend_(backend)
    , M_(std::move(M))
    , pieces_(structure.mesh, structure.material, host_threads(backend))
    , n_(structure.mesh.n_dofs())
    , r_(backend.memory(), n_)
    , d_(backend.memory(), n_)
    , q_(backend.memory(), n_)
  {}

  void update(ElasticityOperator<Number> &matrix, const Array<double> &factors) override
  {
    if (matrix.has_lame() || matrix.has_tangents() || matrix.has_shift())
      throw Error(
        "Rigid pieces of solid know stiffness factors alone, and the operator has Lame's parameters, "
        "tangents or a shift: do without them.");
    K_ = &matrix;
    M_->update(matrix, factors);
    pieces_.set_stiffness(factors.to_host());
  }

  void finish() override
  {
    M_->finish();
  }

  void apply(const Array<Number> &r, Array<Number> &z) override
  {
    if (pieces_.size() == 0)
      return M_->apply(r, z);
    const auto &vectors = backend_.template vector_operations<Number>();
    vectors.copy(n_, r, r_);
    K_->zero_constrained(r_);

    // (1) d = Q r, r -= K d, z = d.
    correct();
    K_->apply(d_, q_);
    vectors.axpy(n_, Number(-1), q_, r_);
    vectors.copy(n_, d_, z);

    // (2) d = M r, r -= K d, z += d.
    M_->apply(r_, d_);
    K_->apply(d_, q_);
    vectors.axpy(n_, Number(-1), q_, r_);
    vectors.axpy(n_, Number(1), d_, z);

    // (3) d = Q r, z += d.
    correct();
    vectors.axpy(n_, Number(1), d_, z);
  }

private:
  void correct()
  {
    const std::vector<Number> own = r_.to_host();
    const std::vector<double> r(own.begin(), own.end());
    std::vector<double> x(n_);
    pieces_.correct(r, x);
    d_.copy_from_host(std::vector<Number>(x.begin(), x.end()));
  }

  Backend &backend_;
  const std::unique_ptr<StiffnessPreconditioner<Number>> M_;
  ElasticityOperator<Number> *K_ = nullptr;
  RigidPieces pieces_;
  const std::size_t n_;
  Array<Number> r_, d_, q_;
};
} // namespace

template <typename Number>
std::unique_ptr<StiffnessPreconditioner<Number>> with_piece_correction(
  Backend &backend, const Structure &structure, std::unique_ptr<StiffnessPreconditioner<Number>> M)
{
  return std::make_unique<PieceCorrection<Number>>(backend, structure, std::move(M));
}

template std::unique_ptr<StiffnessPreconditioner<double>> with_piece_correction(
  Backend &, const Structure &, std::unique_ptr<StiffnessPreconditioner<double>>);
template std::unique_ptr<StiffnessPreconditioner<float>> with_piece_correction(
  Backend &, const Structure &, std::unique_ptr<StiffnessPreconditioner<float>>);
} // namespace strut
