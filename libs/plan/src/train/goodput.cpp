// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/goodput.hpp>

#include <algorithm>
#include <cmath>

#include <ridge/base/expects.hpp>

namespace ridge::plan::train {
namespace {

// Wall time over M for t seconds of work between checkpoints, without restarts: e^((t + C)/M) - 1.
double segment(double work_s, double checkpoint_s, double mtbf_s) {
  return std::expm1((work_s + checkpoint_s) / mtbf_s);
}

// The interval t that maximizes t / (e^((t + C)/M) - 1), where 1 - t/M = e^-((t + C)/M), by Newton's method
// from Daly's estimate.
double best_interval_s(double checkpoint_s, double mtbf_s) {
  const double c = checkpoint_s / mtbf_s;
  if (c < 1e-12) return young_interval_s(1e-12, 1) * mtbf_s;
  double t = daly_interval_s(checkpoint_s, mtbf_s) / mtbf_s;
  for (int i = 0; i < 20; ++i) {
    const double e = std::exp(-(t + c));
    t -= (1 - t - e) / (e - 1);
    t = std::clamp(t, 1e-12, 1.0);
  }
  return t * mtbf_s;
}

}  // namespace

double young_interval_s(double checkpoint_s, double mtbf_s) { return std::sqrt(2 * checkpoint_s * mtbf_s); }

double daly_interval_s(double checkpoint_s, double mtbf_s) {
  if (checkpoint_s >= 2 * mtbf_s) return mtbf_s;
  const double ratio = checkpoint_s / (2 * mtbf_s);
  return young_interval_s(checkpoint_s, mtbf_s) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - checkpoint_s;
}

goodput goodput_of(const reliability& r, std::int64_t gpus) {
  expects(gpus >= 1, "goodput: a job has GPUs");
  goodput g;
  if (!(r.gpu_mtbf_s > 0)) return g;
  const double m = r.gpu_mtbf_s / static_cast<double>(gpus);
  g.mtbf_s = m;
  g.young_interval_s = young_interval_s(r.checkpoint_s, m);
  g.daly_interval_s = daly_interval_s(r.checkpoint_s, m);
  const double c = std::max(r.checkpoint_s, 0.0);
  g.interval_s = r.interval_s > 0 ? r.interval_s : best_interval_s(c, m);
  const double t = g.interval_s;
  const double without_restart_s = m * segment(t, c, m);
  const double wall_s = std::exp(r.restart_s / m) * without_restart_s;
  g.share = t / wall_s;
  g.checkpoint_share = c / wall_s;
  g.rework_share = std::max(0.0, (without_restart_s - t - c) / wall_s);
  g.restart_share = std::max(0.0, (wall_s - without_restart_s) / wall_s);
  return g;
}

run_estimate estimate(const training_run& run, const goodput& g) {
  expects(run.tokens_per_step > 0, "estimate: a step has tokens");
  run_estimate e;
  e.steps = std::ceil(run.tokens / run.tokens_per_step);
  e.compute_s = e.steps * run.step_s;
  e.wall_s = e.compute_s / g.share;
  e.gpu_hours = e.wall_s * static_cast<double>(run.gpus) / 3600;
  e.failures = g.mtbf_s > 0 ? e.wall_s / g.mtbf_s : 0;
  e.dollars = e.gpu_hours * run.dollars_per_gpu_hour;
  e.energy_j = e.gpu_hours * 3600 * run.gpu_power_w * run.power_usage;
  e.dollars_per_million_tokens = run.tokens > 0 ? e.dollars / run.tokens * 1e6 : 0;
  return e;
}

}  // namespace ridge::plan::train
