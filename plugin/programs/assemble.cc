// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The program `strut-assemble`: times and memory of the generation of assembled matrices.

#include "plugin/programs/program.h"

int main(int argc, char **argv)
{
  return strut::plugin::assemble_main(argc, argv);
}
