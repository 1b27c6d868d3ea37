// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/device_work.hpp>

namespace ridge::trace {

struct copy_ends {
  copy_kind kind = copy_kind::unknown;
  memory_kind source = memory_kind::unknown, destination = memory_kind::unknown;
};

// Returns what a copy's name says: "Memcpy HtoD (Pageable -> Device)", "CopyHostToDevice", "memcpy32_post".
[[nodiscard]] copy_ends copy_ends_of_name(std::string_view name);

// Returns what the copy's columns say, and its name where they do not.
[[nodiscard]] copy_ends copy_ends_of(const device_work& copy, const copy_ends& named);

}  // namespace ridge::trace
