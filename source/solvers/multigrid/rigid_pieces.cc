// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/rigid_pieces.h"
#include "source/base/parallel_loop.h"
#include "source/element/components.h"
#include "source/element/hexahedron.h"
#include "source/solvers/host_threads.h"

#include <strut/base/exceptions.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
/// Largest number, whose factor takes some tenths of a second.
constexpr std::size_t most_pieces = 2500;

using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
} // namespace

RigidPieces::RigidPieces(const ElementMesh &mesh, const Material &material, const int n_threads)
  : mesh_(mesh)
  , material_(material)
  , n_threads_(n_threads)
  , finder_(mesh)
  , constrained_(mesh.n_dofs(), 0)
{
  for (const LocalIndex dof : mesh.constrained_dofs)
    constrained_[dof] = 1;
}

/// Returns the rigid motions of a piece at one of its nodes, multiplied by the node's weight, zero
/// on constrained DoFs.
RigidPieces::Motions RigidPieces::motions(const std::uint32_t piece, const std::uint32_t node) const
{
  const Frame &frame = frames_[piece];
  const double weight =
    1. / static_cast<double>(pieces_.at_node_begin[node + 1] - pieces_.at_node_begin[node]);
  double x[3];
  for (std::size_t d = 0; d < 3; ++d)
    x[d] = weight * (mesh_.coordinates[d * mesh_.n_nodes + node] - frame.centre[d]) / frame.size;
  Motions result{};
  for (std::size_t c = 0; c < 3; ++c)
    if (constrained_[3 * node + c] == 0)
      {
        result[6 * c + c]               = weight;
        result[6 * c + 3 + (c + 1) % 3] = x[(c + 2) % 3];
        result[6 * c + 3 + (c + 2) % 3] = -x[(c + 1) % 3];
      }
  return result;
}

void RigidPieces::find_frames()
{
  frames_.assign(pieces_.n, Frame());
  cpu::parallel_for_long(n_threads_, pieces_.n, [&](const std::size_t piece) {
    Frame &frame             = frames_[piece];
    const auto for_each_node = [&](const auto &body) {
      for (std::uint32_t k = pieces_.nodes_begin[piece]; k < pieces_.nodes_begin[piece + 1]; ++k)
        body(pieces_.nodes[k]);
    };
    const double n = pieces_.nodes_begin[piece + 1] - pieces_.nodes_begin[piece];
    for_each_node([&](const std::uint32_t node) {
      for (std::size_t d = 0; d < 3; ++d)
        frame.centre[d] += mesh_.coordinates[d * mesh_.n_nodes + node] / n;
    });
    frame.size = 0.;
    for_each_node([&](const std::uint32_t node) {
      for (std::size_t d = 0; d < 3; ++d)
        frame.size =
          std::max(frame.size,
                   std::abs(mesh_.coordinates[d * mesh_.n_nodes + node] - frame.centre[d]));
    });

    // Null space of the motions restricted to constrained DoFs.
    Matrix6 gram = Matrix6::Zero();
    for_each_node([&](const std::uint32_t node) {
      for (std::size_t c = 0; c < 3; ++c)
        if (constrained_[3 * node + c] != 0)
          {
            Eigen::Matrix<double, 6, 1> row = Eigen::Matrix<double, 6, 1>::Zero();
            const auto x                    = [&](const std::size_t d) {
              return (mesh_.coordinates[d * mesh_.n_nodes + node] - frame.centre[d]) / frame.size;
            };
            row[static_cast<Eigen::Index>(c)]               = 1.;
            row[static_cast<Eigen::Index>(3 + (c + 1) % 3)] = x((c + 2) % 3);
            row[static_cast<Eigen::Index>(3 + (c + 2) % 3)] = -x((c + 1) % 3);
            gram += row * row.transpose();
          }
    });
    Eigen::Map<Matrix6> free(frame.free.data());
    const Eigen::SelfAdjointEigenSolver<Matrix6> eigen(gram);
    if (gram.isZero(0.))
      free.setIdentity();
    else
      for (Eigen::Index k = 0; k < 6; ++k)
        if (eigen.eigenvalues()[k] < 1e-9 * eigen.eigenvalues()[5])
          free.col(k) = eigen.eigenvectors().col(k);
  });
}

/// Adds the parts of Z^T K Z from an element: its pieces, and a block for each pair of them.
void RigidPieces::add_element(const std::size_t e,
                              const double factor,
                              std::vector<std::uint32_t> &pieces,
                              std::vector<double> &blocks) const
{
  pieces.clear();
  blocks.clear();
  std::uint32_t nodes[8];
  // An element inside of a piece is rigid.
  bool at_one = pieces_.of_element[e] != SolidPieces::none;
  for (std::size_t v = 0; v < 8; ++v)
    {
      nodes[v]                  = mesh_.connectivity[v * mesh_.n_elements + e];
      const std::uint32_t begin = pieces_.at_node_begin[nodes[v]],
                          end   = pieces_.at_node_begin[nodes[v] + 1];
      pieces.insert(pieces.end(), pieces_.at_node.data() + begin, pieces_.at_node.data() + end);
      at_one = at_one && end - begin == 1;
      for (std::size_t c = 0; c < 3; ++c)
        at_one = at_one && constrained_[3 * nodes[v] + c] == 0;
    }
  std::sort(pieces.begin(), pieces.end());
  pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
  if (at_one || factor == 0.)
    pieces.clear();
  if (pieces.empty())
    return;

  const auto n = static_cast<Eigen::Index>(pieces.size());
  double X[3][8];
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t v = 0; v < 8; ++v)
      X[d][v] = mesh_.coordinates[d * mesh_.n_nodes + nodes[v]] -
                mesh_.coordinates[d * mesh_.n_nodes + nodes[0]];
  Eigen::Matrix<double, 24, Eigen::Dynamic> Z(24, 6 * n);
  Z.setZero();
  for (std::size_t v = 0; v < 8; ++v)
    for (std::uint32_t k = pieces_.at_node_begin[nodes[v]]; k < pieces_.at_node_begin[nodes[v] + 1];
         ++k)
      {
        const std::uint32_t piece = pieces_.at_node[k];
        const auto column         = static_cast<Eigen::Index>(
          6 * (std::lower_bound(pieces.begin(), pieces.end(), piece) - pieces.begin()));
        const Motions of_node = motions(piece, nodes[v]);
        Z.block<3, 6>(static_cast<Eigen::Index>(3 * v), column) =
          Eigen::Map<const Eigen::Matrix<double, 3, 6, Eigen::RowMajor>>(of_node.data()) *
          Eigen::Map<const Matrix6>(frames_[piece].free.data());
      }
  Eigen::Matrix<double, 24, 24, Eigen::RowMajor> K;
  for (int v = 0; v < 8; ++v)
    {
      double rows[3][24];
      hexahedron::stiffness_rows(X, material_, v, rows);
      K.middleRows<3>(3 * v) =
        Eigen::Map<const Eigen::Matrix<double, 3, 24, Eigen::RowMajor>>(&rows[0][0]);
    }
  const Eigen::MatrixXd product = factor * (Z.transpose() * (K * Z));
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index k = 0; k < 36; ++k)
        blocks.push_back(product(6 * i + k / 6, 6 * j + k % 6));
}

void RigidPieces::set_stiffness(const std::vector<double> &factors)
{
  pieces_ = finder_.find(factors, most_pieces);
  if (pieces_.n == 0)
    return;
  find_frames();

  // (1) The pattern, from the pieces of each element.
  const std::size_t n_elements = mesh_.n_elements;
  std::vector<std::vector<std::uint32_t>> beside(pieces_.n);
  for (std::uint32_t piece = 0; piece < pieces_.n; ++piece)
    beside[piece].push_back(piece);
  std::vector<std::uint32_t> around;
  for (std::size_t e = 0; e < n_elements; ++e)
    {
      around.clear();
      for (std::size_t v = 0; v < 8; ++v)
        {
          const std::uint32_t node = mesh_.connectivity[v * n_elements + e];
          for (std::uint32_t k = pieces_.at_node_begin[node]; k < pieces_.at_node_begin[node + 1];
               ++k)
            if (std::find(around.begin(), around.end(), pieces_.at_node[k]) == around.end())
              around.push_back(pieces_.at_node[k]);
        }
      for (const std::uint32_t piece : around)
        for (const std::uint32_t other : around)
          if (std::find(beside[piece].begin(), beside[piece].end(), other) == beside[piece].end())
            beside[piece].push_back(other);
    }
  BlockPattern pattern;
  pattern.n_rows = pattern.n_columns = pieces_.n;
  pattern.begin.push_back(0);
  for (auto &row : beside)
    {
      std::sort(row.begin(), row.end());
      pattern.columns.insert(pattern.columns.end(), row.begin(), row.end());
      pattern.begin.push_back(static_cast<std::uint32_t>(pattern.columns.size()));
    }

  // (2) The numbers. All threads compute some elements at a time, which are then added in order.
  constexpr std::size_t at_a_time = 4096;
  BlockMatrix<6, 6> E(std::move(pattern));
  std::vector<std::vector<std::uint32_t>> of_elements(at_a_time);
  std::vector<std::vector<double>> blocks(at_a_time);
  for (std::size_t first = 0; first < n_elements; first += at_a_time)
    {
      const std::size_t n = std::min(at_a_time, n_elements - first);
      cpu::parallel_for_long(n_threads_, n, [&](const std::size_t i) {
        add_element(first + i, factors[first + i], of_elements[i], blocks[i]);
      });
      for (std::size_t i = 0; i < n; ++i)
        {
          const double *block = blocks[i].data();
          for (const std::uint32_t row : of_elements[i])
            for (const std::uint32_t column : of_elements[i])
              {
                double *const sum = E.block(E.pattern.find(row, column));
                for (std::size_t k = 0; k < 36; ++k)
                  sum[k] += *block++;
              }
        }
    }
  factor_.set(E);
}

void RigidPieces::correct(const std::vector<double> &r, std::vector<double> &x) const
{
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  std::vector<double> forces(6 * pieces_.n), moves(6 * pieces_.n);
  cpu::parallel_for_long(n_threads_, pieces_.n, [&](const std::size_t piece) {
    Vector6 sum = Vector6::Zero();
    for (std::uint32_t k = pieces_.nodes_begin[piece]; k < pieces_.nodes_begin[piece + 1]; ++k)
      {
        const std::uint32_t node = pieces_.nodes[k];
        const Motions Z          = motions(static_cast<std::uint32_t>(piece), node);
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t j = 0; j < 6; ++j)
            sum[static_cast<Eigen::Index>(j)] += Z[6 * c + j] * r[3 * node + c];
      }
    Eigen::Map<Vector6> result(&forces[6 * piece]);
    result = Eigen::Map<const Matrix6>(frames_[piece].free.data()).transpose() * sum;
  });
  factor_.solve(forces, moves);
  cpu::parallel_for(n_threads_, pieces_.n, [&](const std::size_t piece) {
    Eigen::Map<Vector6> of_piece(&moves[6 * piece]);
    of_piece = (Eigen::Map<const Matrix6>(frames_[piece].free.data()) * of_piece).eval();
  });
  cpu::parallel_for(n_threads_, mesh_.n_nodes, [&](const std::size_t node) {
    double sum[3] = {};
    for (std::uint32_t k = pieces_.at_node_begin[node]; k < pieces_.at_node_begin[node + 1]; ++k)
      {
        const Motions Z = motions(pieces_.at_node[k], static_cast<std::uint32_t>(node));
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t j = 0; j < 6; ++j)
            sum[c] += Z[6 * c + j] * moves[6 * std::size_t(pieces_.at_node[k]) + j];
      }
    std::copy(sum, sum + 3, &x[3 * node]);
  });
}

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
    if (matrix.law() != Law::factor || matrix.has_shift())
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
  require_displacements(structure.mesh, "The correction by rigid pieces of solid");
  return std::make_unique<PieceCorrection<Number>>(backend, structure, std::move(M));
}

template decltype(with_piece_correction<double>) with_piece_correction<double>;
template decltype(with_piece_correction<float>) with_piece_correction<float>;
} // namespace strut
