// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/versions.h"

#include <deal.II/base/config.h>

#include <strut/version.h>

#include <mpi.h>

#include "strut_commit.h"

namespace strut
{
std::string strut_version()
{
  const std::string commit = STRUT_COMMIT;
  return std::string("strut ") + STRUT_VERSION + (commit.empty() ? "" : " (commit " + commit + ")");
}

std::string strut_commit()
{
  return STRUT_COMMIT;
}

std::string library_versions()
{
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(mpi, &length);
  std::string library(mpi, length);
  library = library.substr(0, library.find(','));
  return "deal.II " DEAL_II_PACKAGE_VERSION ", p4est " +
         std::to_string(DEAL_II_P4EST_VERSION_MAJOR) + "." +
         std::to_string(DEAL_II_P4EST_VERSION_MINOR) + ", " + library + ", g++ " __VERSION__;
}
} // namespace strut
