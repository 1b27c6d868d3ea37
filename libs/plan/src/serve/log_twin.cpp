// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <ridge/plan/serve/engine.hpp>
#include <ridge/plan/serve/engine_log.hpp>
#include <ridge/stats/quantile.hpp>
#include <ridge/stats/summary.hpp>

#include "correlation.hpp"

namespace ridge::plan::serve {
namespace {

using measure = double (request_timing::*)() const;

std::vector<double> values(const std::vector<request_timing>& requests, measure quantity) {
  std::vector<double> all;
  for (const auto& r : requests) {
    if (quantity != &request_timing::tpot_s || r.output_tokens > 1) {
      all.push_back((r.*quantity)());
    }
  }
  return all;
}

void add_metrics(twin_accuracy& accuracy, const std::string& name, std::vector<double> measured,
                 std::vector<double> twin) {
  if (measured.empty()) {
    return;
  }
  accuracy.metrics.push_back({name + "_mean", stats::mean(measured), stats::mean(twin)});
  std::ranges::sort(measured);
  std::ranges::sort(twin);
  for (const auto percent : {50, 90, 95, 99}) {
    const auto share = percent / 100.0;
    accuracy.metrics.push_back({name + "_p" + std::to_string(percent),
                                stats::sorted_quantile(measured, share),
                                stats::sorted_quantile(twin, share)});
  }
}

void note(std::vector<request_timing>& all, const engine_event& e) {
  auto& r = all[e.id];
  switch (e.kind) {
    case engine_event_kind::queued:
      r.queued_s = e.at_s;
      break;
    case engine_event_kind::first_token:
      r.first_token_s = e.at_s;
      break;
    case engine_event_kind::finished:
      r.last_token_s = e.at_s;
      break;
    default:
      break;
  }
}

// The engine with the least load, the first of equals.
engine& least_loaded(std::vector<engine>& engines) {
  constexpr std::uint32_t weight_of_waiting = 4;
  return *std::ranges::min_element(engines, {}, [](const engine& e) {
    const auto load = e.load();
    return weight_of_waiting * load.waiting + load.running;
  });
}

result<void> note_all(const engine& twin, const engine_log& log, twin_accuracy& accuracy) {
  for (const auto& e : twin.events()) {
    if (e.kind == engine_event_kind::rejected) {
      return error{"request " + std::to_string(e.id) + " of the log does not fit " +
                       std::to_string(log.settings.blocks) + " blocks of " +
                       std::to_string(log.settings.block_size) + " tokens",
                   "check kv_cache/num_gpu_blocks of the settings"};
    }
    note(accuracy.simulated, e);
  }
  const auto counts = twin.counts();
  accuracy.preemptions += counts.preemptions;
  accuracy.steps += counts.steps;
  accuracy.prompt_tokens += counts.prompt_lookups;
  accuracy.prompt_hits += counts.prompt_hits;
  return {};
}

result<void> run(const engine_log& log, const iteration_timer& timer, twin_accuracy& accuracy) {
  std::vector<engine> engines;
  for (int i = 0; i < std::max(log.data_parallel, 1); ++i) {
    engines.emplace_back(log.settings, timer, log.requests);
    engines.back().tell_admissions(true);
  }
  std::vector<request_id> order(log.requests.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](request_id r) { return log.requests.arrival_s(r); });
  for (const auto r : order) {
    const double arrival_s = log.requests.arrival_s(r);
    if (engines.size() > 1)
      for (auto& e : engines) e.advance(arrival_s);
    least_loaded(engines).submit(r, arrival_s);
    accuracy.simulated[r].output_tokens = log.requests.output_tokens(r);
  }
  for (auto& e : engines) {
    e.advance(engine::never_s);
    if (auto good = note_all(e, log, accuracy); !good) return good;
  }
  return {};
}

void explain(twin_accuracy& accuracy, const engine_log& log) {
  for (const auto& m : accuracy.metrics) {
    accuracy.derivation.push_back(
        {.id = m.name + "_s",
         .label = m.name + ", simulated",
         .value = m.simulated_s,
         .unit = "s",
         .formula = "event times of the engine's twin",
         .inputs = {{"measured", std::to_string(m.measured_s) + " s"},
                    {"blocks", std::to_string(log.settings.blocks)},
                    {"max_batched_tokens", std::to_string(log.settings.max_batched_tokens)}},
         .basis = basis::measured,
         .source = "layer profile; " + log.engine + ", " + log.device,
         .relative_band = std::abs(m.relative_error())});
  }
}

}  // namespace

result<twin_accuracy> compare_with_log(const engine_log& log, const iteration_timer& timer) {
  twin_accuracy all;
  all.simulated.resize(log.requests.size());
  if (auto good = run(log, timer, all); !good) {
    return good.why();
  }
  const auto both = [&](const std::string& name, measure quantity) {
    auto measured = values(log.measured, quantity);
    auto twin = values(all.simulated, quantity);
    const auto r = correlation(measured, twin);
    add_metrics(all, name, std::move(measured), std::move(twin));
    return r;
  };
  all.ttft_correlation = both("ttft", &request_timing::ttft_s);
  all.tpot_correlation = both("tpot", &request_timing::tpot_s);
  all.latency_correlation = both("latency", &request_timing::latency_s);
  explain(all, log);
  return all;
}

}  // namespace ridge::plan::serve
