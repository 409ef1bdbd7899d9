// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The main() of each program: STRUT_PROGRAM is the program's function.

#include "plugin/programs/program.h"

int main(int argc, char **argv)
{
  return strut::STRUT_PROGRAM(argc, argv);
}
