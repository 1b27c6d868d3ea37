// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <ridge/model/json_writer.hpp>

#include "gate/gate_report.hpp"

namespace ridge::app {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();  // null in JSON

void write(model::json_writer& out, const gate_finding& one, const gate_rules& rules) {
  const auto& w = one.workload;
  out.begin_object().field("series", one.series.id).field("machine", w.machine);
  out.field("experiment", w.experiment).field("problem", w.problem);
  out.field("backend", model::name(w.backend)).field("variant", one.series.variant);
  out.field("metric", one.series.metric.name).field("unit", one.series.metric.unit);
  out.field("outcome", name(one.outcome)).field("fails", !failure_under(rules, one).empty());
  out.field("run", one.run).field("started", one.started);
  out.field("before", one.level).field("after", one.value).field("ratio", one.ratio);
  out.field("direction", changes::name(one.direction)).field("q", one.q.value_or(unknown));
  out.field("why", one.why).key("again");
  if (one.again) {
    out.begin_object().field("ratio", one.again->ratio).field("ratio_lo", one.again->ci.lo);
    out.field("ratio_hi", one.again->ci.hi).field("verdict", model::name(one.again->verdict)).end_object();
  } else {
    out.null();
  }
  out.end_object();
}

}  // namespace

std::string gate_json(std::span<const gate_finding> findings, const std::string& baseline,
                      const gate_rules& rules) {
  model::json_writer out;
  out.begin_object().field("schema", "ridge.gate/1").field("baseline", baseline);
  out.key("items").begin_array();
  for (const auto& one : findings) write(out, one, rules);
  out.end_array().end_object();
  return std::move(out).take() + '\n';
}

}  // namespace ridge::app
