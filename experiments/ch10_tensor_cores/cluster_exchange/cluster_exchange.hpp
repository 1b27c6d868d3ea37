// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch10_cluster_exchange {

// `blocks` numbers that change in rounds, each by the sum of all. On a GPU each belongs to a block of its
// own.
struct workload {
  std::size_t blocks = 0, rounds = 0;
  input<std::uint32_t> seeds{};
  output<std::uint32_t> results{};
};

// A number after a round in which all had that sum, modulo 2^32.
constexpr std::uint32_t next(std::uint32_t number, std::uint32_t sum) {
  return number * 1664525U + sum + 1013904223U;
}

// Largest number of blocks: of a cluster that a GPU forms when asked.
inline constexpr std::size_t most_blocks = 16;

// What blocks exchange through the GPU's memory: two places for each block's number, which take turns, and a
// count of arrivals.
struct global_places {
  std::uint32_t* numbers = nullptr;  // 2 * most_blocks
  std::uint32_t* arrivals = nullptr;
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues all rounds: by numbers in global memory and an atomic count of arrivals, zero before; by
// numbers in global memory and the barrier of a cooperative grid; by the cluster's barrier and shared memory;
// by stores that complete the receiver's barrier.
void launch_global_atomics(const workload& w, const global_places& places, stream queue);
void launch_cooperative_grid(const workload& w, const global_places& places, stream queue);
void launch_shared_cluster(const workload& w, stream queue);
void launch_async_stores(const workload& w, stream queue);

}  // namespace ridge::experiments::ch10_cluster_exchange
