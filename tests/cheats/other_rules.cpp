// SPDX-License-Identifier: Apache-2.0
#include "other_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>
#include <ridge/host/child_process.hpp>

#include "bare_arms.hpp"
#include "laboratory.hpp"

namespace ridge::cheats {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Mean and relative deviation of values that come one by one (Welford 1962).
class running_deviation {
 public:
  void add(double value) {
    const double from_mean = value - mean_;
    mean_ += from_mean / static_cast<double>(++count_);
    squares_ += from_mean * (value - mean_);
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double relative() const {
    return count_ < 2 ? 1 : std::sqrt(squares_ / static_cast<double>(count_ - 1)) / mean_;
  }

 private:
  std::size_t count_ = 0;
  double mean_ = 0, squares_ = 0;
};

// Times of single calls on one member.
std::vector<double> single_calls(bare_arms& arms, std::size_t arm, std::size_t count) {
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) times.push_back(arms.seconds(arm, 0, 1));
  return times;
}

// One call to warm up; then calls until they took half a second and their deviation is below 0.5 % or, after
// 64 looks, itself deviates by less than 5 %. At most 1 s, where the tool takes 15.
double nvbench_seconds(bare_arms& arms, std::size_t arm) {
  (void)arms.seconds(arm, 0, 1);
  running_deviation times, deviations;
  double total = 0;
  for (const double start = harness::monotonic_seconds(); harness::monotonic_seconds() - start < 1;) {
    const double taken = arms.seconds(arm, 0, 1);
    times.add(taken);
    total += taken;
    if (times.count() % 16 != 0) continue;
    deviations.add(times.relative());
    const bool settled = deviations.count() > 64 && deviations.relative() < 0.05;
    if (total > 0.5 && (times.relative() < 0.005 || settled)) break;
  }
  return times.mean();
}

// 25 ms of warm-up and 100 ms of single calls, as five calls let expect.
double triton_seconds(bare_arms& arms, std::size_t arm) {
  const double expected = std::max(mean_of(single_calls(arms, arm, 5)), 1e-7);
  (void)single_calls(arms, arm, std::max<std::size_t>(1, static_cast<std::size_t>(0.025 / expected)));
  return mean_of(single_calls(arms, arm, std::max<std::size_t>(1, static_cast<std::size_t>(0.1 / expected))));
}

// Five calls to warm up, a hundred timed one by one.
double kernel_bench_seconds(bare_arms& arms, std::size_t arm) {
  (void)single_calls(arms, arm, 5);
  return mean_of(single_calls(arms, arm, 100));
}

// Blocks of calls that grow tenfold until reading the clock is 1/10000 of one; the median block of 0.2 s.
double torch_seconds(bare_arms& arms, std::size_t arm) {
  constexpr double clock_read_s = 50e-9;
  std::uint64_t calls = 1;
  while (arms.seconds(arm, 0, calls) < clock_read_s * 1e4 && calls < 1'000'000) calls *= 10;
  std::vector<double> blocks;
  for (double total = 0; total < 0.2; total += blocks.back()) blocks.push_back(arms.seconds(arm, 0, calls));
  std::ranges::sort(blocks);
  return blocks[blocks.size() / 2] / static_cast<double>(calls);
}

// One batch of calls, grown up to tenfold until it takes 0.1 s, where the tool takes half a second.
double google_benchmark_seconds(bare_arms& arms, std::size_t arm) {
  for (std::uint64_t calls = 1;;) {
    const double taken = arms.seconds(arm, 0, calls);
    if (taken >= 0.1 || calls >= 1'000'000'000) return taken / static_cast<double>(calls);
    const double growth = taken > 0.01 ? 0.14 / taken : 10;
    calls = static_cast<std::uint64_t>(std::ceil(static_cast<double>(calls) * growth));
  }
}

// Whether all values agree within 1e-4 absolutely and relatively; what is not of floats must be equal.
bool all_close(const std::vector<std::vector<std::byte>>& expected,
               const std::vector<std::vector<std::byte>>& seen) {
  for (std::size_t array = 0; array < expected.size(); ++array) {
    if (expected[array] == seen[array]) continue;
    for (std::size_t i = 0; i + sizeof(float) <= expected[array].size(); i += sizeof(float)) {
      float right = 0, got = 0;
      std::memcpy(&right, &expected[array][i], sizeof right);
      std::memcpy(&got, &seen[array][i], sizeof got);
      if (!(std::fabs(got - right) <= 1e-4F + 1e-4F * std::fabs(right))) return false;
    }
  }
  return true;
}

bool outputs_agree(bare_arms& arms) {
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    arms.draw(0, trial);
    (void)arms.seconds(0, 0, 1);
    const auto expected = arms.outputs(0);
    arms.draw(0, trial);
    arms.poison(0);
    (void)arms.seconds(1, 0, 1);
    if (!all_close(expected, arms.outputs(0))) return false;
  }
  return true;
}

// "wrong", or the baseline's stated seconds over the candidate's.
std::string finding_of(const other_rule& rule, const cheat& judged, std::uint64_t seed) {
  redirect_output();
  const laboratory here;
  const auto asked = judged.question(judged.id);
  bare_arms arms(asked, here, seed, 1);
  if (rule.compares_outputs && !outputs_agree(arms)) return "wrong";
  arms.draw(0, 99);
  const double baseline = rule.seconds(arms, 0);
  return fmt::format("{}", baseline / std::max(rule.seconds(arms, 1), 1e-12));
}

constexpr std::array<other_rule, 5> rules{{
    {"nvbench",
     "one call to warm up; mean of single calls until the noise is below 0.5 % or steady, at most 1 s", false,
     nvbench_seconds},
    {"triton do_bench", "25 ms of warm-up; mean of 100 ms of single calls", false, triton_seconds},
    {"KernelBench", "outputs of 5 draws within 1e-4; 5 calls to warm up; mean of 100 single calls", true,
     kernel_bench_seconds},
    {"torch.utils.benchmark", "blocked_autorange: the median block of calls in 0.2 s", false, torch_seconds},
    {"Google Benchmark", "mean of one batch of calls that takes 0.1 s", false, google_benchmark_seconds},
}};

}  // namespace

std::span<const other_rule> other_rules() { return rules; }

std::string_view name(belief seen) {
  switch (seen) {
    case belief::believed:
      return "believed";
    case belief::caught:
      return "caught";
    case belief::without_gain:
      return "no gain";
    case belief::blind:
      return "not reported";
    case belief::lost:
      break;
  }
  return "lost";
}

belief judge_by(const other_rule& rule, const cheat& judged, std::uint64_t seed) {
  if (judged.gain == gain::report) return belief::blind;
  const auto done = host::run_forked([&] { return finding_of(rule, judged, seed); }, 8);
  if (done.output == "wrong") return belief::caught;
  const double ratio = std::strtod(done.output.c_str(), nullptr);
  if (!(ratio > 0)) return belief::lost;
  return judged.gain == gain::time && ratio < 1.02 ? belief::without_gain : belief::believed;
}

}  // namespace ridge::cheats
