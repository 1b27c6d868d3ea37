// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/run.hpp>

#include "is.hpp"

// The fields of a measured family and its parts.
namespace ridge::model::detail {

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

void fields(auto& a, is<compilation> auto& x) {
  a("compiler", x.compiler);
  a("level", x.level);
  a("flags", x.flags);
  a("sanitizer", x.sanitizer);
  a("source", x.source);
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
  a("failure", x.failure);
  a("signal", x.signal);
  a("stage", x.stage);
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
  a("ceiling_first", x.ceiling_first);
  a("ceiling_again", x.ceiling_again);
  a("ceiling_disturbed", x.ceiling_disturbed);
  a("ceiling_beside", x.ceiling_beside);
  a("bound", x.bound);
  a("max_abs_error", x.max_abs_error);
  a("max_rel_error", x.max_rel_error);
  a("rms_error", x.rms_error);
  a("stage_s", x.stage_s);
  a("setup_s", x.setup_s);
  a("counters", x.counters);
  a("kernels", x.kernels);
  a("compiled", x.compiled);
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

void fields(auto& a, is<library_use> auto& x) {
  a("variant", x.variant);
  a("library", x.library);
  a("threads", x.threads);
  a("settings", x.settings);
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
  a("libraries", x.libraries);
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

}  // namespace ridge::model::detail
