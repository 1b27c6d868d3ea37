// SPDX-License-Identifier: Apache-2.0
#include <ridge/measure/interference.hpp>

#include <memory>

#include <ridge/host/interference_reader.hpp>

namespace ridge::backends::measure_interference {
namespace {

measure::interference between(const host::thread_usage& a, const host::thread_usage& b) {
  const auto wall_ns = static_cast<double>(b.wall_ns - a.wall_ns);
  return {.wall_s = wall_ns * 1e-9,
          .cpu_over_wall = wall_ns > 0 ? static_cast<double>(b.cpu_ns - a.cpu_ns) / wall_ns : 1,
          .involuntary_switches = b.involuntary_switches - a.involuntary_switches,
          .voluntary_switches = b.voluntary_switches - a.voluntary_switches,
          .steal_s = b.steal_s - a.steal_s,
          .throttled_periods = b.throttled_periods - a.throttled_periods,
          .minor_faults = b.minor_faults - a.minor_faults,
          .major_faults = b.major_faults - a.major_faults,
          .migrated = a.cpu != b.cpu};
}

class meter final : public measure::interference_meter {
 public:
  void start() override { begin_ = reader_.read(); }
  measure::interference stop() override { return between(begin_, reader_.read()); }

 private:
  host::interference_reader reader_{};
  host::thread_usage begin_{};
};

}  // namespace

std::unique_ptr<measure::interference_meter> make() { return std::make_unique<meter>(); }

}  // namespace ridge::backends::measure_interference
