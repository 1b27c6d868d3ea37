// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/words.hpp>

#include "console_notes.hpp"

namespace ridge::report {
namespace {

// A terminal of 80 columns has no room for a column of ceilings.
bool narrow(const layout& layout) { return layout.columns < 100; }

// Returns the figures for which a row has no column, with their units.
std::vector<std::string> figures(const model::measurement& m, bool with_ceiling) {
  std::vector<std::string> parts;
  const auto add = [&](bool there, std::string text) {
    if (there) parts.push_back(std::move(text));
  };
  add(m.role == model::role::comparator, "library");
  add(m.pedagogy, "for teaching, no headline");
  add(m.threads > 1, fmt::format("{} threads", m.threads));
  if (m.flop_per_s) add(true, format_quantity(*m.flop_per_s, "FLOP/s"));
  if (m.bytes_per_s) add(true, format_quantity(*m.bytes_per_s, "B/s"));
  if (m.ceiling_beside && m.ceiling_rate)
    add(true,
        "ceiling " + format_quantity(*m.ceiling_rate, m.bound == model::bound::memory ? "B/s" : "FLOP/s"));
  if (m.ceiling_first && m.ceiling_again)
    add(true,
        fmt::format("its ceiling was exceeded and measured once more: {}, before {}",
                    format_quantity(*m.ceiling_again, m.bound == model::bound::memory ? "B/s" : "FLOP/s"),
                    format_quantity(*m.ceiling_first, m.bound == model::bound::memory ? "B/s" : "FLOP/s")));
  if (with_ceiling) add(!ceiling_in_words(m).empty(), "of ceiling " + ceiling_in_words(m));
  add(m.memory.peak_bytes > 0, "peak " + format_quantity(m.memory.peak_bytes, "B"));
  if (m.energy_j) add(true, format_quantity(*m.energy_j, "J") + " per call");
  if (m.stage_s) add(true, "staging " + format_quantity(*m.stage_s, "s"));
  return parts;
}

// Adds the idea and the figures on one line where they fit, else on lines of their own; figures are separated
// at the dots, so that none is separated from its unit.
void add_notes(table& rows, const model::measurement& m, const layout& layout) {
  constexpr std::size_t indent = 2;
  constexpr std::string_view dot = " · ";
  const auto room = layout.columns - std::min(layout.columns, layout.indent + indent);
  auto line = m.idea;
  const bool has_idea = !line.empty();
  const auto parts = figures(m, narrow(layout));
  const auto fits = [&](const std::string& more) {
    return display_width(line) + display_width(dot) + display_width(more) <= room;
  };
  if (has_idea && !parts.empty() && !fits(join(parts, dot))) rows.note(std::exchange(line, ""), indent);
  for (const auto& part : parts) {
    if (!line.empty() && !fits(part)) rows.note(std::exchange(line, ""), indent);
    line += (line.empty() ? "" : std::string(dot)) + part;
  }
  if (!line.empty()) rows.note(line, indent);
}

// Colour is added after wrapping, which would otherwise count its codes as columns.
std::string heading(const model::family& family, const options& options) {
  const auto experiment = terminal_escaped(family.experiment);
  std::vector<std::string> parts{experiment};
  if (!family.title.empty()) parts.push_back(terminal_escaped(family.title));
  parts.emplace_back(name(family.backend));
  if (!family.problem.empty()) parts.push_back(terminal_escaped(model::text(family.problem)));
  const auto line = wrap(join(parts, " · "), options.columns, 2);
  return paint(experiment, tone::strong, options.color) + line.substr(experiment.size()) + '\n';
}

void add_variant(table& rows, const model::run& run, const model::family& family, const model::measurement& m,
                 const layout& layout) {
  const auto metric = primary_metric(family);
  const auto baseline = baseline_of(family);
  const auto* seen = find(m, metric.name);
  const auto* against = find_comparison(family, baseline, m.variant, metric.name);
  const auto value = seen ? with_interval(seen->median, seen->ci, seen->metric.unit) : "-";
  const auto ratio = against                 ? ratio_with_interval(against->ratio, against->ci)
                     : m.variant == baseline ? "baseline"
                                             : "";
  const auto verdict = against ? verdict_in_words(*against, run.min_effect) : "";
  rows.row({{m.variant, tone::strong},
            value,
            narrow(layout) ? "" : ceiling_in_words(m),
            ratio,
            {verdict, against ? tone_of(against->verdict) : tone::plain}});
  add_notes(rows, m, layout);
  if (against == nullptr) return;
  for (const auto& use : against->libraries) {
    if (use.variant == m.variant) rows.note(in_words(use));
  }
}

std::string variants(const model::run& run, const model::family& family, const layout& layout) {
  table rows({{"variant"},
              {metric_title(primary_metric(family))},
              {"of ceiling"},
              {interval_title(run)},
              {"verdict"}});
  for (const auto& m : family.measurements) {
    if (!m.skipped.empty()) {
      rows.row({{m.variant, tone::strong}, "skipped", "", "", ""});
      rows.note(m.skipped);
    } else if (!m.refused.empty()) {
      rows.row({{m.variant, tone::strong}, {"REFUSED", tone::bad}, "", "", ""});
      rows.note(failure_in_words(m));
    } else {
      add_variant(rows, run, family, m, layout);
    }
  }
  return rows.empty() ? "" : rows.text(layout);
}

}  // namespace

std::string console_family(const model::run& run, const model::family& family, const options& options) {
  const layout in{.columns = options.columns, .indent = 2, .color = options.color};
  auto out = heading(family, options);
  if (!family.question.empty())
    out += paint(wrap(terminal_escaped(family.question), options.columns), tone::dim, options.color) + '\n';
  if (!family.skipped.empty())
    out += "  " + wrap("skipped: " + terminal_escaped(family.skipped), options.columns - 2, 2) + '\n';
  for (const auto& part :
       {variants(run, family, in), further_comparisons(run, family, in), modes(run, family, in),
        phases(family, in), quantiles(family, in), kernels(run, family, in), trust(family, in)}) {
    if (!part.empty()) out += '\n' + part;
  }
  return out;
}

}  // namespace ridge::report
