// SPDX-License-Identifier: Apache-2.0
// How long every analysis takes on a large store, by hand: analysis_times STORE [TRIALS], where STORE was
// filled by `ridge store benchmark`. Prints p50 and p99 of the trials, in milliseconds; the exit code is 1
// where a p99 is above 100 ms.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <ridge/results/analysis.hpp>
#include <ridge/store/location.hpp>
#include <ridge/store/store_failure.hpp>

namespace ridge::backends::store_sqlite {
std::unique_ptr<ridge::store::store> make(const ridge::store::options& options);
}  // namespace ridge::backends::store_sqlite
namespace ridge::backends::store_postgresql {
std::unique_ptr<ridge::store::store> make(const ridge::store::options& options);
}  // namespace ridge::backends::store_postgresql

namespace {

constexpr double longest_ms = 100;

// Prints the times of one analysis and returns whether its p99 is short enough.
bool measure(const ridge::results::analysis& one, ridge::store::store& held, std::size_t trials) {
  std::map<std::string, std::string> given;
  if (one.name == "whatif") given = {{"vram", "24GiB"}};  // it must be asked for something
  std::vector<double> times;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const auto start = std::chrono::steady_clock::now();
    const auto found = ridge::results::answer_of(one.name, held, given);
    const auto spent = std::chrono::steady_clock::now() - start;
    times.push_back(std::chrono::duration<double, std::milli>(spent).count());
    std::this_thread::sleep_for(spent / 8);  // as in ridge::store::measure_queries
    if (!found) {
      fmt::print("{:<24} refused: {}\n", one.name, found.why().text());
      return true;
    }
  }
  std::ranges::sort(times);
  const auto at = [&](double q) {
    return times[static_cast<std::size_t>(std::ceil(q * static_cast<double>(trials))) - 1];
  };
  fmt::print("{:<24} {:>9.2f} {:>9.2f}\n", one.name, at(0.5), at(0.99));
  return at(0.99) < longest_ms;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return fmt::print(stderr, "usage: {} STORE [TRIALS]\n", argv[0]), 64;
  const ridge::store::options options{.location = argv[1], .for_reading = true};
  const std::size_t trials = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 50;
  try {
#ifdef RIDGE_WITH_POSTGRESQL
    const auto open = ridge::store::scheme_of(options.location).empty()
                          ? ridge::backends::store_sqlite::make
                          : ridge::backends::store_postgresql::make;
#else
    const auto open = ridge::backends::store_sqlite::make;
#endif
    const auto held = open(options);
    bool all_pass = true;
    for (const auto& one : ridge::results::analyses())
      all_pass = measure(one, *held, std::max<std::size_t>(trials, 1)) && all_pass;
    return all_pass ? 0 : 1;
  } catch (const ridge::store::store_failure& e) {
    fmt::print(stderr, "{}\n", e.why().text());
    return 69;
  }
}
