// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/stacking_page.hpp>

#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::plan_report {
namespace {

using report::unit;

report::value memory_value(double bytes) { return bytes == 0 ? report::value() : report::value(bytes); }

report::sheet alone_sheet(const stacking_answer& a) {
  report::sheet s{.key = "alone",
                  .title = "Each alone",
                  .fields = {{"technique", "technique"},
                             {"speedup", "whole run faster by", unit::number},
                             {"memory_bytes", "memory", unit::bytes}}};
  for (const auto& c : a.alone)
    s.rows.push_back({.values = {c.techniques.front(), c.speedup, memory_value(c.memory_bytes)}});
  return s;
}

report::sheet pairs_sheet(const std::vector<analysis::pair_verdict>& pairs) {
  report::sheet s{
      .key = "pairs",
      .title = "Pairs",
      .fields = {{"first", "first"}, {"second", "second"}, {"basis", "together"}, {"why", "why"}}};
  for (const auto& p : pairs) {
    const auto tone = p.basis == analysis::pair_basis::conflict ? report::tone::bad : report::tone::plain;
    s.rows.push_back({.values = {p.first, p.second, std::string(name_of(p.basis)), p.why}, .look = tone});
  }
  return s;
}

std::string title_of(const stacking_answer& a) {
  const auto& c = a.stack;
  if (c.techniques.empty()) return "Nothing that is compatible makes it faster";
  const auto upto =
      c.speedup_at_most > c.speedup * 1.0005 ? fmt::format(" to {:.3g}", c.speedup_at_most) : "";
  return fmt::format("{}{}: {:.3g}{} times faster", a.searched ? "Best: " : "", join(c.techniques, " + "),
                     c.speedup, upto);
}

}  // namespace

report::document stacking_page(const stacking_answer& a) {
  report::document d{.schema = "ridge.plan.stacking/1", .title = title_of(a)};
  report::sheet chosen{.key = "techniques", .fields = {{"technique"}}};
  for (const auto& id : a.stack.techniques) chosen.rows.push_back({.values = {id}});
  d.sheets = {std::move(chosen), alone_sheet(a), pairs_sheet(a.pairs)};
  for (const auto& u : a.stack.unmeasured)
    d.notes.push_back(
        u + " was not measured together: the better of the two is sure, the product the most; measure it");
  return d;
}

plan::derivation stacking_derivation(const stacking_answer& a) {
  std::string shares;
  for (const auto& [phase, share] : a.given.shares)
    shares += fmt::format("{}{} {:.3g}", shares.empty() ? "" : ", ", phase, share);
  const auto speedup = [&](std::string id, std::string label, double value) {
    return plan::figure{
        .id = std::move(id),
        .label = std::move(label),
        .value = value,
        .formula = "1 / (1 - Σ share · (1 - 1/ratio))",
        .inputs = {{"shares of time", shares}, {"techniques", join(a.stack.techniques, ", ")}},
        .basis = plan::basis::derived,
        .source = "Amdahl's law over the measured gains given"};
  };
  return {speedup("speedup", "Whole run faster by, surely", a.stack.speedup),
          speedup("speedup_at_most", "and at most", a.stack.speedup_at_most),
          {.id = "memory_bytes",
           .label = "Memory added",
           .value = a.stack.memory_bytes,
           .unit = "B",
           .formula = "sum of what each adds",
           .basis = plan::basis::given}};
}

report::document techniques_page(std::span<const analysis::technique> all) {
  report::sheet s{.key = "techniques",
                  .title = "Techniques",
                  .fields = {{"id", "technique"},
                             {"phases", "acts on"},
                             {"needs", ""},
                             {"breaks", ""},
                             {"what", "what"},
                             {"why", ""}}};
  for (const auto& t : all)
    s.rows.push_back({.values = {t.id, join(t.phases, ", "), join(t.needs, ", "), join(t.breaks, ", "),
                                 t.description, t.why}});
  std::vector<analysis::pair_verdict> conflicts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      auto v = judge_pair(all[i], all[j], {});
      if (v.basis == analysis::pair_basis::conflict) conflicts.push_back(std::move(v));
    }
  }
  auto pairs = pairs_sheet(conflicts);
  pairs.key = "conflicts";
  pairs.title = "Cannot be combined";
  return {.schema = "ridge.plan.techniques/1", .sheets = {std::move(s), std::move(pairs)}};
}

}  // namespace ridge::plan_report
