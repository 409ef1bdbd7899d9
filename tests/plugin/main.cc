// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

int main(int argc, char *argv[])
{
  testing::InitGoogleTest(&argc, argv);
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, /*max_num_threads*/ 1);
  return RUN_ALL_TESTS();
}
