// SPDX-License-Identifier: Apache-2.0
// One line for each comparison, under its candidate; one for each metric of a variant that is the candidate
// of none; one for each variant that was skipped or refused. Empty fields are unknown.
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/model/comparison_row.hpp>
#include <ridge/report/render.hpp>

namespace ridge::report {
namespace {

constexpr std::string_view header =
    "run,started,machine,experiment,problem,backend,variant,role,threads,metric,unit,better,clock,median,lo,"
    "hi,"
    "reference,ratio,ratio_lo,ratio_hi,level,verdict,judged,assurance,pairs,aa_lo,aa_hi,of_ceiling,bound,"
    "memory_peak_bytes,energy_j,skipped,refused\r\n";

class line {
 public:
  line& add(std::string_view text) {
    if (!text_.empty() || started_) text_ += ',';
    started_ = true;
    text_ += csv_cell(text);
    return *this;
  }
  line& add(double x) { return add(std::isfinite(x) ? fmt::format("{}", x) : std::string()); }
  line& add(const std::optional<double>& x) { return x ? add(*x) : add(std::string_view()); }
  line& skip(int fields) {
    for (int i = 0; i < fields; ++i) add(std::string_view());
    return *this;
  }
  [[nodiscard]] std::string end() && { return std::move(text_ += "\r\n"); }

 private:
  std::string text_{};
  bool started_ = false;
};

line begin(const model::run& run, const model::family& f, const model::measurement& m) {
  line out;
  out.add(run.id).add(run.started).add(run.environment.machine).add(f.experiment).add(model::text(f.problem));
  out.add(name(m.backend)).add(m.variant).add(name(m.role)).add(std::to_string(m.threads));
  return out;
}

void add_metric(line& out, const model::metric& metric, const model::estimate* seen) {
  out.add(metric.name).add(metric.unit).add(name(metric.better)).add(name(metric.clock));
  if (!seen) return void(out.skip(3));
  out.add(seen->median).add(seen->ci.lo).add(seen->ci.hi);
}

std::string end(line out, const model::measurement& m) {
  out.add(m.of_ceiling).add(name(m.bound));
  out.add(m.memory.peak_bytes > 0 ? std::optional(m.memory.peak_bytes) : std::nullopt).add(m.energy_j);
  return std::move(out.add(m.skipped).add(m.refused)).end();
}

void add_comparison(line& out, const model::comparison& c) {
  out.add(c.reference).add(c.ratio).add(c.ci.lo).add(c.ci.hi).add(c.level);
  out.add(c.judged ? name(c.verdict) : "").add(c.judged ? "true" : "false").add(std::to_string(c.assurance));
  out.add(std::to_string(c.pairs)).add(c.aa.lo).add(c.aa.hi);
}

constexpr int comparison_fields = 11;
constexpr int metric_fields = 7;

std::string lines_of(const model::run& run, const model::family& f, const model::measurement& m) {
  std::string out;
  for (const auto& c : f.comparisons) {
    if (c.candidate != m.variant) continue;
    auto one = begin(run, f, m);
    add_metric(one, c.metric, find(m, c.metric.name));
    add_comparison(one, c);
    out += end(std::move(one), m);
  }
  if (!out.empty()) return out;
  for (const auto& e : m.metrics) {
    auto one = begin(run, f, m);
    add_metric(one, e.metric, &e);
    out += end(std::move(one.skip(comparison_fields)), m);
  }
  return out.empty() ? end(std::move(begin(run, f, m).skip(metric_fields + comparison_fields)), m) : out;
}

}  // namespace

std::string csv(const model::run& run) {
  std::string out(header);
  for (const auto& f : run.families) {
    for (const auto& m : f.measurements) out += lines_of(run, f, m);
  }
  return out;
}

}  // namespace ridge::report
