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

// Fits of one series of measurements; the first fit gives the answer.
struct scaling_answer {
  std::vector<stats::scaling_point> points{};
  std::string unit{};  // unit of the throughput: "tokens/s"
  std::vector<stats::scaling_fit> fits{};
  std::optional<stats::scaling_intervals> intervals{};  // of the first fit; empty when it has no band
  std::vector<stats::scaling_prediction> predictions{};
  double level = 0.95;
};

// "ridge.plan.scaling/1": coefficients of the laws, their errors, and predictions.
[[nodiscard]] report::document scaling_page(const scaling_answer& a);
// All figures behind the answer.
[[nodiscard]] plan::derivation scaling_derivation(const scaling_answer& a);
// The points, the curves of all laws, and the band of the first law.
[[nodiscard]] report::chart scaling_chart(const scaling_answer& a,
                                          std::span<const stats::scaling_prediction> band);

}  // namespace ridge::plan_report
