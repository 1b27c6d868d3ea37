// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

#include <algorithm>

#include <ridge/base/expects.hpp>

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

axis pitfall_axis() {
  auto made = choice("pitfall", {"cold_start", "warm_cache", "denormals", "zero_inputs", "dead_code"});
  made.cuda_values = choice("", {"no_synchronize", "cold_start", "warm_cache", "zero_indices"}).values;
  return made;
}

const pitfall& pitfall_of(const problem& p) {
  const auto found = std::ranges::find(pitfalls(), p.text("pitfall"), &pitfall::name);
  expects(found != pitfalls().end(), "timing_pitfalls: no such pitfall");
  return *found;
}

workload make_workload(const problem& p, memory& m) {
  const auto& shown = pitfall_of(p);
  const auto n = p.count("elements");
  return {&shown, m.in<float>(n, normal{}), m.in<float>(shown.misleads ? n : 0, shown.misleading_from),
          m.out<float>(shown.one_result ? 1 : n)};
}

ridge::work work_of(const problem& p) {
  const auto& shown = pitfall_of(p);
  const double steps = shown.steps, n = p.real("elements");
  return {.flop = steps * n * shown.flop_per_element,
          .bytes_read = steps * 4 * n,
          .bytes_written = steps * (shown.one_result ? 4 : 4 * n),
          .items = steps};
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.timing_pitfalls",
      .title = "Timing mistakes beside the right time",
      .question = "How wrong do the five classic timing mistakes read?",
      .answers = {"K1.1", "K1.2"},
      .tags = {"measuring"},
      .axes = {pitfall_axis(), on_cuda(values("elements", {1 << 16}, {0, 1, 1021}), {1 << 25})},
      .make = make_workload,
      .work = work_of,
      .oracle = [](workload& w) { w.shown->expected(w); },
      .within = exact(),
      .metrics = {time_per_call(), quantile(naive, 0.5), quantile(right, 0.5)},
      .observed = {naive, right},
      .informational = true,
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
