// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace ridge::backends::profile_perf_event {

using bytes = std::vector<std::byte>;

template <class T>
void put(bytes& output, T value) {
  const auto at = output.size();
  output.resize(at + sizeof value);
  std::memcpy(output.data() + at, &value, sizeof value);
}

// A text, NUL bytes up to the next multiple of eight behind it.
inline void put_text(bytes& output, std::string_view text) {
  for (const char c : text) put(output, c);
  do put(output, char{0});
  while (output.size() % 8 != 0);
}

// A record of the kernel around these fields.
inline bytes record(std::uint32_t type, std::uint16_t misc, const bytes& fields) {
  bytes made;
  put(made,
      perf_event_header{type, misc, static_cast<std::uint16_t>(sizeof(perf_event_header) + fields.size())});
  made.insert(made.end(), fields.begin(), fields.end());
  return made;
}

// The same with thread and time at its end.
inline bytes record(std::uint32_t type, std::uint16_t misc, bytes fields, std::int32_t process,
                    std::int32_t thread, std::uint64_t time_ns) {
  put(fields, process), put(fields, thread), put(fields, time_ns);
  return record(type, misc, fields);
}

}  // namespace ridge::backends::profile_perf_event
