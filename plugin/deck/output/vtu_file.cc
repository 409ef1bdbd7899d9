// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/vtu_file.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "plugin/base/attempt.h"
#include "plugin/base/scratch_file.h"
#include "plugin/base/shared_file.h"
#include "plugin/deck/output/vtu_head.h"

namespace strut::plugin
{
namespace
{
constexpr std::uint8_t vtk_hexahedron  = 12;
constexpr std::string_view end_of_file = "\n</AppendedData>\n</VTKFile>\n";

/// Bytes that are copied at a time.
constexpr std::uint64_t piece_size = std::uint64_t(1) << 20;

/// The data of a mesh that follow from its numbers of cells.
std::vector<VtuArray> arrays_of_cells(const VtuContents &contents)
{
  const std::uint64_t first = contents.first_cell;
  const std::size_t n       = contents.n_own_cells;
  const auto end_of_cell    = [first](const std::size_t cell) { return 8 * (first + cell + 1); };
  VtuArray offsets          = 8 * contents.n_cells <= std::numeric_limits<std::int32_t>::max()
                                ? make_vtu_array<std::int32_t>("offsets", 1, n, end_of_cell)
                                : make_vtu_array<std::int64_t>("offsets", 1, n, end_of_cell);
  offsets.bytes.has_equal_steps = true;
  return {std::move(offsets),
          make_vtu_array<std::uint8_t>("types", 1, n, [](std::size_t) { return vtk_hexahedron; })};
}

/// A VTU file on its way to the disk. An array in it, as VTK reads it: number of blocks, their size, that
/// of the last one if it is shorter, their sizes after compression; then the blocks.
///
/// Where a block belongs is known when all before it are compressed. One rank alone writes them one
/// behind the other; each of several ranks keeps its own in a scratch file until all know of all.
class UnfinishedVtu
{
public:
  UnfinishedVtu(const Communicator &communicator,
                const std::string &file_name,
                VtuContents contents,
                const int n_threads)
    : communicator_(communicator), n_threads_(n_threads), file_(communicator, file_name)
  {
    std::vector<VtuArray> of_cells        = arrays_of_cells(contents);
    std::vector<const VtuArray *> of_mesh = {&contents.points, &contents.connectivity};
    for (const VtuArray &array : of_cells)
      of_mesh.push_back(&array);
    head_ = std::make_unique<VtuHead>(contents, of_mesh);

    std::vector<ByteSource> sources = {std::move(contents.points.bytes),
                                       std::move(contents.connectivity.bytes)};
    for (std::vector<VtuArray> *const arrays :
         {&of_cells, &contents.point_data, &contents.cell_data})
      for (VtuArray &array : *arrays)
        sources.push_back(std::move(array.bytes));
    arrays_ = CompressedBytes::of(communicator.mpi(), std::move(sources));
    if (!alone())
      attempt_together(communicator_, [&] {
        scratch_ = std::make_unique<ScratchFile>(file_name, communicator.rank());
      });
  }

  /// Compress this rank's blocks.
  void compress()
  {
    std::uint64_t place = alone() ? head_->size() : 0;
    const auto take     = [this](const std::uint64_t begin, const std::string_view block) {
      if (alone())
        file_.write_at(begin, block);
      else
        scratch_->write_at(begin, block);
    };
    for (CompressedBytes &array : arrays_)
      {
        if (alone())
          place += size_before_blocks(array);
        sizes_.push_back(array.write(n_threads_, place, take));
        array.forget_bytes();
        n_own_.push_back(std::accumulate(sizes_.back().begin(), sizes_.back().end(), 0ULL));
        place += n_own_.back();
      }
    n_of_ranks_ = n_own_;
  }

  /// Tell the others how large this rank's parts are. Collective.
  void exchange_sizes()
  {
    const int n = static_cast<int>(n_own_.size());
    n_of_ranks_.resize(n_own_.size() * static_cast<std::size_t>(communicator_.size()));
    MPI_Allgather(
      n_own_.data(), n, MPI_UINT64_T, n_of_ranks_.data(), n, MPI_UINT64_T, communicator_.mpi());
  }

  /// Write this rank's parts; rank 0 writes the text, too.
  void arrange()
  {
    const bool is_root = communicator_.rank() == 0;
    std::vector<std::uint64_t> offsets; // they count from the first array
    std::uint64_t place = head_->size(), own_place = 0;
    for (std::size_t i = 0; i < arrays_.size(); ++i)
      {
        const CompressedBytes &array = arrays_[i];
        offsets.push_back(place - head_->size());
        if (is_root)
          write_numbers(place,
                        {array.n_blocks(),
                         CompressedBytes::block_size,
                         array.n_bytes() % CompressedBytes::block_size});
        write_numbers(place + (3 + array.first_block()) * sizeof(std::uint64_t), sizes_[i]);
        place += size_before_blocks(array);
        for (int rank = 0; rank < communicator_.size(); ++rank)
          {
            if (rank == communicator_.rank() && !alone())
              copy(own_place, place, n_own_[i]);
            place += n_of_ranks_[static_cast<std::size_t>(rank) * arrays_.size() + i];
          }
        own_place += n_own_[i];
      }
    if (is_root)
      {
        file_.write_at(0, head_->with_offsets(offsets));
        file_.write_at(place, end_of_file);
      }
    scratch_.reset();
    file_.finish();
  }

  /// On rank 0.
  void commit()
  {
    file_.commit();
  }

private:
  bool alone() const
  {
    return communicator_.size() == 1;
  }

  static std::uint64_t size_before_blocks(const CompressedBytes &array)
  {
    return (3 + array.n_blocks()) * sizeof(std::uint64_t);
  }

  void write_numbers(const std::uint64_t place, const std::vector<std::uint64_t> &numbers)
  {
    file_.write_at(place,
                   {reinterpret_cast<const char *>(numbers.data()),
                    numbers.size() * sizeof(numbers[0])});
  }

  /// From the scratch file.
  void copy(std::uint64_t from, std::uint64_t to, std::uint64_t n)
  {
    std::string piece;
    for (; n > 0; n -= piece.size(), from += piece.size(), to += piece.size())
      {
        piece.resize(std::min(n, piece_size));
        scratch_->read_at(from, piece.data(), piece.size());
        file_.write_at(to, piece);
      }
  }

  const Communicator communicator_;
  const int n_threads_;
  std::unique_ptr<VtuHead> head_;
  std::vector<CompressedBytes> arrays_;
  SharedFile file_;
  std::unique_ptr<ScratchFile> scratch_; ///< of several ranks

  std::vector<std::vector<std::uint64_t>> sizes_; ///< of this rank's blocks, by array
  std::vector<std::uint64_t> n_own_;              ///< their sums
  std::vector<std::uint64_t> n_of_ranks_;         ///< those of all ranks, rank by rank
};
} // namespace

BackgroundSteps::Steps vtu_steps(const Communicator &communicator,
                                 const std::string &file_name,
                                 VtuContents contents,
                                 const int n_threads,
                                 std::function<void()> afterwards)
{
  const auto file =
    std::make_shared<UnfinishedVtu>(communicator, file_name, std::move(contents), n_threads);
  const auto commit = [file, communicator, afterwards = std::move(afterwards)] {
    on_root(communicator, [&] {
      file->commit();
      afterwards();
    });
  };
  if (communicator.size() == 1)
    return {{[file] {
               file->compress();
               file->arrange();
             },
             commit}};
  return {{[file] { file->compress(); }, [file] { file->exchange_sizes(); }},
          {[file] { file->arrange(); }, commit}};
}
} // namespace strut::plugin
