// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "nsys_reading.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

constexpr auto chains = "SAMPLING_CALLCHAINS";
constexpr auto samples = "COMPOSITE_EVENTS";

// Reads the stack of each sample, callers first; depth 0 is the function that ran.
std::unordered_map<std::int64_t, std::uint32_t> read_chains(nsys_reading& reading) {
  std::unordered_map<std::int64_t, std::uint32_t> leaves;
  auto rows =
      reading.file.rows(chains, {"id", "symbol", "module", "stackDepth"}, "\"id\", \"stackDepth\" DESC");
  while (reading.next(rows, chains)) {
    const auto caller = leaves.try_emplace(rows.whole_or(0, 0), trace::none).first;
    caller->second =
        reading.builder.frame(caller->second, reading.builder.intern(reading.names.text_in(rows, 1)),
                              reading.builder.intern(reading.names.text_in(rows, 2)));
  }
  return leaves;
}

}  // namespace

void read_samples(nsys_reading& reading) {
  if (!reading.file.has(samples, "globalTid")) return;
  const bool has_chains = reading.file.has(chains, "id") && reading.file.has(chains, "stackDepth");
  const auto leaves = has_chains ? read_chains(reading) : std::unordered_map<std::int64_t, std::uint32_t>{};
  auto rows = reading.file.rows(samples, {"id", "start", "globalTid", "cpuCycles"});
  while (reading.next(rows, samples)) {
    const auto at = leaves.find(rows.whole_or(0, 0));
    const auto cycles = rows.whole_or(3, 1);
    reading.builder.add(trace::stack_sample{.time_ns = rows.whole_or(1, 0),
                                            .weight = cycles > 0 ? static_cast<std::uint64_t>(cycles) : 1,
                                            .stack = at == leaves.end() ? trace::none : at->second,
                                            .track = reading.thread_of(rows.whole_or(2, 0))});
  }
}

}  // namespace ridge::backends::trace_nsys_sqlite
