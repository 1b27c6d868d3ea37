// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/model/run_words.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/summary.hpp>
#include <ridge/report/table.hpp>

#include "disturbances.hpp"

namespace ridge::report {
namespace {

std::string one(std::size_t n, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", n, n == 1 ? singular : plural);
}

// Returns "5 BETTER, 1 EQUIVALENT", in the order of the verdicts.
std::string verdicts(const model::run& run) {
  std::map<model::verdict, std::size_t> counts;
  for (const auto& f : run.families) {
    for (const auto& c : f.comparisons) {
      if (c.judged) ++counts[c.verdict];
    }
  }
  std::vector<std::string> parts;
  for (const auto& [verdict, n] : counts) parts.push_back(fmt::format("{} {}", n, name(verdict)));
  return parts.empty() ? "none" : join(parts, ", ");
}

constexpr std::size_t most_cases = 2, most_warnings = 4;

std::string label_of(cause_kind kind) {
  constexpr std::string_view labels[] = {"INVALID", "refused", "skipped", "not checked", "warned"};
  return std::string(labels[static_cast<std::size_t>(kind)]);
}

// Returns a cause without the details that stand in brackets; the tables have them.
std::string in_short(const std::string& text) {
  constexpr std::size_t most_details = 24;
  const auto begin = text.find(" ("), end = text.find(')', begin);
  if (begin == std::string::npos || end == std::string::npos || end - begin < most_details) return text;
  return text.substr(0, begin) + in_short(text.substr(end + 1));
}

// Returns "gemm/onednn, copy/onednn and 4 more", without the chapter where all experiments are of one; "all"
// where the cause befell each.
std::string cases_in_words(const cause& one, const model::run& run) {
  std::set<std::string> all;
  for (const auto& f : run.families) all.insert(f.experiment);
  const auto experiments = all.size();
  const auto chapter = all.begin()->substr(0, all.begin()->find('.') + 1);
  const bool of_one = std::ranges::all_of(all, [&](const auto& id) { return id.starts_with(chapter); });
  if (befell_all(one, run)) return "all";
  std::vector<std::string> named(one.cases.begin(), one.cases.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                            one.cases.size(), most_cases)));
  for (auto& each : named) {
    if (of_one && experiments > 1) each = each.substr(chapter.size());
  }
  auto text = join(named, ", ");
  if (one.cases.size() > most_cases) text += fmt::format(" and {} more", one.cases.size() - most_cases);
  return text;
}

// Adds every cause once. Where a run has one problem its table has shown what was skipped and warned of.
void add_causes(table& rows, const model::run& run) {
  std::vector<std::string> warned;
  std::string last;
  auto all = causes(run);
  std::ranges::stable_sort(all, [](const cause& a, const cause& b) {
    return a.kind == cause_kind::warned && b.kind == cause_kind::warned && a.cases.size() > b.cases.size();
  });
  for (const auto& one : all) {
    if (run.families.size() < 2 && one.kind > cause_kind::refused) continue;
    if (one.kind == cause_kind::warned) {
      warned.push_back(fmt::format("{} ({})", one.text, one.cases.size()));
      continue;
    }
    const auto label = label_of(one.kind);
    const auto look = one.kind <= cause_kind::refused ? tone::bad : tone::plain;
    rows.row({label == last ? "" : label,
              {fmt::format("{} ({})", in_short(one.text), cases_in_words(one, run)), look}});
    last = label;
  }
  if (warned.size() > most_warnings) {
    const auto more = warned.size() - most_warnings + 1;
    warned.resize(most_warnings - 1);
    warned.push_back(fmt::format("{} more kinds of warning", more));
  }
  if (!warned.empty()) rows.row({label_of(cause_kind::warned), join(warned, "; ")});
}

// Returns "223 GFLOP/s on 1 thread, 344 GFLOP/s on 2 (avx512)"; empty where it was not measured.
std::string ceiling_line(const model::peak& peak, std::string_view id) {
  std::vector<std::string> values;
  const model::ceiling* last = nullptr;
  for (const auto& c : peak.ceilings) {
    if (c.id != id) continue;
    const auto threads = static_cast<std::size_t>(c.threads);
    values.push_back(
        fmt::format("{} on {}", format_quantity(c.value, c.unit),
                    values.empty() ? one(threads, "thread", "threads") : std::to_string(threads)));
    last = &c;
  }
  if (last == nullptr) return "";
  auto line = join(values, ", ");
  if (!last->variant.empty()) line += fmt::format(" ({})", last->variant);
  if (!last->note.empty()) line += "; " + last->note;
  return line;
}

// Returns "copy 4.24 TB/s, fma.fp32 64.3 TFLOP/s"; empty where no GPU was measured.
std::string gpu_ceilings(const model::peak& peak) {
  constexpr std::string_view shown[] = {"copy",     "read",     "l2.read",  "fma.fp32",
                                        "mma.bf16", "mma.fp16", "mma.tf32", "mma.fp8"};
  std::vector<std::string> values;
  for (const auto id : shown) {
    if (const auto* c = peak.find(fmt::format("cuda.{}", id)))
      values.push_back(fmt::format("{} {}", id, format_quantity(c->value, c->unit)));
  }
  return join(values, ", ");
}

std::optional<double> seconds_of_utc(const std::string& text) {
  std::tm time{};
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return static_cast<double>(timegm(&time));
}

// Returns "measured 3 h before, medians within ±4 %": how far ceilings may be trusted, which other work on
// the machine changes; empty where none was measured.
std::string ceilings_in_time(const model::run& run) {
  const auto measured = seconds_of_utc(run.peak.measured_at), started = seconds_of_utc(run.started);
  if (!measured || !started || run.peak.ceilings.empty()) return {};
  constexpr double minute_s = 60, hour_s = 3600, day_s = 24 * hour_s;
  const double age_s = std::max(0.0, *started - *measured);
  auto text = age_s < minute_s ? std::string("measured just before")
              : age_s < hour_s ? fmt::format("measured {:.0f} min before", age_s / minute_s)
              : age_s < day_s  ? fmt::format("measured {:.0f} h before", age_s / hour_s)
                               : fmt::format("measured {:.0f} days before", age_s / day_s);
  double widest = 0;
  bool disturbed = false;
  for (const auto& one : run.peak.ceilings) {
    if (one.value <= 0 || (one.id != "cpu.fma.fp32" && one.id != "cpu.triad" && one.id != "storage.read"))
      continue;
    widest = std::max({widest, (one.ci.hi - one.value) / one.value, (one.value - one.ci.lo) / one.value});
    disturbed = disturbed || one.disturbed;
  }
  text += fmt::format(", medians within ±{}", percent_in_words(widest));
  return disturbed ? text + ", disturbed" : text;
}

// Returns what decides how libraries compute: their kernels, and variables that they obey.
std::string libraries(const model::environment& environment) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : environment.facts) {
    if (name == "openblas" || name == "onednn") parts.push_back(value);
    const bool variable = name.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
    if (variable) parts.push_back(fmt::format("{}={} is set", name, value));
  }
  return join(parts, " · ");
}

bool any_inconclusive(const model::run& run) {
  return std::ranges::any_of(run.families, [](const model::family& f) {
    return std::ranges::any_of(f.comparisons, [](const model::comparison& c) {
      return c.judged && c.verdict == model::verdict::inconclusive;
    });
  });
}

}  // namespace

std::string console_header(const model::run& run, const options& options) {
  table rows({{""}, {""}});
  const auto& e = run.environment;
  std::vector<std::string> machine;
  for (const auto* part : {&e.machine, &e.cpu, &e.kernel, &e.compiler}) {
    if (!part->empty()) machine.push_back(*part);
  }
  rows.row({"machine", join(machine, " · ")});
  for (const auto& [name, value] : e.facts) {
    if (name == "gpu") rows.row({"gpu", value});
  }
  std::string_view label = "ceilings";
  auto in_time = ceilings_in_time(run);
  if (!in_time.empty()) in_time = " · all " + in_time;
  for (const auto& [id, words] : {std::pair{"cpu.fma.fp32", "fp32 multiply-add"},
                                  {"cpu.triad", "memory (triad)"},
                                  {"storage.read", "storage read"}}) {
    const auto line = ceiling_line(run.peak, id);
    if (line.empty()) continue;
    // Its line is the longest, so that there is room behind it.
    const auto behind = std::string_view(id) == "cpu.triad" ? in_time : "";
    rows.row({std::string(label), fmt::format("{} {}{}", words, line, behind)});
    label = "";
  }
  if (const auto line = gpu_ceilings(run.peak); !line.empty())
    rows.row({std::string(label), fmt::format("gpu: {}", line)});
  if (const auto line = libraries(e); !line.empty()) rows.row({"libraries", line});
  if (const auto found = model::findings_in_short(e.findings); !found.empty())
    rows.row({"audit", {found + "; `ridge audit` says more", tone::doubtful}});
  return rows.text({.columns = options.columns, .color = options.color});
}

std::string console_summary(const model::run& run, const options& options) {
  table rows({{""}, {""}});
  rows.row({"verdicts", verdicts(run)});
  add_causes(rows, run);
  if (!run.left_out.empty()) rows.row({"left out", {left_out_in_words(run), tone::doubtful}});
  std::string_view label = "disturbed";
  for (const auto& line : disturbances(run)) {
    rows.row({std::string(label), {line.seen + "; " + line.remedy, tone::doubtful}});
    label = "";
  }
  rows.row({"run",
            fmt::format("{} · {} · seed {} · {} · {}", run.id, run.profile, run.seed,
                        one(run.families.size(), "problem", "problems"), format_quantity(run.wall_s, "s"))});
  return rows.text({.columns = options.columns, .color = options.color});
}

std::string console_guide(const model::run& run, const options& options) {
  table rows({{""}, {""}});
  rows.row({"ratio", fmt::format("how many times better than the baseline; in {:.3g} % of runs the brackets "
                                 "hold the true one",
                                 run.level * 100)});
  rows.row({"noise floor", "the baseline against itself: the smallest effect resolvable now"});
  if (any_inconclusive(run)) {
    rows.row(
        {"INCONCLUSIVE",
         "the interval does not decide yet; take more samples with --profile standard or --budget 2min"});
  }
  rows.row({"more", "ridge show last [EXPERIMENT]: the tables; ridge report last -o report.html: a page"});
  return rows.text({.columns = options.columns, .color = options.color});
}

std::string console(const model::run& run, const options& options) {
  auto out = console_header(run, options);
  for (const auto& f : run.families) out += '\n' + console_family(run, f, options);
  if (run.families.size() > 1) out += '\n' + console_lines(run, options);
  return out + '\n' + console_summary(run, options);
}

}  // namespace ridge::report
