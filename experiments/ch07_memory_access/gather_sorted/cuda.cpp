// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include <ridge/harness/experiment.hpp>

#include "gather_sorted.hpp"

namespace ridge::experiments::ch07_gather_sorted {
namespace {

auto bucketed(workload& shape, setup& s) {
  const auto tiles = tiles_of(shape.index.size());
  const sorted_tiles kept{s.workspace<std::uint32_t>(tiles * tile), s.workspace<std::uint16_t>(tiles * tile),
                          s.workspace<std::uint16_t>(tiles * buckets)};
  return [kept](workload& w, call& c) { launch_bucketed(w, kept, c.queue()); };
}

// Memory reads 64 bytes at once.
double traffic_of_lines(const problem& p) { return p.real("indices") * (64 + 4 + 4); }
// The table passes once at most; keys, places and values pass in between.
double traffic_of_buckets(const problem& p) {
  return std::min(4 * p.real("table"), 64 * p.real("indices")) +
         p.real("indices") * (4 + 4 + 2 + 4 + 4 + 4 + 2 + 4);
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "random",
       .is = role::baseline,
       .idea = "in the order of the indices, an element a thread",
       .run = enqueues(launch_direct),
       .traffic = traffic_of_lines,
       .traffic_reason = "the second-level cache holds a part of the table"},
      {.name = "bucketed",
       .idea =
           "tiles of indices are sorted by parts of the table that the second-level cache holds; the sort "
           "and the way back are timed",
       .run = bucketed,
       .traffic = traffic_of_buckets},
      {.name = "cub_sort",
       .is = role::comparator,
       .idea = "cub::DeviceRadixSort of all pairs of index and place, then a gather and a scatter",
       .run = enqueues_in_scratch(launch_sorted)},
  };
}

}  // namespace ridge::experiments::ch07_gather_sorted
