// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>
#include <vector>

#include <ridge/measure/clock.hpp>

namespace ridge::backends::measure_steady_clock {
namespace {

using std::chrono::steady_clock;

std::int64_t read_clock() noexcept { return steady_clock::now().time_since_epoch().count(); }

class steady final : public measure::clock {
 public:
  explicit steady(measure::clock_quality quality) : quality_(quality) {}
  std::int64_t now() const noexcept override {
    // Without this the compiler may move work across the call, where it can see that the two are independent.
    asm volatile("" ::: "memory");
    const auto ticks = read_clock();
    asm volatile("" ::: "memory");
    return ticks;
  }
  double seconds(std::int64_t ticks) const noexcept override {
    return static_cast<double>(ticks) * steady_clock::period::num / steady_clock::period::den;
  }
  double resolution_s() const noexcept override { return seconds(quality_.resolution_ticks); }
  double read_cost_s() const noexcept override { return quality_.read_cost_ticks * seconds(1); }
  std::string_view name() const noexcept override { return "steady_clock"; }

 private:
  measure::clock_quality quality_;
};

}  // namespace

std::unique_ptr<measure::clock> make() {
  std::vector<std::int64_t> readings(100'000);
  for (auto& r : readings) r = read_clock();
  return std::make_unique<steady>(measure::quality_of(readings));
}

}  // namespace ridge::backends::measure_steady_clock
