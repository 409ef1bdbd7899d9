// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/gmsh_binary.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/line_reader.h"
#include "source/base/parallel_loop.h"

namespace strut
{
namespace
{
template <typename Number>
void append(std::string &text, const Number number, const char end = ' ')
{
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
  text += end;
}

/// The number at a place that need not be aligned.
template <typename Number>
Number number_at(const char *const bytes)
{
  Number number;
  std::memcpy(&number, bytes, sizeof(number));
  return number;
}

using Int  = std::int32_t;
using Size = std::uint64_t; ///< Gmsh's size_t, of the data size 8

class Writer
{
public:
  explicit Writer(const std::string &bytes) : bytes_(bytes)
  {}

  std::string text()
  {
    while (position_ < bytes_.size())
      {
        const std::string_view line = next_line();
        if (line.empty())
          continue;
        text_.append(line) += '\n';
        if (line.front() == '$')
          section_ = line.substr(1);
        if (section_ == "MeshFormat")
          format();
        else if (section_ == "Nodes" || section_ == "Elements")
          is_4_ ? blocks(section_ == "Nodes") : section_ == "Nodes" ? nodes_2() : elements_2();
        else if (section_ == "Entities")
          entities();
        else if (section_ == "ParametricNodes")
          fail(
            "nodes have parameters; write the file as text, or without them (in Gmsh: without -bin, "
            "or Mesh.SaveParametric = 0)");
        else if (line.front() == '$' && section_.rfind("End", 0) != 0 && section_ != "Comments" &&
                 section_ != "PhysicalNames")
          skip();
      }
    return std::move(text_);
  }

private:
  [[noreturn]] void fail(const std::string &reason) const
  {
    throw MeshFileError("$" + std::string(section_) + " at byte " + std::to_string(position_) +
                        ": " + reason);
  }

  /// Goes behind n values of some bytes each. @return where they begin
  const char *take(const Size n, const Size size)
  {
    if (n > (bytes_.size() - position_) / size)
      fail("the file ends before " + std::to_string(n) + " values of " + std::to_string(size) +
           " bytes; it is cut off");
    const char *const begin = bytes_.data() + position_;
    position_ += n * size;
    return begin;
  }

  template <typename Number>
  Number take()
  {
    return number_at<Number>(take(1, sizeof(Number)));
  }

  /// Goes behind the end of the line. @return the line without white space around it
  std::string_view next_line()
  {
    const std::size_t begin = position_, end = std::min(bytes_.find('\n', begin), bytes_.size());
    position_ = std::min(end + 1, bytes_.size());
    return trim_view(std::string_view(bytes_).substr(begin, end - begin));
  }

  /// Appends n lines, which all threads write.
  /// @param write  write(i, text) appends line i to a text
  template <typename Write>
  void append_lines(const Size n, const Write &write)
  {
    constexpr std::size_t block_size = 1 << 14;
    std::vector<std::string> texts((n + block_size - 1) / block_size);
    cpu::parallel_blocks(cpu::default_n_threads(),
                         n,
                         block_size,
                         [&](const std::size_t first, const std::size_t last) {
                           for (std::size_t i = first; i < last; ++i)
                             write(i, texts[first / block_size]);
                         });
    for (const std::string &text : texts)
      text_ += text;
  }

  void format()
  {
    std::vector<std::string_view> words;
    split_words(next_line(), words);
    if (words.size() != 3 || words[2] != "8")
      fail("a version, the file type 1 and the data size 8 were to be here");
    is_4_ = words[0] == "4.1";
    text_.append(words[0]).append(" 0 8\n");
    if (!is_4_ && words[0].front() != '2') // read_gmsh() refuses it
      {
        position_ = bytes_.size();
        return;
      }
    if (take<Int>() != 1)
      fail("the file has the byte order of another machine; write it as text (in Gmsh: without "
           "-bin)");
    section_ = {};
  }

  void skip()
  {
    const std::string end   = "\n$End" + std::string(section_);
    const std::size_t found = bytes_.find(end, position_ - 1);
    if (found == std::string::npos)
      fail("the section never ends; the file is cut off");
    position_ = found + 1;
  }

  void entities()
  {
    Size n[4];
    for (Size &n_of_dimension : n)
      append(text_, n_of_dimension = take<Size>());
    text_.back() = '\n';
    for (int dim = 0; dim < 4; ++dim)
      for (Size i = 0; i < n[dim]; ++i)
        {
          append(text_, take<Int>());
          for (int d = 0; d < (dim == 0 ? 3 : 6); ++d)
            append(text_, take<double>());
          // Physical groups, then what bounds the entity
          for (int list = 0; list < (dim == 0 ? 1 : 2); ++list)
            {
              const Size n_tags      = take<Size>();
              const char *const tags = take(n_tags, sizeof(Int));
              append(text_, n_tags);
              for (Size t = 0; t < n_tags; ++t)
                append(text_, number_at<Int>(tags + t * sizeof(Int)));
            }
          text_.back() = '\n';
        }
    section_ = {};
  }

  /// Blocks of nodes or of elements of format 4.1.
  void blocks(const bool are_nodes)
  {
    const Size n_blocks = take<Size>();
    append(text_, n_blocks);
    for (int i = 0; i < 3; ++i)
      append(text_, take<Size>(), i < 2 ? ' ' : '\n');
    for (Size block = 0; block < n_blocks; ++block)
      {
        Int head[3]; // dimension, entity, and whether nodes have parameters or the type of elements
        for (Int &number : head)
          append(text_, number = take<Int>());
        const Size n = take<Size>();
        append(text_, n, '\n');
        if (are_nodes)
          {
            const Size width =
              3 + (head[2] == 0 ? 0 : static_cast<Size>(std::clamp(head[0], 0, 3)));
            const char *const tags = take(n, sizeof(Size)), *const points =
                                                              take(n, width * sizeof(double));
            append_lines(n, [=](const Size i, std::string &text) {
              append(text, number_at<Size>(tags + i * sizeof(Size)), '\n');
            });
            append_lines(n, [=](const Size i, std::string &text) {
              append_row<double>(text, points + i * width * sizeof(double), width);
            });
          }
        else
          {
            const Size width        = 1 + nodes_of(head[2]);
            const char *const begin = take(n, width * sizeof(Size));
            append_lines(n, [=](const Size i, std::string &text) {
              append_row<Size>(text, begin + i * width * sizeof(Size), width);
            });
          }
      }
    section_ = {};
  }

  /// Appends a line of numbers that lie one behind the other.
  template <typename Number>
  static void append_row(std::string &text, const char *const begin, const Size n)
  {
    for (Size i = 0; i < n; ++i)
      append(text, number_at<Number>(begin + i * sizeof(Number)));
    text.back() = '\n';
  }

  Size nodes_of(const Int type) const
  {
    const CellType *const known = type_of_gmsh(type);
    if (known == nullptr)
      fail("elements of type " + std::to_string(type) +
           ", and strut does not know how many nodes these have; write the file as text (in Gmsh: "
           "without -bin)");
    return known->n_nodes;
  }

  /// The number of nodes or elements of format 2, in a line of text.
  Size number_of_items()
  {
    const std::string_view line = next_line();
    long n                      = 0;
    if (!parse_integer(line, n) || n < 0)
      fail(quote(line) + " where the number of items was to be");
    append(text_, n, '\n');
    return static_cast<Size>(n);
  }

  void nodes_2()
  {
    constexpr Size size     = sizeof(Int) + 3 * sizeof(double);
    const Size n            = number_of_items();
    const char *const begin = take(n, size);
    append_lines(n, [=](const Size i, std::string &text) {
      append(text, number_at<Int>(begin + i * size));
      append_row<double>(text, begin + i * size + sizeof(Int), 3);
    });
    section_ = {};
  }

  void elements_2()
  {
    Size n = number_of_items();
    while (n > 0)
      {
        const Int type       = take<Int>();
        const Int n_in_block = take<Int>(), n_tags_in_block = take<Int>();
        const Size n_of_type = static_cast<Size>(n_in_block),
                   n_tags    = static_cast<Size>(n_tags_in_block);
        if (n_in_block < 1 || n_of_type > n || n_tags_in_block < 0 || n_tags > 1000)
          fail("a block of " + std::to_string(n_in_block) + " elements with " +
               std::to_string(n_tags_in_block) + " tags, where " + std::to_string(n) +
               " elements are left");
        const Size width        = 1 + n_tags + nodes_of(type);
        const char *const begin = take(n_of_type, width * sizeof(Int));
        append_lines(n_of_type, [=](const Size i, std::string &text) {
          const char *const row = begin + i * width * sizeof(Int);
          append(text, number_at<Int>(row));
          append(text, type);
          append(text, n_tags);
          append_row<Int>(text, row + sizeof(Int), width - 1);
        });
        n -= n_of_type;
      }
    section_ = {};
  }

  const std::string &bytes_;
  std::size_t position_ = 0;
  std::string_view section_; ///< name of the section; empty: it is read
  std::string text_;
  bool is_4_ = false;
};
} // namespace

bool is_binary_gmsh(const std::string &bytes)
{
  LineReader reader(bytes);
  return reader.next() && reader.line() == "$MeshFormat" && reader.next() &&
         reader.words().size() > 1 && reader.words()[1] == "1";
}

std::string gmsh_text(const std::string &bytes)
{
  return Writer(bytes).text();
}
} // namespace strut
