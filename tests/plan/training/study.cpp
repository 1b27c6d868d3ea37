// SPDX-License-Identifier: Apache-2.0
#include "study.hpp"

#include <algorithm>
#include <cmath>

#include "a100.hpp"
#include "a100_fit.hpp"
#include "kernel_shares.hpp"
#include "mlperf.hpp"
#include "mlperf_fit.hpp"
#include "published.hpp"

namespace ridge::plan::train {
namespace {

constexpr std::string_view nearest = "H100 SXM";
// Errors for other models and later software: the published throughputs that were not fitted.
constexpr double least_band = 0.1;

double largest(const std::vector<held_out>& systems) {
  double most = 0;
  for (const auto& h : systems) most = std::max(most, std::abs(h.error()));
  return most;
}

void grade(study& s, std::string source) {
  auto& c = s.found;
  c.source = std::move(source);
  c.date = "2026-11-26";
  c.rows = static_cast<int>(s.fitted_to.size());
  c.fit_error = mean_error(predict(s.fitted_to, c));
  c.held_out_error = largest(s.left_out);
  c.band = std::max(least_band, 2 * c.held_out_error);
}

// Shares of the kernels of H100, when its tables are present; the folder has none of GB200.
training_coefficients nemo_on(const std::filesystem::path& data, std::string_view gpu,
                              const training_coefficients& a100) {
  auto c = nemo(gpu, a100);
  const auto folder = gpu == "H200 SXM" ? "h200_sxm" : "h100_sxm";
  const auto from = catalogue_gpu(gpu == "H200 SXM" ? gpu : nearest);
  if (const auto shares = read_kernel_shares(data, folder, from)) {
    c.bf16_efficiency = shares->bf16;
    c.attention_efficiency = shares->attention;
  }
  return c;
}

void leave_systems_out(study& s, const std::vector<measured_run>& runs,
                       const training_coefficients& coefficients) {
  for (const auto& group : groups_of(s.fitted_to)) {
    const auto others = without(runs, group);
    const bool own =
        std::ranges::any_of(others, [&](const measured_run& r) { return r.gpu.name == s.found.gpu; });
    const auto c = fit_mlperf(others, coefficients, s.found.gpu, nearest);
    for (const auto& r : only(runs, group))
      s.left_out.push_back({.run = r, .step_s = predict_s(r, c), .own_generation = own});
  }
}

study study_of(std::string_view gpu, const std::vector<measured_run>& runs,
               const training_coefficients& coefficients) {
  study s;
  s.found = fit_mlperf(runs, coefficients, gpu, nearest);
  std::ranges::copy_if(runs, std::back_inserter(s.fitted_to),
                       [&](const measured_run& r) { return r.gpu.name == gpu; });
  leave_systems_out(s, runs, coefficients);
  grade(s, gpu == "GB200" ? "MLPerf Training 5.0, steps of Llama 3.1 405B in fp8; one in 16 bits of "
                            "NVIDIA/dgxc-benchmarking; attention as H100 SXM"
                          : "MLPerf Training 5.0, steps of Llama 3.1 405B in fp8; 16 bits and attention from "
                            "kernel tables of vLLM 0.24");
  return s;
}

}  // namespace

study study_a100() {
  study s;
  std::vector<measured_run> unseen;
  for (const auto& r : a100_runs()) (is_fitted(r) ? s.fitted_to : unseen).push_back(r);
  s.found = fit_a100(s.fitted_to);
  for (const auto& r : unseen) s.left_out.push_back({.run = r, .step_s = predict_s(r, s.found)});
  grade(s,
        "half of the published runs of GPT, BLOOM, OPT and MPT (Narayanan et al., 2021; Korthikanti et al., "
        "2022; "
        "BigScience; Zhang et al., 2022; llm-foundry); the band holds the other half");
  s.found.band = s.found.held_out_error;
  return s;
}

std::vector<study> study_mlperf(const std::filesystem::path& data, const training_coefficients& a100) {
  const auto runs = mlperf_runs(data);
  std::vector<study> all;
  if (runs.empty()) return all;
  for (const std::string_view gpu : {"H100 SXM", "H200 SXM"})
    all.push_back(study_of(gpu, runs, nemo_on(data, gpu, a100)));
  // The folder has no kernel tables of Blackwell: a published step in 16 bits replaces them.
  auto as = nemo_on(data, "GB200", a100);
  as.bf16_efficiency = fit_bf16(published_bf16_run(), study_of("GB200", runs, as).found);
  all.push_back(study_of("GB200", runs, as));
  return all;
}

std::vector<training_coefficients> shipped(const std::filesystem::path& data,
                                           const training_coefficients& a100) {
  std::vector<training_coefficients> all{a100};
  for (const auto& s : study_mlperf(data, all.front())) all.push_back(s.found);
  const auto l40s = read_kernel_shares(data, "l40s", catalogue_gpu("L40S"));
  if (all.size() < 2 || !l40s) return all;
  auto c = all[1];
  c.gpu = "L40S";
  c.bf16_efficiency = l40s->bf16;
  c.fp8_efficiency = l40s->fp8;
  c.half_size = measured_half_size(c.gpu, "bf16");
  c.fp8_half_size = measured_half_size(c.gpu, "fp8");
  c.attention_efficiency = l40s->attention;
  c.rows = 0;
  c.fit_error = c.held_out_error = 0;
  c.band = 0.3;
  c.source = "no training run: products and attention of vLLM 0.24's kernel tables, the rest as H100 SXM";
  all.push_back(c);
  return all;
}

}  // namespace ridge::plan::train
