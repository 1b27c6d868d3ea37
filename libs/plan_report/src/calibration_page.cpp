// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/calibration_page.hpp>

#include <fmt/format.h>

namespace ridge::plan_report {
namespace {

using plan::kernels::calibration_error;
using report::unit;

report::row error_row(const std::string& metric, const std::string& fitted, const calibration_error& e) {
  return {.values = {metric, fitted, e.requests, 100 * e.ttft_median, 100 * e.tpot_median,
                     100 * e.latency_median}};
}

report::sheet errors_of(const plan::kernels::calibration_profile& p) {
  return {.key = "errors",
          .title = "Median of |simulated / measured - 1|",
          .fields = {{"requests_of", "requests", unit::text},
                     {"when", "constants", unit::text},
                     {"requests", "number", unit::count},
                     {"ttft_error_pct", "TTFT", unit::percent},
                     {"tpot_error_pct", "TPOT", unit::percent},
                     {"latency_error_pct", "latency", unit::percent}},
          .rows = {error_row("fitted", "before", p.before), error_row("fitted", "after", p.after),
                   error_row("held out", "before", p.holdout_before),
                   error_row("held out", "after", p.holdout_after)}};
}

report::sheet constants_of(const plan::kernels::calibration_profile& p) {
  return {.key = "constants",
          .title = "Fitted",
          .fields = {{"step_s", "host per step", unit::seconds},
                     {"request_s", "host per request", unit::seconds},
                     {"bandwidth_scale", "bandwidth of the kernels' own", unit::number},
                     {"flop_scale", "FLOP of the kernels' own", unit::number},
                     {"collective_floor_s", "more latency of a collective", unit::seconds}},
          .rows = {{.values = {p.overheads.step_s, p.overheads.request_s, p.scaling.bandwidth, p.scaling.flop,
                               p.scaling.collective_floor_s}}},
          .single = true};
}

}  // namespace

report::document calibration_page(const plan::kernels::calibration_profile& p) {
  report::document d;
  d.schema = "ridge.plan.calibrate/1";
  d.title = fmt::format(
      "{} on {}, {}: held-out requests now within {:.1f} % (median latency), {:.1f} % before", p.model, p.gpu,
      p.overheads.engine, 100 * p.holdout_after.latency_median, 100 * p.holdout_before.latency_median);
  d.facts = {{"model", p.model},
             {"gpu", p.gpu},
             {"engine", p.overheads.engine},
             {"log", p.log},
             {"simulations", p.simulations}};
  d.sheets = {errors_of(p), constants_of(p)};
  d.notes = {
      "The later 30 % of the requests by time were held out. `ridge plan serve --calibration FILE` uses the "
      "profile."};
  return d;
}

}  // namespace ridge::plan_report
