// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ridge::trace {

// What was wrong with the input, or had to be mended to read it.
enum class flaw : std::uint8_t {
  truncated,          // the file ends before its format does; `offset` is where
  unreadable_event,   // an event was skipped
  unmatched_begin,    // a B without its E, ended by its track's last event
  unmatched_end,      // an E without its B, dropped
  missing_duration,   // a complete event without dur, taken as zero
  negative_duration,  // taken as zero
  control_character,  // raw control characters inside a text
  non_finite_number,  // NaN or Infinity, read as absent
  bad_text,           // broken escapes or UTF-8, kept as replacement characters
  foreign_clock,      // device work outside the window of all host events by over a second: left out of works
  launched_after_start,  // device work that begins before its launch does: delays are clamped to zero
  overflowing_duration,  // device work that covers more than five successors in its own stream
  dropped_records,       // the profiler says that it lost records
  opaque_graphs,         // graph launches whose kernels the profiler did not record one by one
  over_limit,            // memory or expansion limit reached: the rest was not read
  trailing_bytes,        // bytes after the end of the document
  unknown_field,         // a column or table that this version does not know
};
inline constexpr int flaw_count = static_cast<int>(flaw::unknown_field) + 1;

[[nodiscard]] std::string_view name(flaw f);

struct defect {
  flaw kind = flaw::truncated;
  std::uint64_t count = 0;
  std::vector<std::uint64_t> offsets{};  // byte offsets in the uncompressed input, the first ten
  std::string text{};                    // of the first one, for people: "event 4096: no closing quote"
};

// What is known about how far a trace can be believed, from reading it alone.
struct input_quality {
  std::vector<defect> defects{};  // one a kind, in the enum's order

  void add(flaw kind, std::uint64_t offset = 0, std::string_view text = {}, std::uint64_t count = 1);
  [[nodiscard]] std::uint64_t count(flaw kind) const;
  [[nodiscard]] bool truncated() const { return count(flaw::truncated) > 0; }
};

}  // namespace ridge::trace
