// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/collectives.hpp>

namespace ridge::trace {

enum class clock_source : std::uint8_t {
  reference,        // the first trace: the common clock is its
  shared_host,      // ranks of one host share a clock; collectives only measured how well
  collective_ends,  // offset (and drift) from the ends of collectives
  epoch,            // the Unix time that each trace tells, unchecked
  unrelated,        // nothing relates it to the others
};

[[nodiscard]] std::string_view name(clock_source s);

// common = t + offset + (t - anchor) * drift. The common clock is the reference trace's own.
struct clock_map {
  nanoseconds offset_ns = 0;
  nanoseconds anchor_ns = 0;
  std::int64_t drift_ppb = 0;  // parts per billion; 0 unless drift was plain in the data
  clock_source source = clock_source::unrelated;
  std::uint32_t collectives = 0;  // how many it rests on
  // 95 of 100 ends of collectives agree with the reference's within it (all of them where there are fewer
  // than 20). An offset from ends has 7 us beside, for a rank that always ends late, and the uncertainty of
  // the clocks that it rests on. nullopt: nothing measured it.
  std::optional<nanoseconds> uncertainty_ns{};

  [[nodiscard]] nanoseconds to_common(nanoseconds t) const;
};

struct clock_alignment {
  std::vector<clock_map> maps{};  // one a trace

  // Of a difference between times of two traces; 0 for the same trace, nullopt: not known.
  [[nodiscard]] std::optional<nanoseconds> uncertainty_ns(std::uint32_t a, std::uint32_t b) const;
  // The largest over all pairs; nullopt: some pair's is not known.
  [[nodiscard]] std::optional<nanoseconds> uncertainty_ns() const;
  // Whether a difference in time between two traces is larger than what the clocks can tell.
  [[nodiscard]] bool tells(std::uint32_t a, std::uint32_t b, nanoseconds difference) const;
};

// One clock for all traces. Traces of one host (told, or else Unix times under which collectives end
// together) share a clock; others are aligned by the median difference of the ends of their common
// collectives in each process group, then by drift where it is plain. A collective ends on all its ranks
// within a few microseconds; when it starts says nothing.
[[nodiscard]] clock_alignment align_clocks(std::span<const trace> traces, const matched_collectives& matched);

}  // namespace ridge::trace
