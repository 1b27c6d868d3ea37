// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace ridge::trace::generator {

// Writes an invented trace in the JSON of rocprofv3: for ten records four launches, four kernels on two GPUs,
// a call and a copy, 307 bytes a record. Agents, texts and kernel symbols stand before the records, as
// rocprofv3 writes them.
void write_rocprof_text(std::uint64_t records, const std::function<void(std::string_view)>& sink);

}  // namespace ridge::trace::generator
