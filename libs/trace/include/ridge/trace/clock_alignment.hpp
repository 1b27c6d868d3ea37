// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/collectives.hpp>

namespace ridge::trace {

// What relates a trace's clock to the common clock.
enum class clock_source : std::uint8_t {
  reference,        // the first trace, whose clock is the common clock
  shared_host,      // ranks of one host share a clock; collectives only measured how well they agree
  collective_ends,  // offset (and drift) from the ends of collectives
  epoch,            // the Unix time that each trace records, unchecked
  unrelated,        // nothing relates it to the others
};

// Returns the name of a source, as reports print it.
[[nodiscard]] std::string_view name(clock_source s);

// Maps a trace's time t to the common clock, which is the reference trace's own: t + offset + (t - anchor) *
// drift.
struct clock_map {
  nanoseconds offset_ns = 0;
  nanoseconds anchor_ns = 0;
  std::int64_t drift_ppb = 0;  // parts per billion; 0 unless drift was plain in the data
  clock_source source = clock_source::unrelated;
  std::uint32_t collectives = 0;  // number of collectives that it rests on
  // Uncertainty within which 95 of 100 ends of collectives agree with the reference's (all of them where
  // there are fewer than 20). An offset from ends adds 7 us, for a rank that always ends late, and the
  // uncertainty of the clocks that it rests on. nullopt: nothing measured it.
  std::optional<nanoseconds> uncertainty_ns{};

  // Returns time `t` of the trace on the common clock.
  [[nodiscard]] nanoseconds to_common(nanoseconds t) const;
};

// The clocks of several traces, each mapped to the common clock.
struct clock_alignment {
  std::vector<clock_map> maps{};  // one per trace

  // Uncertainty of a difference between times of traces `a` and `b`: 0 for the same trace, nullopt where it
  // is not known.
  [[nodiscard]] std::optional<nanoseconds> uncertainty_ns(std::uint32_t a, std::uint32_t b) const;
  // The largest uncertainty over all pairs of traces; nullopt where that of some pair is not known.
  [[nodiscard]] std::optional<nanoseconds> uncertainty_ns() const;
  // Returns whether a difference in time between traces `a` and `b` exceeds the uncertainty of their clocks.
  [[nodiscard]] bool tells(std::uint32_t a, std::uint32_t b, nanoseconds difference) const;
};

// Maps all traces to one clock. Traces of one host share a clock (the host is recorded, or collectives end
// together by Unix time); others are aligned by the median difference of the ends of their common collectives
// in each process group, then by drift where it is plain. A collective ends on all its ranks within a few
// microseconds; its starts say nothing.
[[nodiscard]] clock_alignment align_clocks(std::span<const trace> traces, const matched_collectives& matched);

}  // namespace ridge::trace
