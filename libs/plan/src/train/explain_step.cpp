// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "step_tables.hpp"

namespace ridge::plan::train {
namespace {

std::string share(double x) { return fmt::format("{:.1f} %", 100 * x); }
std::string rounded_count(double x) { return fmt::format("{:.0f}", x); }
std::string step_seconds_text(double x) { return fmt::format("{:.4g} s", x); }

// Steps of models with small experts take up to three times as long as their products and exchanges: the host
// cannot launch so many kernels in time, and blocks of rows are short. Neither is modelled.
constexpr double expert_band = 0.4;

// Figures of one plan; the times share the band and source of the coefficients.
class sheet final {
 public:
  sheet(const step_clock& clock, const accelerator& gpu) : clock_(clock), gpu_(gpu) {}

  void exact(std::string id, std::string label, double value, std::string unit, std::string formula,
             std::vector<input> inputs) {
    all_.push_back({.id = std::move(id),
                    .label = std::move(label),
                    .value = value,
                    .unit = std::move(unit),
                    .formula = std::move(formula),
                    .inputs = std::move(inputs)});
  }

  void given(std::string id, std::string label, double value, std::string unit, std::string source) {
    exact(std::move(id), std::move(label), value, std::move(unit), {}, {});
    all_.back().basis = basis::datasheet;
    all_.back().source = std::move(source);
  }

  void fitted(std::string id, std::string label, double value, std::string unit, std::string formula,
              std::vector<input> inputs) {
    exact(std::move(id), std::move(label), value, std::move(unit), std::move(formula), std::move(inputs));
    auto& f = all_.back();
    f.basis = clock_.measured.rows > 0 ? basis::fitted : basis::assumed;
    f.source = fmt::format("{}: {} ({})", clock_.measured.gpu, clock_.measured.source, clock_.measured.date);
    f.relative_band =
        clock_.job.model.has_experts() ? std::max(expert_band, clock_.measured.band) : clock_.measured.band;
  }

  [[nodiscard]] derivation take() { return std::move(all_); }
  [[nodiscard]] const step_clock& clock() const { return clock_; }
  [[nodiscard]] const accelerator& gpu() const { return gpu_; }

 private:
  const step_clock& clock_;
  const accelerator& gpu_;
  derivation all_{};
};

void add_work(sheet& figures, const training_plan& plan, double model_flop, double hardware_flop, double m) {
  const auto& job = figures.clock().job;
  const auto& l = plan.layout;
  figures.exact("gpus", "GPUs", static_cast<double>(l.gpus()), "", "t · p · c · d", {{"layout", l.text()}});
  figures.exact("micro_batches", "Micro-batches of a pipeline", m, "", "ceil(B / (d · b))",
                {{"B", fmt::format("{} sequences", job.global_batch)},
                 {"d", rounded_count(l.data)},
                 {"b", rounded_count(plan.micro_batch)}});
  figures.exact("model_flop", "FLOP of the model per step", model_flop, "FLOP",
                "3 · B · (2 · s · weights + causal attention)",
                {{"model", job.model.name}, {"s", fmt::format("{} tokens", job.sequence)}});
  figures.exact("hardware_flop", "FLOP computed per step", hardware_flop, "FLOP",
                "the model's + what is recomputed",
                {{"recomputation", std::string(name_of(plan.recompute))}});
}

void add_limits(sheet& figures) {
  const auto& gpu = figures.gpu();
  const auto& job = figures.clock().job;
  figures.given("peak_flop_per_s", "Dense peak of the compute type", gpu.peak_flop_per_s(job.compute_type),
                "FLOP/s", gpu.source);
  figures.given("bandwidth_bytes_per_s", "Memory bandwidth", gpu.bandwidth_bytes_per_s, "B/s", gpu.source);
  for (const auto& t : figures.clock().links.tiers)
    figures.given(fmt::format("{}_bytes_per_s", t.name == "scale-up" ? "scale_up" : t.name),
                  fmt::format("Link per GPU, one way: {}", t.name), t.bytes_per_s, "B/s", t.source);
}

void add_computing(sheet& figures, const step_time& t, double m) {
  const auto& c = figures.clock().measured;
  const bool eight = figures.clock().job.compute_type == "fp8";
  const std::vector<input> efficiency{{"efficiency", share(eight ? c.fp8_efficiency : c.bf16_efficiency)},
                                      {"a", rounded_count(eight ? c.fp8_half_size : c.half_size)},
                                      {"m", rounded_count(m)}};
  figures.fitted("product_s", "Matrix products", t.product_s, "s",
                 "m · Σ 3 · 2 · rows · columns · inner / (peak · efficiency) · (1 + a/3 · Σ 1/side)",
                 efficiency);
  figures.fitted("attention_s", "Core of attention", t.attention_s, "s",
                 "m · layers · 3.5 · FLOP forward / (16-bit peak · efficiency)",
                 {{"efficiency", share(c.attention_efficiency)}});
  figures.fitted("memory_bound_s", "Norms, activations, sums of gradients, loss", t.memory_bound_s, "s",
                 "m · bytes / (bandwidth · efficiency)", {{"efficiency", share(c.bandwidth_efficiency)}});
  figures.fitted("recomputation_s", "Recomputation", t.recomputation_s, "s",
                 "m · layers · forward seconds of what is not kept", {});
}

void add_exchanges(sheet& figures, const step_time& t, const training_plan& plan) {
  const auto& c = figures.clock().measured;
  const auto& l = plan.layout;
  figures.fitted("tensor_exposed_s", "Tensor ranks exchange, not hidden", t.tensor_exposed_s, "s",
                 "m · layers · 2 blocks · (gather + reduce-scatter) · (1 - overlap)",
                 {{"t", rounded_count(l.tensor)},
                  {"overlap forward", share(c.tensor_overlap)},
                  {"overlap backward", share(c.tensor_backward_overlap)}});
  figures.fitted("context_exposed_s", "Ring attention, not hidden", t.context_exposed_s, "s",
                 "max(0, (c - 1) · hop - attention), forward and backward",
                 {{"c", rounded_count(l.context)}});
  figures.fitted("expert_exposed_s", "Tokens to experts and back, not hidden", t.expert_exposed_s, "s",
                 plan.schedule == pipeline_schedule::dual_pipe
                     ? "p · alone + (m - p) · max(0, all-to-all + hand-overs - passes beside on the other "
                       "multiprocessors)"
                     : "m · layers · 4 · all-to-all · (1 - overlap)",
                 {{"e", rounded_count(l.expert)}, {"overlap", share(c.expert_overlap)}});
  figures.fitted("pipeline_exposed_s", "Hand-overs of stages, not hidden", t.pipeline_exposed_s, "s",
                 "2 · m · v · hop · (1 - overlap)", {{"overlap", share(c.pipeline_overlap)}});
  figures.fitted("bubble_s", "Stages wait while the pipeline fills and drains", t.bubble_s, "s",
                 plan.schedule == pipeline_schedule::dual_pipe
                     ? "(p/2 - 1) · (F&B + B - 3 W) + 2 · (p - 1) · hop"
                     : "Σ other stages / v + 2 · (p - 1) · hop",
                 {{"p", rounded_count(l.pipeline)}, {"v", rounded_count(l.virtual_pipeline)}});
  figures.fitted("data_exposed_s", "Gradients and weights exchanged, not hidden", t.data_exposed_s, "s",
                 "max(exchange - passes, the last bucket)",
                 {{"c · d", rounded_count(l.context * static_cast<double>(l.data))},
                  {"sharding", std::string(name_of(plan.shard))}});
}

void add_ends(sheet& figures, const step_time& t) {
  const auto& c = figures.clock().measured;
  figures.fitted("optimizer_s", "Optimizer", t.optimizer_s, "s", "58 B · weights per rank / bandwidth", {});
  figures.fitted("fixed_s", "Once per step", t.fixed_s, "s", "fitted", {});
  figures.fitted("straggler_s", "The slowest GPU is waited for", t.straggler_s, "s",
                 "σ · sqrt(2 ln N) · step", {{"σ", share(c.straggler_sigma)}});
  figures.fitted("step_s", "Step", t.total_s, "s", "sum of the above", {});
  figures.fitted("tokens_per_s", "Tokens per second", t.tokens_per_s, "tokens/s", "B · s / step",
                 {{"step", step_seconds_text(t.total_s)}});
  figures.fitted("mfu", "Model FLOP utilization", t.mfu, "1", "model FLOP / (GPUs · peak · step)", {});
  figures.fitted("hfu", "Hardware FLOP utilization", t.hfu, "1", "FLOP computed / (GPUs · peak · step)", {});
}

}  // namespace

derivation step_model::explain(const training_plan& plan) const {
  const auto& of = *tables_;
  const auto t = time(plan);
  const double m = micro_batches(of.clock.job.global_batch, plan.layout.data, plan.micro_batch);
  sheet all(of.clock, of.gpu);
  add_work(all, plan, of.model_flop, of.hardware_flop[static_cast<std::size_t>(plan.recompute)], m);
  add_limits(all);
  add_computing(all, t, m);
  add_exchanges(all, t, plan);
  add_ends(all, t);
  return all.take();
}

}  // namespace ridge::plan::train
