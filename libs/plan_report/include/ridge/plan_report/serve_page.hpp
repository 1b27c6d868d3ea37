// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ridge/plan/figure.hpp>
#include <ridge/plan/serve/max_rate.hpp>
#include <ridge/plan/serve/measured_run.hpp>
#include <ridge/plan/serve/prediction_band.hpp>
#include <ridge/plan/serve/simulated_cluster.hpp>
#include <ridge/plan/serve/summary.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// A simulation of a service. Pointers are not null unless said otherwise.
struct serve_view {
  const plan::serve::workload* asked = nullptr;
  const plan::serve::cluster_run* run = nullptr;
  const plan::serve::serving_summary* summary = nullptr;
  std::string service{};  // "2 x Llama-3.1-8B on H100 SXM, vllm"
  std::string times{};    // source of the step times
  plan::serve::prediction_bands bands{};
  int gpus = 0;  // GPUs of all replicas
  double usd_per_gpu_hour = 0;
  bool show_timeline = false;            // the sheet "timeline": requests, cache and replicas over time
  std::optional<double> prefix_reuse{};  // share of prompt tokens that begin an earlier prompt
  const plan::serve::max_rate_result* max_rate = nullptr;     // may be null
  const plan::serve::measured_comparison* against = nullptr;  // may be null
  const plan::serve::engine_settings* tiers = nullptr;  // an engine with tiers below its GPU; null: none has
  const plan::serve::serving_summary* without_tiers = nullptr;  // the same without them; may be null
  std::vector<std::string> notes{};
};

// "ridge.plan.serve/1": latencies, throughput, objectives, replicas, the timeline when it is asked for, and
// the greatest rate when it was searched.
[[nodiscard]] report::document serve_page(const serve_view& v);

// Latencies and throughput as figures. `profiled`: step times come from a layer profile, which narrows their
// bands.
[[nodiscard]] plan::derivation serve_derivation(const serve_view& v, bool profiled);

// Waiting and running requests over time.
[[nodiscard]] report::chart serve_chart(const serve_view& v);

}  // namespace ridge::plan_report
