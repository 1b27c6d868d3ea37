// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/trace_builder.hpp>

namespace ridge::backends::trace_rocprof_json {

// Adds what a whole document says to a builder; false where it is damaged or cut off. Records, which are
// nearly all of it, are read one by one from the text; only what explains them becomes a tree.
[[nodiscard]] bool read_document(std::string_view text, trace::trace_builder& builder);

}  // namespace ridge::backends::trace_rocprof_json
