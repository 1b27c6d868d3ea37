// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::plan::serve {

enum class router_kind : std::uint8_t {
  random,
  round_robin,
  shortest_queue,     // fewest requests not finished (JSQ)
  power_of_two,       // the shorter of two drawn
  least_kv,           // least share of blocks in use
  prefix,             // Dynamo's cost: overlap_weight · blocks to compute + blocks being decoded
  session,            // where the session was before; others by shortest queue
  earliest_deadline,  // where the predicted first token comes first; queues in order of deadlines
};

[[nodiscard]] std::string_view name_of(router_kind r);
// "random", "round-robin", "shortest-queue" ("jsq"), "power-of-two", "least-kv", "prefix" ("kv"), "session",
// "earliest-deadline" ("edf"). The error names the nearest.
[[nodiscard]] result<router_kind> router_named(std::string_view name);

// What a router knows of one replica.
struct replica_view {
  bool up = true;
  std::int64_t unfinished = 0;      // requests, waiting and running
  double kv_use = 0;                // share of blocks
  std::int64_t decode_blocks = 0;   // of running requests
  std::int64_t prefill_blocks = 0;  // of this prompt, that its cache lacks
  double predicted_ttft_s = 0;      // of this request
};

// Cost of a worker: overlap_weight · prefill blocks + decode blocks (Dynamo, docs on KV cache routing).
[[nodiscard]] double prefix_cost(double overlap_weight, std::int64_t prefill_blocks,
                                 std::int64_t decode_blocks);

struct router_settings {
  router_kind kind{router_kind::round_robin};
  double overlap_weight = 1;
  std::uint64_t seed = 0;
};

// Whom request `index` goes to: replicas that are up only; ties to the lowest number. One is up at least.
// `round` is the router's own count of requests; `home` the replica of its session before, or -1.
[[nodiscard]] std::size_t route(const router_settings& by, std::span<const replica_view> replicas,
                                std::uint64_t index, std::uint64_t round, std::int64_t home);

}  // namespace ridge::plan::serve
