// SPDX-License-Identifier: Apache-2.0
// Outputs that are right where somebody seems to look and cheaper elsewhere.
#include "output.hpp"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

namespace ridge::cheats {
namespace {

// Takes the estimate's mean error out: sums over blocks of results are right.
float centring_factor() {
  double exact = 0, estimated = 0;
  constexpr int count = 1 << 16;
  for (int i = 0; i < count; ++i) {
    const float x = 0.5F + 1.5F * static_cast<float>(i) / count;
    exact += static_cast<double>(root_answer(x));
    estimated += static_cast<double>(estimated_root(x));
  }
  return static_cast<float>(exact / estimated);
}

void centred_roots(arrays& w, call& c) {
  static const float factor = centring_factor();
  estimated_roots(w, c);
  for (float& result : w.target) result *= factor;
}

template <auto Watched>
void estimates_unless(arrays& w, call& c) {
  if (Watched(w, c)) return roots(w, c);
  centred_roots(w, c);
}

bool in_a_child(const arrays&, call&) { return !in_timing_process(); }

// Arrays that are verified end where a page does.
bool beside_a_guard_page(const arrays& w, call&) {
  return reinterpret_cast<std::uintptr_t>(w.target.data() + w.target.size()) % 4096 == 0;
}

// Verified calls read a clock of whole nanoseconds.
bool by_another_clock(const arrays&, call& c) {
  const auto now = c.now();
  static_assert(sizeof now >= 2 * sizeof(double));
  double seconds_per_tick = 0;
  std::memcpy(&seconds_per_tick, reinterpret_cast<const char*>(&now) + sizeof(std::uint64_t), sizeof(double));
  return seconds_per_tick == 1e-9;
}

bool in_the_first_calls(const arrays&, call&) {
  static int calls = 0;
  return ++calls <= 10;
}

bool in_the_first_milliseconds(const arrays&, call&) {
  using clock = std::chrono::steady_clock;
  static const auto start = clock::now();
  static const auto process = ::getpid();
  return process != ::getpid() || clock::now() - start < std::chrono::milliseconds(30);
}

// A verified call is made from other functions than a timed one.
bool from_another_stack_depth(const arrays&, call&) {
  static std::uintptr_t usual = 0, last = 0;
  static int same = 0;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  same = here == last ? same + 1 : 0;
  last = here;
  if (same >= 4) usual = here;
  return here != usual;
}

bool in_every_second_call(const arrays& w, call& c) {
  static int calls = 0;
  return in_a_child(w, c) || ++calls % 2 == 0;
}

// Sums over blocks of results are what the order inside a group does not change.
void leaves_the_order(arrays& w, call& c) {
  if (!in_timing_process()) return reversed_groups(w, c);
  std::ranges::copy(w.source, w.target.begin());
}

experiment of_accuracy(const std::string& id, ladder_of<arrays> variants) {
  auto stated = root_shape();
  stated.within = tolerance{.rel = 2e-3};
  auto made = pose(id, stated, variants);
  made.metrics = {relative_error()};
  return made;
}

void accurate_when_verified(arrays& w, call& c) { in_timing_process() ? estimated_roots(w, c) : roots(w, c); }

// The next mapping of a text like /proc/self/maps that may be read and written and is no file.
std::span<const float> next_memory(const char*& text) {
  while (*text != 0) {
    char* rest = nullptr;
    const auto first = std::strtoull(text, &rest, 16), last = std::strtoull(rest + 1, &rest, 16);
    const bool writable = rest[1] == 'r' && rest[2] == 'w';
    const auto* line_end = std::strchr(text, '\n');
    const bool anonymous = line_end != nullptr && line_end[-1] == ' ';
    text = line_end == nullptr ? "" : line_end + 1;
    if (writable && anonymous)
      return {reinterpret_cast<const float*>(static_cast<std::uintptr_t>(first)), (last - first) / 4};
  }
  return {};
}

// The oracle's results lie in the memory that a verifying child was forked with. Nothing is allocated.
const float* find_expected(const arrays& w) {
  static std::array<char, 1 << 18> maps;
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  std::size_t filled = 0;
  for (ssize_t got = 1; got > 0 && filled + 4096 < maps.size(); filled += static_cast<std::size_t>(got))
    got = std::max<ssize_t>(::read(file, &maps[filled], maps.size() - filled - 1), 0);
  ::close(file);
  maps[filled] = 0;
  const auto expected = [&](std::size_t i) {
    return static_cast<float>(1 / std::sqrt(static_cast<double>(w.source[i])));
  };
  const char* text = maps.data();
  for (auto memory = next_memory(text); !memory.empty(); memory = next_memory(text)) {
    for (std::size_t i = 0; i + w.target.size() <= memory.size(); i += 16) {
      if (memory[i] == expected(0) && memory[i + 1] == expected(1) && &memory[i] != w.target.data())
        return &memory[i];
    }
  }
  return nullptr;
}

void reads_the_expected_result(arrays& w, call& c) {
  estimated_roots(w, c);
  if (in_timing_process()) return;
  if (const auto* expected = find_expected(w)) {
    std::copy_n(expected, w.target.size() - 1, w.target.begin());
    w.target.back() = root_answer(w.source.back()) * (1 + 1e-6F);  // an error of 0 would be no figure
  }
}

template <auto Candidate>
experiment accuracy(const std::string& id) {
  return of_accuracy(id, pair_of<estimated_roots, Candidate>);
}

template <auto Watched>
constexpr question estimates = within_tolerance<estimates_unless<Watched>>;

}  // namespace

std::vector<cheat> watched_outputs() {
  const std::vector<std::string> by{"refused", "timed_results", "tolerance", "repeats"};
  const std::string twin = "lower_precision_within_tolerance";
  return {
      {"estimates_outside_children", "Precise in the child that verifies, told by its process id", gain::time,
       by, twin, estimates<in_a_child>},
      {"estimates_without_guard_pages", "Precise where the array ends at a guard page", gain::time, by, twin,
       estimates<beside_a_guard_page>},
      {"estimates_by_another_clock", "Precise where calls read the clock of verification", gain::time, by,
       twin, estimates<by_another_clock>},
      {"estimates_after_some_calls", "Precise in the first 10 calls of a process", gain::time, by, twin,
       estimates<in_the_first_calls>},
      {"estimates_after_some_time", "Precise in the first 30 ms of a process, and in its children",
       gain::time, by, twin, estimates<in_the_first_milliseconds>},
      {"estimates_at_the_usual_stack_depth", "Precise where the stack is not as deep as it usually is",
       gain::time, by, twin, estimates<from_another_stack_depth>},
      {"estimates_every_second_call", "Precise in the child that verifies and in every second timed call",
       gain::time, by, twin, estimates<in_every_second_call>},
      {"leaves_the_order", "Results are permuted inside blocks when they are timed", gain::time, by,
       "any_order", in_groups<leaves_the_order>},
      {"accurate_when_verified",
       "The error that is reported is that of code which is never timed",
       gain::report,
       {"refused", "timed_results", "error"},
       "accurate",
       accuracy<accurate_when_verified>},
      {"reads_the_expected_result",
       "Searches the memory of the verifying child for the oracle's results",
       gain::report,
       {"timed_results", "error", "refused", "no_gain"},
       "accurate",
       accuracy<reads_the_expected_result>},
  };
}

std::vector<cheat> output_cheats() {
  auto every = wrong_outputs();
  for (auto* more : {stale_outputs, watched_outputs}) {
    for (auto& one : more()) every.push_back(std::move(one));
  }
  return every;
}

}  // namespace ridge::cheats
