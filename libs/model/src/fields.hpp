// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include <ridge/model/catalogue.hpp>
#include <ridge/model/machine_tree.hpp>
#include <ridge/model/peak_report.hpp>
#include <ridge/model/roofline.hpp>
#include <ridge/model/run.hpp>

// The fields of every type of the model by their JSON names, written once for reading and writing: `a("name",
// x.name)` visits one field. Their order is the print order.
namespace ridge::model::detail {

template <class X, class T>
concept is = std::same_as<std::remove_const_t<X>, T>;

void fields(auto& a, is<ridge::interval> auto& x) {
  a("lo", x.lo);
  a("hi", x.hi);
}

void fields(auto& a, is<metric> auto& x) {
  a("name", x.name);
  a("unit", x.unit);
  a("better", x.better);
  a("clock", x.clock);
}

void fields(auto& a, is<estimate> auto& x) {
  a("metric", x.metric);
  a("median", x.median);
  a("ci", x.ci);
}

void fields(auto& a, is<quantile_estimate> auto& x) {
  a("name", x.name);
  a("unit", x.unit);
  a("q", x.q);
  a("value", x.value);
  a("ci", x.ci);
  a("needed", x.needed);
}

void fields(auto& a, is<memory_use> auto& x) {
  a("peak_bytes", x.peak_bytes);
  a("allocated_bytes", x.allocated_bytes);
  a("reserved_bytes", x.reserved_bytes);
  a("savings", x.savings);
}

void fields(auto& a, is<phase_share> auto& x) {
  a("name", x.name);
  a("share", x.share);
  a("ci", x.ci);
}

void fields(auto& a, is<kernel_use> auto& x) {
  a("name", x.name);
  a("count", x.count);
  a("time_s", x.time_s);
  a("share", x.share);
}

void fields(auto& a, is<series> auto& x) {
  a("metric", x.metric);
  a.samples("value", x.value);
  a.samples("block", x.block);
  a.samples("position", x.position);
  a.samples("marked", x.marked);
}

void fields(auto& a, is<measurement> auto& x) {
  a("variant", x.variant);
  a("role", x.role);
  a("backend", x.backend);
  a("idea", x.idea);
  a("pedagogy", x.pedagogy);
  a("threads", x.threads);
  a("iterations", x.iterations);
  a("skipped", x.skipped);
  a("refused", x.refused);
  a("metrics", x.metrics);
  a("quantiles", x.quantiles);
  a("phases", x.phases);
  a("memory", x.memory);
  a("energy_j", x.energy_j);
  a("flop", x.flop);
  a("bytes_moved", x.bytes_moved);
  a("items", x.items);
  a("flop_per_s", x.flop_per_s);
  a("bytes_per_s", x.bytes_per_s);
  a("of_ceiling", x.of_ceiling);
  a("ceiling", x.ceiling);
  a("ceiling_rate", x.ceiling_rate);
  a("ceiling_ci", x.ceiling_ci);
  a("ceiling_disturbed", x.ceiling_disturbed);
  a("ceiling_beside", x.ceiling_beside);
  a("bound", x.bound);
  a("max_abs_error", x.max_abs_error);
  a("max_rel_error", x.max_rel_error);
  a("stage_s", x.stage_s);
  a("setup_s", x.setup_s);
  a("counters", x.counters);
  a("kernels", x.kernels);
  a("samples", x.samples);
}

void fields(auto& a, is<check> auto& x) {
  a("id", x.id);
  a("result", x.result);
  a("value", x.value);
  a("limit", x.limit);
  a("unit", x.unit);
  a("evidence", x.evidence);
}

void fields(auto& a, is<comparison> auto& x) {
  a("reference", x.reference);
  a("candidate", x.candidate);
  a("metric", x.metric);
  a("ratio", x.ratio);
  a("ci", x.ci);
  a("level", x.level);
  a("verdict", x.verdict);
  a("headline", x.headline);
  a("judged", x.judged);
  a("assurance", x.assurance);
  a("pairs", x.pairs);
  a("aa", x.aa);
  a("hodges_lehmann", x.hodges_lehmann);
  a("autocorrelation", x.autocorrelation);
  a("block_length", x.block_length);
  a("looks", x.looks);
  a("alpha_spent", x.alpha_spent);
  a("ratio_unmarked", x.ratio_unmarked);
  a("fork_ratios", x.fork_ratios);
  a("checks", x.checks);
}

void fields(auto& a, is<disturbance> auto& x) {
  a("disturbed_rounds", x.disturbed_rounds);
  a("steal_s", x.steal_s);
  a("involuntary_switches", x.involuntary_switches);
  a("throttled_periods", x.throttled_periods);
}

void fields(auto& a, is<family> auto& x) {
  a("experiment", x.experiment);
  a("title", x.title);
  a("question", x.question);
  a("goal", x.goal);
  a("backend", x.backend);
  a("problem", x.problem);
  a("flop", x.flop);
  a("bytes_read", x.bytes_read);
  a("bytes_written", x.bytes_written);
  a("items", x.items);
  a("measurements", x.measurements);
  a("comparisons", x.comparisons);
  a("checks", x.checks);
  a("seed", x.seed);
  a("rounds", x.rounds);
  a("wall_s", x.wall_s);
  a("duty", x.duty);
  a("disturbance", x.disturbance);
  a("forks", x.forks);
  a("skipped", x.skipped);
}

void fields(auto& a, is<ceiling_point> auto& x) {
  a("at", x.at);
  a("value", x.value);
}

void fields(auto& a, is<ceiling> auto& x) {
  a("id", x.id);
  a("what", x.what);
  a("unit", x.unit);
  a("value", x.value);
  a("ci", x.ci);
  a("variant", x.variant);
  a("threads", x.threads);
  a("size_bytes", x.size_bytes);
  a("note", x.note);
  a("zeros", x.zeros);
  a("clock_hz", x.clock_hz);
  a("power_w", x.power_w);
  a("issue_limit", x.issue_limit);
  a("specified", x.specified);
  a("specified_by", x.specified_by);
  a("disturbed", x.disturbed);
  a("series", x.series);
}

void fields(auto& a, is<peak> auto& x) {
  a("measured_at", x.measured_at);
  a("ceilings", x.ceilings);
}

void fields(auto& a, is<probed> auto& x) {
  a("id", x.id);
  a("title", x.title);
  a("means", x.means);
  a("skipped", x.skipped);
  a("rows", x.rows);
  a("wall_s", x.wall_s);
}

void fields(auto& a, is<fact_value> auto& x) {
  a("text", x.text);
  a("value", x.value);
  a("unit", x.unit);
}

void fields(auto& a, is<machine_node> auto& x) {
  a("kind", x.kind);
  a("name", x.name);
  a("facts", x.facts);
  a("children", x.children);
}

void fields(auto& a, is<audit_check> auto& x) {
  a("id", x.id);
  a("title", x.title);
  a("severity", x.severity);
  a("seen", x.seen);
  a("why", x.why);
  a("fix_bare_metal", x.fix_bare_metal);
  a("fix_container", x.fix_container);
  a("fix_kubernetes", x.fix_kubernetes);
}

void fields(auto& a, is<audit> auto& x) { a("checks", x.checks); }

void fields(auto& a, is<audit_finding> auto& x) {
  a("id", x.id);
  a("severity", x.severity);
  a("seen", x.seen);
}

void fields(auto& a, is<environment> auto& x) {
  a("machine", x.machine);
  a("host", x.host);
  a("cpu", x.cpu);
  a("kernel", x.kernel);
  a("compiler", x.compiler);
  a("flags", x.flags);
  a("build", x.build);
  a("cores", x.cores);
  a("memory_bytes", x.memory_bytes);
  a("facts", x.facts);
  a("findings", x.findings);
}

void fields(auto& a, is<peak_report> auto& x) {
  a("measured_at", x.peak.measured_at);
  a("depth", x.depth);
  a("wall_s", x.wall_s);
  a("environment", x.environment);
  a("ceilings", x.peak.ceilings);
  a("probes", x.probes);
}

// The fields of a run without its families, which are read and written separately, after the flat
// comparisons.
void fields(auto& a, is<run> auto& x) {
  a("id", x.id);
  a("started", x.started);
  a("command", x.command);
  a("profile", x.profile);
  a("seed", x.seed);
  a("wall_s", x.wall_s);
  a("min_effect", x.min_effect);
  a("level", x.level);
  a("environment", x.environment);
  a("peak", x.peak);
}

void fields(auto& a, is<variant_description> auto& x) {
  a("name", x.name);
  a("role", x.role);
  a("backend", x.backend);
  a("idea", x.idea);
  a("pedagogy", x.pedagogy);
  a("unavailable", x.unavailable);
}

void fields(auto& a, is<axis_description> auto& x) {
  a("name", x.name);
  a("values", x.values);
}

void fields(auto& a, is<experiment_description> auto& x) {
  a("id", x.id);
  a("title", x.title);
  a("question", x.question);
  a("goal", x.goal);
  a("tags", x.tags);
  a("answers", x.answers);
  a("axes", x.axes);
  a("metrics", x.metrics);
  a("phases", x.phases);
  a("variants", x.variants);
  a("missing_backends", x.missing_backends);
}

void fields(auto& a, is<roof> auto& x) {
  a("id", x.id);
  a("kind", x.kind);
  a("origin", x.origin);
  a("level", x.level);
  a("dtype", x.dtype);
  a("units", x.units);
  a("value", x.value);
  a("ci", x.ci);
  a("specified", x.specified);
  a("clock_hz", x.clock_hz);
  a("label", x.label);
  a("shown", x.shown);
}

void fields(auto& a, is<ridge_point> auto& x) {
  a("bandwidth", x.bandwidth);
  a("compute", x.compute);
  a("intensity", x.intensity);
}

void fields(auto& a, is<roofline_verdict> auto& x) {
  a("bound", x.bound);
  a("roof", x.roof);
  a("attainable", x.attainable);
  a("share", x.share);
  a("headroom", x.headroom);
  a("ridge", x.ridge);
  a("next", x.next);
}

void fields(auto& a, is<roofline_point> auto& x) {
  a("kernel", x.kernel);
  a("group", x.group);
  a("label", x.label);
  a("level", x.level);
  a("dtype", x.dtype);
  a("units", x.units);
  a("threads", x.threads);
  a("flop", x.flop);
  a("bytes", x.bytes);
  a("seconds", x.seconds);
  a("intensity", x.intensity);
  a("flop_per_s", x.flop_per_s);
  a("flop_per_s_ci", x.flop_per_s_ci);
  a("bytes_per_s", x.bytes_per_s);
  a("time_share", x.time_share);
  a("measured_bytes", x.measured_bytes);
  a("measured_intensity", x.measured_intensity);
  a("verdict", x.verdict);
}

void fields(auto& a, is<sweep_step> auto& x) {
  a("fma_per_element", x.fma_per_element);
  a("intensity", x.intensity);
  a("flop_per_s", x.flop_per_s);
  a("roof", x.roof);
  a("share", x.share);
  a("share_ci", x.share_ci);
  a("at_knee", x.at_knee);
}

void fields(auto& a, is<intensity_sweep> auto& x) {
  a("level", x.level);
  a("threads", x.threads);
  a("working_set_bytes", x.working_set_bytes);
  a("bandwidth", x.bandwidth);
  a("peak", x.peak);
  a("ridge", x.ridge);
  a("worst_off_knee", x.worst_off_knee);
  a("knee_rounding", x.knee_rounding);
  a("note", x.note);
  a("steps", x.steps);
}

void fields(auto& a, is<roofline_chart> auto& x) {
  a("backend", x.backend);
  a("device", x.device);
  a("threads", x.threads);
  a("roofs", x.roofs);
  a("ridges", x.ridges);
  a("points", x.points);
  a("sweeps", x.sweeps);
}

void fields(auto& a, is<roofline> auto& x) {
  a("run", x.run);
  a("machine", x.machine);
  a("started", x.started);
  a("charts", x.charts);
}

}  // namespace ridge::model::detail
