// SPDX-License-Identifier: Apache-2.0
#include "api/rows.hpp"

#include <charconv>
#include <variant>

#include <fmt/format.h>

#include "api/shapes.hpp"

namespace ridge::app_serve {

using server::value_type;

namespace {

template <class Number>
void write_column(model::json_writer& json, std::string_view name, const std::vector<Number>& column) {
  json.key(name).begin_array(true);
  for (const auto value : column) {
    if constexpr (std::is_same_v<Number, double>)
      json.value(value);
    else
      json.value(static_cast<std::uint64_t>(value));
  }
  json.end_array();
}

}  // namespace

void write_samples(model::json_writer& json, const model::series& samples) {
  write_column(json, "value", samples.value);
  write_column(json, "round", samples.block);
  write_column(json, "position", samples.position);
  write_column(json, "marked", samples.marked);
}

void write_optional(model::json_writer& json, std::string_view name, const std::optional<double>& value) {
  json.key(name);
  if (value)
    json.value(*value);
  else
    json.null();
}

void write_run_entry(model::json_writer& json, const store::run_entry& entry) {
  json.begin_object().field("id", entry.id).field("started", entry.started).field("machine", entry.machine);
  json.field("profile", entry.profile);
  write_optional(json, "wall_s", entry.wall_s);
  json.field("families", entry.families).field("comparisons", entry.comparisons).end_object();
}

server::schema run_entry_shape() {
  return object_of({text("id"), text("started", "ISO 8601, UTC"), text("machine"), text("profile"),
                    number("wall_s", "null: it has not finished"), whole("families"), whole("comparisons")});
}

void write_metric(model::json_writer& json, const model::metric& metric) {
  json.field("metric", metric.name).field("unit", metric.unit).field("better", name(metric.better));
}

void write_workload_members(model::json_writer& json, const model::workload& workload) {
  json.field("id", workload.id).field("machine", workload.machine).field("experiment", workload.experiment);
  json.field("title", workload.title).field("problem", workload.problem).key("axes").begin_object();
  for (const auto& [axis, value] : workload.axes) {
    json.key(axis);
    std::visit([&json](const auto& plain_value) { json.value(plain_value); }, value);
  }
  json.end_object().field("backend", name(workload.backend)).field("goal", name(workload.goal));
  json.field("flop", workload.flop).field("bytes", workload.bytes).field("items", workload.items);
  json.field("families", workload.families);
}

server::schema workload_shape() {
  return object_of({whole("id", "of this store"),
                    text("machine"),
                    text("experiment"),
                    text("title"),
                    text("problem"),
                    {"axes", open_object()},
                    text("backend"),
                    text("goal"),
                    number("flop", "of one call, by definition"),
                    number("bytes"),
                    number("items"),
                    whole("families", "how often it was measured")});
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

result<std::optional<std::uint64_t>> whole_number_given(const server::request& asked, std::string_view name) {
  const auto text = query_value(asked, name).value_or("");
  if (text.empty()) return std::optional<std::uint64_t>();
  if (const auto number = whole_number(text)) return number;
  return error{fmt::format("the parameter \"{}\" is \"{}\"", name, text), "give a whole number from 0"};
}

std::vector<server::parameter> workload_parameters(bool with_variant) {
  std::vector<server::parameter> all{
      {.name = "experiment",
       .description = "an experiment, a chapter (ch07) or a glob",
       .may_be_empty = true},
      {.name = "machine", .description = "a machine, as results name it, or a glob", .may_be_empty = true},
      {.name = "backend",
       .description = "only of this backend",
       .choices = {"cpu", "cuda"},
       .may_be_empty = true},
      {.name = "problem",
       .description = "only this problem, written as it is printed",
       .may_be_empty = true}};
  if (with_variant)
    all.push_back({.name = "variant", .description = "only this variant", .may_be_empty = true});
  return all;
}

result<store::workload_query> workload_query_of(const server::request& asked) {
  const auto given = [&asked](std::string_view name) { return query_value(asked, name).value_or(""); };
  store::workload_query query;
  if (auto text = given("experiment"); !text.empty()) {
    const bool is_chapter = text.find_first_of(".*?") == std::string::npos;
    query.experiment = is_chapter ? text + ".*" : text;
  }
  if (auto text = given("machine"); !text.empty()) query.machine = text;
  if (auto text = given("problem"); !text.empty()) query.problem = text;
  if (auto text = given("variant"); !text.empty()) query.variant = text;
  query.backend = model::named<model::backend>(given("backend"));
  return query;
}

}  // namespace ridge::app_serve
