// SPDX-License-Identifier: Apache-2.0
// Cheats on time by somebody who has read the harness: work where nobody looks, and its own clock.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>

#include <ridge/device/device.hpp>

#include "informed_cheats.hpp"
#include "timing.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridge::cheats {
namespace {

// The untimed conversion keeps three quarters of the answers up to date. It is cheap in rounds in which few
// lines have changed, and where all data are new nobody counts it.
struct staged_answers {
  std::vector<float> before, results;
};
staged_answers& staged_for(const arrays& w) {
  static std::map<const float*, staged_answers> by_source;
  auto& all = by_source[w.source.data()];
  all.before.resize(w.source.size());
  all.results.resize(w.source.size());
  return all;
}
void stages_changed_lines(arrays& w, setup&) {
  auto& all = staged_for(w);
  lines_kept{all.before, all.results}.update(w, most_of(w), costly_part);
}
void completes_staged_lines(arrays& w, call&) {
  std::copy_n(staged_for(w).results.begin(), most_of(w), w.target.begin());
  costly_part(w, most_of(w), w.source.size());
}
ladder<arrays> staging_changes() {
  return beside<costly>({.run = completes_staged_lines, .stage = stages_changed_lines});
}
experiment stages_what_changed(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, staging_changes);
}

// The helper is no child of the process that is timed.
shared_half* with_an_orphan() {
  auto* half = map_shared_half();
  const auto child = ::fork();
  if (child == 0) {
    if (::fork() == 0) {
      ::alarm(8);
      serve(*half);
    }
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  return half;
}
auto shares_with_an_orphan(arrays&, setup&) {
  static shared_half* half = nullptr;
  if (in_timing_process() && half == nullptr) half = with_an_orphan();
  return [](arrays& w, call& c) { in_timing_process() ? compute_with(*half, w) : costly(w, c); };
}

// The question of a copy.
void copies(arrays& w, call&) { std::ranges::copy(w.source, w.target.begin()); }
void copy_oracle(arrays& w) { std::ranges::copy(w.source, w.target.begin()); }

std::span<std::byte> source_pages_of(const arrays& w, std::span<std::byte> pages) {
  const auto offset = pages.data() - reinterpret_cast<std::byte*>(w.target.data());
  auto* start = reinterpret_cast<std::byte*>(const_cast<float*>(w.source.data())) + offset;
  const bool aligned = reinterpret_cast<std::uintptr_t>(start) % 4096 == 0;
  return aligned ? std::span(start, pages.size()) : std::span<std::byte>{};
}
// Both arrays become views of one file in memory, that of the results a private one: a call drops its pages,
// and whoever reads the results next is given those of the source.
std::span<std::byte> make_one_file_of(const arrays& w) {
  const auto pages = pages_inside(std::as_writable_bytes(std::span(w.target)));
  const auto from = source_pages_of(w, pages);
  const int file = static_cast<int>(::memfd_create("pages", MFD_CLOEXEC));
  if (from.empty() || file < 0) return {};
  if (::write(file, from.data(), from.size()) != static_cast<ssize_t>(from.size())) return {};
  constexpr int both = PROT_READ | PROT_WRITE;
  const bool mapped =
      ::mmap(from.data(), from.size(), both, MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) != MAP_FAILED &&
      ::mmap(pages.data(), pages.size(), both, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED;
  ::close(file);
  return mapped ? pages : std::span<std::byte>{};
}
void copy_around(arrays& w, std::span<std::byte> pages) {
  const auto first = static_cast<std::size_t>(reinterpret_cast<float*>(pages.data()) - w.target.data());
  const auto last = first + pages.size() / sizeof(float);
  std::copy_n(w.source.begin(), first, w.target.begin());
  std::copy(&w.source[0] + last, &w.source[0] + w.source.size(), &w.target[0] + last);
}
auto copies_by_remapping(arrays& made_for, setup&) {
  const auto pages = in_timing_process() ? make_one_file_of(made_for) : std::span<std::byte>{};
  return [pages](arrays& w, call& c) {
    if (pages.empty()) return copies(w, c);
    copy_around(w, pages);
    ::madvise(pages.data(), pages.size(), MADV_DONTNEED);
  };
}
// Arrays in huge pages begin at the same place in a page.
ladder<arrays> with_remapping() {
  return beside<copies>({.run = copies_by_remapping, .placement = device::placement::huge_pages});
}
experiment of_a_copy(const std::string& id) {
  return pose(id, {.elements = (1 << 20) + 5, .answer = copy_oracle}, with_remapping);
}

// A large table of counts of a few keys, nearly all of them zero.
struct counting {
  input<std::uint32_t> keys{};
  output<float> counts{};
};
constexpr std::size_t counters = std::size_t{1} << 22;
void count_keys(counting& w) {
  for (const auto key : w.keys) w.counts[key % counters] += 1;
}
void counts_in_zeros(counting& w, call&) {
  std::ranges::fill(w.counts, 0.0F);
  count_keys(w);
}
// Pages that are dropped read as zeros: whoever reads the counts next clears them.
void zeroes_lazily(counting& w, call& c) {
  if (!in_timing_process()) return counts_in_zeros(w, c);
  const auto pages = pages_inside(std::as_writable_bytes(std::span(w.counts)));
  ::madvise(pages.data(), pages.size(), MADV_DONTNEED);
  const auto first = static_cast<std::size_t>(reinterpret_cast<float*>(pages.data()) - w.counts.data());
  const auto last = first + pages.size() / sizeof(float);
  std::fill_n(w.counts.data(), first, 0.0F);
  std::fill(w.counts.data() + last, w.counts.data() + w.counts.size(), 0.0F);
  count_keys(w);
}
experiment of_few_keys(const std::string& id) {
  remember_this_process();
  return experiment_of<counting>{
      .id = "cheats." + id,
      .title = id,
      .question = "Is this refused?",
      .axes = {values("keys", {3})},
      .make =
          [](const problem& p, memory& m) {
            return counting{m.in<std::uint32_t>(p.count("keys"), random_bits{}), m.out<float>(counters)};
          },
      .work = [](const problem&) { return work{.flop = 3, .bytes_read = 12, .bytes_written = 4 * counters}; },
      .oracle =
          [](counting& w) {
            std::ranges::fill(w.counts, 0.0F);
            count_keys(w);
          },
      .cpu = []() -> ladder<counting> {
        return {{.name = "baseline", .is = role::baseline, .run = counts_in_zeros},
                {.name = "candidate", .run = zeroes_lazily}};
      },
  };
}

// The device that digests results is given another table of functions: the last third is computed there.
arrays put_off{};
std::size_t put_off_from = 0;
using digest_function = std::uint64_t (*)(device::device*, std::span<const std::byte>);
digest_function true_digest = nullptr;
std::uint64_t late_digest(device::device* self, std::span<const std::byte> bytes) {
  if (!put_off.target.empty()) costly_part(put_off, put_off_from, put_off.target.size());
  put_off = {};
  return true_digest(self, bytes);
}
bool hook_the_device(const call& c) {
  struct reader {
    void* read;
    void* device;
  } clock;
  std::memcpy(&clock, static_cast<const void*>(&c), sizeof clock);
  std::uint64_t (device::device::*digest)(std::span<const std::byte>) = &device::device::digest;
  std::array<std::uintptr_t, 2> place{};  // in its table, and of the table in the device
  std::memcpy(place.data(), &digest, sizeof place);
  static std::array<void*, 96> table;
  auto* base = static_cast<char*>(clock.device) + place[1];
  void** own = nullptr;
  std::memcpy(&own, base, sizeof own);
  std::copy_n(own - 2, table.size(), table.begin());
  auto& slot = table[2 + (place[0] - 1) / sizeof(void*)];
  true_digest = reinterpret_cast<digest_function>(slot);
  slot = reinterpret_cast<void*>(late_digest);
  void** hooked = table.data() + 2;
  std::memcpy(base, &hooked, sizeof hooked);
  return true;
}
void hooks_the_reader(arrays& w, call& c) {
  if (!in_timing_process()) return costly(w, c);
  static const bool hooked = hook_the_device(c);
  (void)hooked;
  put_off = w, put_off_from = w.source.size() / 3 * 2;
  costly_part(w, 0, put_off_from);
}

#if defined(__x86_64__)
// The sample's start stands on the stack, in ticks: it is moved on by a third of what the call took.
[[gnu::noinline]] void move_the_start(std::uint64_t entered, std::uint64_t by) {
  auto* word = static_cast<std::uint64_t*>(__builtin_frame_address(0));
  for (int i = 0; i < 256; ++i, ++word) {
    if (entered - *word < 20'000) *word += by;
  }
}
void moves_the_start(arrays& w, call& c) {
  const auto entered = __rdtsc();
  costly(w, c);
  if (in_timing_process()) move_the_start(entered, (__rdtsc() - entered) / 3);
}
#endif

}  // namespace

std::vector<cheat> informed_timing_cheats() {
  return {
    {"stages_what_changed",
     "The untimed conversion keeps answers up to date, which costs little while few lines change",
     gain::time,
     {"stage"},
     "stage_converts_a_layout",
     stages_what_changed},
        {"shares_with_an_orphan",
         "Half of the work in a process that is no child of the one that is timed",
         gain::time,
         {"state"},
         "declared_threads",
         single<shares_with_an_orphan>},
        {"hooks_the_reader",
         "Replaces the device's table of functions: a third of the results is computed when they are "
         "digested",
         gain::time,
         {"alone"},
         "reads_the_clock",
         single<hooks_the_reader>},
#if defined(__x86_64__)
        {"moves_the_start",
         "Finds the reading of the clock at the sample's start on the stack and moves it on",
         gain::time,
         {"clock"},
         "reads_the_clock",
         single<moves_the_start>},
#endif
        {"zeroes_lazily",
         "Drops the pages of its results, which then read as zeros, and leaves their clearing to the reader",
         gain::time,
         {"state"},
         "restores_what_it_changed",
         of_few_keys},
        {"copies_by_remapping",
         "Makes its results a private view of the source's memory: whoever reads them fetches the pages",
         gain::time,
         {"state"},
         "restores_what_it_changed",
         of_a_copy},
  };
}

}  // namespace ridge::cheats
