// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/hta_semantics.hpp>

namespace ridge::trace {

// HTA's patterns (hta/common/types.py): what it takes a name for.
[[nodiscard]] hta_kernel_type hta_type_of(std::string_view name);
[[nodiscard]] std::string_view name(hta_kernel_type t);  // "COMPUTATION"

// "Memcpy DtoH", "Memset", "Memcpy Unknown".
[[nodiscard]] std::string_view hta_copy_name(std::string_view name);

}  // namespace ridge::trace
