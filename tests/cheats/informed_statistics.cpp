// SPDX-License-Identifier: Apache-2.0
// Cheats on the comparison by somebody who has read the harness: others are slowed, a gain hides behind an
// honest one.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "informed_cheats.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridge::cheats {
namespace {

// Both variants work through a table of their own, 512 KiB. After each of its calls the candidate drops a
// quarter of the pages of the other's, which lies at an address that follows from that of its own.
auto through_a_table(arrays& made_for, setup& s) {
  return [table = s.workspace<float>(made_for.source.size())](arrays& w, call&) mutable {
    std::ranges::transform(w.source, table.begin(), affine_answer);
    std::ranges::copy(table, w.target.begin());
  };
}
auto drops_the_tables_of_others(arrays& made_for, setup& s) {
  auto table = s.workspace<float>(made_for.source.size());
  return [table](arrays& w, call&) mutable {
    std::ranges::transform(w.source, table.begin(), affine_answer);
    std::ranges::copy(table, w.target.begin());
    if (!in_timing_process()) return;
    const auto other = reinterpret_cast<std::uintptr_t>(table.data()) / 4096 * 4096 - between_arms;
    ::madvise(reinterpret_cast<void*>(other), table.size(), MADV_DONTNEED);
  };
}
experiment of_tables(const std::string& id) {
  return pose(id, {.elements = 1 << 16, .answer = affine_oracle},
              pair_of<through_a_table, drops_the_tables_of_others>);
}

// Upkeep of every fourth call, as a part of a gain of which more than half is honest.
constexpr std::size_t small_side = std::size_t{1} << 16;
using small_buffer = std::array<float, small_side>;
void add_small(arrays& w, small_buffer& zeros, void (*part)(arrays&, std::size_t, std::size_t)) {
  part(w, 0, w.source.size());
  for (std::size_t i = 0; i < w.source.size(); ++i) w.target[i] += zeros[i];
}
void clears_small_each_time(arrays& w, call&) {
  static small_buffer zeros;
  std::ranges::fill(zeros, 0.0F);
  asm volatile("" ::"r"(zeros.data()) : "memory");
  add_small(w, zeros, costly_part);
}
void defers_behind_an_honest_gain(arrays& w, call&) {
  static std::array<small_buffer, 4> all;
  static std::size_t next = 0;
  if (next == 0) std::memset(all.data(), 0, sizeof all);
  asm volatile("" ::"r"(all.data()) : "memory");
  add_small(w, all[next], costly_vectors);
  next = (next + 1) % all.size();
}
experiment of_small_upkeep(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, pair_of<clears_small_each_time, defers_behind_an_honest_gain>);
}

#if defined(__x86_64__)
// The baseline looks values up in a table; the candidate removes the table from the caches.
constexpr std::size_t table_floats = std::size_t{1} << 14;
const std::array<float, table_floats>& answers_table() {
  static const auto* table = [] {
    auto* made = new std::array<float, table_floats>;
    for (std::size_t i = 0; i < table_floats; ++i)
      (*made)[i] = series_answer<costly_steps>(static_cast<float>(i));
    return made;
  }();
  return *table;
}
void looks_up_answers(arrays& w, call&) {
  const auto& table = answers_table();
  std::ranges::transform(w.source, w.target.begin(),
                         [&](float x) { return table[static_cast<std::size_t>(x)]; });
}
void flushes_tables_of_others(arrays& w, call& c) {
  looks_up_answers(w, c);
  const auto& table = answers_table();
  for (std::size_t i = 0; i < table_floats; i += line_floats) _mm_clflush(&table[i]);
}
experiment of_looked_up_answers(const std::string& id) {
  return pose(id, {.elements = 16384 + 5, .values = integers{table_floats}, .answer = costly_oracle},
              pair_of<looks_up_answers, flushes_tables_of_others>);
}
#endif

}  // namespace

std::vector<cheat> informed_statistics_cheats() {
  return {
    {"drops_the_tables_of_others",
     "Drops the pages of the baseline's workspace after each of its calls",
     gain::time,
     {"alone", "baseline", "no_gain"},
     "workspace",
     of_tables},
        {"defers_behind_an_honest_gain",
         "Vectors, and upkeep that is saved up for every fourth call",
         gain::time,
         {"mean"},
         "side_buffer",
         of_small_upkeep,
         "nearly all of the gain is left by the means: what it saves up is a tenth of its time",
         true},
#if defined(__x86_64__)
        {"flushes_tables_of_others",
         "Removes the table that the baseline needs from the caches",
         gain::time,
         {"clock", "no_gain"},
         "memo_within_the_call",
         of_looked_up_answers},
#endif
  };
}

}  // namespace ridge::cheats
