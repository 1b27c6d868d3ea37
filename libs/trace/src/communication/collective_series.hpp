// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <ridge/trace/collectives.hpp>

#include "communication/pattern_cache.hpp"
#include "communication/told_collective.hpp"

namespace ridge::trace {

// What many parts have in common; each such set is kept once. The sequence number stands in the part.
struct told_part {
  told_collective told{};
  const communication_pattern* pattern = nullptr;
  friend auto operator<=>(const told_part&, const told_part&) = default;
};

// A part that is not yet joined with those of the other ranks.
struct open_part {
  collective_part part{};
  std::int64_t sequence = -1;  // -1: not recorded
  const told_part* common = nullptr;
};

// The collectives of many ranks, of which no trace is needed any more: a rank's trace is read, taken and
// closed, and the parts are joined at the end. A part takes 40 bytes. The names must outlive it.
class collective_series {
 public:
  // Takes what participant `index` communicated: the works of one device of a trace.
  void take(const trace& t, std::int32_t device, std::uint32_t index, pattern_cache& patterns,
            const communication_names& names);

  using visitor = std::function<void(collective_instance&&)>;
  // Joins the parts, one series after the other, and hands over every instance; parts that stay alone are
  // instances of one part (matched_by::nothing). `cohorts` holds one number per participant: parts of
  // different cohorts are never joined. Returns matched_collectives::shifted.
  bool match(std::span<const std::uint32_t> cohorts, const visitor& visit) const;

 private:
  struct own_parts {
    std::uint32_t participant = 0;
    std::vector<open_part> parts{};
  };
  using series = std::vector<own_parts>;  // by participant

  const told_part* kept(told_collective told, const communication_pattern* pattern);
  void add(series& target, std::uint32_t participant, const open_part& part) const;

  std::set<told_part> told_{};
  std::map<std::string, series> series_{};
};

}  // namespace ridge::trace
