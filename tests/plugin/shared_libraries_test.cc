// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "tests/plugin/in_empty_directory.h"

#include "plugin/deck/parameters/shared_libraries.h"

#include <strut/backend/backend.h>
#include <strut/load.h>
#include <strut/optimization/maps/design_map.h>
#include <strut/optimization/responses/response.h>

#include "tests/fixtures/function_of_design.h"
#include "tests/operators/applied.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>

namespace strut
{
namespace
{
template <typename List>
bool has(const List &list, const std::string &name)
{
  return std::any_of(list.begin(), list.end(), [&](const auto &entry) {
    return entry.name == name;
  });
}

class SharedLibraries : public InEmptyDirectory
{
protected:
  static void load(const std::string &names)
  {
    write("folder/deck.prm", "set Additional shared libraries = " + names + "\n");
    load_shared_libraries(Deck::read("folder/deck.prm"));
  }
};

// Names are relative to the folder of the deck. A library that is named again, by any path, is
// loaded once.
TEST_F(SharedLibraries, RegisterWhatTheyHoldOnce)
{
  const std::string libraries = STRUT_TEST_LIBRARIES;
  std::filesystem::create_directories("folder");
  std::filesystem::create_symlink(libraries + "/libeverything.so", "folder/lib.so");
  load("");
  EXPECT_FALSE(has(design_maps(), "my map"));
  load(" ./lib.so ,, lib.so, " + libraries + "/libeverything.so");
  load("lib.so");
  EXPECT_TRUE(has(cpu_strategies<double>(), "my operator"));
  EXPECT_TRUE(has(cpu_strategies<float>(), "my operator"));
  EXPECT_EQ(has(cuda_strategies<double>(), "my operator"), cuda_compiled());
  EXPECT_EQ(has(cuda_strategies<float>(), "my operator"), cuda_compiled());
  EXPECT_TRUE(has(design_maps(), "my map"));
  EXPECT_TRUE(has(responses(), "my work"));
  EXPECT_TRUE(has(responses(), "my squares"));
  EXPECT_TRUE(has(load_types(), "my weight"));
}

// The derivative that the example computes is that of its value.
TEST_F(SharedLibraries, ResponseOfTheExampleHasTheRightGradient)
{
  load(std::string(STRUT_TEST_LIBRARIES) + "/libdam.so");
  EXPECT_TRUE(has(load_types(), "hydrostatic pressure"));
  strut::test::BoxMesh box = strut::test::make_box(strut::test::BoxOptions::wild({{3, 3, 2}}, 8));
  strut::test::hold_left_face(box);
  const auto backend  = make_cpu_backend(1);
  const auto response = make_response("sway", {*backend, Communicator(), box.mesh});
  strut::test::expect_gradient_equals_differences(
    *backend, box, {{"down", 1., strut::test::edge_load(box)}}, {3., 1e-3}, *response);
}

// Its operator, written with installed headers only, equals the assembled matrix, also with so many
// elements that several threads work.
TEST_F(SharedLibraries, OperatorOfTheExampleEqualsTheAssembledMatrix)
{
  load(std::string(STRUT_TEST_LIBRARIES) + "/libdam.so");
  for (const unsigned int n_threads : {1u, 3u})
    for (const std::array<std::size_t, 3> n :
         {std::array<std::size_t, 3>{{2, 1, 1}}, std::array<std::size_t, 3>{{9, 7, 5}}})
      {
        const strut::test::BoxMesh box =
          strut::test::make_box(strut::test::BoxOptions::wild(n, 4 + n_threads));
        const auto E = strut::test::random_factors(box.mesh, 14);
        const auto x = strut::test::random_vector<double>(box.mesh.n_dofs(), 24);
        const strut::test::ReferenceStiffness reference(box.mesh, {}, E);
        const auto backend = make_cpu_backend(n_threads);
        strut::test::Applied<double> K(*backend, "plain", box.mesh, {}, E);
        EXPECT_LE(strut::test::relative_difference(K.apply(x), reference.apply(x)), 1e-13);
        EXPECT_LE(strut::test::relative_difference(K.diagonal(), reference.diagonal()), 1e-13);
        EXPECT_LE(strut::test::relative_difference(K.energies(x), reference.energies(x)), 1e-13);
        EXPECT_EQ(K.apply(x), K.apply(x)); // the bits
      }
}

TEST(LibraryOfStrut, StaysWhereItIsAsItsThreadsDo)
{
  Dl_info info{};
  void *loaded = nullptr;
  void *inside = reinterpret_cast<void *>(&make_cpu_backend);
  ASSERT_NE(dladdr1(inside, &info, &loaded, RTLD_DL_LINKMAP), 0);
  ASSERT_TRUE(contains(info.dli_fname, "libstrut"));
  bool stays = false; // prevents dlclose() from unloading it
  for (const auto *entry = static_cast<const link_map *>(loaded)->l_ld; entry->d_tag != DT_NULL;
       ++entry)
    stays = stays || (entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_NODELETE) != 0);
  EXPECT_TRUE(stays);
}
} // namespace
} // namespace strut
