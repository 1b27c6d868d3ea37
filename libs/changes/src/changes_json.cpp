// SPDX-License-Identifier: Apache-2.0
#include <ridge/changes/changes_json.hpp>

namespace ridge::changes {
namespace {

void write_environment(model::json_writer& out, const change& one) {
  out.key("environment").begin_array();
  for (const auto& fact : one.environment) {
    out.begin_object().field("fact", fact.fact).field("before", fact.before).field("after", fact.after);
    out.end_object();
  }
  out.end_array();
}

void write_series(model::json_writer& out, const series_changes& seen) {
  const auto& w = seen.workload;
  out.begin_object();
  out.field("series", seen.series.id).field("machine", w.machine).field("experiment", w.experiment);
  out.field("problem", w.problem)
      .field("backend", model::name(w.backend))
      .field("variant", seen.series.variant);
  out.field("metric", seen.series.metric.name).field("unit", seen.series.metric.unit);
  out.field("better", model::name(seen.series.metric.better));
  out.field("points", seen.points).field("enough", seen.enough);
  out.key("segments");
  write_segments(out, seen);
  out.key("changes");
  write_changes(out, seen);
  out.key("watching");
  write_watching(out, seen);
  out.end_object();
}

}  // namespace

void write_changes(model::json_writer& out, const series_changes& seen) {
  out.begin_array();
  for (std::size_t i = 0; i < seen.changes.size(); ++i) {
    const auto& one = seen.changes[i];
    const auto& level = seen.segments[i + 1];
    out.begin_object()
        .field("run", one.run)
        .field("started", one.started)
        .field("run_before", one.run_before);
    out.field("before", one.before).field("after", one.after).field("direction", name(one.direction));
    out.field("ratio", one.ratio).field("ratio_lo", one.ci.lo).field("ratio_hi", one.ci.hi);
    out.field("p", one.p).field("q", one.q).field("points_after", level.end - level.begin);
    out.field("state", one.state).field("note", one.note).field("stated", one.stated);
    write_environment(out, one);
    out.end_object();
  }
  out.end_array();
}

void write_segments(model::json_writer& out, const series_changes& seen) {
  out.begin_array();
  for (const auto& one : seen.segments) {
    out.begin_object().field("first_run", one.first_run).field("last_run", one.last_run);
    out.field("points", one.end - one.begin).field("median", one.median);
    out.key("lo");
    one.ci ? out.value(one.ci->lo) : out.null();
    out.key("hi");
    one.ci ? out.value(one.ci->hi) : out.null();
    out.end_object();
  }
  out.end_array();
}

void write_watching(model::json_writer& out, const series_changes& seen) {
  if (!seen.watching) {
    out.null();
    return;
  }
  const auto& w = *seen.watching;
  out.begin_object().field("first_run", w.first_run).field("runs", w.runs).field("level", w.level);
  out.field("value", w.value).field("direction", name(w.direction)).end_object();
}

std::string changes_json(std::span<const series_changes> all, const rules& rules, std::size_t not_searched) {
  model::json_writer out;
  out.begin_object().field("schema", "ridge.changes/1");
  out.key("rules").begin_object().field("alpha", rules.alpha).field("false_share", rules.false_share);
  out.field("min_effect", rules.min_effect).field("fewest", rules.fewest).end_object();
  out.key("items").begin_array();
  for (const auto& one : all) write_series(out, one);
  out.end_array().field("not_searched", not_searched).end_object();
  return std::move(out).take() + '\n';
}

}  // namespace ridge::changes
