// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "cluster_exchange.hpp"

namespace ridge::experiments::ch10_cluster_exchange {
namespace {

// A thread's sums of its own numbers, one for even and one for odd rounds: the round's number plus one in the
// upper half, the sum in the lower. Two places take turns: a thread comes to the round after the next only
// with all sums of the next, which the others give after they have read this one's.
constexpr std::size_t words_of_thread = 2, words_of_lines = 16;

std::uint32_t sum_of_all(std::span<std::uint64_t> words, std::size_t apart, std::size_t ranks,
                         std::size_t round) {
  std::uint32_t sum = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::atomic_ref word(words[rank * apart + round % 2]);
    std::uint64_t seen = word.load(std::memory_order_acquire);
    while (seen >> 32 != round + 1) seen = word.load(std::memory_order_acquire);
    sum += static_cast<std::uint32_t>(seen);
  }
  return sum;
}

void play(workload& w, std::span<std::uint64_t> words, std::size_t apart, std::size_t rank,
          std::size_t ranks) {
  const std::size_t begin = w.blocks * rank / ranks, end = w.blocks * (rank + 1) / ranks;
  const auto own = w.results.subspan(begin, end - begin);
  std::uint32_t numbers[most_blocks];
  std::copy_n(w.seeds.begin() + static_cast<std::ptrdiff_t>(begin), end - begin, numbers);
  for (std::size_t round = 0; round < w.rounds; ++round) {
    const auto sum = std::accumulate(numbers, numbers + (end - begin), std::uint32_t{0});
    std::atomic_ref(words[rank * apart + round % 2])
        .store((round + 1) << 32 | sum, std::memory_order_release);
    const auto all = sum_of_all(words, apart, ranks, round);
    for (std::size_t i = 0; i < end - begin; ++i) numbers[i] = next(numbers[i], all);
  }
  std::copy_n(numbers, end - begin, own.begin());
}

template <std::size_t Apart>
auto exchange(workload&, setup& s) {
  return [words = s.workspace<std::uint64_t>(Apart * as_count(s.threads()))](workload& w, call& c) {
    std::ranges::fill(words, 0);
    c.team().run([&](int rank, int ranks) { play(w, words, Apart, as_count(rank), as_count(ranks)); });
  };
}

ladder<workload> cpu() {
  return {
      {.name = "shared_line",
       .is = role::baseline,
       .idea = "the threads' words lie side by side, in one cache line",
       .run = exchange<words_of_thread>,
       .threads = all_cores},
      {.name = "own_lines",
       .idea = "each thread's words have a pair of lines of their own, which only it writes",
       .run = exchange<words_of_lines>,
       .threads = all_cores},
  };
}

void expect(workload& w) {
  std::ranges::copy(w.seeds, w.results.begin());
  for (std::size_t round = 0; round < w.rounds; ++round) {
    const auto sum = std::accumulate(w.results.begin(), w.results.end(), std::uint32_t{0});
    for (auto& number : w.results) number = next(number, sum);
  }
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.cluster_exchange",
      .title = "Exchanges between blocks",
      .question = "What does DSMEM save over global memory for exchanges?",
      .answers = {"cluster_group_blackwell.cu", "K10.3", "K10.4", "B10.4", "B10.5"},
      .tags = {"clusters", "synchronization", "latency"},
      .axes = {between(on_cuda(values("blocks", {16}, {1, 2}), {16, 8, 4, 2}), 1, most_blocks),
               between(values("rounds", {1000}, {0, 1, 3}), 0, 1 << 20)},
      .make =
          [](const problem& p, memory& m) {
            const auto blocks = p.count("blocks");
            return workload{blocks, p.count("rounds"), m.in<std::uint32_t>(blocks, random_bits{}),
                            m.out<std::uint32_t>(blocks)};
          },
      .work =
          [](const problem& p) {
            const auto blocks = p.count("blocks");
            return work::streaming(reads<std::uint32_t>(blocks), writes<std::uint32_t>(blocks))
                .with_items(p.real("rounds"));
          },
      .oracle = expect,
      .within = exact(),
      .metrics = {time_per_call(), throughput("rounds/s")},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_cluster_exchange
