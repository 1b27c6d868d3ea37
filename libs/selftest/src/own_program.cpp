// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include <ridge/host/child_process.hpp>
#include <ridge/stats/quantile.hpp>

#include "rows.hpp"

namespace ridge::selftest {
namespace {

host::finished_child run_quietly(const std::vector<std::string>& command) {
  return host::run_program(
      {.command = command, .output = host::child_output::discard, .errors = host::child_output::discard});
}

// Returns the total of "summary:" or "totals:" in an output file of callgrind.
double total_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    for (const std::string_view word : {"summary: ", "totals: "}) {
      if (line.starts_with(word)) {
        double total = 0;
        std::from_chars(line.data() + word.size(), line.data() + line.size(), total);
        return total;
      }
    }
  }
  return 0;
}

double instructions(const std::vector<std::string>& command, const std::string& scratch) {
  const auto out = std::filesystem::path(scratch) / fmt::format("ridge-callgrind-{}.out", ::getpid());
  std::vector<std::string> words{"valgrind", "--tool=callgrind",
                                 fmt::format("--callgrind-out-file={}", out.string())};
  words.insert(words.end(), command.begin(), command.end());
  const auto done = run_quietly(words);
  const double total = succeeded(done.outcome) ? total_of(out) : 0;
  std::filesystem::remove(out);
  return total;
}

// Returns the instructions of one further iteration: everything else that the program does is in both runs.
double per_iteration(const std::vector<std::string>& command, const std::string& scratch) {
  constexpr std::uint64_t n = 10'000'000;
  auto once = command, twice = command;
  once.push_back(std::to_string(n));
  twice.push_back(std::to_string(2 * n));
  const double a = instructions(once, scratch), b = instructions(twice, scratch);
  return a > 0 && b > 0 ? (b - a) / static_cast<double>(n) : -1;
}

}  // namespace

row iteration_cost(const surroundings& surroundings) {
  row r{.name = "iteration_cost", .unit = "instructions", .limit = 2.0};
  if (!succeeded(run_quietly({"valgrind", "--version"}).outcome)) {
    r.skipped = "valgrind is not installed (apt-get install valgrind)";
    return r;
  }
  r.value = per_iteration({surroundings.program, "selftest", "--empty-body"}, surroundings.scratch_folder);
  if (r.value < 0) {
    r.skipped = "callgrind could not run this program";
    return r;
  }
  const auto peer = std::filesystem::path(surroundings.program).parent_path() / "peers_empty_gbench";
  r.detail = "by callgrind, which runs the AVX2 path";
  if (std::filesystem::exists(peer)) {
    const double theirs = per_iteration({peer.string()}, surroundings.scratch_folder);
    r.detail += fmt::format("; Google Benchmark {:.2f}", theirs);
    r.limit = std::min(2.0, theirs);
  } else {
    r.detail += "; Google Benchmark's is printed where the tests are built";
  }
  return r;
}

std::vector<row> list_figures(const surroundings& surroundings) {
  std::vector<double> wall, memory;
  for (int i = 0; i < 21; ++i) {
    const auto done = run_quietly({surroundings.program, "list"});
    if (!succeeded(done.outcome)) {
      return {{.name = "list_time", .unit = "ms", .limit = 20, .skipped = "`ridge list` failed"},
              {.name = "list_memory", .unit = "MB", .limit = 20, .skipped = "`ridge list` failed"}};
    }
    wall.push_back(1000 * done.wall_s);
    memory.push_back(done.peak_bytes / 1e6);
  }
  return {{.name = "list_time",
           .value = stats::median(wall),
           .unit = "ms",
           .limit = 20,
           .detail = "`ridge list`, median of 21"},
          {.name = "list_memory",
           .value = stats::median(memory),
           .unit = "MB",
           .limit = 20,
           .detail = "resident high-water mark, median of 21"}};
}

}  // namespace ridge::selftest
