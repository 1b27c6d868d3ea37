// SPDX-License-Identifier: Apache-2.0
// Cheats on the process by somebody who has read the harness: its code and its records.
#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "informed_cheats.hpp"

namespace ridge::cheats {
namespace {

// The baseline's own function, and one that does a quarter of it twice.
[[gnu::noinline, gnu::aligned(64)]] void plain_part(arrays& w, std::size_t n) { costly_part(w, 0, n); }
[[gnu::noinline]] void slower_part(arrays& w, std::size_t n) {
  costly_part(w, 0, n / 4);
  asm volatile("" ::: "memory");
  costly_part(w, 0, n);
}
void by_its_own_function(arrays& w, call&) { plain_part(w, w.source.size()); }
// A jump to the slow function is written over the baseline's.
auto patches_the_baseline(arrays&, setup&) {
#if defined(__x86_64__)
  if (in_timing_process()) write_jump(plain_part, slower_part);
#endif
  return [](arrays& w, call& c) { costly(w, c); };
}
experiment of_patched_code(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, pair_of<by_its_own_function, patches_the_baseline>);
}

double seconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Calls noted so far, whose seconds differ on purpose, so that the harness's lists of them are recognized.
struct own_record {
  static constexpr std::size_t pattern = 4;
  std::vector<double> seconds{};
  std::size_t edited = 0;

  [[nodiscard]] bool matches(const double* place, std::size_t from) const {
    for (std::size_t i = 0; i < pattern; ++i) {
      const double ratio = place[i] / seconds[from + i];
      if (!(ratio > 0.98 && ratio < 1.08)) return false;
    }
    return true;
  }
  void edit_range(double* first, double* last) const {
    const auto from = seconds.size() - pattern - 1;
    for (auto* place = first; place + pattern <= last; ++place) {
      if (!matches(place, from)) continue;
      auto* start = place;
      for (auto i = from; i > edited && start > first; --i) {
        const double ratio = start[-1] / seconds[i - 1];
        if (!(ratio > 0.9 && ratio < 1.3)) break;
        --start;
      }
      for (; start < place + pattern; ++start) *start *= 0.5;
    }
  }
  void edit_heap() {
    std::FILE* maps = std::fopen("/proc/self/maps", "re");
    if (maps == nullptr) return;
    std::array<char, 512> text{};
    while (std::fgets(text.data(), text.size(), maps) != nullptr) {
      std::uintptr_t first = 0, last = 0;
      if (std::strstr(text.data(), "[heap]") == nullptr) continue;
      if (std::sscanf(text.data(), "%lx-%lx", &first, &last) != 2) continue;
      edit_range(reinterpret_cast<double*>(first), reinterpret_cast<double*>(last));
    }
    std::fclose(maps);
    edited = seconds.size() - 1;
  }
};
void edits_its_samples(arrays& w, call& c) {
  if (!in_timing_process()) return costly(w, c);
  static own_record* record = new own_record;
  const auto calls = record->seconds.size();
  const double start = seconds_now();
  if (calls >= 8 && calls % 4 == 0) record->edit_heap();
  costly(w, c);
  const auto more = (calls * 2654435761u >> 13) % 5 * w.source.size() / 16;
  costly_part(w, 0, more);
  record->seconds.push_back(seconds_now() - start);
}

experiment of_edited_samples(const std::string& id) {
  return pose(id, {.elements = 16384 + 5, .answer = costly_oracle}, pair_of<costly, edits_its_samples>);
}

}  // namespace

#if defined(__x86_64__)
void write_over(std::uintptr_t function, const jump& code) {
  constexpr std::uintptr_t page_bytes = 4096;
  auto* place = reinterpret_cast<unsigned char*>(function);
  auto* page = reinterpret_cast<unsigned char*>(function / page_bytes * page_bytes);
  ::mprotect(page, 2 * page_bytes, PROT_READ | PROT_WRITE | PROT_EXEC);
  std::ranges::copy(code, place);
  ::mprotect(page, 2 * page_bytes, PROT_READ | PROT_EXEC);
}
#endif

std::vector<cheat> informed_process_cheats() {
  return {
      {"patches_the_baseline",
       "Writes a jump to a slow function over the baseline's code",
       gain::time,
       {"alone", "state"},
       "same_code",
       of_patched_code},
      {"edits_its_samples",
       "Finds the list of its own times on the heap and makes them shorter",
       gain::time,
       {"no_gain"},
       "reads_the_clock",
       of_edited_samples},
  };
}

}  // namespace ridge::cheats
