// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include <ridge/analysis/power.hpp>

#include "analysis_data.hpp"

namespace ridge::analysis {
namespace {

power_model model_of(const nlohmann::json& j) {
  return {.gpu = j.at("gpu").get<std::string>(),
          .limit_w = j.at("limit_w").get<double>(),
          .idle_w = j.at("idle_w").get<double>(),
          .memory_w = j.at("memory_w").get<double>(),
          .compute_w = j.at("compute_w").get<double>(),
          .rows = j.at("rows").get<std::size_t>(),
          .capped = j.at("capped").get<std::size_t>(),
          .median_error = j.at("median_error").get<double>(),
          .p90_error = j.at("p90_error").get<double>(),
          .source = j.at("source").get<std::string>(),
          .date = j.at("date").get<std::string>()};
}

std::string_view file_named(std::string_view name) {
  for (const auto& file : embedded::analysis_data()) {
    if (file.name == name) return file.text;
  }
  return {};
}

}  // namespace

std::span<const power_model> known_power_models() {
  static const auto all = [] {
    std::vector<power_model> models;
    const auto whole = nlohmann::json::parse(file_named("power.json"));
    for (const auto& j : whole.at("models")) models.push_back(model_of(j));
    return models;
  }();
  return all;
}

const power_model* power_model_of(std::string_view gpu) {
  const auto all = known_power_models();
  const auto at = std::ranges::find(all, gpu, &power_model::gpu);
  return at == all.end() ? nullptr : &*at;
}

}  // namespace ridge::analysis
