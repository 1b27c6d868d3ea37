// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <ridge_trace.h>
#include <ridge/trace/hta_programs.hpp>
#include <ridge/trace/hta_series.hpp>

#include "hta_columns.hpp"
#include "refused.hpp"
#include "tables.hpp"

namespace ridge::trace_c {
namespace {

table ranks_table(const trace_set& traces, const arguments& given) {
  table out;
  auto& rank = out.add_integers("rank");
  auto &path = out.add_texts("path"), &format = out.add_texts("format");
  auto &events = out.add_integers("events"), &works = out.add_integers("works"),
       &epoch = out.add_integers("epoch_ns");
  auto &start = out.add_doubles("first_start_us"), &length = out.add_doubles("starts_span_us");
  for (const auto r : ranks_of(traces, given)) {
    const auto& t = traces.ranks().at(r);
    const auto span = trace::hta_span_of(t, traces.options());
    rank.push_back(r);
    path.add(t.source.path);
    format.add(t.source.format);
    events.push_back(static_cast<std::int64_t>(t.events.size()));
    works.push_back(static_cast<std::int64_t>(t.works.size()));
    epoch.push_back(t.epoch_ns);
    start.push_back(microseconds(span.first_ns));
    length.push_back(microseconds(span.last_kept_ns - span.first_kept_ns));
  }
  return out;
}

table profiler_steps(const trace_set& traces, const arguments& given) {
  std::set<std::int64_t> steps;
  for (const auto r : ranks_of(traces, given)) {
    const auto found = trace::hta_profiler_steps(traces.ranks().at(r), traces.options());
    steps.insert(found.begin(), found.end());
  }
  table out;
  out.add_integers("step").assign(steps.begin(), steps.end());
  return out;
}

table stragglers(const trace_set& traces, const arguments& given) {
  const auto numbers = ranks_of(traces, given);
  const trace::hta_straggler_options which{
      .steps = given.integer_list("steps"),
      .candidates = static_cast<std::size_t>(std::max<std::int64_t>(given.integer("candidates", 2), 1))};
  std::vector<const trace::trace*> ranks;
  for (const auto r : numbers) ranks.push_back(&traces.ranks().at(r));
  const auto found = trace::hta_stragglers(ranks, which, traces.options());
  if (!found) throw refused(ridge_trace_no_answer, found.why());
  table out;
  auto& rank = out.add_integers("rank");
  for (const auto place : *found) rank.push_back(numbers[place]);
  return out;
}

table kernel_sequences(const trace_set& traces, const arguments& given) {
  const auto part = given.text("operator", "");
  const auto shortest = static_cast<std::size_t>(std::max<std::int64_t>(given.integer("shortest", 3), 0));
  if (part.empty())
    throw wrong_use("the argument operator is missing", "give a part of an operator's name: aten::linear");
  table out;
  auto& rank = out.add_integers("rank");
  auto& pattern = out.add_texts("pattern");
  auto& count = out.add_integers("count");
  auto &gpu = out.add_doubles("gpu_us"), &cpu = out.add_doubles("cpu_us");
  for (const auto r : ranks_of(traces, given)) {
    for (const auto& s : trace::hta_sequences(traces.ranks().at(r), part, shortest, traces.options())) {
      rank.push_back(r);
      pattern.add(s.pattern);
      count.push_back(static_cast<std::int64_t>(s.count));
      gpu.push_back(microseconds(s.gpu_ns));
      cpu.push_back(microseconds(s.cpu_ns));
    }
  }
  return out;
}

}  // namespace

void add_program_tables(answers& all) {
  all["ranks"] = ranks_table;
  all["profiler_steps"] = profiler_steps;
  all["stragglers"] = stragglers;
  all["kernel_sequences"] = kernel_sequences;
}

}  // namespace ridge::trace_c
