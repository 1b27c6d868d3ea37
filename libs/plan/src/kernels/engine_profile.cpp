// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/engine_profile.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

#include "overheads_json.hpp"

namespace ridge::plan::kernels {
namespace {

constexpr std::string_view engines_schema = "ridge.plan.engines/1";

engine_profile read_engine(json_members& members) {
  engine_profile e;
  auto overheads = members.object("overheads"), scaling = members.object("scaling");
  read_overheads(overheads, e.overheads);
  read_scaling(scaling, e.scaling);
  members.count("max_batched_tokens", e.max_batched_tokens);
  members.count("max_sequences", e.max_sequences);
  members.count("rows", e.rows);
  members.text("source", e.source);
  members.text("date", e.date);
  members.take(overheads);
  members.take(scaling);
  return e;
}

nlohmann::ordered_json engine_json(const engine_profile& e) {
  return {{"overheads", overheads_json(e.overheads)},
          {"scaling", scaling_json(e.scaling)},
          {"max_batched_tokens", e.max_batched_tokens},
          {"max_sequences", e.max_sequences},
          {"rows", e.rows},
          {"source", e.source},
          {"date", e.date}};
}

std::vector<engine_profile> load() {
  const auto text = embedded_text("engines.json");
  if (text.empty()) return {};
  auto all = parse_engines(text, "engines.json");
  expects(all.ok(), all.ok() ? "" : all.why().message);
  return std::move(*all);
}

}  // namespace

std::span<const engine_profile> embedded_engines() {
  static const auto all = load();
  return all;
}

result<engine_profile> engine_named(std::string_view name) {
  std::string names;
  for (const auto& e : embedded_engines()) {
    if (e.overheads.engine == name) return e;
    names += (names.empty() ? "" : ", ") + e.overheads.engine;
  }
  return error{fmt::format("engine \"{}\" is not known", name.substr(0, 40)), "there are " + names};
}

result<std::vector<engine_profile>> parse_engines(std::string_view text, std::string_view name) {
  const auto whole = parse_document(text, name, engines_schema);
  if (!whole) return whole.why();
  std::vector<engine_profile> all;
  const auto list = whole->find("engines");
  if (list == whole->end() || !list->is_array())
    return error{fmt::format("{}: /engines: is not an array", name), "correct the file"};
  for (const auto& one : *list) {
    json_members from(one, std::string(name), fmt::format("/engines/{}", all.size()));
    all.push_back(read_engine(from));
    if (from.wrong()) return *from.wrong();
  }
  return all;
}

std::string engines_json(std::span<const engine_profile> all) {
  nlohmann::ordered_json whole{{"schema", engines_schema}, {"engines", nlohmann::ordered_json::array()}};
  for (const auto& e : all) whole["engines"].push_back(engine_json(e));
  return whole.dump(1);
}

void apply(const engine_profile& engine, step_request& request) {
  request.engine = engine.overheads;
  request.scaling = engine.scaling;
}

}  // namespace ridge::plan::kernels
