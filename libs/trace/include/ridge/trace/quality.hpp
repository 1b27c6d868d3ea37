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
  unmatched_begin,    // a B without its E; it ends with its track's last event
  unmatched_end,      // an E without its B; it is dropped
  missing_duration,   // a complete event without dur; its duration is taken as zero
  negative_duration,  // a negative duration is taken as zero
  control_character,  // raw control characters inside a text
  non_finite_number,  // NaN or Infinity, read as absent
  bad_text,           // broken escapes or UTF-8, kept as replacement characters
  foreign_clock,      // device work over a second outside the window of all host events is left out of works
  launched_after_start,  // device work that begins before its launch does: delays are clamped to zero
  overflowing_duration,  // device work that covers more than five successors in its own stream
  dropped_records,       // the profiler reports that it lost records
  opaque_graphs,         // graph launches whose kernels the profiler did not record one by one
  over_limit,            // a memory or expansion limit was reached; the rest was not read
  trailing_bytes,        // bytes after the end of the document
  unknown_field,         // a column or table that this version does not know
};
inline constexpr int flaw_count = static_cast<int>(flaw::unknown_field) + 1;

// Returns the flaw's name, as reports print it.
[[nodiscard]] std::string_view name(flaw f);

// All occurrences of one flaw in an input.
struct defect {
  flaw kind = flaw::truncated;
  std::uint64_t count = 0;
  std::vector<std::uint64_t> offsets{};  // byte offsets in the uncompressed input, the first ten
  std::string text{};                    // describes the first one: "event 4096: no closing quote"
};

// The defects of an input that were found while it was read.
struct input_quality {
  std::vector<defect> defects{};  // one per kind, in the enum's order

  // Counts `count` more occurrences of a flaw; `text` describes the first one.
  void add(flaw kind, std::uint64_t offset = 0, std::string_view text = {}, std::uint64_t count = 1);
  // Number of occurrences of a flaw.
  [[nodiscard]] std::uint64_t count(flaw kind) const;
  // Whether the input ended early.
  [[nodiscard]] bool truncated() const { return count(flaw::truncated) > 0; }
};

}  // namespace ridge::trace
