// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/layout_table_page.hpp>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::plan_report {
namespace {

using namespace plan::train;
using report::unit;
using report::value;

std::string promised(const layout_rule& r) {
  return r.most_gb > 0 ? fmt::format("{:g}-{:g} GB", r.least_gb, r.most_gb)
                       : fmt::format("{:g} GB+", r.least_gb);
}

std::string example_of(const layout_rule& r) {
  return r.layers > 0 ? fmt::format("{}, {} layers", r.example, r.layers) : r.example;
}

value known(bool is, double v) {
  value out;
  if (is) out = v;
  return out;
}

report::row row_of(const checked_rule& c) {
  const auto& r = c.by_rule;
  report::row row;
  row.values = {c.rule.models,   example_of(c.rule), r.scored.plan.layout.text(), c.gpus, promised(c.rule),
                c.rule.least_gb, c.weights_bytes,    r.scored.memory_bytes,       r.fits};
  row.values.push_back(known(r.fits, r.scored.step_s));
  row.values.emplace_back(c.best ? c.best->scored.plan.layout.text() : std::string("nothing fits"));
  row.values.push_back(known(c.best.has_value(), c.best ? c.best->scored.step_s : 0));
  row.values.push_back(known(c.best.has_value(), c.best ? c.best->scored.memory_bytes : 0));
  row.values.push_back(known(c.best && r.fits, c.slower * 100));
  row.values.emplace_back(c.why);
  row.note = c.why;
  return row;
}

}  // namespace

report::document layout_table_page(const parallelism_question& q, const std::vector<checked_rule>& rules) {
  report::document d{.schema = "ridge.plan.layout_table/1",
                     .title = fmt::format("Usual layouts by size of model, trained on {}", q.gpu.name)};
  d.facts = {{"gpu", q.gpu.name}};
  report::sheet s{.key = "rules",
                  .fields = {{"models", "models"},
                             {"example", "example"},
                             {"layout", "usual"},
                             {"gpus", "GPUs", unit::count},
                             {"promised", "stated per GPU"},
                             {"promised_least_gb", ""},
                             {"weights_bytes", "bf16 weights", unit::bytes},
                             {"memory_bytes", "training", unit::bytes},
                             {"fits", ""},
                             {"step_s", "step", unit::seconds},
                             {"best_layout", "best"},
                             {"best_step_s", "step", unit::seconds},
                             {"best_memory_bytes", "memory", unit::bytes},
                             {"slower_pct", "slower", unit::percent},
                             {"why", ""}}};
  for (const auto& c : rules) s.rows.push_back(row_of(c));
  d.sheets = {s};
  d.notes.emplace_back(
      "the memory said is near that of bf16 weights alone; training keeps gradients, optimizer state and "
      "activations beside them");
  return d;
}

}  // namespace ridge::plan_report
