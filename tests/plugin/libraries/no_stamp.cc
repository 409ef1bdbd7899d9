// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// A shared library, but no plugin of strut.

extern "C" int answer();
int answer()
{
  return 42;
}
