// SPDX-License-Identifier: Apache-2.0
#include "caches/chase.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t line = 64;
constexpr std::uint32_t usual_seed = 20261121;

void set_pointer(std::byte* position, const std::byte* target) {
  std::memcpy(position, &target, sizeof(target));
}

template <std::size_t Count>
void run_so_many(std::span<void*> starts, std::int64_t loads) {
  std::array<void*, Count> at;
  std::copy_n(starts.begin(), Count, at.begin());
  for (; loads > 0; --loads) {
    for (auto& p : at) p = *static_cast<void* volatile*>(p);
  }
  std::copy_n(at.begin(), Count, starts.begin());
}

template <std::size_t... Index>
void run_by_count(std::span<void*> starts, std::int64_t loads, std::index_sequence<Index...>) {
  static_cast<void>(
      ((starts.size() == together[Index] && (run_so_many<together[Index]>(starts, loads), true)) || ...));
}

}  // namespace

std::vector<std::uint32_t> random_cycle(std::size_t count, std::uint32_t seed) {
  std::vector<std::uint32_t> next(count);
  std::iota(next.begin(), next.end(), 0u);
  std::uint64_t state = seed;
  for (std::size_t i = count; i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    std::swap(next[i - 1], next[(state >> 32) * (i - 1) >> 32]);
  }
  return next;
}

chase chase::over_lines(std::span<std::byte> memory) { return {memory, line}; }

chase chase::over_pages(std::span<std::byte> memory, std::size_t page_bytes) { return {memory, page_bytes}; }

chase::chase(std::span<std::byte> memory, std::size_t page_bytes)
    : memory_(memory), page_bytes_(page_bytes), position_(place(0)) {
  const auto next = random_cycle(places(), usual_seed);
  for (std::size_t i = 0; i < next.size(); ++i) set_pointer(place(i), place(next[i]));
}

std::byte* chase::place(std::size_t page) const {
  const auto lines = page_bytes_ / line;
  return memory_.data() + page * page_bytes_ + page * 7 % lines * line;
}

std::size_t chase::places() const { return memory_.size() / page_bytes_; }

void chase::run(std::int64_t loads) {
#if defined(__x86_64__)
  auto rounds = loads / 16;
  asm volatile(
      "1:\n\t"
      ".rept 16\n\t mov (%[at]), %[at]\n\t .endr\n\t"
      "dec %[n]\n\t"
      "jnz 1b\n\t"
      : [at] "+&r"(position_), [n] "+&r"(rounds)
      :
      : "cc", "memory");
#else
  for (; loads > 0; --loads) position_ = *static_cast<void* volatile*>(position_);
#endif
}

std::vector<void*> chase::starts(std::size_t count) const {
  std::vector<void*> found;
  for (std::size_t i = 0; i < count; ++i) found.push_back(place(i * places() / count));
  return found;
}

void run_together(std::span<void*> starts, std::int64_t loads) {
  run_by_count(starts, loads, std::make_index_sequence<std::size(together)>());
}

}  // namespace ridge::backends::probe_host
