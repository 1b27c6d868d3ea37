// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/plan/train/goodput.hpp>

namespace ridge::plan::train {
namespace {

std::string seconds_text(double s) { return format_quantity(s, "s"); }

void add_goodput(derivation& sheet, const reliability& r, std::int64_t gpus, const goodput& g) {
  sheet.push_back(
      {.id = "mtbf_s",
       .label = "Mean time between failures of the job",
       .value = g.mtbf_s,
       .unit = "s",
       .formula = "M = m / N",
       .inputs = {{"m", fmt::format("{:.0f} h per GPU", r.gpu_mtbf_s / 3600)}, {"N", std::to_string(gpus)}},
       .basis = basis::assumed,
       .source = "failures are independent, at random moments"});
  sheet.push_back({.id = "checkpoint_interval_s",
                   .label = "Work between checkpoints",
                   .value = g.interval_s,
                   .unit = "s",
                   .formula = r.interval_s > 0 ? "" : "the best t of the effective time; near sqrt(2 C M)",
                   .inputs = {{"C", seconds_text(r.checkpoint_s)},
                              {"M", seconds_text(g.mtbf_s)},
                              {"sqrt(2 C M)", seconds_text(g.young_interval_s)}},
                   .basis = r.interval_s > 0 ? basis::given : basis::derived,
                   .source = "Young, 1974; Daly, 2006"});
  sheet.push_back({.id = "goodput",
                   .label = "Effective training time",
                   .value = g.share,
                   .unit = "1",
                   .formula = "t / (M e^(R/M) (e^((t + C)/M) - 1))",
                   .inputs = {{"t", seconds_text(g.interval_s)},
                              {"C", seconds_text(r.checkpoint_s)},
                              {"R", seconds_text(r.restart_s)},
                              {"M", seconds_text(g.mtbf_s)}},
                   .basis = basis::assumed,
                   .source = "Daly, 2006; C and R as given"});
}

void add_run(derivation& sheet, const training_run& run, const goodput& g, const run_estimate& e) {
  sheet.push_back({.id = "run_wall_s",
                   .label = "Time of the run",
                   .value = e.wall_s,
                   .unit = "s",
                   .formula = "ceil(T / tokens per step) · step / effective time",
                   .inputs = {{"T", fmt::format("{:.4g} tokens", run.tokens)},
                              {"steps", fmt::format("{:.0f}", e.steps)},
                              {"step", seconds_text(run.step_s)},
                              {"effective time", fmt::format("{:.1f} %", g.share * 100)}}});
  sheet.push_back({.id = "run_gpu_hours",
                   .label = "GPU-hours of the run",
                   .value = e.gpu_hours,
                   .formula = "time · N",
                   .inputs = {{"N", std::to_string(run.gpus)}}});
  if (run.dollars_per_gpu_hour > 0)
    sheet.push_back(
        {.id = "run_usd",
         .label = "Cost of the run",
         .value = e.dollars,
         .unit = "USD",
         .formula = "GPU-hours · price",
         .inputs = {{"price", fmt::format("{:.2f} USD per GPU-hour", run.dollars_per_gpu_hour)}}});
  if (run.gpu_power_w > 0)
    sheet.push_back({.id = "run_energy_j",
                     .label = "Energy of the run, at most",
                     .value = e.energy_j,
                     .unit = "J",
                     .formula = "GPU-hours · 3600 · P · PUE",
                     .inputs = {{"P", format_quantity(run.gpu_power_w, "W")},
                                {"PUE", fmt::format("{:.2f}", run.power_usage)}},
                     .basis = basis::datasheet,
                     .source = "the GPU's rated power, which training stays below; hosts are not in it"});
}

}  // namespace

derivation explain(const reliability& r, const training_run& run) {
  derivation all;
  const auto g = goodput_of(r, run.gpus);
  if (g.mtbf_s > 0) add_goodput(all, r, run.gpus, g);
  if (run.tokens > 0) add_run(all, run, g, estimate(run, g));
  return all;
}

}  // namespace ridge::plan::train
