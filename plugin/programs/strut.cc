// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The program `strut`: topology optimization from a parameter file.

#include "plugin/programs/program.h"

int main(int argc, char **argv)
{
  return strut::plugin::strut_main(argc, argv);
}
