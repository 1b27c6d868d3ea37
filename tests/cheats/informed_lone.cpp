// SPDX-License-Identifier: Apache-2.0
// Cheats by somebody who has read how variants are timed alone: the baseline is slowed in the process of the
// family, and what would show that is evaded where each variant has a process of its own.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <ridge/base/splitmix.hpp>
#include <ridge/device/fill.hpp>

#include "informed_cheats.hpp"
#include "timing.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridge::cheats {
namespace {

#if defined(__x86_64__)

// The baseline's function, which the candidate does not call, and two that do a part of it twice.
[[gnu::noinline, gnu::aligned(64)]] void all_of(arrays& w) { costly_part(w, 0, w.source.size()); }
template <int Part>
[[gnu::noinline]] void more_than_all_of(arrays& w) {
  costly_part(w, 0, w.source.size() / Part);
  asm volatile("" ::: "memory");
  costly_part(w, 0, w.source.size());
}
void by_a_function(arrays& w, call&) { all_of(w); }

// Makes the baseline's calls longer by one part of `Part` in the process that times the family.
template <int Part>
void slow_the_baseline() {
  if (in_timing_process()) write_jump(all_of, more_than_all_of<Part>);
}
template <auto Candidate>
experiment of_a_slowed_baseline(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, pair_of<by_a_function, Candidate>);
}

// Counts the calls of this process where it is not the one that times the family; 0 there.
int calls_elsewhere() {
  static int calls = 0;
  return in_timing_process() ? 0 : ++calls;
}

// Verification makes two calls, and a lone process three in its first round.
auto naps_once_alone(arrays&, setup&) {
  slow_the_baseline<3>();
  return [](arrays& w, call& c) {
    if (calls_elsewhere() == 3) ::usleep(600'000);
    costly(w, c);
  };
}

// A third of the calls takes ten times as long, so that the loss is not clearly more than noise.
auto wavers_alone(arrays&, setup&) {
  slow_the_baseline<4>();
  return [lots = std::minstd_rand(static_cast<unsigned>(::getpid()))](arrays& w, call& c) mutable {
    if (calls_elsewhere() > 2 && lots() % 3 == 0) {
      for (int i = 0; i < 9; ++i) costly(w, c);
    }
    costly(w, c);
  };
}

// Long calls on other data leave time for three rounds, of which only a large loss is believed.
auto naps_before_it_is_timed(arrays&, setup&) {
  slow_the_baseline<4>();
  return [lots = std::minstd_rand(static_cast<unsigned>(::getpid()))](arrays& w, call& c) mutable {
    static const float* first = nullptr;
    const bool elsewhere = calls_elsewhere() > 0;
    if (elsewhere && first == nullptr) first = w.source.data();
    if (elsewhere && first == w.source.data()) ::usleep(40'000);
    if (elsewhere && first != w.source.data())
      for (auto more = lots() % 8; more > 0; --more) costly_part(w, 0, w.source.size() / 2);
    costly(w, c);
  };
}

auto slows_the_baseline(arrays&, setup&) {
  slow_the_baseline<3>();
  return [](arrays& w, call& c) { costly(w, c); };
}
ladder<arrays> in_pages_of_its_own() {
  return beside<by_a_function>({.run = slows_the_baseline, .placement = device::placement::small_pages});
}
experiment of_pages_of_its_own(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, in_pages_of_its_own);
}

auto slows_behind_an_honest_gain(arrays&, setup&) {
  slow_the_baseline<3>();
  return [](arrays& w, call&) { costly_vectors(w, 0, w.source.size()); };
}

// In a lone process the sample's start stands on the stack as it was read.
[[gnu::noinline]] void move_the_lone_start(std::uint64_t entered, std::uint64_t by) {
  auto* word = static_cast<std::uint64_t*>(__builtin_frame_address(0));
  for (int i = 0; i < 512; ++i, ++word) {
    if (entered - *word < 20'000) *word += by;
  }
}
auto moves_the_lone_start(arrays&, setup&) {
  slow_the_baseline<3>();
  return [](arrays& w, call& c) {
    const auto entered = __rdtsc();
    costly(w, c);
    if (calls_elsewhere() > 0) move_the_lone_start(entered, (__rdtsc() - entered) / 3);
  };
}

// The clock of a lone process: the start of a sample stands on its stack under a mask, and the mask beside
// it.
class lone_clock {
 public:
  // Moves the start of the sample that a call entered at `entered` is part of on by so many ticks, once the
  // mask is found.
  [[gnu::noinline]] void move_start(std::uint64_t entered, std::int64_t ticks) {
    if (!mask_) return;
    for (auto& word : std::span(static_cast<std::uint64_t*>(__builtin_frame_address(0)) - saved, words)) {
      if (is_just_before(word ^ *mask_, entered))
        word = ((word ^ *mask_) + static_cast<std::uint64_t>(ticks)) ^ *mask_;
    }
  }
  // Looks for the mask: of two words that give a reading right before the call, the one that stays from call
  // to call.
  [[gnu::noinline]] void look_for_the_mask(std::uint64_t entered) {
    if (mask_) return;
    const std::span all(static_cast<const std::uint64_t*>(__builtin_frame_address(0)) - saved, words);
    std::vector<std::uint64_t> found;
    for (const auto a : all) {
      for (const auto b : all) {
        if (a >> 48U != 0 && is_just_before(a ^ b, entered)) found.push_back(a);
      }
    }
    for (const auto word : found) {
      if (std::ranges::find(suspects_, word) != suspects_.end()) mask_ = word;
    }
    suspects_ = found;
  }

 private:
  static constexpr std::size_t words = 512, saved = 8;  // of these: registers that a function saves
  static bool is_just_before(std::uint64_t reading, std::uint64_t entered) {
    return entered - reading < 60'000;
  }

  std::optional<std::uint64_t> mask_{};
  std::vector<std::uint64_t> suspects_{};
};

// Calls `move` with the clock, the ticks when the call began, a quarter of what it took, and how many calls
// the present round has timed. The mask is sought while nothing is timed.
template <class Move>
auto moves_the_masked_start(Move move) {
  slow_the_baseline<3>();
  return [move](arrays& w, call& c) mutable {
    static lone_clock clock;
    static const float* other = nullptr;
    static int timed = 0;
    const auto entered = __rdtsc();
    costly(w, c);
    if (calls_elsewhere() == 0) return;
    if (other == nullptr) other = w.source.data();
    timed = w.source.data() == other ? 0 : timed + 1;
    if (timed == 0) return clock.look_for_the_mask(entered);
    move(clock, entered, static_cast<std::int64_t>((__rdtsc() - entered) / 4), timed);
  };
}
auto moves_time_to_the_next_sample(arrays&, setup&) {
  return moves_the_masked_start(
      [](lone_clock& clock, std::uint64_t entered, std::int64_t quarter, int timed) {
        clock.move_start(entered, timed == 1 ? quarter : timed == 2 ? -quarter : 0);
      });
}
auto hides_time_in_most_rounds(arrays&, setup&) {
  return moves_the_masked_start(
      [lots = std::minstd_rand(static_cast<unsigned>(::getpid())), hides = false](
          lone_clock& clock, std::uint64_t entered, std::int64_t quarter, int timed) mutable {
        if (timed == 1) hides = lots() % 10 < 6;
        clock.move_start(entered, hides ? quarter : 0);
      });
}

// The jump is written over the code of the baseline's lone process as well.
void slow_the_siblings() {
  const auto parent = std::to_string(::getppid());
  std::FILE* list = std::fopen(("/proc/" + parent + "/task/" + parent + "/children").c_str(), "re");
  int sibling = 0;
  while (list != nullptr && std::fscanf(list, "%d", &sibling) == 1) {
    if (sibling == ::getpid()) continue;
    const int memory = ::open(("/proc/" + std::to_string(sibling) + "/mem").c_str(), O_RDWR | O_CLOEXEC);
    const auto code = jump_to(more_than_all_of<3>);
    if (memory >= 0) {
      (void)!::pwrite(memory, code.data(), code.size(), reinterpret_cast<off_t>(all_of));
      ::close(memory);
    }
  }
  if (list != nullptr) std::fclose(list);
}
auto slows_its_siblings(arrays&, setup&) {
  slow_the_baseline<3>();
  if (!in_timing_process()) slow_the_siblings();
  return [](arrays& w, call& c) { costly(w, c); };
}

// The draws of lone rounds follow from the state of a generator, which stands on the stack of the process
// that was forked (verify/lone_rounds.cpp). The untimed call before each sample computes its answers.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  const auto once = splitmix_finalizer(a + splitmix_increment + b);
  return splitmix_finalizer(once + splitmix_increment);
}
void draw_source(std::span<float> source, std::uint64_t key) {
  device::fill(std::as_writable_bytes(source), dtype::fp32, normal{}, mixed(key, 1), 0, source.size());
}
class lone_draws {
 public:
  // Finds the generator whose first output is the key of these data.
  void find(const arrays& w) {
    for (const auto word : stack_from_here()) {
      if (found_) return;
      std::array<float, 16> drawn{};
      splitmix_generator lots(word);
      draw_source(drawn, lots());
      if (std::ranges::equal(drawn, w.source.first(drawn.size()))) lots_ = lots, found_ = true;
    }
  }
  // Computes most answers to the data of the next round.
  void compute_next(std::size_t n) {
    if (!found_) return;
    (void)lots_();
    source_.resize(n), results_.resize(n);
    draw_source(source_, mixed(lots_(), 0));  // that of the first member of the round
    (void)lots_();
    arrays own{source_, results_};
    costly_part(own, 0, most_of(own));
  }
  [[nodiscard]] bool answer(arrays& w) const {
    if (source_.size() != w.source.size() ||
        !std::equal(source_.begin(), source_.begin() + 64, w.source.begin()))
      return false;
    std::copy_n(results_.begin(), most_of(w), w.target.begin());
    costly_part(w, most_of(w), w.source.size());
    return true;
  }

 private:
  splitmix_generator lots_{0};
  bool found_ = false;
  std::vector<float> source_{}, results_{};
};
auto computes_in_the_call_before(arrays&, setup&) {
  slow_the_baseline<3>();
  return [](arrays& w, call& c) {
    static auto* draws = new lone_draws;
    static const float* other = nullptr;
    const auto calls = calls_elsewhere();
    if (calls == 0) return costly(w, c);
    if (calls == 1) other = w.source.data();
    if (w.source.data() != other && draws->answer(w)) return;
    costly(w, c);
    if (calls == 1) draws->find(w);
    if (calls > 1 && w.source.data() == other) draws->compute_next(w.source.size());
  };
}

#endif

// Slow variants of the same author leave data and answers in memory that all processes share.
struct shared_answers {
  static constexpr std::size_t most = 16384;
  std::size_t count;
  std::array<float, most> source, results;
};
shared_answers*& shared_by_variants() {
  static shared_answers* all = nullptr;
  return all;
}
void leaves_answers_to_all(arrays& w, call& c) {
  costly(w, c);
  auto& left = *shared_by_variants();
  left.count = w.source.size();
  std::ranges::copy(w.source, left.source.begin());
  std::ranges::copy(w.target, left.results.begin());
}
void accomplices_share_memory(arrays& w, call& c) {
  const auto& left = *shared_by_variants();
  const auto n = w.source.size();
  if (left.count != n || std::memcmp(left.source.data(), w.source.data(), 4 * n) != 0) return costly(w, c);
  std::copy_n(left.results.begin(), n / 4, w.target.begin());
  costly_part(w, n / 4, n);
}
ladder<arrays> with_memory_for_all() {
  void* made =
      ::mmap(nullptr, sizeof(shared_answers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  shared_by_variants() = static_cast<shared_answers*>(made);
  auto all = beside<costly>({.run = accomplices_share_memory});
  for (char name = 'a'; name <= 'k'; ++name)
    all.push_back({.name = std::string(1, name), .run = leaves_answers_to_all});
  return all;
}
experiment of_memory_for_all(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, with_memory_for_all);
}

// A helper that is older than the family's process, started where the variants are listed.
shared_half*& elder_half() {
  static shared_half* half = nullptr;
  return half;
}
void shares_with_an_elder(arrays& w, call&) { compute_with(*elder_half(), w); }
ladder<arrays> with_an_elder() {
  auto made = beside<costly>({.run = shares_with_an_elder});
  elder_half() = map_shared_half();
  const auto parent = ::getpid();
  if (::fork() == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);
    serve(*elder_half());
  }
  return made;
}
experiment of_an_elder(const std::string& id) { return pose(id, {.answer = costly_oracle}, with_an_elder); }

}  // namespace

std::vector<cheat> informed_lone_cheats() {
  return {
#if defined(__x86_64__)
    {"naps_once_alone", "Slows the baseline, and sleeps once where it is alone",
     gain::time,        {"alone", "state", "no_gain"},
     "same_code",       of_a_slowed_baseline<naps_once_alone>},
        {"wavers_alone", "Slows the baseline, and is slow in a third of its calls where it is alone",
         gain::time,     {"alone", "state", "no_gain"},
         "same_code",    of_a_slowed_baseline<wavers_alone>},
        {"naps_before_it_is_timed",
         "Slows the baseline, and sleeps in the untimed calls where it is alone",
         gain::time,
         {"alone", "state", "no_gain"},
         "same_code",
         of_a_slowed_baseline<naps_before_it_is_timed>},
        {"lies_in_other_pages",
         "Slows the baseline, and asks for arrays in small pages",
         gain::time,
         {"alone", "state", "no_gain"},
         "same_code",
         of_pages_of_its_own},
        {"slows_behind_an_honest_gain",
         "Vectors, and a slowed baseline",
         gain::time,
         {"alone", "state", "no_gain"},
         "vectors_with_a_tail",
         of_a_slowed_baseline<slows_behind_an_honest_gain>},
        {"moves_the_lone_start",
         "Slows the baseline, and moves the start of its samples on where it is alone",
         gain::time,
         {"alone", "state", "no_gain"},
         "reads_the_clock",
         of_a_slowed_baseline<moves_the_lone_start>},
        {"moves_time_to_the_next_sample",
         "Slows the baseline; alone it finds the mask of the clock and moves time from the first sample of a "
         "round to the second",
         gain::time,
         {"alone", "no_gain"},
         "reads_the_clock",
         of_a_slowed_baseline<moves_time_to_the_next_sample>},
        {"hides_time_in_most_rounds",
         "Slows the baseline; alone it moves the masked start of its samples on in six rounds of ten",
         gain::time,
         {"alone", "no_gain"},
         "reads_the_clock",
         of_a_slowed_baseline<hides_time_in_most_rounds>},
        {"slows_its_siblings", "Writes a jump over the baseline's code in both processes",
         gain::time,           {"alone", "state", "no_gain"},
         "same_code",          of_a_slowed_baseline<slows_its_siblings>},
        {"computes_in_the_call_before",
         "Slows the baseline; alone it finds the generator of its data and computes answers before they are "
         "asked",
         gain::time,
         {"alone", "state", "no_gain"},
         "counts_its_calls",
         of_a_slowed_baseline<computes_in_the_call_before>},
#endif
        {"accomplices_share_memory",
         "Eleven slow variants leave their answers in memory that processes share",
         gain::time,
         {"alone", "refused", "no_gain"},
         "workspace",
         of_memory_for_all},
        {"shares_with_an_elder",
         "Half of the work in a process that is older than the family's",
         gain::time,
         {"alone", "refused", "no_gain"},
         "declared_threads",
         of_an_elder},
  };
}

}  // namespace ridge::cheats
