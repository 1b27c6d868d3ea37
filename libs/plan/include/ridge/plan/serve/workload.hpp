// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ridge/plan/serve/request.hpp>

namespace ridge::plan::serve {

inline constexpr std::uint32_t no_request = 0xffffffff;

// One request as its user sends it.
struct workload_request {
  double arrival_s = 0;  // since the start; of one that follows another: the pause behind that one's end
  std::uint32_t prompt_tokens = 0, output_tokens = 0;
  std::uint32_t follows = no_request;        // an earlier request whose end it waits for
  std::uint32_t session = 0;                 // 0: none
  std::uint32_t first_hash = 0, hashes = 0;  // of workload::hashes
  std::uint16_t tenant = 0;
  std::int8_t priority = 0;  // lower is served first
};

// Requests over time. Those that follow none stand in the order of their arrival.
struct workload {
  std::vector<workload_request> requests{};
  // Names of blocks of `hash_tokens` tokens from the start of a prompt; equal names mean equal tokens from
  // the start on. They may go on into the answer (a later turn finds it cached).
  std::vector<std::uint64_t> hashes{};
  std::uint32_t hash_tokens = 0;       // 0: nothing known of what prompts share
  std::uint32_t clients = 0;           // closed loop: so many requests at a time, in order; 0: open loop
  double think_s = 0;                  // closed loop: mean pause of a client between requests, exponential
  std::vector<std::string> tenants{};  // names of the tenants, where there are several
  std::int64_t skipped_rows = 0;
  std::vector<std::string> notes{};  // what was done to it: "sorted by time: 3 rows were out of order"
  std::string source{};              // the file, or "Poisson, 4 a second"

  [[nodiscard]] std::span<const std::uint64_t> hashes_of(const workload_request& r) const;
  // Of the open loop: from the first arrival to the last. 0 with fewer than two.
  [[nodiscard]] double span_s() const;
  [[nodiscard]] double rate() const;  // requests a second over span_s; 0: unknown
};

// The same `times` over, one behind the other with a mean gap between; copies share no prompt with each
// other.
void repeat(workload& w, int times);
// Arrivals `factor` times as fast; what is asked stays.
void scale_rate(workload& w, double factor);
// Keeps each request with this chance, drawn by its index; sessions are kept or dropped whole.
void thin(workload& w, double share, std::uint64_t seed);
// The first `requests`.
void limit(workload& w, std::size_t requests);
// Puts requests in order of arrival (stable) and time zero at the first; returns how many were out of order.
std::size_t put_in_order(workload& w);

// The same as a table that engines read.
[[nodiscard]] request_table table_of(const workload& w);

}  // namespace ridge::plan::serve
