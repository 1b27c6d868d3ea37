// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <ridge/trace/ids.hpp>

namespace ridge::backends::trace_pftrace {

inline constexpr std::uint32_t realtime_clock = 1, boottime_clock = 6;

// Relates the clocks of a trace to its own by the snapshots in it. Clocks 64 to 127 are of one packet
// sequence, all others of the trace.
class clocks {
 public:
  // Adds a ClockSnapshot message of a packet sequence.
  void add_snapshot(std::string_view message, std::uint32_t sequence);
  // Sets clocks that count from the packet before them to the values of a snapshot, as its packet comes.
  void restart(std::string_view message, std::uint32_t sequence);
  // Returns a packet's time on the trace's clock; nullopt where no snapshot relates its clock to that.
  [[nodiscard]] std::optional<trace::nanoseconds> trace_time(std::uint64_t timestamp, std::uint32_t clock,
                                                             std::uint32_t sequence);
  // Returns Unix time at the trace's zero; 0 where no snapshot tells.
  [[nodiscard]] trace::nanoseconds epoch() const;

 private:
  using clock_key = std::pair<std::uint32_t, std::uint32_t>;  // sequence (0: of the trace), clock
  struct relation {
    std::uint64_t unit_ns = 1;
    bool counts_on = false;                                     // each time counts from the one before
    std::uint64_t last = 0;                                     // for those
    std::map<std::uint64_t, trace::nanoseconds> trace_times{};  // of this clock's values at snapshots
  };
  [[nodiscard]] static clock_key key_of(std::uint32_t clock, std::uint32_t sequence);

  std::uint32_t own_ = boottime_clock;
  bool snapped_ = false;
  std::map<clock_key, relation> relations_{};
};

}  // namespace ridge::backends::trace_pftrace
