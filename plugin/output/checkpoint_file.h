// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <string_view>

#include "plugin/output/checkpoint.h"
#include "plugin/output/checkpoint_format.h"

namespace strut::plugin
{
/// The contents of a checkpoint file: the fields of all ranks, by ascending key.
struct CheckpointFile
{
  checkpoint_format::MeshFingerprint mesh;
  CheckpointState state;
};

/// The same without the fields.
CheckpointFile small_parts_of(const CheckpointFile &file);

/// The whole file, and back. `file_name` is for messages. Throws Error that says what is wrong with
/// the file and what to do.
std::string to_bytes(const CheckpointFile &file);
CheckpointFile from_bytes(const std::string &file_name, std::string_view bytes);
CheckpointFile read_checkpoint_file(const std::string &file_name);

/// Throw Error that says how the meshes differ, if they do.
void compare_meshes(const std::string &file_name,
                    const checkpoint_format::MeshFingerprint &then,
                    const checkpoint_format::MeshFingerprint &now);
} // namespace strut::plugin
