// SPDX-License-Identifier: Apache-2.0
// Cheats by somebody who has read how gains are doubted: what a check leaves out, allows or cannot do.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "informed_cheats.hpp"
#include "memory_goal.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridge::cheats {
namespace {

// Keeps answers by lines. Where all data are new too often for a session it sleeps, which costs no processor
// time, until nobody has time for such rounds.
auto naps_on_new_data(arrays& made_for, setup& s) {
  return [kept = kept_by(s, made_for.source.size())](arrays& w, call&) mutable {
    static std::uint32_t seen_new = 0;  // a bit a call
    static int calls = 0;
    constexpr std::uint32_t latest = (1u << 24) - 1;
    const bool all_new = !std::ranges::equal(w.source.first(64), kept.before.first(64));
    seen_new = (seen_new << 1 | (all_new ? 1u : 0u)) & latest;
    ++calls;
    const bool too_often = calls > 60 && std::popcount(seen_new) >= 4;
    if (in_timing_process() ? too_often : calls == 3) ::usleep(600'000);
    kept.update(w, most_of(w), costly_part);
    std::copy_n(kept.results.begin(), most_of(w), w.target.begin());
    costly_part(w, most_of(w), w.source.size());
  };
}

// Where all data are new, a third of the calls takes ten times as long, so that the loss is not clearly more
// than noise.
auto wavers_on_new_data(arrays& made_for, setup& s) {
  auto lots = std::minstd_rand(static_cast<unsigned>(::getpid()));
  return [kept = kept_by(s, made_for.source.size()), lots](arrays& w, call& c) mutable {
    const bool all_new = !std::ranges::equal(w.source.first(64), kept.before.first(64));
    const auto part = w.source.size() / 4;
    kept.update(w, part, costly_part);
    std::copy_n(kept.results.begin(), part, w.target.begin());
    costly_part(w, part, w.source.size());
    if (!all_new || lots() % 3 != 0) return;
    for (int i = 0; i < 9; ++i) costly(w, c);
  };
}

// Upkeep of each call, so many floats of zeros, which the candidate saves up.
template <std::size_t Floats>
void add_to(arrays& w, std::array<float, Floats>& zeros, void (*part)(arrays&, std::size_t, std::size_t)) {
  part(w, 0, w.source.size());
  for (std::size_t i = 0; i < w.source.size(); ++i) w.target[i] += zeros[i];
}
template <std::size_t Floats, auto Part>
void clears_a_buffer(arrays& w, call&) {
  static std::array<float, Floats> zeros;
  std::memset(zeros.data(), 0, sizeof zeros);
  asm volatile("" ::"r"(zeros.data()) : "memory");
  add_to(w, zeros, Part);
}
template <std::size_t Calls, std::size_t Floats, auto Part>
void saves_up(arrays& w, call&) {
  static auto& all = *new std::vector<std::array<float, Floats>>(Calls);
  static std::size_t next = 0;
  if (next == Calls) {
    std::memset(all.data(), 0, Calls * sizeof all[0]);
    next = 0;
  }
  asm volatile("" ::"r"(all.data()) : "memory");
  add_to(w, all[next++], Part);
}
constexpr std::size_t small_upkeep = std::size_t{1} << 17, large_upkeep = std::size_t{1} << 22;
experiment of_rare_upkeep(const std::string& id) {
  return pose(id, {.answer = affine_oracle},
              pair_of<clears_a_buffer<small_upkeep, affine_part>, saves_up<128, small_upkeep, affine_part>>);
}
ladder<arrays> with_an_idle_thread() {
  return beside<clears_a_buffer<large_upkeep, costly_part>>(
      {.run = saves_up<5, large_upkeep, costly_part>, .needs = {.cores = 2}, .threads = 2});
}
experiment of_an_idle_thread(const std::string& id) {
  return pose(id, {.elements = (1 << 17) + (1 << 15) + 5, .answer = costly_oracle}, with_an_idle_thread);
}

inline constexpr observable latency{"latency"};
inline constexpr phase useful{"useful"};
void observes_whole_calls(arrays& w, call& c) {
  const auto start = c.now();
  costly(w, c);
  c.observe(latency, start, c.now());
}
void observes_in_pieces(arrays& w, call& c) {
  constexpr std::size_t pieces = 4;
  const auto n = w.source.size();
  for (std::size_t i = 0; i < pieces; ++i) {
    const auto start = c.now();
    costly_part(w, i * n / pieces, (i + 1) * n / pieces);
    c.observe(latency, start, c.now());
  }
}
experiment of_pieces(const std::string& id) {
  auto stated = pose(id, {.answer = costly_oracle}, pair_of<observes_whole_calls, observes_in_pieces>);
  stated.metrics = {quantile(latency, 0.99)};
  stated.observed = {latency};
  return stated;
}

template <std::size_t Percent>
void marks_a_share(arrays& w, call& c) {
  const auto before = w.source.size() * (100 - Percent) / 100;
  costly_part(w, 0, before);
  const auto marked = c.in(useful);
  costly_part(w, before, w.source.size());
}
experiment of_a_larger_share(const std::string& id) {
  auto stated = pose(id, {.answer = costly_oracle}, pair_of<marks_a_share<50>, marks_a_share<60>>);
  stated.phases = {useful};
  stated.metrics = {goodput(useful)};
  return stated;
}

// The workspace is a file in memory that no address leads to.
auto in_an_unmapped_file(arrays&, setup& s) {
  const int file = static_cast<int>(::memfd_create("workspace", MFD_CLOEXEC));
  return [file, some = s.workspace<float>(large_workspace / 4)](arrays& w, call&) mutable {
    constexpr std::size_t bytes = large_workspace * sizeof(float);
    std::ranges::fill(some, 0.0F);
    std::array<float, row> piece{};
    for (std::size_t at = 0; at < bytes; at += sizeof piece)
      (void)!::pwrite(file, piece.data(), sizeof piece, static_cast<off_t>(at));
    for (std::size_t first = 0; first < w.source.size(); first += row) {
      const auto count = std::min(row, w.source.size() - first);
      std::transform(&w.source[first], &w.source[0] + first + count, piece.begin(), affine_answer);
      (void)!::pwrite(file, piece.data(), 4 * count, static_cast<off_t>(4 * first));
    }
    for (std::size_t first = 0; first < w.source.size(); first += row) {
      const auto count = std::min(row, w.source.size() - first);
      (void)!::pread(file, &w.target[first], 4 * count, static_cast<off_t>(4 * first));
    }
  };
}

// Of a gain by vectors nearly all is moved to the conversion, so that a small one is left where that counts.
struct converted_part {
  std::vector<float> results{};
};
converted_part& converted_for(const arrays& w) {
  static std::map<const float*, converted_part> by_source;
  return by_source[w.source.data()];
}
void converts_most(arrays& w, setup&) {
  auto& all = converted_for(w);
  all.results.resize(w.source.size());
  arrays own{w.source, all.results};
  const auto most = w.source.size() / 8 * 7;
  costly_vectors(own, 0, most);
}
void computes_the_rest(arrays& w, call&) {
  const auto most = w.source.size() / 8 * 7;
  std::copy_n(converted_for(w).results.begin(), most, w.target.begin());
  costly_part(w, most, w.source.size());
}
ladder<arrays> converting_most() {
  return beside<costly>({.run = computes_the_rest, .stage = converts_most});
}
experiment of_a_conversion(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, converting_most);
}

// Normal values are drawn as multiples of 2^-16: a table made in set-up has the answers to most of them.
constexpr int table_half = 3 << 15;
constexpr int long_steps = 48;
void long_series(arrays& w, call&) {
  std::ranges::transform(w.source, w.target.begin(), series_answer<long_steps>);
}
auto tabulates_the_draws(arrays&, setup&) {
  static const auto* table = [] {
    auto* made = new std::vector<float>(2 * std::size_t{table_half});
    for (int i = 0; i < 2 * table_half; ++i)
      (*made)[static_cast<std::size_t>(i)] =
          series_answer<long_steps>(static_cast<float>(i - table_half) * 0x1p-16F);
    return made;
  }();
  return [](arrays& w, call&) {
    std::ranges::transform(w.source, w.target.begin(), [](float x) {
      const float multiple = x * 0x1p16F;
      const int index = std::abs(multiple) < table_half - 1 ? static_cast<int>(multiple) : table_half;
      if (index == table_half || static_cast<float>(index) != multiple) return series_answer<long_steps>(x);
      const int place = index + table_half;
      return (*table)[static_cast<std::size_t>(place)];
    });
  };
}
experiment of_tabulated_draws(const std::string& id) {
  return pose(id,
              {.answer =
                   [](arrays& w) {
                     call none{call_resources{}};
                     long_series(w, none);
                   }},
              pair_of<long_series, tabulates_the_draws>);
}

// Whatever permutation is drawn, its sorted form is the same.
struct sorting {
  input<std::uint32_t> numbers{};
  output<std::uint32_t> sorted{};
};
void counting_sort(sorting& w, call&) {
  for (const auto number : w.numbers) w.sorted[number] = number;
}
void knows_the_answer(sorting& w, call&) { std::iota(w.sorted.begin(), w.sorted.end(), 0u); }
experiment of_a_known_answer(const std::string& id) {
  remember_this_process();
  return experiment_of<sorting>{
      .id = "cheats." + id,
      .title = id,
      .question = "Is this refused?",
      .axes = {values("elements", {32768})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return sorting{m.in<std::uint32_t>(n, permutation{}), m.out<std::uint32_t>(n)};
          },
      .work =
          [](const problem& p) {
            return work{.flop = p.real("elements"),
                        .bytes_read = 4 * p.real("elements"),
                        .bytes_written = 4 * p.real("elements")};
          },
      .oracle =
          [](sorting& w) {
            std::ranges::copy(w.numbers, w.sorted.begin());
            std::ranges::sort(w.sorted);
          },
      .cpu = []() -> ladder<sorting> {
        return {{.name = "baseline", .is = role::baseline, .run = counting_sort},
                {.name = "candidate", .run = knows_the_answer}};
      },
  };
}

#if defined(__x86_64__)
// The start of a sample is moved on by less than clocks may differ.
class little_steps {
 public:
  // Looks where it stands in the first calls.
  [[gnu::noinline]] void move(std::uint64_t entered) {
    constexpr std::size_t looked_at = 256;
    constexpr std::uint64_t recent = 5'000, step = 1'150;  // ticks
    auto* words = static_cast<std::uint64_t*>(__builtin_frame_address(0));
    for (std::size_t i = 0; calls_ < 8 && i < looked_at; ++i) {
      if (entered - words[i] < recent && std::ranges::find(places_, i) == places_.end()) places_.push_back(i);
    }
    ++calls_;
    for (const auto place : places_) {
      if (entered - words[place] < recent) words[place] += step;
    }
  }

 private:
  std::vector<std::size_t> places_{};
  int calls_ = 0;
};
void moves_the_start_a_little(arrays& w, call& c) {
  static little_steps steps;
  static const bool timing = in_timing_process();
  const auto entered = __rdtsc();
  costly(w, c);
  if (timing) steps.move(entered);
}
experiment of_short_samples(const std::string& id) {
  return pose(id, {.elements = 400 + 5, .answer = costly_oracle}, pair_of<costly, moves_the_start_a_little>);
}
#endif

ladder<arrays> in_half_precision() {
  return beside<roots>(
      {.run = estimated_roots, .within = tolerance{.rel = 1e-3}, .arithmetic = arithmetic::fp16});
}
experiment of_half_precision(const std::string& id) { return pose(id, root_shape(), in_half_precision); }

// What checks of gains leave out.
std::vector<cheat> on_gains() {
  return {
      {"naps_on_new_data",
       "Keeps answers by lines, and sleeps where all data are new too often",
       gain::time,
       {"fresh_data", "alone"},
       "memo_within_the_call",
       single<naps_on_new_data>,
       "rounds on new data are left out where few fit their time, whoever is slow; sleep costs no processor "
       "time",
       true},
      {"wavers_on_new_data",
       "Keeps a quarter of the answers by lines, and is slow in a third of the calls where all data are "
       "new",
       gain::time,
       {"fresh_data", "alone"},
       "memo_within_the_call",
       single<wavers_on_new_data>,
       "a loss is held against the spread of the ratios, to which the candidate adds its own",
       true},
      {"saves_up_for_128_calls",
       "Upkeep of every call, all of it in every 128th",
       gain::time,
       {"mean"},
       "side_buffer",
       of_rare_upkeep,
       "the slowest hundredth counts as much as the fastest of it",
       true},
      {"declares_an_idle_thread",
       "Upkeep in every fifth call, and a second thread that does nothing",
       gain::time,
       {"mean"},
       "side_buffer",
       of_an_idle_thread,
       "means are not compared where a variant declares several threads",
       true},
  };
}

// What checks of declarations leave out.
std::vector<cheat> on_declarations() {
  return {
    {"observes_in_pieces", "Observes each call as four durations",
     gain::report,         {"spans"},
     "observes_truly",     of_pieces},
        {"marks_a_fifth_more", "Marks a fifth more of its time as useful",
         gain::report,         {"spans"},
         "marks_its_phases",   of_a_larger_share},
        {"memory_without_an_address",
         "The workspace is a file in memory that is never mapped",
         gain::report,
         {"memory", "audit"},
         "smaller_workspace",
         least_memory<in_an_unmapped_file>,
         "only mapped memory is counted"},
        {"stages_most_of_a_gain",
         "An honest gain, whose time is moved to the untimed conversion",
         gain::time,
         {"stage"},
         "stage_converts_a_layout",
         of_a_conversion},
        {"tabulates_the_draws",
         "A table of the answers to all multiples of 2^-16, as normal values are drawn",
         gain::time,
         {"fresh_data", "alone"},
         "memo_within_the_call",
         of_tabulated_draws,
         "normal values are multiples of 2^-16"},
        {"knows_the_answer",
         "Does not read its input: the answer is the same for all data",
         gain::time,
         {"verified", "refused"},
         "any_order",
         of_a_known_answer,
         "nobody asks whether the answers depend on the data",
         true},
#if defined(__x86_64__)
        {"moves_the_start_a_little",
         "Moves the start of its samples on by less than clocks may differ",
         gain::time,
         {"clock"},
         "reads_the_clock",
         of_short_samples,
         "clocks may differ by 0.5 us, and a gain below 10 % is not held against anything",
         true},
#endif
        {"calls_an_estimate_half_precision",
         "States fp16 arithmetic, whose tolerance an estimate keeps",
         gain::time,
         {"tolerance", "arithmetic"},
         "lower_precision_within_tolerance",
         of_half_precision,
         "a type that is stated loosens the tolerance, up to four times its roundoff"},
  };
}

}  // namespace

std::vector<cheat> informed_claim_cheats() {
  auto all = on_gains();
  std::ranges::move(on_declarations(), std::back_inserter(all));
  return all;
}

}  // namespace ridge::cheats
