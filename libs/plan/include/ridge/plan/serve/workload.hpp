// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/request.hpp>

namespace ridge::plan::serve {

inline constexpr std::uint32_t no_request = 0xffffffff;

// One request as its user sends it.
struct workload_request {
  double arrival_s = 0;  // since the start; with `follows`: pause after the end of that request
  std::uint32_t prompt_tokens = 0, output_tokens = 0;
  std::uint32_t follows = no_request;        // an earlier request whose end it waits for
  std::uint32_t session = 0;                 // 0: none
  std::uint32_t first_hash = 0, hashes = 0;  // range of workload::hashes
  std::uint16_t tenant = 0;
  std::int8_t priority = 0;   // lower is served first
  std::uint32_t adapter = 0;  // 0: none
};

// Requests over time. Those that follow no other are in order of arrival.
struct workload {
  std::vector<workload_request> requests{};
  // Ids of blocks of `hash_tokens` tokens from the start of a prompt; equal ids mean equal tokens from the
  // start on. They may continue into the answer, which a later turn then finds in the cache.
  std::vector<std::uint64_t> hashes{};
  std::uint32_t hash_tokens = 0;       // 0: it is not known what prompts share
  std::uint32_t clients = 0;           // closed loop with so many requests at a time, in order; 0: open loop
  double think_s = 0;                  // closed loop: mean pause of a client between requests (exponential)
  std::vector<std::string> tenants{};  // names of the tenants when there are several
  std::int64_t skipped_rows = 0;
  std::vector<std::string> notes{};  // changes made while reading: "sorted by time: 3 rows were out of order"
  std::string source{};              // the file, or "Poisson, 4 a second"

  // Block ids of one request. Points into `hashes`.
  [[nodiscard]] std::span<const std::uint64_t> hashes_of(const workload_request& r) const;
  // Seconds from the first arrival to the last in an open loop; 0 with fewer than two.
  [[nodiscard]] double span_s() const;
  // Requests per second over span_s(); 0 when unknown.
  [[nodiscard]] double rate() const;
};

// Repeats the workload so that there are `times` copies one after the other, with a mean gap between them.
// Copies share no prompts with each other.
void repeat(workload& w, int times);
// Makes arrivals `factor` times as fast and leaves the requests unchanged.
void scale_rate(workload& w, double factor);
// Keeps each request with probability `share`, drawn by its index; sessions are kept or dropped as a whole.
void thin(workload& w, double share, std::uint64_t seed);
// Gives every request one of `adapters` adapters, those of a session the same: adapter k with a probability
// proportional to 1/k^exponent. Prompts of different adapters share no blocks afterwards, since their keys
// and values differ (vLLM, v1/core/kv_cache_utils.py).
void draw_adapters(workload& w, std::uint32_t adapters, double exponent, std::uint64_t seed);
// Makes every prompt so many tokens longer, of images at its end, which no other prompt shares. The error
// says that sessions, whose later prompts would hold the images of the earlier ones, are not made so.
[[nodiscard]] result<void> add_images(workload& w, std::int64_t tokens);
// Keeps only the first `requests` requests.
void limit(workload& w, std::size_t requests);
// Sorts requests by arrival (stable) and moves time zero to the first; returns how many were out of order.
std::size_t put_in_order(workload& w);

// Converts the workload into the table that engines read.
[[nodiscard]] request_table table_of(const workload& w);

}  // namespace ridge::plan::serve
