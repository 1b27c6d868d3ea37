// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/device_work.hpp>

namespace ridge::trace {

// Between which memories a copy went.
struct copy_ends {
  copy_kind kind = copy_kind::unknown;
  memory_kind source = memory_kind::unknown, destination = memory_kind::unknown;
  friend bool operator==(const copy_ends&, const copy_ends&) = default;
};

// Returns what the name of a copy says: "Memcpy HtoD (Pageable -> Device)", HIP's "CopyHostToDevice", XLA's
// "MemcpyH2D".
[[nodiscard]] copy_ends copy_ends_of(std::string_view name);

// Returns the kind of memory that a word names, in any case: "Pageable", "pinned", "device_static"; unknown
// for others. HIP writes only "Host".
[[nodiscard]] memory_kind memory_kind_of(std::string_view word);

}  // namespace ridge::trace
