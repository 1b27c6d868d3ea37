// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/whatif_page.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

namespace ridge::plan_report {
namespace {

using analysis::candidate;
using report::unit;

unit unit_of(const std::string& quantity) {
  const auto* q = analysis::quantity_named(quantity);
  if (q == nullptr) return unit::number;
  if (q->unit == "B") return unit::bytes;
  if (q->unit == "s") return unit::seconds;
  if (q->unit == "USD") return unit::dollars;
  if (q->unit == "W") return unit::watts;
  if (q->unit == "J") return unit::joules;
  return unit::number;
}

std::string quantity_text(const std::string& quantity, double value) {
  return shown(value, unit_of(quantity));
}

// The quantities for which any candidate has a value, in the order of quantities().
std::vector<std::string> columns_of(const whatif_result& r) {
  std::vector<std::string> all;
  const auto known = [&](const std::string& key) {
    return std::ranges::any_of(r.candidates, [&](const candidate& c) { return c.values.contains(key); });
  };
  for (const auto& q : analysis::quantities()) {
    if (known(std::string(q.name))) all.emplace_back(q.name);
    if (const auto tail = std::string(q.name) + ".p95"; known(tail)) all.push_back(tail);
  }
  return all;
}

report::value value_of(const candidate& c, const std::string& key) {
  const auto at = c.values.find(key);
  return at == c.values.end() ? report::value() : report::value(at->second);
}

// Settings have columns of their own; the name is only for programs.
std::vector<std::string> settings_of(const whatif_result& r) {
  if (r.candidates.empty()) return {};
  std::vector<std::string> all;
  for (const auto& [key, value] : r.candidates.front().settings) {
    if (key != "gpu" && key != "tensor") all.push_back(key);
  }
  return all;
}

std::string key_of(const std::string& column) {
  const auto* q = analysis::quantity_named(column.substr(0, column.find('.')));
  auto key = column;
  std::ranges::replace(key, '.', '_');
  if (q == nullptr || q->unit.empty()) return key;
  if (q->unit == "B") return key + "_bytes";
  if (q->unit == "USD") return key + "_usd_per_mtok";
  if (q->unit == "1") return key + "_share";
  if (q->unit == "items/s") return key + "_per_s";
  return key + (q->unit == "s" ? "_s" : q->unit == "W" ? "_w" : "_j");
}

report::sheet table_of(const whatif_result& r, std::string key, std::string title,
                       std::vector<report::field> last) {
  report::sheet s{
      .key = std::move(key), .title = std::move(title), .fields = {{"name"}, {"basis"}, {"gpu", "GPUs"}}};
  for (const auto& setting : settings_of(r)) s.fields.push_back({setting, setting});
  for (const auto& column : columns_of(r)) {
    const auto header = column == "gpus" ? "" : column == "throughput" ? "per second" : column;
    s.fields.push_back({key_of(column), header, unit_of(column.substr(0, column.find('.')))});
  }
  s.fields.push_back({"kv_tokens", ""});
  for (auto& f : last) s.fields.push_back(std::move(f));
  return s;
}

std::string setting_of(const candidate& c, const std::string& key) {
  const auto at = c.settings.find(key);
  return at == c.settings.end() ? "" : at->second;
}

std::string gpus_text(const candidate& c) {
  const auto gpu = setting_of(c, "gpu"), count = setting_of(c, "tensor");
  return count.empty() ? gpu : count + " " + gpu;
}

std::vector<report::value> values_of(const whatif_result& r, const candidate& c) {
  std::vector<report::value> all{c.name, c.basis, gpus_text(c)};
  for (const auto& setting : settings_of(r)) all.emplace_back(setting_of(c, setting));
  for (const auto& column : columns_of(r)) all.push_back(value_of(c, column));
  all.push_back(value_of(c, "kv_tokens"));
  return all;
}

report::sheet feasible_sheet(const whatif_result& r) {
  auto s = table_of(r, "feasible", fmt::format("What fits, by {}", r.objective.key),
                    {{"binding", "limited by"}, {"slack_pct", "", unit::percent}});
  for (const auto& j : r.answer.feasible) {
    if (s.rows.size() == r.rows) break;
    auto values = values_of(r, r.candidates[j.candidate]);
    values.resize(values.size() + 2);
    if (j.binding) {
      values[values.size() - 2] = r.limits[*j.binding].key();
      values.back() = -100 * j.excess[*j.binding];
    }
    s.rows.push_back({.values = std::move(values)});
  }
  if (r.answer.feasible.size() > s.rows.size())
    s.notes.push_back(fmt::format("{} more fit: --top shows more", r.answer.feasible.size() - s.rows.size()));
  return s;
}

std::string why_rejected(const whatif_result& r, const analysis::judged& j) {
  std::vector<std::string> reasons;
  for (const auto i : j.violated)
    reasons.push_back(fmt::format("{} {:.0f} % over", r.limits[i].key(), 100 * j.excess[i]));
  for (const auto i : j.unknown) reasons.push_back(r.limits[i].key() + " unknown");
  return join(reasons, ", ");
}

report::sheet rejected_sheet(const whatif_result& r) {
  auto s = table_of(r, "rejected", r.answer.feasible.empty() ? "Nearest" : "", {{"why", "why not"}});
  if (!r.answer.feasible.empty()) return s;
  for (const auto& j : r.answer.rejected) {
    if (s.rows.size() == std::min<std::size_t>(r.rows, 5)) break;
    auto values = values_of(r, r.candidates[j.candidate]);
    values.emplace_back(why_rejected(r, j));
    s.rows.push_back({.values = std::move(values)});
  }
  return s;
}

std::string relaxed_text(const whatif_result& r, const analysis::relaxation& x) {
  std::vector<std::string> moves;
  for (std::size_t i = 0; i < x.constraints.size(); ++i) {
    const auto& c = r.limits[x.constraints[i]];
    moves.push_back(fmt::format("{} from {} to {}", c.key(), quantity_text(c.quantity, c.limit),
                                quantity_text(c.quantity, x.limits[i])));
  }
  return join(moves, ", and ");
}

report::sheet relaxations_sheet(const whatif_result& r) {
  report::sheet s{
      .key = "relaxations",
      .title = "The least that would have to give",
      .fields = {{"change", "allow"}, {"effort_pct", "moved by", unit::percent}, {"opens", "and this fits"}}};
  for (const auto& x : r.answer.relaxations) {
    if (s.rows.size() == 5) break;
    s.rows.push_back({.values = {relaxed_text(r, x), 100 * x.effort, r.candidates[x.opens].name}});
  }
  return s;
}

report::sheet sensitivity_sheet(const whatif_result& r) {
  report::sheet s{.key = "sensitivity",
                  .title = fmt::format("Best {} when a limit moves by 10 %", r.objective.key),
                  .fields = {{"limit", "limit"},
                             {"tighter", "tighter", unit_of(r.objective.key)},
                             {"looser", "looser", unit_of(r.objective.key)}}};
  for (const auto& one : r.sensitivities)
    s.rows.push_back({.values = {r.limits[one.constraint].text, one.tighter, one.looser}});
  return s;
}

std::string title_of(const whatif_result& r) {
  const auto& a = r.answer;
  if (!a.feasible.empty()) {
    const auto& best = r.candidates[a.feasible.front().candidate];
    return fmt::format("{} of {} fit; best: {}", a.feasible.size(), r.candidates.size(), best.name);
  }
  std::vector<std::string> together;
  for (const auto i : a.conflict) together.push_back(r.limits[i].text);
  if (together.empty()) return fmt::format("None of {} fits", r.candidates.size());
  return fmt::format("None of {} fits: nothing meets {}", r.candidates.size(), join(together, " and "));
}

}  // namespace

report::document whatif_page(const whatif_result& r) {
  report::document d{.schema = "ridge.plan.whatif/1", .title = title_of(r)};
  d.facts = {{"candidates", static_cast<std::int64_t>(r.candidates.size())},
             {"fitting", static_cast<std::int64_t>(r.answer.feasible.size())}};
  d.sheets = {feasible_sheet(r), rejected_sheet(r), relaxations_sheet(r), sensitivity_sheet(r)};
  if (r.answer.nearest) {
    const auto& to = r.candidates[r.answer.nearest->target];
    d.notes.push_back(r.answer.nearest->settings.empty()
                          ? "What you have now fits."
                          : fmt::format("Nearest to what you have now: change {}: {}",
                                        join(r.answer.nearest->settings, ", "), to.name));
  }
  const bool unknown =
      std::ranges::any_of(r.answer.rejected, [](const analysis::judged& j) { return !j.unknown.empty(); });
  if (unknown && r.answer.feasible.empty())
    d.notes.emplace_back(
        "Where a value is unknown nothing is assumed: what does not fit into memory has no speed; quality of "
        "narrower types must be measured.");
  return d;
}

plan::derivation whatif_derivation(const whatif_result& r) {
  plan::derivation all;
  if (r.answer.feasible.empty()) return all;
  const auto& best = r.candidates[r.answer.feasible.front().candidate];
  for (const auto& [key, value] : best.values) {
    const auto* q = analysis::quantity_named(key.substr(0, key.find('.')));
    auto id = "best_" + key;
    std::ranges::replace(id, '.', '_');
    all.push_back({.id = id,
                   .label = fmt::format("{} of the best", key),
                   .value = value,
                   .unit = q == nullptr ? "" : std::string(q->unit),
                   .formula = q == nullptr ? "" : std::string(q->description),
                   .inputs = {{"candidate", best.name}},
                   .basis = best.basis == "measured" ? plan::basis::measured : plan::basis::fitted,
                   .source = best.basis == "measured"
                                 ? "the stored run"
                                 : "plan: memory exact, times by kernel efficiencies, closed loop",
                   .relative_band = best.basis == "measured" || key == "gpus" || key == "quality" ? 0
                                    : key == "vram"                                               ? 0.05
                                                                                                  : 0.25});
  }
  return all;
}

}  // namespace ridge::plan_report
