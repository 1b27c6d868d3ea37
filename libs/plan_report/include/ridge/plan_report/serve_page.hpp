// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ridge/plan/figure.hpp>
#include <ridge/plan/serve/cluster.hpp>
#include <ridge/plan/serve/max_rate.hpp>
#include <ridge/plan/serve/measured_run.hpp>
#include <ridge/plan/serve/summary.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// What a simulation of a service has to say. Pointers are not null but where it says so.
struct serve_view {
  const plan::serve::workload* asked = nullptr;
  const plan::serve::cluster_run* run = nullptr;
  const plan::serve::serving_summary* summary = nullptr;
  std::string service{};  // "2 x Llama-3.1-8B on H100 SXM, vllm"
  std::string times{};    // where step times come from
  int gpus = 0;           // of all replicas
  double usd_per_gpu_hour = 0;
  std::optional<double> prefix_reuse{};  // share of prompt tokens that an earlier prompt began with
  const plan::serve::max_rate_result* max_rate = nullptr;     // or null
  const plan::serve::measured_comparison* against = nullptr;  // or null
  std::vector<std::string> notes{};
};

[[nodiscard]] report::document serve_page(const serve_view& v);

// Latencies and throughput as figures. `profiled`: step times come from a layer profile, which leaves them
// surer.
[[nodiscard]] plan::derivation serve_derivation(const serve_view& v, bool profiled);

// Requests waiting and running over time, or a page of their latencies by arrival.
[[nodiscard]] report::chart serve_chart(const serve_view& v);

}  // namespace ridge::plan_report
