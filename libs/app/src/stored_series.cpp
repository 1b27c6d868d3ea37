// SPDX-License-Identifier: Apache-2.0
#include "stored_series.hpp"

#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "text_table.hpp"

namespace ridge::app {

style style_of(model::verdict v) {
  switch (v) {
    case model::verdict::better:
      return style::good;
    case model::verdict::worse:
    case model::verdict::invalid:
    case model::verdict::unverified:
      return style::bad;
    case model::verdict::inconclusive:
      return style::warning;
    case model::verdict::equivalent:
    case model::verdict::different_but_small:
      break;
  }
  return style::plain;
}

std::string ratio_text(const model::comparison& of) {
  auto ratio = format_ratio(of.ratio, of.ci.lo, of.ci.hi);
  if (!std::isfinite(of.ci.hi)) return ratio + " [-]";
  const auto end = [&](double x) {
    auto text = format_ratio(x, of.ci.lo, of.ci.hi);
    return text.substr(0, text.find("×"));
  };
  return fmt::format("{} [{}, {}]", ratio, end(of.ci.lo), end(of.ci.hi));
}

std::string stored_table(std::span<const model::stored_comparison> rows, const terminal& on,
                         std::size_t indent) {
  text_table table(
      {{"WHEN (UTC)"}, {"RUN"}, {"PROBLEM"}, {"COMPARISON", false, true}, {"RATIO", true}, {"VERDICT"}});
  for (const auto& one : rows) {
    const auto& c = one.row.comparison;
    const auto when = one.started.substr(0, 10) + ' ' + one.started.substr(11, 5);
    const auto verdict = c.judged ? std::string(model::name(c.verdict)) : "-";
    table.add({{when},
               {one.run.substr(one.run.size() - std::min<std::size_t>(6, one.run.size()))},
               {one.row.problem},
               {fmt::format("{} vs {}{}", c.candidate, c.reference,
                            c.metric.name == "time" ? "" : ", " + c.metric.name)},
               {ratio_text(c)},
               {verdict, c.judged ? style_of(c.verdict) : style::dim}});
  }
  return table.render(on, indent);
}

}  // namespace ridge::app
