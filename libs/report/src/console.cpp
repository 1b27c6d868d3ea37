// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/render.hpp>
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

std::size_t variants_with(const model::run& run, std::string model::measurement::*reason) {
  std::size_t n = 0;
  for (const auto& f : run.families) {
    for (const auto& m : f.measurements) n += !(m.*reason).empty();
  }
  return n;
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
  for (const auto& [id, words] : {std::pair{"cpu.fma.fp32", "fp32 multiply-add"},
                                  {"cpu.triad", "memory (triad)"},
                                  {"storage.read", "storage read"}}) {
    const auto line = ceiling_line(run.peak, id);
    if (line.empty()) continue;
    rows.row({std::string(label), fmt::format("{} {}", words, line)});
    label = "";
  }
  if (const auto line = gpu_ceilings(run.peak); !line.empty())
    rows.row({std::string(label), fmt::format("gpu: {}", line)});
  if (const auto found = model::findings_in_short(e.findings); !found.empty())
    rows.row({"audit", {found + "; `ridge audit` says more", tone::doubtful}});
  return rows.text({.columns = options.columns, .color = options.color});
}

std::string console_summary(const model::run& run, const options& options) {
  table rows({{""}, {""}});
  rows.row({"verdicts", verdicts(run)});
  if (const auto n = variants_with(run, &model::measurement::refused)) {
    rows.row({"refused", {one(n, "variant gave a wrong output", "variants gave wrong outputs"), tone::bad}});
  }
  if (const auto n = variants_with(run, &model::measurement::skipped)) {
    rows.row({"skipped", one(n, "variant, for the reason given", "variants, for the reasons given")});
  }
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
                                 "contain the true ratio",
                                 run.level * 100)});
  rows.row({"noise", "how far the baseline differs from itself: the noise of this machine at the moment"});
  if (any_inconclusive(run)) {
    rows.row(
        {"INCONCLUSIVE",
         "the interval does not decide yet; take more samples with --profile standard or --budget 2min"});
  }
  rows.row(
      {"more", "ridge show ID (an experiment), ridge doctor (this machine), docs/guide/reading-results.md"});
  return rows.text({.columns = options.columns, .color = options.color});
}

std::string console(const model::run& run, const options& options) {
  auto out = console_header(run, options);
  for (const auto& f : run.families) out += '\n' + console_family(run, f, options);
  return out + '\n' + console_summary(run, options);
}

}  // namespace ridge::report
