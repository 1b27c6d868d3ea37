// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What a call waits for, as its name says.
enum class call_role : std::uint8_t { plain, device_sync, stream_sync, event_sync, blocking_copy };

// Returns whether a call only waits; a blocking copy also copies.
[[nodiscard]] constexpr bool waits_for_work(call_role r) {
  return r != call_role::plain && r != call_role::blocking_copy;
}
[[nodiscard]] call_role role_of_call(std::string_view name);
[[nodiscard]] bool names_data_loader(std::string_view name);

// The same by name_id; each name is examined once.
class host_names {
 public:
  explicit host_names(const name_table& names) : names_(names), known_(names.size(), 0) {}
  [[nodiscard]] call_role role(name_id id) { return static_cast<call_role>(facts(id) & 15U); }
  [[nodiscard]] bool loads_data(name_id id) { return (facts(id) & 64U) != 0; }

 private:
  std::uint8_t facts(name_id id) {
    if (known_[id] == 0) {
      const auto text = names_[id];
      known_[id] = static_cast<std::uint8_t>(128U | (names_data_loader(text) ? 64U : 0U) |
                                             static_cast<unsigned>(role_of_call(text)));
    }
    return known_[id];
  }
  name_table names_;
  std::vector<std::uint8_t> known_;
};

}  // namespace ridge::trace
