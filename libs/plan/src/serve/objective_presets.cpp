// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan/serve/objective.hpp>

#include <plan_data.hpp>

namespace ridge::plan::serve {
namespace {

std::string_view presets_text() {
  for (const auto& file : embedded::plan_data()) {
    if (file.name == "slo_presets.json") return file.text;
  }
  expects(false, "slo_presets.json is embedded");
  return {};
}

std::vector<objective_preset> read_presets() {
  const auto all = nlohmann::json::parse(presets_text());
  const auto source = all.at("source").get<std::string>();
  const auto quantile = all.at("quantile").get<double>();
  std::vector<objective_preset> presets;
  for (const auto& one : all.at("presets")) {
    const auto limit = [&](latency_metric m, const char* key) {
      return objective{m, objective::statistic::quantile, quantile, one.at(key).get<double>() / 1e3};
    };
    presets.push_back(
        {.name = one.at("name").get<std::string>(),
         .model = one.at("model").get<std::string>(),
         .objectives = {limit(latency_metric::ttft, "ttft_ms"), limit(latency_metric::tpot, "tpot_ms")},
         .source = source});
  }
  return presets;
}

}  // namespace

std::span<const objective_preset> objective_presets() {
  static const auto presets = read_presets();
  return presets;
}

result<objective_preset> objective_preset_named(std::string_view name) {
  const auto all = objective_presets();
  const auto found = std::ranges::find(all, name, &objective_preset::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const auto& p : all) names.push_back(p.name);
  const auto near = nearest_name(name, names);
  return error{
      fmt::format("no preset of objectives is named \"{}\"", name),
      near ? fmt::format("did you mean {}?", *near) : fmt::format("there are: {}", join(names, ", "))};
}

}  // namespace ridge::plan::serve
