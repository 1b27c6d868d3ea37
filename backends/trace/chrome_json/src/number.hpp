// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {

// The decimal `text` times ten to `power`, exactly, half to even where that is no integer. nullopt: no
// number, or more than 64 bits hold.
[[nodiscard]] std::optional<std::int64_t> scaled_integer(std::string_view text, int power);

// A value that should be a number, or a text that holds one. What is none (null, true, a list, NaN) is
// skipped and leaves `into` as it is.
const char* read_time(const char* at, json_text& in, std::optional<std::int64_t>& into);  // us -> ns
const char* read_integer(const char* at, json_text& in, std::optional<std::int64_t>& into);
const char* read_real(const char* at, json_text& in, std::optional<double>& into);

}  // namespace ridge::backends::trace_chrome_json
