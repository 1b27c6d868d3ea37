// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/calibration.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/plan/kernels/simplex_search.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::plan::kernels {
namespace {

using serve::engine_log;
using serve::request_timing;

constexpr double share_fitted = 0.7;
constexpr double worst_logarithm = 1;  // cap on the logarithm of one request's error
constexpr int simulations_a_round = 150;
constexpr std::size_t least_requests = 20;

// Converts between parameters and the coordinates of the search: logarithms limited to bounds.
struct knobs {
  double step_s = 1e-3, request_s = 1e-3, bandwidth = 1, flop = 1, collective_s = 1e-6;
};

double bounded(double logarithm, double least, double most) {
  return std::clamp(std::exp(logarithm), least, most);
}

knobs knobs_of(const std::vector<double>& x) {
  return {bounded(x[0], 1e-6, 0.1), bounded(x[1], 1e-6, 2), bounded(x[2], 0.2, 2), bounded(x[3], 0.2, 2),
          x.size() > 4 ? bounded(x[4], 1e-8, 1e-3) : 0};
}

step_request with(step_request r, const knobs& k) {
  r.engine.step_s = k.step_s;
  r.engine.request_s = k.request_s;
  r.engine.front_end_s = 0;  // part of request_s: a log does not tell them apart
  r.scaling = {k.bandwidth, k.flop, k.collective_s};
  return r;
}

// The requests in order of arrival: earlier ones are fitted, later ones held out.
struct halves {
  std::vector<std::size_t> fitted{}, held_out{};
};

halves split(const engine_log& log) {
  std::vector<std::size_t> order(log.requests.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, {}, [&](std::size_t r) { return log.requests.arrival_s(static_cast<serve::request_id>(r)); });
  const auto cut =
      order.begin() + static_cast<std::ptrdiff_t>(share_fitted * static_cast<double>(order.size()));
  return {{order.begin(), cut}, {cut, order.end()}};
}

double ratio(double simulated, double measured) {
  return measured > 0 && simulated > 0 ? simulated / measured : 1;
}

struct simulated_log {
  const engine_log& log;
  std::vector<request_timing> requests{};
  double request_s = 0;

  [[nodiscard]] double ttft(std::size_t r) const {
    return ratio(requests[r].ttft_s() + request_s, log.measured[r].ttft_s());
  }
  [[nodiscard]] double tpot(std::size_t r) const {
    return ratio(requests[r].tpot_s(), log.measured[r].tpot_s());
  }
  [[nodiscard]] double latency(std::size_t r) const {
    return ratio(requests[r].latency_s() + request_s, log.measured[r].latency_s());
  }
};

result<simulated_log> simulate(const engine_log& log, const step_request& request,
                               const kernel_times& kernels) {
  const auto timer = make_step_timer(request, kernels);
  if (!timer) return timer.why();
  auto twin = compare_with_log(log, **timer);
  if (!twin) return twin.why();
  return simulated_log{log, std::move(twin->simulated), request.engine.request_s};
}

double loss(const simulated_log& s, const std::vector<std::size_t>& steps) {
  const auto capped = [](double r) { return std::min(std::abs(std::log(r)), worst_logarithm); };
  double sum = 0;
  for (const auto r : steps) sum += capped(s.ttft(r)) + capped(s.tpot(r)) + capped(s.latency(r));
  return sum / (3 * static_cast<double>(steps.size()));
}

calibration_error error_of(const simulated_log& s, const std::vector<std::size_t>& steps) {
  std::vector<double> ttft, tpot, latency;
  for (const auto r : steps) {
    ttft.push_back(std::abs(s.ttft(r) - 1));
    tpot.push_back(std::abs(s.tpot(r) - 1));
    latency.push_back(std::abs(s.latency(r) - 1));
  }
  const auto median = [](std::vector<double>& x) {
    std::ranges::sort(x);
    return stats::sorted_quantile(x, 0.5);
  };
  return {median(ttft), median(tpot), median(latency), static_cast<std::int64_t>(steps.size())};
}

result<void> check(const engine_log& log) {
  if (log.requests.size() < least_requests || log.measured.size() != log.requests.size())
    return error{fmt::format("the log has {} requests; fewer than {} tell nothing apart", log.requests.size(),
                             least_requests),
                 "measure longer"};
  return {};
}

using loss_function = std::function<double(const std::vector<double>&)>;

// A simplex that has shrunk onto a ridge does not leave it, so the search is restarted where it ended, in
// rounds of decreasing steps.
search_result descend(const loss_function& value, std::vector<double> start, std::vector<double> step,
                      int rounds) {
  search_result best{std::move(start), 0, 0};
  int evaluations = 0;
  for (int round = 0; round < rounds; ++round) {
    best = simplex_search(value, best.point, step, simulations_a_round);
    evaluations += best.evaluations;
    for (auto& s : step) s *= -0.6;
  }
  best.evaluations = evaluations;
  return best;
}

// Starts from several bandwidths, because a slow host and slow memory have similar effects.
search_result search(const engine_log& log, const step_request& request, const kernel_times& kernels,
                     const halves& split) {
  const loss_function value = [&](const std::vector<double>& x) {
    const auto s = simulate(log, with(request, knobs_of(x)), kernels);
    return s ? loss(*s, split.fitted) : 1e9;
  };
  const double log_step = std::log(std::max(request.engine.step_s, 1e-4)),
               log_request = std::log(std::max(request.engine.request_s, 1e-3));
  std::vector<double> step{0.7, 0.7, 0.2, 0.2};
  if (request.layout.tensor > 1) step.push_back(1);
  search_result best{{}, 1e300, 0};
  int evaluations = 0;
  for (const double bandwidth : {0.5, 0.57, 0.66, 0.76, 0.87, 1.0, 1.15, 1.32}) {
    std::vector<double> start{log_step, log_request, std::log(request.scaling.bandwidth * bandwidth),
                              std::log(request.scaling.flop)};
    if (request.layout.tensor > 1) start.push_back(std::log(3e-6));
    auto held = step;
    held[2] = 0;  // fits the others first, at this bandwidth
    const auto others = descend(value, start, held, 2);
    evaluations += others.evaluations;
    auto small = step;
    for (auto& s : small) s /= 5;
    auto found = descend(value, others.point, small, 2);
    evaluations += found.evaluations;
    if (found.value < best.value) best = std::move(found);
  }
  for (auto& s : step) s /= 10;
  best = descend(value, best.point, step, 4);
  best.evaluations += evaluations;
  return best;
}

}  // namespace

result<calibration_profile> calibrate(const engine_log& log, const step_request& request,
                                      const kernel_times& kernels) {
  if (const auto bad = check(log); !bad) return bad.why();
  const auto before = simulate(log, request, kernels);
  if (!before) return before.why();
  const auto by = split(log);
  const auto found = search(log, request, kernels, by);
  const auto fitted = with(request, knobs_of(found.point));
  const auto after = simulate(log, fitted, kernels);
  if (!after) return after.why();
  calibration_profile p;
  p.model = request.model.name, p.gpu = request.gpu.name, p.layout = request.layout.text();
  p.weight_format = request.weight_format, p.kv_format = request.kv_format;
  p.overheads = fitted.engine, p.scaling = fitted.scaling;
  p.before = error_of(*before, by.fitted), p.after = error_of(*after, by.fitted);
  p.holdout_before = error_of(*before, by.held_out), p.holdout_after = error_of(*after, by.held_out);
  p.simulations = found.evaluations;
  return p;
}

void apply(const calibration_profile& p, step_request& request) {
  request.engine = p.overheads;
  request.scaling = p.scaling;
}

derivation explain_calibration(const calibration_profile& p) {
  derivation d;
  const double band = p.holdout_after.latency_median;
  const auto add = [&](std::string id, std::string label, double value, std::string unit,
                       std::string formula) {
    d.push_back({std::move(id),
                 std::move(label),
                 value,
                 std::move(unit),
                 std::move(formula),
                 {{"log", p.log}},
                 basis::fitted,
                 "simplex search around simulated runs",
                 band});
  };
  add("step_ms", "Host time per step", p.overheads.step_s * 1e3, "ms",
      "least Σ capped |ln(simulated / measured)|");
  add("request_ms", "Host time per request", p.overheads.request_s * 1e3, "ms", "the same");
  add("bandwidth_scale", "Bandwidth of what kernels reach alone", p.scaling.bandwidth, "1", "the same");
  add("flop_scale", "FLOP of what kernels reach alone", p.scaling.flop, "1", "the same");
  if (p.scaling.collective_floor_s > 0)
    add("collective_floor_us", "More latency of a collective", p.scaling.collective_floor_s * 1e6, "us",
        "the same");
  return d;
}

}  // namespace ridge::plan::kernels
