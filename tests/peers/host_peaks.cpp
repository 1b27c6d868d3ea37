// SPDX-License-Identifier: Apache-2.0
// What `ridge peak` measures of a CPU beside STREAM-style loops on the same arrays, in turns; and how well
// its rows repeat.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <ridge/base/units.hpp>
#include <ridge/probe/measure_peaks.hpp>
#include <ridge/stats/median.hpp>

#include "memory/memory_probe.hpp"
#include "stream_loops.hpp"

namespace ridge::backends::measure_steady_clock {
std::unique_ptr<measure::clock> make();
}  // namespace ridge::backends::measure_steady_clock
namespace ridge::backends::probe_host {
std::unique_ptr<probe::prober> make();
}  // namespace ridge::backends::probe_host

namespace {

using namespace ridge;
using backends::probe_host::probe_arrays, backends::probe_host::sampler;
using stats::median;

constexpr std::size_t first = 8, counted_windows = 40;  // the first are dropped, as STREAM does

struct pass_rates {
  double best = 0, median = 0;  // bytes per second, of the undisturbed windows when there are seven
};

// Measures in windows, as Ridge does, so that a busy machine leaves some of them undisturbed.
pass_rates rates_of(sampler& clock, const probe_arrays& arrays, const peers::stream_loop& loop) {
  const auto doubles = [](float* p) { return static_cast<double*>(static_cast<void*>(p)); };
  const auto n = backends::probe_host::array_walk(arrays).window_elements() / 2 / 64 * 64;
  const auto windows = arrays.elements() / 2 / n;
  std::vector<double> all, clean;
  for (std::size_t i = 0; i < first + counted_windows; ++i) {
    const auto t = clock.time([&](int rank, int size) {
      const auto r = static_cast<std::size_t>(rank), of = static_cast<std::size_t>(size);
      const auto from = n / 64 * r / of * 64, to = n / 64 * (r + 1) / of * 64, at = i % windows * n + from;
      volatile double kept =
          loop.run(doubles(arrays.a()) + at, doubles(arrays.b()) + at, doubles(arrays.c()) + at, to - from);
      static_cast<void>(kept);
    });
    if (i < first) continue;
    all.push_back(loop.arrays * static_cast<double>(8 * n) / t.seconds);
    if (t.clean) clean.push_back(all.back());
  }
  const auto& counted = clean.size() < 7 ? all : clean;
  return {std::ranges::max(counted), median(counted)};
}

struct tally {
  std::vector<double> ours{};
  bool disturbed = false;
  std::string variant{};
  std::map<std::string, std::vector<pass_rates>> peers{};  // one figure per turn
};

void measure_ours(std::map<std::string, tally>& tallies, sampler& clock, const probe_arrays& arrays) {
  using namespace backends::probe_host;
  arrays.fill(clock);
  for (const auto probe : {probe_read, probe_copy, probe_triad}) {
    const auto row = probe(clock, arrays).front();
    auto& t = tallies[row.id];
    t.ours.push_back(row.value), t.disturbed |= row.disturbed, t.variant = row.variant;
  }
}

void measure_peers(std::map<std::string, tally>& tallies, sampler& clock, const probe_arrays& arrays) {
  const auto meet = [&](const auto& loops, const std::string& options) {
    for (const auto& loop : loops) {
      tallies[std::string(loop.id)].peers[std::string(loop.name) + ", " + options].push_back(
          rates_of(clock, arrays, loop));
    }
  };
  meet(peers::plain_stream_loops(), "-O3");
  meet(peers::native_stream_loops(), "-O3 -march=native");
}

// Returns the figures of the peer with the highest median over the turns.
void print(const std::string& id, const tally& t) {
  std::string name;
  double middle = 0, best = 0;
  for (const auto& [peer, turns] : t.peers) {
    std::vector<double> medians;
    double highest = 0;
    for (const auto& turn : turns) medians.push_back(turn.median), highest = std::max(highest, turn.best);
    if (const double m = median(medians); m > middle) middle = m, best = highest, name = peer;
  }
  const double ours = median(t.ours), our_best = std::ranges::max(t.ours);
  fmt::print("  {:<10} {:>9} {}{}\n", id, format_quantity(ours, "B/s"), t.variant,
             t.disturbed ? ", disturbed" : "");
  fmt::print("  {:<10} {:>9} {}, best window {}\n", "  peer", format_quantity(middle, "B/s"), name,
             format_quantity(best, "B/s"));
  fmt::print("  {:<10} {:.3f} of medians, {:.3f} of our best row to their best window\n", "  ratio",
             ours / middle, our_best / best);
}

void compare(const measure::clock& clock, int threads, std::size_t bytes, int rounds) {
  sampler on(clock, threads);
  const probe_arrays arrays(bytes);
  std::map<std::string, tally> rows;
  for (int i = 0; i < rounds; ++i) measure_ours(rows, on, arrays), measure_peers(rows, on, arrays);
  fmt::print("{} thread(s), arrays of {}, {} turns\n", on.threads(),
             format_quantity(static_cast<double>(bytes), "B"), rounds);
  for (const auto& [id, t] : rows) print(id, t);
}

struct history {
  std::vector<double> undisturbed{}, per_cycle{};  // the latter where the clock is known
  int calls = 0;
};

// Returns the distance of the least and the largest value as text, in percent of the median.
std::string spread_of(const std::vector<double>& values) {
  if (values.empty()) return "";
  const auto [lo, hi] = std::ranges::minmax(values);
  return fmt::format("{:.2f} %", 100 * (hi - lo) / median(values));
}

// Prints the spread of five undisturbed calls (of at most fifteen) of each row, in seconds and in cycles.
// Where the host changes the clock, the cycles show how well the probe itself repeats.
void repeat(const measure::clock& clock, const std::vector<std::string>& only) {
  constexpr int most = 15;
  constexpr std::size_t wanted = 5;
  const auto with = backends::probe_host::make();
  std::map<std::pair<std::string, int>, history> rows;
  for (int call = 0; call < most; ++call) {
    for (const auto& row : probe::measure_peaks(*with, {.clock = clock, .depth = probe::depth::quick},
                                                probe::row_filter(only))) {
      auto& seen = rows[{row.id, row.threads}];
      if (seen.undisturbed.size() == wanted) continue;
      ++seen.calls;
      if (row.disturbed) continue;
      seen.undisturbed.push_back(row.value);
      if (row.clock_hz > 0) seen.per_cycle.push_back(row.value / row.clock_hz);
    }
    if (std::ranges::all_of(rows, [](const auto& r) { return r.second.undisturbed.size() == wanted; })) break;
  }
  constexpr auto line = "{:<28} {:>7} {:>6} {:>12} {:>10} {:>10}\n";
  fmt::print(line, "row", "threads", "calls", "median", "spread", "in cycles");
  for (const auto& [key, seen] : rows) {
    const bool enough = seen.undisturbed.size() == wanted;
    fmt::print(line, key.first, key.second, seen.calls,
               enough ? fmt::format("{:.5g}", median(seen.undisturbed)) : "-",
               enough ? spread_of(seen.undisturbed) : "disturbed", enough ? spread_of(seen.per_cycle) : "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool repeated = false;
  int rounds = 3;
  std::size_t mib = 0;
  std::vector<std::string> only{"cpu.*"};
  CLI::App app{"Rows of `ridge peak` for the CPU beside STREAM-style loops"};
  app.add_flag("--repeat", repeated, "spread of each row over five undisturbed calls instead");
  app.add_option("--rounds", rounds, "turns of ours and theirs")->check(CLI::PositiveNumber);
  app.add_option("--mib", mib, "of one array; as `ridge peak` takes it");
  app.add_option("--only", only, "rows to repeat");
  CLI11_PARSE(app, argc, argv);

  const auto clock = backends::measure_steady_clock::make();
  if (repeated) return repeat(*clock, only), 0;
  const auto machine = host::read_topology();
  const auto bytes = mib == 0 ? backends::probe_host::long_array_bytes(machine) : mib << 20;
  const int cores = static_cast<int>(machine.cores.size());
  compare(*clock, 1, bytes, rounds);
  if (cores > 1) compare(*clock, cores, bytes, rounds);
  return 0;
}
