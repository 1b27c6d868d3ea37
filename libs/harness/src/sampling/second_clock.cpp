// SPDX-License-Identifier: Apache-2.0
#include "sampling/second_clock.hpp"

#include <algorithm>
#include <ctime>
#include <random>

#include <ridge/stats/median.hpp>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <sys/syscall.h>
#include <unistd.h>

namespace ridge::harness {
namespace {

constexpr std::size_t kept_at_most = std::size_t{1} << 16;
constexpr int empty_samples = 101;

bool counter_runs_at_one_rate() {
#if defined(__x86_64__)
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && ((d >> 8) & 1u) != 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

}  // namespace

std::uint64_t kernel_ns() {
  timespec now{};
#if defined(__x86_64__)
  long number = SYS_clock_gettime;
  asm volatile("syscall"
               : "+a"(number)
               : "D"(static_cast<long>(CLOCK_MONOTONIC_RAW)), "S"(&now)
               : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long number asm("x8") = SYS_clock_gettime;
  register long clock asm("x0") = CLOCK_MONOTONIC_RAW;
  register timespec* target asm("x1") = &now;
  asm volatile("svc 0" : "+r"(clock) : "r"(number), "r"(target) : "memory");
#else
  (void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &now);
#endif
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

second_clock::second_clock() : counts_(counter_runs_at_one_rate()), made_(both()) {}

// The closest of some pairs of readings, in case something runs between the two.
second_clock::instant second_clock::both() const {
  instant closest{};
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < 5; ++i) {
    const auto before = now();
    const auto kernel = kernel_ns();
    const auto width = now() - before;
    if (width >= least) continue;
    least = width;
    closest = {before + width / 2, kernel};
  }
  return closest;
}

double second_clock::seconds_per_tick() const {
  if (!counts_) return 1e-9;
  const auto present = both();
  const auto ticks = present.ticks - made_.ticks;
  return ticks == 0
             ? 0
             : 1e-9 * static_cast<double>(present.kernel_ns - made_.kernel_ns) / static_cast<double>(ticks);
}

std::uint64_t random_bits() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

doubted_clock::doubted_clock(device::timer& timer) : timer_(timer) {
  std::vector<double> seconds, ticks;
  for (int i = 0; i < empty_samples; ++i) {
    (void)seconds_of(0, [] {});
    seconds.push_back(arms_[0].back().seconds);
    ticks.push_back(static_cast<double>(arms_[0].back().ticks));
  }
  empty_ = {stats::median(seconds), static_cast<std::uint64_t>(stats::median(ticks))};
  arms_.clear();
}

double doubted_clock::note(std::size_t arm, double seconds, std::uint64_t ticks) {
  if (arm >= arms_.size()) arms_.resize(arm + 1);
  if (arms_[arm].size() < kept_at_most) arms_[arm].push_back({seconds, ticks});
  return seconds;
}

std::optional<clock_agreement> doubted_clock::agreement(std::size_t arm) const {
  if (arm >= arms_.size() || arms_[arm].empty()) return {};
  const double period = second_.seconds_per_tick();
  const double marks_s = static_cast<double>(empty_.ticks) * period - empty_.seconds;
  std::vector<double> ratios, apart, all;
  for (const auto& one : arms_[arm]) {
    const double second = static_cast<double>(one.ticks) * period - marks_s;
    apart.push_back(second - one.seconds);
    ratios.push_back(one.seconds > 0 ? second / one.seconds : 0);
    all.push_back(one.seconds);
  }
  return clock_agreement{stats::median(ratios), stats::median(apart), stats::median(all)};
}

}  // namespace ridge::harness
