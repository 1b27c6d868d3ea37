// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <ridge/trace/communication_names.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What device work is for. Fills count as compute in a partition (see device_partition).
enum class work_class : std::uint8_t { compute, communication, copy, fill };

// Returns the class's name, as reports print it.
[[nodiscard]] std::string_view name(work_class c);

// Returns one class for each of t.works, in their order.
[[nodiscard]] std::vector<work_class> classes_of(const trace& t, const communication_names& names);

}  // namespace ridge::trace
