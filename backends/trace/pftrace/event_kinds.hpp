// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/category.hpp>

#include "arguments.hpp"

namespace ridge::backends::trace_pftrace {

// Returns what an event is: by its category where one of PyTorch's or rocprofv3's names it, else by its
// arguments and its name.
[[nodiscard]] trace::category kind_of_event(std::string_view category, std::string_view name,
                                            const event_arguments& arguments);

// Returns what a stage of a GPU is that is called `stage` ("Kernel", "Memcpy", "Memset").
[[nodiscard]] trace::category kind_of_stage(std::string_view stage);

// Returns the number in brackets behind a word, as rocprofv3 names tracks: "COMPUTE AGENT [4] STREAM [2]
// (GPU)"; nullopt where there is none.
[[nodiscard]] std::optional<std::int64_t> bracketed(std::string_view name, std::string_view word);

// Returns the number at the end of a name: "Stream #7", "Channel 3"; nullopt where there is none.
[[nodiscard]] std::optional<std::int64_t> last_number(std::string_view name);

}  // namespace ridge::backends::trace_pftrace
