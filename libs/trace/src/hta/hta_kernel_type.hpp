// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/hta_semantics.hpp>

namespace ridge::trace {

// Returns the type that HTA gives a name by its patterns (hta/common/types.py).
[[nodiscard]] hta_kernel_type hta_type_of(std::string_view name);
[[nodiscard]] std::string_view name(hta_kernel_type t);  // "COMPUTATION"

// Returns HTA's name of a copy: "Memcpy DtoH", "Memset", "Memcpy Unknown".
[[nodiscard]] std::string_view hta_copy_name(std::string_view name);

}  // namespace ridge::trace
