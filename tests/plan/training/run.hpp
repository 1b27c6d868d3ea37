// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/interconnect.hpp>
#include <ridge/plan/train/step_time.hpp>
#include <ridge/plan/train/training_coefficients.hpp>
#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

// A training run with a measured step time.
struct measured_run {
  std::string name{};
  std::string group{};  // runs that are left out together: a model, a system
  accelerator gpu{};
  interconnect links{};
  training_job job{};
  training_plan plan{};
  std::optional<double> tensor_backward_overlap{};  // of the software that ran, where it is known
  double step_s = 0;
};

struct prediction {
  const measured_run* run = nullptr;
  double step_s = 0;
  [[nodiscard]] double error() const { return step_s / run->step_s - 1; }
};

[[nodiscard]] double predict_s(const measured_run& run, const training_coefficients& c);
[[nodiscard]] std::vector<prediction> predict(std::span<const measured_run> runs,
                                              const training_coefficients& c);
[[nodiscard]] double mean_error(std::span<const prediction> predictions);     // mean magnitude
[[nodiscard]] double largest_error(std::span<const prediction> predictions);  // magnitude
// The sum of the squared logarithms of predicted over measured seconds: what fits make least.
[[nodiscard]] double squared_log_error(std::span<const measured_run> runs, const training_coefficients& c);
[[nodiscard]] std::vector<std::string> groups_of(std::span<const measured_run> runs);
[[nodiscard]] std::vector<measured_run> without(std::span<const measured_run> runs, std::string_view group);
[[nodiscard]] std::vector<measured_run> only(std::span<const measured_run> runs, std::string_view group);

// $RIDGE_DATA, else ../shared/data beside the sources ($RIDGE_SOURCE_DIR, else the working directory).
[[nodiscard]] std::filesystem::path data_folder();
// tests/data of the sources, which holds what the tests need; where it is missing, data_folder().
[[nodiscard]] std::filesystem::path test_data_folder();

[[nodiscard]] accelerator catalogue_gpu(std::string_view name);

}  // namespace ridge::plan::train
