// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/rule.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>

#include <trace_rules.hpp>

namespace ridge::trace {
namespace {

constexpr const char* remedy = "give --set RULE.THRESHOLD=NUMBER, as in --set I1.idle_share=0.2";

template <class T, class Name>
std::vector<std::string> sorted_names(const std::vector<T>& all, Name name) {
  std::vector<std::string> names;
  for (const auto& one : all) names.push_back(one.*name);
  return names;
}

error unknown(std::string_view given, std::string_view wanted, const std::vector<std::string>& names) {
  const auto near = nearest_name(wanted, names);
  return {fmt::format("there is no {} \"{}\"{}", given, wanted,
                      near ? fmt::format(" (\"{}\"?)", *near) : fmt::format(", only {}", join(names, ", "))),
          remedy};
}

result<double> number_in(std::string_view text, std::string_view setting) {
  double value = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (why != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
    return error{fmt::format("\"{}\" in \"{}\" is not a number from 0 on", text, setting), remedy};
  return value;
}

}  // namespace

std::span<const std::string_view> cause_slugs() {
  static constexpr std::string_view slugs[] = {"host-elsewhere",
                                               "loader",
                                               "read-back",
                                               "launches",
                                               "optimizer-unfused",
                                               "pageable-copies",
                                               "fp32-products",
                                               "attention-unfused",
                                               "depthwise-convolution",
                                               "small-products",
                                               "padding",
                                               "moe-small-groups",
                                               "layout",
                                               "casts",
                                               "elementwise-unfused",
                                               "allocator",
                                               "growing-cat",
                                               "scatter-atomics",
                                               "weights-offloaded",
                                               "anomaly",
                                               "recomputation"};
  return slugs;
}

std::string_view name(rule_level l) {
  constexpr std::array<std::string_view, 6> names{"trust", "where", "why", "kernels", "host", "ranks"};
  return names.at(static_cast<std::size_t>(l));
}

double rule::limit(std::string_view threshold_name) const {
  const auto at = std::ranges::find(thresholds, threshold_name, &threshold::name);
  expects(at != thresholds.end(), fmt::format("rule {} has no threshold {}", id, threshold_name));
  return at->value;
}

rule_table rule_table::built_in() {
  auto table = parse_rules(embedded::trace_rules().front().text);
  expects(table.ok(), table.ok() ? "" : table.why().text());
  return std::move(table).value();
}

const rule* rule_table::find(std::string_view id) const {
  const auto at = std::ranges::find(rules, id, &rule::id);
  return at == rules.end() ? nullptr : &*at;
}

const rule_need& rule_table::need(std::string_view need_name) const {
  const auto at = std::ranges::find(needs, need_name, &rule_need::name);
  expects(at != needs.end(), fmt::format("no need is called {}", need_name));
  return *at;
}

result<void> rule_table::set(std::string_view setting) {
  const auto dot = setting.find('.'), equals = setting.find('=');
  if (dot == std::string_view::npos || equals == std::string_view::npos || dot > equals)
    return error{fmt::format("\"{}\" is not a setting of a threshold", setting), remedy};
  const auto id = setting.substr(0, dot), wanted = setting.substr(dot + 1, equals - dot - 1);
  const auto at = std::ranges::find(rules, id, &rule::id);
  if (at == rules.end()) return unknown("rule", id, sorted_names(rules, &rule::id));
  const auto limit = std::ranges::find(at->thresholds, wanted, &threshold::name);
  if (limit == at->thresholds.end())
    return unknown(fmt::format("threshold of {}", id), wanted,
                   sorted_names(at->thresholds, &threshold::name));
  const auto value = number_in(setting.substr(equals + 1), setting);
  if (!value) return value.why();
  limit->value = *value;
  return {};
}

}  // namespace ridge::trace
