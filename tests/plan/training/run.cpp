// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <ridge/base/expects.hpp>

namespace ridge::plan::train {

double predict_s(const measured_run& run, const training_coefficients& c) {
  auto by = c;
  by.tensor_backward_overlap = run.tensor_backward_overlap.value_or(c.tensor_backward_overlap);
  return step_model(run.job, run.gpu, run.links, by).time(run.plan).total_s;
}

std::vector<prediction> predict(std::span<const measured_run> runs, const training_coefficients& c) {
  std::vector<prediction> all;
  for (const auto& r : runs) all.push_back({&r, predict_s(r, c)});
  return all;
}

double mean_error(std::span<const prediction> predictions) {
  double sum = 0;
  for (const auto& p : predictions) sum += std::abs(p.error());
  return predictions.empty() ? 0 : sum / static_cast<double>(predictions.size());
}

double largest_error(std::span<const prediction> predictions) {
  double most = 0;
  for (const auto& p : predictions) most = std::max(most, std::abs(p.error()));
  return most;
}

double squared_log_error(std::span<const measured_run> runs, const training_coefficients& c) {
  double sum = 0;
  for (const auto& r : runs) {
    const double e = std::log(predict_s(r, c) / r.step_s);
    sum += e * e;
  }
  return sum;
}

std::vector<std::string> groups_of(std::span<const measured_run> runs) {
  std::vector<std::string> all;
  for (const auto& r : runs) {
    if (std::ranges::find(all, r.group) == all.end()) all.push_back(r.group);
  }
  return all;
}

std::vector<measured_run> without(std::span<const measured_run> runs, std::string_view group) {
  std::vector<measured_run> all(runs.begin(), runs.end());
  std::erase_if(all, [&](const measured_run& r) { return r.group == group; });
  return all;
}

std::vector<measured_run> only(std::span<const measured_run> runs, std::string_view group) {
  std::vector<measured_run> all(runs.begin(), runs.end());
  std::erase_if(all, [&](const measured_run& r) { return r.group != group; });
  return all;
}

std::filesystem::path test_data_folder() {
  const auto* sources = std::getenv("RIDGE_SOURCE_DIR");
  const auto beside = std::filesystem::path(sources != nullptr ? sources : ".") / "tests" / "data";
  return std::filesystem::exists(beside / "serving") ? beside : data_folder();
}

std::filesystem::path data_folder() {
  if (const auto* set = std::getenv("RIDGE_DATA")) return set;
  const auto* sources = std::getenv("RIDGE_SOURCE_DIR");
  return std::filesystem::path(sources != nullptr ? sources : ".") / ".." / "shared" / "data";
}

accelerator catalogue_gpu(std::string_view name) {
  const auto found = accelerator_named(hardware::catalogue::embedded(), name);
  expects(found.ok(), "a GPU of the data is not in the catalogue");
  return *found;
}

}  // namespace ridge::plan::train
