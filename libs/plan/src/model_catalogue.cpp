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

struct known_name {
  std::string name{};
  std::size_t model = 0;
};

// Configurations are read when their model is asked for: reading all of them takes longer than most answers.
struct model_entries {
  std::vector<std::string> names{};       // full names
  std::vector<json> configs{};            // of the same index
  std::vector<known_name> known_names{};  // in lower case: full names, their last parts, aliases
};

void add_names(model_entries& entries, std::string_view name) {
  const auto full = lower_case(name);
  entries.known_names.push_back({full, entries.names.size() - 1});
  if (const auto slash = full.rfind('/'); slash != std::string::npos)
    entries.known_names.push_back({full.substr(slash + 1), entries.names.size() - 1});
}

std::string_view models_text() {
  const auto files = embedded::plan_data();
  const auto at = std::ranges::find(files, std::string_view("models.json"), &embedded::embedded_file::name);
  expects(at != files.end(), "models.json is not inside the program");
  return at->text;
}

model_entries load() {
  model_entries all;
  auto whole = json::parse(models_text());
  for (auto& entry : whole.at("models")) {
    all.names.push_back(entry.at("name").get<std::string>());
    all.configs.push_back(std::move(entry.at("config")));
    add_names(all, all.names.back());
    for (const auto& other : entry.value("aliases", json::array())) add_names(all, other.get<std::string>());
  }
  return all;
}

const model_entries& entries() {
  static const model_entries all = load();
  return all;
}

model_shape shape_of(std::size_t model) {
  const auto& name = entries().names[model];
  auto shape = model_of_config(entries().configs[model], name, "models.json: " + name);
  expects(shape.ok(), shape.ok() ? "" : shape.why().message);
  return std::move(*shape);
}

std::vector<model_shape> all_shapes() {
  std::vector<model_shape> all;
  for (std::size_t i = 0; i < entries().names.size(); ++i) all.push_back(shape_of(i));
  return all;
}

error unknown_model(std::string_view whole_name) {
  const auto name = whole_name.substr(0, 80);
  auto names = entries().names;
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

std::span<const model_shape> embedded_models() {
  static const auto all = all_shapes();
  return all;
}

result<model_shape> model_named(std::string_view name) {
  const auto wanted = lower_case(name);
  const auto at = std::ranges::find(entries().known_names, wanted, &known_name::name);
  if (at == entries().known_names.end()) return unknown_model(name);
  return shape_of(at->model);
}

}  // namespace ridge::plan
