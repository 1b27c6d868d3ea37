// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::plan::serve {

// How requests are assigned to replicas.
enum class router_kind : std::uint8_t {
  random,
  round_robin,
  shortest_queue,     // fewest unfinished requests (JSQ)
  power_of_two,       // the shorter queue of two random replicas
  least_kv,           // smallest share of cache blocks in use
  prefix,             // Dynamo's cost: overlap_weight · blocks to compute + blocks being decoded
  session,            // the replica of the session before; others by shortest queue
  earliest_deadline,  // earliest predicted first token; queues are in order of deadlines
};

// Its name in reports, options and JSON files.
[[nodiscard]] std::string_view name_of(router_kind r);
// Finds a router by name: "random", "round-robin", "shortest-queue" ("jsq"), "power-of-two", "least-kv",
// "prefix" ("kv"), "session", "earliest-deadline" ("edf"). The error lists the nearest names.
[[nodiscard]] result<router_kind> router_named(std::string_view name);

// The state of one replica as a router sees it.
struct replica_view {
  bool up = true;
  std::int64_t unfinished = 0;      // waiting and running requests
  double kv_use = 0;                // share of blocks in use
  std::int64_t decode_blocks = 0;   // blocks of running requests
  std::int64_t prefill_blocks = 0;  // blocks of this prompt that its cache lacks
  double predicted_ttft_s = 0;      // of the request to be routed
};

// Cost of sending a request to a replica: overlap_weight · prefill blocks + decode blocks (Dynamo, docs on KV
// cache routing).
[[nodiscard]] double prefix_cost(double overlap_weight, std::int64_t prefill_blocks,
                                 std::int64_t decode_blocks);

// Settings of a router.
struct router_settings {
  router_kind kind{router_kind::round_robin};
  double overlap_weight = 1;
  std::uint64_t seed = 0;
};

// The index of the replica that serves request `index`, among those that are up; ties go to the lowest index.
// At least one replica is up. `round` counts the requests routed so far; `home` is the replica that served
// the session before, or -1.
[[nodiscard]] std::size_t route(const router_settings& settings, std::span<const replica_view> replicas,
                                std::uint64_t index, std::uint64_t round, std::int64_t home);

}  // namespace ridge::plan::serve
