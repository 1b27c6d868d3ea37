// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/trace/importer.hpp>

namespace ridge::trace_c {

// Returns the readers of this build: the list is generated from the folders of backends/trace.
[[nodiscard]] std::span<const trace::importer* const> readers();

}  // namespace ridge::trace_c
