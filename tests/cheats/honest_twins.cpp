// SPDX-License-Identifier: Apache-2.0
// The features that cheats abuse, used as they are meant to be.
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <map>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <ridge/host/team.hpp>

#include "cheats.hpp"
#include "memory_goal.hpp"
#include "questions.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace ridge::cheats {
namespace {

auto workspace(arrays& made_for, setup& s) {
  return [kept = s.workspace<float>(made_for.target.size())](arrays& w, call&) mutable {
    std::ranges::transform(w.source, kept.begin(), affine_answer);
    std::ranges::copy(kept, w.target.begin());
  };
}

auto smaller_workspace(arrays&, setup& s) {
  return [kept = s.workspace<float>(1024)](arrays& w, call&) mutable {
    for (std::size_t first = 0; first < w.source.size(); first += kept.size()) {
      const auto count = std::min(kept.size(), w.source.size() - first);
      std::transform(&w.source[first], &w.source[first] + count, kept.begin(), affine_answer);
      std::copy_n(kept.begin(), count, &w.target[first]);
    }
  };
}

void on_a_team(arrays& w, call& c) {
  c.team().run([&](int index, int count) {
    const auto share = w.source.size() / static_cast<std::size_t>(count);
    const auto first = static_cast<std::size_t>(index) * share;
    costly_part(w, first, index + 1 == count ? w.source.size() : first + share);
  });
}
ladder<arrays> two_threads() {
  return beside<costly>({.run = on_a_team, .needs = {.cores = 2}, .threads = 2});
}
experiment declared_threads(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, two_threads);
}

struct one_array {
  inout<float> values{};
};
void doubles(one_array& w, call&) {
  for (float& x : w.values) x = affine_answer(x);
}
void doubles_backwards(one_array& w, call&) {
  for (auto i = w.values.size(); i-- > 0;) w.values[i] = affine_answer(w.values[i]);
}
experiment in_place(const std::string& id) {
  return experiment_of<one_array>{
      .id = "cheats." + id,
      .title = id,
      .question = "Is this refused?",
      .axes = {values("elements", {(1 << 17) + 5})},
      .make = [](const problem& p,
                 memory& m) { return one_array{m.both<float>(p.count("elements"), normal{})}; },
      .oracle = [](one_array& w) { std::ranges::transform(w.values, w.values.begin(), affine_answer); },
      .cpu = []() -> ladder<one_array> {
        return {{.name = "baseline", .is = role::baseline, .run = doubles},
                {.name = "candidate", .run = doubles_backwards}};
      },
  };
}

experiment estimates_allowed(const std::string& id) {
  auto stated = root_shape();
  stated.within = tolerance{.rel = 2e-3};
  return pose(id, stated, pair_of<roots, estimated_roots>);
}
experiment accurate(const std::string& id) {
  auto stated = root_shape();
  stated.within = tolerance{.rel = 2e-3};
  auto made = pose(id, stated, pair_of<estimated_roots, roots>);
  made.metrics = {relative_error()};
  return made;
}

// The stage stores pairs of elements apart, and computes nothing.
std::vector<float>& converted(const float* source, std::size_t count) {
  static std::map<const float*, std::vector<float>> by_source;
  auto& layout = by_source[source];
  layout.resize(count);
  return layout;
}
auto reads_the_layout(arrays& made_for, setup& s) {
  return [kept = s.workspace<float>(made_for.source.size())](arrays& w, call&) {
    const auto& layout = converted(w.source.data(), w.source.size());
    const auto half = (w.source.size() + 1) / 2;
    for (std::size_t i = 0; i < w.source.size(); ++i)
      w.target[i] = series_answer<costly_steps>(layout[i % 2 == 0 ? i / 2 : half + i / 2]);
  };
}
void converts(arrays& w, setup&) {
  auto& layout = converted(w.source.data(), w.source.size());
  const auto half = (w.source.size() + 1) / 2;
  for (std::size_t i = 0; i < w.source.size(); ++i) layout[i % 2 == 0 ? i / 2 : half + i / 2] = w.source[i];
}
ladder<arrays> converting() { return beside<costly>({.run = reads_the_layout, .stage = converts}); }
experiment stage_converts(const std::string& id) { return pose(id, {.answer = costly_oracle}, converting); }

ladder<arrays> in_huge_pages() {
  return beside<affine>({.run = affine, .placement = device::placement::huge_pages});
}
experiment huge_pages(const std::string& id) {
  return pose(id, {.elements = (1 << 18) + 5, .answer = affine_oracle}, in_huge_pages);
}

auto side_buffer(arrays&, setup& s) {
  return [zeros = s.workspace<float>(8192 + 64)](arrays& w, call&) mutable {
    std::ranges::fill(zeros, 0.0F);
    for (std::size_t i = 0; i < w.source.size(); ++i) zeros[i] += affine_answer(w.source[i]);
    std::copy_n(zeros.begin(), w.target.size(), w.target.begin());
  };
}

// The place of the first 1 in each row of bits.
void last_first(arrays& w, call&) {
  for (std::size_t r = 0; r < w.target.size(); ++r) {
    std::size_t found = row;
    for (auto i = row; i-- > 0;) {
      if (w.source[r * row + i] == 1.0F) found = i;
    }
    w.target[r] = static_cast<float>(found);
  }
}
void stops_at_the_first(arrays& w, call&) {
  for (std::size_t r = 0; r < w.target.size(); ++r) {
    const auto bits = w.source.subspan(r * row, row);
    w.target[r] = static_cast<float>(std::ranges::find(bits, 1.0F) - bits.begin());
  }
}
experiment early_exit(const std::string& id) {
  return pose(id,
              {.elements = 64 * row,
               .per_result = row,
               .values = integers{2},
               .answer =
                   [](arrays& w) {
                     call none{call_resources{}};
                     last_first(w, none);
                   }},
              pair_of<last_first, stops_at_the_first>);
}

// Sixteen different inputs: their answers are computed once in each call.
void looks_up(arrays& w, call&) {
  std::array<float, 16> answers{};
  for (std::size_t i = 0; i < answers.size(); ++i)
    answers[i] = series_answer<costly_steps>(static_cast<float>(i));
  std::ranges::transform(w.source, w.target.begin(),
                         [&](float x) { return answers[static_cast<std::size_t>(x)]; });
}
experiment few_values(const std::string& id) {
  return pose(id, {.values = integers{16}, .answer = costly_oracle}, pair_of<costly, looks_up>);
}

// Eight at once by the compiler's vectors, and the tail one by one.
void vectors_with_a_tail(arrays& w, call&) {
  using vector [[gnu::vector_size(32)]] = float;
  const auto whole = w.source.size() / 8 * 8;
  for (std::size_t first = 0; first < whole; first += 8) {
    vector x;
    __builtin_memcpy(&x, &w.source[first], sizeof x);
    vector y = x;
    for (int i = 0; i < costly_steps; ++i) y = 0.75F * y + 0.25F * x + 0.125F;
    __builtin_memcpy(&w.target[first], &y, sizeof y);
  }
  costly_part(w, whole, w.source.size());
}

void brief_vectors(arrays& w, call&) {
  using vector [[gnu::vector_size(32)]] = float;
  const auto whole = w.source.size() / 8 * 8;
  for (std::size_t first = 0; first < whole; first += 8) {
    vector x;
    __builtin_memcpy(&x, &w.source[first], sizeof x);
    const vector y = 2 * x + 1;
    __builtin_memcpy(&w.target[first], &y, sizeof y);
  }
  affine_part(w, whole, w.source.size());
}

void flushes_denormals(arrays& w, call& c) {
#if defined(__x86_64__)
  const auto before = _mm_getcsr();
  _mm_setcsr(before | 0x8040u);
  affine(w, c);
  _mm_setcsr(before);
#else
  affine(w, c);
#endif
}

// Changes much of what a process has, and puts all of it back.
void restores(arrays& w, call& c) {
  cpu_set_t cpus;
  ::sched_getaffinity(0, sizeof cpus, &cpus);
  struct sigaction before {};
  ::sigaction(SIGUSR1, nullptr, &before);
  ::signal(SIGUSR1, SIG_IGN);
  const auto mask = ::umask(0);
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  affine(w, c);
  ::close(file);
  ::umask(mask);
  ::sigaction(SIGUSR1, &before, nullptr);
  ::sched_setaffinity(0, sizeof cpus, &cpus);
}

struct not_found {};
void catches(arrays& w, call& c) {
  affine(w, c);
  try {
    throw not_found{};
  } catch (const not_found&) {
    w.target.front() = affine_answer(w.source.front());
  }
}

auto counts_its_calls(arrays&, setup&) {
  return [calls = 0](arrays& w, call& c) mutable {
    ++calls;
    asm volatile("" : : "r"(calls));
    costly(w, c);
  };
}

void backwards(arrays& w, call&) {
  for (auto i = w.source.size(); i-- > 0;) w.target[i] = affine_answer(w.source[i]);
}

void reads_the_clock(arrays& w, call& c) {
  const auto start = c.now();
  costly(w, c);
  if (c.reached(start.after(10))) throw std::runtime_error("a call took more than 10 s");
}

void streams(arrays& w, call& c) {
#if defined(__x86_64__)
  for (std::size_t i = 0; i < w.source.size(); ++i) {
    const float result = affine_answer(w.source[i]);
    int bits = 0;
    __builtin_memcpy(&bits, &result, sizeof bits);
    _mm_stream_si32(reinterpret_cast<int*>(&w.target[i]), bits);
  }
  _mm_sfence();
  (void)c;
#else
  affine(w, c);
#endif
}

void prefetches(arrays& w, call&) {
  for (std::size_t i = 0; i < w.source.size(); ++i) {
    __builtin_prefetch(&w.source[std::min(i + 64, w.source.size() - 1)]);
    w.target[i] = affine_answer(w.source[i]);
  }
}

inline constexpr observable latency{"latency"};
inline constexpr phase useful{"useful"};
void observes(arrays& w, call& c) {
  const auto start = c.now();
  costly(w, c);
  c.observe(latency, start, c.now());
}
void observes_vectors(arrays& w, call& c) {
  const auto start = c.now();
  vectors_with_a_tail(w, c);
  c.observe(latency, start, c.now());
}
experiment observes_truly(const std::string& id) {
  auto stated = pose(id, {.answer = costly_oracle}, pair_of<observes, observes_vectors>);
  stated.metrics = {quantile(latency, 0.5)};
  stated.observed = {latency};
  return stated;
}
void half_is_useful(arrays& w, call& c) {
  const auto half = w.source.size() / 2;
  costly_part(w, 0, half);
  const auto marked = c.in(useful);
  costly_part(w, half, w.source.size());
}
experiment marks_its_phases(const std::string& id) {
  auto stated = pose(id, {.answer = costly_oracle}, pair_of<half_is_useful, half_is_useful>);
  stated.phases = {useful};
  stated.metrics = {goodput(useful)};
  return stated;
}

}  // namespace

std::vector<honest_twin> honest_twins() {
  return {
      {"same_code", "Both variants are the same code", repeated<affine>},
      {"same_code_single", "Both variants are the same code, a call a sample", single<costly>},
      {"same_code_brief", "Both variants are the same code, many calls a sample", brief<affine>},
      {"vectors_brief", "Vectors, many calls a sample", brief<brief_vectors>},
      {"workspace", "A workspace that setup counts", repeated<workspace>},
      {"smaller_workspace", "A smaller workspace where the least memory is asked for",
       least_memory<smaller_workspace>},
      {"declared_threads", "Two threads, declared", declared_threads},
      {"in_place", "Changes an array that is restored before each call", in_place},
      {"lower_precision_within_tolerance", "An estimate that the experiment's tolerance allows",
       estimates_allowed},
      {"accurate", "A smaller error in every call", accurate},
      {"stage_converts_a_layout", "The untimed conversion of inputs stores them in another order",
       stage_converts},
      {"huge_pages", "Arrays in huge pages", huge_pages},
      {"side_buffer", "Clears a buffer in every call and works through it", repeated<side_buffer>},
      {"early_exit", "Ends at the first hit where the data allow it", early_exit},
      {"memo_within_the_call", "A table of answers that each call computes for itself", few_values},
      {"vectors_with_a_tail", "Vectors, and a tail one by one", single<vectors_with_a_tail>},
      {"restores_denormals", "Sets denormal numbers to 0 and puts the mode back",
       repeated<flushes_denormals>},
      {"restores_what_it_changed", "Changes a handler, a mask, a file and puts them back",
       repeated<restores>},
      {"catches_what_it_throws", "Throws and catches", repeated<catches>},
      {"counts_its_calls", "Counts its calls and computes in all of them", single<counts_its_calls>},
      {"any_order", "Writes its results from the last to the first", repeated<backwards>},
      {"reads_the_clock", "Reads the harness's clock", single<reads_the_clock>},
      {"streams", "Writes its results past the caches", repeated<streams>},
      {"prefetches", "Prefetches its own source", repeated<prefetches>},
      {"observes_truly", "Observes the time that it takes", observes_truly},
      {"marks_its_phases", "Marks the half that is useful", marks_its_phases},
  };
}

}  // namespace ridge::cheats
