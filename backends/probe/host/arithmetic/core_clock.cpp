// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/core_clock.hpp"

#include <algorithm>
#include <numeric>

namespace ridge::backends::probe_host {
namespace {

constexpr std::int64_t rounds_read = 4096;

}  // namespace

std::uint64_t dependent_adds(std::int64_t rounds) {
  std::uint64_t sum = 0;
  const std::uint64_t one = 1;
#if defined(__x86_64__)
  asm volatile(
      ".p2align 5\n"
      "1:\n\t"
      ".rept 16\n\t add %[one], %[sum]\n\t .endr\n\t"
      "dec %[n]\n\t"
      "jnz 1b\n\t"
      : [n] "+&r"(rounds), [sum] "+&r"(sum)
      : [one] "r"(one)
      : "cc");
#else
  for (; rounds > 0; --rounds) {
    for (int i = 0; i < adds_per_round; ++i) {
      sum += one;
      asm volatile("" : "+r"(sum));
    }
  }
#endif
  return sum;
}

void dependent_adds_beside_vectors(std::int64_t rounds) {
#if defined(__x86_64__)
  asm volatile(
      ".irp r,0,1,2,3,4,5,6,7\n\t vpxor %%xmm\\r, %%xmm\\r, %%xmm\\r\n\t .endr\n\t"
      ".p2align 5\n"
      "1:\n\t"
      ".irp r,0,1,2,3,4,5,6,7\n\t"
      "vfmadd213ps %%zmm\\r, %%zmm\\r, %%zmm\\r\n\t add %%rax, %%rax\n\t add %%rax, %%rax\n\t .endr\n\t"
      "dec %[n]\n\t"
      "jnz 1b\n\t"
      "vzeroupper\n\t"
      : [n] "+&r"(rounds)
      :
      : "rax", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "cc");
#else
  dependent_adds(rounds);
#endif
}

timing core_clock::step(sampler& sampler) {
  const auto& clock = sampler.clock();
  const auto t = sampler.time([&](int rank, int) {
    const auto begin = clock.now();
    beside_ == beside::wide_vectors ? dependent_adds_beside_vectors(rounds_read)
                                    : static_cast<void>(dependent_adds(rounds_read));
    hz_[static_cast<std::size_t>(rank)] =
        rounds_read * adds_per_round / (clock.seconds(clock.now() - begin) - clock.read_cost_s());
  });
  last_ = std::accumulate(hz_.begin(), hz_.end(), 0.0) / sampler.threads();
  highest_ = std::max(highest_, last_);
  if (t.clean) readings_.push_back(last_);
  return t;
}

double core_clock::hz() const {
  if (readings_.empty()) return highest_;
  auto sorted = readings_;
  const auto upper = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() * 3 / 4);
  std::ranges::nth_element(sorted, upper);
  return *upper;
}

}  // namespace ridge::backends::probe_host
