// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/shared_libraries.h"

#include <deal.II/base/utilities.h>

#include <strut/runtime_plugin.h>

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <vector>

#include "plugin/base/spelling.h"

namespace strut
{
namespace fs = std::filesystem;

namespace
{
[[noreturn]] void fail(const fs::path &file, const std::string &text)
{
  throw EntryError({}, shared_libraries_entry, "The library '" + file.string() + "' " + text);
}

[[noreturn]] void fail_missing(const fs::path &file)
{
  std::vector<std::string> libraries;
  std::error_code ignored;
  const fs::path folder = file.parent_path().empty() ? "." : file.parent_path();
  for (const auto &other : fs::directory_iterator(folder, ignored))
    if (other.path().extension() == ".so")
      libraries.push_back(other.path().filename().string());
  std::sort(libraries.begin(), libraries.end());
  fail(file,
       "does not exist. " +
         (!fs::is_directory(folder, ignored)
            ? "There is no folder '" + folder.string() + "' either."
          : libraries.empty() ? "There are no libraries (*.so) in its folder."
                              : "In its folder there are: " + join(libraries) + ".") +
         "\nNames are relative to the folder of the deck. Is it built?");
}

/// The build that a library was made for, from its stamp. The stamp is read from the file before
/// any of its code runs: a library of another build type would load a second deal.II.
std::string stamp_of(const fs::path &file)
{
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (bytes.compare(0, 4, "\177ELF") != 0)
    fail(file, "is no shared library: the file is of another format.");
  const std::string mark  = STRUT_STAMP_MARK;
  const std::size_t begin = bytes.find(mark);
  if (begin == std::string::npos)
    fail(file,
         "is no plugin of strut: it carries no stamp.\nEach has 'STRUT_PLUGIN(function)' from "
         "<strut/runtime_plugin.h> in one of its files.");
  const std::size_t end = bytes.find('\0', begin);
  return bytes.substr(begin + mark.size(), end - begin - mark.size());
}

std::string demangled(const std::string &symbol)
{
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text(
    abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : symbol;
}

/// Throws the error of dlopen() in words for users.
[[noreturn]] void fail_to_load(const fs::path &file, const std::string &message)
{
  const std::string symbol_mark = "undefined symbol: ", file_mark = ": cannot open shared object";
  if (const auto at = message.find(symbol_mark); at != std::string::npos)
    {
      const std::size_t begin = at + symbol_mark.size();
      const std::string symbol =
        message.substr(begin, message.find_first_of(" ,\n\t(", begin) - begin);
      fail(
        file,
        "lacks a symbol: it uses '" + demangled(symbol) +
          "', which neither it nor the libraries that it was linked with define.\nAdd the source "
          "file or the library that does to its CMakeLists.txt.");
    }
  if (const auto at = message.find(file_mark); at != std::string::npos)
    fail(file,
         "needs the library '" + message.substr(0, at) +
           "', which was not found.\nIs it installed? LD_LIBRARY_PATH may contain its folder.");
  fail(file, "cannot be loaded: " + message);
}

void load(const fs::path &file)
{
  static std::set<fs::path> loaded;
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    fail_missing(file);
  const fs::path whole_name = fs::canonical(file);
  if (loaded.count(whole_name) > 0)
    return;

  if (const std::string stamp = stamp_of(file); stamp != STRUT_STAMP)
    fail(file,
         "was built for another strut.\nIt was built for: " + stamp +
           "\nThis is:          " STRUT_STAMP
           "\nBuild it again with this one: cmake -Dstrut_DIR=... names its folder, see "
           "doc/extending.md.");
  // Loaded for the life of the program, because strut's lists refer to it.
  void *const library = dlopen(whole_name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    fail_to_load(file, dlerror());
  void *const function = dlsym(library, "strut_plugin_register");
  if (function == nullptr)
    fail(file, "is no plugin of strut: it has no function 'strut_plugin_register'.");
  try
    {
      reinterpret_cast<void (*)()>(function)();
    }
  catch (const std::exception &exception)
    {
      fail(file, std::string("fails to register what it holds:\n") + exception.what());
    }
  loaded.insert(whole_name);
}
} // namespace

void load_shared_libraries(const Deck &deck)
{
  std::string names;
  // The last one counts.
  for (const Deck::Entry &entry : deck.entries())
    if (entry.path.empty() && entry.name == shared_libraries_entry)
      names = entry.value;
  const fs::path folder = fs::path(deck.file_name()).parent_path();
  for (const std::string &name : dealii::Utilities::split_string_list(names))
    if (!name.empty())
      load((folder / name).lexically_normal());
}
} // namespace strut
