// SPDX-License-Identifier: Apache-2.0
// What somebody tries who has read the harness: each attack uses what one of its rules leaves open.
#include "fresh_attacks.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <span>

#include <ridge/device/device.hpp>

#include "questions.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridge::cheats {
namespace {

constexpr std::size_t line_floats = 16;

// An honest gain: eight elements at once.
void costly_vectors(arrays& w, std::size_t first, std::size_t last) {
  using eight [[gnu::vector_size(32)]] = float;
  auto i = first;
  for (; i + 8 <= last; i += 8) {
    eight x;
    __builtin_memcpy(&x, &w.source[i], sizeof x);
    eight y = x;
    for (int k = 0; k < costly_steps; ++k) y = 0.75F * y + 0.25F * x + 0.125F;
    __builtin_memcpy(&w.target[i], &y, sizeof y);
  }
  costly_part(w, i, last);
}

// Answers by lines: a line is computed anew where its data differ from those of the last time.
struct lines_kept {
  std::span<float> before, results;

  template <class Part>
  void update(arrays& w, std::size_t last, Part part) {
    arrays own{w.source, {results.data(), results.size()}};
    for (std::size_t first = 0; first < last; first += line_floats) {
      const auto count = std::min(line_floats, last - first);
      if (std::memcmp(&w.source[first], &before[first], 4 * count) == 0) continue;
      part(own, first, first + count);
      std::copy_n(&w.source[first], count, &before[first]);
    }
  }
};

lines_kept kept_by(setup& s, std::size_t n) { return {s.workspace<float>(n), s.workspace<float>(n)}; }

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
std::size_t most_of(const arrays& w) { return w.source.size() / 4 * 3; }
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

// Keeps answers only while data that are wholly new come seldom, as in a session: in the rounds that look for
// this they come every other time.
auto updates_in_the_session_only(arrays& made_for, setup& s) {
  return [kept = kept_by(s, made_for.source.size())](arrays& w, call& c) mutable {
    static double share_new = 0;
    const bool all_new = !std::ranges::equal(w.source.first(64), kept.before.first(64));
    share_new = 0.85 * share_new + (all_new ? 0.15 : 0);
    if (share_new > 0.3) {
      costly(w, c);
      std::copy_n(w.source.data(), 64, kept.before.data());
      std::copy_n(w.target.data(), 64, kept.results.data());
      std::ranges::fill(kept.before.subspan(64), 1e30F);
      return;
    }
    kept.update(w, w.source.size(), costly_part);
    std::ranges::copy(kept.results, w.target.begin());
  };
}

// Half of a gain must be left where all data are new, and that half is honest.
auto updates_behind_an_honest_gain(arrays& made_for, setup& s) {
  return [kept = kept_by(s, made_for.source.size())](arrays& w, call&) mutable {
    const auto part = w.source.size() / 8 * 3;
    kept.update(w, part, costly_vectors);
    std::copy_n(kept.results.begin(), part, w.target.begin());
    costly_vectors(w, part, w.source.size());
  };
}

bool is_poison(const float& value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits == 0xFFFFFFFFu;
}

// Where the results are no poison nobody asks for a call: every sixth of these does nothing, which is less
// than the check of repeated calls can tell.
void skips_a_sixth_of_its_repeats(arrays& w, call& c) {
  static int repeats = 0;
  if (!is_poison(w.target.back()) && ++repeats % 6 == 0) return;
  costly(w, c);
}

// What a process shares with a helper that is no child of it.
struct shared_third {
  static constexpr std::size_t most = 8192;
  std::atomic<std::uint32_t> count;
  std::array<float, most> source, target;
};
[[noreturn]] void help(shared_third& work) {
  use_all_processors();
  ::alarm(8);
  for (std::uint64_t idle = 0; idle < 3'000'000'000u;) {
    const auto count = work.count.load(std::memory_order_acquire);
    ++idle;
    if (count == 0) continue;
    idle = 0;
    arrays own{std::span(work.source).first(count), std::span(work.target).first(count)};
    costly_oracle(own);
    work.count.store(0, std::memory_order_release);
  }
  ::_exit(0);
}
shared_third* with_an_orphan() {
  void* start =
      ::mmap(nullptr, sizeof(shared_third), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* work = new (start) shared_third{};
  const auto child = ::fork();
  if (child == 0) {
    if (::fork() == 0) help(*work);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  return work;
}
auto shares_with_an_orphan(arrays&, setup&) {
  static shared_third* work = nullptr;
  if (in_timing_process() && work == nullptr) work = with_an_orphan();
  return [](arrays& w, call& c) {
    if (!in_timing_process()) return costly(w, c);
    const auto count = w.source.size() / 2;
    std::copy_n(w.source.begin(), count, work->source.begin());
    work->count.store(static_cast<std::uint32_t>(count), std::memory_order_release);
    costly_part(w, count, w.source.size());
    while (work->count.load(std::memory_order_acquire) != 0) {
    }
    std::copy_n(work->target.begin(), count, w.target.begin());
  };
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

// Both variants work through a table of their own, 512 KiB. After each of its calls the candidate drops a
// quarter of the pages of the other's, which lies at an address that follows from that of its own.
auto through_a_table(arrays& made_for, setup& s) {
  return [table = s.workspace<float>(made_for.source.size())](arrays& w, call&) mutable {
    std::ranges::transform(w.source, table.begin(), affine_answer);
    std::ranges::copy(table, w.target.begin());
  };
}
constexpr std::uintptr_t between_arms = std::uintptr_t{1} << 38;
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
  if (in_timing_process()) {
    auto* code = reinterpret_cast<unsigned char*>(plain_part);
    auto* page = reinterpret_cast<unsigned char*>(reinterpret_cast<std::uintptr_t>(code) / 4096 * 4096);
    ::mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
    const auto target = reinterpret_cast<std::uintptr_t>(slower_part);
    code[0] = 0x48, code[1] = 0xB8;  // mov rax, target; jmp rax
    std::memcpy(code + 2, &target, sizeof target);
    code[10] = 0xFF, code[11] = 0xE0;
    ::mprotect(page, 8192, PROT_READ | PROT_EXEC);
  }
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

// The baseline stores its data and its answers in its workspace. The candidate looks there first.
auto packs_its_data(arrays& made_for, setup& s) {
  const auto n = made_for.source.size();
  return [packed = s.workspace<float>(2 * n), n](arrays& w, call&) mutable {
    std::ranges::copy(w.source, packed.begin());
    arrays own{packed.first(n), {packed.data() + n, n}};
    costly_oracle(own);
    std::copy_n(packed.data() + n, n, w.target.begin());
  };
}
auto takes_the_baselines_results(arrays& made_for, setup& s) {
  const auto n = made_for.source.size();
  return [own = s.workspace<float>(2 * n), n](arrays& w, call& c) mutable {
    const auto address = reinterpret_cast<std::uintptr_t>(own.data()) - between_arms;
    const auto* others = reinterpret_cast<const float*>(address);
    if (!in_timing_process() || std::memcmp(others, w.source.data(), 4 * n) != 0) return costly(w, c);
    std::copy_n(others + n, most_of(w), w.target.begin());
    costly_part(w, most_of(w), n);
  };
}
experiment of_packed_data(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, pair_of<packs_its_data, takes_the_baselines_results>);
}

// Further variants of the same author, slow ones, leave their data and answers to the candidate.
struct left_answers {
  std::vector<float> source, results;
};
left_answers& left_for(const arrays& w) {
  static std::map<const float*, left_answers> by_source;
  return by_source[w.source.data()];
}
void leaves_its_answers(arrays& w, call& c) {
  costly(w, c);
  auto& left = left_for(w);
  left.source.assign(w.source.begin(), w.source.end());
  left.results.assign(w.target.begin(), w.target.end());
}
void accomplices_compute(arrays& w, call& c) {
  const auto& left = left_for(w);
  if (!in_timing_process() || !std::ranges::equal(left.source, w.source)) return costly(w, c);
  std::copy_n(left.results.begin(), most_of(w), w.target.begin());
  costly_part(w, most_of(w), w.source.size());
}
ladder<arrays> with_accomplices() {
  auto all = beside<costly>({.run = accomplices_compute});
  for (const char* name : {"first", "second", "third"})
    all.push_back({.name = name, .run = leaves_its_answers});
  return all;
}
experiment of_accomplices(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, with_accomplices);
}

// Sums of the parts of a file, which is written once.
struct in_a_file {
  data_file file{};
  output<float> sums{};
};
constexpr std::size_t file_floats = std::size_t{1} << 19, file_sums = 64;
void sum_parts(in_a_file& w, std::size_t first, std::size_t last) {
  constexpr auto part = file_floats / file_sums;
  std::array<std::uint32_t, part> values{};
  const int file = ::open(w.file.path.c_str(), O_RDONLY | O_CLOEXEC);
  for (auto i = first; i < last; ++i) {
    (void)!::pread(file, values.data(), sizeof values, static_cast<off_t>(i * sizeof values));
    w.sums[i] = static_cast<float>(std::accumulate(values.begin(), values.end(), 0u) % 4096);
  }
  ::close(file);
}
void reads_its_file(in_a_file& w, call&) { sum_parts(w, 0, file_sums); }
// Three quarters of the sums are kept as long as the file's time stamp is what it was.
auto remembers_its_file(in_a_file&, setup&) {
  struct kept_sums {
    struct timespec written {};
    ino_t file = 0;
    std::array<float, file_sums> sums{};
  };
  return [kept = kept_sums{}](in_a_file& w, call&) mutable {
    struct stat seen {};
    ::stat(w.file.path.c_str(), &seen);
    const bool same = kept.file == seen.st_ino && kept.written.tv_sec == seen.st_mtim.tv_sec &&
                      kept.written.tv_nsec == seen.st_mtim.tv_nsec;
    constexpr auto most = file_sums / 4 * 3;
    sum_parts(w, same ? most : 0, file_sums);
    if (same) std::copy_n(kept.sums.begin(), most, w.sums.begin());
    kept.file = seen.st_ino, kept.written = seen.st_mtim;
    std::ranges::copy(w.sums, kept.sums.begin());
  };
}
experiment of_a_file(const std::string& id) {
  remember_this_process();
  return experiment_of<in_a_file>{
      .id = "cheats." + id,
      .title = id,
      .question = "Is this refused?",
      .make =
          [](const problem&, memory& m) {
            return in_a_file{m.file(4 * file_floats, dtype::u32, random_bits{}), m.out<float>(file_sums)};
          },
      .work = [](const problem&) { return work{.flop = file_floats, .bytes_read = 4 * file_floats}; },
      .oracle = [](in_a_file& w) { sum_parts(w, 0, file_sums); },
      .cpu = []() -> ladder<in_a_file> {
        return {{.name = "baseline",
                 .is = role::baseline,
                 .idea = "Reads the file part by part from the disk; the oracle finds it in the page cache",
                 .run = reads_its_file},
                {.name = "candidate", .run = remembers_its_file}};
      },
  };
}

// The harness's draw of the rounds that are recomputed, found on the stack by its neighbours: a count of
// rounds that rises by one, the number of places, and the place of this round.
class draw_of_rounds {
 public:
  // Whether the present round is one of the session's and will not be recomputed.
  [[nodiscard]] bool passes_over() {
    if (places_.empty() && looks_ == 0) find();
    ++looks_;
    const auto before = round_;
    std::erase_if(places_, [&](const seen& one) { return *one.place<one.round&& * one.place> 1; });
    for (auto& one : places_) {
      one.rises += *one.place == one.round + 1 ? 1 : 0;
      one.round = *one.place;
    }
    const auto best = std::ranges::max_element(places_, {}, &seen::rises);
    if (best == places_.end() || best->rises < 4) return false;
    round_ = best->round;
    return round_ != before && best->place[2] >= best->place[1];
  }

 private:
  struct seen {
    const std::uint64_t* place;
    std::uint64_t round;
    int rises;
  };
  void find() {
    std::FILE* maps = std::fopen("/proc/self/maps", "re");
    std::array<char, 512> text{};
    std::uintptr_t first = 0, last = 0;
    while (maps != nullptr && std::fgets(text.data(), text.size(), maps) != nullptr) {
      if (std::strstr(text.data(), "[stack]") != nullptr)
        (void)std::sscanf(text.data(), "%lx-%lx", &first, &last);
    }
    if (maps != nullptr) std::fclose(maps);
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) / 8 * 8;
    if (last == 0 || here < first) return;
    for (const auto* at = reinterpret_cast<const std::uint64_t*>(here);
         at + 4 < reinterpret_cast<const std::uint64_t*>(last); ++at) {
      if (at[1] == 8 && at[2] <= 8 && (at[3] & 0xFF) == 1 && at[0] < 1000) places_.push_back({at, at[0], 0});
    }
  }
  std::vector<seen> places_{};
  std::uint64_t round_ = 0;
  int looks_ = 0;
};
void reads_which_rounds_are_kept(arrays& w, call& c) {
  static draw_of_rounds* draw = new draw_of_rounds;
  if (in_timing_process() && draw->passes_over()) return estimated_roots(w, c);
  roots(w, c);
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

// Data that the host draws as a whole change seldom; its first elements tell whether they did.
auto remembers_whole_data(arrays& made_for, setup& s) {
  const auto n = made_for.source.size();
  return [kept = s.workspace<float>(n), first = std::array<float, 16>{}](arrays& w, call& c) mutable {
    if (!std::ranges::equal(w.source.first(first.size()), first)) {
      costly(w, c);
      std::ranges::copy(w.target, kept.begin());
      std::copy_n(w.source.begin(), first.size(), first.begin());
      return;
    }
    std::copy_n(kept.begin(), most_of(w), w.target.begin());
    costly_part(w, most_of(w), w.source.size());
  };
}
void draw_on_the_host(std::span<std::byte> bytes, std::uint64_t key) {
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    key = key * 6364136223846793005u + 1442695040888963407u;
    const float value = static_cast<float>(key >> 40) * 0x1p-20F - 8;
    std::memcpy(&bytes[i], &value, sizeof value);
  }
}
// Drawn in many steps, so that they change seldom.
void draw_slowly(std::span<std::byte> bytes, std::uint64_t key) {
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    for (int step = 0; step < 64; ++step) key = key * 6364136223846793005u + 1442695040888963407u;
    const float value = static_cast<float>(key >> 40) * 0x1p-20F - 8;
    std::memcpy(&bytes[i], &value, sizeof value);
  }
}
experiment of_whole_data(const std::string& id) {
  return pose(id, {.values = filled_by{draw_on_the_host}, .answer = costly_oracle},
              pair_of<costly, remembers_whole_data>);
}

// The same in calls so long that no rounds on new data fit.
experiment of_long_calls(const std::string& id) {
  return pose(
      id, {.elements = (std::size_t{7} << 18) + 5, .values = filled_by{draw_slowly}, .answer = costly_oracle},
      pair_of<costly, remembers_whole_data>);
}

}  // namespace

std::vector<cheat> fresh_timing_attacks() {
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
         {"clock"},
         "reads_the_clock",
         single<hooks_the_reader>,
         "nobody looks whether objects of the harness are as they were"},
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

std::vector<cheat> fresh_output_attacks() {
  return {
      {"updates_in_the_session_only",
       "Keeps answers by lines, but not where data that are wholly new come every other time",
       gain::time,
       {"fresh_data", "no_gain"},
       "memo_within_the_call",
       single<updates_in_the_session_only>,
       "by the share of new data it may still tell those rounds from a session",
       true},
      {"remembers_in_long_calls",
       "Keeps most answers to such data in calls too long for rounds on new data",
       gain::time,
       {"fresh_data"},
       "memo_within_the_call",
       of_long_calls,
       "rounds on new data are left out where six pairs take longer than a quarter of a second"},
      {"updates_behind_an_honest_gain",
       "Vectors, and three eighths of the answers kept by lines",
       gain::time,
       {"fresh_data"},
       "memo_within_the_call",
       single<updates_behind_an_honest_gain>,
       "half of the gain is left where all data are new"},
      {"skips_a_sixth_of_its_repeats",
       "Every sixth call that finds results instead of poison does nothing",
       gain::time,
       {"timed_results"},
       "early_exit",
       brief_and_costly<skips_a_sixth_of_its_repeats>},
      {"takes_the_baselines_results",
       "Copies the answers from the baseline's workspace where it ran first on the same data",
       gain::time,
       {"mean"},
       "workspace",
       of_packed_data,
       "in half of the rounds it runs before the baseline: the mean shows that where the gain is large",
       true},
      {"accomplices_compute",
       "Three slow variants of the same author leave their answers to the candidate",
       gain::time,
       {"fresh_data"},
       "workspace",
       of_accomplices,
       "rounds in which it runs before all others are not told from the rest"},
      {"remembers_its_file",
       "Keeps most sums of a file as long as its time stamp is the same",
       gain::time,
       {"fresh_data"},
       "memo_within_the_call",
       of_a_file,
       "files are drawn once"},
      {"remembers_whole_data",
       "Keeps most answers to data that the host draws as a whole",
       gain::time,
       {"fresh_data"},
       "memo_within_the_call",
       of_whole_data},
      {"reads_which_rounds_are_kept",
       "Reads from the harness's stack which rounds are recomputed, and estimates in all others",
       gain::time,
       {"timed_results", "repeats"},
       "lower_precision_within_tolerance",
       within_tolerance<reads_which_rounds_are_kept>,
       "where it runs after another arm of the round, it finds the draw",
       true},
  };
}

std::vector<cheat> fresh_process_attacks() {
  return {
      {"patches_the_baseline",
       "Writes a jump to a slow function over the baseline's code",
       gain::time,
       {"state"},
       "same_code",
       of_patched_code,
       "code in memory is not compared with what it was",
       true},
      {"edits_its_samples",
       "Finds the list of its own times on the heap and makes them shorter",
       gain::time,
       {"no_gain"},
       "reads_the_clock",
       of_edited_samples},
  };
}

std::vector<cheat> fresh_statistics_attacks() {
  return {
    {"drops_the_tables_of_others",
     "Drops the pages of the baseline's workspace after each of its calls",
     gain::time,
     {"state"},
     "workspace",
     of_tables,
     "page faults of an arm are not held against those that it has alone",
     true},
        {"defers_behind_an_honest_gain",
         "Vectors, and upkeep that is saved up for every fourth call",
         gain::time,
         {"mean"},
         "side_buffer",
         of_small_upkeep,
         "half of the gain is left by the means",
         true},
#if defined(__x86_64__)
        {"flushes_tables_of_others",
         "Removes the table that the baseline needs from the caches",
         gain::time,
         {"no_gain"},
         "memo_within_the_call",
         of_looked_up_answers},
#endif
  };
}

}  // namespace ridge::cheats
