// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/device_work.hpp>

namespace ridge::backends::trace_chrome_json {

struct copy_ends {
  trace::copy_kind kind = trace::copy_kind::unknown;
  trace::memory_kind source = trace::memory_kind::unknown, destination = trace::memory_kind::unknown;
  friend bool operator==(const copy_ends&, const copy_ends&) = default;
};

// Returns what the name of a copy says: "Memcpy HtoD (Pageable -> Device)", HIP's "CopyHostToDevice".
[[nodiscard]] copy_ends copy_ends_of(std::string_view name);

}  // namespace ridge::backends::trace_chrome_json
