// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The program `strut-compare`: every operator on the structure of a deck, side by side.

#include "plugin/programs/program.h"

int main(int argc, char **argv)
{
  return strut::plugin::compare_main(argc, argv);
}
