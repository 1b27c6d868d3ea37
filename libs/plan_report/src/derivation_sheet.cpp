// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/derivation_sheet.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "page_values.hpp"

namespace ridge::plan_report {
namespace {

using report::unit;

std::string inputs_text(const plan::figure& f) {
  std::string text;
  for (const auto& one : f.inputs) text += (text.empty() ? "" : ", ") + one.symbol + " = " + one.value;
  return text;
}

bool has_fact(const report::document& d, const std::string& key) {
  return std::ranges::any_of(d.facts, [&](const auto& fact) { return fact.first == key; });
}

report::row figure_row(const plan::figure& f) {
  return {.values = {f.id, f.label, f.value, f.unit, f.formula, inputs_text(f), std::string(name_of(f.basis)),
                     f.source, f.low(), f.high()}};
}

}  // namespace

std::string explained(const plan::figure& f) {
  std::string text = fmt::format("{}: {}\n", f.label, format_quantity(f.value, f.unit, 4));
  if (!f.formula.empty()) text += fmt::format("    = {}\n", f.formula);
  if (!f.inputs.empty()) text += fmt::format("    {}\n", inputs_text(f));
  text += fmt::format("    {}{}{}", name_of(f.basis), f.source.empty() ? "" : ": ", f.source);
  if (f.has_band())
    text += fmt::format("; {} to {}", format_quantity(f.low(), f.unit), format_quantity(f.high(), f.unit));
  return text;
}

void add_derivation(report::document& answer, const plan::derivation& derivation, bool explain) {
  for (const auto& f : derivation) {
    if (!has_fact(answer, f.id)) answer.facts.emplace_back(f.id, plain(f.value));
  }
  report::sheet figures{.key = "figures",
                        .title = explain ? "How each figure comes about" : "",
                        .fields = {{"id"},
                                   {"label"},
                                   {"value"},
                                   {"unit"},
                                   {"formula"},
                                   {"inputs"},
                                   {"basis"},
                                   {"source"},
                                   {"low"},
                                   {"high"}}};
  for (const auto& f : derivation) {
    figures.rows.push_back(figure_row(f));
    if (explain) figures.prose.push_back(explained(f));
  }
  answer.sheets.push_back(std::move(figures));
}

}  // namespace ridge::plan_report
