// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut::plugin
{
/// The most memory that this process has ever had resident, in bytes.
double peak_host_memory();
} // namespace strut::plugin
