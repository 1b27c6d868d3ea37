// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ridge/harness/call.hpp>
#include <ridge/harness/contestants.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge::harness {

// Turns a sample into the experiment's metrics, and keeps what its calls reported: phases, observed values
// and latencies.
class sample_readings {
 public:
  // `metrics` are read in this order.
  sample_readings(const experiment::definition& definition, const problem& point,
                  std::vector<metric> metrics);

  void add_arm();
  // Sets a metric that is no reading of a call, such as memory or error.
  void set_fixed(std::size_t arm, std::size_t metric, double value) { arms_[arm].fixed[metric] = value; }
  // Returns the sample's values, valid until the next sample. `hz` is the device's clock frequency during the
  // sample; 0: not known.
  [[nodiscard]] sample take(std::size_t arm, const call& context, std::uint64_t calls, double seconds,
                            double hz);
  // Adds the seconds of one call in mode::host_latency.
  void add_latency(std::size_t arm, double seconds) { arms_[arm].latencies.push_back(seconds); }
  // Forgets everything but the fixed metrics: the warm-up is over.
  void restart();

  [[nodiscard]] const std::vector<metric>& metrics() const { return metrics_; }
  // The phase's share of each sample's time, by sample.
  [[nodiscard]] const std::vector<double>& phases(std::size_t arm, std::size_t phase) const {
    return arms_[arm].phases[phase];
  }
  // Every value observed, up to about a million.
  [[nodiscard]] const std::vector<double>& observed(std::size_t arm, std::size_t id) const {
    return arms_[arm].observed[id];
  }
  // The sum of what the calls of a sample observed over the seconds of the sample, and the number of values a
  // call, by sample.
  [[nodiscard]] const std::vector<double>& coverage(std::size_t arm, std::size_t id) const {
    return arms_[arm].coverage[id];
  }
  [[nodiscard]] const std::vector<double>& values_per_call(std::size_t arm, std::size_t id) const {
    return arms_[arm].values_per_call[id];
  }
  [[nodiscard]] const std::vector<double>& latencies(std::size_t arm) const { return arms_[arm].latencies; }

 private:
  struct arm_readings {
    std::vector<double> fixed{};                                     // by metric; NaN: read from the calls
    std::vector<std::vector<double>> phases{};                       // by phase
    std::vector<std::vector<double>> observed{};                     // by id
    std::vector<std::vector<double>> coverage{}, values_per_call{};  // by id
    std::vector<double> latencies{};                                 // by call, in seconds
  };
  [[nodiscard]] double read(std::size_t index, const arm_readings& arm, const call& context, double calls,
                            double seconds, double hz) const;

  const experiment::definition& definition_;
  ridge::work work_;
  std::vector<metric> metrics_;
  std::vector<arm_readings> arms_{};
  std::vector<double> values_{};
};

}  // namespace ridge::harness
