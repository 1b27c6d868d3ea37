// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/number_type.hpp>

namespace ridge::trace {

std::string_view name(number_type) { return {}; }

double bytes_of(number_type) { return 0; }

number_type number_type_of(std::string_view) { return number_type::unknown; }

}  // namespace ridge::trace
