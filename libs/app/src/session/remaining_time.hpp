// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace ridge::app {

// What is known of a family before it is measured.
struct planned_time {
  double fixed_s = 0;            // the budget of its samples and what every process takes, in seconds
  double data_s = 0;             // filling, verifying and comparing its arrays, as long as it usually takes
  bool measured_before = false;  // then data_s is what it took on this machine, not an estimate
};

// Estimates how long a run will still take. It begins with what was planned; each family that ends says how
// far the families of this run are from their plan, and the estimate for those to come follows the
// mean, in which each counts three times the median at most.
// Times are seconds of one steady clock.
class remaining_time final {
 public:
  // `planned` holds every family of the run in order; the run begins at `start_s`.
  remaining_time(std::vector<planned_time> planned, double start_s);

  // Says that `done` families have ended, and which share of the present one's budget was used, from 0 to 1.
  void advance(std::size_t done, double fraction, double now_s);

  // Returns the seconds until the end of the run.
  [[nodiscard]] double seconds(double now_s) const;
  // Returns the share of the run that is over, from 0 to 1, by the same estimate.
  [[nodiscard]] double share(double now_s) const;

 private:
  // How many times its plan the untimed work of a family took that has ended, and the seconds of that plan.
  struct ratio_to_plan {
    double ratio = 1, weight = 0;
    bool measured_before = false;
  };
  [[nodiscard]] static double median_ratio(std::vector<ratio_to_plan>& all, double weight);
  [[nodiscard]] double scale(bool measured_before) const;
  [[nodiscard]] double expected(std::size_t family) const;
  std::vector<planned_time> planned_;
  double start_s_;
  double family_start_s_;
  std::size_t done_ = 0;
  double fraction_ = 0;
  std::vector<ratio_to_plan> seen_{};
};

}  // namespace ridge::app
