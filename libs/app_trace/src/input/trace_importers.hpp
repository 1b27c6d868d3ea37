// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/trace/importer.hpp>

namespace ridge::app_trace {

// Returns the importers of all formats that this program reads.
[[nodiscard]] std::span<const trace::importer* const> trace_importers();

}  // namespace ridge::app_trace
