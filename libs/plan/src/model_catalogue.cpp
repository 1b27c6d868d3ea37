// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/model_catalogue.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/base/text.hpp>

#include "model_config.hpp"
#include "plan_data.hpp"

namespace ridge::plan {
namespace {

using nlohmann::json;

struct other_name {
  std::string name{};
  std::size_t model = 0;
};

struct model_list {
  std::vector<model_shape> models{};
  std::vector<other_name> names{};  // in lower case: full names, their last parts, aliases
};

void add_names(model_list& models, std::string_view name) {
  const auto full = lower_case(name);
  models.names.push_back({full, models.models.size() - 1});
  if (const auto slash = full.rfind('/'); slash != std::string::npos)
    models.names.push_back({full.substr(slash + 1), models.models.size() - 1});
}

std::string_view models_text() {
  const auto files = embedded::plan_data();
  const auto at = std::ranges::find(files, std::string_view("models.json"), &embedded::embedded_file::name);
  expects(at != files.end(), "models.json is not inside the program");
  return at->text;
}

model_list load() {
  model_list all;
  const auto whole = json::parse(models_text());
  for (const auto& entry : whole.at("models")) {
    const auto name = entry.at("name").get<std::string>();
    auto shape = model_of_config(entry.at("config"), name, "models.json: " + name);
    expects(shape.ok(), shape.ok() ? "" : shape.why().message);
    all.models.push_back(std::move(*shape));
    add_names(all, name);
    for (const auto& other : entry.value("aliases", json::array())) add_names(all, other.get<std::string>());
  }
  return all;
}

const model_list& models() {
  static const model_list all = load();
  return all;
}

error unknown_model(std::string_view whole_name) {
  const auto name = whole_name.substr(0, 80);
  std::vector<std::string> names;
  for (const auto& one : models().models) names.push_back(one.name);
  auto near = nearest_name(name, names);
  if (!near) {
    for (auto& one : names) one = one.substr(one.rfind('/') + 1);
    near = nearest_name(name, names);
  }
  return {fmt::format("model \"{}\" is not inside the program{}", name,
                      near ? fmt::format("; did you mean {}?", *near) : ""),
          "`ridge plan models` lists them; --config FILE reads any Hugging Face config.json"};
}

}  // namespace

std::span<const model_shape> embedded_models() { return models().models; }

result<model_shape> model_named(std::string_view name) {
  const auto wanted = lower_case(name);
  const auto at = std::ranges::find(models().names, wanted, &other_name::name);
  if (at == models().names.end()) return unknown_model(name);
  return models().models[at->model];
}

}  // namespace ridge::plan
