// SPDX-License-Identifier: Apache-2.0
// Prints the runs that the coefficients of training are fitted to and the errors of predictions; --write FILE
// writes the coefficients.
#include <cmath>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "coefficient_file.hpp"
#include "mlperf.hpp"
#include "mlperf_fit.hpp"
#include "pretraining.hpp"
#include "published.hpp"
#include "study.hpp"

namespace {

using namespace ridge::plan::train;

constexpr double percent = 100;

void print_coefficients(const training_coefficients& c) {
  fmt::print(
      "{}: bf16 {:.3f}, fp8 {:.3f}, attention {:.3f}, bandwidth {:.3f}, half size {:.0f}, in fp8 {:.0f}, "
      "{:.3f} s a step\n",
      c.gpu, c.bf16_efficiency, c.fp8_efficiency, c.attention_efficiency, c.bandwidth_efficiency, c.half_size,
      c.fp8_half_size, c.fixed_s);
  fmt::print("  {} rows, mean error {:.2f} %, largest left out {:.2f} %, band {:.0f} %\n", c.rows,
             percent * c.fit_error, percent * c.held_out_error, percent * c.band);
}

void print_row(const measured_run& r, double predicted_s) {
  fmt::print("  {:<46} {:>10.3f} {:>10.3f} {:>+8.2f} %\n", r.name, r.step_s, predicted_s,
             percent * (predicted_s / r.step_s - 1));
}

void print_head(std::string_view title) {
  fmt::print("\n{}\n  {:<46} {:>10} {:>10} {:>10}\n", title, "run", "measured s", "predicted", "error");
}

void print_study(const study& s, std::string_view left_out) {
  fmt::print("\n");
  print_coefficients(s.found);
  print_head("fitted");
  for (const auto& r : s.fitted_to) print_row(r, predict_s(r, s.found));
  print_head(left_out);
  double sum = 0;
  for (const auto& h : s.left_out) {
    print_row(h.run, h.step_s);
    sum += std::abs(h.error());
    if (!h.own_generation) fmt::print("    (no run of this GPU among the others)\n");
  }
  fmt::print("  mean error of these {} runs {:.2f} %\n", s.left_out.size(),
             percent * sum / static_cast<double>(s.left_out.size()));
}

const training_coefficients& of(const std::vector<training_coefficients>& all, std::string_view gpu) {
  for (const auto& c : all) {
    if (c.gpu == gpu) return c;
  }
  return gpu.find('B') != std::string_view::npos ? of(all, "GB200") : all.front();
}

void print_published(const std::vector<training_coefficients>& all) {
  print_head("published by NVIDIA, not fitted (the last but for its bf16 share)");
  for (const auto& r : published_runs()) print_row(r, predict_s(r, of(all, r.gpu.name)));
  const auto last = published_bf16_run();
  print_row(last, predict_s(last, of(all, "GB200")));
  print_head("the same, models with experts");
  for (const auto& r : published_expert_runs()) print_row(r, predict_s(r, of(all, r.gpu.name)));
}

void print_pretraining(const std::filesystem::path& data) {
  print_head("long runs with published layouts, not fitted");
  for (const auto& p : pretraining_runs())
    print_row(p.run, predict_s(p.run, training_coefficients_of(p.run.gpu)));
  constexpr double gib = 1024.0 * 1024 * 1024;
  fmt::print("\nruns that ran, GiB of a GPU\n  {:<46} {:>10} {:>10} {:>10}\n", "run", "needs", "of",
             "stated");
  for (const auto& p : runs_that_ran(data)) {
    const double needs = needed_bytes(p) / gib, has = p.run.gpu.memory_bytes / gib;
    fmt::print("  {:<46} {:>10.1f} {:>10.1f} {:>10}{}\n", p.run.name, needs, has,
               p.stated_gib > 0 ? fmt::format("{:.1f}", p.stated_gib) : "",
               needs > 1.02 * has ? "  does not fit"
               : needs > has      ? "  at the limit"
                                  : "");
  }
}

// The assumed overlap of tensor ranks decides how H200, with half as many of them, follows from H100.
void print_overlap(const std::filesystem::path& data, const training_coefficients& h200) {
  const auto runs = mlperf_runs(data);
  fmt::print("\nH200 from the other systems, by the share of tensor ranks' exchange that is hidden\n");
  for (const double hidden : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    auto as = h200;
    as.tensor_overlap = as.tensor_backward_overlap = hidden;
    for (const auto& r : runs) {
      if (r.gpu.name != h200.gpu) continue;
      const double s = predict_s(r, fit_mlperf(without(runs, r.group), as, h200.gpu, "H100 SXM"));
      fmt::print("  {:>4.0f} % {:>+8.2f} %\n", percent * hidden, percent * (s / r.step_s - 1));
    }
  }
}

// Sizes for which the folder has no row.
void print_other_sizes(const std::filesystem::path& data, const std::vector<training_coefficients>& all) {
  struct size {
    std::string_view system;
    int data;
    std::int64_t batch;
  };
  constexpr size sizes[] = {{"eos-dfw_n64", 19, 1216},    {"eos-dfw_n64", 20, 1120},
                            {"eos-dfw_n64", 64, 1536},    {"nebius_soperator_8xH200_n64", 16, 1152},
                            {"carina_ngpu512", 24, 1152}, {"carina_ngpu512", 32, 1280},
                            {"carina_ngpu512", 39, 1248}};
  fmt::print("\nother sizes of the same job\n");
  for (const auto& s : sizes) {
    const auto like = only(mlperf_runs(data), s.system);
    if (like.empty()) continue;
    const auto r = mlperf_like(like.front(), s.data, s.batch);
    fmt::print("  {:>5} {:<10} {:>5} sequences {:>9.3f} s\n", r.plan.layout.gpus(), r.gpu.name, s.batch,
               predict_s(r, of(all, r.gpu.name)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto data = data_folder();
  const auto a100 = study_a100();
  print_study(a100, "the other half, not fitted");
  for (const auto& s : study_mlperf(data, a100.found)) print_study(s, "each group from the others");
  const auto all = shipped(data, a100.found);
  if (all.size() < 2) {
    fmt::print("\nno data of MLPerf: set RIDGE_DATA to the folder that holds serving/\n");
    return 0;
  }
  print_overlap(data, of(all, "H200 SXM"));
  print_published(all);
  print_pretraining(data);
  print_other_sizes(data, all);
  if (argc == 3 && std::string_view(argv[1]) == "--write") std::ofstream(argv[2]) << coefficient_file(all);
  return 0;
}
