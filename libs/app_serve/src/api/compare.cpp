// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/model/json_writer.hpp>
#include <ridge/model/run.hpp>
#include <ridge/stats/dependence.hpp>
#include <ridge/stats/rank_sum.hpp>
#include <ridge/store/store_failure.hpp>

#include "api/api.hpp"
#include "api/shapes.hpp"

// Two runs beside each other. They were not measured in pairs, so a ratio comes with the bounds that both
// intervals allow, and never with a verdict.
namespace ridge::app_serve {
namespace {

using server::value_type;

struct compared_value {
  model::metric metric{};
  double median = 0;
  ridge::interval ci{};
  const model::series* samples = nullptr;  // of the run; null where none are stored
};

struct compared_key {
  std::string experiment{}, problem{}, backend{}, variant{}, metric{};
  auto operator<=>(const compared_key&) const = default;
};

std::map<compared_key, compared_value> values_of(const model::run& run) {
  std::map<compared_key, compared_value> made;
  for (const auto& family : run.families) {
    for (const auto& seen : family.measurements) {
      if (!seen.refused.empty()) continue;
      for (const auto& one : seen.metrics) {
        const auto samples = std::ranges::find_if(
            seen.samples, [&](const model::series& kept) { return kept.metric.name == one.metric.name; });
        made.insert_or_assign(
            {family.experiment, model::text(family.problem), std::string(name(family.backend)), seen.variant,
             one.metric.name},
            compared_value{one.metric, one.median, one.ci,
                           samples != seen.samples.end() && !samples->value.empty() ? &*samples : nullptr});
      }
    }
  }
  return made;
}

// How many times better b is than a: its estimate and the bounds of both intervals.
ridge::interval bounds_of(const compared_value& a, const compared_value& b) {
  if (a.metric.better == model::better::lower) return {a.ci.lo / b.ci.hi, a.ci.hi / b.ci.lo};
  return {b.ci.lo / a.ci.hi, b.ci.hi / a.ci.lo};
}

// Independent observations: samples, or the medians of blocks of them where neighbours are alike.
std::vector<double> independent_of(const model::series& samples) {
  std::vector<double> finite;
  std::ranges::copy_if(samples.value, std::back_inserter(finite),
                       [](double value) { return std::isfinite(value); });
  if (!stats::dependent(finite)) return finite;
  return stats::block_medians(finite, stats::block_length(finite.size()));
}

// How often samples of one distribution differ as much; not a number where too few are stored.
double chance_of(const compared_value& a, const compared_value& b) {
  const auto unknown = std::nan("");
  if (a.samples == nullptr || b.samples == nullptr) return unknown;
  const auto first = independent_of(*a.samples), second = independent_of(*b.samples);
  if (std::min(first.size(), second.size()) < stats::least_ranked) return unknown;
  return stats::rank_sum_p(first, second);
}

void write_row(model::json_writer& json, const compared_key& key, const compared_value* a,
               const compared_value* b) {
  const auto write = [&json](const std::string& prefix, const compared_value* seen) {
    const auto unknown = std::nan("");
    json.field(prefix, seen != nullptr ? seen->median : unknown)
        .field(prefix + "_lo", seen != nullptr ? seen->ci.lo : unknown);
    json.field(prefix + "_hi", seen != nullptr ? seen->ci.hi : unknown);
    json.field(prefix + "_samples", static_cast<std::uint64_t>(seen != nullptr && seen->samples != nullptr
                                                                   ? seen->samples->value.size()
                                                                   : 0));
  };
  const auto& metric = (a != nullptr ? a : b)->metric;
  json.begin_object()
      .field("workload", fmt::format("{} {} {}", key.experiment, key.problem, key.backend))
      .field("experiment", key.experiment)
      .field("problem", key.problem)
      .field("backend", key.backend)
      .field("variant", key.variant)
      .field("metric", metric.name);
  json.field("unit", metric.unit).field("better", name(metric.better));
  write("a", a);
  write("b", b);
  auto ratio = std::nan(""), chance = ratio;
  ridge::interval bounds{ratio, ratio};
  if (a != nullptr && b != nullptr && a->metric.unit == b->metric.unit) {
    ratio = metric.better == model::better::lower ? a->median / b->median : b->median / a->median;
    bounds = bounds_of(*a, *b);
    chance = chance_of(*a, *b);
  }
  json.field("ratio", ratio)
      .field("ratio_lo", bounds.lo)
      .field("ratio_hi", bounds.hi)
      .field("p", chance)
      .field("paired", false)
      .end_object();
}

void write_rows(model::json_writer& json, const model::run& a, const model::run& b) {
  const auto first = values_of(a), second = values_of(b);
  std::set<compared_key> keys;
  for (const auto* values : {&first, &second})
    for (const auto& [key, value] : *values) keys.insert(key);
  json.key("rows").begin_array();
  for (const auto& key : keys) {
    const auto left = first.find(key), right = second.find(key);
    write_row(json, key, left == first.end() ? nullptr : &left->second,
              right == second.end() ? nullptr : &right->second);
  }
  json.end_array();
}

std::vector<std::pair<std::string, std::string>> facts_of(const model::environment& seen) {
  std::vector<std::pair<std::string, std::string>> facts{{"machine", seen.machine},
                                                         {"cpu", seen.cpu},
                                                         {"kernel", seen.kernel},
                                                         {"compiler", seen.compiler},
                                                         {"flags", seen.flags},
                                                         {"build", seen.build},
                                                         {"cores", std::to_string(seen.cores)}};
  facts.insert(facts.end(), seen.facts.begin(), seen.facts.end());
  return facts;
}

// The facts in which two environments differ; of those that only one has, the other is null.
void write_environment(model::json_writer& json, const model::environment& a, const model::environment& b) {
  const auto first = facts_of(a), second = facts_of(b);
  const auto value_in = [](const auto& facts, const std::string& name) -> const std::string* {
    for (const auto& [fact, value] : facts)
      if (fact == name) return &value;
    return nullptr;
  };
  std::vector<std::string> names;
  for (const auto* facts : {&first, &second})
    for (const auto& [fact, value] : *facts)
      if (std::ranges::find(names, fact) == names.end()) names.push_back(fact);
  json.key("environment").begin_array();
  for (const auto& fact : names) {
    const auto *left = value_in(first, fact), *right = value_in(second, fact);
    if (left != nullptr && right != nullptr && *left == *right) continue;
    json.begin_object().field("fact", fact);
    for (const auto& [key, value] : {std::pair{"a", left}, {"b", right}}) {
      json.key(key);
      if (value == nullptr)
        json.null();
      else
        json.value(*value);
    }
    json.end_object();
  }
  json.end_array();
}

result<std::string> compare(store::store& store, const server::request& asked) {
  const auto a = store.load(query_value(asked, "a").value_or(""));
  if (!a) return a.why();
  const auto b = store.load(query_value(asked, "b").value_or(""));
  if (!b) return b.why();
  model::json_writer json;
  json.begin_object().field("a", a->id).field("b", b->id);
  json.field("note",
             "The two runs were not measured in pairs: a difference may be that of two days. `ridge compare` "
             "measures two builds interleaved.");
  write_environment(json, a->environment, b->environment);
  write_rows(json, *a, *b);
  json.end_object();
  return std::move(json).take();
}

server::schema compare_shape() {
  const auto fact = object_of(
      {text("fact"), {"a", plain(value_type::text, "", true)}, {"b", plain(value_type::text, "", true)}});
  const auto row =
      object_of({text("workload"),
                 text("experiment"),
                 text("problem"),
                 text("backend"),
                 text("variant"),
                 text("metric"),
                 text("unit"),
                 text("better"),
                 number("a"),
                 number("a_lo"),
                 number("a_hi"),
                 whole("a_samples", "how many are stored"),
                 number("b"),
                 number("b_lo"),
                 number("b_hi"),
                 whole("b_samples"),
                 number("ratio", "how many times better b is"),
                 number("ratio_lo", "the bound that both 95 % intervals allow"),
                 number("ratio_hi"),
                 number("p",
                        "how often noise inside runs makes as large a difference (rank-sum test); "
                        "what differs between days is not in it"),
                 {"paired", plain(value_type::truth)}});
  return object_of(
      {text("a"), text("b"), text("note"), {"environment", array_of(fact)}, {"rows", array_of(row)}});
}

}  // namespace

std::vector<server::route> compare_routes(const api& shared) {
  std::vector<server::route> made;
  made.push_back(read_route("/api/v1/compare", "Two runs beside each other",
                            {{.name = "a", .description = "the id of a run", .required = true},
                             {.name = "b", .description = "the id of the other", .required = true}},
                            compare_shape(), asking(shared, compare)));
  return made;
}

}  // namespace ridge::app_serve
