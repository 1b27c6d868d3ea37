// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace_report/diagnosis_page.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

#include "kernel_names.hpp"
#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

sheet devices_sheet(const trace::diagnosis& d) {
  sheet made{.key = "devices",
             .title = "Where the time went",
             .fields = {{"trace", "", unit::count},
                        {"rank", "rank"},
                        {"device", "GPU"},
                        {"steps", "steps", unit::count},
                        {"window_ns", "window", unit::nanoseconds},
                        {"text", "states"}}};
  for (const auto& v : d.devices)
    made.rows.push_back({.values = {std::int64_t{v.trace}, v.rank < 0 ? value() : value(std::int64_t{v.rank}),
                                    std::int64_t{v.partition.device}, v.steps == 0 ? value() : whole(v.steps),
                                    v.partition.window.length_ns(), v.text}});
  return made;
}

std::string thresholds_text(const trace::finding& f) {
  std::string text;
  for (const auto& t : f.thresholds)
    text += fmt::format("{}{}.{}={:g}{}", text.empty() ? "" : ", ", f.rule, t.name, t.value,
                        t.unit == "1" ? "" : " " + t.unit);
  return text;
}

// Returns a finding as text: what was found, the seconds, why, what to do, what to type.
std::string finding_text(const trace::finding& f, std::size_t rank, const std::string& subject,
                         const std::vector<std::string>& files) {
  std::string text = fmt::format("  {}. {} [{}]{}", rank, f.title, f.rule, f.alarm ? "" : ", a note");
  if (!subject.empty()) text += ": " + subject;
  if (f.saves_ns > 0)
    text += fmt::format("\n     saves up to {}{}: {:.1f} % of the window; confidence {} ({:.2f})",
                        seconds_text(f.saves_per_step_ns.value_or(f.saves_ns)),
                        f.saves_per_step_ns ? " per step" : "", 100 * f.share, name(f.grade), f.confidence);
  const auto line = [&](std::string_view label, const std::string& said) {
    if (!said.empty()) text += fmt::format("\n     {}{}", label, said);
  };
  line("", f.text);
  line("try    ", f.advice);
  line("next   ", command_with_files(f.next, files));
  line("learn  ", join(f.experiments, ", "));
  line("set    ", thresholds_text(f));
  return text;
}

// The findings' subjects as their titles show them: short, but different where the subjects are.
std::vector<std::string> shown_subjects(const std::vector<trace::finding>& findings, bool full_names) {
  constexpr std::size_t columns = 70;
  std::vector<std::string> subjects;
  for (const auto& f : findings) subjects.push_back(f.subject);
  return full_names ? subjects : short_names(subjects, columns);
}

sheet findings_sheet(const char* key, const char* title, const std::vector<trace::finding>& findings,
                     const std::vector<std::string>& files, bool full_names) {
  sheet made{.key = key,
             .title = title,
             .fields = {{"rule", ""},
                        {"cause", ""},
                        {"level", ""},
                        {"title", ""},
                        {"subject", ""},
                        {"text", ""},
                        {"advice", ""},
                        {"next", ""},
                        {"experiments", ""},
                        {"source", ""},
                        {"alarm", ""},
                        {"saves_ns", "", unit::nanoseconds},
                        {"saves_per_step_ns", "", unit::nanoseconds},
                        {"share", "", unit::number},
                        {"alone_ns", "", unit::nanoseconds},
                        {"grade", ""},
                        {"confidence", "", unit::number},
                        {"thresholds", ""}}};
  made.spaced = true;
  const auto subjects = shown_subjects(findings, full_names);
  for (std::size_t rank = 0; rank < findings.size(); ++rank) {
    const auto& f = findings[rank];
    made.rows.push_back(
        {.values = {f.rule, f.cause, std::string(name(f.level)), f.title, f.subject, f.text, f.advice,
                    command_with_files(f.next, files), join(f.experiments, " "), f.source, f.alarm,
                    f.saves_ns, f.saves_per_step_ns ? value(*f.saves_per_step_ns) : value(), f.share,
                    f.alone_ns, std::string(name(f.grade)), f.confidence, thresholds_text(f)}});
    made.prose.push_back(finding_text(f, rank + 1, subjects[rank], files));
  }
  return made;
}

sheet evidence_sheet(const trace::diagnosis& d) {
  sheet made{.key = "evidence",
             .fields = {{"rule", ""},
                        {"what", ""},
                        {"value", "", unit::number},
                        {"unit", ""},
                        {"formula", ""},
                        {"trace", ""},
                        {"device", ""},
                        {"start_ns", ""},
                        {"end_ns", ""},
                        {"event", ""},
                        {"work", ""}}};
  const auto id = [](std::uint32_t v) { return v == trace::none ? value() : whole(v); };
  for (const auto& f : d.findings) {
    for (const auto& e : f.evidence)
      made.rows.push_back(
          {.values = {f.rule, e.description, e.value, e.unit, e.formula, std::int64_t{e.trace},
                      std::int64_t{e.device}, e.range ? value(e.range->start_ns) : value(),
                      e.range ? value(e.range->end_ns) : value(), id(e.event), id(e.work)}});
  }
  return made;
}

// Rules that lack the same data share a line.
sheet abstentions_sheet(const trace::diagnosis& d) {
  sheet made{.key = "abstentions",
             .title = "What could not be judged",
             .fields = {{"rules", "rules"}, {"missing", "missing"}, {"get", "to get it"}}};
  for (const auto& a : d.abstentions) {
    const auto same = std::ranges::find_if(made.rows, [&](const row& r) {
      return r.values[1] == value(a.missing) && r.values[2] == value(a.get);
    });
    if (same == made.rows.end())
      made.rows.push_back({.values = {a.rule, a.missing, a.get}, .look = report::tone::dim});
    else
      same->values[0] = std::get<std::string>(same->values[0]) + " " + a.rule;
  }
  for (const auto& r : made.rows)
    made.prose.push_back(fmt::format("  without {}: {}\n    {}", std::get<std::string>(r.values[1]),
                                     std::get<std::string>(r.values[0]), std::get<std::string>(r.values[2])));
  return made;
}

}  // namespace

document diagnosis_page(const trace::diagnosis& d, const std::vector<std::string>& files, bool full_names) {
  document page{.schema = "ridge.trace.diagnosis/1", .title = fmt::format("{}: {}", name(d.verdict), d.why)};
  page.facts = {{"verdict", std::string(name(d.verdict))}, {"why", d.why}};
  page.sheets = {devices_sheet(d), findings_sheet("doubts", "Read this first", d.doubts, files, full_names),
                 findings_sheet("findings", "Findings", d.findings, files, full_names), evidence_sheet(d),
                 abstentions_sheet(d)};
  return page;
}

std::vector<marker> markers_of(const trace::diagnosis& d) {
  std::vector<marker> markers;
  for (const auto& f : d.findings) {
    for (const auto& e : f.evidence) {
      if (e.range)
        markers.push_back(
            {e.range->start_ns, e.range->end_ns, f.rule + " " + f.title, f.text + " " + f.advice});
    }
  }
  std::ranges::stable_sort(markers, {}, &marker::start_ns);
  return markers;
}

}  // namespace ridge::trace_report
