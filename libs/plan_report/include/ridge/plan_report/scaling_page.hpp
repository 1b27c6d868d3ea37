// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/plan/figure.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>
#include <ridge/stats/scaling.hpp>

namespace ridge::plan_report {

// Fits of one series of measurements, the first the one that answers.
struct scaling_answer {
  std::vector<stats::scaling_point> points{};
  std::string unit{};  // of the throughput: "tokens/s"
  std::vector<stats::scaling_fit> fits{};
  std::optional<stats::scaling_intervals> intervals{};  // of the first; none where it has no band
  std::vector<stats::scaling_prediction> predictions{};
  double level = 0.95;
};

[[nodiscard]] report::document scaling_page(const scaling_answer& a);  // ridge.plan.scaling/1
[[nodiscard]] plan::derivation scaling_derivation(const scaling_answer& a);
// Points, curves of all laws, the band of the first.
[[nodiscard]] report::chart scaling_chart(const scaling_answer& a,
                                          std::span<const stats::scaling_prediction> band);

}  // namespace ridge::plan_report
