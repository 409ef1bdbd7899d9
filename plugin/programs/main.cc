// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Each program: STRUT_PROGRAM is its function.

#include "plugin/programs/program.h"

int main(int argc, char **argv)
{
  return strut::plugin::STRUT_PROGRAM(argc, argv);
}
