// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/measure/clock.hpp>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>

#include <ctime>
#endif

namespace ridge::backends::measure_tsc {

#if defined(__x86_64__)
namespace {

// Reads the counter after all earlier work has ended and before later work begins (Intel SDM volume 2B,
// RDTSC).
std::int64_t read_counter() noexcept {
  _mm_lfence();
  const auto ticks = __rdtsc();
  _mm_lfence();
  return static_cast<std::int64_t>(ticks);
}

bool is_invariant() {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && ((d >> 8) & 1u) != 0;
}

struct moment {
  std::int64_t ticks = 0;
  std::int64_t raw_ns = 0;
  std::int64_t width_ticks = 0;
};

moment read_both() {
  timespec raw{};
  const auto before = read_counter();
  clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
  const auto after = read_counter();
  return {before + (after - before) / 2, raw.tv_sec * 1'000'000'000 + raw.tv_nsec, after - before};
}

// Returns the closest pair of several readings, in case an interrupt happens between the two.
moment read_both_closely() {
  auto best = read_both();
  for (int i = 0; i < 20; ++i) {
    const auto next = read_both();
    if (next.width_ticks < best.width_ticks) best = next;
  }
  return best;
}

double seconds_per_tick() {
  const auto begin = read_both_closely();
  const timespec pause{.tv_sec = 0, .tv_nsec = 20'000'000};
  nanosleep(&pause, nullptr);
  const auto end = read_both_closely();
  return static_cast<double>(end.raw_ns - begin.raw_ns) * 1e-9 / static_cast<double>(end.ticks - begin.ticks);
}

class tsc final : public measure::clock {
 public:
  tsc(double period_s, measure::clock_quality quality) : period_s_(period_s), quality_(quality) {}
  std::int64_t now() const noexcept override { return read_counter(); }
  double seconds(std::int64_t ticks) const noexcept override {
    return static_cast<double>(ticks) * period_s_;
  }
  double resolution_s() const noexcept override { return seconds(quality_.resolution_ticks); }
  double read_cost_s() const noexcept override { return quality_.read_cost_ticks * period_s_; }
  std::string_view name() const noexcept override { return "tsc"; }

 private:
  double period_s_;
  measure::clock_quality quality_;
};

}  // namespace

std::unique_ptr<measure::clock> make() {
  if (!is_invariant())
    throw unavailable("tsc: the time-stamp counter of this CPU is not invariant", "use steady_clock");
  std::vector<std::int64_t> readings(100'000);
  for (auto& r : readings) r = read_counter();
  return std::make_unique<tsc>(seconds_per_tick(), measure::quality_of(readings));
}

#else

std::unique_ptr<measure::clock> make() { throw unavailable("tsc: only x86-64 has it", "use steady_clock"); }

#endif

}  // namespace ridge::backends::measure_tsc
