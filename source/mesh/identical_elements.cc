// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/identical_elements.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "source/base/filled_vector.h"
#include "source/mesh/affine_element.h"

namespace strut
{
namespace
{
constexpr double shape_tolerance = 1e-10; ///< relative to the size of the element

/// Whether the elements of a range have the shape X, by the sum of their differences up to a
/// tolerance. It runs vertex by vertex and without branches, which takes a third of the time of a
/// loop over elements.
bool all_have_shape(const ElementMesh &mesh,
                    const std::size_t begin,
                    const std::size_t end,
                    const double (&X)[3][8],
                    const double tolerance)
{
  constexpr std::size_t at_a_time = 128;
  for (std::size_t first = begin; first < end; first += at_a_time)
    {
      const std::size_t n              = std::min(at_a_time, end - first);
      const LocalIndex *const vertex_0 = mesh.connectivity.data() + first;
      double origins[at_a_time], differences[at_a_time] = {};
      for (std::size_t d = 0; d < 3; ++d)
        {
          const double *const x = mesh.coordinates.data() + d * mesh.n_nodes;
          for (std::size_t e = 0; e < n; ++e)
            origins[e] = x[vertex_0[e]];
          for (std::size_t v = 1; v < 8; ++v)
            {
              const LocalIndex *const vertex = vertex_0 + v * mesh.n_elements;
              for (std::size_t e = 0; e < n; ++e)
                differences[e] += std::abs(x[vertex[e]] - origins[e] - X[d][v]);
            }
        }
      for (std::size_t e = 0; e < n; ++e)
        if (!(differences[e] <= tolerance))
          return false;
    }
  return true;
}

/// Whether sample elements from the whole mesh have a property. Most meshes in which not all have
/// it are found here.
template <typename Has>
bool samples_have(const ElementMesh &mesh, const Has &has)
{
  constexpr std::size_t n_samples = 1000;
  // odd, because layers often have an even number
  const std::size_t step = mesh.n_elements / n_samples | 1;
  for (std::size_t e = 0; e < mesh.n_elements; e += step)
    if (!has(e))
      return false;
  return true;
}

/// X[d][v] of element 0, and the tolerance for vertices of another one.
struct FirstShape
{
  double X[3][8];
  double tolerance;

  explicit FirstShape(const ElementMesh &mesh)
  {
    shape_of(mesh, 0, X);
    double size = 0.;
    for (const auto &row : X)
      for (const double x : row)
        size = std::max(size, std::abs(x));
    tolerance = shape_tolerance * size;
  }

  /// The first vertex of element e that differs; 0 if there is none.
  int unequal_vertex(const ElementMesh &mesh, const std::size_t e) const
  {
    double other[3][8];
    shape_of(mesh, e, other);
    for (int v = 1; v < 8; ++v)
      for (int d = 0; d < 3; ++d)
        if (!(std::abs(other[d][v] - X[d][v]) <= tolerance))
          return v;
    return 0;
  }
};
} // namespace

void shape_of(const ElementMesh &mesh, const std::size_t e, double (&X)[3][8])
{
  for (std::size_t d = 0; d < 3; ++d)
    {
      const double *const x = mesh.coordinates.data() + d * mesh.n_nodes;
      for (std::size_t v = 0; v < 8; ++v)
        X[d][v] = x[mesh.connectivity[v * mesh.n_elements + e]] - x[mesh.connectivity[e]];
    }
}

namespace
{
/// The sum over the words of a list, each mixed with its index by one multiplication, which is as
/// fast as the memory.
template <typename Number>
std::uint64_t sum_of_words(const std::vector<Number> &numbers)
{
  constexpr std::size_t size = sizeof(std::uint64_t) / sizeof(Number);
  assert(numbers.size() % size == 0); // the eight vertices of elements
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    std::uint64_t sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      {
        std::uint64_t word = 0;
        std::memcpy(&word, numbers.data() + size * i, sizeof(word));
        word += 0x9e3779b97f4a7c15u * (i + 1);
        word = (word ^ word >> 32) * 0xbf58476d1ce4e5b9u;
        sum += word ^ word >> 29;
      }
    return sum;
  };
  std::uint64_t sum = 0;
  for (const std::uint64_t of_some :
       cpu::values_of_blocks(cpu::default_n_threads(), numbers.size() / size, of_block))
    sum += of_some;
  return sum;
}
/// Distinguishes the nodes and elements of meshes: the number of elements, and sums over the words
/// of coordinates and connectivity, 64 bits each. Meshes that differ in one word have different
/// fingerprints. Others do up to a probability of about 2^-64.
using VertexFingerprint = std::array<std::uint64_t, 3>;

VertexFingerprint vertex_fingerprint(const ElementMesh &mesh)
{
  return {mesh.n_elements, sum_of_words(mesh.coordinates), sum_of_words(mesh.connectivity)};
}

/// The unequal elements of the last large meshes. A run asks for its finest mesh some eight times,
/// and a pass over all elements takes several times as long as a fingerprint.
class KnownMeshes
{
public:
  std::optional<UnequalElement> find(const VertexFingerprint &mesh)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto &[known, unequal] : meshes_)
      if (known == mesh)
        return unequal;
    return {};
  }
  void add(const VertexFingerprint &mesh, const UnequalElement &unequal)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    meshes_[next_++ % meshes_.size()] = {mesh, unequal};
  }

private:
  std::mutex mutex_;
  std::array<std::pair<VertexFingerprint, UnequalElement>, 16>
    meshes_{}; // initially 0 elements, which no large mesh has
  std::size_t next_ = 0;
};

UnequalElement look_for_unequal_element(const ElementMesh &mesh)
{
  if (mesh.n_elements == 0)
    return {};
  const FirstShape first(mesh);
  const auto in_range = [&](const std::size_t begin, const std::size_t end) -> UnequalElement {
    if (all_have_shape(mesh, begin, end, first.X, first.tolerance))
      return {};
    for (std::size_t e = begin; e < end; ++e)
      if (const int vertex = first.unequal_vertex(mesh, e); vertex != 0)
        return {e, vertex};
    return {};
  };
  // most meshes of different elements differ here
  const std::size_t n_first = std::min<std::size_t>(mesh.n_elements, 4096);
  if (const UnequalElement found = in_range(0, n_first); found.element != 0)
    return found;
  for (const UnequalElement &found :
       cpu::values_of_blocks(cpu::default_n_threads(),
                             mesh.n_elements - n_first,
                             [&](const std::size_t begin, const std::size_t end) {
                               return in_range(n_first + begin, n_first + end);
                             }))
    if (found.element != 0)
      return found;
  return {};
}
} // namespace

UnequalElement find_unequal_element(const ElementMesh &mesh)
{
  constexpr std::size_t large = 100'000;
  if (mesh.n_elements < large)
    return look_for_unequal_element(mesh);
  static KnownMeshes known;
  const VertexFingerprint fingerprint = vertex_fingerprint(mesh);
  if (const auto before = known.find(fingerprint); before.has_value())
    return *before;
  const UnequalElement found = look_for_unequal_element(mesh);
  known.add(fingerprint, found);
  return found;
}

bool are_equal_elements(const ElementMesh &mesh)
{
  if (mesh.n_elements == 0 || mesh.type != ElementType())
    return false;
  const FirstShape first(mesh);
  const auto is_equal = [&](const std::size_t e) { return first.unequal_vertex(mesh, e) == 0; };
  return samples_have(mesh, is_equal) && find_unequal_element(mesh).element == 0;
}

namespace
{
/// The sizes of elements relative to the first one, where both are similar.
class ElementsLikeTheFirst
{
public:
  explicit ElementsLikeTheFirst(const ElementMesh &mesh) : mesh_(mesh)
  {
    shape_of(mesh, 0, first_);
    for (int k = 1; k < 24; ++k)
      if (std::abs(component(first_, k)) > std::abs(component(first_, longest_)))
        longest_ = k;
  }

  /// The relative size of an element; 0 if it is not similar.
  double size(const std::size_t e) const
  {
    double X[3][8];
    shape_of(mesh_, e, X);
    const double extent = std::abs(component(first_, longest_));
    const double size   = component(X, longest_) / component(first_, longest_);
    for (int k = 0; k < 24; ++k)
      if (!(std::abs(component(X, k) - size * component(first_, k)) <=
            shape_tolerance * size * extent))
        return 0.;
    return size;
  }

  bool has_all() const
  {
    const auto has = [&](const std::size_t begin, const std::size_t end) -> char {
      for (std::size_t e = begin; e < end; ++e)
        if (size(e) == 0.)
          return 0;
      return 1;
    };
    if (!samples_have(mesh_, [&](const std::size_t e) { return size(e) != 0.; }))
      return false;
    const auto of_blocks = cpu::values_of_blocks(cpu::default_n_threads(), mesh_.n_elements, has);
    return std::all_of(of_blocks.begin(), of_blocks.end(), [](const char all) { return all != 0; });
  }

private:
  static double component(const double (&X)[3][8], const int k)
  {
    return X[k / 8][k % 8];
  }

  const ElementMesh &mesh_;
  double first_[3][8];
  int longest_ = 0; ///< component of a vertex that determines the size best
};
} // namespace

bool are_similar_elements(const ElementMesh &mesh)
{
  return mesh.n_elements > 0 && mesh.type == ElementType() &&
         (are_equal_elements(mesh) || ElementsLikeTheFirst(mesh).has_all());
}

std::optional<std::vector<double>> sizes_of_similar_elements(const ElementMesh &mesh)
{
  if (mesh.n_elements == 0 || mesh.type != ElementType())
    return {};
  if (are_equal_elements(mesh))
    return std::vector<double>();
  const ElementsLikeTheFirst like_the_first(mesh);
  if (!like_the_first.has_all())
    return {};
  const int n_threads       = cpu::default_n_threads();
  std::vector<double> sizes = cpu::filled_vector<double>(n_threads, mesh.n_elements);
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    sizes[e] = like_the_first.size(e);
  });
  return sizes;
}

std::vector<std::uint8_t> affine_elements(const ElementMesh &mesh)
{
  const int n_threads              = cpu::default_n_threads();
  std::vector<std::uint8_t> affine = cpu::filled_vector<std::uint8_t>(n_threads, mesh.n_elements);
  if (mesh.type != ElementType())
    return affine;
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    affine[e] = is_affine(mesh, e) ? 1 : 0;
  });
  return affine;
}
} // namespace strut
