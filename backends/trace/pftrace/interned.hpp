// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ridge::backends::trace_pftrace {

// What a packet sequence gave numbers to; each kind numbers on its own.
enum class interned_kind : std::uint8_t {
  category,
  event_name,
  annotation_name,
  annotation_text,
  stage,  // stages and queues of a GPU
  context,
  kernel,
  argument_name,
};
inline constexpr std::size_t interned_kinds = 8;

// A name, or what else an entry keeps: the process of a context.
struct interned_entry {
  std::string text{};
  std::int32_t process = 0;  // of a context
};

// The numbers of one packet sequence.
class interned_data {
 public:
  // Adds the entries of an InternedData message.
  void add(std::string_view message);
  void clear();
  // Returns an entry; nullptr for an unknown number.
  [[nodiscard]] const interned_entry* find(interned_kind kind, std::uint64_t number) const;
  // Returns the text of an entry; "" for an unknown number.
  [[nodiscard]] std::string_view text(interned_kind kind, std::uint64_t number) const;

 private:
  std::array<std::unordered_map<std::uint64_t, interned_entry>, interned_kinds> tables_{};
};

}  // namespace ridge::backends::trace_pftrace
