// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <gtest/gtest.h>
#include <mpi.h>

#if defined(__SANITIZE_ADDRESS__)
// No search for leaks where MPI ran: it keeps memory of plugins that it has unloaded, which no
// suppression can name.
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off()
{
  int initialised = 0;
  MPI_Initialized(&initialised);
  return initialised;
}
#endif

/// Runs the tests of the core in one process, or in several under mpirun (the suites `Parallel/`).
/// The latter's fixture initialises MPI (fixtures/mpi.h). Other suites do without it, and start
/// faster.
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
