// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/vtu_file.h"

#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "source/base/text_stream.h"
#include "source/element/elements.h"

namespace strut
{
vtu::Cell vtu::cell_of(const ElementType &type)
{
  return with_element(type, [](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    Cell cell{Element::vtk_type, {}};
    for (int k = 0; k < Element::n_nodes; ++k)
      cell.nodes.push_back(static_cast<std::size_t>(Element::vtk_node(k)));
    return cell;
  });
}

namespace
{
constexpr std::string_view end_of_file = "\n</AppendedData>\n</VTKFile>\n";

/// Points, connectivity, and the arrays that depend only on the numbers of cells.
std::vector<VtuArray> arrays_of_mesh(const VtuContents &contents)
{
  const std::uint64_t first   = contents.first_cell;
  const std::size_t n         = contents.n_own_cells;
  const std::uint64_t n_nodes = contents.type.n_nodes;
  const int vtk_type          = vtu::cell_of(contents.type).number;
  const auto end_of_cell = [=](const std::size_t cell) { return n_nodes * (first + cell + 1); };
  return {contents.points,
          contents.connectivity,
          n_nodes * contents.n_cells <= std::numeric_limits<std::int32_t>::max()
            ? make_vtu_array<std::int32_t>("offsets", 1, n, end_of_cell)
            : make_vtu_array<std::int64_t>("offsets", 1, n, end_of_cell),
          make_vtu_array<std::uint8_t>("types", 1, n, [vtk_type](std::size_t) {
            return vtk_type;
          })};
}

/// @param arrays  keep their names
void move_sources(std::vector<VtuArray> &arrays, std::vector<ByteSource> &sources)
{
  for (VtuArray &array : arrays)
    sources.push_back(std::move(array.bytes));
}

/// Bytes for ` offset="..."` of any 64-bit number.
constexpr std::size_t offset_room = 32;

/// Reduces a text to one line of characters that XML allows in a comment.
std::string for_comment(std::string text)
{
  for (std::size_t i = 0; i < text.size(); ++i)
    {
      const auto c = static_cast<unsigned char>(text[i]);
      if (c < 32 || c > 126)
        text[i] = '?';
      else if (c == '-' && i > 0 && text[i - 1] == '-')
        text[i] = '_';
    }
  return text;
}

/// The XML of a VTU file before its data, with space for the offsets of the arrays.
class VtuHead
{
public:
  /// @param mesh_arrays  points, connectivity, and the other arrays of the cells
  VtuHead(const VtuContents &contents, const std::vector<VtuArray> &mesh_arrays)
  {
    stream_.precision(17); // reproduces the same double
    stream_ << "<?xml version=\"1.0\"?>\n<!--\n";
    for (const std::string &remark : contents.remarks)
      stream_ << for_comment(remark) << '\n';
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    stream_ << "-->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\""
            << (little ? "LittleEndian" : "BigEndian")
            << "\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
            << "<UnstructuredGrid>\n<FieldData>\n";
    // Readers accept no other numbers.
    for (const auto &[name, number] : contents.numbers)
      if (std::isfinite(number))
        stream_ << "<DataArray type=\"Float64\" Name=\"" << name
                << "\" NumberOfTuples=\"1\" format=\"ascii\">" << number << "</DataArray>\n";
    stream_ << "</FieldData>\n<Piece NumberOfPoints=\"" << contents.n_points
            << "\" NumberOfCells=\"" << contents.n_cells << "\">\n";
    stream_ << "<Points>\n";
    add(mesh_arrays[0]);
    stream_ << "</Points>\n<Cells>\n";
    for (std::size_t i = 1; i < mesh_arrays.size(); ++i)
      add(mesh_arrays[i]);
    stream_ << "</Cells>\n<PointData";
    mark_defaults(contents.point_data);
    for (const VtuArray &array : contents.point_data)
      add(array);
    stream_ << "</PointData>\n<CellData";
    mark_defaults(contents.cell_data);
    for (const VtuArray &array : contents.cell_data)
      add(array);
    stream_ << "</CellData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
    text_ = stream_.str();
  }

  std::uint64_t size() const
  {
    return text_.size();
  }

  /// Returns the text with the offsets of the arrays, in the order: mesh, points, cells.
  std::string with_offsets(const std::vector<std::uint64_t> &offsets) const
  {
    std::string text = text_;
    for (std::size_t i = 0; i < places_.size(); ++i)
      {
        const std::string offset = " offset=\"" + std::to_string(offsets[i]) + '"';
        text.replace(places_[i], offset.size(), offset);
      }
    return text;
  }

private:
  /// Marks the arrays that readers show by default: the first scalar and the first vector in
  /// floats.
  void mark_defaults(const std::vector<VtuArray> &arrays)
  {
    const auto mark = [&](const char *const attribute, const unsigned int n_components) {
      for (const VtuArray &array : arrays)
        if (array.n_components == n_components && array.type == vtu::type_name<float>())
          {
            stream_ << ' ' << attribute << "=\"" << array.name << '"';
            return;
          }
    };
    mark("Scalars", 1);
    mark("Vectors", 3);
    stream_ << ">\n";
  }

  void add(const VtuArray &array)
  {
    stream_ << "<DataArray type=\"" << array.type << "\" Name=\"" << array.name
            << "\" NumberOfComponents=\"" << array.n_components << "\" format=\"appended\"";
    places_.push_back(static_cast<std::uint64_t>(stream_.tellp()));
    stream_ << std::string(offset_room, ' ') << "/>\n";
  }

  TextStream stream_;
  std::string text_;
  std::vector<std::uint64_t> places_; ///< positions of the offsets
};

/// A VTU file that is being written.
class UnfinishedVtu
{
public:
  UnfinishedVtu(const Communicator &communicator,
                const std::string &file_name,
                VtuContents contents,
                const int n_threads)
    : communicator_(communicator)
    , n_threads_(n_threads)
    , before_(contents.compressed_mesh)
    , file_(communicator, file_name)
  {
    std::vector<VtuArray> of_mesh = arrays_of_mesh(contents);
    head_                         = std::make_unique<VtuHead>(contents, of_mesh);
    std::vector<ByteSource> sources;
    if (before_ == nullptr)
      move_sources(of_mesh, sources);
    move_sources(contents.point_data, sources);
    move_sources(contents.cell_data, sources);
    own_ = std::make_unique<CompressedArrays>(communicator,
                                              std::move(sources),
                                              alone() ? std::string() : file_name);
  }

  /// Compresses this rank's blocks.
  void compress()
  {
    if (alone())
      {
        std::uint64_t place = head_->size();
        for (std::size_t i = 0; before_ != nullptr && i < before_->size(); ++i)
          place += before_->room_before_blocks(i) + before_->n_own_bytes(i);
        own_->compress_to(file_, place, n_threads_);
      }
    else
      own_->compress(n_threads_);
    for (const CompressedArrays *const arrays : all_arrays())
      for (std::size_t i = 0; i < arrays->size(); ++i)
        n_own_.push_back(arrays->n_own_bytes(i));
    n_of_ranks_ = n_own_;
  }

  /// Exchanges the sizes of the ranks' parts. Collective.
  void exchange_sizes()
  {
    const int n = static_cast<int>(n_own_.size());
    n_of_ranks_.resize(n_own_.size() * static_cast<std::size_t>(communicator_.size()));
    MPI_Allgather(
      n_own_.data(), n, MPI_UINT64_T, n_of_ranks_.data(), n, MPI_UINT64_T, communicator_.mpi());
  }

  /// Writes this rank's parts; rank 0 also writes the text.
  void arrange()
  {
    const bool is_root = communicator_.rank() == 0;
    std::vector<std::uint64_t> offsets; // relative to the first array
    std::uint64_t place = head_->size();
    for (const CompressedArrays *const arrays : all_arrays())
      for (std::size_t i = 0; i < arrays->size(); ++i)
        {
          const CompressedBytes &array = (*arrays)[i];
          const std::size_t number     = offsets.size();
          offsets.push_back(place - head_->size());
          if (is_root)
            write_numbers(place,
                          {array.n_blocks(),
                           CompressedBytes::block_size,
                           array.n_bytes() % CompressedBytes::block_size});
          write_numbers(place + (3 + array.first_block()) * sizeof(std::uint64_t),
                        arrays->block_sizes(i));
          place += arrays->room_before_blocks(i);
          for (int rank = 0; rank < communicator_.size(); ++rank)
            {
              if (rank == communicator_.rank() && arrays->has_scratch_file())
                arrays->copy_blocks(i, file_, place, n_threads_);
              place += n_of_ranks_[static_cast<std::size_t>(rank) * n_own_.size() + number];
            }
        }
    if (is_root)
      {
        file_.write_at(0, head_->with_offsets(offsets));
        file_.write_at(place, end_of_file);
      }
    own_.reset(); // with its scratch file
    file_.finish();
  }

  /// Renames the finished file; to be called on rank 0.
  void commit()
  {
    file_.commit();
  }

private:
  bool alone() const
  {
    return communicator_.size() == 1;
  }

  /// All arrays in their order in the file.
  std::vector<const CompressedArrays *> all_arrays() const
  {
    if (before_ == nullptr)
      return {own_.get()};
    return {before_.get(), own_.get()};
  }

  void write_numbers(const std::uint64_t place, const std::vector<std::uint64_t> &numbers)
  {
    file_.write_at(place,
                   {reinterpret_cast<const char *>(numbers.data()),
                    numbers.size() * sizeof(numbers[0])});
  }

  const Communicator communicator_;
  const int n_threads_;
  std::unique_ptr<VtuHead> head_;
  /// Arrays of the mesh, if they were compressed before.
  std::shared_ptr<const CompressedArrays> before_;
  SharedFile file_;
  std::unique_ptr<CompressedArrays> own_; ///< all other arrays
  std::vector<std::uint64_t> n_own_;      ///< bytes of this rank's blocks, by array
  std::vector<std::uint64_t> n_of_ranks_; ///< bytes of all ranks, rank by rank
};
} // namespace

std::shared_ptr<CompressedArrays> compressed_mesh(const Communicator &communicator,
                                                  const VtuContents &contents,
                                                  const std::string &file_name)
{
  std::vector<ByteSource> sources;
  std::vector<VtuArray> of_mesh = arrays_of_mesh(contents);
  move_sources(of_mesh, sources);
  return std::make_shared<CompressedArrays>(communicator, std::move(sources), file_name);
}

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
} // namespace strut
