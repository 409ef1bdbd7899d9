// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/base/choose_backend.h"

namespace strut::plugin
{
/// The backend that the deck asks for, see choose_backend(). Collective.
/// @throws EntryError if the deck asks for a GPU and there is none
ChosenBackend
make_backend(const std::string &name, unsigned int n_threads, const Communicator &communicator);
} // namespace strut::plugin
