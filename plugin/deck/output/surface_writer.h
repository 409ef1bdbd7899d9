// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <array>
#include <string>

#include "plugin/base/background_steps.h"
#include "plugin/deck/output/surface.h"

namespace strut
{
/// The triangles of this rank in the format of a binary STL file. Triangles with two vertices that
/// coincide in single precision are left out: their neighbours then meet.
/// @param origin  origin of the coordinates
std::string stl_records(const Surface &surface, const std::array<double, 3> &origin = {});

/// The steps that write the records of all ranks as one binary STL file, rank by rank, with a
/// temporary name until it is complete. Opens the file: collective. If that fails, or there are too
/// many triangles for the format, every rank throws the same Error.
BackgroundSteps::Steps
stl_steps(const Communicator &communicator, const std::string &file_name, std::string records);

/// A line for the log on a file with the surface of an empty design.
std::string note_on_empty_surface(const std::string &file_name, const EnclosingSurface &surface);
} // namespace strut
