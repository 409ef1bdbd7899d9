// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <gtest/gtest.h>
#include <mpi.h>

#if defined(__SANITIZE_ADDRESS__)
// What MPI keeps until the process ends is not ours.
extern "C" const char *__lsan_default_suppressions();
extern "C" const char *__lsan_default_suppressions()
{
  return "leak:libmpi\nleak:libopen-\nleak:libpmix\nleak:mca_\nleak:libhwloc\nleak:libevent\n"
         "leak:libdbus\nleak:libucp\nleak:libucs\nleak:libfabric\nleak:libcuda\n";
}
#endif

/// The tests of the core: one process by itself, or several under mpirun (the suites `Parallel/`).
/// The fixture of those initialises MPI (fixtures/mpi.h): the others need none, and start faster.
int main(int argc, char **argv)
{
  ::testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  int initialised  = 0;
  MPI_Initialized(&initialised);
  if (initialised)
    MPI_Finalize();
  return result;
}
