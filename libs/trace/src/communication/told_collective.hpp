// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include <ridge/trace/communication_names.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What a trace records of one communication: by its collective, else by its operator, else by its name.
struct told_collective {
  std::string operation{};
  std::string group{}, ranks{}, dtype{};
  collective_kind kind = collective_kind::unknown;
  bool by_framework = false;  // the operation is the framework's word, not a kernel's name
  std::int64_t sequence = -1;
  std::uint32_t group_size = 0;
  std::optional<std::int64_t> bytes{};
  friend auto operator<=>(const told_collective&, const told_collective&) = default;
};

[[nodiscard]] told_collective told_of(const trace& t, const device_work& w, const communication_names& names);

}  // namespace ridge::trace
