// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <string>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/harness/experiment.hpp>

#include "coalescing.hpp"

namespace ridge::experiments::ch07_coalescing {
namespace {

// Why gains over one word a line exceed ten times.
constexpr auto one_word_per_sector =
    "the baseline moves at least a sector of 32 bytes for every 4 bytes that it uses";

using launcher = void (*)(const workload&, stream);
struct launchers {
  launcher words, sectors, half_lines, lines, vectors;
};

// Memory moves sectors of 32 bytes: eight times the bytes of a pass, where a word of each is used.
std::function<double(const problem&)> sector_a_word(double arrays) {
  return [arrays](const problem& p) { return arrays * 4 * 8 * p.real("elements"); };
}

ladder<workload> passes(const launchers& launch, double arrays) {
  return {
      {.name = "strided",
       .is = role::baseline,
       .idea = "lanes 128 bytes apart: 32 lines a warp",
       .run = enqueues(launch.words),
       .traffic = sector_a_word(arrays)},
      {.name = "sectors",
       .idea = "eight lanes share a sector of 32 bytes: four lines a warp",
       .run = enqueues(launch.sectors),
       .explanation = one_word_per_sector},
      {.name = "half_lines",
       .idea = "sixteen lanes share 64 bytes: two lines a warp",
       .run = enqueues(launch.half_lines),
       .explanation = one_word_per_sector},
      {.name = "coalesced",
       .idea = "all lanes share a line",
       .run = enqueues(launch.lines),
       .explanation = one_word_per_sector},
      {.name = "vectorized",
       .idea = "16 bytes a lane: four lines a request, each of them whole",
       .run = enqueues(launch.vectors),
       .explanation = one_word_per_sector},
  };
}

// The ladder with a function of CUDA's own beside it.
ladder<workload> beside(ladder<workload> ours, const std::string& name, void (*run)(workload&, call&)) {
  ours.push_back({.name = name, .is = role::comparator, .idea = "the runtime's " + name, .run = run});
  return ours;
}

void with_memcpy(workload& w, call& c) {
  gpu::enqueue_copy(w.target.data(), w.source.data(), w.source.size_bytes(), c.queue());
}

// All bytes of the pattern are equal.
void with_memset(workload& w, call& c) {
  if (w.target.empty()) return;
  gpu::check(
      cudaMemsetAsync(w.target.data(), static_cast<int>(w.pattern & 0xff), w.target.size_bytes(), c.queue()),
      "cudaMemsetAsync");
}

}  // namespace

ladder<workload> loads_cuda() {
  return passes({launch_sum<1>, launch_sum<8>, launch_sum<16>, launch_sum<32>, launch_sum_vectors}, 1);
}

ladder<workload> copy_cuda() {
  return beside(
      passes({launch_copy<1>, launch_copy<8>, launch_copy<16>, launch_copy<32>, launch_copy_vectors}, 2),
      "cudaMemcpyAsync", with_memcpy);
}

ladder<workload> stores_cuda() {
  return beside(
      passes({launch_fill<1>, launch_fill<8>, launch_fill<16>, launch_fill<32>, launch_fill_vectors}, 1),
      "cudaMemsetAsync", with_memset);
}

}  // namespace ridge::experiments::ch07_coalescing
