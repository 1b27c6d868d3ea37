// SPDX-License-Identifier: Apache-2.0
// Cheats on results by somebody who has read the harness: answers kept, taken or left out where its draws
// allow it.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>

#include "informed_cheats.hpp"

namespace ridge::cheats {

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

[[gnu::noinline]] std::span<const std::uint64_t> stack_from_here() {
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  std::array<char, 512> text{};
  std::uintptr_t first = 0, last = 0;
  while (maps != nullptr && std::fgets(text.data(), text.size(), maps) != nullptr) {
    if (std::strstr(text.data(), "[stack]") != nullptr)
      (void)std::sscanf(text.data(), "%lx-%lx", &first, &last);
  }
  if (maps != nullptr) std::fclose(maps);
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) / 8 * 8;
  if (last == 0 || here < first) return {};
  return {reinterpret_cast<const std::uint64_t*>(here), (last - here) / 8};
}

namespace {

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
    std::erase_if(places_, [&](const seen& one) {
      const auto now = *one.place;
      return now > 1 && one.round > now;
    });
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
    const auto words = stack_from_here();
    for (std::size_t i = 0; i + 4 < words.size(); ++i) {
      const auto* at = &words[i];
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

std::vector<cheat> informed_output_cheats() {
  return {
      {"updates_in_the_session_only",
       "Keeps answers by lines, but not where data that are wholly new come every other time",
       gain::time,
       {"alone", "fresh_data", "no_gain"},
       "memo_within_the_call",
       single<updates_in_the_session_only>},
      {"remembers_in_long_calls",
       "Keeps most answers to such data in calls too long for rounds on new data",
       gain::time,
       {"alone", "no_gain"},
       "memo_within_the_call",
       of_long_calls,
       "rounds in processes of their own are left out where three take longer than 0.75 s",
       true},
      {"updates_behind_an_honest_gain",
       "Vectors, and three eighths of the answers kept by lines",
       gain::time,
       {"fresh_data"},
       "memo_within_the_call",
       single<updates_behind_an_honest_gain>,
       "nearly 80 % of the gain are left on new data, and must be: on a busy machine the rest is noise",
       true},
      {"skips_a_sixth_of_its_repeats",
       "Every sixth call that finds results instead of poison does nothing",
       gain::time,
       {"timed_results"},
       "early_exit",
       brief_and_costly<skips_a_sixth_of_its_repeats>},
      {"takes_the_baselines_results",
       "Copies the answers from the baseline's workspace where it ran first on the same data",
       gain::time,
       {"alone"},
       "workspace",
       of_packed_data},
      {"accomplices_compute",
       "Three slow variants of the same author leave their answers to the candidate",
       gain::time,
       {"alone"},
       "workspace",
       of_accomplices},
      {"remembers_its_file",
       "Keeps most sums of a file as long as its time stamp is the same",
       gain::time,
       {"alone", "no_gain"},
       "memo_within_the_call",
       of_a_file},
      {"remembers_whole_data",
       "Keeps most answers to data that the host draws as a whole",
       gain::time,
       {"fresh_data"},
       "memo_within_the_call",
       of_whole_data},
      {"reads_which_rounds_are_kept",
       "Reads from the harness's stack which rounds are recomputed, and estimates in all others",
       gain::time,
       {"alone", "timed_results", "repeats", "no_gain"},
       "lower_precision_within_tolerance",
       within_tolerance<reads_which_rounds_are_kept>},
  };
}

}  // namespace ridge::cheats
